"""One mutant before its judges: claims, the checks of what is derived, then tests, the quick ones first.

A first look asks for a few seconds, and a thorough one asks the rest; so it is soon known who may survive.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from mutants import judges
from mutants.copies import changed, in_a_child
from mutants.mutant import Mutant
from mutants.reach import Reach

PATIENCE = 3.0
"""Seconds of claims, and of tests, at a first look."""

Answer = dict[str, Any]
UNKNOWN: Answer = {"caught": "", "by": "", "why": "", "solves": "", "stage": "", "how": "", "passed": [], "left": 1}

_noticed_before = dict[tuple[str, str], set[str]]()
"""Judges that have noticed a mutant, by its file and function: they may well notice the next one there."""


def judged(copy: Path, mutant: Mutant, reach: Reach, before: Answer, thorough: bool) -> Answer:
    """Return what becomes of a mutant.

    Args:
        copy: Of the repository.
        mutant: What to change in it.
        reach: Who runs which line.
        before: What an earlier look has found out; `UNKNOWN` where there was none.
        thorough: Whether slow judges are asked, too, and the solves of one that is caught.

    Returns:
        "caught" is "claim", "cell", "check" (of what is derived, when it is solved with), "test" or empty; "by" and
        "why" say more. "solves" is "refused", "changed", "unchanged", "not reached", or empty where they were not
        asked. "passed" are states of judges that noticed nothing, "left" is how many were not asked.
    """
    lines = range(mutant.first, mutant.last + 1)
    answer = UNKNOWN | before

    def ask(kind: str, judge: Callable[[Sequence[str]], list[str]]) -> None:
        good = _noticed_before.setdefault((mutant.file, mutant.function), set())
        names = reach.of(kind, mutant.file, lines)
        names = [name for name in names if reach.states[f"{kind} {name}"] not in answer["passed"]]
        names.sort(key=lambda name: name not in good)
        if not thorough:
            names = _for_a_while(names, lambda name: reach.seconds[f"{kind} {name}"])
        found = _asked(copy, judge, names, sum(reach.seconds[f"{kind} {name}"] for name in names))
        if found:
            good.add(found[0])
            claim = "claim" if found[1].startswith("ClaimError") else "cell"
            answer.update(caught=claim if kind == "claim" else kind, by=found[0], why=found[1])
        answer["passed"] = sorted({*answer["passed"], *(reach.states[f"{kind} {name}"] for name in names)})

    with changed(copy, mutant.file, mutant.text):
        if not answer["caught"]:
            ask("claim", judges.first_refusal)
        if not answer["solves"] and (thorough or not answer["caught"]):
            answer |= _solved(copy, mutant, reach.of("solves", mutant.file, lines), reach)
        if not answer["caught"] and answer["solves"] == "refused":
            answer.update(caught="check", by=answer["stage"], why=answer["how"])
        if not answer["caught"]:
            ask("test", judges.first_failure)
    if answer["caught"]:
        return answer | {"passed": [], "left": 0}
    return answer | {"left": len(reach.states_of(mutant.file, lines).difference(answer["passed"]))}


def _for_a_while(names: Sequence[str], seconds: Callable[[str], float]) -> list[str]:
    """Return the first of some judges, as many as a first look has time for."""
    some, total = list[str](), 0.0
    for name in names:
        total += seconds(name)
        if some and total > PATIENCE:
            break
        some.append(name)
    return some


def _asked(copy: Path, judge: Callable[[Sequence[str]], list[str]], names: list[str], seconds: float) -> list[str]:
    if not names:
        return []
    ended = in_a_child(copy, partial(judge, names), 10 + 5 * seconds)
    if ended.error:
        return [names[0], f"ended by {ended.error}"]
    return list(ended.value)


def _solved(copy: Path, mutant: Mutant, stages: Sequence[str], reach: Reach) -> Answer:
    """Return what becomes of the solves; machine code is another question only where the way there has changed."""
    answer = "not reached"
    for stage in stages:
        if answer == "unchanged" and "/codegen/" not in mutant.file:
            break
        seconds = 30 + 5 * reach.seconds[f"solves {stage}"]
        ended = in_a_child(copy, partial(judges.moved, stage, reach.numbers[stage]), seconds)
        if ended.error:
            return {"solves": "refused", "stage": stage, "how": ended.error}
        if ended.value:
            return {"solves": "changed", "stage": stage, "how": ""}
        answer = "unchanged"
    return {"solves": answer, "stage": "", "how": ""}
