"""What single live figures say and do, at their edges above all, compared with Python."""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO

import numpy as np
import pytest
from figure_checks import CHECKS
from figure_page import FRAMES, SHOWN, Figure, chosen, in_python, told_to
from PIL import Image
from playwright.sync_api import Locator, Page, expect
from urdf_refused import NO_NUMBERS, NO_ROBOT, NOT_XML
from urdf_texts import LIMIT, TWO_LINKS, joint, robot, with_macro

from lessons_lib import lie, robots
from lessons_lib.course import live
from lessons_lib.course.bring_your_robot.check import check_any_robot
from lessons_lib.course.bring_your_robot.live import ROWS, solved
from lessons_lib.course.paths.live import JUMP, PARTS
from lessons_lib.course.singularities.live import POSTURES

PURPLE = (0x9B, 0x44, 0x80)
"""The colour of one of the four paths, and of nothing else in that picture."""


def what_the_2r_cannot_reach_is_explained(figure: Figure) -> None:
    for values, words in {
        (2.0, 1.0, 0.7): "too far, the ring ends at 1.70 m",
        (0.1, 0.0, 0.7): "too near, the ring begins at 0.30 m",
        (0.0, 0.0, 0.7): "too near",
        (1.7, 0.0, 0.7): "the arm is stretched",
        (-0.3, 0.0, 0.7): "the arm is folded",
    }.items():
        for name, value in zip(("target x", "target y", "link L₂"), values, strict=True):
            figure.typed(name, value)
        assert words in figure.says, values
        CHECKS["elbow"](figure)


def nothing_is_drawn_out_of_sight(figure: Figure) -> None:
    with figure.amid_its_page():
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
    with figure.amid_its_page(), figure.on_a_phone():
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


def equal_links_folded_onto_the_base_may_point_anywhere(figure: Figure) -> None:
    for name, value in (("link L₂", 1.0), ("target x", 0.0), ("target y", 0.0)):
        figure.typed(name, value)
    assert "any angle" in figure.says
    assert figure.host.locator(".live-pale:visible").count() == 12


def the_wall_grows_and_a_box_goes_on_past_half_a_turn(figure: Figure) -> None:
    assert figure.says.startswith("No arrow within the wall")
    figure.typed("radius of the wall", 180)
    assert figure.says.endswith("Opposite points of the wall meet: they are one rotation.")
    begun = figure.table()["turn θa"]
    for _ in range(3):
        figure.drag("box", 60, 0)
    turned, trailed = figure.state, picture_of(figure)
    assert turned["turn"] > 180, "the arrow follows beyond the wall"
    CHECKS["logarithm"](figure)
    for values in ({**turned, "turn": 0}, turned):
        figure.host.evaluate("(host, values) => host.live.state.set(values)", values)
        figure.settle()
    there = np.sum(np.abs(picture_of(figure) - trailed).max(axis=2) > 12)
    assert there > 40, "pixels: a trail has been left, and one that jumps leaves none"
    for _ in range(3):
        figure.drag("box", -60, 0)
    assert np.abs(np.subtract(figure.table()["turn θa"], begun)).max() < 0.1  # rad: a degree of each control
    front = np.array([3.5, -4.7, 2.7]) / np.linalg.norm([3.5, -4.7, 2.7])  # towards the reader
    right = np.cross([0.0, 0.0, 1.0], front)
    before = told_to(figure, in_python("LogarithmFigure")).rotation
    figure.drag("box", 40, -30)
    way = told_to(figure, in_python("LogarithmFigure")).rotation @ before.T @ front - front
    assert way @ right > 0.1 and way @ np.cross(front, right) > 0.1, "the front of the box goes with the pointer"
    figure.drag("tip of the arrow", 10, -10)
    CHECKS["logarithm"](figure)
    figure.typed("turn", 360)
    figure.typed("radius of the wall", 360)
    assert figure.says == "A whole turn is none: log R has vanished. All the wall is one rotation, I."
    assert "NaN" not in figure.host.inner_text()


def only_what_is_behind_a_joint_is_swept_and_each_entry_says_what_it_is(figure: Figure) -> None:
    grid = figure.host.get_by_role("grid", name="space Jacobian")

    def changed() -> list[str]:
        return grid.locator("tr:first-child .live-changed").all_inner_texts()

    assert changed() == ["3", "4", "5", "6"]
    figure.typed("joint 4", -20)
    assert changed() == ["5", "6"]
    figure.typed("joint 4", -30)
    assert changed() == ["5", "6"]
    figure.typed("joint 6", 30)
    assert changed() == []
    grid.locator("td").nth(3 * 6 + 3).hover()
    figure.settle()
    assert figure.says.startswith("vx of joint 4 is")
    CHECKS["columns"](figure)
    grid.locator(".live-chosen").focus()
    said = []
    for key in ("ArrowDown", "ArrowDown", "ArrowLeft", "ArrowLeft", "ArrowLeft", *["ArrowUp"] * 4):
        figure.page.keyboard.press(key)
        figure.settle()
        said.append(figure.says)
        CHECKS["columns"](figure)
    assert said[0] == "vy of joint 4 is 0: line 4 is parallel to the y axis."
    assert said[4] == "vz of joint 1 is 0: line 1 is parallel to the z axis."
    assert said[-1].startswith("ωy of joint 1 is 0.00: the cosine")
    for _ in range(2):
        figure.page.keyboard.press("ArrowUp")
    figure.settle()
    assert figure.says == "Line 1: no joint carries it, and column 1 never changes."
    figure.host.get_by_role("button", name="Reset").click()
    figure.settle()
    assert changed() == ["3", "4", "5", "6"]
    point_at_a_line(figure)


