"""What lacks an account, in sentences that say what to do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module

from lessons_lib.provenance.evidence import Evidence
from lessons_lib.provenance.rows import Around, ByHand, Derived, table
from lessons_lib.provenance.runs import Running
from lessons_lib.symbolic.formulas import PACKAGE, name_of

_MEND = (
    "make its Kernel of signed matrices, or name its formulas in Kernel.by, or keep its text in a file of the library"
)


def faults(found: Mapping[str, Running], evidence: Evidence) -> tuple[str, ...]:
    """Return a sentence for each thing that runs in the entries and is not accounted for; none if all is."""
    rows = table(found, evidence)
    homeless = (f"{one.name} of the generated module {one.module!r} has no account: {_MEND}" for one in rows.homeless)
    parts = homeless, _of_formulas(rows.derived), _of_texts(rows.by_hand, evidence), _of_files(rows.around)
    return tuple(fault for part in (*parts, _of_strangers(found)) for fault in part)


def _of_formulas(derived: Iterable[Derived]) -> Iterator[str]:
    for formula in dict.fromkeys(formula for row in derived for formula in row.formulas):
        module, name = formula.name.split(".")
        if name_of(getattr(import_module(PACKAGE + module), name, None)) != formula.name:
            yield f"{formula.name} is named as a formula, and there is none of that name in symbolic/"
        if not formula.claims and not formula.tests:
            yield f"{formula.name} runs, and no claim is about it, nor does a test in tests/symbolic name it"


def _of_texts(by_hand: Iterable[ByHand], evidence: Evidence) -> Iterator[str]:
    for row in by_hand:
        path, functions = f"lessons_lib/{row.file.path}", ", ".join(row.functions)
        if not row.file.reason or not row.file.tests:
            mend = "end its docstring with 'By hand: WHY.' and 'Held by: tests/….py.'"
            yield f"{path} holds text that runs ({functions}): {mend}"
        for test in row.file.tests:
            if not evidence.has_tests(test):
                yield f"{path} is said to be held by {test}, where there is no test"


def _of_files(around: Iterable[Around]) -> Iterator[str]:
    for row in around:
        if not row.file.says:
            yield f"lessons_lib/{row.file.path} runs, and has no docstring to say what for"


def _of_strangers(found: Mapping[str, Running]) -> Iterator[str]:
    for entry, running in found.items():
        for stranger in running.strangers:
            yield f"{entry} runs {stranger}, which SymPy's lambdify has made: generate it with a Kernel instead"
