"""Invalid arguments raise an error that states the value and what is allowed."""

import math

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
ROLL, ALONG_Z = (0.2, 0, 0, 0, 0, 0), pointing((0, 0, 1))
FAMILY = pose_ik.all_solutions(PANDA, PANDA.forward_kinematics([0, -0.3, 0, -2.2, 0, 2.0, 0.8])).families[0]


def at(row, column, value):
    """Return the identity with one entry replaced."""
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
    (at(0, 0, 2.0), "rotation part of target is not a rotation: .* differs by 3"),
    (at(0, 1, 1e-5), "rotation part of target is not a rotation"),
    (at(2, 2, -1.0), "rotation part of target is a reflection"),
    (at(3, 3, 2.0), r"target: the last row must be \[0, 0, 0, 1\], got \[0.0, 0.0, 0.0, 2.0\]"),
]


@pytest.mark.parametrize(("target", "words"), TARGETS)
def test_an_invalid_target_is_refused(target, words):
    for call in (solve, pose_ik.all_solutions):
        with pytest.raises(TransformError, match=words):
            call(UR10, target)


@pytest.mark.parametrize("threads", [1, 2])
def test_the_first_bad_row_of_a_batch_is_named(threads):
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
def test_an_invalid_start_is_refused(q0, words):
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
def test_a_batch_of_the_wrong_shape_is_refused(targets, q0, words):
    with pytest.raises((TransformError, ConfigurationError), match=words):
        solve_batch(TWO, targets, q0)


class UserMethod:
    """A user-defined method with the attributes of a test."""

    def __init__(self, **attributes):
        self.__dict__.update(attributes)

    def step(self, jacobian, error):
        return np.linalg.pinv(jacobian) @ error


OPTIONS = [
    ({"method": "newton"}, r"method must be one of NewtonRaphson\(\), GaussNewton\(\), Leven.*, got 'newton'"),
    ({"method": NewtonRaphson}, r"or have step\(jacobian, error\)"),
    ({"method": UserMethod(frame="tool")}, "UserMethod: frame must be 'body' or 'space', got 'tool'"),
    ({"method": UserMethod(frame="target")}, "UserMethod: frame must be .*, got 'target'; choose other axes in the"),
    ({"stop": 1e-3}, r"stop must be a Stop, such as Stop\(.*, got 0.001"),
    ({"stop": Stop(position=1e-16)}, "Stop.position must be at least .* m for planar 2R, got 1e-16"),
    ({"rng": 7}, r"rng must be a generator, such as numpy.random.default_rng\(7\), or None, got 7"),
    ({"starts": "random"}, r"starts must be Restarts\(.*, BestOf\(.*, Nearest\(.*, Near\(.*AllBranches\(\), got 'rand"),
    ({"starts": 10}, r"starts must be .*, got 10; for 10 restarts write Restarts\(10\)"),
    ({"starts": Near(), "method": NewtonRaphson()}, "Near needs a method with a TrustRegion"),
    ({"method": pose_ik.GaussNewton}, r"method must be .*; call it: GaussNewton\(…\)"),
    ({"stop": Stop}, r"stop must be .*; call it: Stop\(…\)"),
    ({"starts": BestOf}, r"starts must be .*; call it: BestOf\(…\)"),
    ({"goal": pose_ik.position_only}, r"goal must be .*; call it: position_only\(…\)"),
    ({"goal": "position"}, r"goal must be a Goal, such as pose_ik.pose\(weights\), pose_ik.*, got 'position'"),
    ({"goal": ALONG_Z, "method": LevenbergMarquardt(frame="space")}, r"choose pose\(weights, axes='space'\)"),
    ({"goal": ALONG_Z, "method": LevenbergMarquardt(derivative="geometric")}, r"the goal names axes \(third axis"),
    ({"goal": pose((0, 0, 0, 1, 1, 1), axes="space"), "method": Halley()}, r"axes \(space\), and <Halley"),
    ({"goal": pose(intervals=ROLL), "method": Halley()}, "uses the split error .*Halley.* uses the twist"),
    ({"goal": pose(intervals=ROLL), "method": NewtonRaphson("space")}, "uses the twist"),
    *(({"max_time": s}, "max_time .*must be a positive number of seconds, or None") for s in (0.0, np.nan, "1", True)),
]