def point_at_a_line(figure: Figure) -> None:
    """Just beyond the name of a line, on its way to the middle, the pointer lights it."""
    label = figure.host.locator(".live-label3d", has_text="2").bounding_box()
    assert label is not None
    figure.page.mouse.move(label["x"] + 0.5 * label["width"] - 14, label["y"] + 0.5 * label["height"] - 10)
    figure.settle()
    assert figure.says == "Line 2 is carried by joint 1, and by no other."


def a_choice_changes_the_robot_and_shows_its_seventh_joint(figure: Figure) -> None:
    row = figure.host.locator(".live-row", has_text="joint 7")
    expect(row).to_be_hidden()
    figure.host.get_by_label("model", exact=True).select_option(label="Panda, rows read as standard")
    figure.settle()
    expect(row).to_be_visible()
    CHECKS["model"](figure)


def at_each_singularity_the_push_that_no_joint_feels_is_told(figure: Figure) -> None:
    for name in ("elbow", "wrist", "shoulder"):
        figure.begin()
        at_a_singularity_the_push_that_no_joint_feels_is_told(figure, name)


def at_a_singularity_the_push_that_no_joint_feels_is_told(figure: Figure, name: str) -> None:
    figure.host.get_by_role("button", name=name, exact=True).click()
    figure.settle()
    CHECKS["singularity"](figure)
    assert figure.says.startswith(f"Singular: {name}")
    assert ("N mm for each newton" in figure.says) is (name == "elbow")
    assert figure.held() == pytest.approx(POSTURES[name], abs=1e-4)
    chosen(figure, "the hand is", "free: it may turn")
    free = robots.singular_values(robots.ur10().body_jacobian(np.radians(POSTURES[name])), "translation")
    assert f"{free[-1]:.3f} m/rad" in figure.says
    assert "NaN" not in figure.host.inner_text()


def damping_pays_on_the_ur10_and_each_way_has_its_word(figure: Figure) -> None:
    chosen(figure, "arm", "UR10")
    expect(figure.host.locator(".live-row", has_text="start, joint 1")).to_be_hidden()
    panels = figure.host.locator(".live-panel-words")
    words, tones = panels.all_inner_texts(), panels.evaluate_all("all => all.map(one => one.dataset.tone)")
    assert tones[0] == "bad" and words[2].startswith("converged in 168 steps")
    result = live.DampingFigure().solve(0.125)
    largest = np.abs(np.diff(result.trace.q, axis=0)).max()
    assert words[1] == f"converged in {result.iterations} steps, the largest {largest:.2f} rad"
    figure.host.get_by_label("target out of reach").check()
    figure.typed("damping", 0.5)
    assert figure.host.locator(".live-panel-words").nth(1).inner_text().startswith("became stationary after")
    figure.typed("damping", 0)
    assert "λ = 0 the solve did not converge" in figure.says
    assert "NaN" not in figure.host.inner_text()


def every_dot_of_the_chart_has_the_colour_of_its_largest_step(figure: Figure) -> None:
    chosen(figure, "arm", "UR10")
    python = live.DampingFigure()
    rungs = json.loads(figure.host.locator("script").text_content() or "")["data"]["ladder"]
    looks = [
        dot.get_attribute("class") or ""
        for dot in figure.host.locator(".live-chart").last.locator(".live-dot:not(.live-chosen)").all()
    ]
    assert len(looks) == len(rungs) + 1  # λ = 0 has a place
    for rung, look in list(zip(rungs, looks[1:], strict=True))[20:]:  # with less damping the last bit decides
        result = python.solve(rung)
        largest = np.abs(np.diff(result.trace.q, axis=0)).max()
        assert f"live-{'green' if largest <= 1 else 'vermilion' if largest <= 2 * np.pi else 'purple'}" in look
        assert ("live-never" in look) is not result.converged


def a_race_is_stepped_through_and_its_scrubber_ends_where_the_race_does(figure: Figure) -> None:
    steps, scrubber = figure.host.locator(".live-step"), figure.host.get_by_role("slider", name="step", exact=True)
    assert (steps.inner_text(), scrubber.get_attribute("max")) == ("step 5 of 5", "5")
    scrubber.focus()
    figure.page.keyboard.press("Home")
    figure.host.get_by_role("button", name="one step on").click()
    figure.settle()
    assert steps.inner_text() == "step 1 of 5"
    trace = live.RaceFigure().solve(1).trace
    assert abs(figure.rows()[0][2] - 1e3 * trace.position_errors[1]) <= 10 * SHOWN
    figure.host.get_by_role("button", name="Play").click()
    expect(steps).to_have_text("step 5 of 5")
    expect(figure.host.get_by_role("button", name="Play")).to_be_visible()
    figure.typed("start, joint 2 s₂", 120)
    count = max(live.RaceFigure(s2=120.0).solve(which).iterations for which in (1, 2))
    assert steps.inner_text() == f"step {count} of {count}"


