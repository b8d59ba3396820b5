"""Imports run strictly downward: a package uses only those of lower layers, and siblings do not see each other.

No two files import each other, be it by way of others, in a function or for types alone: what is needed to read a file
never leads back to it.
"""

import ast
import json
import pkgutil
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = "lessons_lib"
LAYERS = {
    "errors": 0,
    "hooks": 0,
    "arrays": 1,
    "extras": 1,
    "paths": 1,
    "lazy": 2,
    "other_libraries": 2,
    "symbolic": 3,
    "claims": 4,
    "codegen": 5,
    "lie": 6,
    "robots": 7,
    "collisions": 8,
    "certificates": 9,
    "all_solutions": 10,
    "pose_ik": 11,
    "differential_ik": 12,
    "trajectories": 13,
    "blocks": 14,
    "plots": 14,
    "studies": 14,
    "viewer": 15,
    "cli": 16,
    "__main__": 17,
    "course": 18,
}
ENTRANCES = {"__main__": "cli"}  # `python -m lessons_lib` is nothing but an entry to its sibling
LANGUAGE = {"claims.matrix_symbols", "claims.notation", "claims.sums", "claims.terms"}
"""What claims are stated in: packages of their own for a lesson."""
OPENED = {
    "all_solutions.interval": {"19"},
    "all_solutions.symbols": {"19", "21"},
    "codegen.printers": {"02"},
    "pose_ik.methods": {"13"},
    "pose_ik.one_pose": {"24"},
    "pose_ik.variants": {"11"},
    "robots.kinematics": {"06", "07"},
    "symbolic.halley": {"11"},
    "symbolic.interval_error": {"13"},
    "symbolic.link_frames": {"07"},
    "symbolic.open_chain": {"09"},
    "symbolic.split_error": {"13"},
    "symbolic.stumpff_functions": {"02", "03"},
}
"""Modules within a package that a lesson shows or its exercise uses, by the lessons' numbers."""
COMPUTED = {
    "lazy": "modules of the package that calls it",
    "course.live.scripts": "modules of its own package, found by a glob",
    "all_solutions.symbols": "the module in which a given function was defined",
}
"""Files that import modules of computed names, and which modules these are."""
NAMELESS = {"utils", "util", "helpers", "helper", "common", "misc"}


def package_of(module: tuple[str, ...]) -> str:
    """Return the package of a dotted module of the library, whose own __init__ is in none."""
    return module[1] if len(module) > 1 else ""


def module_of(path: Path, root: Path) -> tuple[str, ...]:
    """Return the dotted name of a file as a tuple, __init__ left out."""
    parts = path.relative_to(root).with_suffix("").parts
    return parts[:-1] if parts[-1] == "__init__" else parts


@cache
def imports_of(text: str) -> list[ast.Import | ast.ImportFrom | ast.Call]:
    """Return the import statements of a file and its calls of `import_module`, by its text."""
    found = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Import | ast.ImportFrom | ast.Call))
    return [node for node in found if not isinstance(node, ast.Call) or is_import_module(node)]


def is_import_module(node: ast.Call) -> bool:
    """Return whether a call is one of `import_module` or `importlib.import_module`."""
    return ast.unparse(node.func) in ("import_module", "importlib.import_module") and bool(node.args)


def name_given(node: ast.Call) -> str:
    """Return the name given to `import_module`; "" if it is computed, unless it begins with the file's own package."""
    name = node.args[0]
    parts = name.values if isinstance(name, ast.JoinedStr) else [name]
    if isinstance(parts[0], ast.FormattedValue) and ast.unparse(parts[0].value) in ("__name__", "__package__"):
        return "."
    constant = parts[0].value if isinstance(parts[0], ast.Constant) else ""
    return str(constant).rstrip(".")


