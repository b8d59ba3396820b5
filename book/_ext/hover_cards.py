"""Cards that preview a link's target: a glossary word, an equation or a claim.

A browser does not let a page opened from a folder read another page, so each page contains the cards of its links, in
templates that `_static/hover_cards.js` shows.
"""

from collections.abc import Iterator
from html import escape
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

TAGS = {nodes.emphasis: "em", nodes.strong: "strong", nodes.literal: "code"}
Cards = dict[str, str]
"""Contents of the cards, HTML, by anchor of the target."""


def html(node: nodes.Node) -> str:
    """Return text and formulas of a node as HTML, with links as plain text."""
    if isinstance(node, nodes.Text):
        return escape(str(node))
    if isinstance(node, nodes.math):
        return rf"\({escape(node.astext())}\)"
    inside = "".join(map(html, node.children))
    tag = TAGS.get(type(node))
    return f"<{tag}>{inside}</{tag}>" if tag else inside


def display_formula(formula: str) -> str:
    """Return a formula in display style."""
    return rf'<div class="card-formula">\[{escape(formula)}\]</div>'


def words(document: nodes.document) -> Iterator[tuple[str, str]]:
    """Yield anchors and definitions of the glossary's words."""
    for item in document.findall(nodes.definition_list_item):
        text = "".join(f"<p>{html(paragraph)}</p>" for paragraph in item.findall(nodes.paragraph))
        for term in item.findall(nodes.term):
            for anchor in term["ids"]:
                yield anchor, f"<p><strong>{html(term.children[0])}</strong></p>{text}"


def equations(document: nodes.document) -> Iterator[tuple[str, str]]:
    """Yield anchors and contents of a page's equations."""
    for block in document.findall(nodes.math_block):
        if block.get("label"):
            yield nodes.make_id(f"equation-{block['label']}"), display_formula(block.astext())


def claims(document: nodes.document) -> Iterator[tuple[str, str]]:
    """Yield anchors and contents of a page's claims."""
    for box in document.findall(nodes.container):
        if "claim" in box["classes"]:
            sentence, formula, *_ = box.children
            yield box["ids"][0], f"<p>{html(sentence)}</p>{display_formula(formula.astext().strip())}"


def all_cards(env: BuildEnvironment) -> Cards:
    """Return the cards of the whole book."""
    cards: Cards = {}
    for page in sorted(env.found_docs):
        document = env.get_doctree(page)
        cards.update([*equations(document), *claims(document)])
        if page.endswith("glossary"):
            cards.update(words(document))
    return cards


def collect(app: Sphinx, env: BuildEnvironment) -> None:
    """Collect the cards when all pages are read."""
    app.course_cards = all_cards(env)  # type: ignore[attr-defined]


def bring(app: Sphinx, page: str, template: str, context: dict[str, Any], document: nodes.document | None) -> None:
    """Append the cards of a page's links."""
    if document is None or page.endswith("glossary"):
        return
    cards: Cards = app.course_cards  # type: ignore[attr-defined]
    links = (link.get("refuri", "").rpartition("#")[2] or link.get("refid", "") for link in _links(document))
    needed = [anchor for anchor in dict.fromkeys(links) if anchor in cards]
    context["body"] += "".join(f'<template data-card="{anchor}">{cards[anchor]}</template>\n' for anchor in needed)


def _links(document: nodes.document) -> Iterator[nodes.reference]:
    return (link for link in document.findall(nodes.reference) if link.get("internal") or "refid" in link)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the handlers."""
    app.connect("env-updated", collect)
    app.connect("html-page-context", bring)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
