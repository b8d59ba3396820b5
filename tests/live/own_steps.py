"""Steps of single live figures: players, grids, maps, files of a reader."""

import re
from collections.abc import Callable

import numpy as np
from browser import DESKTOP
from figure_checks import CHECKS
from figure_page import FRAMES, Figure, chosen
from playwright.sync_api import Page, expect
from urdf_refused import NO_NUMBERS, NO_ROBOT
from urdf_texts import LIMIT, TWO_LINKS, joint, robot

from lessons_lib import lie, robots
from lessons_lib.course import live
from lessons_lib.course.bring_your_robot.check import check_any_robot
from lessons_lib.course.bring_your_robot.live import ROWS, solve_as_page
from lessons_lib.course.paths.live import JUMP, PARTS


def nothing_is_drawn_out_of_sight(figure: Figure) -> None:
    figure.page.evaluate("window.scrollTo(0, document.body.scrollHeight)")
    expect(figure.host.locator(".live-stage")).not_to_be_in_viewport()
    figure.page.evaluate(FRAMES)  # by then the figure has heard of it
    hand = figure.host.locator(".live-blue .live-hand")
    before = hand.get_attribute("d")
    slider = figure.host.locator("input[type=range]").first
    slider.evaluate("s => { s.value = -1; s.dispatchEvent(new Event('input')); }")
    figure.settle()
    assert hand.get_attribute("d") == before
    figure.page.evaluate("document.querySelector('.live-stage').scrollIntoView()")
    expect(hand).not_to_have_attribute("d", before or "")
    figure.settle()
    CHECKS["elbow"](figure)


def on_a_phone_a_slider_moves_though_its_picture_is_out_of_sight(figure: Figure) -> None:
    with figure.on_a_phone():
        row = figure.host.locator(".live-row:visible").last
        slider, box = (row.locator(f"input[type={kind}]") for kind in ("range", "number"))
        place, value = slider.input_value(), box.input_value()
        stage = figure.host.locator(".live-stage")
        stage.evaluate("stage => window.scrollBy(0, stage.getBoundingClientRect().bottom + 1)")
        expect(stage).not_to_be_in_viewport()
        expect(slider).to_be_in_viewport()
        figure.page.evaluate(FRAMES)  # by then the figure has heard of it
        slider.dispatch_event("keydown", {"key": "ArrowRight"})  # pressed, it would bring the picture back
        expect(box).not_to_have_value(value)
        expect(slider).not_to_have_value(place)


def basins_shown(page: Page) -> tuple[int, list[float]]:
    """Starts per side of the last complete pass, % that lead nowhere, mean steps, % of neighbours that end apart."""
    told = page.locator(".live-shares")
    expect(told).to_contain_text(re.compile(r"of (125|250|500|1000) ×"))
    nowhere, side, _, *rest = re.findall(r"\d+(?:\.\d+)?", re.sub(r"q₂ . 0", "", told.inner_text()))
    return int(side), [float(number) for number in (nowhere, *rest)]


def a_click_chooses_a_start_and_the_map_counts_what_the_study_counts(figure: Figure) -> None:
    expect(figure.page.locator(".live-shares")).to_contain_text("neither: < 0.1 % of")
    side, shown = basins_shown(figure.page)
    figure.leave()  # in sight the map goes on to a million starts
    basins = live.BasinFigure().basins(side)
    assert 0 < basins.shares[0] < 0.001
    assert np.abs(np.subtract(shown[1:], (basins.mean_steps, 100 * basins.apart))).max() <= 0.07
    figure.see()
    place = figure.host.locator(".live-over").bounding_box()
    assert place is not None
    figure.page.mouse.click(place["x"] + 0.4 * place["width"], place["y"] + 0.6 * place["height"])
    figure.settle()
    assert figure.box_values()[2:] != [57.0, 143.0]
    CHECKS["basin"](figure)
    for name, value in (("start q₁", 0), ("start q₂", 0)):
        figure.type_value(name, value)
    assert "without a solution" in figure.says
    CHECKS["basin"](figure)


def a_few_starts_are_not_rounded_to_none(figure: Figure) -> None:
    figure.set({"damping": 3.15})
    told = figure.page.locator(".live-shares")
    expect(told).to_contain_text(re.compile(r"neither: > 99\.9 % of \d+ × \d+ starts; the others take \d"))
    expect(told).to_contain_text("Neighbours with different outcomes: < 0.1 %.")


def what_is_half_typed_stays_while_the_map_is_drawn(figure: Figure) -> None:
    chosen(figure, "method", "LM, Chan")  # another map, which is not whole yet
    box = figure.host.locator(".live-row", has_text="start q₁").locator("input[type=number]")
    box.fill("12")
    done = figure.host.locator(".live-progress")
    before = done.evaluate("bar => bar.value")
    figure.page.wait_for_function("before => document.querySelector('.live-progress').value > before", arg=before)
    assert box.input_value() == "12"
    box.press("Enter")
    figure.settle()
    CHECKS["basin"](figure)


