"""Names that a screen reader says for what the theme leaves without one, or names otherwise than it looks."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

ARROW = re.compile(r'(<a class="[^"]*reference internal" href="[^"]*">((?:(?!</a>).)*)</a><details[^>]*>)<summary>')
"""The arrow that opens the pages below one in the contents: it has no text."""

MISLED = re.compile(r'(<summary|<button class="btn search-button-field[^>]*?) aria-label="[^"]*"')
"""A fold, or the field for searching: its label hides the words that stand on it."""

MODE = re.compile(r'(<button class="[^"]*theme-switch-button[^"]*") aria-label="([^"]*)"([^>]*>)')
"""The switch between light and dark, whose name belongs into it, beside its picture."""

LIST = '<div role="list" class="citation-list">'
"""The bibliography, whose parts say that they are its entries, and none that it is in a list."""


def spoken(page: str) -> str:
    """Return a page whose arrows have names, and whose folds have the name that can be read."""
    page = MISLED.sub(r"\1", page)
    page = MODE.sub(r'\1\3<span class="visually-hidden">\2</span>', page)
    page = page.replace(LIST, LIST.replace(' role="list"', ""))
    return ARROW.sub(lambda m: f'{m[1]}<summary aria-label="{_words(m[2])}: pages below">', page)


def _words(html: str) -> str:
    return re.sub(r"<[^>]*>", "", html).replace('"', "&quot;").strip()


def name_all(app: Sphinx, error: Exception | None) -> None:
    """Write the names into every page."""
    if error is not None or app.builder.format != "html":
        return
    for path in Path(app.outdir).rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        named = spoken(text)
        if named != text:
            path.write_text(named, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    """Look at the pages when all are written."""
    app.connect("build-finished", name_all)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
