"""Read `lesson.yml` in each lesson's folder: learning goals, prerequisites, core track.

Minutes are estimated by `lesson_sizes.py`; `needs` are the lessons that a lesson builds on directly; `chapter` is the
corresponding chapter of Modern Robotics.
"""

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "book"))
from lesson_sizes import size  # noqa: E402

WHOLE_COURSE = 0  # number of the one-sitting lesson


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
    numbers = {path.parent.name: number for number, path in files().items()}
    lessons = {number: yaml.safe_load(path.read_text(encoding="utf8")) for number, path in files().items()}
    core = [number for number, entry in lessons.items() if entry.get("core")]

    def entry(number: int, after: str, needs: list[str], chapter: str, core_track: bool) -> Entry:
        sizes = size(notebooks()[number])
        place = core.index(number) + 1 if core_track else 0
        return Entry(after, tuple(numbers[name] for name in needs), (sizes.minutes, sizes.exercise), chapter, place)

    return {n: entry(n, one["after"], one["needs"], one["chapter"], n in core) for n, one in lessons.items()}


def total_hours(numbers: Iterable[int]) -> int:
    """Return the total hours of lessons and their exercises."""
    return round(sum(sum(syllabus()[number].minutes) for number in numbers) / 60)