def a_program_is_run_line_by_line_and_shows_where_a_value_is_used(figure: Figure) -> None:
    player = figure.host.get_by_role("slider", name="step", exact=True)
    player.focus()
    figure.page.keyboard.press("Home")
    figure.settle()
    assert figure.says.startswith("Nothing has run yet")
    assert set(figure.host.locator(".live-code-number").all_inner_texts()) == {""}
    for _ in range(4):
        figure.page.keyboard.press("ArrowRight")
    figure.settle()
    assert figure.says == "x0 is 0.2588. It costs 1 operation and is used in 4 lines."
    panes = figure.host.locator(".live-code")
    lit = [pane.locator(".live-uses code").all_inner_texts() for pane in panes.all()]
    assert [len(lines) for lines in lit] == [4, 4]
    assert all("x0" in line for lines in lit for line in lines)
    cut_off = "panes => panes.map(pane => pane.scrollWidth - pane.clientWidth)"
    assert panes.evaluate_all(cut_off) == [0, 0]
    panes.first.locator(".live-code-line", has_text="const t1").click()
    figure.settle()
    assert figure.says == "t1 waits. It costs 2 operations and is used in 3 lines."
    chosen(figure, "arm", "UR10")
    CHECKS["source"](figure)
    assert panes.evaluate_all(cut_off) == [0, 0]
    assert figure.host.locator(".live-reading td").all_inner_texts() == ["122", "122", "39,039"]


def newton_is_stepped_through_and_a_point_near_the_stretched_arm_makes_it_leap(figure: Figure) -> None:
    step = figure.host.get_by_role("button", name="one step on")
    CHECKS["newton"](figure, 0)
    step.click()
    figure.settle()
    CHECKS["newton"](figure, 1)
    for _ in range(2):
        step.click()
    figure.settle()
    assert figure.says.startswith("Newton converged in 3 steps")
    chosen(figure, "error", "pose, space frame")
    CHECKS["newton"](figure)
    chosen(figure, "error", "point alone")
    CHECKS["newton"](figure)
    figure.typed("start, joint 2", 3)
    assert "At the arrow's end the distance would be 0 mm" in figure.says and "is chance" in figure.says
    CHECKS["newton"](figure)
    figure.typed("start, joint 2", 0)
    assert "The arm is stretched: J has lost a direction" in figure.says
    CHECKS["newton"](figure)
    for name, value in (("target, joint 1", 0), ("target, joint 2", 0)):
        figure.typed(name, value)
    assert figure.says == "The start is the target: nothing is to be done."


def on_the_ur10_newton_leaps_and_a_target_out_of_reach_is_told(figure: Figure) -> None:
    chosen(figure, "arm", "UR10")
    assert figure.host.locator(".live-says").get_attribute("data-tone") == "bad"
    chosen(figure, "blue", "LM Chan, D = λE")
    figure.typed("target z", 2.0)
    assert "LM Chan, D = λE did not converge" in figure.says or "off." in figure.says
    assert "NaN" not in figure.host.inner_text()


def weights_of_zero_are_told_and_no_bar_is_left(figure: Figure) -> None:
    figure.typed("weight of ωz", 0)
    assert "All that counts is reached" in figure.says
    CHECKS["weights"](figure)
    for name in ("vx", "vy"):
        figure.typed(f"weight of {name}", 0)
    assert "nothing is asked" in figure.says
    texts = figure.host.locator(".live-bar-number").all_inner_texts()
    assert set(texts) <= {"–", ""}
    chosen(figure, "arm", "UR10")
    assert "nothing is asked" not in figure.says
    CHECKS["weights"](figure)
    tool = figure.host.locator("[data-name=tool] select")
    expect(tool).to_have_value("weights of your own")
    chosen(figure, "tool", "gripper of 100 mm")
    held = [figure.state[f"{half}_{axis}"] for half in ("omega", "v") for axis in "xyz"]
    assert held == [0.0067] * 3 + [1] * 3 and "56." in figure.says
    CHECKS["weights"](figure)
    figure.typed("weight of vz", 2)
    expect(tool).to_have_value("weights of your own")


def basins_shown(page: Page) -> tuple[int, list[float]]:
    """Starts a side of the last whole pass, and the parts in percent: q₂ > 0, q₂ < 0, neither; then the mean steps."""
    told = page.locator(".live-shares")
    expect(told).to_contain_text(re.compile(r"of (125|250|500|1000) ×"))
    *parts, side, _, steps = re.findall(r"\d+(?:\.\d+)?", re.sub(r"q₂ . 0", "", told.inner_text()))
    return int(side), [float(number) for number in (*parts, steps)]


def a_click_chooses_a_start_and_the_map_counts_what_the_study_counts(figure: Figure) -> None:
    with figure.amid_its_page():
        side, shown = basins_shown(figure.page)
        figure.leave()  # in sight the map goes on to a million starts
        basins = live.BasinFigure().basins(side)
        nowhere, positive, negative = (100 * share for share in basins.shares)
        assert np.abs(np.subtract(shown, (positive, negative, nowhere, basins.mean_steps))).max() <= 0.07
        figure.see()
        place = figure.host.locator(".live-over").bounding_box()
        assert place is not None
        figure.page.mouse.click(place["x"] + 0.4 * place["width"], place["y"] + 0.6 * place["height"])
        figure.settle()
        assert figure.held()[2:] != [57.0, 143.0]
        CHECKS["basin"](figure)
        for name, value in (("start q₁", 0), ("start q₂", 0)):
            figure.typed(name, value)
        assert "became stationary" in figure.says
        CHECKS["basin"](figure)