def no_start_is_computed_out_of_sight(figure: Figure) -> None:
    figure.page.evaluate(
        "() => { window.orders = []; const send = Worker.prototype.postMessage;"
        "Worker.prototype.postMessage = function (order) { window.orders.push(order); send.call(this, order); }; }"
    )
    figure.page.evaluate("window.scrollTo(0, document.body.scrollHeight)")
    figure.page.wait_for_function("window.orders.at(-1)?.run === false")
    figure.see()
    figure.page.wait_for_function("window.orders.at(-1).run === true")


def a_path_is_played_and_its_jumps_are_marked(figure: Figure) -> None:
    chosen(figure, "path", "from home")
    CHECKS["path"](figure)
    ways = live.PathFigure().paths
    way = ways["from home"]
    places = (np.flatnonzero(way.moves > JUMP) + 1) / PARTS
    assert len(places) > 0 and all(f"s = {s:.3f}" in figure.says for s in places)
    bands = figure.host.locator(".live-leap").get_attribute("d") or ""
    assert bands.count("M") == len(places)
    scrubber = figure.host.get_by_role("slider", name="step", exact=True)
    scrubber.focus()
    figure.page.keyboard.press("Home")
    figure.settle()
    chosen(figure, "path", "screw")
    assert figure.says.startswith("s = 0.000: the tip is 0.0 mm off")
    figure.host.get_by_role("button", name="one step forward").click()
    figure.settle()
    assert f"s = 0.025: the tip is {1e3 * ways['screw'].off[1]:.1f} mm off" in figure.says
    scrubber.focus()
    for key in ("End", "ArrowLeft", "ArrowLeft"):
        figure.page.keyboard.press(key)
    figure.host.get_by_role("button", name="Play").click()
    expect(figure.host.locator(".live-step")).to_have_text("s = 1.000")
    expect(figure.host.get_by_role("button", name="Play")).to_be_visible()


GIVE = """async (load, text) => {
    const said = load.closest('.live-host').querySelector('.live-refused'), input = load.querySelector('[type=file]');
    said.textContent = 'waits';
    const told = new DataTransfer();
    told.items.add(new File([text.replace(/^fill/, ' '.repeat(2 ** 23))], 'robot.urdf'));
    input.files = told.files;
    input.dispatchEvent(new Event('change', { bubbles: true }));
    while (said.textContent === 'waits') await new Promise(requestAnimationFrame);
    return said.textContent;
}"""
"""Choose a file without a detour through the driver, to which a large one takes seconds; returns what is said."""


def choose_file(figure: Figure, text: str, name: str = "mine.urdf") -> str:
    """Choose a file in the page, and return the error message."""
    told = {"name": name, "mimeType": "text/xml", "buffer": text.encode("utf8")}
    figure.host.locator(".live-refused").evaluate("p => { p.textContent = 'waits'; }")
    figure.host.locator("input[type=file]").set_input_files([told])
    expect(figure.host.locator(".live-refused")).not_to_have_text("waits")
    figure.settle()
    return figure.host.locator(".live-refused").inner_text()


def a_urdf_of_ones_own_is_read_and_solved_as_in_python(figure: Figure) -> None:
    text = robots.urdf_file("two_arms").read_text("utf8")
    assert choose_file(figure, text) == ""
    assert "two_arms, 8 joints. The target is reached" in figure.says
    expect(figure.host.get_by_role("button", name="Link")).to_be_hidden()
    for role, link in (("base", "right_hand"), ("tip", "left_upper_arm")):
        chosen(figure, role, link)
    chain = robots.from_urdf(text, "right_hand", "left_upper_arm")
    start = np.radians(figure.box_values()[-chain.dof :])
    near = chain.forward_kinematics(start + 0.2)
    place, turn = near[:3, 3].round(2), np.degrees(lie.log_se3(near)[:3]).round()
    figure.host.get_by_role("button", name="More", exact=True).click()
    for name, value in zip(("wx", "wy", "wz", "x", "y", "z"), (*turn, *place), strict=True):
        box = figure.host.locator(f"[data-name='{name}'] input[type=number]")
        box.fill(str(value))
        box.press("Enter")
    figure.see()
    words = ", ".join(f"{axis} {at:.2f} m" for axis, at in zip("xyz", place, strict=True)).replace("-", "−")
    expect(figure.handle("target")).to_have_attribute("aria-valuetext", words)
    target = lie.exp_se3([*np.radians(turn), 0.0, 0.0, 0.0])
    target[:3, 3] = place
    check_any_robot(figure, chain, *solve_as_page(chain, target, start, 0.1, True))
    figure.host.get_by_role("button", name="Reset").click()
    figure.settle()
    assert "The target is reached" in figure.says
    slide = robot(TWO_LINKS + joint(kind="prismatic"))
    figure.host.locator(".live-stage").evaluate(
        "(stage, text) => { const dataTransfer = new DataTransfer();"
        " dataTransfer.items.add(new File([text], 'slide.urdf'));"
        " stage.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true })); }",
        slide,
    )
    expect(figure.host.locator(".live-says")).to_contain_text("r, 1 joint. The target is reached")


