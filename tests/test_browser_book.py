"""Every page of the built book in a browser: no error, nothing fetched from elsewhere, all mathematics typeset."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

DESKTOP: ViewportSize = {"width": 1280, "height": 900}
PHONE: ViewportSize = {"width": 390, "height": 844}
QUIET = (
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
TYPESET = "() => window.MathJax?.startup?.promise?.then(() => true) ?? !document.querySelector('.math')"
UNTYPESET = """() => [...document.querySelectorAll('span.math, div.math')]
    .filter(math => !math.querySelector('mjx-container')).map(math => math.textContent)"""
MATH_ERRORS = "() => [...document.querySelectorAll('mjx-merror, [data-mjx-error]')].map(error => error.outerHTML)"
BROKEN_IMAGES = """async () => {
    const images = [...document.images];
    for (const image of images) image.loading = 'eager';
    await Promise.all(images.map(image => image.decode().catch(() => null)));
    return images.filter(image => image.naturalWidth === 0).map(image => image.src);
}"""
WIDTHS = "() => [document.documentElement.scrollWidth, window.innerWidth]"


@dataclass
class Witness:
    """What went wrong while a page was open."""

    origin: str
    faults: list[str] = field(default_factory=list)

    def watch(self, page: Page) -> None:
        """Listen to everything a page can complain about, and to every request."""
        page.on("console", lambda message: message.type == "error" and self.faults.append(message.text))
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("requestfailed", lambda request: self.faults.append(f"failed: {request.url}"))
        page.on("response", lambda answer: answer.status < 400 or self.faults.append(f"{answer.status}: {answer.url}"))
        page.on("request", lambda request: self.check_origin(request.url))

    def check_origin(self, url: str) -> None:
        """Note a request that leaves the server of the book."""
        if not url.startswith((f"{self.origin}/", "data:", "blob:")):
            self.faults.append(f"left the book: {url}")


@pytest.fixture(scope="module")
def browser(chromium_path: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium_path, args=list(QUIET))
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def pages(built_book: Path) -> list[str]:
    found = (path.relative_to(built_book) for path in built_book.rglob("*.html"))
    return sorted(str(path) for path in found if path.parts[0] != "_static")


def open_page(browser: Browser, address: str, viewport: ViewportSize) -> tuple[Page, Witness]:
    """Open a page and wait until its mathematics is typeset."""
    page, witness = browser.new_page(viewport=viewport), Witness("/".join(address.split("/")[:3]))
    witness.watch(page)
    page.goto(address, wait_until="load")
    page.wait_for_function(TYPESET)
    return page, witness


def test_every_page_opens_without_a_fault(browser: Browser, book_address: str, pages: list[str]) -> None:
    faults = {}
    for name in pages:
        page, witness = open_page(browser, f"{book_address}/{name}", DESKTOP)
        found = [*witness.faults, *page.evaluate(UNTYPESET), *page.evaluate(MATH_ERRORS), *page.evaluate(BROKEN_IMAGES)]
        if found:
            faults[name] = found
        page.close()
    assert len(pages) > 10
    assert faults == {}


def test_no_page_is_wider_than_a_phone(browser: Browser, book_address: str, pages: list[str]) -> None:
    wide = {}
    for name in pages:
        page, _ = open_page(browser, f"{book_address}/{name}", PHONE)
        content, window = page.evaluate(WIDTHS)
        if content > window:
            wide[name] = (content, window)
        page.close()
    assert wide == {}


def test_mathematics_is_really_typeset(browser: Browser, book_address: str) -> None:
    page, _ = open_page(browser, f"{book_address}/book/index.html", DESKTOP)
    assert page.locator("mjx-container").count() >= 4
    assert page.locator(".formula-to-solver svg.drawing").count() == 2
    page.close()


def test_search_finds_a_page(browser: Browser, book_address: str) -> None:
    page, witness = open_page(browser, f"{book_address}/search.html?q=adjoint", DESKTOP)
    page.wait_for_selector("#search-results li a")
    assert witness.faults == []
    assert page.locator("#search-results li a").count() >= 1
    page.close()


def test_dark_mode_keeps_text_and_ground_apart(browser: Browser, book_address: str) -> None:
    context = browser.new_context(color_scheme="dark", viewport=DESKTOP)
    page = context.new_page()
    page.goto(f"{book_address}/book/index.html")
    ground, text = page.evaluate(
        "() => [getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]"
        ".map(colour => colour.match(/\\d+/g).slice(0, 3).map(Number).reduce((sum, part) => sum + part))"
    )
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert text - ground > 3 * 128  # more than half of the range of brightness between them
    context.close()


def test_a_fault_is_seen(browser: Browser, tmp_path: Path) -> None:
    """The witness must not be deaf: a page with one fault of each kind reports them all."""
    bad = tmp_path / "bad.html"
    bad.write_text(
        "<img src='missing.png'><script>console.error('said'); throw new Error('thrown')</script>"
        "<script src='http://127.0.0.1:9/elsewhere.js'></script>",
        encoding="utf8",
    )
    page, witness = browser.new_page(), Witness(tmp_path.as_uri())
    witness.watch(page)
    page.goto(bad.as_uri())
    told = "\n".join(witness.faults)
    assert "said" in told
    assert "thrown" in told
    assert "left the book: http://127.0.0.1:9/elsewhere.js" in told
    assert page.evaluate(BROKEN_IMAGES) == [f"{tmp_path.as_uri()}/missing.png"]
    page.close()
