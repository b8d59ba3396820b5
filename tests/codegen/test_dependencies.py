"""Dependencies of a generated module: exactly the files that shape its text."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from lessons_lib.codegen import dependencies
from lessons_lib.codegen.dependencies import PACKAGE, ROOT, closure

FORMS = f"""
import {PACKAGE}.a as x, os
from {PACKAGE}.b import (  # why
    c,  # and why
    d as e,
)
if TYPE_CHECKING:
    from {PACKAGE} import types_alone

    from {PACKAGE} import these_too
def f():
    from {PACKAGE} import g, h as i  # not now
    if TYPE_CHECKING:
        from {PACKAGE} import nor_this
    from {PACKAGE}.j import k
"""


def test_all_forms_of_imports_are_found() -> None:
    expected = {("a", ""), ("b", "c"), ("b", "d"), ("", "g"), ("", "h"), ("j", "k")}
    found = {(".".join(filter(None, (PACKAGE, a))), b) for a, b in expected}
    assert set(dependencies._statements(FORMS)) == found


def test_an_imported_name_leads_to_its_file_or_else_to_the_package(tmp_path: Path) -> None:
    package = tmp_path / PACKAGE / "package"
    package.mkdir(parents=True)
    files = {
        "__init__": "",
        "package/__init__": f"if TYPE_CHECKING:\n    from {PACKAGE}.package import heavy",  # imported at its first use
        "package/heavy": "",
        "package/light": "",
    }
    files |= {"one": f"from {PACKAGE}.package import light", "other": f"from {PACKAGE}.package import something"}
    for name, text in files.items():
        (tmp_path / PACKAGE / f"{name}.py").write_text(text)
    assert closure([f"{PACKAGE}.one"], tmp_path) == {f"{PACKAGE}.one", f"{PACKAGE}.package.light"}
    assert closure([f"{PACKAGE}.other"], tmp_path) == {f"{PACKAGE}.{x}" for x in ("other", "package", "package.heavy")}


KEYS = """
from lessons_lib import robots
from lessons_lib.lie import kernels
from lessons_lib.robots import chain_module
chain = robots.planar_2r()
print(hash(kernels.RECIPE.key()), hash(chain_module.recipe("", chain.screws, chain.home).key()))
"""


def keys(root: Path) -> list[str]:
    """Return the keys of the SE(3) kernels and of a chain in a new process with this copy of the library."""
    environment = {"PYTHONPATH": str(root), "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-c", KEYS]
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=True)
    return done.stdout.split()


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """A copy of the library that a test may change, and the original keys."""
    root = tmp_path_factory.mktemp("copied")
    shutil.copytree(ROOT / PACKAGE, root / PACKAGE, ignore=shutil.ignore_patterns("__pycache__"))
    return root, keys(root)


UNRELATED = (
    "symbolic/amdahl.py",
    "symbolic/__init__.py",
    "codegen/cache.py",
    "codegen/modules.py",
    "codegen/export_targets.py",
    "robots/chain.py",
    "pose_ik/search.py",
    "pose_ik/damping.py",
)
"""Files on which neither the SE(3) kernels nor a chain depend."""
SHAPES = {
    ("symbolic/so3.py",): (True, True),
    ("symbolic/tip_to_base.py",): (False, True),
    ("lie/logarithm.py",): (True, False),
    UNRELATED: (False, False),
}
"""Files, and whether the keys of the SE(3) kernels and of a chain depend on them."""


@pytest.mark.check
@pytest.mark.parametrize("files", SHAPES, ids=lambda files: files[0])
def test_a_file_changes_only_the_keys_of_modules_that_depend_on_it(
    files: tuple[str, ...], copied: tuple[Path, list[str]]
) -> None:
    root, before = copied
    texts = {root / PACKAGE / file: (root / PACKAGE / file).read_text("utf-8") for file in files}
    for path, text in texts.items():
        path.write_text(text + "\n# a word more\n", "utf-8")
    try:
        after = keys(root)
    finally:
        for path, text in texts.items():
            path.write_text(text, "utf-8")
    assert tuple(a != b for a, b in zip(after, before, strict=True)) == SHAPES[files]
