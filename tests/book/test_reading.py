"""How a page of the book reads: its layers, its head, what a link tells before it is followed, and what is on paper."""

import ast
import json
import re
from pathlib import Path
from typing import Any

import icons
import lesson_layers
import nbformat
import pdf
import pytest
from browser import MATHJAX, PATIENCE
from bs4 import BeautifulSoup
from built_pages import page
from playwright.sync_api import Browser, Page

ROOT = Path(__file__).resolve().parents[2]

LESSONS = sorted(ROOT.glob("notebooks/*.ipynb"))
OFFERED = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
SEEN = 150
"""Pixels of a figure that must stand on the first screen, so that a reader sees what it is."""


def pages(book: Path) -> list[Path]:
    return [path for path in sorted(book.rglob("*.html")) if path.parts[-2] in ("notebooks", "book")]


def new_page(browser: Browser, **context: Any) -> Page:
    """A page that gives a busy machine its time."""
    opened = browser.new_page(**context)
    opened.set_default_timeout(PATIENCE)
    return opened


@pytest.fixture(scope="module")
def lesson_8(browser: Browser, built_book: Path) -> Page:
    """The lesson on Newton, in the dark."""
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
def test_a_check_is_left_out_of_what_a_cell_shows(source: str, shown: str) -> None:
    assert lesson_layers.without_checks(source, ast.parse(source)) == shown


def test_a_fold_lists_imports_on_few_lines() -> None:
    names = [f"name_{k}" for k in range(20)]
    source = "import a\nfrom b import c\n\nfrom d import (\n    " + ",\n    ".join(names) + ",\n)\nfrom e import f as g"
    shown = lesson_layers.few_lines(source, ast.parse(source))
    assert ast.dump(ast.parse(shown)) == ast.dump(ast.parse(source))
    lines = shown.split("\n")
    assert (lines[:4], lines[-1]) == (["import a", "from b import c", "", "from d import ("], "from e import f as g")
    assert len(lines) < 10 and max(map(len, lines)) <= lesson_layers.LINE


def test_a_picture_without_a_width_is_as_wide_as_the_page() -> None:
    still = {"cell_type": "code", "metadata": {"mystnb": {"image": {"alt": "a line"}, "figure": {"name": "f"}}}}
    told = lesson_layers.with_width(still)["metadata"]["mystnb"]
    assert told == {"image": {"alt": "a line", "width": "100%"}, "figure": {"name": "f"}}
    narrow = {"metadata": {"mystnb": {"image": {"width": "60%"}}}}
    for kept in (narrow, {"metadata": {}}):
        assert lesson_layers.with_width(kept) == kept


def test_a_lessons_checks_are_left_out_and_its_proofs_are_folded(built_book: Path) -> None:
    for path in LESSONS:
        lesson = page(built_book, f"notebooks/{path.stem}")
        open_code = [
            cell for cell in lesson.select(".cell_input") if cell.find_parent("details", class_="hide") is None
        ]
        proofs = [cell for cell in lesson.select("details.hide") if "Proof of claim" in cell.summary.get_text()]
        tagged = [
            cell for cell in nbformat.read(path, as_version=4).cells if "show-proof" in cell.metadata.get("tags", [])
        ]
        proving = [cell for cell in open_code if re.search(r"^claim\(", cell.get_text(), re.MULTILINE)]
        assert len(proving) == len(tagged)
        assert proofs or path == LESSONS[0], "lesson 00 alone states no claim"
        assert [cell for cell in proofs if cell.select_one("summary + .proof-lines p") is None] == []
        assert "<summary>Proof</summary>" not in str(lesson)
        silent = [cell for cell in open_code if cell.find_next_sibling(class_="cell_output") is None]
        checking = [cell for cell in open_code if re.search(r"^assert ", cell.get_text(), re.MULTILINE)]
        assert [cell.get_text() for cell in checking if cell not in silent] == []


def test_a_section_for_a_second_reading_is_folded_and_the_ending_is_not(built_book: Path) -> None:
    lesson = page(built_book, "notebooks/13_weights")
    assert len(lesson.select("details.deeper")) > 2
    fold = lesson.select("section:has(> h2) > details.deeper")[-1]
    assert fold.parent is not None and fold.parent.h2 is not None
    assert "MATLAB" in fold.parent.h2.get_text()
    assert fold.select(".cell_output table")
    assert not fold.select(".admonition.tip")
    assert lesson.select(".admonition.tip")
    asked = page(built_book, "notebooks/14_paths").select_one("details.deeper #predict-14-stable")
    assert asked is not None
    assert asked.find_next(class_="claim").find_parent("details", class_="deeper") is not None


