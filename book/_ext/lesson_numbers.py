"""Number a lesson, its equations and figures by the number in its file name; mark the core track in the sidebar.

Sphinx would count the pages that happen to be in the book; lesson 11 must be lesson 11 and its
first equation (11.1) even while 09 and 10 are not written.
"""

import re
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.environment.collectors.toctree import TocTreeCollector
from syllabus import syllabus

LESSON = re.compile(r"notebooks/(\d\d)_\w+")
CORE = "core-lesson"


def number_lesson(env: BuildEnvironment, docname: str, number: int) -> None:
    """Assign the page its number, and to the headings inside it an empty one, which is not printed."""
    references = list(env.tocs[docname].findall(nodes.reference))
    env.toc_secnumbers[docname] = {ref["anchorname"]: () for ref in references} | {"": (number,)}
    references[0]["secnumber"] = env.titles[docname]["secnumber"] = (number,)
    marked = any(CORE in part["classes"] for part in references[0].findall(nodes.inline))
    if syllabus()[number].place and not marked:
        references[0] += [nodes.Text(" "), nodes.inline("", "core", classes=[CORE])]


def number_lessons(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Number all lessons, recount equations and figures, and return the pages to write again."""
    lessons = {name: int(match[1]) for name in env.found_docs if (match := LESSON.fullmatch(name))}
    for docname, number in lessons.items():
        number_lesson(env, docname, number)
    return sorted({*lessons, *TocTreeCollector().assign_figure_numbers(env)})


def setup(app: Sphinx) -> dict[str, Any]:
    """Run after Sphinx's own numbering, which listens to the same event with priority 500."""
    app.connect("env-get-updated", number_lessons, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
