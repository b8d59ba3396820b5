"""The lessons of the book, from its contents and the first cells of the notebooks."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sphinx.environment import BuildEnvironment

LESSON = re.compile(r"notebooks/(\d\d)_\w+")
EXERCISE = re.compile(r"exercises/(\w+)/\1")
TITLE = re.compile(r"^# +(.+)$", re.MULTILINE)
SLOGAN = re.compile(r"^\*([^*].*)\*$", re.MULTILINE)


@dataclass(frozen=True)
class LessonPage:
    """A lesson.

    Attributes:
        docname: Name of its page, "notebooks/08_newton".
        number: 8.
        title: Its question, MyST.
        slogan: Text in italics below the title, MyST; may be empty.
    """

    docname: str
    number: int
    title: str
    slogan: str


def lesson_number(docname: str) -> int | None:
    """Return the number in a lesson's file name; None for any other page."""
    match = LESSON.fullmatch(docname)
    return int(match[1]) if match else None


def is_exercise(docname: str) -> bool:
    """Return whether a page is an exercise."""
    return EXERCISE.fullmatch(docname) is not None


def read_lesson(folder: Path, docname: str, number: int) -> LessonPage:
    """Return title and slogan of a lesson from the first cell of its notebook.

    Raises:
        ValueError: The notebook does not begin with a title.
    """
    first = json.loads((folder / f"{docname}.ipynb").read_text(encoding="utf8"))["cells"][0]["source"]
    text = first if isinstance(first, str) else "".join(first)
    title, slogan = TITLE.search(text), SLOGAN.search(text)
    if title is None:
        raise ValueError(f"{docname}: the first cell must begin with a title such as '# The question?'")
    return LessonPage(docname, number, title[1].strip(), slogan[1].strip() if slogan else "")


def lessons_by_part(env: BuildEnvironment) -> Iterator[tuple[str, list[LessonPage]]]:
    """Yield the caption of every part of the contents with lessons, and its lessons in order."""
    for part in env.config.external_site_map.root.subtrees:
        numbered = [(str(page), lesson_number(str(page))) for page in part.items]
        lessons = [read_lesson(Path(env.srcdir), page, number) for page, number in numbered if number is not None]
        if lessons:
            yield part.caption or "", lessons
