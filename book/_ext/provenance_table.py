"""The directive `{provenance}`: what runs in the solver, found by running it, and where each part of it came from.

`{provenance} derived` prints the functions that formulas were printed to, `{provenance} by-hand` the files of text for
the compiler, `{provenance} around` the files of Python that call all this. What lacks an account fails the build.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

from claims_index import paragraph, row
from docutils import nodes
from lesson_pages import LESSON
from provenance.accounts import Derived, Formula, Table, Text, table
from provenance.entries import ENTRIES
from provenance.runs import running
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

LOG = logging.getLogger(__name__)
MOST_CLAIMS = 6
"""So many claims of a formula are named."""


@cache
def found() -> Table:
    """Return the table, found once a build: it takes another process some seconds."""
    return table(running())


class Provenance(SphinxDirective):
    """Prints one of the three tables."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the table."""
        self.env.note_reread()
        rows, kind = found(), self.arguments[0]
        if kind == "derived":
            for fault in rows.faults:
                LOG.warning("%s", fault, location=self.get_location())
            return [listed(("Function", "Derived by", "Runs in"), (44, 40, 16), map(self.derived, rows.derived))]
        if kind == "by-hand":
            return [listed(("Text", "Why by hand, held by", "Runs in"), (44, 40, 16), map(by_hand, rows.by_hand))]
        if kind == "around":
            return [listed(("File", "Runs in"), (84, 16), map(around, rows.around))]
        raise self.error(f"there is no table {kind!r}; there are derived, by-hand and around")

    def derived(self, function: Derived) -> nodes.row:
        """Return the line of a function that was derived."""
        about = [code(function.name, "name"), said(function.says)]
        if len(function.digests) == 1:
            about.append(quiet("expression ", nodes.literal("", function.digests[0])))
        elif function.digests:
            about.append(quiet(f"{len(function.digests)} expressions, for methods of different kinds"))
        elif function.file is not None:
            about.append(quiet("in text of ", nodes.literal("", function.file.path)))
        lines = [line for formula in function.formulas for line in self.formula(formula)]
        return row([about, lines, [entries(function.entries)]])

    def formula(self, formula: Formula) -> Iterable[nodes.Node]:
        """Yield the name of a formula, and the claims about it or the tests of it."""
        yield code(formula.name, "name")
        if not formula.claims:
            yield quiet("tried in ", *separated(nodes.literal("", Path(test).name) for test in formula.tests))
            return
        shown, more = formula.claims[:MOST_CLAIMS], len(formula.claims) - MOST_CLAIMS
        links = separated(self.claim(number) for number in shown)
        rest = [nodes.Text(f" and {more} more")] if more > 0 else []
        lesson = int(shown[0].split(".")[0])
        yield quiet("lesson ", self.lesson(lesson), ", claim " if len(shown) == 1 else ", claims ", *links, *rest)

    def claim(self, number: str) -> pending_xref:
        """Return the link of a claim."""
        content = nodes.inline("", number, classes=["claim-link"])
        about = {"refdomain": "claim", "reftype": "ref", "reftarget": number, "refwarn": True}
        return pending_xref("", content, refdoc=self.env.docname, **about)

    def lesson(self, number: int) -> nodes.Node:
        """Return the link of a lesson, or its number where it is not in the book."""
        for page in sorted(self.env.found_docs):
            match = LESSON.fullmatch(page)
            if match and int(match[1]) == number:
                words = nodes.inline("", str(number))
                about = {"refdomain": "std", "reftype": "doc", "reftarget": f"/{page}", "refexplicit": True}
                return pending_xref("", words, refdoc=self.env.docname, refwarn=True, **about)
        return nodes.Text(str(number))


def by_hand(text: Text) -> nodes.row:
    """Return the line of a file of text for the compiler."""
    functions = separated(nodes.literal("", name) for name in text.functions)
    about = [code(text.file.path, "name"), said(text.file.says), quiet(*functions)]
    tests = separated(nodes.literal("", test.removeprefix("tests/")) for test in text.file.tests)
    why = text.file.reason[:1].upper() + text.file.reason[1:]
    return row([about, [said(f"{why}."), quiet(*tests)], [entries(text.entries)]])


def around(python: Text) -> nodes.row:
    """Return the line of a file of Python."""
    return row([[code(python.file.path, "name"), said(python.file.says)], [entries(python.entries)]])


def listed(head: Sequence[str], widths: Sequence[int], rows: Iterable[nodes.row]) -> nodes.table:
    """Return a table with these rows."""
    group = nodes.tgroup("", *(nodes.colspec(colwidth=width) for width in widths), cols=len(head))
    group += nodes.thead("", row([paragraph(nodes.Text(words))] for words in head))
    group += nodes.tbody("", *rows)
    return nodes.table("", group, classes=["provenance-table"])


def entries(names: Sequence[str]) -> nodes.paragraph:
    """Return the entries that run something, a line each; all four are said in two words."""
    if len(names) == len(ENTRIES):
        return nodes.paragraph("", "", nodes.Text("all four"), classes=["entries"])
    return nodes.paragraph("", "", *separated(nodes.literal("", name) for name in names), classes=["entries"])


def separated(parts: Iterable[nodes.Node]) -> list[nodes.Node]:
    """Return nodes with commas between them."""
    return [node for part in parts for node in (part, nodes.Text(", "))][:-1]


def code(name: str, *classes: str) -> nodes.paragraph:
    """Return a name as code, alone in its line."""
    return nodes.paragraph("", "", nodes.literal("", name), classes=list(classes))


def said(words: str) -> nodes.paragraph:
    """Return words as they are; nothing where there are none."""
    return nodes.paragraph("", "", nodes.Text(words))


def quiet(*parts: str | nodes.Node) -> nodes.paragraph:
    """Return a line of less weight."""
    content = [nodes.Text(part) if isinstance(part, str) else part for part in parts]
    return nodes.paragraph("", "", *content, classes=["quiet"])


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directive."""
    app.add_directive("provenance", Provenance)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
