"""The directive `{claims-index}`: every claim by lesson, linked to its place above its proof.

The claims of a lesson are in a fold, whose formulas `claims_index.js` typesets when it is opened.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from claim_domain import ClaimDomain, ProvenClaim
from docutils import nodes
from docutils.statemachine import StringList
from lesson_pages import LessonPage, lessons_by_part
from sphinx.application import Sphinx
from sphinx.builders import Builder
from sphinx.util.docutils import SphinxDirective
from sphinx.util.nodes import make_refnode

HEAD = ("Claim", "What it says")
SCRIPT = "claims_index.js"


class ClaimsTable(nodes.General, nodes.Element):  # type: ignore[misc]
    """Placeholder for the table of one lesson until all pages are read."""


class ClaimsIndex(SphinxDirective):
    """Directive that creates a section per lesson; the tables are filled in when all claims are known."""

    def run(self) -> list[nodes.Node]:
        """Return the sections."""
        self.env.note_reread()
        lessons = (lesson for _, part in lessons_by_part(self.env) for lesson in part)
        address = "../" * self.env.docname.count("/") + f"_static/{SCRIPT}"
        script = html(f'<script src="{address}"></script>')  # here it runs before MathJax starts
        return [*map(self.section, sorted(lessons, key=lambda lesson: lesson.number)), script]

    def section(self, lesson: LessonPage) -> nodes.section:
        """Return the section of one lesson, with its title parsed and its table empty."""
        heading = nodes.paragraph()
        self.state.nested_parse(StringList([lesson.title], self.env.docname), 0, heading)
        words = heading.children[0].children
        title = nodes.title("", "", nodes.Text(f"{lesson.number}. "), *words)
        section = nodes.section("", title, ids=[f"claims-of-lesson-{lesson.number}"], names=[])
        section += ClaimsTable("", lesson=lesson.docname)
        return section


def html(text: str) -> nodes.raw:
    """Return raw HTML."""
    return nodes.raw("", text, format="html")


def row(cells: Iterable[Iterable[nodes.Node]]) -> nodes.row:
    """Return one line of a table."""
    return nodes.row("", *(nodes.entry("", *cell) for cell in cells))


def paragraph(*content: nodes.Node) -> nodes.paragraph:
    """Return a paragraph."""
    return nodes.paragraph("", "", *content)


@dataclass(frozen=True)
class Tables:
    """Writer of the tables of one page.

    Attributes:
        builder: Builder that resolves the links.
        page: Page with the tables.
        domain: The claims.
    """

    builder: Builder
    page: str
    domain: ClaimDomain

    def link(self, claim: ProvenClaim) -> nodes.paragraph:
        """Return a link to the claim, whose proof is below it."""
        return paragraph(make_refnode(self.builder, self.page, claim.docname, claim.anchor, nodes.Text(claim.number)))

    def line(self, claim: ProvenClaim) -> nodes.row:
        """Return the row of one claim."""
        says: list[nodes.Node] = [paragraph(*(node.deepcopy() for node in claim.sentence))]
        says.append(nodes.math_block(claim.formula, claim.formula, nowrap=False, number=None, label=None))
        if claim.scope:
            scope = paragraph(*(node.deepcopy() for node in claim.scope))
            scope["classes"].append("claim-scope")
            says.append(scope)
        return row([[self.link(claim)], says])

    def fold(self, lesson: str) -> list[nodes.Node]:
        """Return the fold with the table of one lesson."""
        claims = self.domain.of_page(lesson)
        if not claims:
            return [paragraph(nodes.Text("This lesson states no numbered claim."))]
        group = nodes.tgroup("", *(nodes.colspec(colwidth=width) for width in (10, 90)), cols=len(HEAD))
        group += nodes.thead("", row([paragraph(nodes.Text(words))] for words in HEAD))
        group += nodes.tbody("", *map(self.line, claims))
        count = f"{len(claims)} claim{'s' if len(claims) > 1 else ''}"
        opening = html(f'<details class="deeper claims-fold"><summary>{count}</summary>')
        return [opening, nodes.table("", group, classes=["claims-table"]), html("</details>")]


def fill_tables(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Insert the tables, and load MathJax if they contain formulas."""
    places = list(doctree.findall(ClaimsTable))
    if not places:
        return
    domain = app.env.get_domain("claim")
    assert isinstance(domain, ClaimDomain)
    tables = Tables(app.builder, docname, domain)
    for place in places:
        place.replace_self(tables.fold(place["lesson"]))
    app.env.get_domain("math").data["has_equations"][docname] = True


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive."""
    app.add_node(ClaimsTable)
    app.add_directive("claims-index", ClaimsIndex)
    app.connect("doctree-resolved", fill_tables)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
