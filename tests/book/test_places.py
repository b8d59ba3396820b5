"""Where a question asks for a place in the live figure, every place is judged once more, by the library and by hand.

`TRUTHS` gives for each question many places, as the values of the figure's controls, and says of each which choice of
the question it is. What the figure itself tells of a place is compared with `facts` in tests/live/in_the_book.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

import nbformat
import numpy as np
import pytest
from test_questions import LESSONS, questions

from lessons_lib import lie, robots
from lessons_lib.course.live.figure import LiveFigure, from_reference
from lessons_lib.course.live.saved import REFERENCE
from lessons_lib.differential_ik import Configuration, ManipulabilityTask, middle_gradient, prioritized_rates
from lessons_lib.robots import UR10_DH

Values = dict[str, float]
Truth = Iterator[tuple[Values, str]]
PLACES = {name: question for name, question in questions().items() if question.kind == "place"}
TRUTHS: dict[str, Callable[[], Truth]] = {}
RNG = np.random.default_rng(16)
PLANAR, UR10 = robots.planar_2r(), robots.ur10()
RARE = {"a start that leads nowhere": "only a stretched or a folded arm, of which a last bit decides"}
"""Choices that no computed place is, and why."""


def truth(name: str) -> Callable[[Callable[[], Truth]], Callable[[], Truth]]:
    """Enter what gives places and, of each, the first words of the choice that it is."""

    def enter(given: Callable[[], Truth]) -> Callable[[], Truth]:
        TRUTHS[name] = given
        return given

    return enter


@lru_cache
def figure(name: str) -> LiveFigure:
    """The live figure of a question's page, with the values that the question holds."""
    cells = nbformat.read(LESSONS[name[:2]], as_version=4).cells
    outputs = [output for cell in cells for output in cell.get("outputs", []) if "data" in output]
    references = [output["data"][REFERENCE] for output in outputs if REFERENCE in output["data"]]
    place = PLACES[name].place
    assert place is not None
    asked: dict[str, Any] = {**place.held, **place.moved}
    (reference,) = [one for one in references if asked.keys() <= from_reference(one).values.keys()]
    return from_reference({"figure": reference["figure"], "arguments": {**reference["arguments"], **asked}})


def chosen(name: str, values: Values) -> str:
    """The words of the choice that a place is, by the facts of the figure."""
    shown = figure(name)
    for control, value in values.items():
        setattr(shown, control, value)
    facts = shown.facts
    return next(choice.words for choice in PLACES[name].choices if choice.region.holds(facts))


@truth("01-folded")
def _() -> Truth:
    def postures(distance: float) -> np.ndarray:
        return robots.planar_2r_solutions((distance, 0.0), 1.0, 0.6)

    for distance, way in zip(RNG.uniform(0.0, 2.2, 400), RNG.uniform(-np.pi, np.pi, 400), strict=True):
        near, far = (postures(max(distance + off, 0.0)) for off in (-0.02, 0.02))
        if len(near) != len(far):
            stretched = np.abs(np.concatenate([near, far])[0, 1]) < np.pi / 2
            words = "on the outer edge" if stretched else "anywhere on the inner edge"
        elif len(far):
            words = "between the edges"
        else:
            words = "in the hole" if len(postures(1.0)) and distance < 1.0 else "outside the ring"
        yield {"x": distance * np.cos(way), "y": distance * np.sin(way)}, words


@truth("08-arrives")
def _() -> Truth:
    goal = np.array([30.0, 90.0])
    T_sd = PLANAR.forward_kinematics(np.radians(goal))
    lone = [goal + off * way for way in np.eye(2) for off in (-170, -100, -60, 60, 80)]
    for q in [*lone, *RNG.integers(-180, 181, (40, 2)).astype(float)]:
        off = np.abs((q - goal + 180) % 360 - 180)
        T_sb = PLANAR.forward_kinematics(np.radians(q))
        step = np.linalg.pinv(PLANAR.body_jacobian(np.radians(q))) @ lie.log_se3(lie.inverse(T_sb) @ T_sd)
        left = lie.log_se3(lie.inverse(PLANAR.forward_kinematics(np.radians(q) + step)) @ T_sd)
        arrives = np.linalg.norm(left[3:]) <= 0.02 and np.linalg.norm(np.degrees(left[:3])) <= 2
        assert not arrives or off.max() < 60 or off.min() <= 3, "one joint is right, but for the tolerance"
        words = "where one joint is right" if arrives else "where both joints are wrong"
        yield dict(zip(("s1", "s2"), q, strict=True)), "within 60°" if off.max() < 60 else words


