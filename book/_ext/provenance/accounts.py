"""The table: for each function that runs, what it was derived by, or why it was written by hand and what holds it.

A file that holds text for the compiler says so at the end of its docstring:

    By hand: it chooses between two formulas, which a straight line of assignments cannot.
    Held by: tests/lie/test_exp_and_log.py.

Where it does not, what the __init__.py of its folder says holds for it.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path, PurePath
from typing import TypeVar

from lessons_lib.symbolic.claims import FORMULAS
from lessons_lib.symbolic.formulas import PACKAGE as SYMBOLIC
from lessons_lib.symbolic.formulas import name_of
from provenance.runs import PACKAGE, Function, Running

Key = TypeVar("Key")
ROOT = Path(__file__).resolve().parents[3]

_REASON = re.compile(r"^By hand: (.+?)\.?$(?=\n(?:Held by|\n|\Z)|\Z)", re.MULTILINE | re.DOTALL)
_TESTS = re.compile(r"^Held by: (.+?)\.$(?=\n\n|\n?\Z)", re.MULTILINE | re.DOTALL)
_CLAIM = re.compile(r"Claim (\d+\.\d+):")
_END = (100, 0)  # behind the claims of all lessons
_NUMBER = re.compile(r"_\d+$")  # stumpff_2, stumpff_3, … are one function of n


@dataclass(frozen=True)
class File:
    """A file of the library.

    Attributes:
        path: Relative to the package: "lie/logarithm.py".
        says: The first sentence of its docstring.
        reason: Why text for the compiler is written by hand in it; empty where the file does not say.
        tests: Those that hold it, relative to the repository; none where the file does not say.
    """

    path: str
    says: str
    reason: str = ""
    tests: tuple[str, ...] = ()


@dataclass(frozen=True)
class Formula:
    """A formula, the numbers of the claims that are about it, and, where there are none, the tests that name it."""

    name: str
    claims: tuple[str, ...]
    tests: tuple[str, ...]


@dataclass(frozen=True)
class Derived:
    """A function that was derived.

    Attributes:
        name: Its name in the generated code.
        says: What it computes.
        formulas: What it was derived by, in all its forms: a method of its own may have one of its own.
        digests: Of its expressions; none where text by hand stands around what was derived.
        file: Where that text stands.
        entries: The entries that run it.
    """

    name: str
    says: str
    formulas: tuple[Formula, ...]
    digests: tuple[str, ...]
    file: File | None
    entries: tuple[str, ...]


@dataclass(frozen=True)
class Text:
    """A file whose text runs, compiled or as Python: which functions of compiled code are in it, and the entries."""

    file: File
    functions: tuple[str, ...]
    entries: tuple[str, ...]


@dataclass(frozen=True)
class Table:
    """All that runs.

    Attributes:
        derived: Functions that were derived, in the order of the lessons.
        by_hand: Files of text for the compiler.
        around: Files of Python around the compiled code.
        faults: A sentence for each thing that runs and has no account: it says what to do.
    """

    derived: tuple[Derived, ...]
    by_hand: tuple[Text, ...]
    around: tuple[Text, ...]
    faults: tuple[str, ...] = ()


def table(found: Mapping[str, Running]) -> Table:
    """Return the table of what runs in the entries."""
    derived = tuple(sorted(_derived(found), key=_place))
    groups = _grouped(found, lambda function: None if function.digest else file_of(function))
    by_hand = (Text(file, tuple(dict.fromkeys(one.name for one in ran)), at) for file, (ran, at) in groups.items())
    paths = sorted({path for running in found.values() for path in running.files})
    around = (Text(described(path), (), tuple(at for at, ran in found.items() if path in ran.files)) for path in paths)
    rows = Table(derived, tuple(sorted(by_hand, key=lambda row: row.file.path)), tuple(around))
    return Table(rows.derived, rows.by_hand, rows.around, tuple(_faults(rows, found)))


def _derived(found: Mapping[str, Running]) -> Iterator[Derived]:
    groups = _grouped(found, lambda function: _NUMBER.sub("_n", function.name) if function.formulas else None)
    for name, (functions, entries) in groups.items():
        names = dict.fromkeys(formula for function in functions for formula in function.formulas)
        digests = tuple(dict.fromkeys(function.digest for function in functions if function.digest))
        file = None if digests else file_of(functions[0])
        yield Derived(name, functions[0].summary, tuple(map(formula_of, names)), digests, file, entries)


def _grouped(
    found: Mapping[str, Running], key: Callable[[Function], Key | None]
) -> dict[Key, tuple[tuple[Function, ...], tuple[str, ...]]]:
    """Return functions and entries by a key; those that have none are left out."""
    groups: dict[Key, tuple[dict[Function, None], dict[str, None]]] = {}
    for entry, running in found.items():
        for function in running.functions:
            place = key(function)
            if place is not None:
                functions, entries = groups.setdefault(place, ({}, {}))
                functions[function] = entries[entry] = None
    return {place: (tuple(functions), tuple(entries)) for place, (functions, entries) in groups.items()}


def _place(row: Derived) -> tuple[tuple[int, ...], str]:
    """Return the place of a derived function among all: that of the first claim about it, or the end."""
    claims = [_numbers(claim) for formula in row.formulas for claim in formula.claims]
    return min(claims, default=_END), row.name


def _faults(rows: Table, found: Mapping[str, Running]) -> Iterator[str]:
    homeless = _grouped(found, lambda one: None if one.digest or file_of(one) else (one.name, one.module))
    for name, module in homeless:
        yield (
            f"{name} of the generated module {module!r} has no account: make its Kernel of signed matrices, or name "
            "its formulas in Kernel.by, or keep its text in a file of the library"
        )
    for formula in dict.fromkeys(formula for row in rows.derived for formula in row.formulas):
        module, name = formula.name.split(".")
        if name_of(getattr(import_module(SYMBOLIC + module), name, None)) != formula.name:
            yield f"{formula.name} is named as a formula, and there is none of that name in symbolic/"
        if not formula.claims and not formula.tests:
            yield f"{formula.name} runs, and no claim is about it, nor does a test in tests/symbolic name it"
    for row in rows.by_hand:
        path = f"lessons_lib/{row.file.path}"
        if not row.file.reason or not row.file.tests:
            mend = "end its docstring with 'By hand: WHY.' and 'Held by: tests/….py.'"
            yield f"{path} holds text that runs ({', '.join(row.functions)}): {mend}"
        for test in row.file.tests:
            if not (ROOT / test).is_file() or "\ndef test_" not in (ROOT / test).read_text("utf-8"):
                yield f"{path} is said to be held by {test}, where there is no test"
    for row in rows.around:
        if not row.file.says:
            yield f"lessons_lib/{row.file.path} runs, and has no docstring to say what for"
    for entry, running in found.items():
        for stranger in running.strangers:
            yield f"{entry} runs {stranger}, which SymPy's lambdify has made: generate it with a Kernel instead"


@cache
def file_of(function: Function) -> File | None:
    """Return the file in which a function's text stands, as code or as text that a printer writes; None if in none.

    Of several that define the name, it is the one that has the most lines of the text.
    """
    names = f"def {function.name}(", re.sub(r"\d+\($", "{n}(", f"def {function.name}(")  # as stumpff_{n}
    lines = {line.strip() for line in function.text.splitlines()}
    holding = {path: text for path, text in _texts().items() if any(name in text for name in names)}
    common = {path: sum(line in text for line in lines) for path, text in holding.items()}
    return described(max(common, key=lambda path: common[path])) if common else None


@cache
def described(path: str) -> File:
    """Return what a file says of itself."""
    package = str(PurePath(path).with_name("__init__.py"))
    own, folder = (ast.get_docstring(ast.parse(_texts()[one])) or "" for one in (path, package))
    reason, tests = (pattern.search(own) or pattern.search(folder) for pattern in (_REASON, _TESTS))
    named = re.findall(r"[\w/]+\.py", tests[1]) if tests else []
    why = " ".join(reason[1].split()) if reason else ""
    return File(path, own.split("\n\n")[0].replace("\n", " "), why, tuple(named))


@cache
def _texts() -> dict[str, str]:
    """Return the text of every file of the library by its path."""
    return {str(path.relative_to(PACKAGE)): path.read_text("utf-8") for path in sorted(PACKAGE.rglob("*.py"))}


@cache
def formula_of(name: str) -> Formula:
    """Return what stands behind a formula, "open_tree.moment" for instance."""
    claims = tuple(claims_about().get(name, ()))
    tests = sorted((ROOT / "tests" / "symbolic").glob("test_*.py")) if not claims else []
    return Formula(name, claims, tuple(str(path.relative_to(ROOT)) for path in tests if _names(path, name)))


def _names(path: Path, formula: str) -> bool:
    """Return whether a test names a formula with its module, or imports it by its name from it."""
    module, name = formula.split(".")
    imported = rf"from {SYMBOLIC[:-1]}(?:\.{module})? import [^\n(]*(\([^)]*)?\b{name}\b"
    return bool(re.search(rf"\b{module}\.{name}\b|{imported}", path.read_text("utf-8")))


@cache
def claims_about() -> dict[str, list[str]]:
    """Return the numbers of the claims that are about each formula, in the order of the lessons, as stored."""
    found: dict[str, dict[str, None]] = {}
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        for cell in json.loads(path.read_text("utf-8"))["cells"]:
            for data in (output.get("data", {}) for output in cell.get("outputs", ())):
                label = _CLAIM.match("".join(data.get("text/plain", "")))
                if label:
                    for formula in "".join(data.get(FORMULAS, "")).split():
                        found.setdefault(formula, {})[label[1]] = None
    return {formula: sorted(numbers, key=_numbers) for formula, numbers in found.items()}


def _numbers(claim: str) -> tuple[int, ...]:
    return tuple(map(int, claim.split(".")))