def rows_of_ones_own_are_drawn_and_solved_and_bad_ones_named(figure: Figure) -> None:
    figure.host.get_by_text("Type Denavit-Hartenberg rows").click()
    box, show = figure.host.get_by_label("Denavit-Hartenberg rows"), figure.host.get_by_role("button", name="Show this")
    rows = [tuple(float(word.replace("90°", f"{np.pi / 2}")) for word in line.split()) for line in ROWS.splitlines()]
    for convention in ("standard", "modified"):
        figure.host.get_by_label("convention").select_option(convention)
        show.click()
        figure.settle()
        chain = robots.from_dh(rows, convention, joint_names=[f"joint {i}" for i in range(1, 7)])
        x, y, z, damping, wx, wy, wz, *start = figure.box_values()
        target = lie.exp_se3([*np.radians([wx, wy, wz]), 0.0, 0.0, 0.0])
        target[:3, 3] = x, y, z
        check_any_robot(figure, chain, *solve_as_page(chain, target, np.radians(start), damping, True))
        assert figure.says.startswith(f"{convention} table, 6 joints.")
    assert not figure.host.get_by_label("base", exact=True).count()
    before = figure.says
    box.fill("0 0 1\n0 0 one")
    show.click()
    expect(figure.host.locator(".live-refused")).to_contain_text("got 'one' in line 2")
    assert figure.says == before


def a_broken_or_hostile_file_is_refused_and_the_previous_robot_is_still_shown(figure: Figure) -> None:
    """Some of those that test_any_chain.py gives to the page under Node, here by the browser's own parser."""
    before = figure.says
    told = {"<robot": "is not well-formed XML: ", f"fill{robot('<link/>')}": r"robot\.urdf must have at most 8\.4 MB"}
    told |= dict([NO_ROBOT["two axes"], NO_NUMBERS["NaN"]])
    for text, words in told.items():
        refusal = figure.host.locator(".live-load").first.evaluate(GIVE, text)
        assert re.search(words, refusal), refusal
        assert refusal.endswith("The previous robot is still shown.")
        assert figure.says == before
    CHECKS["robot"](figure)
    evil = "&lt;img src=x onerror=alert(1)>&lt;script>alert(2)&lt;/script>"
    named = f'<robot name="{evil}"><link name="a"/><link name="b"/>{joint(name=evil, limit=LIMIT)}</robot>'
    assert choose_file(figure, named) == ""
    assert figure.says.startswith("<img src=x onerror=alert(1)><script>")
    assert figure.host.locator(".live-figure img, .live-figure script").count() == 0
    assert "NaN" not in figure.host.locator(".live-figure").inner_text()


def an_arrow_extends_beyond_the_picture_only_where_it_is_cut(figure: Figure) -> None:
    figure.set({"s1": 30, "s2": -120, "t1": 60, "t2": -30})
    assert "beyond the picture" in figure.says
    figure.page.set_viewport_size({"width": 1366, "height": 768})  # a picture wider than its bounds
    figure.see()
    assert "beyond the picture" not in figure.says
    figure.page.set_viewport_size(DESKTOP)
    figure.see()


def a_direction_is_lost_only_where_the_pseudoinverse_ignores_it(figure: Figure) -> None:
    for folded in (180.0, 180.0 - 1e-8):
        figure.set({"error": "position only", "s1": 0, "s2": folded, "t1": 30, "t2": 120})
        turned = "0.0°" if folded == 180.0 else "57.3°"
        assert figure.says.startswith(f"Step 1 turns the joints by {turned} and −57.3°.")
        assert ("J has lost a direction" in figure.says) == (folded == 180.0)


OWN_STEPS: dict[str, tuple[Callable[[Figure], None], ...]] = {
    "newton": (
        an_arrow_extends_beyond_the_picture_only_where_it_is_cut,
        a_direction_is_lost_only_where_the_pseudoinverse_ignores_it,
    ),
    "elbow": (nothing_is_drawn_out_of_sight,),
    "robot": (
        on_a_phone_a_slider_moves_though_its_picture_is_out_of_sight,
        a_broken_or_hostile_file_is_refused_and_the_previous_robot_is_still_shown,
        rows_of_ones_own_are_drawn_and_solved_and_bad_ones_named,
        a_urdf_of_ones_own_is_read_and_solved_as_in_python,
    ),
    "basin": (
        a_click_chooses_a_start_and_the_map_counts_what_the_study_counts,
        a_few_starts_are_not_rounded_to_none,
        what_is_half_typed_stays_while_the_map_is_drawn,
        no_start_is_computed_out_of_sight,
    ),
    "path": (a_path_is_played_and_its_jumps_are_marked,),
}
"""By figure, in an order: another robot stays until the page is left."""
