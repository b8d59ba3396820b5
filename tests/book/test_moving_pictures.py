"""A picture that moves can be stopped, and does not begin by itself for readers who prefer less motion."""

import base64
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page

PATIENCE = 600_000.0  # ms until a hang ends; a busy machine takes a part of it
SCRIPT = Path(__file__).resolve().parents[2] / "book" / "_static" / "moving_pictures.js"
STATE = """() => ({
    moving: !document.querySelector('.tag_moving img').hidden,
    still: document.querySelector('canvas') && !document.querySelector('canvas').hidden,
    button: document.querySelector('button')?.textContent,
    label: document.querySelector('canvas')?.getAttribute('aria-label'),
    pixel: [...(document.querySelector('canvas')?.getContext('2d').getImageData(1, 1, 1, 1).data ?? [])],
})"""


def film() -> str:
    """A red picture, then a blue one, as a data address."""
    stream, red, blue = BytesIO(), Image.new("RGB", (20, 10), "red"), Image.new("RGB", (20, 10), "blue")
    red.save(stream, format="png", save_all=True, append_images=[blue], duration=600_000, loop=0)
    return "data:image/png;base64," + base64.b64encode(stream.getvalue()).decode("ascii")


def opened(browser: Browser, motion: str, cell: str = "cell tag_moving") -> Page:
    page = browser.new_context(reduced_motion=motion).new_page()  # type: ignore[arg-type]
    page.set_default_timeout(PATIENCE)
    picture = f"<div class='{cell}'><div class='cell_output'><img alt='red, then blue' src='{film()}'></div></div>"
    page.set_content(f"<script>{SCRIPT.read_text(encoding='utf8')}</script>{picture}", wait_until="load")
    return page


def test_it_moves_until_it_is_stopped(browser: Browser) -> None:
    page = opened(browser, "no-preference")
    page.wait_for_selector("button")
    state = page.evaluate(STATE)
    assert (state["moving"], state["still"], state["button"]) == (True, False, "Stop the picture")
    page.click("button")
    state = page.evaluate(STATE)
    assert (state["moving"], state["still"], state["button"]) == (False, True, "Let it move")
    assert state["label"] == "red, then blue"
    assert state["pixel"] == [255, 0, 0, 255]


def test_it_waits_for_readers_who_prefer_less_motion(browser: Browser) -> None:
    page = opened(browser, "reduce")
    page.wait_for_selector("button")
    state = page.evaluate(STATE)
    assert (state["moving"], state["still"], state["button"]) == (False, True, "Let it move")
    page.focus("button")
    page.keyboard.press("Enter")
    assert page.evaluate(STATE)["moving"]


def test_other_pictures_get_no_button(browser: Browser) -> None:
    page = opened(browser, "reduce", cell="cell")
    page.wait_for_function("() => document.querySelector('img').complete")
    assert page.locator("button").count() == 0
    assert page.locator("img").is_visible()
