"""Lessons on the pages: numbers, the head of a lesson, and lists.

A lesson, its equations and figures are numbered by the number in its file name: Sphinx would count the pages that
happen to be in the book. The directive `{lesson-list}` prints every lesson by part, with its question and its slogan;
`{lesson-plan}` prints a table; the role {hours}`core` is the total time of the core track with the exercises.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from docutils import nodes
from docutils.statemachine import StringList
from lesson_pages import LessonPage, lesson_number, lessons_by_part
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.environment.collectors.toctree import TocTreeCollector
from sphinx.transforms import SphinxTransform
from sphinx.util.docutils import SphinxDirective, SphinxRole
from syllabus import WHOLE_COURSE, files, syllabus, total_hours

CORE = "core-lesson"
HEAD = ("lesson", "after it, students can", "needs", "minutes", "chapter")


def number_lesson(env: BuildEnvironment, docname: str, number: int) -> None:
    """Assign the page its number, mark the core track, and give headings an empty number, which is not printed."""
    references = list(env.tocs[docname].findall(nodes.reference))
    env.toc_secnumbers[docname] = {ref["anchorname"]: () for ref in references} | {"": (number,)}
    references[0]["secnumber"] = env.titles[docname]["secnumber"] = (number,)
    marked = any(CORE in part["classes"] for part in references[0].findall(nodes.inline))
    if syllabus()[number].place and not marked:
        references[0] += [nodes.Text(" "), nodes.inline("", "core", classes=[CORE])]


def lesson_docnames(env: BuildEnvironment) -> dict[int, str]:
    """Return the pages of the lessons in the book, by number."""
    return {number: name for name in env.found_docs if (number := lesson_number(name)) is not None}


def number_lessons(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Number all lessons, recount equations and figures, and return the pages to write again."""
    lessons = lesson_docnames(env)
    for number, docname in lessons.items():
        number_lesson(env, docname, number)
    return sorted({*lessons.values(), *TocTreeCollector().assign_figure_numbers(env)})


def head(lesson: int, pages: dict[int, str], here: str) -> Iterator[nodes.Node]:
    """Yield the parts of a head: place in the course, links to the prerequisites, duration."""
    entry = syllabus()[lesson]
    core = sum(bool(one.place) for one in syllabus().values())
    optional = "The whole course in one sitting" if lesson == WHOLE_COURSE else "Optional"
    yield nodes.strong("", f"Core track, {entry.place} of {core}" if entry.place else optional)
    for i, number in enumerate(entry.needs):
        yield nodes.Text(", " if i else f" · needs lesson{'s' * (len(entry.needs) > 1)} ")
        link = pending_xref("", refdomain="std", reftype="doc", reftarget=f"/{pages.get(number)}", refexplicit=True)
        link["refdoc"], link["refwarn"] = here, True
        link += nodes.inline("", str(number))
        yield link if number in pages else nodes.Text(str(number))
    yield nodes.Text(f" · {entry.minutes[0]} min, plus {entry.minutes[1]} min for the exercise")


class LessonHead(SphinxTransform):
    """Transform that inserts the head below title and slogan."""

    default_priority = 430

    def apply(self, **kwargs: Any) -> None:
        """Insert the head, if the page is a lesson."""
        number = lesson_number(self.env.docname)
        if number is None:
            return
        section = next(self.document.findall(nodes.section))
        words = nodes.paragraph("", "", *head(number, lesson_docnames(self.env), self.env.docname))
        slogan = len(section) > 1 and isinstance(section[1], nodes.paragraph)
        section.insert(1 + slogan, nodes.container("", words, classes=["lesson-head"]))
        for path in files().values():
            self.env.note_dependency(str(path))


def in_words(numbers: tuple[int, ...]) -> str:
    """Return "9", "9 and 12", "9, 10 and 12"."""
    *before, last = map(str, numbers)
    return f"{', '.join(before)} and {last}" if before else last


def item(lesson: LessonPage) -> str:
    """Return an item of the list, MyST: number, linked question, duration, prerequisites, and below it the slogan."""
    entry = syllabus()[lesson.number]
    hours, minutes = divmod(sum(entry.minutes), 60)
    needs = f", needs {in_words(entry.needs)}" if entry.needs and not entry.place else ""
    core = " [core]{.core-lesson}" if entry.place else ""
    time = f"[{hours} h {minutes:02} min{needs}]{{.lesson-hours}}"
    slogan = f"\n  [{lesson.slogan}]{{.lesson-slogan}}\n" if lesson.slogan else ""
    return f"- [{lesson.number}]{{.lesson-number}} [{lesson.title}](/{lesson.docname}){core} {time}\n{slogan}"


def row(lesson: LessonPage) -> str:
    """Return the row of a lesson in the table, MyST."""
    entry = syllabus()[lesson.number]
    number = f"[{lesson.number}](/{lesson.docname})"
    cells = f"**{number}**" if entry.place else number, entry.after, ", ".join(map(str, entry.needs))
    return f"| {' | '.join(cells)} | {entry.minutes[0]} + {entry.minutes[1]} | {entry.chapter} |"


class Lessons(SphinxDirective):
    """Directive about the lessons of `_toc.yml`."""

    def parse(self, lines: Iterable[str], name: str) -> nodes.container:
        """Return a box of a class with parsed lines."""
        box = nodes.container(classes=[name])
        self.state.nested_parse(StringList("\n".join(lines).splitlines(), self.env.docname), 0, box)
        self.env.note_reread()
        return box


class LessonList(Lessons):
    """Directive that lists the lessons with the titles and slogans of their notebooks."""

    def run(self) -> list[nodes.Node]:
        """Return one box per part."""
        box = nodes.container(classes=["lesson-list"])
        for caption, lessons in lessons_by_part(self.env):
            hours = total_hours(lesson.number for lesson in lessons)
            opening = f"**{caption}** · {hours} hour{'s' * (hours != 1)}, exercises included\n"
            box += self.parse([opening, *map(item, lessons)], "lesson-part")
        return [box]


class LessonPlan(Lessons):
    """Directive that prints goals, prerequisites and minutes of the lessons, those of the core track in bold."""

    def run(self) -> list[nodes.Node]:
        """Return the table."""
        entries = sorted((one for _, part in lessons_by_part(self.env) for one in part), key=lambda one: one.number)
        return [self.parse([f"| {' | '.join(HEAD)} |", "|---" * len(HEAD) + "|", *map(row, entries)], "lesson-plan")]


class Hours(SphinxRole):
    """Role that shows the total hours of the core track."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Return the number.

        Raises:
            ValueError: The text is not `core`.
        """
        if self.text != "core":
            raise ValueError(f"{{hours}}`{self.text}`: must be `core`")
        self.env.note_reread()
        return [nodes.Text(str(total_hours(number for number, entry in syllabus().items() if entry.place)))], []


def setup(app: Sphinx) -> dict[str, Any]:
    """Register all; lessons are numbered after Sphinx's own numbering, which has priority 500."""
    app.add_transform(LessonHead)
    app.add_directive("lesson-list", LessonList)
    app.add_directive("lesson-plan", LessonPlan)
    app.add_role("hours", Hours())
    app.connect("env-get-updated", number_lessons, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
