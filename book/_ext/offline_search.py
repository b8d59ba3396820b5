"""Make search summaries work in a book opened from a folder, where a browser lets no page read another one.

Sphinx fetches every result page and extracts a summary. Here the search page loads the prose of all pages as a script,
and summaries are extracted from it. Inline formulas appear as LaTeX without braces; display formulas and code are
omitted.
"""

import json
import re
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

SCRIPT = "page_texts.js"
USE = """{
  const texts = %s;
  const root = document.documentElement.dataset.content_root;
  const nameOf = (address) => address.slice(root.length).replace(/\\.html$/, "");
  window.fetch = async (address) => ({ text: async () => texts[nameOf(address)] ?? "" });
  Search.htmlToText = (text) => text;
}
"""
LEFT_OUT = (nodes.math_block, nodes.raw, nodes.comment)
NUMBERS = ("eq", "numref")  # references without text before the page is written


def words_of(node: nodes.Node) -> str:
    """Return the text of a node, with formulas as text."""
    if isinstance(node, nodes.Text):
        return str(node)
    if isinstance(node, nodes.math):
        return re.sub(r"\\(?:math|text|operatorname)\w*|[\\{}]", "", node.astext())
    if isinstance(node, LEFT_OUT) or node.get("reftype") in NUMBERS:
        return ""
    return "".join(map(words_of, node.children))


def prose(document: nodes.document) -> str:
    """Return titles, paragraphs and captions of a page as one line."""
    kinds = (nodes.title, nodes.term, nodes.paragraph, nodes.caption)
    parts = [words_of(node) for node in document.findall(lambda node: isinstance(node, kinds))]
    return " ".join(" ".join(parts).split())


def load_texts(app: Sphinx, pagename: str, *_: Any) -> None:
    """Load the texts on the search page, between the search tools and the search."""
    if pagename == "search":
        app.add_js_file(SCRIPT, defer="defer")


def write_texts(app: Sphinx, error: Exception | None) -> None:
    """Write the texts beside the built pages."""
    if error is not None or app.builder.format != "html":
        return
    texts = {docname: prose(app.env.get_doctree(docname)) for docname in sorted(app.env.found_docs)}
    target = Path(app.outdir) / "_static" / SCRIPT
    target.write_text(USE % json.dumps(texts, ensure_ascii=False), encoding="utf8")


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the handlers."""
    app.connect("html-page-context", load_texts)
    app.connect("build-finished", write_texts)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
