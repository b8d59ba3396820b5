"""All solutions of closed forms, against an independent product of exponentials and the configurations drawn."""

import math

import numpy as np
import pytest
from arms import PUMA_560, closed_form_arms, from_table, turned_apart, ur10
from scipy.linalg import expm
from six_r_arms import panda_slice

from lessons_lib import lie, pose_ik, robots
from lessons_lib.errors import ConfigurationError, ParameterError, TransformError

ARMS = closed_form_arms()
NEAR_EDGES = (0.0, 1e-15, 1e-12, 1e-9, 1e-6, 1e-4)
ASIDE = np.array([0.3, -0.7, 0.5, 0.9, 1.0, -0.4])


def pose_of(arm, q):
    """Return the pose by SciPy's exponential, which knows nothing of this library."""
    T = np.eye(4)
    for screw, angle in zip(arm.screws.T, q, strict=True):
        T = T @ expm(lie.hat_se3(screw) * angle)
    return T @ arm.home


def is_there(solutions, q, tolerance=1e-6):
    """Return whether a configuration is among the answers, or on one of the families."""
    answers = [*solutions.q, *(family.nearest(q) for family in solutions.families)]
    return any(turned_apart(answer, q) < tolerance for answer in answers)


@pytest.mark.parametrize("arm", ARMS, ids=lambda arm: arm.name)
def test_a_random_pose_has_all_its_answers(arm):
    rng = np.random.default_rng(1)
    for k in range(12):
        q = rng.uniform(-math.pi, math.pi, 6)
        solutions = pose_ik.all_solutions(arm, arm.forward_kinematics(q))
        assert is_there(solutions, q), (k, q)
        assert solutions.residual.max() < 1e-12
        for i, one in enumerate(solutions.q):
            assert all(turned_apart(one, other) > 1e-7 for other in solutions.q[:i])
        assert len(solutions) % 2 == 0 and len(solutions) <= 8
        assert solutions.complete, solutions.reason
    assert np.abs(pose_of(arm, solutions.q[-1]) - solutions.target).max() < 1e-12


@pytest.mark.parametrize("arm", [ARMS[0], ARMS[2]], ids=lambda arm: arm.name)
def test_starts_of_another_solver_find_nothing_that_is_missing(arm):
    rng = np.random.default_rng(2)
    T = arm.forward_kinematics(rng.uniform(-math.pi, math.pi, 6))
    solutions, method = pose_ik.all_solutions(arm, T), pose_ik.LevenbergMarquardt()
    stop = pose_ik.Stop(orientation=1e-10, position=1e-10)
    found = [pose_ik.solve(arm, T, rng.uniform(-3.0, 3.0, 6), method=method, stop=stop) for _ in range(60)]
    reached = [result.q for result in found if result.converged]
    assert len(reached) > 20
    assert all(is_there(solutions, q, 1e-5) for q in reached)


