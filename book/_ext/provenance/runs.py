"""Which functions run in an entry: of compiled code each one, of Python the files.

Compiled code is called from Python at a few entries, and these are known by what was compiled or loaded for them. From
there on, every function is followed to those that its text names.
"""

from __future__ import annotations

import inspect
import pickle
import subprocess
import sys
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

import lessons_lib
from lessons_lib.codegen import account_of
from provenance.entries import ENTRIES

GENERATED = "lessons_lib_generated_"
PACKAGE = Path(lessons_lib.__file__).resolve().parent
NOTHING = "Nothing."
"""What a kernel says of itself that a method has no need of, and that does nothing."""

MAKERS = ("symbolic", "codegen")
"""Packages that make code: they are at work before anything runs."""


@dataclass(frozen=True)
class Function:
    """A function of compiled code that runs.

    Attributes:
        name: As its module calls it.
        module: The generated module's name, the hash left out: "pose_ik_lanes".
        summary: What it says that it does.
        text: The whole of it.
        formulas: By which formulas of `symbolic` it was derived; none if it was not.
        digest: Of its expression, if it is nothing but that.
    """

    name: str
    module: str
    summary: str
    text: str
    formulas: tuple[str, ...] = ()
    digest: str = ""


@dataclass(frozen=True)
class Running:
    """What runs in an entry.

    Attributes:
        functions: Of compiled code.
        files: Of the library whose Python runs, relative to the package: "pose_ik/one_pose.py".
        strangers: Compiled text that Python runs and no file holds, as SymPy's lambdify makes it.
    """

    functions: tuple[Function, ...]
    files: tuple[str, ...] = ()
    strangers: tuple[str, ...] = ()


def running() -> dict[str, Running]:
    """Return what runs in each of the entries, found by another process, in which nothing was loaded before.

    Raises:
        CalledProcessError: An entry raised an error, which is on stderr.
    """
    command, folder = [sys.executable, "-m", "provenance"], Path(__file__).resolve().parents[1]
    found: dict[str, Running] = pickle.loads(
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.PIPE).stdout
    )
    return found


def run_each() -> dict[str, Running]:
    """Run every entry in a process of its own, which shares the imports of this one where it can."""
    kind = "fork" if sys.platform == "linux" else "spawn"
    with get_context(kind).Pool(maxtasksperchild=1) as pool:
        return dict(zip(ENTRIES, pool.map(_run, ENTRIES, chunksize=1), strict=True))


def _run(entry: str) -> Running:
    """Run an entry, for the second time with an eye on Python, and return what runs in it."""
    ENTRIES[entry]()
    files, strangers = _watched(ENTRIES[entry])
    return Running(tuple(_functions()), tuple(sorted(files)), tuple(sorted(strangers)))


def _watched(call: Callable[[], None]) -> tuple[set[str], set[str]]:
    """Return the files of the library whose functions are called, and what is called and has no file."""
    files, strangers = set[str](), set[str]()

    def note(frame: types.FrameType, event: str, argument: object) -> None:
        path = Path(frame.f_code.co_filename)
        if event == "call" and path.name.startswith("<lambdifygenerated"):
            strangers.add(frame.f_code.co_qualname)
        elif event == "call" and path.is_relative_to(PACKAGE):
            files.add(str(path.relative_to(PACKAGE)))

    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(None)
    return {file for file in files if not file.startswith(MAKERS)}, strangers


def _functions() -> Iterator[Function]:
    """Yield the functions of compiled code that this process runs, each once."""
    waiting = list(_entries())
    for function in waiting:
        waiting += [one for one in _named_by(function) if one not in waiting]
        said = account_of(function)
        if said.summary != NOTHING:
            module = function.__module__.removeprefix(GENERATED).rpartition("_")[0] or function.__module__
            yield Function(
                function.__name__, module, said.summary, inspect.getsource(function), said.formulas, said.digest
            )


def _entries() -> Iterator[types.FunctionType]:
    """Yield the functions that Python calls: something was compiled, or loaded, for them."""
    for module in [module for name, module in list(sys.modules.items()) if name.startswith(GENERATED)]:
        compiled = [value for value in vars(module).values() if getattr(value, "overloads", None)]
        yield from (value.py_func for value in compiled if value.__module__ == module.__name__)


def _named_by(function: types.FunctionType) -> Iterator[types.FunctionType]:
    """Yield the functions of this library that the text of a compiled function names."""
    for name in dict.fromkeys(_names(function.__code__)):
        value = function.__globals__.get(name)
        meant = getattr(value, "py_func", value)
        if isinstance(meant, types.FunctionType) and meant.__module__.startswith(("lessons_lib.", GENERATED)):
            yield meant


def _names(code: types.CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _names(constant)
