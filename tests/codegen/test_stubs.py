"""A stub (`*.pyi`) says what a plain file finds in front of it once it is linked: it says so truly, and all of it."""

import ast
import inspect
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from lessons_lib import robots
from lessons_lib.all_solutions import module as branches
from lessons_lib.certificates import module as certificates
from lessons_lib.codegen.dependencies import PACKAGE, ROOT
from lessons_lib.differential_ik import kernels as differential_kernels
from lessons_lib.lie import kernels
from lessons_lib.pose_ik import lanes, sequential
from lessons_lib.pose_ik.variant import Variant
from lessons_lib.robots import tree_kernels

LINKED: dict[str, Callable[[], ModuleType]] = {
    "differential_ik/se3_code.pyi": differential_kernels.module,
    "lie/kit_code.pyi": kernels.module,
    "all_solutions/angle_code.pyi": branches.module,
    "certificates/angle_code.pyi": certificates.module,
    "pose_ik/lane_code.pyi": lambda: lanes.module_for(robots.planar_2r()),
    "pose_ik/one_start_code.pyi": lambda: sequential.kernel_module(robots.planar_2r(), Variant(sequential=True)),
    "robots/chain_code.pyi": lambda: robots.planar_2r().kernels,
    "robots/tree_code.pyi": tree_kernels.module,
}
"""Each stub, and a module that was linked with what it describes."""


def promised(text: str) -> dict[str, list[str] | None]:
    """Return the names of a stub: a function with its parameters, a constant with None."""
    found: dict[str, list[str] | None] = {}
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef):
            found[node.name] = [argument.arg for argument in node.args.args]
        elif isinstance(node, ast.AnnAssign):
            found[ast.unparse(node.target)] = None
    return found


def parameters_of(module: Any, name: str) -> list[str] | None:
    """Return the parameters of a module's function, as its text says them; of another module's, as it is loaded."""
    text = inspect.getsource(module) if isinstance(module, ModuleType) else ""
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            return [argument.arg for argument in node.args.args]
    function = getattr(module, name, None)
    function = getattr(function, "py_func", function)
    return list(inspect.signature(function).parameters) if callable(function) else None


def broken(text: str, module: Any) -> list[str]:
    """Return the names of a stub that a linked module does not have, or has otherwise."""
    faults = []
    for name, parameters in promised(text).items():
        if parameters is None:
            kept = isinstance(getattr(module, name, None), int | float)
        else:
            kept = parameters_of(module, name) == parameters
        faults += [] if kept else [name]
    return faults


@cache
def imports() -> list[ast.ImportFrom]:
    """Return every `from … import …` of the library's files."""
    trees = (ast.parse(path.read_text()) for path in ROOT.joinpath(PACKAGE).rglob("*.py"))
    return [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]


def imported_from(stub: str) -> set[str]:
    """Return all that the library's files import from a stub."""
    module = f"{PACKAGE}.{stub.removesuffix('.pyi').replace('/', '.')}"
    return {alias.name for node in imports() if node.module == module for alias in node.names}


@pytest.mark.parametrize("stub", LINKED)
def test_a_stub_is_true_of_the_linked_module(stub: str) -> None:
    text = ROOT.joinpath(PACKAGE, stub).read_text("utf-8")
    assert broken(text, LINKED[stub]()) == []


@pytest.mark.parametrize("stub", LINKED)
def test_a_stub_says_what_plain_files_use_and_no_more(stub: str) -> None:
    assert promised(ROOT.joinpath(PACKAGE, stub).read_text("utf-8")).keys() == imported_from(stub)


def test_every_stub_is_checked() -> None:
    stubs = {path.relative_to(ROOT / PACKAGE).as_posix() for path in Path(ROOT / PACKAGE).rglob("*.pyi")}
    assert stubs == LINKED.keys()


def test_a_stub_that_is_wrong_would_be_found() -> None:
    text = "SIZE: int\nDOF: int\ndef right(a, b): ...\ndef other(a, b): ...\ndef missing(a): ...\n"

    class Linked:
        DOF, right, other = 6, staticmethod(lambda a, b: None), staticmethod(lambda b, a: None)

    assert broken(text, Linked) == ["SIZE", "other", "missing"]