def what_is_half_typed_stays_while_the_map_is_drawn(figure: Figure) -> None:
    chosen(figure, "method", "LM, Chan")  # another map, which is not whole yet
    box = figure.host.locator(".live-row", has_text="start q₁").locator("input[type=number]")
    box.fill("12")
    done = figure.host.locator(".live-progress")
    before = done.evaluate("bar => bar.value")
    figure.page.wait_for_function("before => document.querySelector('.live-progress').value > before", arg=before)
    assert box.input_value() == "12"
    box.press("Enter")
    CHECKS["basin"](figure)


def no_start_is_computed_out_of_sight(figure: Figure) -> None:
    with figure.amid_its_page():
        figure.page.evaluate(
            "() => { window.orders = []; const send = Worker.prototype.postMessage;"
            "Worker.prototype.postMessage = function (order) { window.orders.push(order); send.call(this, order); }; }"
        )
        figure.page.evaluate("window.scrollTo(0, document.body.scrollHeight)")
        figure.page.wait_for_function("window.orders.at(-1)?.run === false")
        figure.see()
        figure.page.wait_for_function("window.orders.at(-1).run === true")


def a_path_is_played_and_its_jumps_are_marked(figure: Figure) -> None:
    chosen(figure, "path", "alone")
    CHECKS["path"](figure)
    ways = live.PathFigure().paths
    way = ways["alone"]
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
    figure.host.get_by_role("button", name="one step on").click()
    figure.settle()
    assert f"s = 0.025: the tip is {1e3 * ways['screw'].off[1]:.1f} mm off" in figure.says
    scrubber.focus()
    for key in ("End", "ArrowLeft", "ArrowLeft"):
        figure.page.keyboard.press(key)
    figure.host.get_by_role("button", name="Play").click()
    expect(figure.host.locator(".live-step")).to_have_text("s = 1.000")
    expect(figure.host.get_by_role("button", name="Play")).to_be_visible()


def a_path_that_leaves_the_arms_reach_ends_there(figure: Figure) -> None:
    for way in ("joints", "alone", "screw"):
        chosen(figure, "path", way)
        figure.typed("shift Δy", 0.8)
        CHECKS["path"](figure)
    reached = len(live.PathFigure(dy=0.8).paths["screw"].q)
    assert figure.says == f"A pose is not reached: “screw” ends before s = {reached / PARTS:.3f}."
    assert "NaN" not in figure.host.inner_text()


def a_wall_past_the_tip_asks_for_a_retreat_until_nothing_is_allowed(figure: Figure) -> None:
    figure.typed("wall y", 0.9)
    assert figure.says.startswith("The tip is 208 mm past the wall. Held by speed of joint 2 up")
    CHECKS["limits"](figure)
    figure.typed("gain", 20)
    figure.typed("wall y", 0.85)
    assert "the polygon is empty" in figure.says
    assert "NaN" not in figure.host.inner_text()
    CHECKS["limits"](figure)


def accelerations_are_further_rows_and_the_last_rates_can_be_dragged(figure: Figure) -> None:
    expect(figure.handle("rates of the last step")).to_be_hidden()
    chosen(figure, "limits", "these, and accelerations")
    assert "acceleration of joint 2 up" in figure.says
    before = figure.held()
    figure.drag("rates of the last step", -20, -20)
    assert figure.held() != before
    CHECKS["limits"](figure)


def lanes_are_refilled_or_wait_and_their_ticks_are_stepped_through(figure: Figure) -> None:
    figure.typed("serial share", 0.01)  # so that tick 40 lies behind it
    before = figure.table()["1 core"][0]
    figure.host.get_by_label("takes the next pose").uncheck()
    figure.settle()
    assert figure.table()["1 core"][0] > before
    CHECKS["lanes"](figure)
    figure.host.get_by_role("slider", name="step", exact=True).focus()
    figure.page.keyboard.press("Home")
    figure.settle()
    assert "the serial part, and all 16 lanes wait" in figure.says
    for _ in range(40):
        figure.host.get_by_role("button", name="one step on").click()
    figure.settle()
    python = told_to(figure, in_python("LanesFigure"))
    begins = python.schedule(4).begins
    now = 40 - (python.time(1) - python.schedule(1).ticks)  # after the serial part
    at_work = int(np.sum((begins < now) & (now <= begins + python.steps)))
    assert figure.says == f"Tick 40: {at_work} of 16 lanes are at work, {16 - at_work} idle."


