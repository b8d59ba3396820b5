"""One mutant before its judges: claims, the checks of what is derived, then tests, the quick ones first.

A first look asks those that stand near, the tests of the mutant's file and who has noticed another mutant of that file,
and the others for a few seconds; a thorough one asks the rest. So it is soon known who may survive.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from mutants import judges
from mutants.copies import changed, in_a_child
from mutants.mutant import Mutant
from mutants.reach import Reach
from mutants.report import is_explained

PATIENCE = 3.0
"""Seconds of claims, and of tests, at a first look, besides those that stand near."""

Answer = dict[str, Any]
_NOTHING = dict.fromkeys(("caught", "by", "why", "solves", "stage", "how", "met"), "")
UNKNOWN: Answer = _NOTHING | {"passed": [], "left": 1}

_noticed_before = dict[str, set[str]]()
"""Judges that have noticed a mutant, by its file: they may well notice the next one there."""


def remember(answers: Mapping[Mutant, Answer]) -> None:
    """Take up who has noticed what before, so that these are asked first of all.

    Args:
        answers: What is known of mutants.
    """
    for mutant, answer in answers.items():
        if answer["caught"]:
            _noticed_before.setdefault(mutant.file, set()).add(answer["by"])


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
        asked. "passed" are states of judges that noticed nothing, "left" is how many were not asked; "met" stands for
        all who run its lines, those among them that were not asked, too.
    """
    lines = range(mutant.first, mutant.last + 1)
    answer = UNKNOWN | before

    def ask(kind: str, judge: Callable[[Sequence[str]], list[str]]) -> None:
        good = _noticed_before.setdefault(mutant.file, set())
        names = reach.of(kind, mutant.file, lines)
        names = [name for name in names if reach.states[f"{kind} {name}"] not in answer["passed"]]
        near = [name for name in names if name in good or _is_about(name, mutant.file)]
        rest = [name for name in names if name not in near]
        if not thorough:
            rest = _for_a_while(rest, lambda name: reach.seconds[f"{kind} {name}"])
        names = near + rest
        found = _asked(copy, judge, names, sum(reach.seconds[f"{kind} {name}"] for name in names))
        if found:
            good.add(found[0])
            answer.update(caught=_told(kind, found[1]), by=found[0], why=found[1])
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
        return answer | {"passed": [], "left": 0, "met": ""}
    left = reach.states_of(mutant.file, lines).difference(answer["passed"])
    return answer | {"left": len(left), "met": judges_of(mutant, reach)}


def is_left(mutant: Mutant, answer: Answer, reach: Reach, thorough: bool) -> bool:
    """Return whether a look would ask somebody who was not asked yet; one that is explained has a first look alone."""
    if answer["caught"]:
        return thorough and not answer["solves"]
    if not thorough or is_explained(mutant.about()):
        return bool(answer["met"] != judges_of(mutant, reach))
    return bool(answer["left"])


def asked_again(copy: Path, mutant: Mutant, kind: str, name: str) -> Answer:
    """Return what becomes of a mutant before who noticed it when the rest of its file was another.

    Args:
        copy: Of the repository.
        mutant: What to change in it.
        kind: "claim" or "test".
        name: Number of the claim, or pytest's name of the test.

    Returns:
        As `judged`; `UNKNOWN` where it is not noticed, or where the claim or the test is there no more.
    """
    judge = judges.first_refusal if kind == "claim" else judges.first_failure
    with changed(copy, mutant.file, mutant.text):
        ended = in_a_child(copy, partial(judge, [name]), 120)
    by, why = ended.value or ("", "")
    if not by or why.startswith("pytest ended"):
        return UNKNOWN
    return UNKNOWN | {"caught": _told(kind, why), "by": by, "why": why, "left": 0}


def _told(kind: str, why: str) -> str:
    """Return what a table calls it: a claim is refused, or the cell around it fails."""
    return kind if kind == "test" or why.startswith("ClaimError") else "cell"


def judges_of(mutant: Mutant, reach: Reach) -> str:
    """Return a hash of who runs the lines of a mutant, and of what their answers hang on."""
    states = reach.states_of(mutant.file, range(mutant.first, mutant.last + 1))
    return hashlib.sha256(" ".join(sorted(states)).encode()).hexdigest()[:12]


def _is_about(test: str, file: str) -> bool:
    """Return whether a test stands in the file of tests of a file, as of symbolic/x.py in tests/symbolic/test_x.py."""
    return Path(file).stem in Path(test.partition("::")[0]).stem


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
