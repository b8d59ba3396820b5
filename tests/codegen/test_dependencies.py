"""Dependencies of a generated module: exactly the files that shape its text."""

import shutil
import subprocess
import sys

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


def test_all_forms_of_imports_are_found():
    expected = {("a", ""), ("b", "c"), ("b", "d"), ("", "g"), ("", "h"), ("j", "k")}
    found = {(".".join(filter(None, (PACKAGE, a))), b) for a, b in expected}
    assert set(dependencies._statements(FORMS)) == found


def test_an_imported_name_leads_to_its_file_or_else_to_the_package(tmp_path):
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
"""Keys of the SE(3) kernels and of a chain."""
UNRELATED = "symbolic/planar_2r symbolic/__init__ codegen/cache codegen/export_targets robots/chain"
SHAPES = {
    "symbolic/so3": (True, True),
    "symbolic/tip_to_base": (False, True),
    "lie/logarithm": (True, False),
    f"{UNRELATED} pose_ik/search pose_ik/damping": (False, False),
}
"""Files, and whether the keys of the SE(3) kernels and of a chain depend on them."""


@pytest.mark.check
def test_a_file_changes_only_the_keys_of_modules_that_depend_on_it(tmp_path):
    shutil.copytree(ROOT / PACKAGE, tmp_path / PACKAGE, ignore=shutil.ignore_patterns("__pycache__"))
    environment = {"PYTHONPATH": str(tmp_path), "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}

    def keys():
        command = [sys.executable, "-c", KEYS]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
        return done.stdout.split()

    before = keys()
    for files, depend in SHAPES.items():
        for file in files.split():
            path = tmp_path / PACKAGE / f"{file}.py"
            path.write_text(path.read_text("utf-8") + "\n# a word more\n", "utf-8")
        after = keys()
        assert tuple(a != b for a, b in zip(after, before, strict=True)) == depend, files
        before = after
