"""The table: for each function that runs, what it was derived by, or why it was written by hand and what holds it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

from lessons_lib.provenance.by_hand import File, described, file_of
from lessons_lib.provenance.evidence import Evidence
from lessons_lib.provenance.runs import Function, Running

Key = TypeVar("Key")

_END = (100, 0)  # behind the claims of all lessons
_NUMBER = re.compile(r"_\d+$")  # stumpff_2, stumpff_3, … are one function of n


@dataclass(frozen=True)
class Formula:
    """A formula, and what stands behind it.

    Attributes:
        name: "so3.exp".
        claims: Numbers of the claims that are about it.
        tests: Those that name it, where no claim is about it.
    """

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
class ByHand:
    """A file of text for the compiler: what of it runs, and in which entries."""

    file: File
    functions: tuple[str, ...]
    entries: tuple[str, ...]


@dataclass(frozen=True)
class Around:
    """A file whose Python runs, and in which entries."""

    file: File
    entries: tuple[str, ...]


@dataclass(frozen=True)
class Table:
    """All that runs.

    Attributes:
        derived: Functions that were derived, in the order of the lessons.
        by_hand: Files of text for the compiler.
        around: Files of Python around the compiled code.
        homeless: Functions that neither say by which formulas they were derived nor stand in a file.
    """

    derived: tuple[Derived, ...]
    by_hand: tuple[ByHand, ...]
    around: tuple[Around, ...]
    homeless: tuple[Function, ...]


def table(found: Mapping[str, Running], evidence: Evidence) -> Table:
    """Return the table of what runs in the entries."""
    derived = tuple(sorted(_derived(found, evidence), key=_place))
    homeless = _grouped(found, lambda function: function if not function.digest and not file_of(function) else None)
    return Table(derived, tuple(_by_hand(found)), tuple(_around(found)), tuple(homeless))


def _derived(found: Mapping[str, Running], evidence: Evidence) -> Iterator[Derived]:
    groups = _grouped(found, lambda function: _NUMBER.sub("_n", function.name) if function.formulas else None)
    for name, (functions, entries) in groups.items():
        names = dict.fromkeys(formula for function in functions for formula in function.formulas)
        digests = dict.fromkeys(function.digest for function in functions if function.digest)
        file = None if digests else file_of(functions[0])
        formulas = tuple(_formula(formula, evidence) for formula in names)
        yield Derived(name, functions[0].summary, formulas, tuple(digests), file, entries)


def _by_hand(found: Mapping[str, Running]) -> Iterator[ByHand]:
    groups = _grouped(found, lambda function: None if function.digest else file_of(function))
    for file in sorted(groups, key=lambda file: file.path):
        functions, entries = groups[file]
        yield ByHand(file, tuple(dict.fromkeys(function.name for function in functions)), entries)


def _around(found: Mapping[str, Running]) -> Iterator[Around]:
    for path in sorted({path for running in found.values() for path in running.files}):
        yield Around(described(path), tuple(entry for entry, running in found.items() if path in running.files))


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


def _formula(name: str, evidence: Evidence) -> Formula:
    claims = evidence.claims.get(name, ())
    return Formula(name, claims, () if claims else evidence.tests_of_formula(name))


def _place(row: Derived) -> tuple[tuple[int, ...], str]:
    """Return the place of a derived function among all: that of the first claim about it, or the end."""
    claims = [tuple(map(int, claim.split("."))) for formula in row.formulas for claim in formula.claims]
    return min(claims, default=_END), row.name
