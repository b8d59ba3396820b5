"""A caller's mistake is an exception that says what was wrong with the value and what is allowed."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import sympy as sp

from lessons_lib import lie, pose_ik, robots
from lessons_lib.errors import CodegenError, ConfigurationError, LessonsError, ParameterError, TransformError
from lessons_lib.pose_ik import (
    BestOf,
    Chan,
    Constant,
    Damping,
    Goal,
    Halley,
    LevenbergMarquardt,
    Method,
    Near,
    Nearest,
    NewtonRaphson,
    Restarts,
    Stop,
    Sugihara,
    TrustRegion,
    Wampler,
    evaluate,
    pointing,
    pose,
    position_only,
    solve,
    solve_batch,
)

UR10, PANDA, TWO = robots.ur10(), robots.panda(), robots.planar_2r()
Q = np.array([0.3, -1.2, 1.5, -0.6, 1.1, 0.4])
POSE = UR10.forward_kinematics(Q)
ROLL = (0.2, 0, 0, 0, 0, 0)


def at(row: int, column: int, value: float) -> np.ndarray:
    """Return the identity with another number at a place."""
    T = np.eye(4)
    T[row, column] = value
    return T


TARGETS = [
    (np.eye(3), r"target must have shape \(4, 4\), got \(3, 3\)"),
    (np.ones((1, 4, 4)), r"target must have shape \(4, 4\), got \(1, 4, 4\)"),
    ("there", r"target must be numbers in an array of shape \(4, 4\)"),
    ([[None] * 4] * 4, "target must"),
    (np.eye(4) * 1j, "target must"),
    (at(0, 3, math.nan), "target must be finite"),
    (at(2, 3, -math.inf), "target must be finite"),
    (at(0, 0, 2.0), "rotation part of target is not a rotation: RᵀR differs from the identity by 3"),
    (at(0, 1, 1e-5), "rotation part of target is not a rotation"),
    (at(2, 2, -1.0), "rotation part of target is a reflection: its determinant is −1"),
    (at(3, 3, 2.0), r"target: the last row must be \[0, 0, 0, 1\], got \[0.0, 0.0, 0.0, 2.0\]"),
]


@pytest.mark.parametrize(("target", "words"), TARGETS)
def test_a_target_that_is_no_pose_is_refused(target: object, words: str) -> None:
    for call in (solve, pose_ik.all_solutions):
        with pytest.raises(TransformError, match=words):
            call(UR10, target)


@pytest.mark.parametrize("threads", [1, 2])
def test_the_first_bad_row_of_a_batch_is_named(threads: int) -> None:
    targets, starts = np.tile(POSE, (3000, 1, 1)), np.tile(Q, (3000, 1))
    for row in (0, 1023, 2999):
        for place, value, words in (
            ((0, 0), 2.0, f"rotation part of target {row} is not a rotation"),
            ((1, 3), math.nan, f"target {row} must be finite"),
            (2, 9.0, f"row {row} of q0: .*limits"),
            (5, math.nan, f"row {row} of q0: .*finite"),
        ):
            given = targets.copy(), starts.copy()
            given[isinstance(place, int)][row:][(slice(None), *np.atleast_1d(place))] = value
            with pytest.raises(LessonsError, match=words):
                solve_batch(UR10, *given, threads=threads)


@pytest.mark.parametrize(
    ("q0", "words"),
    [
        (np.zeros(5), r"q of UR10 must have shape \(6,\), got \(5,\)"),
        (np.zeros((1, 6)), r"q of UR10 must have shape \(6,\), got \(1, 6\)"),
        ("here", "q of UR10 must"),
        ([math.nan, 0, 0, 0, 0, 0], "finite"),
        ([0, 0, 0, 0, 0, -7.0], "wrist 3.*limits|limits.*wrist 3"),
        ([30.0, 0, 0, 0, 0, 0], r"30° is 0\.523599: numpy\.radians\(q\)"),
        ([1e9, 0, 0, 0, 0, 0], r"\[-6\.28319, 6\.28319\] by 1e\+09"),
    ],
)
def test_a_start_that_is_no_configuration_is_refused(q0: Any, words: str) -> None:
    with pytest.raises(ConfigurationError, match=words):
        solve(UR10, POSE, q0)


@pytest.mark.parametrize(
    ("targets", "q0", "words"),
    [
        (np.eye(4), None, r"targets must have shape \(k, 4, 4\), got \("),
        ([[["here"]]], None, r"targets must be poses, numbers of shape \(k, 4, 4\)"),
        ([np.eye(4)] * 2, np.zeros((3, 2)), r"q0 of 2 targets must have shape \(2,\) or \(2, 2\), got \(3, 2\)"),
        ([np.eye(4)] * 2, [["a", "b"], ["c", "d"]], r"q0 must be numbers of shape \(2,\) or \(2, 2\)"),
        ([np.eye(4)] * 2, [0, 4], "joint 'joint 2' of planar 2R is at 4"),
    ],
)
def test_a_batch_of_another_shape_is_refused(targets: Any, q0: Any, words: str) -> None:
    with pytest.raises((TransformError, ConfigurationError), match=words):
        solve_batch(TWO, targets, q0)


class Mine:
    """A method of a reader's own, with the attributes that a test gives it."""

    def __init__(self, **attributes: object) -> None:
        self.__dict__.update(attributes)

    def step(self, jacobian: np.ndarray, error: np.ndarray) -> np.ndarray:
        return np.linalg.pinv(jacobian) @ error