@pytest.mark.check
def test_a_phone_shows_something_of_a_lesson_before_anything_is_scrolled(browser: Browser, built_book: Path) -> None:
    """What a laptop shows of the live figure is judged in test_in_a_browser.py."""
    size = OFFERED[1]
    opened = new_page(browser, viewport=size, java_script_enabled=False)
    tops = {}
    for path in LESSONS:
        opened.goto((built_book / "notebooks" / f"{path.stem}.html").as_uri(), wait_until="load")  # with its styles
        tops[path.stem] = opened.locator("article figure").first.evaluate("f => f.getBoundingClientRect().top")
    opened.close()
    assert {name: top for name, top in tops.items() if top > size["height"] - SEEN} == {}, "open on the live figure"


@pytest.mark.parametrize("size", OFFERED, ids=["desk", "phone"])
def test_no_cell_of_the_notation_is_printed_over_the_next(
    browser: Browser, built_book: Path, size: dict[str, int]
) -> None:
    opened = new_page(browser, viewport=size)
    opened.goto((built_book / "book" / "notation.html").as_uri())
    opened.wait_for_function(pdf.TYPESET)
    wide = "cells => cells.filter(cell => cell.scrollWidth > cell.clientWidth + 1).map(cell => cell.innerText)"
    assert opened.locator(".conventions td").evaluate_all(wide) == []
    opened.close()


def test_every_page_says_what_it_is_about_and_names_the_book_once(built_book: Path) -> None:
    told = {}
    for path in pages(built_book):
        head = BeautifulSoup(path.read_text(encoding="utf8").partition("</head>")[0], "html.parser").head
        assert head.title.get_text().count("From Symbols to Solver") == 1
        told[path.name] = head.select_one("meta[name=description]")["content"]
        assert 20 < len(told[path.name]) <= 160
    assert len(set(told.values())) == len(told)


def test_icons_are_drawn_and_their_script_stays_behind(built_book: Path) -> None:
    lesson = page(built_book, "notebooks/08_newton")
    assert lesson.select("button.theme-switch-button svg.theme-switch path[d]")
    assert not lesson.select("i[class*=fa-], span[class*='fa-'], script[src*=fontawesome]")
    heavy = {str(found.relative_to(built_book)) for pattern in icons.UNUSED for found in built_book.rglob(pattern[3:])}
    assert heavy == set()


def test_an_icon_that_the_theme_lacks_is_named() -> None:
    assert icons.drawing('{bars:[448,512,["navicon"],"f0c9","M0 96"],x:1}', "bars") == ("448", "512", "M0 96")
    with pytest.raises(ValueError, match="no icon 'bats'"):
        icons.drawing("{}", "bats")


def test_the_search_keeps_the_sense_of_a_formula(built_book: Path) -> None:
    texts = (built_book / "_static" / "page_texts.js").read_text(encoding="utf8")
    found = json.loads(re.search(r"const texts = (\{.*\});", texts)[1])["notebooks/08_newton"]
    assert "T_sb(q) = T_sd" in found


def test_a_link_shows_its_card_and_escape_takes_it_away(lesson_8: Page) -> None:
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


def test_a_link_into_a_fold_opens_it(browser: Browser, built_book: Path) -> None:
    opened = new_page(browser)
    opened.route(MATHJAX, lambda route: route.fulfill(content_type="text/javascript", body=""))
    opened.goto((built_book / "notebooks" / "10_damping.html").as_uri() + "#claim-10-8")
    opened.wait_for_function("document.querySelector('#claim-10-8').closest('details').open")
    assert opened.locator("#claim-10-8").is_visible()
    opened.close()


def test_paper_is_light_and_shows_no_closed_fold(browser: Browser, built_book: Path) -> None:
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
def test_two_lessons_are_printed_with_bookmarks(browser: Browser, built_book: Path, tmp_path: Path) -> None:
    target = tmp_path / "lessons.pdf"
    pdf.print_book(browser, built_book, target, ["notebooks/06_jacobians", "notebooks/10_damping"])
    printed = target.read_bytes()
    assert printed.startswith(b"%PDF")
    assert len(re.findall(rb"/Type /Page\b", printed)) > 10
    assert b"/Outlines" in printed
    assert not list(built_book.rglob("_all_pages.html"))


@pytest.mark.check
def test_the_pdf_holds_every_page_in_the_order_of_the_contents(built_book: Path) -> None:
    names = pdf.contents(built_book)
    toc = re.findall(r"(?:file|root): (\S+)", (ROOT / "book" / "_toc.yml").read_text(encoding="utf8"))
    assert names == toc
    two = BeautifulSoup(pdf.one_document(built_book, names[:4]), "html.parser")
    assert len(two.select("article")) == 4
    inside = [str(link["href"])[1:] for link in two.select("a[href^='#']")]
    places = {place["id"] for place in two.select("[id]")}
    assert len(inside) > 20
    assert {anchor for anchor in inside if anchor not in places} == set()
