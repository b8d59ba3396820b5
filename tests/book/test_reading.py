"""Reading a page of the book: its layers, its head, previews of links, and the printed version."""

import ast
import re
from pathlib import Path

import lesson_layers
import nbformat
import pdf
import pytest
from browser import MATHJAX, PATIENCE
from bs4 import BeautifulSoup
from building import page

ROOT = Path(__file__).resolve().parents[2]

LESSONS = sorted(ROOT.glob("notebooks/*.ipynb"))


def new_page(browser, **context):
    """A page with a timeout for a busy machine."""
    opened = browser.new_page(**context)
    opened.set_default_timeout(PATIENCE)
    return opened


@pytest.fixture(scope="module")
def lesson_8(browser, built_book):
    """The lesson on Newton, in dark mode."""
    opened = new_page(browser, color_scheme="dark")
    opened.goto((built_book / "notebooks" / "08_newton.html").as_uri())
    opened.wait_for_function(pdf.TYPESET)
    return opened


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("x = 1\nassert x == 1  # why", "x = 1"),
        ("for x in a:\n    print(x)\n    assert x", "for x in a:\n    print(x)"),
        ("print(1)\nfor x in a:\n    assert (\n        x\n    )", "print(1)"),
        ("def f(x):\n    assert x\n    return x", "def f(x):\n    assert x\n    return x"),
        ("def f(x=now()):  # noqa: B008, E501\n    pass  # later", "def f(x=now()):\n    pass  # later"),
    ],
)
def test_checks_are_omitted_from_the_shown_code(source, shown):
    assert lesson_layers.without_checks(source, ast.parse(source)) == shown


def test_a_lessons_checks_are_left_out_and_its_proofs_are_folded(built_book):
    for path in LESSONS:
        lesson = page(built_book, f"notebooks/{path.stem}")
        open_code = [cell for cell in lesson.select(".cell_input") if not cell.find_parent("details", class_="hide")]
        proofs = [cell for cell in lesson.select("details.hide") if "Proof of claim" in cell.summary.get_text()]
        cells = nbformat.read(path, as_version=4).cells
        tagged = [cell for cell in cells if "show-proof" in cell.metadata.get("tags", [])]
        proving = [cell for cell in open_code if re.search(r"^claim\(", cell.get_text(), re.MULTILINE)]
        assert len(proving) == len(tagged)
        assert proofs or path == LESSONS[0], "lesson 00 alone states no claim"
        assert [cell for cell in proofs if cell.select_one("summary + .proof-lines p") is None] == []
        assert "<summary>Proof</summary>" not in str(lesson)
        silent = [cell for cell in open_code if cell.find_next_sibling(class_="cell_output") is None]
        checking = [cell for cell in open_code if re.search(r"^assert ", cell.get_text(), re.MULTILINE)]
        assert [cell.get_text() for cell in checking if cell not in silent] == []


def test_a_link_shows_its_card_and_escape_takes_it_away(lesson_8):
    link = lesson_8.locator("article a[href$='#term-pose']").first
    card = lesson_8.locator(".hover-card")
    link.hover()
    card.wait_for()
    assert card.inner_text().startswith("pose")
    lesson_8.keyboard.press("Escape")
    card.wait_for(state="hidden")
    lesson_8.locator("article a[href$='#claim-4-8']").first.hover()
    card.locator("mjx-container").first.wait_for()
    assert "Claim 4.8" in card.inner_text()


def test_a_link_into_a_fold_opens_it(browser, built_book):
    opened = new_page(browser)
    opened.route(MATHJAX, lambda route: route.fulfill(content_type="text/javascript", body=""))
    opened.goto((built_book / "notebooks" / "10_damping.html").as_uri() + "#claim-10-6")
    opened.wait_for_function("document.querySelector('#claim-10-6').closest('details').open")
    assert opened.locator("#claim-10-6").is_visible()
    opened.close()


def test_the_claims_of_a_lesson_are_typeset_when_their_fold_is_opened(browser, built_book):
    opened = new_page(browser)
    opened.goto((built_book / "book" / "claims.html").as_uri())
    opened.wait_for_function("window.MathJax?.startup?.promise?.then(() => true)")
    assert opened.locator("mjx-container").count() == 0
    opened.evaluate("location.hash = '#claims-of-lesson-3'")
    opened.locator("#claims-of-lesson-3 mjx-container").first.wait_for()
    assert opened.locator("details.claims-fold[open]").count() == 1
    opened.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    sections = opened.locator("section:has(> .claims-fold)")
    assert sections.count() == sections.filter(has=opened.locator("mjx-container")).count() > 20, "paper holds all"
    opened.close()


def test_paper_is_light_and_shows_no_closed_fold(browser, built_book):
    opened = new_page(browser, color_scheme="dark")
    opened.route(MATHJAX, lambda route: route.fulfill(content_type="text/javascript", body=""))
    opened.goto((built_book / "notebooks" / "10_damping.html").as_uri())
    assert opened.evaluate("document.documentElement.dataset.theme") == "dark"
    opened.emulate_media(media="print")
    opened.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    colour = "selector => getComputedStyle(document.querySelector(selector)).color"
    assert opened.evaluate(colour, "article h2") == "rgb(0, 0, 0)"
    assert opened.evaluate("document.documentElement.dataset.theme") == "light"
    assert opened.locator("details.hide:not([open])").first.is_hidden()
    assert opened.locator("details.deeper .claim").first.is_visible()
    opened.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert opened.evaluate("document.documentElement.dataset.theme") == "dark"
    assert opened.locator("details.deeper[open]").count() == 0
    opened.close()


@pytest.mark.check
def test_the_pdf_holds_every_page_in_the_order_of_the_contents(built_book):
    names = pdf.contents(built_book)
    toc = re.findall(r"(?:file|root): (\S+)", (ROOT / "book" / "_toc.yml").read_text(encoding="utf8"))
    assert names == toc
    two = BeautifulSoup(pdf.one_document(built_book, names[:4]), "html.parser")
    assert len(two.select("article")) == 4
    inside = [str(link["href"])[1:] for link in two.select("a[href^='#']")]
    places = {place["id"] for place in two.select("[id]")}
    assert len(inside) > 8
    assert {anchor for anchor in inside if anchor not in places} == set()
