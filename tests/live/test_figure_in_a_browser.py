"""Every live figure alone on a page shows Python's numbers, and can be dragged, typed into and linked to."""

from pathlib import Path
from urllib.parse import quote

import pytest
from browser import AXE, DESKTOP, PATIENCE, PHONE
from discovered import FIGURES
from figure_checks import CHECKS, DRAGS, STATES
from figure_page import Figure
from own_steps import OWN_STEPS, basins_shown
from playwright.sync_api import expect

from lessons_lib.course import live

FAINT = (Path(__file__).parents[1] / "book" / "faint_text.js").read_text(encoding="utf8")
LEAST_CONTRAST = 4.5  # WCAG 2.2, 1.4.3 (AA), for text of any size
BEYOND = 22  # black on white is 21: every word is told
LAPTOPS = ({"width": 1366, "height": 768}, {"width": 1280, "height": 720})
MOST_CONTROLS = 7
FINGER, HANDLE = 120, 43.999  # px that a slider is wide, and a handle in both directions: 44, between two pixels
ASKED_OF_AXE = ("columns", "two_frames")
POINTED = {"columns"}
"""Its verdict is about what was pointed at last, which no link holds."""
NO_WAY_BACK = {"logarithm", "newton", "race", "source", "lanes", "arena", "robot"}
"""Three round what they set to whole degrees; in four the steps lead beyond an end of what may be set."""


def it_begins_with_its_own_values_and_shows_the_numbers_of_python(figure):
    starts = [control["start"] for control in figure.controls if control["kind"] == "number"]
    assert figure.box_values() == starts
    CHECKS[figure.name](figure)


def in_further_states_it_says_what_is_so_and_shows_pythons_numbers(figure):
    for values, words in STATES[figure.name]:
        figure.begin()
        figure.set(values)
        assert words in figure.says, (values, figure.says)
        CHECKS[figure.name](figure)
        assert "NaN" not in figure.host.locator(".live-figure").inner_text(), values


def drawing_verdict_and_any_control_are_seen_at_once(figure):
    for viewport in (*LAPTOPS, PHONE):
        found = figure.seen_at_once(viewport)
        assert found["unseen"] == [], viewport
        assert found["beyond"] <= 0, viewport
        assert found["rows"] <= MOST_CONTROLS
    assert found["over"] <= 1
    assert min(found["sliders"]) >= FINGER
    figure.handle(DRAGS[figure.name][0]).scroll_into_view_if_needed()
    box = figure.handle(DRAGS[figure.name][0]).bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= HANDLE, "too small for a finger"
    width, room = figure.page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
    assert width <= room
    figure.page.set_viewport_size(DESKTOP)
    figure.see()


def it_is_dragged_by_mouse_and_a_link_restores_the_state(figure):
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
    figure.page.mouse.move(0, 0)
    moved = figure.state, "" if figure.name in POINTED else figure.says, figure.table()
    figure.host.get_by_role("button", name="Link").click()
    expect(figure.host.get_by_role("button", name="Address set")).to_be_visible()
    link = figure.page.evaluate("location.hash")
    figure.begin()
    assert figure.state == begun
    figure.page.evaluate("link => { location.hash = ''; location.hash = link; }", link)
    figure.page.wait_for_function("link => location.hash === link", arg=link)
    expect(figure.host.locator(".live-stage")).to_be_in_viewport()
    figure.settle()
    assert (figure.state, "" if figure.name in POINTED else figure.says, figure.table()) == moved


def it_is_moved_by_keys_and_reset(figure):
    before = figure.box_values()
    figure.handle(DRAGS[figure.name][0]).focus()
    for key in ("ArrowLeft", "ArrowLeft", "Shift+ArrowDown"):
        figure.page.keyboard.press(key)
    figure.settle()
    assert figure.box_values() != before
    CHECKS[figure.name](figure)
    if figure.name not in NO_WAY_BACK:
        for key in ("ArrowRight", "ArrowRight", *(10 * ["ArrowUp"])):
            figure.page.keyboard.press(key)
        figure.settle()
        assert figure.box_values() == pytest.approx(before, abs=1e-9), "a large step is ten, and each way leads back"
        figure.page.keyboard.press("ArrowLeft")
    figure.host.get_by_role("button", name="Reset").click()
    figure.settle()
    assert figure.box_values() == before


def a_slider_walks_from_place_to_place_and_a_typed_value_is_held_as_typed(figure):
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
    assert figure.box_values()[first] == 0.12345
    CHECKS[figure.name](figure)
    for text in ("1e9", ""):
        box.fill(text)
        box.press("Enter")
        assert figure.box_values()[first] == control["high"]


def words_stand_out_in_the_dark_and_colours_follow_without_a_reload(figure):
    """As in test_in_a_browser.py; axe, which reads the whole page, runs on one figure of a kind."""
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


