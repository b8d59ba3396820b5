"""What the judges say of the library as it is: which lines each claim and each solve runs, and how long all take.

One that does not run a line is not asked about it. Of the tests, those are asked that import what is changed: what one
of them has made, another one may look at. A judge that refuses the library as it is ends the run.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mutants import judges, lessons
from mutants.copies import Ended, in_a_child
from mutants.solves import STAGES

Lines = dict[str, list[int]]  # of each file
_ROOMS = ("lessons_lib/symbolic/", "lessons_lib/codegen/")


class Tracer:
    """Notes which lines of the rooms of interest are run; `begin` opens a new list."""

    def __init__(self) -> None:
        """Begin with an empty list."""
        here = f"{Path.cwd()}/"
        self._files: dict[str, str] = {}
        self._prefixes = tuple(here + room for room in _ROOMS)
        self._here = len(here)
        self.begin()

    def begin(self) -> None:
        """Open a new list."""
        self._found: set[tuple[str, int]] = set()

    def lines(self) -> Lines:
        """Return the lines of the open list."""
        found: Lines = {}
        for file, line in sorted(self._found):
            found.setdefault(file[self._here :], []).append(line)
        return found

    def __enter__(self) -> Tracer:
        """Begin to look."""
        sys.settrace(self._called)
        return self

    def __exit__(self, *_: object) -> None:
        """Look no more."""
        sys.settrace(None)

    def _called(self, frame: Any, event: str, _: Any) -> Any:
        return self._line if frame.f_code.co_filename.startswith(self._prefixes) else None

    def _line(self, frame: Any, event: str, _: Any) -> Any:
        self._found.add((frame.f_code.co_filename, frame.f_lineno))
        return self._line


def of_claim(number: str) -> dict[str, Any]:
    """Return the lines that a claim runs."""
    with Tracer() as tracer:
        refused = judges.claim_refuses(number)
    if refused:
        raise RuntimeError(f"claim {number} is refused: {refused}")
    return {"lines": tracer.lines()}


def of_tests(file: str) -> dict[str, Any]:
    """Return nothing but that a file of tests passes."""
    failed = judges.first_failure([file])
    if failed:
        raise RuntimeError(": ".join(failed))
    return {"lines": {}}


def of_solves(stage: str) -> dict[str, Any]:
    """Return the lines that a stage of `solves` runs, and its numbers."""
    with Tracer() as tracer:
        numbers = judges.numbers(stage)
    return {"lines": tracer.lines(), "numbers": numbers}


def questions(copy: Path) -> list[tuple[str, str]]:
    """Return kind, "claim", "tests" or "solves", and name of all that is asked of the library as it is."""
    notebooks = [copy / "notebooks" / f"{name}.ipynb" for name in lessons.names(copy)]
    asked = [("claim", number) for path in notebooks for number in lessons.programs(path)]
    asked += [("tests", str(path.relative_to(copy))) for path in judges.files_of_tests(copy)]
    return asked + [("solves", stage) for stage in STAGES]


def found(copy: Path, kind: str, name: str) -> Ended:
    """Return what one judge says; see `of_claim`, `of_tests` and `of_solves`."""
    ask: Callable[[str], dict[str, Any]] = {"claim": of_claim, "tests": of_tests, "solves": of_solves}[kind]
    return in_a_child(copy, lambda: ask(name), seconds=1800)


class Reach:
    """Who runs which line, as `found` tells.

    Attributes:
        seconds: The processor's, for each judge by "kind name".
        numbers: Of each stage of `solves`, as the library is.
    """

    def __init__(self, answers: dict[str, dict[str, Any]]) -> None:
        """Take what a child answered, with its seconds, by "kind name"."""
        self.seconds = {judge: answer["seconds"] for judge, answer in answers.items()}
        self.numbers = {j.split()[1]: answer["value"].get("numbers", []) for j, answer in answers.items()}
        self._by_line: dict[tuple[str, int], set[str]] = {}
        for judge, answer in answers.items():
            for file, numbers in answer["value"]["lines"].items():
                for line in numbers:
                    self._by_line.setdefault((file, line), set()).add(judge)

    def of(self, kind: str, file: str, lines: range) -> list[str]:
        """Return the judges of a kind that run one of some lines, the quick ones first.

        Args:
            kind: "claim" or "solves".
            file: Where the lines are.
            lines: Their numbers.
        """
        judges = {judge for line in lines for judge in self._by_line.get((file, line), ())}
        return [judge.split()[1] for judge in sorted(judges, key=lambda j: self.seconds[j]) if judge.startswith(kind)]
