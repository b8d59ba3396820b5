"""A plugin of pytest that changes functions where they lie in memory, each change in a fork of its own.

What is loaded and collected once serves all mutants. A fork gives the functions of a changed file their new code, and
runs the tests that run the changed line, quick ones first; one that fails without the change, too, does not count.
"""

from __future__ import annotations

import ast
import gc
import json
import os
import resource
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FunctionType

import pytest

NOTES = Path("build", "mutants")
Place = tuple[str, int, str]

BUDGET = 15.0
"""Processor seconds of the tests that are asked about one mutant."""


def pytest_configure(config: pytest.Config) -> None:
    """Take the place of the usual loop."""
    config.pluginmanager.register(Judge(), "judge of mutants")


class Judge:
    """Judges the mutants of `sample.json`, and writes what became of each into `judged.json`."""

    def __init__(self) -> None:
        """Begin with no report."""
        self.failed = False

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Hear of a test."""
        self.failed |= report.failed

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Judge one mutant after another."""
        items, seen = {item.nodeid: item for item in session.items}, witnesses()
        costs = json.loads((NOTES / "costs.json").read_text("utf-8"))
        judged = json.loads((NOTES / "sample.json").read_text("utf-8"))
        for one in judged:
            names = set().union(
                *(seen.get((one["file"], line), set()) for line in _statement(one["file"], one["line"]))
            )
            asked: list[pytest.Item] = []
            spent = 0.0
            for name in sorted(names & items.keys(), key=lambda name: costs[name]):
                spent += costs[name]
                asked += [items[name]] if spent <= BUDGET or not asked else []
            codes = changed(Path(one["file"]).resolve(), one["text"])
            one["by"] = self.first_to_fail(asked, codes) if codes else "not tried: no function alone"
            one["asked"] = len(asked)
        (NOTES / "judged.json").write_text(json.dumps(judged), encoding="utf-8")
        return True

    def first_to_fail(self, items: list[pytest.Item], codes: dict[Place, CodeType]) -> str:
        """Return the first test that the change makes fail, or an empty text."""
        while items:
            place = self.in_fork(items, codes)
            if place == len(items):
                return ""
            if self.in_fork([items[place]], {}) == 1:
                return items[place].nodeid
            items = items[:place] + items[place + 1 :]
        return ""

    def in_fork(self, items: list[pytest.Item], codes: dict[Place, CodeType]) -> int:
        """Return how many tests pass one after another; one that never ends, or ends all, is the last to begin."""
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
            for function in gc.get_objects():
                if isinstance(function, FunctionType) and (place := place_of(function.__code__)) in codes:
                    function.__code__ = codes[place]
            for item, following in zip(items, [*items[1:], None], strict=True):
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                if self.failed:
                    break
                os.write(writing, b".")
            os._exit(0)
        os.close(writing)
        with os.fdopen(reading, "rb") as passed:
            count = len(passed.read())
        os.waitpid(child, 0)
        return count


def place_of(code: CodeType) -> Place:
    """Return where a function stands. Its code compiled twice is not always equal to itself."""
    return code.co_filename, code.co_firstlineno, code.co_qualname


def witnesses() -> dict[tuple[str, int], set[str]]:
    """Return which tests run a line, by its file below the repository and its number."""
    from coverage import CoverageData

    notes, found = CoverageData(str(NOTES / "seen")), dict[tuple[str, int], set[str]]()
    notes.read()
    for path in notes.measured_files():
        for line, names in notes.contexts_by_lineno(path).items():
            found[str(Path(path).relative_to(Path.cwd())), line] = set(names)
    return found


def changed(path: Path, text: str) -> dict[Place, CodeType]:
    """Return the new codes of the functions that differ; none where anything outside of functions does."""
    both = (compile(one, str(path), "exec") for one in (path.read_text("utf-8"), text))
    pairs = list(_pairs(*both))
    return {} if (None, None) in pairs else {place_of(old): new for old, new in pairs if old and new}


def _pairs(old: CodeType, new: CodeType) -> Iterator[tuple[CodeType, CodeType] | tuple[None, None]]:
    """Yield the functions that differ, old and new; twice nothing where a body of a module or a class does."""
    if old.co_flags & 1:  # a function
        yield from [(old, new)] if old != new else []
        return
    inner = [[part for part in code.co_consts if isinstance(part, CodeType)] for code in (old, new)]
    rest = [
        (code.co_code, code.co_names, [p for p in code.co_consts if not isinstance(p, CodeType)]) for code in (old, new)
    ]
    if len(inner[0]) != len(inner[1]) or repr(rest[0]) != repr(rest[1]):
        yield None, None
        return
    for pair in zip(*inner, strict=True):
        yield from _pairs(*pair)


def _statement(file: str, line: int) -> range:
    """Return the lines of the statement around a line, without those of its body."""
    spans = []
    for node in ast.walk(ast.parse(Path(file).read_text("utf-8"))):
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or line):
            body = getattr(node, "body", None)
            end = max(node.lineno, body[0].lineno - 1) if body else node.end_lineno or line
            spans += [range(node.lineno, end + 1)] if line <= end else []
    return min(spans, key=len, default=range(line, line + 1))
