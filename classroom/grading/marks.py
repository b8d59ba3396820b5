"""Export the marks of a class: late penalties, and tables for Canvas and Moodle.

`nbgrader export --exporter=classroom.grading.marks.Canvas` writes the first, `…Moodle` the second.
"""

import csv
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nbgrader.api import Gradebook, MissingEntry
from nbgrader.plugins import ExportPlugin, LateSubmissionPlugin
from traitlets import Float


class Late(LateSubmissionPlugin):  # type: ignore[misc] # nbgrader has no types
    """Deduct a share of the points for each day begun after the due date."""

    a_day = Float(0.0, help="Share of the points that each day costs, from 0 to 1.").tag(config=True)

    def late_submission_penalty(self, student_id: str, score: float, total_seconds_late: float) -> float:
        """Return the points that a late submission loses, at most all of them."""
        return score * min(1.0, self.a_day * math.ceil(total_seconds_late / 86_400))


def points(gradebook: Gradebook, assignment: str, student: str) -> float | None:
    """Return a student's points after the late penalty; None without a submission."""
    try:
        submission = gradebook.find_submission(assignment, student)
    except MissingEntry:
        return None
    return max(0.0, float(submission.score - submission.late_submission_penalty))


class Table(ExportPlugin):  # type: ignore[misc]
    """Table with a row for each student and a column for each exercise."""

    def rows(self, gradebook: Gradebook) -> Iterator[list[Any]]:
        """Yield the header and the rows."""
        raise NotImplementedError

    def chosen(self, gradebook: Gradebook) -> tuple[list[Any], list[Any]]:
        """Return the selected assignments and students: all, or those of --assignment and --student."""
        assignments = [one for one in gradebook.assignments if not self.assignment or one.name in self.assignment]
        return assignments, [one for one in gradebook.students if not self.student or one.id in self.student]

    def marks(self, gradebook: Gradebook, assignments: list[Any], student: Any) -> list[Any]:
        """Return a student's points for each assignment; an empty field without a submission."""
        marks = [points(gradebook, one.name, student.id) for one in assignments]
        return ["" if one is None else one for one in marks]

    def export(self, gradebook: Gradebook) -> None:
        """Write the table."""
        with Path(self.to).open("w", encoding="utf8", newline="") as file:
            csv.writer(file).writerows(self.rows(gradebook))
        print(f"written: {self.to}")


def full_name(student: Any) -> str:
    """Return "Last, First", or the login name."""
    return ", ".join(part for part in (student.last_name, student.first_name) if part) or str(student.id)


class Canvas(Table):
    """CSV for *Grades → Import* of Canvas, which identifies a student by the roster's ID or the login."""

    def rows(self, gradebook: Gradebook) -> Iterator[list[Any]]:
        """Yield the header, the row of maximum points, and a row for each student."""
        assignments, students = self.chosen(gradebook)
        yield ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", *(one.name for one in assignments)]
        yield ["    Points Possible", "", "", "", "", *(one.max_score for one in assignments)]
        for one in students:
            name = [full_name(one), one.lms_user_id or "", "", one.id, ""]
            yield [*name, *self.marks(gradebook, assignments, one)]


class Moodle(Table):
    """CSV for *Grades → Import → CSV file* of Moodle, which identifies a student by user name or e-mail address."""

    def rows(self, gradebook: Gradebook) -> Iterator[list[Any]]:
        """Yield the header and a row for each student."""
        assignments, students = self.chosen(gradebook)
        yield ["Username", "Email address", *(one.name for one in assignments)]
        for one in students:
            yield [one.id, one.email or "", *self.marks(gradebook, assignments, one)]
