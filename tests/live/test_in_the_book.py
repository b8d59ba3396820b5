"""Every live figure of the built book, from its folder: each page is opened once, and all is tried in it, in turn."""

from pathlib import Path
from urllib.parse import quote

import pytest
from browser import AXE, DESKTOP, PATIENCE, PHONE
from figure_checks import CHECKS, DRAGS
from figure_page import PAGES, Figure
from own_steps import OWN_STEPS, basins_shown
from playwright.sync_api import Browser, ViewportSize, expect

from lessons_lib.course import live

FAINT = (Path(__file__).parents[1] / "book" / "faint_text.js").read_text(encoding="utf8")
LEAST_CONTRAST = 4.5  # WCAG 2.2, 1.4.3 (AA), for text of any size
BEYOND = 22  # black on white is 21: every word is told
SMALL: ViewportSize = {"width": 1366, "height": 768}
SEEN, MOST_CONTROLS = 0.9, 7  # of a drawing; beside it
FINGER, HANDLE = 120, 43.999  # px that a slider is wide, and a handle in both directions: 44, between two pixels
ASKED_OF_AXE = ("columns", "two_frames")
NO_WAY_BACK = {"logarithm", "newton", "race", "source", "lanes", "arena", "robot"}
"""Three round what they set to whole degrees; in four the steps lead beyond an end of what may be set."""


def it_begins_with_its_own_values_and_shows_the_numbers_of_python(figure: Figure) -> None:
    starts = [control["start"] for control in figure.controls if control["kind"] == "number"]
    assert figure.held() == starts
    CHECKS[figure.name](figure)


def its_drawing_is_seen_with_each_of_its_controls(figure: Figure) -> None:
    for viewport in (SMALL, PHONE):
        found = figure.shares(viewport)
        assert min(found["drawing"]) >= SEEN, viewport
        assert found["covered"] == [], viewport
        assert viewport == SMALL or found["over"] <= 1
        assert found["beyond"] <= 0, viewport
        assert found["rows"] <= MOST_CONTROLS
    assert min(found["sliders"]) >= FINGER
    figure.handle(DRAGS[figure.name][0]).scroll_into_view_if_needed()
    box = figure.handle(DRAGS[figure.name][0]).bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= HANDLE, "too small for a finger"
    width, room = figure.page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
    assert width <= room
    figure.page.set_viewport_size(DESKTOP)
    figure.see()


def it_is_dragged_by_mouse_and_a_link_restores_the_state(figure: Figure) -> None:
    begun = figure.state
    handle, (right, down) = DRAGS[figure.name]
    figure.drag(handle, right, down)
    assert figure.state != begun
    CHECKS[figure.name](figure)
    for kind in ("switch", "choice"):
        for control in (control for control in figure.controls if control["kind"] == kind and "sets" not in control):
            row = figure.host.locator(f"[data-name='{control['name']}']")
            if kind == "switch":
                row.locator("input").press("Space")
            else:
                row.locator("select").select_option(index=len(control["options"]) - 1)
    figure.settle()
    moved = figure.state, figure.says, figure.table()
    figure.host.get_by_role("button", name="Link").click()
    expect(figure.host.get_by_role("button", name="Address set")).to_be_visible()
    link = figure.page.evaluate("location.hash")
    figure.begin()
    assert figure.state == begun
    figure.page.evaluate("link => { location.hash = ''; location.hash = link; }", link)
    figure.page.wait_for_function("link => location.hash === link", arg=link)
    expect(figure.host.locator(".live-stage")).to_be_in_viewport()
    figure.settle()
    assert (figure.state, figure.says, figure.table()) == moved


def it_is_moved_by_keys_and_reset(figure: Figure) -> None:
    before = figure.held()
    figure.handle(DRAGS[figure.name][0]).focus()
    for key in ("ArrowLeft", "ArrowLeft", "Shift+ArrowDown"):
        figure.page.keyboard.press(key)
    figure.settle()
    assert figure.held() != before
    CHECKS[figure.name](figure)
    if figure.name not in NO_WAY_BACK:
        for key in ("ArrowRight", "ArrowRight", *(10 * ["ArrowUp"])):
            figure.page.keyboard.press(key)
        figure.settle()
        assert figure.held() == pytest.approx(before, abs=1e-9), "a large step is ten, and each way leads back"
        figure.page.keyboard.press("ArrowLeft")
    figure.host.get_by_role("button", name="Reset").click()
    figure.settle()
    assert figure.held() == before


