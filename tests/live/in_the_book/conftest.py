"""A browser without a network, and the pages of the live figures that are open in it."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from figure_page import Figure
from playwright.sync_api import Browser, Page, sync_playwright
from test_browser_book import DESKTOP, IN_SPACE, PATIENCE, QUIET


@pytest.fixture(scope="module")
def browser(chromium_path: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        flags = [*QUIET, *IN_SPACE]
        opened = playwright.chromium.launch(executable_path=chromium_path, args=flags, timeout=PATIENCE)
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def without_scripts(browser: Browser) -> Iterator[Page]:
    """A page that runs no script."""
    context = browser.new_context(java_script_enabled=False, viewport=DESKTOP)
    context.set_default_timeout(PATIENCE)
    yield context.new_page()
    context.close()


@pytest.fixture(scope="module")
def open_pages(browser: Browser, built_book: Path) -> Iterator[dict[str, Figure]]:
    """The pages that are open on a desk; at the end none of them may have complained."""
    pages: dict[str, Figure] = {}
    yield pages
    for figure in pages.values():
        figure.close()


@pytest.fixture
def opened(browser: Browser, built_book: Path, open_pages: dict[str, Figure]) -> Iterator[Callable[..., Figure]]:
    """Open the figure of a page, or one that is open already, reset; nothing may be complained about."""
    fresh: list[Figure] = []
    seen: set[str] = set()

    def open_figure(name: str, link: str = "", *, reset: bool = True, **context: Any) -> Figure:
        if link or context:
            fresh.append(Figure(browser, built_book, name, link, **context))
            return fresh[-1]
        seen.add(name)
        if name not in open_pages:
            open_pages[name] = Figure(browser, built_book, name)
            if not reset:
                return open_pages[name]
        open_pages[name].begin()
        return open_pages[name]

    yield open_figure
    for name in seen & open_pages.keys():
        open_pages[name].leave()
    for figure in fresh:
        figure.close()
    assert [figure.witness.faults for figure in open_pages.values() if figure.witness.faults] == []
