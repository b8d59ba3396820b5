"""Change the built pages: icons as SVG, and accessible names for elements that have none in the theme.

The theme loads a script with two thousand icons, 1.4 MB, on every page, and shows fifteen of them. This extension
inserts those into the pages and removes the script, its fonts and source maps.
"""

import re
from functools import cache
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

SCRIPT = Path("_static", "scripts", "fontawesome.js")
LOADED = re.compile(r'\s*<(?:script|link)\b[^>]*?"[^"]*/fontawesome\.js[^"]*"[^>]*>(?:</script>)?')
PLACE = re.compile(r'<(i|span) class="((?:[^"]*\s)?fa(?:s|-solid)\s[^"]*)"([^>]*)></\1>')
SIZES = {"fa-solid", "fa-lg"}
DRAWN = r'[{{,]"?{name}"?:\[(\d+),(\d+),\[[^\]]*\],"[0-9a-f]+","([^"]+)"\]'
UNUSED = ("**/*.map", "**/fontawesome.js*", "**/fa-brands-*", "**/fa-regular-*", "**/*.ttf")
"""Files below `_static` that are removed; one font stays, for the marks of admonitions."""

ARROW = re.compile(r'(<a class="[^"]*reference internal" href="[^"]*">((?:(?!</a>).)*)</a><details[^>]*>)<summary>')
"""The arrow that expands an entry of the contents; it has no text."""

MISLED = re.compile(r'(<summary|<button class="btn search-button-field[^>]*?) aria-label="[^"]*"')
"""A fold, or the search field: its label hides the visible words."""

MODE = re.compile(r'(<button class="[^"]*theme-switch-button[^"]*") aria-label="([^"]*)"([^>]*>)')
"""The switch between light and dark, whose name belongs into the button beside its picture."""

LIST = '<div role="list" class="citation-list">'
"""The bibliography, whose parts are marked as list items without a list."""


@cache
def drawing(icons: str, name: str) -> tuple[str, str, str]:
    """Return width, height and outline of an icon; the solid variant is last in the theme's script.

    Raises:
        ValueError: The script does not contain the icon.
    """
    drawings = re.findall(DRAWN.format(name=re.escape(name)), icons)
    if not drawings:
        raise ValueError(f"the theme has no icon {name!r}")
    width, height, outline = drawings[-1]
    return width, height, outline


def draw_icons(page: str, icons: str) -> str:
    """Return a page with inline icons."""

    def draw(place: re.Match[str]) -> str:
        names = [word for word in place[2].split() if word.startswith("fa-") and word not in SIZES]
        width, height, outline = drawing(icons, names[0].removeprefix("fa-"))
        return (
            f'<svg class="{" ".join(place[2].split())} course-icon"{place[3]} viewBox="0 0 {width} {height}"'
            f' aria-hidden="true"><path fill="currentColor" d="{outline}"></path></svg>'
        )

    return PLACE.sub(draw, LOADED.sub("", page))


def spoken(page: str) -> str:
    """Return a page with names for its arrows, and with the visible text as the name of its folds."""
    page = MODE.sub(r'\1\3<span class="visually-hidden">\2</span>', MISLED.sub(r"\1", page))
    page = page.replace(LIST, LIST.replace(' role="list"', ""))
    return ARROW.sub(_name_arrow, page)


def _name_arrow(arrow: re.Match[str]) -> str:
    """Return the arrow of an entry of the sidebar with the entry's words as its name."""
    words = re.sub(r"<[^>]*>", "", arrow[2]).replace('"', "&quot;").strip()
    return f'{arrow[1]}<summary aria-label="{words}: pages below">'


def finish(app: Sphinx, error: Exception | None) -> None:
    """Change every page, and remove the unused files."""
    script = Path(app.outdir) / SCRIPT
    if error is not None or app.builder.format != "html" or not script.is_file():
        return
    icons = script.read_text(encoding="utf-8")
    for path in Path(app.outdir).rglob("*.html"):
        path.write_text(spoken(draw_icons(path.read_text(encoding="utf-8"), icons)), encoding="utf-8")
    for pattern in UNUSED:
        for path in (Path(app.outdir) / "_static").glob(pattern):
            path.unlink()


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the handler for the end of the build."""
    app.connect("build-finished", finish)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