OPTIONS = [
    ({"method": "newton"}, r"method must be one of NewtonRaphson\(\), GaussNewton\(\), Leven.*, got 'newton'"),
    ({"method": NewtonRaphson}, r"or have step\(jacobian, error\)"),
    ({"method": Mine(frame="tool")}, "Mine: frame must be 'body' or 'space', got 'tool'"),
    ({"method": Mine(frame="target")}, "Mine: frame must be .*, got 'target'; choose other axes in the goal"),
    ({"stop": 1e-3}, r"stop must be a Stop, such as Stop\(.*, got 0.001"),
    ({"stop": Stop(position=1e-16)}, "Stop.position is 1e-16; on planar 2R a tolerance is at least"),
    ({"rng": 7}, r"rng must be a generator, such as numpy.random.default_rng\(7\), or None, got 7"),
    ({"starts": "random"}, r"starts must be Restarts\(.*, BestOf\(.*, Nearest\(.* or Near\(.*, got 'random'"),
    ({"starts": Near(), "method": NewtonRaphson()}, "Near needs a method with a TrustRegion"),
    ({"goal": "position"}, r"goal must be a Goal, such as pose_ik.pose\(weights\), pose_ik.*, got 'position'"),
    ({"goal": pointing((0, 0, 1)), "method": LevenbergMarquardt(frame="space")}, r"name its axes .* axes='space'\)"),
    ({"goal": pointing((0, 0, 1)), "method": LevenbergMarquardt(derivative="geometric")}, "the goal names axes, turn"),
    ({"goal": pose((0, 0, 0, 1, 1, 1), axes="space"), "method": Halley()}, "the goal names axes, space, and <Halley"),
    ({"goal": pose(intervals=ROLL), "method": Halley()}, "a goal with intervals has its own error, .*Halley.* uses"),
    ({"goal": pose(intervals=ROLL), "method": NewtonRaphson("space")}, "uses the twist"),
    *(({"max_time": s}, "max_time .*must be a positive number of seconds, or None") for s in (0.0, np.nan, "1", True)),
]


@pytest.mark.parametrize(("asked", "words"), OPTIONS)
def test_an_option_of_both_entries_is_refused(asked: dict[str, Any], words: str) -> None:
    for call, target in ((solve, np.eye(4)), (solve_batch, [np.eye(4)])):
        with pytest.raises(ParameterError, match=words):
            call(TWO, target, **asked)