def below_all_borders_no_joint_objects_and_too_steep_a_curve_is_an_acceleration(figure: Figure) -> None:
    over = figure.host.locator(".live-curve.live-thick")
    assert [bool(path.get_attribute("d")) for path in over.all()] == [True, False]
    for i, speed in enumerate((1.87, 0.79, 0.30, 0.90, 1.87)):
        figure.typed(f"speed {i + 1}", speed)
    assert figure.says == "No joint objects. The way takes 2.85 s."
    assert [path.get_attribute("d") or "" for path in over.all()] == ["", ""]
    CHECKS["timing"](figure)
    figure.typed("speed 4", 2.3)
    assert re.match(r"Joint 1 objects most: .* it would be accelerated by .* rad/s², and may by 6\.", figure.says)
    CHECKS["timing"](figure)
    figure.typed("line", 0.05)
    figure.typed("hand", 0)
    assert "NaN" not in figure.host.inner_text()
    CHECKS["timing"](figure)


def a_loop_stops_is_mended_and_swings_when_it_is_late(figure: Figure) -> None:
    assert figure.says.startswith("The arm would stop at 0.03 s: joint 1 is asked for 24 rad/s².")
    figure.host.locator("select").select_option("1 nm")
    figure.settle()
    assert figure.says.startswith("The hand is at most 0.24 mm off.")
    CHECKS["servo"](figure)
    for name, value in (("rate", 50), ("delay", 3), ("gain", 24)):
        figure.typed(name, value)
    assert "Gain times cycle is 0.480; a loop that is 3 cycles late swings from 0.445 on." in figure.says
    CHECKS["servo"](figure)
    figure.host.get_by_label("tell the speed as well").uncheck()
    figure.typed("bits of the encoder", 8)
    figure.typed("delay", 0)
    figure.typed("time", 2.5)
    assert "NaN" not in figure.host.inner_text()
    CHECKS["servo"](figure)


def an_elbow_beyond_the_limits_is_told_and_its_objectives_end_where_the_lesson_does(figure: Figure) -> None:
    figure.typed("arm angle", 130)
    assert "joint 2 (−105°) would be past its end" in figure.says
    assert figure.host.locator(".live-bar.live-vermilion").count() == 1
    CHECKS["swing"](figure)
    figure.typed("arm angle", -1.7)
    assert "H is at its minimum" in figure.says or abs(figure.table()["descent of H"][1]) < 1.0


def costs_say_their_squares_and_limits_are_lit_step_by_step(figure: Figure) -> None:
    label = figure.host.locator(".live-row", has_text="left cost").locator("label")
    assert label.inner_text().endswith("κ² = 9")
    figure.typed("left cost", 0.5)
    assert label.inner_text().endswith("κ² = 0.25")
    lines = "label => label.getBoundingClientRect().height / parseFloat(getComputedStyle(label).lineHeight)"
    assert max(name.evaluate(lines) for name in figure.host.locator(".live-label").all()) < 2.5
    figure.begin()
    assert "At the end of its range: right shoulder roll." in figure.says
    figure.host.get_by_role("slider", name="step", exact=True).focus()
    figure.page.keyboard.press("Home")
    figure.settle()
    assert figure.says.startswith("Before step 1 the left hand is off by")
    lit = figure.host.locator(".live-lights td.live-green")
    assert lit.count() == len(live.HandsFigure().walk().active[0]) == 2
    assert set(lit.all_inner_texts()) == {"speed"}
    figure.typed("damping", 0)
    assert "still moves" in figure.says
    figure.typed("left cost", 0)
    figure.typed("right cost", 0)
    assert "No hand has a cost" in figure.says
    chosen(figure, "the hands are", "constraints")
    assert figure.says.startswith("After 0 steps no step within the limits keeps both constraints")
    expect(figure.host.locator(".live-row", has_text="left cost")).to_be_hidden()
    for name, value in (("gain", 0.1), ("left target x", 0.63), ("right target x", 0.63)):
        figure.typed(name, value)
    walk = live.HandsFigure(hands="constraints", gain=0.1, left_x=0.63, right_x=0.63).walk()
    assert figure.says == f"Both hands are there after {len(walk.q) - 1} steps."
    figure.typed("left target x", 0.64)
    figure.typed("right target x", 0.64)
    assert "the robot stops" in figure.says
    assert "NaN" not in figure.host.inner_text()


def a_quadruped_falls_stands_again_and_says_what_its_legs_cannot_do(figure: Figure) -> None:
    for name, value in (("height", 0.3), ("left y", 0.0), ("yaw", 0)):
        figure.typed(name, value)
    chosen(figure, "lifted foot", "rear left")
    assert figure.says.startswith("It falls: the centre of mass is 9 mm outside")
    figure.typed("forward", 0.05)
    figure.typed("left y", -0.03)
    assert figure.says.startswith("It stands: ")
    CHECKS["stance"](figure)
    chosen(figure, "lifted foot", "none")
    figure.typed("forward", 0)
    figure.typed("left y", 0)
    figure.drag("height of the trunk", 0, 200)
    assert figure.held()[2] == 0.08
    assert "At the end of its range: front left knee" in figure.says
    CHECKS["stance"](figure)
    figure.typed("height", 0.4)
    figure.typed("forward", 0.1)
    assert "Stretched legs: " in figure.says
    CHECKS["stance"](figure)


SIX_LINKS = "".join(f'<link name="l{i}"/>' for i in range(7))


def hinge(i: int) -> str:
    """Return one of six hinges whose axes are skew."""
    axis, place = f"{1 + i % 2} {i - 2} {1 + i * i % 3}", f"0.{i + 1} 0.{3 * i % 5} 0.2"
    return joint(f'<origin xyz="{place}"/><axis xyz="{axis}"/>', f"j{i}", "continuous", "", (f"l{i}", f"l{i + 1}"))


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


