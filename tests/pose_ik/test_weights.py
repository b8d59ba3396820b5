"""Weights enter the objective: they change the steps, and a zero lets its component go."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.optimize import least_squares

from lessons_lib.errors import ParameterError
from lessons_lib.pose_ik import (
    GaussNewton,
    LevenbergMarquardt,
    NewtonRaphson,
    Restarts,
    Stop,
    TrustRegion,
    evaluate,
    pose,
    solve,
    solve_batch,
)
from lessons_lib.pose_ik.one_pose import solve_in_python
from lessons_lib.pose_ik.weights import active_mask
from lessons_lib.robots import Chain

Errors = Callable[[Chain, np.ndarray, np.ndarray], tuple[float, float]]
POSITION_ONLY = (0, 0, 0, 1, 1, 1)


@pytest.mark.parametrize(
    "method",
    [
        LevenbergMarquardt(derivative="geometric"),
        LevenbergMarquardt(derivative="exact"),
        LevenbergMarquardt(TrustRegion(), derivative="exact"),
    ],
    ids=str,
)
def test_position_only_by_the_twist(ur10: Chain, honest_errors: Errors, method: object) -> None:
    rng = np.random.default_rng(51)
    for solver in (solve_in_python, solve):
        target = ur10.forward_kinematics(ur10.random_configuration(rng))
        result = solver(ur10, target, ur10.random_configuration(rng), goal=pose(POSITION_ONLY), method=method)
        assert result.converged
        distance = np.linalg.norm(ur10.forward_kinematics(result.q)[:3, 3] - target[:3, 3])
        assert distance <= 1e-6
        angle, linear = honest_errors(ur10, result.q, target)
        assert result.orientation_error == pytest.approx(angle) and angle > 1e-3  # reported, though it does not count
        assert distance * (1 - 1e-9) <= linear <= np.pi / 2 * distance * (1 + 1e-9) + 1e-12


def test_position_only_solves_what_no_orientation_allows(planar_2r: Chain) -> None:
    target = np.eye(4)
    target[:3, 3] = [0.5, 0.9, 0.0]
    assert not solve(planar_2r, target, starts=Restarts(3)).converged
    assert solve(planar_2r, target, goal=pose(POSITION_ONLY), method=GaussNewton()).converged


def test_the_exact_derivative_needs_fewer_steps_where_components_are_left_out(ur10: Chain) -> None:
    rng = np.random.default_rng(52)
    targets = np.array([ur10.forward_kinematics(ur10.random_configuration(rng)) for _ in range(100)])
    steps = {}
    for derivative in ("geometric", "exact"):
        method = LevenbergMarquardt(derivative=derivative)
        answers = solve_batch(ur10, targets, goal=pose(POSITION_ONLY), method=method)
        assert answers.converged.all()
        steps[derivative] = answers.iterations.mean()
    assert steps["exact"] < 0.5 * steps["geometric"]


def test_the_weighted_step_minimises_the_weighted_objective(panda: Chain) -> None:
    rng = np.random.default_rng(53)
    weights = np.array([3, 0, 1, 2, 0.5, 1.0])
    here = evaluate(panda, panda.forward_kinematics(panda.random_configuration(rng)), panda.random_configuration(rng))
    damping = 0.3

    def objective(d: np.ndarray) -> float:
        rest = here.jacobian @ d - here.error
        return float(rest @ (weights * rest) + damping * d @ d)

    from lessons_lib.pose_ik import Wampler

    method = pose(weights).of(LevenbergMarquardt(Wampler(damping)))
    best = method.step(here.jacobian, here.error)
    for _ in range(50):
        assert objective(best) < objective(best + 1e-3 * rng.normal(size=7))


def test_large_and_small_weights_together_are_the_same_problem(ur10: Chain) -> None:
    """A common factor cancels in Gauss-Newton's step."""
    target = ur10.forward_kinematics(np.full(6, 0.4))
    here = evaluate(ur10, target, np.full(6, 0.1))
    steps = [pose(np.full(6, factor)).of(GaussNewton()).step(here.jacobian, here.error) for factor in (1e-6, 1.0, 1e6)]
    np.testing.assert_allclose(steps[0], steps[1], rtol=1e-9)
    np.testing.assert_allclose(steps[2], steps[1], rtol=1e-9)


def test_judged_components_are_those_with_a_weight() -> None:
    assert active_mask(pose((0, 1e-9, 2, 0, 0, 1)).of(GaussNewton())).tolist() == [0, 1, 1, 0, 0, 1]
    assert active_mask(NewtonRaphson()).tolist() == [1] * 6


def test_a_position_alone_is_not_said_to_meet_both_tolerances(ur10: Chain) -> None:
    target = ur10.forward_kinematics([0.3, -1.2, 1.5, -1.9, -1.2, 0.4])
    result = solve(ur10, target, goal=pose((0, 0, 0, 1, 1, 1)), method=LevenbergMarquardt())
    assert result.converged and result.orientation_error > 1e-3 and "both" not in result.status.sentence


