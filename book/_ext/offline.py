"""Make formulas and search summaries work in a book opened from a folder, and contact no other host.

`sphinx-mathjax-offline` carries MathJax 3 but copies all 37 MB of it. The pages only need one combined component
and its fonts. For a summary, Sphinx fetches every result page, which a browser does not allow in a folder. Here the
search page loads the prose of all pages, by section, as a script, which `search_sections.js` uses. Inline formulas
appear as LaTeX without braces; display formulas and code are omitted.
"""

import json
import re
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.fileutil import copy_asset

COMPONENT = "tex-chtml-full.js"
FONTS = "output/chtml/fonts/woff-v2"
SCRIPT = "page_texts.js"
USED_BY = "search_sections.js"
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


def section_of(node: nodes.Node) -> str:
    """Return the first identifier of the section that contains a node."""
    place: nodes.Node | None = node
    while place is not None and not isinstance(place, nodes.section):
        place = place.parent
    return str(place["ids"][0]) if place is not None else ""


def prose(document: nodes.document) -> list[tuple[str, str]]:
    """Return titles, paragraphs and captions of each section of a page as one line, by the section's identifier."""
    kinds = (nodes.title, nodes.term, nodes.paragraph, nodes.caption)
    parts: dict[str, list[str]] = {}
    for node in document.findall(lambda node: isinstance(node, kinds)):
        parts.setdefault(section_of(node), []).append(words_of(node))
    return [(section, " ".join(" ".join(lines).split())) for section, lines in parts.items()]


def load_texts(app: Sphinx, pagename: str, *_: Any) -> None:
    """Load the texts on the search page, between the search tools and the search."""
    if pagename == "search":
        app.add_js_file(SCRIPT, defer="defer")
        app.add_js_file(USED_BY, defer="defer")


def write_files(app: Sphinx, error: Exception | None) -> None:
    """Write the texts, the component and its fonts beside the built pages."""
    if error is not None or app.builder.format != "html":
        return
    static = Path(app.outdir) / "_static"
    texts = {docname: prose(app.env.get_doctree(docname)) for docname in sorted(app.env.found_docs)}
    (static / SCRIPT).write_text(f"window.pageTexts = {json.dumps(texts, ensure_ascii=False)};\n", encoding="utf8")
    source = str(distribution("sphinx-mathjax-offline").locate_file("sphinx-mathjax-offline/static/mathjax"))
    copy_asset(f"{source}/{COMPONENT}", str(static / "mathjax"))
    copy_asset(f"{source}/{FONTS}", str(static / "mathjax" / FONTS))


def setup(app: Sphinx) -> dict[str, Any]:
    """Use the local copy of MathJax, and register the handlers."""
    app.config.mathjax_path = f"mathjax/{COMPONENT}"
    app.connect("html-page-context", load_texts)
    app.connect("build-finished", write_files)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