def a_slider_walks_from_place_to_place_and_a_typed_value_is_held_as_typed(figure: Figure) -> None:
    rows = figure.host.locator(".live-row")
    first = next(k for k in range(rows.count()) if rows.nth(k).is_visible())
    control = [control for control in figure.controls if control["kind"] == "number"][first]
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
    CHECKS[figure.name](figure)
    for text in ("1e9", ""):
        box.fill(text)
        box.press("Enter")
        assert figure.held()[first] == control["high"]


def words_stand_out_in_the_dark_and_colours_follow_without_a_reload(figure: Figure) -> None:
    """As test_in_a_browser.py judges pages; axe, which reads the whole page for it, agrees at one figure of a kind."""
    light = figure.host.locator(".live-stage").screenshot()
    figure.page.evaluate("document.documentElement.dataset.theme = 'dark'")
    contrasts = figure.page.evaluate(FAINT, BEYOND)
    assert contrasts, "no word is seen"
    assert {where: one for where, one in contrasts.items() if float(one) < LEAST_CONTRAST} == {}
    if figure.name in ASKED_OF_AXE:
        assert AXE.exists(), "run `front/build.py --check` once, which installs axe"
        figure.page.evaluate(AXE.read_text("utf8"))
        found = figure.page.evaluate("axe.run('.live-figure', {runOnly: ['color-contrast'], preload: false})")
        assert len(found["passes"]) == 1, "axe has looked at no word"
        assert [(v["id"], [n["html"] for n in v["nodes"]]) for v in found["violations"]] == []
    figure.settle()
    assert figure.host.locator(".live-stage").screenshot() != light


def on_paper_the_still_picture_takes_the_place_of_the_figure(figure: Figure) -> None:
    still, alive = figure.host.locator(".live-still img"), figure.host.locator(".live-figure")
    assert (still.is_visible(), alive.is_visible()) == (False, True)
    figure.page.emulate_media(media="print")
    assert (still.is_visible(), alive.is_visible()) == (True, False)
    assert (still.bounding_box() or {"width": 0})["width"] > 300
    assert still.evaluate("image => image.decode().then(() => image.naturalWidth)") > 300
    figure.page.emulate_media(media="screen")


def it_is_dragged_by_a_finger_on_a_phone(figure: Figure) -> None:
    before = figure.held()
    with figure.on_a_phone() as device:
        handle, (right, down) = DRAGS[figure.name]
        figure.handle(handle).scroll_into_view_if_needed()
        box = figure.handle(handle).bounding_box()
        assert box is not None
        x, y = box["x"] + 22, box["y"] + 22
        for kind, part in (("touchStart", 0.0), ("touchMove", 0.25), ("touchMove", 0.5)):
            places = [{"x": x + part * right, "y": y + part * down}]
            device.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": places})
        device.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        figure.settle()
        assert figure.held() != before
        CHECKS[figure.name](figure)


STEPS = (
    it_is_dragged_by_mouse_and_a_link_restores_the_state,
    it_is_moved_by_keys_and_reset,
    words_stand_out_in_the_dark_and_colours_follow_without_a_reload,
)
STEPS_OF_A_KIND = (
    it_is_dragged_by_a_finger_on_a_phone,
    a_slider_walks_from_place_to_place_and_a_typed_value_is_held_as_typed,
    on_paper_the_still_picture_takes_the_place_of_the_figure,
)
"""What all figures have of the same code: one in the plane, one in space, one with a ladder, and the front page's."""
ONE_OF_A_KIND = {"elbow", "two_frames", "damping", "front"}
WHOLLY = {*ONE_OF_A_KIND, "robot", "basin"}
"""Figures that also take their own steps, and whose sizes are measured, before each change; others before a release."""