def given(figure: Figure, text: str, name: str = "mine.urdf") -> str:
    """Choose a file in the page; returns what is said against it."""
    told = {"name": name, "mimeType": "text/xml", "buffer": text.encode("utf8")}
    figure.host.locator(".live-refused").evaluate("p => { p.textContent = 'waits'; }")
    figure.host.locator("input[type=file]").set_input_files([told])
    expect(figure.host.locator(".live-refused")).not_to_have_text("waits")
    figure.settle()
    return figure.host.locator(".live-refused").inner_text()


def a_point_out_of_reach_is_told_by_how_much(figure: Figure) -> None:
    figure.typed("target x", 1.5)
    assert "The point is out of reach (proven): by" in figure.says
    CHECKS["robot"](figure)
    figure.host.get_by_role("button", name="Reset").click()
    figure.settle()


def the_form_is_told_by_the_axes_and_answers_are_counted_and_drawn(figure: Figure) -> None:
    known, picture = figure.host.locator(".live-known"), figure.host.locator("canvas").first
    python = told_to(figure, in_python("RobotFigure"))
    assert "with joint 7 locked, axes 3, 2 and 1 meet in one point, 6 and 5 meet" in known.inner_text()
    assert f"The pose has {len(python.answers)} answers" in known.inner_text()
    before = picture.screenshot()
    figure.host.get_by_label("every answer").check()
    figure.settle()
    assert picture.screenshot() != before
    text = robots.urdf_file("ur10").read_text("utf8").replace('robot name="ur10"', 'robot name="nobody"')
    assert given(figure, text) == ""
    assert "nobody: axes 2, 3 and 4 are parallel, 5 and 6 meet. The pose has" in known.inner_text()
    skew = robot(SIX_LINKS + "".join(hinge(i) for i in range(6)))
    assert given(figure, skew) == ""
    assert known.inner_text() == "r: six revolute joints without a closed form: at most sixteen solutions."
    narrow = re.sub(r'lower="[^"]*" upper="[^"]*"', 'lower="-0.001" upper="0.001"', text)
    assert given(figure, narrow) == ""
    figure.typed("target x", 0.5)
    assert "Joint limits exclude it (suspected): without limits there are" in figure.says
    figure.host.get_by_role("button", name="panda", exact=True).click()
    figure.settle()


def a_ball_vanishes_beyond_one_half_and_returns_with_newtons_step(figure: Figure) -> None:
    figure.typed("arm, joint 1", 40)
    assert "Nothing is shown: h is" in figure.says
    CHECKS["ball"](figure)
    figure.handle("step").press("End")
    figure.settle()
    assert "Exactly one solution is within" in figure.says
    figure.host.get_by_role("button", name="Reset").click()
    figure.settle()


def the_foot_of_the_body_frame_is_none_at_the_base(figure: Figure) -> None:
    assert figure.says.endswith("stands at 90.0° to the patch.")
    figure.typed("frame", 1)
    CHECKS["projection"](figure)
    assert not figure.says.endswith("stands at 90.0° to the patch.")
    for row, degrees in (("arm, joint 1", -60), ("arm, joint 2", 120)):
        figure.typed(row, degrees)
    CHECKS["projection"](figure)
    assert figure.says.endswith("the linear model leaves nothing.")
    figure.host.get_by_role("button", name="Reset").click()
    figure.settle()


def a_whole_turn_closes_the_chain_and_no_turn_stretches_it(figure: Figure) -> None:
    figure.typed("turn", 360)
    figure.typed("number of pushes", 5)
    CHECKS["pushes"](figure)
    assert "5 pushes miss the body's place by 0.000 m" in figure.says
    assert figure.table()["sum"] == [0.0, 0.0]
    figure.typed("turn", 0)
    CHECKS["pushes"](figure)
    assert figure.table()["sum"] == figure.table()["v for a second"]
    shown = figure.host.locator(".live-arrow.live-blue .live-head:visible").count()
    assert shown == 5
    figure.host.get_by_role("button", name="Reset").click()
    figure.settle()


def the_level_sets_touch_at_the_step_and_the_bead_moves_it(figure: Figure) -> None:
    ellipse, circle = (
        figure.host.locator(f".live-picture path.live-curve.live-{name}") for name in ("blue", "vermilion")
    )
    outlines = [
        np.array(
            line.evaluate(
                "it => Array.from({length: 2000}, (_, k) => { const p = it.getPointAtLength("
                "k / 2000 * it.getTotalLength()); return [p.x, p.y]; })"
            )
        )
        for line in (ellipse, circle)
    ]
    gaps = np.linalg.norm(outlines[0][:, None] - outlines[1], axis=2)
    centre = outlines[1].mean(axis=0)
    radius = np.linalg.norm(outlines[1] - centre, axis=1).mean()
    assert gaps.min() < 1.0  # they meet, in pixels
    assert (np.linalg.norm(outlines[0] - centre, axis=1) > radius - 1.0).all()  # and do not cross
    before = figure.table()
    figure.handle("bead on the curve").press("ArrowLeft")
    figure.settle()
    assert figure.table() != before
    CHECKS["tradeoff"](figure)
    figure.host.get_by_role("button", name="Reset").click()
    figure.settle()


