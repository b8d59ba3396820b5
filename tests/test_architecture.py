"""Imports lead strictly downward: a package imports only from lower layers, and never from its own layer.

Files have no import cycle, neither directly nor indirectly, in functions or for types.
"""

import ast
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

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
ENTRANCES = {"__main__": "cli"}  # `python -m lessons_lib` only calls its sibling
COMPUTED = {
    "lazy": "modules of the package that calls it",
    "course.live.scripts": "modules of its own package, found by a glob",
    "course.live.figure": "the module of a figure's own class",
    "course.symbols": "the module in which a given function was defined",
}
"""Files that import modules of computed names, and these modules."""


def package_of(module):
    """Return the package of a module of the library; "" for the library itself."""
    return module[1] if len(module) > 1 else ""


def module_of(path, root):
    """Return the dotted name of a file as a tuple, without __init__."""
    parts = path.relative_to(root).with_suffix("").parts
    return parts[:-1] if parts[-1] == "__init__" else parts


@cache
def imports_of(text):
    """Return the import statements and calls of `import_module` in a text."""
    found = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Import | ast.ImportFrom | ast.Call))
    return [node for node in found if not isinstance(node, ast.Call) or is_import_module(node)]


def is_import_module(node):
    """Return whether a call is `import_module` or `importlib.import_module`."""
    return ast.unparse(node.func) in ("import_module", "importlib.import_module") and bool(node.args)


def name_given(node):
    """Return the argument of `import_module`, "." for a name in the file's own package; "" if it is computed."""
    name = node.args[0]
    parts = name.values if isinstance(name, ast.JoinedStr) else [name]
    if isinstance(parts[0], ast.FormattedValue) and ast.unparse(parts[0].value) in ("__name__", "__package__"):
        return "."
    constant = parts[0].value if isinstance(parts[0], ast.Constant) else ""
    return str(constant).rstrip(".")


def imported_names(node, path, root):
    """Yield the absolute names that one import statement imports, one for each imported name."""
    if isinstance(node, ast.Call) and is_import_module(node):
        yield tuple(name_given(node).split("."))
    elif isinstance(node, ast.Import):
        yield from (tuple(alias.name.split(".")) for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        names = module_of(path, root) if path.name == "__init__.py" else module_of(path, root)[:-1]
        base = names[: len(names) - node.level + 1] if node.level else ()
        source = (*base, *(node.module.split(".") if node.module else ()))
        yield from ((*source, alias.name) for alias in node.names)


def package_imports(root):
    """Yield (place, importing package, imported package) for each import between packages of the library."""
    for path in sorted((root / PACKAGE).rglob("*.py")):
        here = package_of(module_of(path, root))
        for node in imports_of(path.read_text(encoding="utf8")):
            for target in imported_names(node, path, root):
                if target[0] == PACKAGE and package_of(target) in LAYERS and here and package_of(target) != here:
                    yield f"{path.relative_to(root)}:{node.lineno}", here, package_of(target)


def violations(root):
    """Return a message for each upward or sideways import, and for each package without a layer."""
    packages = {package_of(module_of(path, root)) for path in (root / PACKAGE).rglob("*.py")} - {""}
    faults = [f"{package} is in no layer: give it one in LAYERS" for package in sorted(packages - LAYERS.keys())]
    for where, here, there in package_imports(root):
        if LAYERS.get(here, 0) <= LAYERS[there] and ENTRANCES.get(here) != there:
            way = "sideways" if LAYERS.get(here) == LAYERS[there] else "up"
            faults.append(f"{where} imports {way}, from {here} into {there}")
    return faults + list(computed_names(root))


def computed_names(root):
    """Yield a message for each call of `import_module` with a computed name."""
    for path in sorted((root / PACKAGE).rglob("*.py")):
        calls = [node for node in imports_of(path.read_text(encoding="utf8")) if isinstance(node, ast.Call)]
        if ".".join(module_of(path, root)[1:]) not in COMPUTED:
            for node in calls:
                if not name_given(node):
                    yield f"{path.relative_to(root)}:{node.lineno} imports a module of a computed name"


def files_behind(root):
    """Return the imports of each file within the library; a package stands for its __init__.

    The library's __init__ is excluded: it names the packages for type checkers only.
    """
    names = {".".join(module_of(path, root)): path for path in (root / PACKAGE).rglob("*.py")}
    names.pop(PACKAGE, None)
    behind = {name: set() for name in names}
    for name, path in names.items():
        for node in imports_of(path.read_text(encoding="utf8")):
            if isinstance(node, ast.Call) and name_given(node) == name.rpartition(".")[0]:
                continue  # a package may load its files at first use
            for target in imported_names(node, path, root):
                whole, holder = ".".join(target), ".".join(target[:-1])
                behind[name] |= {whole if whole in names else holder} & names.keys() - {name}
    return behind


def import_cycle(root):
    """Return the files of an import cycle, with the first one again at the end; empty if there is none."""
    try:
        TopologicalSorter(files_behind(root)).prepare()
    except CycleError as error:
        return error.args[1]
    return []


def made_up_library(root, **files):
    """Write a library with the given files, named package__file, and return its root."""
    for name, text in files.items():
        package, _, file = name.partition("__")
        path = root / PACKAGE / package / f"{file}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf8")
    return root


def test_imports_of_the_library_lead_strictly_downward():
    assert violations(ROOT) == []


def test_the_library_has_no_import_cycle():
    assert import_cycle(ROOT) == []
    assert "lessons_lib.errors" in files_behind(ROOT)["lessons_lib.robots.tree"], "the library is searched"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("from lessons_lib.pose_ik import solve", "imports up, from robots into pose_ik"),
        ("from .. import plots", "imports up, from robots into plots"),
        ("def f():\n    from lessons_lib import plots", "imports up, from robots into plots"),
        ('import_module("lessons_lib.pose_ik.problem")', "imports up, from robots into pose_ik"),
        ('import_module(f"{package}.precompile")', "imports a module of a computed name"),
    ],
)
def test_an_upward_import_is_found(tmp_path, text, fault):
    library = made_up_library(tmp_path, robots__chain=text, robots____init__="")
    (found,) = violations(library)
    assert found.endswith(fault)
    assert found.startswith(f"{PACKAGE}/robots/chain.py:")


def test_a_sideways_import_and_a_package_without_a_layer_are_found(tmp_path):
    library = made_up_library(tmp_path, plots__arm="from lessons_lib.studies import compare", attic__box="")
    sideways = "lessons_lib/plots/arm.py:1 imports sideways, from plots into studies"
    assert violations(library) == ["attic is in no layer: give it one in LAYERS", sideways]


def test_downward_imports_and_those_inside_a_package_are_allowed(tmp_path):
    inside = "from lessons_lib.robots import screws\nfrom . import chain\nfrom lessons_lib import lie\nimport numpy\n"
    inside += 'import_module("lessons_lib.lie")\nimport_module(f"{__name__}.chain")\nimport_module("trimesh")\n'
    assert violations(made_up_library(tmp_path, robots__library=inside)) == []


@pytest.mark.parametrize(
    "back",
    [
        "from lessons_lib.robots.tree import Tree",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from .tree import Tree",
        "def f():\n    from lessons_lib.robots.tree import Tree",
    ],
)
def test_an_import_cycle_is_found(tmp_path, back):
    files = {"robots__tree": "from lessons_lib.robots import state", "robots__state": back}
    library = made_up_library(tmp_path, robots____init__="from lessons_lib.robots.tree import Tree", **files)
    assert {"lessons_lib.robots.tree", "lessons_lib.robots.state"} <= set(import_cycle(library))