def test_every_view_has_a_page() -> None:
    """Its check is imported by its name; the front page shows the figure of lesson 01."""
    assert PAGES.keys() == CHECKS.keys() == DRAGS.keys()
    assert OWN_STEPS.keys() <= PAGES.keys()


@pytest.mark.parametrize(
    ("name", "wholly"),
    [
        *((name, name in WHOLLY) for name in PAGES),
        *(pytest.param(name, True, marks=pytest.mark.release) for name in PAGES if name not in WHOLLY),
    ],
)
def test_a_figure(browser_in_space: Browser, built_book: Path, name: str, wholly: bool, briefly: bool) -> None:
    """Opened once, and gone back to its beginning before each further step; before a release each takes all steps."""
    own = OWN_STEPS.get(name, ()) if wholly and not briefly else ()
    with Figure(browser_in_space, built_book, name) as figure:
        figure.take(it_begins_with_its_own_values_and_shows_the_numbers_of_python)
        if wholly:
            figure.take(its_drawing_is_seen_with_each_of_its_controls)
        with figure.alone():
            for step in (*STEPS, *(STEPS_OF_A_KIND if name in ONE_OF_A_KIND else ()), *own):
                figure.begin()
                figure.take(step)


def test_a_link_is_followed_when_its_page_is_opened_and_nonsense_in_it_does_no_harm(
    browser_in_space: Browser, built_book: Path
) -> None:
    nonsense = quote("<img src=x onerror=alert(1)>")
    link = f"#fig-01-explorer?x=NaN&y=-0.25&length_2=1e999&{nonsense}=1&__proto__=2"
    with Figure(browser_in_space, built_book, "elbow", link, see=False) as figure:
        expect(figure.host.locator(".live-stage")).to_be_in_viewport()
        figure.settle()
        assert figure.held() == [1.1, -0.25, 0.7]
        CHECKS["elbow"](figure)


@pytest.mark.parametrize("name", ["elbow", "two_frames"])
def test_without_scripts_the_still_picture_stands_there(browser_in_space: Browser, built_book: Path, name: str) -> None:
    context = browser_in_space.new_context(java_script_enabled=False, viewport=DESKTOP)
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto((built_book / PAGES[name]).with_suffix(".html").as_uri())
    still = page.locator(".live-still img")
    expect(still).to_be_visible()
    assert (still.bounding_box() or {"width": 0})["width"] > 300
    assert page.locator(".live-figure").count() == 0
    context.close()


@pytest.mark.check
def test_a_page_without_a_graphics_card_keeps_the_still_picture(browser_in_space: Browser, built_book: Path) -> None:
    context = browser_in_space.new_context(viewport=DESKTOP)
    context.set_default_timeout(PATIENCE)
    context.add_init_script("HTMLCanvasElement.prototype.getContext = () => null")
    page = context.new_page()
    page.goto((built_book / PAGES["two_frames"]).with_suffix(".html").as_uri())
    expect(page.locator(".live-still img")).to_be_visible()
    assert page.locator(".live-figure").count() == 0
    context.close()


@pytest.mark.check
@pytest.mark.parametrize("name", ["elbow", *(pytest.param(n, marks=pytest.mark.release) for n in ("screw", "robot"))])
def test_a_figure_that_is_opened_on_a_phone(browser_in_space: Browser, built_book: Path, name: str) -> None:
    with Figure(browser_in_space, built_book, name, viewport=PHONE, has_touch=True, is_mobile=True) as figure:
        figure.take(it_is_dragged_by_a_finger_on_a_phone)


@pytest.mark.check
def test_without_a_worker_the_page_computes_the_starts_itself(browser_in_space: Browser, built_book: Path) -> None:
    context = browser_in_space.new_context(viewport=DESKTOP)
    context.set_default_timeout(PATIENCE)
    context.add_init_script("delete window.Worker")
    page = context.new_page()
    page.goto((built_book / PAGES["basin"]).with_suffix(".html").as_uri())
    page.locator(".live-map").scroll_into_view_if_needed()
    side, shown = basins_shown(page)
    context.close()
    assert abs(shown[-1] - live.BasinFigure().basins(side).mean_steps) <= 0.07