def a_urdf_of_ones_own_is_read_and_solved_as_in_python(figure: Figure) -> None:
    text = robots.urdf_file("two_arms").read_text("utf8")
    assert given(figure, text) == ""
    assert "two_arms, 8 joints. The target is reached" in figure.says
    expect(figure.host.get_by_role("button", name="Link")).to_be_hidden()
    for role, link in (("base", "right_hand"), ("tip", "left_upper_arm")):
        chosen(figure, role, link)
    chain = robots.from_urdf(text, "right_hand", "left_upper_arm")
    start = np.radians(figure.held()[-chain.dof :])
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
    check_any_robot(figure, chain, *solved(chain, target, start, 0.1, True))
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
        chain = robots.from_dh(rows, convention, joint_names=[f"joint {i}" for i in range(1, 7)])  # type: ignore[arg-type]
        x, y, z, damping, wx, wy, wz, *start = figure.held()
        target = lie.exp_se3([*np.radians([wx, wy, wz]), 0.0, 0.0, 0.0])
        target[:3, 3] = x, y, z
        check_any_robot(figure, chain, *solved(chain, target, np.radians(start), damping, True))
        assert figure.says.startswith(f"{convention} table, 6 joints.")
    assert not figure.host.get_by_label("base", exact=True).count()
    before = figure.says
    box.fill("0 0 1\n0 0 one")
    show.click()
    expect(figure.host.locator(".live-refused")).to_contain_text("line 2 holds 'one'")
    assert figure.says == before


OURS = re.compile("document type|nests elements|begins with|is not read")
"""Refusals in our words; what is not well-formed has the browser's."""


def files_that_are_broken_or_hostile_get_their_sentence_and_what_was_shown_stays(figure: Figure) -> None:
    before = figure.says
    told = {
        name: (text, words if OURS.search(words) else "is not well-formed XML: ")
        for name, (text, words) in NOT_XML.items()
    }
    del told["unknown encoding"]  # a browser reads UTF-8
    told |= {name: NO_ROBOT[name] for name in ("two axes", "name without end", "no link")}
    told |= {"NaN": NO_NUMBERS["NaN"], "no joint": (robot('<link name="a"/>'), "no joint of 'r' moves 'a' against 'a'")}
    told["large"] = (f"fill{robot('<link/>')}", r"robot\.urdf has more than 8\.4 MB")
    for name, (text, words) in told.items():
        refusal = figure.host.locator(".live-load").first.evaluate(GIVE, text)
        assert re.search(words, refusal), (name, refusal)
        assert refusal.endswith("What was shown before stays.")
        assert figure.says == before
    CHECKS["robot"](figure)
    evil = "&lt;img src=x onerror=alert(1)>&lt;script>alert(2)&lt;/script>"
    named = f'<robot name="{evil}"><link name="a"/><link name="b"/>{joint(name=evil, limit=LIMIT)}</robot>'
    assert given(figure, named) == ""
    assert figure.says.startswith("<img src=x onerror=alert(1)><script>")
    assert figure.host.locator(".live-figure img, .live-figure script").count() == 0
    assert "NaN" not in figure.host.locator(".live-figure").inner_text()
    named = "line 2 of mine.urdf: <xacro:macro> is not read; the program xacro makes a URDF of such a file"
    assert given(figure, with_macro("xacro")) == named
    assert figure.says.startswith("r, 1 joint")


class Asked:
    """A question, answered in its figure."""

    def __init__(self, figure: Figure, name: str) -> None:
        self.figure = figure
        self.question: Locator = figure.page.locator(f"#predict-{name}")

    def bring(self) -> None:
        self.press("Answer in the figure")
        assert self.question.locator(".live-host").count() == 1
        assert [self.figure.host.locator(part).is_hidden() for part in (".live-says", ".live-charts")] == [True, True]

    def put_back(self) -> None:
        self.press("Put the figure back")
        assert self.question.locator(".live-host").count() == 0 and self.figure.host.locator(".live-says").is_visible()

    def press(self, button: str) -> None:
        self.question.get_by_role("button", name=button).press("Enter")
        self.figure.settle()

    def after(self, *keys: str) -> str:
        """Press keys in the handle that has the focus, and answer."""
        for key in (*keys, "Enter"):
            self.figure.page.keyboard.press(key)
        self.figure.settle()
        return self.question.locator(".predict-said").inner_text()


@contextmanager
def asked(figure: Figure, name: str) -> Iterator[Asked]:
    """Bring the figure to a question, alone with it on the page, and put it back."""
    question = Asked(figure, name)
    with figure.amid_its_page():
        question.bring()
        with figure.alone(question.question):
            yield question
        question.put_back()


def picture_of(figure: Figure) -> np.ndarray:
    """The picture, the last of two, shape (rows, columns, 3)."""
    figure.page.evaluate(FRAMES)
    shot = figure.host.locator(".live-panel-picture").last.screenshot()
    return np.asarray(Image.open(BytesIO(shot)).convert("RGB"), dtype=int)


def pixels_of(figure: Figure, colour: tuple[int, int, int]) -> int:
    """How many pixels of the picture are nearly of a colour."""
    return int(np.sum(np.abs(picture_of(figure) - colour).max(axis=2) < 12))