def it_is_dragged_by_a_finger_on_a_phone(figure):
    before = figure.box_values()
    with figure.on_a_phone() as device:
        handle, (right, down) = DRAGS[figure.name]
        figure.handle(handle).evaluate("handle => handle.scrollIntoView({block: 'center'})")
        box = figure.handle(handle).bounding_box()
        assert box is not None
        x, y = box["x"] + 22, box["y"] + 22
        for kind, part in (("touchStart", 0.0), ("touchMove", 0.25), ("touchMove", 0.5)):
            places = [{"x": x + part * right, "y": y + part * down}]
            device.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": places})
        device.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        figure.settle()
        assert figure.box_values() != before
        CHECKS[figure.name](figure)


STEPS = (
    it_begins_with_its_own_values_and_shows_the_numbers_of_python,
    in_further_states_it_says_what_is_so_and_shows_pythons_numbers,
    it_is_dragged_by_mouse_and_a_link_restores_the_state,
    it_is_moved_by_keys_and_reset,
    words_stand_out_in_the_dark_and_colours_follow_without_a_reload,
    drawing_verdict_and_any_control_are_seen_at_once,
)
STEPS_OF_A_KIND = (
    it_is_dragged_by_a_finger_on_a_phone,
    a_slider_walks_from_place_to_place_and_a_typed_value_is_held_as_typed,
)
ONE_OF_A_KIND = ("ElbowFigure", "TwoFramesFigure", "DampingFigure")
"""One in the plane, one in space and one with a ladder: what all figures have of the same code is tried here."""


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure(browser_in_space, tmp_path, name, briefly):
    """Opened once, and reset before each further step."""
    shared = STEPS_OF_A_KIND if name in ONE_OF_A_KIND else ()
    with Figure(browser_in_space, tmp_path, name) as figure:
        own = () if briefly else OWN_STEPS.get(figure.name, ())
        for step in (*STEPS, *shared, *own):
            figure.begin()
            try:
                assert step in own or figure.told == figure.opening, "Reset does not restore the opening"
                step(figure)
            except Exception as fault:
                fault.add_note(f"{name}: {step.__name__.replace('_', ' ')}")
                raise


def test_nonsense_in_a_link_does_no_harm(browser_in_space, tmp_path):
    with Figure(browser_in_space, tmp_path, "ElbowFigure") as figure:
        nonsense = quote("<img src=x onerror=alert(1)>")
        link = f"#figure?x=NaN&y=-0.25&length_2=1e999&{nonsense}=1&__proto__=2"
        figure.page.evaluate("link => { location.hash = link; }", link)
        figure.page.wait_for_function("link => location.hash === link", arg=link)
        figure.settle()
        assert figure.box_values() == [1.1, -0.25, 0.7]
        CHECKS["elbow"](figure)


@pytest.fixture
def without(browser_in_space, built_book):
    """Open a page of the book in a browser without some feature, removed by a script."""
    contexts = []

    def open_figure(name, script="", **context):
        contexts.append(browser_in_space.new_context(viewport=DESKTOP, **context))
        contexts[-1].set_default_timeout(PATIENCE)
        contexts[-1].add_init_script(script)
        page = contexts[-1].new_page()
        page.goto((built_book / f"{name}.html").as_uri())
        return page

    yield open_figure
    for context in contexts:
        context.close()


@pytest.mark.parametrize("name", ["notebooks/01_inverse_kinematics", "notebooks/04_adjoint", "book/index"])
def test_without_scripts_the_picture_is_shown(without, name):
    page = without(name, java_script_enabled=False)
    picture = page.locator(".live-still img").first
    expect(picture).to_be_visible()
    assert (picture.bounding_box() or {"width": 0})["width"] > 300
    assert page.locator(".live-figure").count() == 0


def test_on_paper_the_picture_takes_the_place_of_the_figure(without):
    page = without("notebooks/04_adjoint")
    picture, alive = page.locator(".live-still img"), page.locator(".live-figure")
    expect(alive).to_be_visible()
    expect(picture).to_be_hidden()
    page.emulate_media(media="print")
    assert (picture.is_visible(), alive.is_visible()) == (True, False)
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 300


@pytest.mark.check
def test_a_page_without_a_graphics_card_keeps_the_picture(without):
    page = without("notebooks/04_adjoint", "HTMLCanvasElement.prototype.getContext = () => null")
    expect(page.locator(".live-still img")).to_be_visible()
    assert page.locator(".live-figure").count() == 0


@pytest.mark.check
def test_without_a_worker_the_page_computes_the_starts_itself(without):
    page = without("notebooks/12_starts", "delete window.Worker")
    page.locator(".live-map").scroll_into_view_if_needed()
    side, shown = basins_shown(page)
    page.close()
    assert abs(shown[1] - live.BasinFigure().basins(side).mean_steps) <= 0.07
