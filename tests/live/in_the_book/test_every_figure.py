"""Every live figure of the built book, from its folder: dragged, typed, linked, printed, judged by axe."""

import json
from pathlib import Path
from urllib.parse import quote

import pytest
from figure_page import AXE, FRAMES, PAGES, Opened
from numbers_shown import (
    CHECKS,
    DRAGS,
    check_elbow,
)
from playwright.sync_api import Browser, Page, expect
from test_browser_book import DESKTOP, PATIENCE, PHONE

from lessons_lib import live

every_figure = pytest.mark.parametrize("name", PAGES)


def test_every_view_has_a_page_a_check_and_a_drag() -> None:
    """PAGES stands in figure_page.py, CHECKS and DRAGS in numbers_shown.py; the front page shows lesson 01's figure."""
    figures = {getattr(live, name) for name in live.__all__ if name.endswith("Figure")} - {live.LiveFigure}
    assert PAGES.keys() == CHECKS.keys() == DRAGS.keys() == {figure.view for figure in figures} | {"front"}


@every_figure
def test_a_figure_begins_with_its_own_values_and_shows_the_numbers_of_python(opened: Opened, name: str) -> None:
    figure = opened(name, reset=False)
    told = json.loads(figure.host.locator("script").text_content() or "")
    starts = [control["start"] for control in told["controls"] if control["kind"] == "number"]
    assert figure.held() == starts
    CHECKS[name](figure)


@every_figure
def test_a_figure_is_dragged_by_mouse(opened: Opened, name: str) -> None:
    figure = opened(name)
    before = figure.held()
    handle, (right, down) = DRAGS[name]
    figure.drag(handle, right, down)
    assert figure.held() != before
    CHECKS[name](figure)


@every_figure
def test_a_figure_is_moved_by_keys_and_reset(opened: Opened, name: str) -> None:
    figure = opened(name)
    before = figure.held()
    figure.handle(DRAGS[name][0]).focus()
    for key in ("ArrowLeft", "ArrowLeft", "Shift+ArrowDown"):
        figure.page.keyboard.press(key)
    figure.settle()
    assert figure.held() != before
    CHECKS[name](figure)
    figure.host.get_by_role("button", name="Reset").click()
    figure.settle()
    assert figure.held() == before


@every_figure
def test_a_figure_is_dragged_by_a_finger_on_a_phone(opened: Opened, name: str) -> None:
    figure = opened(name, viewport=PHONE, has_touch=True, is_mobile=True)
    before = figure.held()
    figure.handle(DRAGS[name][0]).scroll_into_view_if_needed()
    box = figure.handle(DRAGS[name][0]).bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= 43.999, "too small for a finger"  # 44 px, somewhere between two pixels
    assert round(min(box["width"], box["height"])) >= 44, "too small for a finger"
    x, y = box["x"] + 22, box["y"] + 22
    right, down = (0.5 * way for way in DRAGS[name][1])
    finger = figure.context.new_cdp_session(figure.page)
    for kind, part in (("touchStart", 0.0), ("touchMove", 0.5), ("touchMove", 1.0)):
        places = [{"x": x + part * right, "y": y + part * down}]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": places})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    figure.settle()
    assert figure.held() != before
    CHECKS[name](figure)
    width, room = figure.page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
    assert width <= room


@every_figure
def test_a_slider_walks_from_place_to_place_and_a_typed_value_is_held_as_typed(opened: Opened, name: str) -> None:
    figure = opened(name)
    told = json.loads(figure.host.locator("script").text_content() or "")
    rows = figure.host.locator(".live-row")
    first = next(k for k in range(rows.count()) if rows.nth(k).is_visible())
    control = [control for control in told["controls"] if control["kind"] == "number"][first]
    box, slider = (rows.nth(first).locator(f"input[type={kind}]") for kind in ("number", "range"))
    before = float(box.input_value())
    slider.focus()
    figure.page.keyboard.press("ArrowRight")
    figure.settle()
    places = control.get("places")
    expected = places[places.index(before) + 1] if places else before + control["step"]
    assert float(box.input_value()) == pytest.approx(expected, abs=1e-12)
    box.fill("0.12345")
    box.press("Enter")
    figure.settle()
    assert figure.held()[first] == 0.12345
    CHECKS[name](figure)
    box.fill("1e9")
    box.press("Enter")
    assert figure.held()[first] == control["high"]
    box.fill("")
    box.press("Enter")
    assert figure.held()[first] == control["high"]


@pytest.mark.parametrize("name", ["elbow", "two_frames", "damping", "race", "source", "lanes", "stance"])
def test_a_link_restores_the_state(opened: Opened, name: str) -> None:
    """Between them these have every kind of control, in the plane and in space."""
    figure = opened(name)
    handle, (right, down) = DRAGS[name]
    figure.drag(handle, right, down)
    figure.host.get_by_role("button", name="Link").click()
    expect(figure.host.get_by_role("button", name="Address set")).to_be_visible()
    link = figure.page.evaluate("location.hash")
    again = opened(name, link)
    assert again.held() == figure.held()
    expect(again.host.locator(".live-stage")).to_be_in_viewport()