WITHIN = {"q0": Q, "within": 0.1}
CONTRADICTIONS: list[tuple[dict[str, Any], str]] = [
    ({"trace": "no"}, "trace must be True or False, got"),
    ({"certify": 1}, "certify must be True or False, got 1"),
    ({"certify": True, "goal": position_only()}, "whole pose"),
    ({"certify": True, "goal": pose(intervals=ROLL)}, "certify=True needs a single pose, and the goal has intervals"),
    ({"prefer": np.zeros(6), "goal": pose(intervals=ROLL)}, "prefer cannot be combined with intervals"),
    ({"prefer": np.zeros(6), "starts": Near()}, "chooses among all solutions"),
    ({"prefer": np.zeros(6), "method": NewtonRaphson()}, "chooses among all solutions"),
    ({**WITHIN, "within": 0.0}, "within must be a positive number, rad or m, or 6 .*; got 0 for joint"),
    ({**WITHIN, "within": [0.1] * 5 + [np.nan]}, "got nan for joint 'wrist 3'"),
    ({**WITHIN, "within": [0.1] * 5}, r"or 6 of them, one a joint; got shape \(5,\)"),
    ({**WITHIN, "within": "far"}, "within must be a positive number"),
    ({**WITHIN, "certify": True}, "within cannot be combined"),
    ({**WITHIN, "prefer": Q}, "within cannot be combined"),
    ({**WITHIN, "starts": pose_ik.AllBranches()}, "within cannot be combined"),
    ({"starts": pose_ik.AllBranches(), "goal": position_only()}, "single pose"),
    ({"starts": pose_ik.AllBranches(), "trace": True}, "trace"),
]


