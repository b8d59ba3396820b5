"""What a class got wrong: each cause that a check has named, and how many students had it.

`nbgrader export --exporter=classroom.grading.causes.Causes` reads the graded notebooks. A cause is the word in
square brackets with which a hint of `lessons_lib.course.feedback` begins, such as "Hint [sign]: the sign is flipped".
"""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
from nbgrader.api import Gradebook

from classroom.grading.hand_in import about, role
from classroom.grading.marks import Table

CODE = re.compile(r"^Hint \[([a-z][a-z0-9-]*)\]: ", re.MULTILINE)
UNNAMED = "no cause named"
NO_ANSWER = "no answer"
EMPTY = ("NotImplementedError", "NotChecked")
"""Errors of a check that finds the stub, or nothing: there is no answer that could have a cause."""


def causes(notebook: Path) -> Iterator[tuple[str, str]]:
    """Yield the check and the cause of each check that failed in a graded hand-in."""
    for cell in nbformat.read(notebook, as_version=4).cells:
        errors = [output for output in cell.get("outputs", []) if output.output_type == "error"]
        if role(cell) == "check" and errors:
            named = CODE.findall("\n".join(error.evalue for error in errors))
            empty = all(error.ename in EMPTY for error in errors)
            yield about(cell)["grade_id"], named[-1] if named else NO_ANSWER if empty else UNNAMED


class Causes(Table):
    """A row for each exercise, check and cause: how many students, of how many who handed in."""

    def rows(self, gradebook: Gradebook) -> Iterator[list[Any]]:
        """Yield the head, and the rows, the most frequent first."""
        assignments, students = self.chosen(gradebook)
        yield ["exercise", "check", "cause", "students", "of"]
        root = Path(self.parent.coursedir.root) / self.parent.coursedir.autograded_directory
        for one in assignments:
            paths = [root / who.id / one.name / f"{one.name}.ipynb" for who in students]
            graded = [path for path in paths if path.exists()]
            counted = Counter(cause for path in graded for cause in set(causes(path)))
            for (check, cause), number in counted.most_common():
                yield [one.name, check, cause, number, len(graded)]