def test_a_link_with_nonsense_does_no_harm(opened: Opened) -> None:
    nonsense = quote("<img src=x onerror=alert(1)>")
    figure = opened("elbow", f"#fig-01-explorer?x=NaN&y=&length_2=1e999&{nonsense}=1&__proto__=2")
    assert figure.held() == [1.1, 0.0, 0.7] or figure.held() == [1.1, 0.7, 0.7]
    check_elbow(figure)


def test_nothing_is_drawn_out_of_sight(opened: Opened) -> None:
    figure = opened("elbow")
    figure.page.evaluate("window.scrollTo(0, document.body.scrollHeight)")
    expect(figure.host.locator(".live-stage")).not_to_be_in_viewport()
    hand = figure.host.locator(".live-blue .live-hand")
    before = hand.get_attribute("d")
    slider = figure.host.locator("input[type=range]").first
    slider.evaluate("s => { s.value = -1; s.dispatchEvent(new Event('input')); }")
    figure.settle()
    assert hand.get_attribute("d") == before
    figure.page.evaluate("document.querySelector('.live-stage').scrollIntoView()")
    expect(hand).not_to_have_attribute("d", before or "")
    figure.settle()
    check_elbow(figure)


def test_on_a_phone_a_slider_moves_though_its_picture_is_out_of_sight(opened: Opened) -> None:
    figure = opened("robot", viewport=PHONE, has_touch=True, is_mobile=True)
    row = figure.host.locator(".live-row:visible").last
    slider, box = (row.locator(f"input[type={kind}]") for kind in ("range", "number"))
    place, value = slider.input_value(), box.input_value()
    slider.scroll_into_view_if_needed()
    expect(figure.host.locator(".live-stage")).not_to_be_in_viewport()
    figure.page.evaluate(FRAMES)  # by then the figure has heard of it
    slider.press("ArrowRight")
    expect(box).not_to_have_value(value)
    expect(slider).not_to_have_value(place)


@pytest.mark.parametrize("name", ["elbow", "screw"])
def test_colours_follow_light_and_dark_without_a_reload(opened: Opened, name: str) -> None:
    figure = opened(name)
    seen = {}
    for mode in ("light", "dark"):
        figure.page.evaluate("mode => { document.documentElement.dataset.theme = mode; }", mode)
        figure.settle()
        seen[mode] = figure.host.locator(".live-stage").screenshot()
    assert seen["light"] != seen["dark"]


@every_figure
def test_words_stand_out_in_the_dark(opened: Opened, name: str) -> None:
    """In the light tests/test_browser_book.py asks axe about each page as a whole; the dark changes colours alone."""
    assert AXE.exists(), "run `front/build.py --check` once, which installs axe"
    figure = opened(name)
    with figure.alone():
        figure.page.evaluate("document.documentElement.dataset.theme = 'dark'")
        figure.page.add_script_tag(content=AXE.read_text("utf8"))
        found = figure.page.evaluate("axe.run('.live-figure', {runOnly: ['color-contrast'], preload: false})")
    assert len(found["passes"]) == 1, "axe has looked at no word"
    assert [(v["id"], [n["html"] for n in v["nodes"]]) for v in found["violations"]] == []


@every_figure
def test_without_scripts_the_still_picture_stands_there(without_scripts: Page, built_book: Path, name: str) -> None:
    without_scripts.goto((built_book / PAGES[name]).with_suffix(".html").as_uri())
    still = without_scripts.locator(".live-still img")
    expect(still).to_be_visible()
    assert (still.bounding_box() or {"width": 0})["width"] > 300
    assert without_scripts.locator(".live-figure").count() == 0


@every_figure
def test_on_paper_the_still_picture_takes_the_place_of_the_figure(opened: Opened, name: str) -> None:
    figure = opened(name)
    expect(figure.host.locator(".live-still")).to_be_hidden()
    figure.page.emulate_media(media="print")
    still, alive = figure.host.locator(".live-still"), figure.host.locator(".live-figure")
    seen = still.is_visible(), alive.is_visible()
    figure.page.emulate_media(media="screen")
    assert seen == (True, False)


def test_a_page_without_a_graphics_card_keeps_the_still_picture(browser: Browser, built_book: Path) -> None:
    context = browser.new_context(viewport=DESKTOP)
    context.set_default_timeout(PATIENCE)
    context.add_init_script("HTMLCanvasElement.prototype.getContext = () => null")
    page = context.new_page()
    page.goto((built_book / PAGES["screw"]).with_suffix(".html").as_uri())
    expect(page.locator(".live-still img")).to_be_visible()
    assert page.locator(".live-figure").count() == 0
    context.close()
