"""One mutant before its judges, the quick ones first, until one notices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from mutants import judges
from mutants.copies import changed, in_a_child
from mutants.made import Mutant
from mutants.reach import Reach

QUICK = 2.0
"""Seconds of claims that are asked in one go, before the slower ones."""


def noticed(copy: Path, mutant: Mutant, reach: Reach) -> dict[str, Any]:
    """Return who notices a mutant: "caught" is "claim", "cell", "test" or empty, "by" and "why" say more."""
    claims = reach.of("claim", mutant.file, range(mutant.first, mutant.last + 1))
    with changed(copy, mutant.file, mutant.text):
        for some in _parts(claims, reach.seconds):
            limit = 10 + 5 * sum(reach.seconds[f"claim {number}"] for number in some)
            found = _asked(copy, judges.first_refusal, some, limit)
            if found:
                kind = "claim" if found[1].startswith("ClaimError") else "cell"
                return {"caught": kind, "by": found[0], "why": found[1]}
        for file in judges.tests_of(copy, mutant.file):
            found = _asked(copy, judges.first_failure, [file], 10 + 5 * reach.seconds[f"tests {file}"])
            if found:
                return {"caught": "test", "by": found[0], "why": found[1]}
    return {"caught": "", "by": "", "why": ""}


def _parts(claims: Sequence[str], seconds: dict[str, float]) -> list[list[str]]:
    """Return the claims in two parts, the quick ones first."""
    first, rest, total = list[str](), list[str](), 0.0
    for number in claims:
        total += seconds[f"claim {number}"]
        (first if total <= QUICK or not first else rest).append(number)
    return [part for part in (first, rest) if part]


def _asked(copy: Path, judge: Callable[[Sequence[str]], list[str]], names: list[str], seconds: float) -> list[str]:
    ended = in_a_child(copy, partial(judge, names), seconds)
    if ended.error:
        return [names[0], f"ended by {ended.error}"]
    return list(ended.value)


def solved(copy: Path, mutant: Mutant, reach: Reach) -> dict[str, Any]:
    """Return what becomes of the solves: "refused", "changed", "unchanged", or "not reached"."""
    lines = range(mutant.first, mutant.last + 1)
    stages = reach.of("solves", mutant.file, lines)
    with changed(copy, mutant.file, mutant.text):
        for stage in stages:
            ended = in_a_child(copy, partial(judges.numbers, stage), 30 + 5 * reach.seconds[f"solves {stage}"])
            if ended.error:
                return {"solves": "refused", "stage": stage, "how": ended.error}
            if judges.differ(ended.value, reach.numbers[stage]):
                return {"solves": "changed", "stage": stage, "how": ""}
    return {"solves": "unchanged" if stages else "not reached", "stage": "", "how": ""}
