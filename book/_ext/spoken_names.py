"""Accessible names for elements that the theme leaves without one, or whose name differs from the visible text."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

ARROW = re.compile(r'(<a class="[^"]*reference internal" href="[^"]*">((?:(?!</a>).)*)</a><details[^>]*>)<summary>')
"""The arrow that expands an entry of the contents; it has no text."""

MISLED = re.compile(r'(<summary|<button class="btn search-button-field[^>]*?) aria-label="[^"]*"')
"""A fold, or the search field: its label hides the visible words."""

MODE = re.compile(r'(<button class="[^"]*theme-switch-button[^"]*") aria-label="([^"]*)"([^>]*>)')
"""The switch between light and dark, whose name belongs into the button beside its picture."""

LIST = '<div role="list" class="citation-list">'
"""The bibliography, whose parts are marked as list items without a list."""


def spoken(page: str) -> str:
    """Return a page with names for its arrows, and with the visible text as the name of its folds."""
    page = MISLED.sub(r"\1", page)
    page = MODE.sub(r'\1\3<span class="visually-hidden">\2</span>', page)
    page = page.replace(LIST, LIST.replace(' role="list"', ""))
    return ARROW.sub(lambda m: f'{m[1]}<summary aria-label="{_words(m[2])}: pages below">', page)


def _words(html: str) -> str:
    return re.sub(r"<[^>]*>", "", html).replace('"', "&quot;").strip()


def name_all(app: Sphinx, error: Exception | None) -> None:
    """Add the names to every page."""
    if error is not None or app.builder.format != "html":
        return
    for path in Path(app.outdir).rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        named = spoken(text)
        if named != text:
            path.write_text(named, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the handler for the end of the build."""
    app.connect("build-finished", name_all)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
