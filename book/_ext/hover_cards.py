"""Cards that say what a link leads to, a word of the glossary, an equation or a claim, before anybody follows it.

A browser lets no page in a folder read another one, so each page brings the cards of its own links along, in templates
that nothing shows until `_static/hover_cards.js` does.
"""

from collections.abc import Iterator
from html import escape
from typing import Any, cast

from claim_domain import ClaimDomain
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

TAGS = {nodes.emphasis: "em", nodes.strong: "strong", nodes.literal: "code"}
Cards = dict[str, str]
"""What the cards say, HTML, by the anchor that a link leads to."""


def html(node: nodes.Node) -> str:
    """Return words and formulas of a node as HTML; links are words."""
    if isinstance(node, nodes.Text):
        return escape(str(node))
    if isinstance(node, nodes.math):
        return rf"\({escape(node.astext())}\)"
    inside = "".join(map(html, node.children))
    tag = TAGS.get(type(node))
    return f"<{tag}>{inside}</{tag}>" if tag else inside


def displayed(formula: str) -> str:
    """Return a formula on a line of its own."""
    return rf'<div class="card-formula">\[{escape(formula)}\]</div>'


def words(document: nodes.document) -> Iterator[tuple[str, str]]:
    """Yield the anchors of the words that a glossary explains, and what it says of them."""
    for item in document.findall(nodes.definition_list_item):
        said = "".join(f"<p>{html(paragraph)}</p>" for paragraph in item.findall(nodes.paragraph))
        for term in item.findall(nodes.term):
            for anchor in term["ids"]:
                yield anchor, f"<p><strong>{html(term.children[0])}</strong></p>{said}"


def equations(document: nodes.document) -> Iterator[tuple[str, str]]:
    """Yield the anchors of a page's equations, and what they say."""
    for block in document.findall(nodes.math_block):
        if block.get("label"):
            yield nodes.make_id(f"equation-{block['label']}"), displayed(block.astext())


def claims(env: BuildEnvironment) -> Iterator[tuple[str, str]]:
    """Yield the anchors of all claims, and what they say."""
    for claim in cast(ClaimDomain, env.get_domain("claim")).claims.values():
        sentence = "".join(map(html, claim.sentence))
        yield claim.anchor, f"<p><strong>Claim {claim.number}.</strong>{sentence}</p>{displayed(claim.formula)}"


def all_cards(env: BuildEnvironment) -> Cards:
    """Return the cards of the whole book."""
    cards = dict(claims(env))
    for page in sorted(env.found_docs):
        document = env.get_doctree(page)
        cards.update(equations(document))
        if page.endswith("glossary"):
            cards.update(words(document))
    return cards


def collect(app: Sphinx, env: BuildEnvironment) -> None:
    """Read the cards once all pages are read."""
    app.course_cards = all_cards(env)  # type: ignore[attr-defined]


def bring(app: Sphinx, page: str, template: str, context: dict[str, Any], document: nodes.document | None) -> None:
    """Put the cards of a page's links at its end."""
    if document is None or page.endswith("glossary"):
        return
    cards: Cards = app.course_cards  # type: ignore[attr-defined]
    links = (link.get("refuri", "").rpartition("#")[2] or link.get("refid", "") for link in _links(document))
    needed = [anchor for anchor in dict.fromkeys(links) if anchor in cards]
    context["body"] += "".join(f'<template data-card="{anchor}">{cards[anchor]}</template>\n' for anchor in needed)


def _links(document: nodes.document) -> Iterator[nodes.reference]:
    return (link for link in document.findall(nodes.reference) if link.get("internal") or "refid" in link)


def setup(app: Sphinx) -> dict[str, Any]:
    """Listen for the end of reading, and for pages that are about to be written."""
    app.connect("env-updated", collect)
    app.connect("html-page-context", bring)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
