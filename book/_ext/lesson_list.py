"""The directive `{lesson-list}`: every lesson by part, with its question and its slogan, linked."""

from collections.abc import Iterator
from typing import Any

from docutils import nodes
from docutils.statemachine import StringList
from lesson_pages import LessonPage, lessons_by_part
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from syllabus import in_words, syllabus, total_hours


def lines_of(lesson: LessonPage) -> Iterator[str]:
    """Yield the MyST of one entry: number, linked question, prerequisites and duration, and below it the slogan."""
    entry = syllabus()[lesson.number]
    needs_others = entry.needs and not entry.place
    hours, minutes = divmod(sum(entry.minutes), 60)
    duration = f"{hours} h {minutes:02} min"
    takes = f"{duration}, needs {in_words(entry.needs)}" if needs_others else duration
    core = " [core]{.core-lesson}" if entry.place else ""
    yield f"- [{lesson.number}]{{.lesson-number}} [{lesson.title}](/{lesson.docname}){core} [{takes}]{{.lesson-hours}}"
    if lesson.slogan:
        yield ""
        yield f"  [{lesson.slogan}]{{.lesson-slogan}}"
    yield ""


class LessonList(SphinxDirective):
    """Directive that lists the lessons of `_toc.yml` with the titles and slogans of their notebooks."""

    def run(self) -> list[nodes.Node]:
        """Return one box per part."""
        box = nodes.container(classes=["lesson-list"])
        for caption, lessons in lessons_by_part(self.env):
            hours = total_hours(lesson.number for lesson in lessons)
            unit = "hour" if hours == 1 else "hours"
            lines = [
                f"**{caption}** · {hours} {unit}, exercises included",
                "",
                *(line for lesson in lessons for line in lines_of(lesson)),
            ]
            part = nodes.container(classes=["lesson-part"])
            self.state.nested_parse(StringList(lines, self.env.docname), 0, part)
            box += part
        self.env.note_reread()
        return [box]


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive."""
    app.add_directive("lesson-list", LessonList)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
