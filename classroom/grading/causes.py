"""Count a class's mistakes: each likely mistake that a check has named, and how many students made it.

`nbgrader export --exporter=classroom.grading.causes.Causes` reads the graded notebooks. A cause is the code in square
brackets at the beginning of a hint of `lessons_lib.course.feedback`, as in "Hint [sign]: the sign is flipped".
"""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
from nbgrader.api import Gradebook

from classroom.grading.marks import Table
from classroom.grading.submission import about, cell_role, errors_of

CODE = re.compile(r"^Hint \[([a-z][a-z0-9-]*)\]: ", re.MULTILINE)
UNNAMED = "no cause named"
NO_ANSWER = "no answer"
EMPTY = ("NotImplementedError", "NotChecked")
"""Errors of a check without an answer, or with the stub: there is no cause to name."""


def causes(notebook: Path) -> Iterator[tuple[str, str]]:
    """Yield the check and the cause for each failed check of a graded submission."""
    for cell in nbformat.read(notebook, as_version=4).cells:
        if cell_role(cell) == "check" and (errors := errors_of(cell)):
            named = CODE.findall("\n".join(error.evalue for error in errors))
            empty = all(error.ename in EMPTY for error in errors)
            yield about(cell)["grade_id"], named[-1] if named else NO_ANSWER if empty else UNNAMED


class Causes(Table):
    """Table with a row for each exercise, check and cause: number of students, of those who submitted."""

    def rows(self, gradebook: Gradebook) -> Iterator[list[Any]]:
        """Yield the header and the rows, the most frequent cause first."""
        assignments, students = self.chosen(gradebook)
        yield ["exercise", "check", "cause", "students", "of"]
        root = Path(self.parent.coursedir.root) / self.parent.coursedir.autograded_directory
        for one in assignments:
            paths = [root / who.id / one.name / f"{one.name}.ipynb" for who in students]
            graded = [path for path in paths if path.exists()]
            count_time = Counter(cause for path in graded for cause in set(causes(path)))
            for (check, cause), number in count_time.most_common():
                yield [one.name, check, cause, number, len(graded)]
