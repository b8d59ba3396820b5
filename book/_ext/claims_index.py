"""The directive `{claims-index}`: every claim by lesson, linked to its place above its proof.

The claims of a lesson are in a fold, whose formulas `claims_index.js` typesets when it is opened.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.statemachine import StringList
from lesson_pages import LessonPage, lessons_by_part
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from lessons_lib.claims.statement import FORMULAS

CLAIM = re.compile(r"(\*\*Claim (\d+)\.(\d+)\.\*\* .*?)\n\n✓ \*proven\*((?:\n\n(?!<).*)?)", re.DOTALL)
Number = tuple[int, int]


def stored_claims(notebook: Path) -> Iterator[tuple[Number, str, list[str]]]:
    """Yield the claims stored in a notebook: number, text without its proof (MyST), and formulas."""
    for cell in json.loads(notebook.read_text("utf-8"))["cells"]:
        for data in (output.get("data", {}) for output in cell.get("outputs", ())):
            if claim := CLAIM.match("".join(data.get("text/markdown", "")).partition("\n\n<details>")[0]):
                number = int(claim[2]), int(claim[3])
                yield number, claim[1] + claim[4], "".join(data.get(FORMULAS, "")).split()


class ClaimsIndex(SphinxDirective):
    """Directive that creates a section per lesson."""

    def run(self) -> list[nodes.Node]:
        """Return the sections."""
        self.env.note_reread()
        lessons = (lesson for _, part in lessons_by_part(self.env) for lesson in part)
        address = "../" * self.env.docname.count("/") + "_static/claims_index.js"
        script = nodes.raw("", f'<script src="{address}"></script>', format="html")  # it runs before MathJax starts
        return [*map(self.section, sorted(lessons, key=lambda lesson: lesson.number)), script]

    def section(self, lesson: LessonPage) -> nodes.section:
        """Return the section of one lesson, with the claims in a fold."""
        heading = nodes.paragraph()
        self.state.nested_parse(StringList([lesson.title], self.env.docname), 0, heading)
        title = nodes.title("", "", nodes.Text(f"{lesson.number}. "), *heading.children[0].children)
        section = nodes.section("", title, ids=[f"claims-of-lesson-{lesson.number}"], names=[])
        texts = {number: text for number, text, _ in stored_claims(Path(self.env.doc2path(lesson.docname)))}
        if not texts:
            section += nodes.paragraph("", "This lesson states no numbered claim.")
            return section
        claims = nodes.container(classes=["claims-list"])
        lines = "\n\n".join(text for _, text in sorted(texts.items())).splitlines()
        self.state.nested_parse(StringList(lines, self.env.docname), 0, claims)
        count = f"{len(texts)} claim{'s' if len(texts) > 1 else ''}"
        opening = f'<details class="deeper claims-fold"><summary>{count}</summary>'
        section += [nodes.raw("", opening, format="html"), claims, nodes.raw("", "</details>", format="html")]
        return section


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive."""
    app.add_directive("claims-index", ClaimsIndex)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
