"""Claims on the page: a box and an anchor for each, and a link from every "claim 9.3" in the prose.

A claim is read from the stored output of its cell. It becomes a box with the anchor `claim-9-3`, a label as those that
authors set; its cell gets the anchor `proof-9-3`. The lines of its proof are below the box, and above the code in the
cell's fold if there is one. These are warnings, which fail the build: a duplicate number, a number of another lesson,
and a reference to an unknown claim.
"""

import re
from itertools import takewhile
from typing import Any, cast

from docutils import nodes
from lesson_pages import lesson_number
from myst_nb.sphinx_ import HideCodeCellNode
from prose import is_prose, join_texts, replace_text
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.domains.std import StandardDomain
from sphinx.transforms import SphinxTransform
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging

LOG = logging.getLogger(__name__)
HEAD = re.compile(r"Claim (\d+)\.(\d+)\.")
MARK = "✓ proven"
LINES = "proof-lines"
PARTS = ("claim-sentence", "claim-formula", "claim-proven", "claim-scope")
NUMBER = r"\d{1,2}\.\d{1,2}(?!\d)"
NAMED = re.compile(rf"\b[Cc]laims?\s+{NUMBER}(?:(?:,\s+(?:and\s+|or\s+)?|\s+(?:and|or|to)\s+){NUMBER})*")
ONE = re.compile(rf"(?:\b[Cc]laim\s+)?{NUMBER}")


def stored_claim(output: nodes.container) -> tuple[str, str] | None:
    """Return lesson and number of the claim in an output; None without a claim."""
    parts = list(takewhile(lambda node: not isinstance(node, nodes.raw), output.children))
    if len(parts) not in (3, 4) or not isinstance(parts[1], nodes.math_block) or parts[2].astext() != MARK:
        return None
    strong = next(parts[0].findall(nodes.strong), None)
    head = HEAD.fullmatch(strong.astext()) if strong is not None else None
    return (head[1], head[2]) if head else None


def lines_below(output: nodes.container) -> list[nodes.Node]:
    """Remove the nodes between `<details>` and `</details>` from an output, and return them as a container."""
    ends = [place for place, node in enumerate(output.children) if isinstance(node, nodes.raw)]
    if len(ends) != 2:
        return []
    lines = output.children[ends[0] + 1 : ends[1]]
    output.children = output.children[: ends[0]]
    return [nodes.container("", *lines, classes=[LINES])]


class FrameClaims(SphinxTransform):
    """Transform that puts each claim in a box with an anchor, and records it."""

    default_priority = 400

    def apply(self, **kwargs: Any) -> None:
        """Process the Markdown outputs of every cell."""
        for cell in list(self.document.findall(nodes.container)):
            if cell.get("nb_element") == "cell_code":
                for output in list(cell.findall(nodes.container)):
                    if output.get("mime_type") == "text/markdown" and (stored := stored_claim(output)):
                        self.frame(cell, output, *stored)

    def frame(self, cell: nodes.container, output: nodes.container, lesson: str, count: str) -> None:
        """Put the claim of an output in a box."""
        lines, anchor, page = lines_below(output), f"claim-{lesson}-{count}", self.env.docname
        claims = cast(StandardDomain, self.env.get_domain("std")).anonlabels
        if anchor in claims:
            LOG.warning("claim %s.%s is proven twice, first in %s", lesson, count, claims[anchor][0], location=output)
        own = lesson_number(page)
        if own != int(lesson):
            expected = "only lessons prove claims" if own is None else f"those of this lesson begin with {own}."
            LOG.warning("claim %s.%s has the number of another lesson; %s", lesson, count, expected, location=output)
        claims[anchor] = page, anchor
        for part, name in zip(output.children, PARTS, strict=False):
            part["classes"].append(name)
        box = nodes.container("", *output.children, classes=["claim"], ids=[anchor])
        output.children = []
        output += [box, *lines]
        cell["ids"].append(f"proof-{lesson}-{count}")


class LinkClaims(SphinxTransform):
    """Transform that links every "claim 9.3" in the prose."""

    default_priority = 410

    def apply(self, **kwargs: Any) -> None:
        """Process all prose text."""
        join_texts(self.document)
        for text in list(self.document.findall(nodes.Text)):
            mentions = [one for named in NAMED.finditer(text) for one in ONE.finditer(text, *named.span())]
            if mentions and is_prose(text):
                replace_text(text, [(*one.span(), self.link(one[0])) for one in mentions])

    def link(self, words: str) -> pending_xref:
        """Return the link of one claim, whose words stay on one line."""
        target = f"claim-{words.split()[-1].replace('.', '-')}"
        link: pending_xref = pending_xref(
            "", refdomain="std", reftype="ref", reftarget=target, refexplicit=True, refwarn=True
        )
        link["refdoc"] = self.env.docname
        link += nodes.inline("", re.sub(r"\s+", "\N{NO-BREAK SPACE}", words))
        return link


class LinesIntoFold(SphinxPostTransform):
    """Transform that moves the lines of each proof, with its anchor, into the fold of its cell: a link opens it."""

    default_priority = 210  # after MyST-NB's transform that creates the fold
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        """Process all folds."""
        for fold in list(self.document.findall(HideCodeCellNode)):
            cell = fold.parent
            for lines in [node for node in cell.findall(nodes.container) if LINES in node["classes"]]:
                lines.parent.remove(lines)
                lines["ids"], cell["ids"] = cell["ids"], []
                fold.insert(0, lines)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the transforms."""
    app.add_transform(FrameClaims)
    app.add_transform(LinkClaims)
    app.add_post_transform(LinesIntoFold)
    return {"version": "2", "parallel_read_safe": True, "parallel_write_safe": True}
