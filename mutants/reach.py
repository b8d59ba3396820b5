"""What the judges say of the library as it is: which lines each claim, test and solve runs, and how long it takes.

One that does not run a line is not asked about it. The tests of a file run one after the other in one child. What
functions remember is forgotten in between, so that each is seen to run what it hangs on; what a file runs when it is
collected counts for all its tests. A judge that refuses the library as it is ends the run.
"""

from __future__ import annotations

import functools
import hashlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from mutants import judges, lessons
from mutants.copies import Ended, in_a_child, used
from mutants.solves import STAGES

Lines = dict[str, list[int]]  # of each file
_ROOMS = ("lessons_lib/symbolic/*", "lessons_lib/codegen/*")


@contextmanager
def traced() -> Iterator[Any]:
    """Note which lines of the rooms of interest are run."""
    import coverage

    here = Path.cwd()
    tracer = coverage.Coverage(data_file=None, include=[str(here / room) for room in _ROOMS], config_file=False)
    tracer.start()
    try:
        yield tracer
    finally:
        tracer.stop()


def lines_of(tracer: Any, context: str | None = None) -> Lines:
    """Return the lines that were run: all, or those of a context."""
    data, here = tracer.get_data(), f"{Path.cwd()}/"
    data.set_query_context(context) if context is not None else data.set_query_contexts(None)
    found = {str(file).removeprefix(here): sorted(data.lines(file) or ()) for file in data.measured_files()}
    return {file: lines for file, lines in found.items() if lines}


def of_claim(number: str) -> dict[str, Any]:
    """Return the lines that a claim runs."""
    with traced() as tracer:
        refused = judges.claim_refuses(number)
    if refused:
        raise RuntimeError(f"claim {number} is refused: {refused}")
    return {"lines": lines_of(tracer)}


class _EachTest:
    """Has a tracer tell the tests of a run apart, and notes their seconds."""

    def __init__(self, tracer: Any) -> None:
        self.tracer = tracer
        self.seconds: dict[str, float] = {}

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Forget what functions remember, and begin."""
        for module in [module for name, module in sys.modules.items() if name.startswith("lessons_lib")]:
            for one in vars(module).values():
                if type(one) is functools._lru_cache_wrapper:
                    one.cache_clear()
        self.tracer.switch_context(nodeid)
        self.seconds[nodeid] = -used()

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """Take the time."""
        self.seconds[nodeid] += used()
        self.tracer.switch_context("")


def of_tests(file: str) -> dict[str, Any]:
    """Return the lines that the tests of a file run, of all when they are collected, of each by its name."""
    with traced() as tracer:
        each = _EachTest(tracer)
        failed = judges.first_failure([file], each)
    if failed:
        raise RuntimeError(": ".join(failed))
    tests = {name: {"seconds": took, "lines": lines_of(tracer, name)} for name, took in each.seconds.items()}
    return {"lines": lines_of(tracer, ""), "tests": tests}


def of_solves(stage: str) -> dict[str, Any]:
    """Return the lines that a stage of `solves` runs, and its numbers."""
    with traced() as tracer:
        numbers = judges.numbers(stage)
    return {"lines": lines_of(tracer), "numbers": numbers}


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
        seconds: The processor's, for each judge, "kind name"; a test's kind is "test", its name pytest's.
        states: A hash of what the answer of each judge hangs on.
        numbers: Of each stage of `solves`, as the library is.
    """

    def __init__(self, answers: dict[str, dict[str, Any]]) -> None:
        """Take what a child answered, with its seconds and state, by "kind name"."""
        self.seconds, self.states = dict[str, float](), dict[str, str]()
        self.numbers = {
            j.partition(" ")[2]: a["value"]["numbers"] for j, a in answers.items() if "numbers" in a["value"]
        }
        self._by_line: dict[tuple[str, int], set[str]] = {}
        for judge, answer in answers.items():
            tests = answer["value"].get("tests")
            if tests is None:
                self._add(judge, answer["state"], answer["seconds"], answer["value"]["lines"])
            else:
                for name, test in tests.items():
                    self._add(
                        f"test {name}",
                        f"{answer['state']} {name}",
                        test["seconds"],
                        answer["value"]["lines"],
                        test["lines"],
                    )

    def _add(self, judge: str, state: str, seconds: float, *found: Lines) -> None:
        self.seconds[judge], self.states[judge] = seconds, hashlib.sha256(state.encode()).hexdigest()[:10]
        for lines in found:
            for file, numbers in lines.items():
                for line in numbers:
                    self._by_line.setdefault((file, line), set()).add(judge)

    def of(self, kind: str, file: str, lines: range) -> list[str]:
        """Return the judges of a kind that run one of some lines, the quick ones first.

        Args:
            kind: "claim", "test" or "solves".
            file: Where the lines are.
            lines: Their numbers.
        """
        judges = {judge for line in lines for judge in self._by_line.get((file, line), ())}
        mine = [judge for judge in judges if judge.startswith(f"{kind} ")]
        return [judge.partition(" ")[2] for judge in sorted(mine, key=lambda j: (self.seconds[j], j))]

    def states_of(self, file: str, lines: range) -> set[str]:
        """Return the states of the claims and tests that run one of some lines."""
        return {self.states[f"{kind} {name}"] for kind in ("claim", "test") for name in self.of(kind, file, lines)}