def imported(node: ast.AST, path: Path, root: Path) -> Iterator[tuple[str, ...]]:
    """Yield what one import names, relative imports resolved, `from package import name` split."""
    if isinstance(node, ast.Call) and is_import_module(node):
        yield tuple(name_given(node).split("."))
    elif isinstance(node, ast.Import):
        yield from (tuple(alias.name.split(".")) for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        names = module_of(path, root) if path.name == "__init__.py" else module_of(path, root)[:-1]
        base = names[: len(names) - node.level + 1] if node.level else ()
        source = (*base, *(node.module.split(".") if node.module else ()))
        yield from ((*source, alias.name) for alias in node.names)


def arrows(root: Path) -> Iterator[tuple[str, str, str]]:
    """Yield (where, from package, to package) for each import from one package of the library into another."""
    for path in sorted((root / PACKAGE).rglob("*.py")):
        here = package_of(module_of(path, root))
        for node in imports_of(path.read_text(encoding="utf8")):
            for target in imported(node, path, root):
                if target[0] == PACKAGE and package_of(target) in LAYERS and here and package_of(target) != here:
                    yield f"{path.relative_to(root)}:{node.lineno}", here, package_of(target)


def violations(root: Path) -> list[str]:
    """Return a sentence for each import that runs up or sideways, and for each package without a layer."""
    packages = {package_of(module_of(path, root)) for path in (root / PACKAGE).rglob("*.py")} - {""}
    faults = [f"{package} is in no layer: give it one in LAYERS" for package in sorted(packages - LAYERS.keys())]
    for where, here, there in arrows(root):
        if LAYERS.get(here, 0) <= LAYERS[there] and ENTRANCES.get(here) != there:
            way = "sideways" if LAYERS.get(here) == LAYERS[there] else "up"
            faults.append(f"{where} imports {way}, from {here} into {there}")
    return faults + list(computed_names(root))


def computed_names(root: Path) -> Iterator[str]:
    """Yield a sentence for each call of `import_module` whose name cannot be read from the text."""
    for path in sorted((root / PACKAGE).rglob("*.py")):
        calls = [node for node in imports_of(path.read_text(encoding="utf8")) if isinstance(node, ast.Call)]
        if ".".join(module_of(path, root)[1:]) not in COMPUTED:
            for node in calls:
                if not name_given(node):
                    yield f"{path.relative_to(root)}:{node.lineno} imports a module of a computed name"


def files_behind(root: Path) -> dict[str, set[str]]:
    """Return for each file which files of the library it imports; a package that is meant itself is its __init__.

    The own __init__ of the library is left out: it names the packages for type checkers, and loads none of them.
    """
    names = {".".join(module_of(path, root)): path for path in (root / PACKAGE).rglob("*.py")}
    names.pop(PACKAGE, None)
    behind: dict[str, set[str]] = {name: set() for name in names}
    for name, path in names.items():
        for node in imports_of(path.read_text(encoding="utf8")):
            if isinstance(node, ast.Call) and name_given(node) == name.rpartition(".")[0]:
                continue  # a file may find others by way of its own package, which loads them on first use
            for target in imported(node, path, root):
                whole, holder = ".".join(target), ".".join(target[:-1])
                behind[name] |= {whole if whole in names else holder} & names.keys() - {name}
    return behind


def circle(root: Path) -> list[str]:
    """Return files that import each other in a circle, the first one again at the end; empty where there is none."""
    try:
        TopologicalSorter(files_behind(root)).prepare()
    except CycleError as error:
        return error.args[1]
    return []


def opened_by(notebook: Path) -> set[str]:
    """Return the modules within packages, "package.module", from which a notebook imports names."""
    cells = json.loads(notebook.read_text(encoding="utf8"))["cells"]
    found = set()
    for cell in (cell for cell in cells if cell["cell_type"] == "code"):
        lines = "".join(line if not line.lstrip().startswith(("%", "!")) else "\n" for line in cell["source"])
        for node in ast.walk(ast.parse(lines)):
            for target in imported(node, notebook, notebook.parent):
                whole = target if isinstance(node, ast.Import) else target[:-1]
                found |= {".".join(whole[1:])} if whole[0] == PACKAGE and len(whole) > 2 else set()
    return found


def hidden_modules(package: ModuleType) -> list[str]:
    """Return the modules of a package that cannot be reached as its attributes, for something else has their name."""
    names = [info.name for info in pkgutil.iter_modules(package.__path__)]
    return [name for name in names if not isinstance(getattr(package, name, package), ModuleType)]


def made_up_library(root: Path, **files: str) -> Path:
    """Write a package with the given files, named room__file, and return its root."""
    for name, text in files.items():
        package, _, file = name.partition("__")
        path = root / PACKAGE / package / f"{file}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf8")
    return root


def test_imports_of_the_library_run_strictly_downward() -> None:
    assert violations(ROOT) == []


def test_no_files_of_the_library_import_each_other_in_a_circle() -> None:
    assert circle(ROOT) == []


def test_no_module_has_the_name_of_what_its_package_hands_out() -> None:
    packages = [info.name for info in pkgutil.walk_packages([str(ROOT / PACKAGE)], f"{PACKAGE}.") if info.ispkg]
    assert [f"{name}.{hidden}" for name in packages for hidden in hidden_modules(import_module(name))] == []


def test_lessons_import_from_packages() -> None:
    books = [*(ROOT / "notebooks").glob("*.ipynb"), *(ROOT / "exercises").glob("*/*.ipynb")]
    assert len(books) >= 38
    opened: dict[str, set[str]] = {}
    for book in books:
        for module in opened_by(book) - LANGUAGE:
            if module.startswith("course."):
                continue  # written for lessons
            opened.setdefault(module, set()).add(book.name[:2])
    assert opened == OPENED