@pytest.mark.parametrize("solve", [solve_in_python, solve])
@pytest.mark.parametrize("weight", [1e-6, 1e-2, 1.0, 100.0])
def test_out_of_reach_the_answer_is_the_compromise_that_the_weights_ask_for(
    planar_2r: Chain, weight: float, solve: Any
) -> None:
    """The oracle minimises ½ VᵀWV with differences of its own; before, q was the smallest of the two errors in turn."""
    target = np.eye(4)
    target[:2, 3] = [1.5, 0.5]
    weights, start = np.array([weight] * 3 + [1.0] * 3), np.radians([60.0, -70.0])
    oracle = least_squares(lambda q: np.sqrt(weights) * evaluate(planar_2r, target, q).error_twist, start, xtol=1e-15)
    asked = {"goal": pose(weights), "method": LevenbergMarquardt(TrustRegion(), derivative="exact")}
    result = solve(planar_2r, target, start, **asked, starts=Restarts(2), stop=Stop(max_iterations=100))
    assert not result.converged
    assert np.abs(result.q - oracle.x).max() < 1e-5  # SciPy's forward differences are good to 1e-8, at a flat bottom


def test_without_weights_the_answer_is_still_the_lowest_of_the_larger_error(planar_2r: Chain) -> None:
    target = np.eye(4)
    target[:2, 3] = [1.5, 0.5]
    method = LevenbergMarquardt(TrustRegion(), derivative="exact")
    result = solve(planar_2r, target, [0.1, 0.3], method=method, starts=Restarts(0), trace=True)
    stop, iterates = Stop(), result.trace
    scores = np.maximum(iterates.orientation_errors / stop.orientation, iterates.position_errors / stop.position)
    assert result.q == pytest.approx(result.trace.q[int(np.argmin(scores))], abs=1e-12)


def test_both_loops_keep_the_same_compromise(ur10: Chain) -> None:
    target = np.eye(4)
    target[:3, 3] = [1.2, 0.6, 0.4]  # stretched out: the orientation of {s} is more than the arm can do there
    for frame, derivative in (("body", "exact"), ("body", "geometric"), ("space", "geometric")):
        asked = {
            "goal": pose((0.3, 0.3, 0.3, 2.0, 2.0, 2.0)),
            "method": LevenbergMarquardt(TrustRegion(), frame=frame, derivative=derivative),
            "starts": Restarts(0),
            "stop": Stop(max_iterations=8),
        }
        start = np.array([0.2, -0.5, 0.7, -0.3, 0.4, 0.1])
        readable, compiled = (solver(ur10, target, start, **asked) for solver in (solve_in_python, solve))
        assert readable.status is compiled.status
        assert readable.q == pytest.approx(compiled.q, abs=1e-9)  # eight steps of a few radians, rounded differently
        assert readable.position_error == pytest.approx(compiled.position_error, abs=1e-9)


def test_an_endless_tolerance_is_refused_and_the_message_points_to_the_weights() -> None:
    with pytest.raises(
        ParameterError, match="Stop.orientation is inf; .* to leave errors out, give them weights of zero"
    ):
        Stop(orientation=np.inf)


def test_position_only_with_the_geometric_derivative_ends_at_the_rate_that_the_angle_left_predicts(ur10: Chain) -> None:
    """|1 − J_l(ω)⁻¹| on the plane across ω: lesson 13, claim 13.8."""
    target = np.eye(4)
    target[:3, 3] = [0.425, 0.225, 0.125]
    asked = {"goal": pose(POSITION_ONLY), "method": LevenbergMarquardt(derivative="geometric")}
    start = np.array([0.3, -1.2, 1.5, -0.6, 1.1, 0.4])
    trace = solve(ur10, target, start, **asked, starts=Restarts(0), trace=True).trace
    half = trace.orientation_errors[-1] / 2
    rate = np.hypot(1 - half / np.tan(half), half)
    seen = trace.position_errors[1:] / trace.position_errors[:-1]
    assert seen[-4:] == pytest.approx(rate, rel=1e-3)  # of second order in |v_b|, which is below 1 mm there


def test_weights_in_the_space_frame_free_another_motion(ur10: Chain) -> None:
    """A space twist without its linear part is a turn about the origin, so that only the distance to it is kept."""
    target = ur10.forward_kinematics([0.3, -1.2, 1.5, -0.6, 1.1, 0.4])
    asked = {"goal": pose(POSITION_ONLY), "method": LevenbergMarquardt(frame="space", derivative="geometric")}
    start = np.array([0.9, -1.0, 1.1, -0.2, 0.6, 0.1])
    result = solve(ur10, target, start, **asked, starts=Restarts(0), stop=Stop(max_iterations=200), trace=True)
    assert not result.converged
    ends = [ur10.forward_kinematics(result.trace.q[-1])[:3, 3], target[:3, 3]]
    assert np.linalg.norm(ends[0] - ends[1]) > 0.05
    # its steps are linear at the end and stop within the rounding of a step; a tenth of a millimetre tells 50 apart
    assert np.linalg.norm(ends[0]) == pytest.approx(np.linalg.norm(ends[1]), abs=1e-4)