@pytest.mark.parametrize(("asked", "words"), CONTRADICTIONS)
def test_options_that_exclude_each_other_are_refused(asked: dict[str, Any], words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        solve(UR10, POSE, **asked)


CALLS: list[tuple[Callable[[], object], type[Exception], str]] = [
    (lambda: evaluate(UR10, at(0, 3, math.nan), Q), TransformError, "target"),
    (lambda: solve(UR10, POSE, within=0.1), ConfigurationError, "within needs q0"),
    (lambda: solve_batch(UR10, [POSE] * 2, within=0.1), ConfigurationError, "within needs q0"),
    (lambda: solve(UR10, POSE, [9.0] * 6, within=0.1), ConfigurationError, "outside its limits"),
    (lambda: solve(UR10, POSE, prefer=[np.nan] * 6), ConfigurationError, "finite"),
    (lambda: solve(PANDA, PANDA.home, prefer=np.zeros(8)), ConfigurationError, "shape"),
    (lambda: UR10.source("numpy", solver=True), CodegenError, "language must be 'c' or 'javascript' for a solver, got"),
    (lambda: UR10.source("javascript", solver=True, method=Mine()), CodegenError, "cannot be printed"),
    (lambda: UR10.source("c", True, starts=Near(), evaluations=105), LessonsError, "evaluations must be at least 106"),
]
VALUES: list[tuple[Callable[[], object], str]] = [
    (lambda: solve(np.eye(4), np.eye(4)), "arm is a"),
    (lambda: solve_batch("ur10", np.eye(4)), "arm is a"),
    (lambda: solve(PANDA, PANDA.home, prefer=np.full(7, -0.1), trace=True), "combined with trace"),
    (lambda: solve(PANDA, PANDA.home, prefer=np.full(7, -0.1), starts=Nearest()), "nearest to q0"),
    (lambda: solve(TWO, np.eye(4), goal=position_only(), prefer=[0.1, 0.2]), "no component is left"),
    (lambda: solve_batch(UR10, [POSE] * 2, Q, within=[[0.1] * 6] * 3), r"or 2 rows of them, .*got shape \(3, 6\)"),
    (lambda: solve_batch(UR10, [POSE] * 2, Q, within=[[0.1] * 6, [0.1] * 5 + [0.0]]), "'wrist 3' in row 1"),
    (lambda: solve_batch(TWO, [np.eye(4)], threads=0), "threads is .*whole number from 1 to"),
    (lambda: solve_batch(TWO, [np.eye(4)], threads=1.5), "threads is .*whole number from 1 to"),
    (lambda: evaluate(UR10, POSE, Q, frame="Body"), "frame must be 'body' or 'space', got 'Body'"),
    (lambda: evaluate(UR10, POSE, Q, frame=np.eye(2)), "frame"),
    (lambda: UR10.targets(2**63), "count is .*at most 10,000,000"),
    (lambda: Stop(orientation=np.inf), "to leave errors out, give them weights of zero"),
    (lambda: Stop(orientation=9e-16), "Stop.orientation is 9e-16; a tolerance is at least 1e-15 rad"),
    (lambda: Stop(position=10**400), "no double is as large"),
    (lambda: Stop(max_iterations=0), "Stop.max_iterations is 0; it counts, .* from 1 to 1,000,000,000"),
    (lambda: Stop(max_iterations=2**63), "it counts, so it is a whole number"),
    (lambda: Restarts(-1), "Restarts.count is -1; it counts, so it is a whole number from 0"),
    (lambda: Restarts(2.5), "Restarts.count is 2.5; it counts"),
    (lambda: BestOf(0), "BestOf.samples is 0; it counts"),
    (lambda: BestOf(restarts=10**30), "BestOf.restarts is 10*; it counts"),
    (lambda: Nearest("many"), "Nearest.count is 'many'; it counts"),
    (lambda: Nearest(norm="l1"), "Nearest.norm must be 'euclidean' or 'max', got 'l1'"),
    (lambda: Near(0), "Near.steps is 0; it counts"),
    (lambda: TrustRegion("strong"), r"TrustRegion\.\w+ (is|must be) .*zero or more"),
    (lambda: TrustRegion(initial=0.0), "initial must be positive, got 0.0"),
    (lambda: TrustRegion(accept=1.0), r"accept must be in \[0, 1\), got 1.0"),
    (lambda: pose((1, 1, 1, 1, 1, -1)), "weights must be finite, zero or more"),
    (lambda: pose((1, 1, 1, 1, 1, np.nan)), "weights must be finite, zero or more"),
    (lambda: pose((0,) * 6), "all zero; at least one component of the error must count"),
    (lambda: pose("heavy"), "weights must be six numbers"),
    (lambda: pose((1, 1, 1, 2, 2, 2), axes="space"), "axes 'space' need a weight of zero, and"),
    (lambda: pointing((0, 0)), r"axis must be a direction \(x, y, z\) in {b}, finite and not zero"),
    (lambda: pointing((0, np.nan, 1)), r"axis must be .*got \[0.0, nan, 1.0\]"),
    (lambda: pointing((0, 0, 0)), r"axis must be .*got \[0.0, 0.0, 0.0\]"),
    (lambda: pointing((0, 0, 1), "no"), "position must be True or False, got"),
    (lambda: pose(intervals=(0, 0, 0, (0.2, 0.1), 0, 0)), "its lower end 0.2 is above its upper 0.1"),
    (lambda: pose(intervals=(np.nan, 0, 0, 0, 0, 0)), "the interval of rotation x must .* got nan"),
    (lambda: pose(intervals=(0, 0, 0, 0, 0)), "intervals must be six, .* got 5 of them"),
    (lambda: pose(intervals=(None,) * 6), "all six intervals are free"),
    (lambda: pose(intervals=((3.0, 3.3), 0, 0, 0, 0, 0)), r"\[3, 3.3\] of rotation x goes beyond ±π"),
    (lambda: pose(intervals=((2, 3), (2, 3), (2, 3), 0, 0, 0)), "and theirs are at least 3.464"),
    (lambda: pose((0, 1, 1, 1, 1, 1), intervals=ROLL), "a goal with intervals must be positive"),
    (lambda: pose(intervals=ROLL, axes="space"), "leave axes='space' out"),
    (lambda: LevenbergMarquardt(0.125), r"damping must be a policy such as Constant\(damping=0.125\)"),
    (lambda: LevenbergMarquardt(None), r"undamped methods are GaussNewton\(\) and NewtonRaphson\(\)"),
    (lambda: LevenbergMarquardt(frame="tool"), "frame must be 'body' or 'space', got 'tool'"),
    (lambda: LevenbergMarquardt(frame=["body"]), r"frame must be .*, got \['body'\]"),
    (lambda: LevenbergMarquardt(frame="space", derivative="exact"), "use it with frame='body'"),
    (lambda: Halley(0.1), "damping must be a policy"),
    (lambda: Halley(TrustRegion()), "needs a method of one linear problem"),
    (lambda: Method("newton"), "formula must be a function of J, V and solve that returns d, got"),
    (lambda: Method(lambda J, V, solve: solve(J, V), TrustRegion()), "user-defined formula choose"),
    (lambda: Method(name=3), "name must be a string, got 3"),
    (lambda: Damping(lambda E: E if E > 1 else 1), "the rule gives no formula"),
    (lambda: Damping(lambda E, c: c * E), r"has the parameters \['c'\], got values for \[\]"),
    (lambda: Damping(lambda E: E, c=1.0), r"has the parameters \[\], got values for \['c'\]"),
    (lambda: Damping(lambda E, c: c * E, c=np.nan), "parameter c must be one finite number, got nan"),
    (lambda: Damping(lambda E, c: c * E, c=True), "the parameter c must be a number"),
    (lambda: Damping(lambda J: J), "a damping is one number"),
    (lambda: Damping(lambda E: E + 1j), "a damping is one number, finite"),
    (lambda: Damping(lambda E: -1), "a damping is one number, finite, zero or more"),
    (lambda: Damping(lambda E: "2 * x"), "unknown symbols x in the damping rule; allowed: E, V, W, J"),
    (lambda: Damping(lambda V0: V0, V0=1.0), "V0 cannot name a parameter"),
    (lambda: Damping(3.0), "Damping takes a"),
    *((lambda x=x: Stop(orientation=x), r"Stop\.orientation is .*; a tolerance is") for x in (0.0, np.nan)),
    *((lambda x=x: Stop(position=x), r"Stop\.position is .*; a tolerance is") for x in (-1e-3, "tight", True)),
    *((lambda p=p: p(-0.1), rf"{p.__name__}\.\w+ (is|must be) .*zero or more") for p in (Wampler, Chan)),
    *((lambda p=p: p(np.nan), rf"{p.__name__}\.\w+ (is|must be) .*zero or more") for p in (Sugihara, Constant)),
    *((lambda make=make: make((1, 1, 1)), r"weights must have shape \(6,\).*, got") for make in (pose, Goal)),
    (lambda: pose((0, 0, 0, 1, 1, 1), axes="tool"), r"axes must be .*'twist' or Axes\(…\), got 'tool'"),
    (lambda: pose((0, 0, 0, 1, 1, 1), axes=["body"]), r"axes must be 'body', 'space'.*, got \['body'\]"),
    (lambda: pointing("z"), "axis must be three numbers, a direction in the tool's frame {b}, got 'z'"),
    (lambda: LevenbergMarquardt(derivative="numeric"), "derivative must be None, 'geometric' or 'exact', got"),
    (lambda: pose(intervals=(0, 0, 0, 0, 0, -0.1)), "the interval of position z must be .* got -0.1"),
]
REFUSED = [*CALLS, *((call, ParameterError, words) for call, words in VALUES)]


@pytest.mark.parametrize(("call", "error", "words"), REFUSED)
def test_a_call_with_a_wrong_value_is_refused(call: Callable[[], object], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        call()


FORMULAS: list[tuple[Callable[..., Any], str]] = [
    (lambda J, V, solve: solve(J.T, V), r"solves A d = e with A \(2, 6\) and e \(6, 1\); they are \(6, 2\)"),
    (lambda J, V, solve: solve(J, V[:3, :]), r"solves A d = e with A \(6, 2\) and e \(3, 1\)"),
    (lambda J, V, solve: solve(J, V)[:1, :], r"returns shape \(1, 1\); a step has one entry a joint, shape \(2, 1\)"),
    (lambda J, V, solve: J.T * V, r"solves no linear problem; a step comes of solve\(A, e\)"),
    (lambda J, V, solve: solve(J, V) * sp.Symbol("gain"), "holds gain; it is made of J, V and what solve returns"),
    (lambda J, V, solve: solve(J, V * sp.Symbol("bias")), "holds bias; it is made of J, V and what solve returns"),
    (lambda J, V, solve: solve(J, V) * sp.besselj(0, V[0]), "holds besselj, which the solver has not"),
    (lambda J, V, solve: solve(J, V) * sp.I, "which is not real; a step has real entries"),
    (lambda J, V, solve: solve(J, V) / J[99, 99], r"no step comes of .*\(J, V, solve\): .*[Ii]ndex"),
    (lambda J, V: J.T * V, "takes 2 positional arguments but 3 were given"),
]


@pytest.mark.parametrize(("formula", "words"), FORMULAS)
def test_a_formula_that_is_no_step_is_refused(formula: Callable[..., Any], words: str) -> None:
    target = TWO.forward_kinematics([0.3, 0.9])
    for asked in ({}, {"trace": True}):
        with pytest.raises(ParameterError, match=words):
            solve(TWO, target, [0.2, 0.8], method=Method(formula), **asked)


@pytest.mark.parametrize(
    ("step", "words"),
    [
        ([1j, 0], r"Mine\.step must return numbers, got \[1j, 0\]"),
        (None, "Mine.step must return numbers, got None"),
        ([[0.1, 0.2]], r"Mine\.step must return shape \(2,\), got \(1, 2\)"),
    ],
)
def test_a_step_that_is_no_array_of_n_numbers_is_refused(step: object, words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        solve(TWO, np.eye(4), [0.3, 0.4], method=Mine(step=lambda jacobian, error: step))


@pytest.mark.parametrize("value", [math.nan, -1.0, "x", None, [1.0, 2.0]])
def test_a_damping_value_that_is_no_number_is_refused(value: object) -> None:
    with pytest.raises(ParameterError, match=r"Mine\.damping_value (must return|returned)"):
        solve(TWO, np.eye(4), [0.3, 0.4], method=Mine(damping_value=lambda jacobian, error: value))


@pytest.mark.parametrize("value", [-1.0, 1e308])
def test_a_rule_whose_value_is_no_damping_is_named_by_every_search(value: float) -> None:
    method = LevenbergMarquardt(Damping(lambda E, c: c * (E + 1) ** 2 * 10, c=value))
    target = TWO.forward_kinematics([0.3, 0.9])
    for call in (solve, lambda arm, T, **asked: solve_batch(arm, [T] * 3, **asked)):
        with pytest.raises(ParameterError, match="returned (-|inf).*; a damping is one number, finite, zero or more"):
            call(TWO, target, method=method)


def test_the_smallest_tolerances_that_are_allowed_are_met() -> None:
    stop = Stop(pose_ik.stop.FLOOR, pose_ik.stop.FLOOR * pose_ik.arm.arm_of(UR10).size)
    assert solve(UR10, POSE, stop=stop).converged
    small = robots.from_screws(np.array([[0, 0, 1, 0, 0, 0]]).T, lie.exp_se3([0, 0, 0, 1e-6, 0, 0]))
    assert solve(small, small.forward_kinematics([0.7]), stop=Stop(position=1e-18)).converged


@pytest.mark.parametrize("kind", [np.float16, np.longdouble, int])
def test_numbers_of_other_kinds_are_kept_as_doubles(kind: type) -> None:
    """In half precision λ² was rounded to three digits."""
    given = kind(1) if kind is int else kind(0.3)
    assert type(Constant(given).damping) is float
    assert Constant(given).value(np.zeros(6), np.ones(6)) == float(given) ** 2
    assert Stop(given, given) == Stop(float(given), float(given))