def test_the_library_is_really_walked() -> None:
    assert "lessons_lib.errors" in files_behind(ROOT)["lessons_lib.robots.tree"]
    assert ("symbolic", "errors") in {(here, there) for _, here, there in arrows(ROOT)}


def test_no_module_has_a_name_that_says_nothing() -> None:
    stems = {part for path in (ROOT / PACKAGE).rglob("*.py") for part in module_of(path, ROOT)}
    assert stems.isdisjoint(NAMELESS)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("from lessons_lib.pose_ik import solve", "imports up, from robots into pose_ik"),
        ("import lessons_lib.course.live", "imports up, from robots into course"),
        ("from lessons_lib import course", "imports up, from robots into course"),
        ("from .. import plots", "imports up, from robots into plots"),
        ("from ..pose_ik.stop import Stop", "imports up, from robots into pose_ik"),
        ("def f():\n    from lessons_lib import plots", "imports up, from robots into plots"),
        ('import_module("lessons_lib.pose_ik.stop")', "imports up, from robots into pose_ik"),
        ('importlib.import_module(f"lessons_lib.plots.{name}")', "imports up, from robots into plots"),
        ('import_module(f"{package}.precompile")', "imports a module of a computed name"),
    ],
)
def test_an_arrow_that_runs_up_is_found(tmp_path: Path, text: str, fault: str) -> None:
    library = made_up_library(tmp_path, robots__chain=text, robots____init__="")
    (found,) = violations(library)
    assert found.endswith(fault)
    assert found.startswith(f"{PACKAGE}/robots/chain.py:")


def test_an_arrow_that_runs_sideways_is_found(tmp_path: Path) -> None:
    library = made_up_library(tmp_path, plots__arm="from lessons_lib.studies import compare")
    assert violations(library) == ["lessons_lib/plots/arm.py:1 imports sideways, from plots into studies"]


def test_downward_imports_and_those_inside_a_package_are_allowed(tmp_path: Path) -> None:
    inside = "from lessons_lib.robots import screws\nfrom . import chain\nfrom lessons_lib import lie\nimport numpy\n"
    inside += 'import_module("lessons_lib.lie")\nimport_module(f"{__name__}.chain")\nimport_module("trimesh")\n'
    assert violations(made_up_library(tmp_path, robots__library=inside)) == []


def test_a_package_without_a_layer_is_found(tmp_path: Path) -> None:
    assert violations(made_up_library(tmp_path, attic__box="")) == ["attic is in no layer: give it one in LAYERS"]


@pytest.mark.parametrize(
    "back",
    [
        "from lessons_lib.robots.tree import Tree",
        "from lessons_lib.robots import tree",
        "from . import tree",
        "import lessons_lib.robots.tree",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from .tree import Tree",
        "def f():\n    from lessons_lib.robots.tree import Tree",
        "from lessons_lib.robots import Tree",
    ],
)
def test_a_circle_of_files_is_found(tmp_path: Path, back: str) -> None:
    files = {"robots__tree": "from lessons_lib.robots import state", "robots__state": back}
    library = made_up_library(tmp_path, robots____init__="from lessons_lib.robots.tree import Tree", **files)
    assert {"lessons_lib.robots.tree", "lessons_lib.robots.state"} <= set(circle(library))


def test_a_package_that_hands_out_its_files_is_no_circle(tmp_path: Path) -> None:
    files = {"robots__tree": "from lessons_lib.robots import state", "robots__state": ""}
    assert circle(made_up_library(tmp_path, robots____init__="from lessons_lib.robots.tree import Tree", **files)) == []


def test_a_lesson_that_opens_a_package_is_found(tmp_path: Path) -> None:
    lines = ["%matplotlib inline\n", "from lessons_lib import plots\n", "from lessons_lib.pose_ik.loop import follow\n"]
    lines += ["from lessons_lib.claims.terms import let\n", "from lessons_lib.studies import two_hands\n"]
    lines += ["import lessons_lib.plots.arm"]
    (tmp_path / "20.ipynb").write_text(json.dumps({"cells": [{"cell_type": "code", "source": lines}]}), encoding="utf8")
    assert opened_by(tmp_path / "20.ipynb") == {"pose_ik.loop", "claims.terms", "plots.arm"}


def test_a_module_behind_a_function_is_found() -> None:
    package = ModuleType("package")
    package.__path__ = [str(ROOT / PACKAGE / "lie")]
    package.order = len  # type: ignore[attr-defined]
    assert hidden_modules(package) == ["order"]
