"""Run the checks of an exercise in this process, without nbgrader: its own cells run once, answers vary."""

import ast
import re
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from types import CodeType
from typing import Any

import nbformat

ROOT = Path(__file__).resolve().parents[2]
EXERCISES = sorted(ROOT.glob("exercises/[0-9]*/*.ipynb"))


class Exercise:
    """An exercise whose own cells have run with the solutions, with or without hidden checks.

    Attributes:
        names: Names that the stubs define.
        own: These functions from the solutions.
        solutions: Cells that define them.
        scope: Namespace of all cells.
        checks: For each cell below the first stub: name if it has points, full code, code without hidden parts, and the
            functions that it can call, defined by the stubs above it.
        points: Points of each check by name.
    """

    def __init__(self, path: Path, hidden: bool = False) -> None:
        """Run the cells; the solutions must pass."""
        self.scope: dict[str, Any] = {"__name__": "exercise"}
        self.names: list[str] = []
        self.own: dict[str, Any] = {}
        self.solutions: list[str] = []
        self.checks: list[tuple[str | None, CodeType, CodeType, frozenset[str]]] = []
        self.points: dict[str, int] = {}
        for cell in nbformat.read(path, as_version=4).cells:
            about = cell.metadata.get("nbgrader", {})
            if about.get("solution"):
                self.names += defined_in(cell.source)
                self.solutions.append(cell.source)
                exec(cell.source, self.scope)
                self.own = {name: self.scope[name] for name in self.names}
            elif cell.cell_type == "code":
                where = f"{path.name}, {about.get('grade_id')}"
                code, above = compile(cell.source, where, "exec"), frozenset(self.names)
                if about.get("grade") or self.points:
                    self.checks.append((about.grade_id, code, compile(visible(cell.source), where, "exec"), above))
                    self.points[about.grade_id] = about.points
                elif self.names:
                    self.checks.append((None, code, code, above))
                else:
                    exec(code, self.scope)
        failed = dict(self.failures(self.own, hidden))
        assert failed == {}, f"the solutions fail: {failed}"

    def answer(self, text: str) -> dict[str, Any]:
        """Return the functions that a text defines, in the scope of the exercise."""
        scope = self.scope | self.own
        exec(compile(text, "answer", "exec"), scope)
        return {name: scope[name] for name in defined_in(text) if name in self.names}

    def failures(
        self, answer: dict[str, Any], hidden: bool = True, kind: type[Exception] = AssertionError
    ) -> Iterator[tuple[str, str]]:
        """Yield the checks that an answer fails, hidden ones included or not, with their messages.

        A check above the stubs of the answer uses the solutions, and has already run.
        """
        assert answer.keys() <= set(self.names), f"the exercise asks for {self.names}"
        self.scope |= self.own | answer
        for name, whole, shown, above in self.checks:
            if not above & answer.keys():
                continue
            try:
                with redirect_stdout(StringIO()):
                    exec(whole if hidden else shown, self.scope)
            except kind as error:
                assert name, f"a cell without points fails: {error}"
                yield name, str(error)


def defined_in(text: str) -> list[str]:
    """Return the names of the functions that a cell defines."""
    return [line.name for line in ast.parse(text).body if isinstance(line, ast.FunctionDef)]


def visible(source: str) -> str:
    """Return a check without its hidden parts."""
    return re.sub("### BEGIN HIDDEN TESTS.*?### END HIDDEN TESTS", "", source, flags=re.DOTALL)
