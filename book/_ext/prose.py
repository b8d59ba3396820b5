"""Recognize prose on a page, and turn words of it into links."""

from collections.abc import Iterable, Iterator

from docutils import nodes
from sphinx.addnodes import pending_xref

NOT_PROSE = (
    nodes.title,
    nodes.reference,
    pending_xref,
    nodes.literal,
    nodes.literal_block,
    nodes.math,
    nodes.math_block,
    nodes.raw,
)
BOXES = {"claim", "lesson-list", "predict"}


def ancestors(node: nodes.Node) -> Iterator[nodes.Element]:
    """Yield the ancestors of a node, the nearest first."""
    parent = node.parent
    while parent is not None:
        yield parent
        parent = parent.parent


def is_prose(text: nodes.Text) -> bool:
    """Return whether text is prose: no heading, link, code, formula, claim, question, or part of a figure."""
    return not any(isinstance(node, NOT_PROSE) or BOXES & set(node.get("classes", [])) for node in ancestors(text))


def join_texts(document: nodes.document) -> None:
    """Join neighbouring texts, which MyST splits at line ends."""
    for paragraph in list(document.findall(nodes.TextElement)):
        joined: list[nodes.Node] = []
        for child in paragraph.children:
            if joined and isinstance(child, nodes.Text) and isinstance(joined[-1], nodes.Text):
                joined[-1] = nodes.Text(str(joined[-1]) + str(child))
            else:
                joined.append(child)
        if len(joined) < len(paragraph.children):
            paragraph.children = []
            paragraph.extend(joined)


def replace_text(text: nodes.Text, links: Iterable[tuple[int, int, nodes.Node]]) -> None:
    """Replace parts of a text, each given by its start and end, with links."""
    words, pieces, done = str(text), list[nodes.Node](), 0
    for start, end, link in links:
        pieces += [nodes.Text(words[done:start])] * (start > done) + [link]
        done = end
    pieces += [nodes.Text(words[done:])] * (done < len(words))
    text.parent.replace(text, pieces)
