"""The HTML head of a page: a title that contains the book's name once, and a description for search engines."""

from html import escape
from typing import Any

from docutils import nodes
from offline import words_of
from sphinx.application import Sphinx

LENGTH = 155  # characters that a search engine shows


def description(document: nodes.document) -> str:
    """Return the first sentences of a page, as many words as fit."""
    text = ""
    for paragraph in document.findall(nodes.paragraph):
        if isinstance(paragraph.parent, nodes.section):
            text = f"{text} {words_of(paragraph)}".strip()
        if len(text) > LENGTH:
            break
    words = " ".join(text.split())
    return words if len(words) <= LENGTH else words[:LENGTH].rpartition(" ")[0].rstrip(" ,;:.") + " …"


def describe(app: Sphinx, page: str, template: str, context: dict[str, Any], document: nodes.document | None) -> None:
    """Add the description, and remove the book's name from the title of the page that has it already."""
    if document is not None:
        context["metatags"] += f'\n<meta name="description" content="{escape(description(document))}" />'
    if context.get("title") == context.get("docstitle"):
        context["docstitle"] = ""


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the handler."""
    app.connect("html-page-context", describe)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
