"""Read `lesson.yml` in each lesson's folder: learning goals, prerequisites, core track.

Minutes are estimated by `lesson_sizes.py`; `needs` are the lessons that a lesson builds on directly; `chapter` is the
corresponding chapter of Modern Robotics.

The directive `{lesson-plan}` prints a table, and the role {hours}`core` the total hours of the core track with the
exercises.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from docutils import nodes
from docutils.statemachine import StringList
from lesson_pages import LessonPage, lessons_by_part
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective, SphinxRole

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "book"))
from lesson_sizes import size  # noqa: E402

WHOLE_COURSE = 0  # number of the one-sitting lesson
HEAD = ("lesson", "after it, students can", "needs", "minutes", "chapter")


@dataclass(frozen=True)
class Entry:
    """The `lesson.yml` of one lesson.

    Attributes:
        after: Learning goals, MyST.
        needs: Numbers of the lessons that it builds on directly.
        minutes: Minutes of the lesson with its questions, and of its exercise.
        chapter: Chapter of Modern Robotics.
        place: Position on the core track, from 1; 0 for lesson 0 and for an optional lesson.
    """

    after: str
    needs: tuple[int, ...]
    minutes: tuple[int, int]
    chapter: str
    place: int


def notebooks() -> dict[int, Path]:
    """Return the notebook of each lesson by number."""
    return {int(path.stem[:2]): path for path in sorted((ROOT / "notebooks").glob("[0-9][0-9]_*.ipynb"))}


def files() -> dict[int, Path]:
    """Return the path of each lesson's `lesson.yml` by number."""
    course = ROOT / "lessons_lib" / "course"
    return {number: course / path.stem[3:] / "lesson.yml" for number, path in notebooks().items()}


@cache
def syllabus() -> dict[int, Entry]:
    """Return the entry of each lesson by number."""
    paths = files()
    numbers = {path.parent.name: number for number, path in paths.items()}
    sizes = {number: size(path) for number, path in notebooks().items()}
    minutes = {number: (one.minutes, one.exercise) for number, one in sizes.items()}
    entries = {number: yaml.safe_load(path.read_text(encoding="utf8")) for number, path in paths.items()}
    core = [number for number, entry in entries.items() if entry.get("core")]
    return {
        number: Entry(
            entry["after"],
            tuple(numbers[name] for name in entry["needs"]),
            minutes[number],
            entry["chapter"],
            core.index(number) + 1 if number in core else 0,
        )
        for number, entry in entries.items()
    }


def total_hours(numbers: Iterator[int]) -> int:
    """Return the total hours of lessons and their exercises."""
    return round(sum(sum(syllabus()[number].minutes) for number in numbers) / 60)


def in_words(numbers: tuple[int, ...]) -> str:
    """Return "9", "9 and 12", "9, 10 and 12"."""
    *before, last = map(str, numbers)
    return f"{', '.join(before)} and {last}" if before else last


def row(lesson: LessonPage) -> str:
    """Return the row of a lesson in the table, Markdown."""
    entry = syllabus()[lesson.number]
    number = f"[{lesson.number}](/{lesson.docname})"
    cells = f"**{number}**" if entry.place else number, entry.after, ", ".join(map(str, entry.needs))
    return f"| {' | '.join(cells)} | {entry.minutes[0]} + {entry.minutes[1]} | {entry.chapter} |"


class LessonPlan(SphinxDirective):
    """Directive that prints goals, prerequisites and minutes of the lessons, those of the core track in bold."""

    def run(self) -> list[nodes.Node]:
        """Return the table."""
        lessons = sorted((one for _, part in lessons_by_part(self.env) for one in part), key=lambda one: one.number)
        lines = [f"| {' | '.join(HEAD)} |", "|---" * len(HEAD) + "|", *map(row, lessons)]
        box = nodes.container(classes=["lesson-plan"])
        self.state.nested_parse(StringList(lines, self.env.docname), 0, box)
        for path in files().values():
            self.env.note_dependency(str(path))
        self.env.note_reread()
        return [box]


class Hours(SphinxRole):
    """Role that shows the total hours of the core track."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Return the number.

        Raises:
            ValueError: The text is not `core`.
        """
        if self.text != "core":
            raise ValueError(f"{{hours}}`{self.text}`: must be `core`")
        for path in files().values():
            self.env.note_dependency(str(path))
        return [nodes.Text(str(total_hours(number for number, entry in syllabus().items() if entry.place)))], []


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive and the role."""
    app.add_directive("lesson-plan", LessonPlan)
    app.add_role("hours", Hours())
    return {"parallel_read_safe": True, "parallel_write_safe": True}