@truth("09-lost")
def _() -> Truth:
    start = np.array([0.0, -70, 90, -60, 70, 0])
    links = np.abs(UR10_DH[1][0] * UR10_DH[2][0])  # m²
    regular = robots.singular_values(UR10.body_jacobian(np.radians(start)))[-1]
    for joint, angle in [(joint, angle) for joint in range(6) for angle in range(-180, 181, 4)]:
        q = start.copy()
        q[joint] = angle
        if angle == start[joint]:
            continue  # nothing was moved
        J_b = UR10.body_jacobian(np.radians(q))
        elbow, wrist = np.abs(np.sin(np.radians(q[[2, 4]])))
        factors = {"joint 5": wrist / 0.03, "joint 3": elbow / 0.03}
        if min(factors.values()) > 1.0:  # by claim 9.8 the determinant has one more factor
            factors["joint 2 or 3"] = np.abs(np.linalg.det(J_b)) / (links * elbow * wrist) / 0.02
        words = next((name for name, part in factors.items() if part <= 1.0), "anywhere else")
        least = robots.singular_values(J_b)[-1] / regular
        assert least > 0.02 if words == "anywhere else" else least < 0.03, f"{q}: {words}, {least:.3f} of what it was"
        if joint in (0, 5):
            assert np.isclose(least, 1.0)
            words = "joint 1 or joint 6"
        yield {f"q{i}": float(entry) for i, entry in enumerate(q, 1)}, words


@truth("12-other")
def _() -> Truth:
    T_sd = np.eye(4)
    T_sd[0, 3] = 1.4

    def residual(q: np.ndarray) -> np.ndarray:
        """The linear part of the twist that is missing, in the plane of the arm."""
        return np.asarray(lie.log_se3(lie.inverse(PLANAR.forward_kinematics(q)) @ T_sd))[3:5]

    def end(q: np.ndarray) -> np.ndarray | None:
        """Where Newton ends, with slopes from differences."""
        for _ in range(60):
            if np.linalg.norm(missing := residual(q)) < 1e-8:
                return (q + np.pi) % (2 * np.pi) - np.pi
            slopes = np.transpose([(residual(q + off) - residual(q - off)) / 2e-6 for off in 1e-6 * np.eye(2)])
            if abs(np.linalg.det(slopes)) < 1e-6:
                return None
            q = q - np.linalg.solve(slopes, missing)
        return None

    examples = [np.array(example) for example in ((-60.0, -20.0), (60.0, -90.0))]
    for start in [*examples, *RNG.integers(-179, 180, (80, 2)).astype(float)]:
        ends = [end(np.radians(start) + off) for off in (0.0, 1e-6)]
        if start[1] == 0.0 or any(found is None for found in ends) or not np.allclose(*ends, atol=1e-3):
            continue  # a last bit decides
        keeps = "near the stretched arm" if ends[0][1] > 0 else "elsewhere"
        yield dict(zip(("q1", "q2"), start, strict=True)), "a start with" if start[1] > 0 else keeps


@truth("14-straight")
def _() -> Truth:
    first, turn = UR10.forward_kinematics(np.radians([-130, -70, 95, -115, -90, 0]))[:3, 3], np.radians(120)
    d_1, d_4, d_5, d_6 = (UR10_DH[i][2] for i in (0, 3, 4, 5))
    arm, s = -UR10_DH[1][0] - UR10_DH[2][0], np.linspace(0, 1, 41)

    def turned(angle: float, p: np.ndarray) -> np.ndarray:
        return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) @ p

    def on_the_screw(shift: np.ndarray) -> np.ndarray:
        """The tip goes round an upright axis, and evenly up."""
        beyond = (first + shift)[:2] - turned(turn, first[:2])
        axis = np.linalg.solve(np.eye(2) - turned(turn, np.eye(2)), beyond)
        arc = [axis + turned(angle, first[:2] - axis) for angle in turn * s]
        return np.column_stack([arc, first[2] + s * shift[2]])

    def is_reached(tips: np.ndarray) -> bool:
        """The hand hangs all the way, so its wrist is known: from joint 2 the arm reaches it, or is too short."""
        far = np.hypot(*tips[:, :2].T)
        level, height = np.sqrt(np.maximum(far**2 - d_4**2, 0)) - d_5, tips[:, 2] + d_6 - d_1
        return bool(far.min() > d_4 and np.hypot(level, height).max() < arm)

    places = RNG.uniform((-1.6, -1.6, -0.3), (0.8, 0.8, 0.8), (150, 3))
    places[:90, :2] = RNG.uniform(-0.3, 0.3, (90, 2)) * RNG.uniform(0, 1, (90, 1))
    places[90:100, :2] = -0.9, -0.1
    for shift in places.round(2):
        tips, level = on_the_screw(shift), np.linalg.norm(shift[:2])
        off = np.linalg.norm(np.cross(tips - first, shift), axis=1).max() / np.linalg.norm(shift)
        assert off <= 0.29 * level + 1e-9, "29 % of the level distance"
        words = "straight above" if off <= 0.01 else "nearly above" if off <= 0.1 else "anywhere else"
        if words == "anywhere else" and np.allclose(shift[:2], (-0.9, -0.1)):
            words = "at the old place"
        if not is_reached(tips):
            words = "out of the arm's reach"
        if np.linalg.norm(shift) < 0.099:  # a millimetre is given
            words = "where the tip began"
        yield dict(zip(("dx", "dy", "dz"), shift.tolist(), strict=True)), words