@pytest.mark.parametrize(("options", "words"), OPTIONS)
def test_solve_and_solve_batch_refuse_an_invalid_option(options, words):
    for call, target in ((solve, np.eye(4)), (solve_batch, [np.eye(4)])):
        with pytest.raises(ParameterError, match=words):
            call(TWO, target, **options)


WITHIN = {"q0": Q, "within": 0.1}
CONTRADICTIONS = [
    ({"trace": "no"}, "trace must be True or False, got"),
    ({"certify": 1}, "certify must be True or False, got 1"),
    ({"certify": True, "goal": position_only()}, "whole pose"),
    ({"certify": True, "goal": pose(intervals=ROLL)}, "certify=True needs a single pose, and the goal has intervals"),
    ({"prefer": np.zeros(6), "goal": pose(intervals=ROLL)}, "prefer cannot be combined with intervals"),
    ({"prefer": np.zeros(6), "starts": Near()}, "chooses among all solutions"),
    ({"prefer": np.zeros(6), "method": NewtonRaphson()}, "chooses among all solutions"),
    ({**WITHIN, "within": 0.0}, "within must be a positive number, rad or m, or 6 .*, got 0 for joint"),
    ({**WITHIN, "within": [0.1] * 5 + [np.nan]}, "got nan for joint 'wrist 3'"),
    ({**WITHIN, "within": [0.1] * 5}, r"or 6 of them, one for each joint, got shape \(5,\)"),
    ({**WITHIN, "within": "far"}, "within must be a positive number"),
    ({**WITHIN, "certify": True}, "within cannot be combined"),
    ({**WITHIN, "prefer": Q}, "within cannot be combined"),
    ({**WITHIN, "starts": pose_ik.AllBranches()}, "within cannot be combined"),
    ({"starts": pose_ik.AllBranches(), "goal": position_only()}, "single pose"),
    ({"starts": pose_ik.AllBranches(), "trace": True}, "trace"),
]


@pytest.mark.parametrize(("options", "words"), CONTRADICTIONS)
def test_incompatible_options_are_refused(options, words):
    with pytest.raises(ParameterError, match=words):
        solve(UR10, POSE, **options)


