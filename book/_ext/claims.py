"""Claims on the page: a box and an anchor for each, and a link from every "claim 9.3" in the prose.

A claim is read from the stored output of its cell. It becomes a box with the anchor `claim-9-3`; its cell gets the
anchor `proof-9-3`. The lines of its proof are below the box, and in the fold of the cell's code if there is one
(`proof_fold`). These are warnings, which fail the build: a duplicate number, a number of another lesson, and a
reference to an unknown claim.
"""

import re
from collections.abc import Iterator
from itertools import takewhile
from typing import Any

from claim_domain import ClaimDomain, ProvenClaim
from docutils import nodes
from proof_fold import lines_below
from prose import is_prose, join_texts, replace_text
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

HEAD = re.compile(r"Claim (\d+\.\d+)\.")
MARK = "✓ proven"
PARTS = ("claim-sentence", "claim-formula", "claim-proven", "claim-scope")
NUMBER = r"\d{1,2}\.\d{1,2}(?!\d)"
NAMED = re.compile(rf"\b[Cc]laims?\s+{NUMBER}(?:(?:,\s+(?:and\s+|or\s+)?|\s+(?:and|or|to)\s+){NUMBER})*")
ONE = re.compile(rf"(?:\b[Cc]laim\s+)?{NUMBER}")


def stored_claim(output: nodes.container) -> tuple[str, list[nodes.Node], str, list[nodes.Node]] | None:
    """Return number, sentence, formula and scope of the claim in an output; None without a claim."""
    parts = list(takewhile(lambda node: not isinstance(node, nodes.raw), output.children))
    if (
        len(parts) not in (3, 4)
        or not isinstance(parts[0], nodes.paragraph)
        or not isinstance(parts[1], nodes.math_block)
    ):
        return None
    strong = next(parts[0].findall(nodes.strong), None)
    head = HEAD.fullmatch(strong.astext()) if strong is not None else None
    if strong is None or head is None or parts[2].astext() != MARK:
        return None
    sentence = parts[0].children[parts[0].index(strong) + 1 :]
    return head[1], sentence, parts[1].astext().strip(), parts[3].children if len(parts) == 4 else []


def outputs_of(cell: nodes.container) -> Iterator[nodes.container]:
    """Yield the Markdown outputs of a cell."""
    for output in cell.findall(nodes.container):
        if output.get("mime_type") == "text/markdown":
            yield output


class FrameClaims(SphinxTransform):
    """Transform that puts each claim in a box with an anchor, and records it."""

    default_priority = 400

    def apply(self, **kwargs: Any) -> None:
        """Process the outputs of every cell."""
        for cell in list(self.document.findall(nodes.container)):
            if cell.get("nb_element") == "cell_code":
                for output in list(outputs_of(cell)):
                    self.frame(cell, output)

    def frame(self, cell: nodes.container, output: nodes.container) -> None:
        """Put the claim of an output in a box, if there is one."""
        stored = stored_claim(output)
        if stored is None:
            return
        lines = lines_below(output)
        number, sentence, formula, scope = stored
        words, extent = ([node.deepcopy() for node in part] for part in (sentence, scope))
        claim = ProvenClaim(number, self.env.docname, words, formula, extent)
        domain = self.env.get_domain("claim")
        assert isinstance(domain, ClaimDomain)
        domain.note(claim, location=output)
        for part, name in zip(output.children, PARTS, strict=False):
            part["classes"].append(name)
        box = nodes.container("", *output.children, classes=["claim"], ids=[claim.anchor])
        output.children = []
        output += [box, *lines]
        cell["ids"].append(claim.proof)


class LinkClaims(SphinxTransform):
    """Transform that links every "claim 9.3" in the prose."""

    default_priority = 410

    def apply(self, **kwargs: Any) -> None:
        """Process all prose text."""
        join_texts(self.document)
        for text in list(self.document.findall(nodes.Text)):
            matches = [one for named in NAMED.finditer(text) for one in ONE.finditer(text, *named.span())]
            if matches and is_prose(text):
                replace_text(text, [(*one.span(), self.link(one[0])) for one in matches])

    def link(self, words: str) -> pending_xref:
        """Return the link of one claim, whose words stay on one line."""
        content = nodes.inline("", re.sub(r"\s+", "\N{NO-BREAK SPACE}", words), classes=["claim-link"])
        number = words.split()[-1]
        return pending_xref(
            "", content, refdomain="claim", reftype="ref", reftarget=number, refdoc=self.env.docname, refwarn=True
        )


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the domain and its transforms."""
    app.add_domain(ClaimDomain)
    app.add_transform(FrameClaims)
    app.add_transform(LinkClaims)
    return {"version": "1", "env_version": 1, "parallel_read_safe": True, "parallel_write_safe": True}
