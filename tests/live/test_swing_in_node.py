"""The self-motion as JavaScript under Node agrees with the library: a thousand configurations, and whole postures."""

from typing import Any

import numpy as np
import pytest
from node import in_front, in_node

from lessons_lib import robots
from lessons_lib.course.redundancy.live import READY, SwingFigure
from lessons_lib.differential_ik import (
    Configuration,
    ManipulabilityTask,
    middle_cost,
    middle_gradient,
    prioritized_rates,
)

CASES = 1000
TOLERANCE = 1e-12  # relative
SLOPE = 1e-7  # of central differences with steps of 1e-5 rad, whose rounding is 1e-11
CONDITION = 50.0  # of J: of what is worse the pseudoinverse magnifies rounding beyond the tolerance, in Python as well


@pytest.fixture(scope="module")
def figure() -> SwingFigure:
    return SwingFigure()


@pytest.fixture(scope="module")
def postures(figure: SwingFigure) -> np.ndarray:
    rng, found = np.random.default_rng(51), []
    while len(found) < CASES:
        q = figure.chain.random_configuration(rng)
        if np.linalg.cond(figure.chain.body_jacobian(q)) < CONDITION:
            found.append(q)
    return np.array(found)


def called(figure: SwingFigure, name: str, *inputs: Any) -> list[dict[str, Any]]:
    return in_node(
        figure.specification["source"],
        name,
        [[np.asarray(one).tolist() for one in case] for case in zip(*inputs, strict=True)],
    )


def off(found: list[dict[str, Any]], name: str, expected: Any) -> float:
    """The largest difference, relative to the size of the expected values, or to 1."""
    told, wanted = (
        np.array(values, dtype=float).reshape(CASES, -1) for values in ([one[name] for one in found], expected)
    )
    return float((np.abs(told - wanted).max(axis=1) / np.maximum(1.0, np.abs(wanted).max(axis=1))).max())


def test_the_arm_angle_its_points_and_its_slope(figure: SwingFigure, postures: np.ndarray) -> None:
    chain, found = figure.chain, called(figure, "elbow_kernel", postures)
    assert off(found, "points", [robots.elbow_points(chain, q) for q in postures]) <= TOLERANCE
    angles = [np.arctan2(*one["pair"]) for one in found]
    expected = np.array([robots.arm_angle(chain, q) for q in postures])
    turns = (np.array(angles) - expected) / (2 * np.pi)
    assert np.abs(turns - turns.round()).max() <= TOLERANCE
    for q, one in list(zip(postures, found, strict=True))[:100]:
        if np.hypot(*one["pair"]) < 1e-2:
            continue  # close to where there is no arm angle
        ends = [[robots.arm_angle(chain, q + sign * 1e-5 * unit) for sign in (1, -1)] for unit in np.eye(7)]
        differences = [np.remainder(a - b + np.pi, 2 * np.pi) - np.pi for a, b in ends]
        np.testing.assert_allclose(one["row"][0], np.array(differences) / 2e-5, rtol=SLOPE, atol=SLOPE)


def test_the_step_has_the_pose_first_and_the_arm_angle_second(figure: SwingFigure, postures: np.ndarray) -> None:
    rng = np.random.default_rng(52)
    J = np.array([figure.chain.body_jacobian(q) for q in postures])
    P, rows = np.linalg.pinv(J), rng.normal(size=(CASES, 1, 7))
    V, wanted, z = rng.normal(size=(CASES, 6)), rng.normal(size=(CASES, 1)), rng.normal(size=(CASES, 7))
    tasks = list(zip(J, V, rows, wanted, strict=True))
    steps = [prioritized_rates([(a, b), (c, d)]) for a, b, c, d in tasks]
    assert off(called(figure, "swing_kernel", J, P, rows, V, wanted), "d", steps) <= 100 * TOLERANCE
    rates = [prioritized_rates([(a, np.zeros(6))], one) for a, one in zip(J, z, strict=True)]
    found = called(figure, "descent_kernel", J, P, rows, z)
    assert off(found, "rates", rates) <= TOLERANCE
    assert off(found, "turn", [row @ one for row, one in zip(rows, rates, strict=True)]) <= TOLERANCE


def test_both_objectives_and_their_gradients(figure: SwingFigure, postures: np.ndarray) -> None:
    chain, limits = figure.chain, figure.chain.limits
    found = called(figure, "middle_kernel", postures)
    assert off(found, "value", [middle_cost(q, limits) for q in postures]) <= TOLERANCE
    assert off(found, "gradient", [middle_gradient(q, limits) for q in postures]) <= TOLERANCE
    J = np.array([chain.body_jacobian(q) for q in postures])
    found = called(figure, "measure_kernel", J, np.linalg.pinv(J))
    assert off(found, "value", [robots.manipulability(each) for each in J]) <= TOLERANCE
    tree = robots.load_urdf(robots.urdf_file("panda"))
    task = ManipulabilityTask("panda_link8", tree)
    expected = [task.compute_jacobian(Configuration(tree, q))[0] for q in postures]
    assert off(found, "gradient", expected) <= TOLERANCE


def test_the_page_finds_the_postures_of_python(figure: SwingFigure) -> None:
    program = """
    import { loadKernels } from "front/kernels";
    import { Swing } from "course/redundancy/swing_model";
    const swing = new Swing(loadKernels(told.source), "panda", told.ready);
    return swing.follow(told.ready, 150, 3).map(({ q, twist }) => [q, twist]);
    """
    found = in_front(program, {"source": figure.specification["source"], "ready": READY})
    for angle, (q, twist) in zip(np.arange(-150.0, 151.0, 3.0), found, strict=True):
        figure.swing = float(angle)
        np.testing.assert_allclose(q, figure.q, rtol=0, atol=1e-9)
        assert np.abs(twist).max() <= TOLERANCE
    assert np.degrees(robots.arm_angle(figure.chain, figure.q)) == pytest.approx(150.0, abs=1e-9)


def test_the_answer_agrees_with_both_objectives_and_the_limit_of_joint_2(figure: SwingFigure) -> None:
    chain, values = figure.chain, {}
    for angle in (-96.0, -94.0, -92.0, -30.0, -28.0, -4.0, -2.0, 0.0, 2.0, 28.0, 30.0, 92.0, 94.0, 96.0):
        figure.swing = angle
        q = figure.q
        values[angle] = middle_cost(q, chain.limits), robots.manipulability(chain.body_jacobian(q))
    assert values[-2.0][0] < min(values[-4.0][0], values[0.0][0])
    for sign in (1, -1):
        assert values[sign * 94.0][1] > max(values[sign * 92.0][1], values[sign * 96.0][1])
        assert values[sign * 94.0][1] > values[0.0][1] > values[sign * 2.0][1] > values[sign * 28.0][1]
        figure.swing = sign * 124.0
        chain.check_within_limits(figure.q)
        figure.swing = sign * 125.0
        assert np.flatnonzero((figure.q < chain.limits[:, 0]) | (figure.q > chain.limits[:, 1])).tolist() == [1]
