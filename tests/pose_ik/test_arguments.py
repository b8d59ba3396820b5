"""A caller's mistake is an exception that says what was wrong and what would be right."""

import math
from collections.abc import Callable

import numpy as np
import pytest

from lessons_lib import robots
from lessons_lib.errors import ConfigurationError, ParameterError, TransformError
from lessons_lib.pose_ik import (
    BestOf,
    Chan,
    Constant,
    Goal,
    LevenbergMarquardt,
    Near,
    Nearest,
    NewtonRaphson,
    Restarts,
    Stop,
    Sugihara,
    TrustRegion,
    Wampler,
    evaluate,
    pose,
    solve,
    solve_batch,
)
from lessons_lib.pose_ik.arm import arm_of
from lessons_lib.pose_ik.stop import FLOOR
from lessons_lib.robots import Chain


def changed(**changes: object) -> np.ndarray:
    T = np.eye(4)
    for place, value in changes.items():
        row, column = int(place[1]), int(place[2])
        T[row, column] = value
    return T


BAD_TARGETS = [
    (np.eye(3), r"target must have shape \(4, 4\), got \(3, 3\)"),
    ("there", r"target must be numbers in an array of shape \(4, 4\)"),
    (changed(e03=math.nan), "target must be finite"),
    (changed(e03=math.inf), "target must be finite"),
    (changed(e00=2.0), "rotation part of target is not a rotation: RᵀR differs from the identity by 3"),
    (changed(e22=-1.0), "rotation part of target is a reflection: its determinant is −1"),
    (changed(e33=2.0), r"target: the last row must be \[0, 0, 0, 1\], got \[0.0, 0.0, 0.0, 2.0\]"),
]


@pytest.mark.parametrize(("target", "message"), BAD_TARGETS)
def test_targets(planar_2r: Chain, target: object, message: str) -> None:
    with pytest.raises(TransformError, match=message):
        solve(planar_2r, target)


@pytest.mark.parametrize(("target", "message"), BAD_TARGETS[2:])
def test_targets_of_a_batch_are_named_by_their_row(planar_2r: Chain, target: np.ndarray, message: str) -> None:
    with pytest.raises(TransformError, match=message.replace("target", "target 2", 1)):
        solve_batch(planar_2r, [np.eye(4), np.eye(4), target])


@pytest.mark.parametrize("shape", [(4, 4), (3, 3, 3), (2, 3, 4, 4)])
def test_batches_of_another_shape(planar_2r: Chain, shape: tuple[int, ...]) -> None:
    with pytest.raises(TransformError, match=r"targets must have shape \(k, 4, 4\), got \("):
        solve_batch(planar_2r, np.zeros(shape))
    with pytest.raises(TransformError, match=r"targets must be poses, numbers of shape \(k, 4, 4\)"):
        solve_batch(planar_2r, [[["here"]]])


@pytest.mark.parametrize(
    ("q0", "message"),
    [
        (np.zeros((3, 2)), r"q0 of 2 targets must have shape \(2,\) or \(2, 2\), got \(3, 2\)"),
        ([[0, 0], [0, 4]], "row 1 of q0: joint 'joint 2' of planar 2R is at 4"),
        ([[0, math.nan], [0, 0]], "row 0 of q0: q of planar 2R must be finite"),
        ([0, 4], "joint 'joint 2' of planar 2R is at 4"),
        ([["a", "b"], ["c", "d"]], r"q0 must be numbers of shape \(2,\) or \(2, 2\)"),
    ],
)
def test_starts_of_a_batch(planar_2r: Chain, q0: object, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        solve_batch(planar_2r, [np.eye(4)] * 2, q0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"method": "newton"},
            r"method must be one of NewtonRaphson\(\), GaussNewton\(\), Leven.*, got 'newton'",
        ),
        ({"method": NewtonRaphson}, r"or have step\(jacobian, error\)"),
        ({"method": type("M", (), {"step": print, "frame": "tool"})()}, "frame must be 'body' or 'space', got 'tool'"),
        ({"stop": 1e-3}, r"stop must be a Stop, such as Stop\(.*, got 0.001"),
        ({"rng": 7}, r"rng must be a generator, such as numpy.random.default_rng\(7\), or None, got 7"),
        ({"starts": "random"}, r"starts must be Restarts\(.*, BestOf\(.*, Nearest\(.* or Near\(.*, got 'random'"),
    ],
)
def test_other_arguments(planar_2r: Chain, arguments: dict, message: str) -> None:
    for solver, target in ((solve, np.eye(4)), (solve_batch, [np.eye(4)])):
        with pytest.raises(ParameterError, match=message):
            solver(planar_2r, target, **arguments)


@pytest.mark.parametrize("value", [0.0, -1e-3, math.nan, math.inf, "tight", None, True])
@pytest.mark.parametrize("name", ["orientation", "position"])
def test_tolerances(name: str, value: object) -> None:
    with pytest.raises(ParameterError, match=rf"Stop\.{name} is .*; a tolerance is"):
        Stop(**{name: value})


@pytest.mark.parametrize(
    ("make", "name", "value"),
    [
        (Stop, "max_iterations", 0),
        (Restarts, "count", -1),
        (Restarts, "count", 2.5),
        (BestOf, "samples", 0),
        (BestOf, "restarts", -1),
        *((Nearest, "count", value) for value in (0, "many", True)),
        (Near, "steps", 0),
    ],
)
def test_counts(make: type, name: str, value: object) -> None:
    with pytest.raises(
        ParameterError,
        match=rf"{make.__name__}\.{name} is {value!r}; it counts, so it is a whole number from \d to 1,000,000,000",
    ):
        make(**{name: value})