@truth("15-same")
def _() -> Truth:
    arm, tree = robots.panda(), robots.load_urdf(robots.urdf_file("panda"))
    ready = np.array([0, -0.3, 0, -2.2, 0, 2, np.pi / 4])
    T, uphill, shown = arm.forward_kinematics(ready), ManipulabilityTask("panda_link8", tree), figure("15-same")

    def turn(q: np.ndarray, z: np.ndarray) -> float:
        """How fast the elbow swings while the tip stays, °/s."""
        step = 1e-6 * prioritized_rates([(arm.body_jacobian(q), np.zeros(6))], z)
        return float(np.degrees(robots.arm_angle(arm, q + step) - robots.arm_angle(arm, q - step)) / 2e-6)

    turning = {sign * (at + off) for sign in (1, -1) for at in (28, 94, 124) for off in (-1, 0, 1, 2)}
    for angle in sorted({*range(-150, 151, 5), *range(-5, 6), *turning}):
        shown.swing = float(angle)
        q = shown.q
        assert np.allclose(arm.forward_kinematics(q), T) and np.isclose(np.degrees(robots.arm_angle(arm, q)), angle)
        down = turn(q, -3 * middle_gradient(q, arm.limits))
        up = turn(q, 100 * uphill.compute_jacobian(Configuration(tree, q))[0])
        same = "near the elbow above" if abs(angle) < 29 else "beyond a maximum"
        alike = down * up > 1e-9  # at the elbow above one of them is a rounding
        assert alike is (abs(angle) > 94 or (abs(angle) < 29 and angle not in (-1, 0))), "as the reasons say"
        words = same if alike else "anywhere else"
        if min(abs(down), abs(up)) <= 0.7:
            words = "where one of them rests"
        if (q < arm.limits[:, 0]).any() or (q > arm.limits[:, 1]).any():
            words = "past the end"
        yield {"swing": float(angle)}, words


@pytest.mark.parametrize("name", PLACES)
def test_each_place_is_judged_by_the_choice_that_holds_of_it(name: str) -> None:
    judged = [(words, chosen(name, values), values) for values, words in TRUTHS[name]()]
    assert [case for case in judged if not case[1].startswith(case[0])] == []
    met = {words for _, words, _ in judged}
    assert met >= {choice.words for choice in PLACES[name].choices} - RARE.keys()


@pytest.mark.parametrize("name", PLACES)
def test_a_question_for_a_place_begins_at_a_wrong_one_and_moves_what_the_figure_has(name: str) -> None:
    place, shown = PLACES[name].place, figure(name)
    assert place is not None
    starts = {control.name: control.start for control in shown.controls}
    assert place.held.keys() | place.moved.keys() <= starts.keys() and not place.held.keys() & place.moved.keys()
    begun = chosen(name, {control: float(value) for control, value in place.moved.items()})
    assert begun in [choice.words for choice in PLACES[name].choices if not choice.right]


def test_every_place_that_is_asked_for_is_computed_in_four_lessons_or_more() -> None:
    assert PLACES.keys() == TRUTHS.keys(), "each question for a place gets a `@truth` here, and no other name"
    assert len({name[:2] for name in PLACES}) >= 4