def the_last_pose_is_carried_above_the_first_and_no_path_is_seen_before(figure: Figure) -> None:
    assert pixels_of(figure, PURPLE) > 20
    with asked(figure, "14-straight") as question:
        assert pixels_of(figure, PURPLE) == 0
        assert question.after("Shift+ArrowLeft").startswith("Not this. The axis of the screw is upright and stands")
        assert pixels_of(figure, PURPLE) > 20
        CHECKS["path"](figure)
    with asked(figure, "14-straight") as question:
        nearer = question.after(*["Shift+ArrowLeft"] * 4, *["ArrowLeft"] * 5)
        assert nearer.startswith("Not this. The detour is smaller here")
        assert question.after(*["ArrowDown"] * 5).startswith("Right. The axis of the screw is upright")
        CHECKS["path"](figure)


SWUNG = {
    "Shift+ArrowRight": {
        1: r"Not this. Here \(m\) rises to the side",
        6: "Right. Both lead back",
        9: "Not this. The tip would stay",
    },
    "Shift+ArrowLeft": {
        3: r"Right. \(H\) is least there",
        4: "Not this. One of the two",
        14: "Right. Both lead back",
    },
}
"""In lesson 15's question: a key, how often it is pressed from where the figure begins, and what is said."""


def the_elbow_is_swung_to_where_both_objectives_lead_it_the_same_way(figure: Figure) -> None:
    for key, said in SWUNG.items():
        figure.begin()
        with asked(figure, "15-same") as question:
            pressed = 0
            for count, words in said.items():
                assert question.after(*[key] * (count - pressed)).startswith(words), (key, count)
                CHECKS["swing"](figure)
                pressed = count


OWN_STEPS: dict[str, tuple[Callable[[Figure], None], ...]] = {
    "elbow": (
        what_the_2r_cannot_reach_is_explained,
        nothing_is_drawn_out_of_sight,
        equal_links_folded_onto_the_base_may_point_anywhere,
    ),
    "robot": (
        a_point_out_of_reach_is_told_by_how_much,
        the_form_is_told_by_the_axes_and_answers_are_counted_and_drawn,
        on_a_phone_a_slider_moves_though_its_picture_is_out_of_sight,
        files_that_are_broken_or_hostile_get_their_sentence_and_what_was_shown_stays,
        rows_of_ones_own_are_drawn_and_solved_and_bad_ones_named,
        a_urdf_of_ones_own_is_read_and_solved_as_in_python,
    ),
    "projection": (the_foot_of_the_body_frame_is_none_at_the_base,),
    "pushes": (a_whole_turn_closes_the_chain_and_no_turn_stretches_it,),
    "tradeoff": (the_level_sets_touch_at_the_step_and_the_bead_moves_it,),
    "ball": (a_ball_vanishes_beyond_one_half_and_returns_with_newtons_step,),
    "logarithm": (the_wall_grows_and_a_box_goes_on_past_half_a_turn,),
    "columns": (only_what_is_behind_a_joint_is_swept_and_each_entry_says_what_it_is,),
    "model": (a_choice_changes_the_robot_and_shows_its_seventh_joint,),
    "singularity": (at_each_singularity_the_push_that_no_joint_feels_is_told,),
    "damping": (
        damping_pays_on_the_ur10_and_each_way_has_its_word,
        every_dot_of_the_chart_has_the_colour_of_its_largest_step,
    ),
    "race": (
        a_race_is_stepped_through_and_its_scrubber_ends_where_the_race_does,
        on_the_ur10_newton_leaps_and_a_target_out_of_reach_is_told,
    ),
    "source": (a_program_is_run_line_by_line_and_shows_where_a_value_is_used,),
    "newton": (newton_is_stepped_through_and_a_point_near_the_stretched_arm_makes_it_leap,),
    "weights": (weights_of_zero_are_told_and_no_bar_is_left,),
    "basin": (
        a_click_chooses_a_start_and_the_map_counts_what_the_study_counts,
        what_is_half_typed_stays_while_the_map_is_drawn,
        no_start_is_computed_out_of_sight,
    ),
    "path": (
        a_path_is_played_and_its_jumps_are_marked,
        a_path_that_leaves_the_arms_reach_ends_there,
        the_last_pose_is_carried_above_the_first_and_no_path_is_seen_before,
    ),
    "limits": (
        a_wall_past_the_tip_asks_for_a_retreat_until_nothing_is_allowed,
        accelerations_are_further_rows_and_the_last_rates_can_be_dragged,
    ),
    "lanes": (lanes_are_refilled_or_wait_and_their_ticks_are_stepped_through,),
    "swing": (
        an_elbow_beyond_the_limits_is_told_and_its_objectives_end_where_the_lesson_does,
        the_elbow_is_swung_to_where_both_objectives_lead_it_the_same_way,
    ),
    "hands": (costs_say_their_squares_and_limits_are_lit_step_by_step,),
    "timing": (below_all_borders_no_joint_objects_and_too_steep_a_curve_is_an_acceleration,),
    "servo": (a_loop_stops_is_mended_and_swings_when_it_is_late,),
    "stance": (a_quadruped_falls_stands_again_and_says_what_its_legs_cannot_do,),
}
"""By figure, in an order: another robot stays until the page is left."""