SINGULAR = {
    "home": (0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    "wrist": (0.3, -1.2, 1.4, 0.5, 0.0, 0.7),
    "wrist turned": (0.3, -1.2, 1.4, 0.5, math.pi, 0.7),
    "elbow": (0.3, -1.2, 0.0, 0.5, 1.1, 0.7),
    "elbow and wrist": (0.3, -1.2, 0.0, 0.5, 0.0, 0.7),
    "elbow folded": (0.3, -1.2, math.pi, 0.5, 1.1, 0.7),
}


@pytest.mark.parametrize("aside", NEAR_EDGES)
@pytest.mark.parametrize("name", SINGULAR)
@pytest.mark.parametrize("arm", [ur10(), from_table(PUMA_560, "PUMA 560")], ids=lambda arm: arm.name)
def test_no_answer_is_lost_beside_a_singular_pose(arm, name, aside):
    q = np.array(SINGULAR[name]) + aside * ASIDE
    if arm.name == "PUMA 560" and name.startswith("elbow"):
        q[2] -= math.atan2(0.4318, 0.0203)  # from there the forearm is in line with the upper arm
    solutions = pose_ik.all_solutions(arm, arm.forward_kinematics(q))
    assert solutions.residual.max(initial=0.0) < 1e-12
    # the pose rounds: where both turns are singular that may move its branch, or end it just before
    both = name in ("elbow and wrist", "home") and 0.0 < aside <= 1e-6
    assert is_there(solutions, q, 3e-3 if aside == 1e-12 else 1e-5) or both, solutions
    assert np.isfinite(solutions.q).all()
    for i, one in enumerate(solutions.q):
        assert all(turned_apart(one, other) > 1e-9 for other in solutions.q[:i])
    for family in solutions.families:
        for low, high in family.intervals:
            for value in np.linspace(low, high, 7):
                there = family.at(value)
                assert there[family.joint] == value
                assert np.abs(arm.forward_kinematics(there) - solutions.target).max() < 1e-12


@pytest.mark.parametrize(
    ("which", "q"),
    [
        (
            6,
            (
                0.9442529882946332,
                3.120072150754608,
                -1.289297486907036,
                -0.6387025889447084,
                1.9196736724141847,
                1.7823852277086698,
            ),
        ),
        (
            7,
            (
                -1.1012941887451835,
                -0.23310300944686702,
                -1.9585703060704056,
                2.522133023248264,
                0.9381829532697693,
                -0.7728474464104703,
            ),
        ),
        (
            7,
            (
                -1.101293585751052,
                -0.2331038829796248,
                -1.9585704925913576,
                2.5221321745684335,
                0.9381832604379914,
                -0.7728465478175035,
            ),
        ),
    ],
)
def test_axes_that_are_unit_vectors_to_rounding_only_lose_no_answer_in_silence_where_two_turns_are_singular(which, q):
    """Whether it is found hangs on the last digit of the pose: a double root of a double root."""
    found = 0
    for nudge in np.linspace(-1e-9, 1e-9, 9):
        solutions = pose_ik.all_solutions(ARMS[which], ARMS[which].forward_kinematics(np.array(q) + nudge))
        assert not solutions.complete and "rounding hides" in solutions.reason
        found += is_there(solutions, np.array(q), 2e-5)
    assert found


def test_the_wrist_over_the_shoulders_axis_leaves_the_shoulder_free():
    rows = [list(row) for row in PUMA_560]
    rows[2][2] = 0.0  # no offset aside: the wrist can stand over axis 1
    arm = from_table(rows, "PUMA without an offset")
    for reach in np.linspace(0.9, 1.7, 4):
        # the elbow is turned until the wrist stands over axis 1
        low, high = -math.pi, 0.0
        q = np.array([0.4, reach, 0.0, 0.5, 0.8, -0.3])

        def aside(angle, q=q):
            q[2] = angle
            x = arm.forward_kinematics(q)[:3, 3]
            return float(np.cos(q[0]) * x[0] + np.sin(q[0]) * x[1])

        values = np.linspace(low, high, 400)
        signs = [aside(v) for v in values]
        crossings = [k for k in range(399) if signs[k] * signs[k + 1] < 0.0]
        if not crossings:
            continue
        a, b = values[crossings[0]], values[crossings[0] + 1]
        for _ in range(60):
            middle = 0.5 * (a + b)
            a, b = (middle, b) if aside(middle) * aside(a) > 0.0 else (a, middle)
        aside(a)
        solutions = pose_ik.all_solutions(arm, arm.forward_kinematics(q))
        assert {family.joint for family in solutions.families} == {0}
        assert is_there(solutions, q)
        assert not solutions.complete and "shoulder" in solutions.reason
        return
    raise AssertionError("no such pose was found")


@pytest.mark.parametrize("arm", ARMS[:3], ids=lambda arm: arm.name)
def test_a_pose_out_of_reach_has_no_answer_and_that_is_proven(arm):
    T = arm.forward_kinematics(np.full(6, 0.4))
    T[:3, 3] *= 5.0
    solutions = pose_ik.all_solutions(arm, T)
    assert len(solutions) == 0 and solutions.families == () and solutions.complete
    with pytest.raises(ConfigurationError, match="no solution"):
        solutions.nearest(np.zeros(6))


def test_limits_exclude_solutions():
    arm = robots.ur10()
    T = arm.forward_kinematics([0.3, -1.2, 1.4, 0.5, 0.3, 0.7])
    assert len(pose_ik.all_solutions(arm, T)) == 8
    narrow = arm.with_limits(position=[(-math.pi, math.pi)] * 2 + [(0.0, math.pi)] + [(-math.pi, math.pi)] * 3)
    some = pose_ik.all_solutions(narrow, T)
    assert len(some) == 4 and (some.q[:, 2] >= 0.0).all() and some.complete
    assert len(pose_ik.all_solutions(narrow, T, limits=False)) == 8
    shifted = arm.with_limits(position=[(math.pi, 3 * math.pi)] * 6)
    assert len(pose_ik.all_solutions(shifted, T)) == 8


def test_an_answer_at_a_limit_is_told():
    q = np.array([0.3, -1.2, 1.4, 0.5, 0.3, 0.7])
    arm = ur10().with_limits(position=[(-3.0, q[0]), *([(-math.pi, math.pi)] * 5)])
    solutions = pose_ik.all_solutions(arm, arm.forward_kinematics(q))
    assert is_there(solutions, q, 1e-9)
    assert len(solutions) == 8


@pytest.mark.parametrize("arm", ARMS, ids=lambda arm: arm.name)
def test_names_tell_the_answers_apart(arm):
    rng = np.random.default_rng(3)
    for _ in range(8):
        solutions = pose_ik.all_solutions(arm, arm.forward_kinematics(rng.uniform(-math.pi, math.pi, 6)))
        assert len(set(solutions.names)) == len(solutions)


def test_the_elbow_that_is_called_up_is_the_higher_one():
    arm = ur10()
    solutions = pose_ik.all_solutions(arm, arm.forward_kinematics([0.3, -1.2, 1.4, 0.5, 0.3, 0.7]))
    heights = {}
    for one in solutions:
        first = pose_of(arm.with_tool(np.eye(4)), one.q)  # the tip, only to be sure that it is the same
        assert np.abs(first - solutions.target).max() < 1e-12
        elbow = expm(lie.hat_se3(arm.screws[:, 0]) * one.q[0]) @ expm(lie.hat_se3(arm.screws[:, 1]) * one.q[1])
        heights[one.names] = (elbow @ [-0.612, 0.0, 0.1273, 1.0])[2]
    for shoulder in ("shoulder left", "shoulder right"):
        for wrist in ("wrist flipped", "wrist not flipped"):
            assert heights[shoulder, "elbow up", wrist] > heights[shoulder, "elbow down", wrist]


@pytest.mark.parametrize("factor", [1000.0, 1 / 0.0254])
def test_another_unit_of_length_changes_no_answer(factor):
    arm = ur10()
    screws, home = arm.screws.copy(), arm.home.copy()
    screws[3:] *= factor
    home[:3, 3] *= factor
    other = robots.from_screws(screws, home, limits=arm.limits)
    q = np.array([0.3, -1.2, 1.4, 0.5, 0.3, 0.7])
    here, there = (pose_ik.all_solutions(one, one.forward_kinematics(q)) for one in (arm, other))
    assert np.abs(here.q - there.q).max() < 1e-12 and there.complete


def test_what_is_no_pose_or_no_such_arm_is_refused():
    arm = ur10()
    T = arm.forward_kinematics(np.full(6, 0.4))
    with pytest.raises(TransformError, match="target"):
        pose_ik.all_solutions(arm, 2.0 * T)
    with pytest.raises(TransformError):
        pose_ik.all_solutions(arm, np.full((4, 4), np.nan))
    with pytest.raises(ParameterError, match="five or six revolute joints"):
        pose_ik.all_solutions(robots.from_screws(arm.screws[:, :4], arm.home), T)
    with pytest.raises(ParameterError, match="limits"):
        pose_ik.all_solutions(arm, T, limits=[(0, 1)] * 6)
    with pytest.raises(ParameterError, match="arm"):
        pose_ik.all_solutions("ur10", T)


def test_a_rounded_target_is_the_nearest_pose():
    arm = ur10()
    T = arm.forward_kinematics([0.3, -1.2, 1.4, 0.5, 0.3, 0.7])
    rounded = np.round(T, 8).tolist()
    solutions = pose_ik.all_solutions(arm, rounded)
    R = solutions.target[:3, :3]
    assert np.abs(R.T @ R - np.eye(3)).max() < 1e-14
    assert len(solutions) == 8 and solutions.residual.max() < 1e-12


def test_the_answers_are_read_only_and_the_target_is_a_copy():
    arm = ur10()
    T = arm.forward_kinematics([0.3, -1.2, 1.4, 0.5, 0.3, 0.7])
    solutions = pose_ik.all_solutions(arm, T)
    before = solutions.target.copy()
    T[0, 3] += 1.0
    assert (solutions.target == before).all()
    with pytest.raises(ValueError, match="read-only"):
        solutions.q[0, 0] = 0.0


@pytest.mark.parametrize(
    "q",
    [
        [
            -2.09077187490559,
            -1.946002794420422,
            -0.6153230021298223,
            2.630841425636185,
            0.0137334743262,
            -1.4711709798877,
        ],
        [
            1.186063475900913,
            -1.3483329895512322,
            1.5547614425426572,
            2.03450800319e-05,
            2.7287203696,
            1.327399444659717,
        ],
    ],
)
def test_a_circle_of_a_billionth_tells_where_it_meets_a_large_one(q):
    """The wrist is all but on axis 6: by the large circle alone both answers were one, and far from either."""
    arm = panda_slice(-1.1)
    solutions = pose_ik.all_solutions(arm, arm.forward_kinematics(q))
    assert solutions.residual.max() < 1e-14 and solutions.complete
    assert min(turned_apart(one, q) for one in solutions.q) < 1e-3  # the turn about axis 5 is all but free


def test_a_turn_that_is_free_to_more_digits_only_leaves_its_answer():
    arm, q = panda_slice(-1.1), [-0.488605193429954, 1.3487047801366589e-14, -0.6180850019430042, 2.265693373499089]
    q += [-1.78063301461579, -4.678084812621827e-11]
    solutions = pose_ik.all_solutions(arm, arm.forward_kinematics(q))
    first, third = solutions.q[:, 0] + solutions.q[:, 2], q[0] + q[2]  # only their sum is known
    assert not solutions.complete and not solutions.families and solutions.residual.max() < 1e-13
    assert np.abs(np.remainder(first - third + math.pi, 2 * math.pi) - math.pi).min() < 1e-9