@pytest.mark.parametrize("policy", [Constant, Wampler, Chan, Sugihara, TrustRegion])
@pytest.mark.parametrize("value", [-0.1, math.nan, math.inf, "strong", None, True])
def test_dampings(policy: type, value: object) -> None:
    with pytest.raises(ParameterError, match=rf"{policy.__name__}\.\w+ (is|must be) .*zero or more"):
        policy(value)


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.longdouble, np.int8, int])
def test_numbers_of_other_kinds_are_kept_as_doubles(kind: type) -> None:
    """In half precision λ² was rounded to three digits; the comparison with the largest double warned."""
    given = kind(1) if kind in (np.int8, int) else kind(0.3)
    assert type(Constant(given).damping) is float and Constant(given).damping == float(given)
    assert Constant(given).value(np.zeros(6), np.ones(6)) == float(given) ** 2
    stop = Stop(orientation=given, position=given)
    assert type(stop.orientation) is type(stop.position) is float
    assert stop == Stop(float(given), float(given))


@pytest.mark.parametrize("make", [Constant, lambda value: Stop(position=value)])
def test_a_number_beyond_all_doubles_is_refused(make: Callable[[object], object]) -> None:
    with pytest.raises(ParameterError, match="no double is as large"):
        make(10**400)


def test_a_trust_region_has_bounds_of_its_own() -> None:
    with pytest.raises(ParameterError, match="initial must be positive, got 0.0"):
        TrustRegion(initial=0.0)
    with pytest.raises(ParameterError, match=r"accept must be in \[0, 1\), got 1.0"):
        TrustRegion(accept=1.0)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ((1, 1, 1), r"weights must have shape \(6,\), in the order \(ω, v\), got shape \(3,\)"),
        ((1, 1, 1, 1, 1, -1), "weights must be finite, zero or more"),
        ((1, 1, 1, 1, 1, math.nan), "weights must be finite, zero or more"),
        ((0,) * 6, "all zero; at least one component of the error must count"),
        ("heavy", "weights must be six numbers"),
    ],
)
@pytest.mark.parametrize("make", [pose, Goal])
def test_weights(make: Callable[..., Goal], weights: object, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        make(weights)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"damping": 0.125}, r"damping must be a policy such as Constant\(damping=0.125\).*, got 0.125"),
        ({"damping": None}, r"got None; undamped methods are GaussNewton\(\) and NewtonRaphson\(\)"),
        ({"frame": "tool"}, "frame must be 'body' or 'space', got 'tool'; choose other axes in the goal"),
        ({"frame": "target"}, r"got 'target'; choose other axes in the goal: pose\(weights, axes=…\)"),
        ({"frame": ["body"]}, r"frame must be .*, got \['body'\]"),
        ({"derivative": "numeric"}, "derivative must be None, 'geometric' or 'exact', got 'numeric'"),
        ({"derivative": "exact", "frame": "space"}, "use it with frame='body'"),
    ],
)
def test_levenberg_marquardt(arguments: dict, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        LevenbergMarquardt(**arguments)


def test_below_rounding_no_tolerance_is_met(ur10: Chain) -> None:
    with pytest.raises(ParameterError, match="Stop.orientation is 9e-16; a tolerance is at least 1e-15 rad: rounding"):
        Stop(orientation=9e-16)
    for solver, target in ((solve, np.eye(4)), (solve_batch, [np.eye(4)])):
        with pytest.raises(ParameterError, match=r"Stop.position is 1e-15; on UR10 a tolerance is at least .* m"):
            solver(ur10, target, stop=Stop(position=1e-15))


def test_the_smallest_tolerances_are_met(ur10: Chain) -> None:
    target = ur10.forward_kinematics([0.3, -1.2, 1.5, -0.6, 1.1, 0.4])
    stop = Stop(FLOOR, FLOOR * arm_of(ur10).size)
    assert solve(ur10, target, stop=stop).converged


def test_a_small_arm_may_be_asked_for_less() -> None:
    small = robots.from_screws(np.array([[0, 0, 1, 0, 0, 0]]).T, changed(e03=1e-6))
    assert solve(small, small.forward_kinematics([0.7]), stop=Stop(position=1e-18)).converged


@pytest.mark.parametrize(
    "make", [Restarts, lambda n: Stop(max_iterations=n), Nearest, BestOf, lambda n: BestOf(restarts=n), Near]
)
@pytest.mark.parametrize("count", [1_000_000_001, 2**63 - 1, 10**30])
def test_a_count_beyond_a_person_s_patience_is_refused(make: Callable[[int], object], count: int) -> None:
    with pytest.raises(ParameterError, match=f"is {count}; it counts, so it is a whole number from . to 1,000,000,000"):
        make(count)


def test_evaluate_returns_doubles_for_an_array_of_objects(ur10: Chain) -> None:
    assert evaluate(ur10, np.eye(4), np.zeros(6, dtype=object)).q.dtype == np.float64


def test_a_target_that_is_not_finite_is_refused_by_evaluate(ur10: Chain) -> None:
    target = np.eye(4)
    target[0, 3] = np.nan
    with pytest.raises(TransformError, match="target"):
        evaluate(ur10, target, np.zeros(6))


def test_an_unknown_frame_is_refused_by_evaluate(ur10: Chain) -> None:
    with pytest.raises(ParameterError, match="frame is 'Body'; valid are 'body' and 'space'"):
        evaluate(ur10, np.eye(4), np.zeros(6), frame="Body")
