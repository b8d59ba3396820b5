"""Print the built book as one PDF: every page in the order of the contents, with bookmarks, page numbers and stills.

python book/pdf.py book/_build/html book/_build/from_symbols_to_solver.pdf [--page notebooks/08_newton ...]

All pages are joined in one document, which a browser prints, so that links between pages work inside the PDF.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from posixpath import normpath, relpath

from bs4 import BeautifulSoup, Tag
from chromium import BROWSERS, browser_path
from playwright.sync_api import Browser, PdfMargins, sync_playwright

FRONT = "book/index"
PLACE = PurePosixPath("notebooks")
"""Path of the joined document, from which styles and pictures are reachable as from a lesson."""

PATIENCE = 1_200_000.0  # ms; thousands of formulas are typeset at once
TYPESET = "() => window.MathJax.startup.promise.then(() => true)"
FOOTER = '<div style="font-size: 8px; text-align: center; width: 100%"><span class="pageNumber"></span></div>'
MARGIN: PdfMargins = {"top": "18mm", "bottom": "18mm", "left": "16mm", "right": "16mm"}
STYLE = """
html, body, .bd-main, .bd-article-container { height: auto; margin: 0; max-width: none; padding: 0; }
html { font-size: 13px; }
.bd-main .bd-content .bd-article { break-before: page; display: block; padding: 0; }
.bd-main .bd-content .bd-article:first-of-type { break-before: auto; }
.bd-main .bd-content .bd-article h1:first-of-type { display: block; }
"""


def read(folder: Path, name: str) -> BeautifulSoup:
    """Return a built page."""
    return BeautifulSoup((folder / name).with_suffix(".html").read_text(encoding="utf8"), "html.parser")


def contents(folder: Path) -> list[str]:
    """Return the names of all pages, `notebooks/08_newton` and the like, in the order of the contents."""
    links = read(folder, FRONT).select("nav.bd-links a[href]")
    names = [_page(str(link["href"]), FRONT) for link in links]
    return list(dict.fromkeys([FRONT, *(name for name in names if name)]))


def _page(address: str, page: str) -> str:
    """Return the page that an address on another page leads to; empty outside of the book."""
    path = address.partition("#")[0]
    if "://" in address or address.startswith("mailto:") or (path and not path.endswith(".html")):
        return ""
    return normpath(str(PurePosixPath(page).parent / path)).removesuffix(".html") if path else page


def slug(page: str) -> str:
    """Return the anchor of a page in the joined document."""
    return page.replace("/", "-")


def article(folder: Path, page: str, pages: Sequence[str]) -> Tag:
    """Return the contents of a page, with anchors and addresses of the joined document.

    Raises:
        ValueError: The page has no article.
    """
    content = read(folder, page).select_one("article.bd-article")
    if content is None:
        raise ValueError(f"{page} has no article")
    for gone in content.select("script, template, .headerlink"):
        gone.decompose()
    for place in content.select("[id]"):
        place["id"] = f"{slug(page)}--{place['id']}"
    for link in content.select("a[href]"):
        target, anchor = _page(str(link["href"]), page), str(link["href"]).partition("#")[2]
        if target in pages:
            link["href"] = f"#{slug(target)}--{anchor}" if anchor else f"#{slug(target)}"
    for picture in content.select("img[src]"):
        if not str(picture["src"]).startswith("data:"):
            path = normpath(str(PurePosixPath(page).parent / str(picture["src"])))
            picture["src"] = relpath(path, str(PLACE))
    content["id"] = slug(page)
    return content


def one_document(folder: Path, pages: Sequence[str]) -> str:
    """Return all pages as one document in the lessons' folder."""
    lesson = next(name for name in contents(folder) if PurePosixPath(name).parent == PLACE)
    head = read(folder, lesson).head
    assert head is not None
    for script in head.select("script"):
        if "mathjax" not in str(script).lower():
            script.decompose()
    for link in head.select("link[media=print]"):
        del link["media"]
    styles = "".join(map(str, head.select("link[rel=stylesheet], script")))
    articles = "\n".join(str(article(folder, page, pages)) for page in pages)
    return (
        f'<!DOCTYPE html><html lang="en" data-theme="light" data-mode="light"><head><meta charset="utf-8">'
        f"<title>From Symbols to Solver</title>{styles}<style>{STYLE}</style></head><body>"
        f'<main class="bd-main"><div class="bd-content"><div class="bd-article-container">{articles}</div></div></main>'
        f"</body></html>"
    )


def print_book(browser: Browser, folder: Path, target: Path, pages: Sequence[str]) -> None:
    """Print pages of the built book as one PDF.

    Raises:
        FileNotFoundError: There is no such page.
    """
    document = folder / PLACE / "_all_pages.html"
    document.write_text(one_document(folder, pages), encoding="utf8")
    page = browser.new_page()
    page.set_default_timeout(PATIENCE)
    try:
        page.goto(document.resolve().as_uri())
        page.wait_for_function(TYPESET)
        page.evaluate("document.querySelectorAll('details.deeper').forEach(fold => { fold.open = true; })")
        page.pdf(
            path=target,
            format="A4",
            margin=MARGIN,
            outline=True,
            tagged=True,
            print_background=True,
            display_header_footer=True,
            header_template="<span></span>",
            footer_template=FOOTER,
        )
    finally:
        page.close()
        document.unlink()


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the book and return the exit status.

    Raises:
        FileNotFoundError: There is no browser.
    """
    parser = argparse.ArgumentParser(description="Print the built book as one PDF.")
    parser.add_argument("folder", type=Path, help="the built book, book/_build/html")
    parser.add_argument("target", type=Path, help="the PDF to write")
    parser.add_argument("--page", action="append", help="print this page alone, or these; without it, all of them")
    options = parser.parse_args(arguments)
    path = browser_path()
    if path is None:
        raise FileNotFoundError(f"no browser: set CHROMIUM or install one of {', '.join(BROWSERS)}")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        print_book(browser, options.folder, options.target, options.page or contents(options.folder))
        browser.close()
    print(f"{options.target}: {options.target.stat().st_size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