CALLS = [
    (lambda: evaluate(UR10, at(0, 3, math.nan), Q), TransformError, "target"),
    (lambda: pose_ik.all_solutions_batch(UR10, POSE), TransformError, "pose_ik.all_solutions solves one pose"),
    (lambda: FAMILY.nearest(np.zeros(6)), ConfigurationError, r"q must have shape \(7,\), got \(6,\)"),
    (lambda: FAMILY.nearest([np.nan] * 7), ConfigurationError, "q must be finite, got"),
    (lambda: solve(UR10, POSE, within=0.1), ConfigurationError, "within needs q0"),
    (lambda: solve_batch(UR10, [POSE] * 2, within=0.1), ConfigurationError, "within needs q0"),
    (lambda: solve(UR10, POSE, [9.0] * 6, within=0.1), ConfigurationError, "outside its limits"),
    (lambda: solve(UR10, POSE, prefer=[np.nan] * 6), ConfigurationError, "finite"),
    (lambda: solve(PANDA, PANDA.home, prefer=np.zeros(8)), ConfigurationError, "shape"),
    (lambda: UR10.source("numpy", solver=True), CodegenError, "language must be 'c' or 'javascript' for a solver, got"),
    (lambda: UR10.source("javascript", solver=True, method=UserMethod()), CodegenError, "cannot be printed"),
    (lambda: UR10.source("c", True, starts=Near(), evaluations=105), LessonsError, "evaluations must be at least 106"),
]
VALUES = [
    (lambda: solve(np.eye(4), np.eye(4)), "arm must be a chain, got a"),
    (lambda: solve_batch("ur10", np.eye(4)), "arm must be a chain, got a"),
    (lambda: solve(PANDA, PANDA.home, prefer=np.full(7, -0.1), trace=True), "combined with trace"),
    (lambda: solve(PANDA, PANDA.home, prefer=np.full(7, -0.1), starts=Nearest()), "nearest to q0"),
    (lambda: solve(TWO, np.eye(4), goal=position_only(), prefer=[0.1, 0.2]), "masks no component"),
    (lambda: solve_batch(UR10, [POSE] * 2, Q, within=[[0.1] * 6] * 3), r"or 2 rows of them, .*got shape \(3, 6\)"),
    (lambda: solve_batch(UR10, [POSE] * 2, Q, within=[[0.1] * 6, [0.1] * 5 + [0.0]]), "'wrist 3' in row 1"),
    (lambda: solve_batch(TWO, [np.eye(4)], starts=pose_ik.AllBranches()), r"for pose_ik.solve AllBranches\(\), got"),
    (lambda: pose_ik.all_solutions(UR10, POSE, position_only=True), r"use pose_ik.solve\(arm, target, goal=pose_ik"),
    (lambda: pose_ik.all_solutions(UR10, POSE).slice(0.1), "slice needs a redundant arm, got .*rows of q"),
    (lambda: Damping(lambda E, c: c * E), r"the rule has the parameters \['c'\], .*pass each by name"),
    (lambda: UR10.source("c", goal=position_only()), "goal needs solver=True"),
    (lambda: solve_batch(TWO, [np.eye(4)], threads=0), "threads must be a whole number from 1 to"),
    (lambda: solve_batch(TWO, [np.eye(4)], threads=1.5), "threads must be a whole number from 1 to"),
    (lambda: evaluate(UR10, POSE, Q, frame="Body"), "frame must be 'body' or 'space', got 'Body'"),
    (lambda: evaluate(UR10, POSE, Q, frame=np.eye(2)), "frame"),
    (lambda: UR10.targets(2**63), "count must be an integer from 0 to 10,000,000"),
    (lambda: Stop(orientation=np.inf), "got inf; to ignore an error, give it a weight of zero"),
    (lambda: Stop(orientation=9e-16), "Stop.orientation must be at least 1e-15 rad, got 9e-16"),
    (lambda: Stop(position=10**400), "Stop.position must be a positive number, got 10000"),
    (lambda: Stop(max_iterations=0), "Stop.max_iterations must be a whole number from 1 to 1,000,000,000, got 0"),
    (lambda: Stop(max_iterations=2**63), "must be a whole number from 1"),
    (lambda: Restarts(-1), "Restarts.count must be a whole number from 0 to .*, got -1"),
    (lambda: Restarts(2.5), "Restarts.count must be .*, got 2.5"),
    (lambda: BestOf(0), "BestOf.samples must be .*, got 0"),
    (lambda: BestOf(restarts=10**30), "BestOf.restarts must be .*, got 10*"),
    (lambda: Nearest("many"), "Nearest.count must be .*, got 'many'"),
    (lambda: Nearest(norm="l1"), "Nearest.norm must be 'euclidean' or 'max', got 'l1'"),
    (lambda: Near(0), "Near.steps must be .*, got 0"),
    (lambda: TrustRegion("strong"), r"TrustRegion\.\w+ (is|must be) .*zero or more"),
    (lambda: TrustRegion(initial=0.0), "initial must be positive, got 0.0"),
    (lambda: TrustRegion(accept=1.0), r"accept must be in \[0, 1\), got 1.0"),
    (lambda: pose((1, 1, 1, 1, 1, -1)), "weights must be finite, zero or more"),
    (lambda: pose((1, 1, 1, 1, 1, np.nan)), "weights must be finite, zero or more"),
    (lambda: pose((0,) * 6), "at least one weight must be positive, got zeros only"),
    (lambda: pose("heavy"), "weights must be six numbers"),
    (lambda: pose((1, 1, 1, 2, 2, 2), axes="space"), "axes='space' needs a weight of zero, and"),
    (lambda: pointing((0, 0)), r"axis must be a direction \(x, y, z\) in {b}, finite and not zero"),
    (lambda: pointing((0, np.nan, 1)), r"axis must be .*got \[0.0, nan, 1.0\]"),
    (lambda: pointing((0, 0, 0)), r"axis must be .*got \[0.0, 0.0, 0.0\]"),
    (lambda: pointing((0, 0, 1), "no"), "position must be True or False, got"),
    (lambda: pose(intervals=(0, 0, 0, (0.2, 0.1), 0, 0)), r"position x must have lower ≤ upper, got \(0.2, 0.1\)"),
    (lambda: pose(intervals=(np.nan, 0, 0, 0, 0, 0)), "the interval of rotation x must .* got nan"),
    (lambda: pose(intervals=(0, 0, 0, 0, 0)), "intervals must be six, .* got 5 of them"),
    (lambda: pose(intervals=(None,) * 6), "all six intervals are free"),
    (lambda: pose(intervals=((3.0, 3.3), 0, 0, 0, 0, 0)), r"rotation x must be within \[-π, π\].*\[3, 3.3\]"),
    (lambda: pose(intervals=((2, 3), (2, 3), (2, 3), 0, 0, 0)), "but the shortest one has length 3.464"),
    (lambda: pose((0, 1, 1, 1, 1, 1), intervals=ROLL), "a goal with intervals must be positive"),
    (lambda: pose(intervals=ROLL, axes="space"), "leave axes='space' out"),
    (lambda: LevenbergMarquardt(pose_ik.Chan), r"damping must be .*; call it: Chan\(…\)"),
    (lambda: LevenbergMarquardt(0.125), r"damping must be a policy, such as Constant\(damping=0.125\)"),
    (lambda: LevenbergMarquardt(None), r"undamped methods are GaussNewton\(\) and NewtonRaphson\(\)"),
    (lambda: LevenbergMarquardt(frame="tool"), "frame must be 'body' or 'space', got 'tool'"),
    (lambda: LevenbergMarquardt(frame=["body"]), r"frame must be .*, got \['body'\]"),
    (lambda: LevenbergMarquardt(frame="space", derivative="exact"), "use it with frame='body'"),
    (lambda: Halley(0.1), "damping must be a policy"),
    (lambda: Halley(TrustRegion()), "needs a method that solves one linear problem"),
    (lambda: Method("newton"), "formula must be a function of J, V and solve that returns d, got"),
    (lambda: Method(lambda J, V, solve: solve(J, V), TrustRegion()), "user-defined formula choose"),
    (lambda: Method(name=3), "name must be a string, got 3"),
    (lambda: Damping(lambda E: E if E > 1 else 1), "the damping rule must return a formula; it raised"),
    (lambda: Damping(lambda E, c: c * E), r"has the parameters \['c'\], got values for \[\]"),
    (lambda: Damping(lambda E: E, c=1.0), r"has the parameters \[\], got values for \['c'\]"),
    (lambda: Damping(lambda E, c: c * E, c=np.nan), "parameter c must be one finite number, got nan"),
    (lambda: Damping(lambda E, c: c * E, c=True), "the parameter c must be a number"),
    (lambda: Damping(lambda J: J), "the damping rule must return one number, got J"),
    (lambda: Damping(lambda E: E + 1j), "must return one finite number, zero or more, got E"),
    (lambda: Damping(lambda E: -1), "must return one finite number, zero or more, got -1"),
    (lambda: Damping(lambda E: "2 * x"), "unknown symbols x in the damping rule; allowed: E, V, W, J"),
    (lambda: Damping(lambda V0: V0, V0=1.0), "V0 cannot name a parameter"),
    (lambda: Damping(3.0), "Damping takes a"),
    *((lambda x=x: Stop(orientation=x), r"Stop\.orientation must be positive and finite, got") for x in (0.0, np.nan)),
    *((lambda x=x: Stop(position=x), r"Stop\.position .*must be .*positive") for x in (-1e-3, "tight", True)),
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
def test_an_invalid_value_is_refused(call, error, words):
    with pytest.raises(error, match=words):
        call()


FORMULAS = [
    (lambda J, V, solve: solve(J.T, V), r"must solve A d = e with A \(6, 2\) and e \(6, 1\), got \(2, 6\), \(6, 1\)"),
    (lambda J, V, solve: solve(J, V[:3, :]), r"must solve A d = e with A \(6, 2\) and e \(6, .*got \(6, 2\), \(3, 1\)"),
    (lambda J, V, solve: solve(J, V)[:1, :], r"must return one entry per joint, shape \(2, 1\), got \(1, 1\)"),
    (lambda J, V, solve: J.T * V, r"must compute its step by solve\(A, e\), but never calls it"),
    (lambda J, V, solve: solve(J, V) * sp.Symbol("gain"), r"unknown symbols gain in .*; allowed: entries of J, V"),
    (lambda J, V, solve: solve(J, V * sp.Symbol("bias")), r"unknown symbols bias in .*; allowed: entries of J, V"),
    (lambda J, V, solve: solve(J, V) * sp.besselj(0, V[0]), r"unknown functions besselj in .*; allowed: sp.sqrt, exp"),
    (lambda J, V, solve: solve(J, V) * sp.I, r"the step of .* must be real, got "),
    (lambda J, V, solve: solve(J, V) / J[99, 99], r"\(J, V, solve\) failed: .*[Ii]ndex"),
    (lambda J, V: J.T * V, "takes 2 positional arguments but 3 were given"),
]


@pytest.mark.parametrize(("formula", "words"), FORMULAS)
def test_a_formula_without_a_valid_step_is_refused(formula, words):
    target = TWO.forward_kinematics([0.3, 0.9])
    for options in ({}, {"trace": True}):
        with pytest.raises(ParameterError, match=words):
            solve(TWO, target, [0.2, 0.8], method=Method(formula), **options)


RETURNED = [
    ("step", [1j, 0], r"UserMethod\.step must return numbers, got \[1j, 0\]"),
    ("step", None, "UserMethod.step must return numbers, got None"),
    ("step", [[0.1, 0.2]], r"UserMethod\.step must return shape \(2,\), got \(1, 2\)"),
    *(
        ("damping_value", value, r"UserMethod\.damping_value (must return|returned)")
        for value in (math.nan, -1.0, "x", None, [1.0, 2.0])
    ),
]


@pytest.mark.parametrize(("name", "value", "words"), RETURNED)
def test_an_invalid_value_that_a_method_returns_is_refused(name, value, words):
    with pytest.raises(ParameterError, match=words):
        solve(TWO, np.eye(4), [0.3, 0.4], method=UserMethod(**{name: lambda jacobian, error: value}))


@pytest.mark.parametrize("value", [-1.0, 1e308])
def test_every_search_names_a_rule_with_an_invalid_value(value):
    method = LevenbergMarquardt(Damping(lambda E, c: c * (E + 1) ** 2 * 10, c=value))
    target = TWO.forward_kinematics([0.3, 0.9])
    for call in (solve, lambda arm, T, **options: solve_batch(arm, [T] * 3, **options)):
        with pytest.raises(ParameterError, match="must return one finite number, zero or more, got (-|inf)"):
            call(TWO, target, method=method)


def test_the_smallest_allowed_tolerances_are_reached():
    stop = Stop(pose_ik.problem.FLOOR, pose_ik.problem.FLOOR * pose_ik.arm.arm_of(UR10).size)
    assert solve(UR10, POSE, stop=stop).converged
    small = robots.from_screws(np.array([[0, 0, 1, 0, 0, 0]]).T, lie.exp_se3([0, 0, 0, 1e-6, 0, 0]))
    assert solve(small, small.forward_kinematics([0.7]), stop=Stop(position=1e-18)).converged


@pytest.mark.parametrize("kind", [np.float16, np.longdouble, int])
def test_numbers_of_other_types_are_converted_to_doubles(kind):
    """Half precision would round λ² to three digits."""
    given = kind(1) if kind is int else kind(0.3)
    assert type(Constant(given).damping) is float
    assert Constant(given).value(np.zeros(6), np.ones(6)) == float(given) ** 2
    assert Stop(given, given) == Stop(float(given), float(given))
