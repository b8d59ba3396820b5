"""Show in the head of a lesson its place in the course, its prerequisites, and its duration."""

from collections.abc import Iterator
from typing import Any

from docutils import nodes
from lesson_pages import lesson_number
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform
from syllabus import WHOLE_COURSE, files, syllabus


def pages(docnames: set[str]) -> dict[int, str]:
    """Return the pages of the lessons in the book, by number."""
    return {number: name for name in docnames if (number := lesson_number(name)) is not None}


def place_of(lesson: int) -> str:
    """Describe the place of a lesson in the course."""
    if lesson == WHOLE_COURSE:
        return "The whole course in one sitting"
    core = [entry for entry in syllabus().values() if entry.place]
    place = syllabus()[lesson].place
    return f"Core track, {place} of {len(core)}" if place else "Optional"


def parts(lesson: int, known: dict[int, str], here: str) -> Iterator[nodes.Node]:
    """Yield the parts of a head, with links to the prerequisites."""
    lesson_entry = syllabus()[lesson]
    yield nodes.strong("", place_of(lesson))
    for place, number in enumerate(lesson_entry.needs):
        yield nodes.Text(
            (" · needs lesson " if len(lesson_entry.needs) == 1 else " · needs lessons ") if place == 0 else ", "
        )
        target = pending_xref(
            "", refdomain="std", reftype="doc", reftarget=f"/{known[number]}", refexplicit=True, refwarn=True
        )
        target["refdoc"] = here
        target += nodes.inline("", str(number))
        yield target
    yield nodes.Text(f" · {lesson_entry.minutes[0]} min, its exercise {lesson_entry.minutes[1]} min")


class LessonHead(SphinxTransform):
    """Transform that inserts the head below title and slogan."""

    default_priority = 430

    def apply(self, **kwargs: Any) -> None:
        """Insert the head, if the page is a lesson."""
        number = lesson_number(self.env.docname)
        if number is None:
            return
        section = next(self.document.findall(nodes.section))
        head = nodes.paragraph("", "", *parts(number, pages(self.env.found_docs), self.env.docname))
        slogan = len(section) > 1 and isinstance(section[1], nodes.paragraph)
        section.insert(1 + slogan, nodes.container("", head, classes=["lesson-head"]))
        for path in files().values():
            self.env.note_dependency(str(path))


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the transform."""
    app.add_transform(LessonHead)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
