"""The search over lanes gives the answers of the loop for one pose, compiled and readable.

Lanes differ from the other loops by rounding. Newton's steps far from a solution magnify it without bound, so whole
searches are compared where they do not: near a solution, or with a damping that bounds the step. Elsewhere the answer
is judged by itself, with other people's kinematics.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from regular import regular
from run_in_python import damped

from lessons_lib import lie, robots
from lessons_lib.lie.targets import pose_module
from lessons_lib.pose_ik import (
    BestOf,
    Chan,
    Constant,
    GaussNewton,
    Halley,
    LevenbergMarquardt,
    Method,
    Near,
    Nearest,
    NewtonRaphson,
    Restarts,
    Status,
    Stop,
    Sugihara,
    TrustRegion,
    Wampler,
    in_python,
    lanes,
    layout,
    pose,
    position_only,
    sequential,
    solve,
    solve_batch,
)
from lessons_lib.pose_ik.arguments import FIXED_SEED, check_problem
from lessons_lib.pose_ik.least_error import FAILED, Descent
from lessons_lib.pose_ik.one_pose import solve_in_python
from lessons_lib.pose_ik.prepared_problem import PreparedProblem
from lessons_lib.pose_ik.problem import Problem
from lessons_lib.pose_ik.rows import Rows
from lessons_lib.pose_ik.settings import no_reports
from lessons_lib.pose_ik.variants import variant_of
from lessons_lib.robots import Chain

POLICIES = [Constant(), Constant(0.01), Wampler(), Chan(), Chan(1.0), Sugihara(), Sugihara(1e-6)]
UNEQUAL = (1.0, 0.5, 2.0, 3.0, 1.0, 0.7)
CHOICES: dict[str, dict] = {
    "plain": {},
    "weights": {"goal": pose(UNEQUAL)},
    "space": {"frame": "space"},
    "space, weights": {"frame": "space", "goal": pose(UNEQUAL)},
    "exact": {"derivative": "exact"},
    "position": {"goal": position_only()},
    "split body": {"goal": pose((1.0, 1.0, 0.0, 1.0, 2.0, 1.0))},
    "split space": {"goal": pose((0.0, 0.0, 0.0, 2.0, 1.0, 0.0), axes="space")},
    "split target": {"goal": pose((1.0, 1.0, 0.0, 1.0, 0.5, 1.0), axes="target")},
}
HOME = lie.exp_se3([0.1, 0.2, -0.3, 0.4, 0.0, 0.2])
_made: dict[str, Chain] = {}


def one_joint() -> Chain:
    return robots.from_screws(np.array([[0, 0, 1, 0, 0, 0]]).T, HOME, name="one joint")


def turn_and_two_slides() -> Chain:
    screws = np.array([[0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 0, 1]]).T
    return robots.from_screws(screws, HOME, limits=[[-3, 3], [0, 1], [-0.5, 0.5]], name="a turn and two slides")


def nine_joints() -> Chain:
    axes, rng = np.eye(3)[[2, 1, 0, 2, 1, 2, 0, 1, 2]], np.random.default_rng(2)
    points = rng.integers(-4, 5, (9, 3)) / 8
    return robots.from_screws(np.hstack([axes, np.cross(points, axes)]).T, HOME, name="nine joints")


MADE = {maker.__name__: maker for maker in (one_joint, turn_and_two_slides, nine_joints)}
REST = ("panda", "one_joint", "nine_joints")
"""Arms on which all is tried before a release, for each costs its compilations."""


def made(name: str) -> Chain:
    """Return one of these chains, derived once."""
    if name not in _made:
        _made[name] = MADE[name]()
    return _made[name]


@pytest.fixture(
    scope="session",
    params=["planar_2r", "ur10", "turn_and_two_slides", *(pytest.param(n, marks=pytest.mark.release) for n in REST)],
)
def any_chain(request: pytest.FixtureRequest) -> Chain:
    if request.param in MADE:
        return made(request.param)
    return request.getfixturevalue(request.param)


def descend(problem: Problem, targets: np.ndarray, reports: np.ndarray) -> None:
    """Lower the error of the failed searches, in place."""
    for target, report in zip(targets, reports, strict=True):
        if report[layout.STATUS] in FAILED:
            Descent(problem).lower(target, report)


def over_lanes(problem: Problem, targets: np.ndarray, starts: np.ndarray, seeds: np.ndarray) -> np.ndarray:
    """Return the reports of the lanes alone, shape (k, 5 + 2 n)."""
    reports = no_reports(len(targets), problem.chain.dof)
    lanes.row_search(problem)(targets, starts, seeds, reports, lanes.simd_settings(problem))
    return reports


def three(
    chain: Chain, targets: np.ndarray, begin: np.ndarray, readable: bool = True, **asked: Any
) -> list[np.ndarray]:
    """Return the reports over lanes, of the compiled loop and, if wanted, of the readable one."""
    problem = check_problem(chain, asked.get("method"), asked.get("stop"), asked.get("starts"), asked.get("goal"))
    assert lanes.can_solve(problem)
    seeds = np.full(len(targets), FIXED_SEED)
    reports = [search_rows(problem, targets, begin, seeds) for search_rows in (over_lanes, sequential.search_rows)]
    if readable:
        found = [in_python.search(problem, T, q, FIXED_SEED) for T, q in zip(targets, begin, strict=True)]
        reports.append(np.array([report for report, _ in found]))
    return reports


def assert_alike(reports: list[np.ndarray], atol: float = 1e-9) -> None:
    ours, *others = reports
    dof = (ours.shape[1] - layout.JOINTS) // 2
    for other in others:
        np.testing.assert_array_equal(ours[:, : layout.ORIENTATION_ERROR], other[:, : layout.ORIENTATION_ERROR])
        np.testing.assert_allclose(ours[:, layout.JOINTS :], other[:, layout.JOINTS :], atol=atol, rtol=0)
        errors = slice(layout.ORIENTATION_ERROR, layout.JOINTS)
        np.testing.assert_allclose(ours[:, errors], other[:, errors], atol=atol * math.sqrt(dof), rtol=0)


def several(chain: Chain, rng: np.random.Generator, count: int) -> np.ndarray:
    return np.array([regular(chain, rng) for _ in range(count)])


def poses(chain: Chain, configurations: np.ndarray) -> np.ndarray:
    return np.array([chain.forward_kinematics(q) for q in configurations])


@pytest.mark.check
@pytest.mark.parametrize("policy", [Constant(), Chan(1.0), Sugihara(1e-6)], ids=str)
def test_the_three_loops_agree_near_a_solution(any_chain: Chain, policy: object) -> None:
    rng = np.random.default_rng(21)
    q = several(any_chain, rng, 11)  # more than lanes, and no multiple of them
    starts = np.clip(q + rng.uniform(-0.1, 0.1, q.shape), *any_chain.limits.T)
    reports = three(any_chain, poses(any_chain, q), starts, method=LevenbergMarquardt(policy))
    assert (reports[0][:, layout.STATUS] == layout.CONVERGED).all()
    assert_alike(reports)


def test_the_three_loops_make_the_same_restarts(any_chain: Chain) -> None:
    """The default damping bounds the steps enough for long searches to stay together."""
    rng = np.random.default_rng(22)
    targets = poses(any_chain, np.array([any_chain.random_configuration(rng) for _ in range(12)]))
    starts = np.array([any_chain.random_configuration(rng) for _ in range(12)])
    reports = three(any_chain, targets, starts, starts=Restarts(40), stop=Stop(max_iterations=15))
    solved = reports[0][:, layout.STATUS] == layout.CONVERGED
    assert_alike([report[solved] for report in reports], atol=1e-6)
    assert (reports[1][~solved, layout.STATUS] != layout.CONVERGED).all(), "undecided, but solved by the other loop"
    assert solved.sum() >= 6


def test_a_start_that_is_a_solution_takes_no_step(any_chain: Chain) -> None:
    q = several(any_chain, np.random.default_rng(23), 9)
    reports = three(any_chain, poses(any_chain, q), q)
    assert_alike(reports)
    np.testing.assert_array_equal(reports[0][:, layout.JOINTS : layout.JOINTS + any_chain.dof], q)
    assert not reports[0][:, layout.ITERATIONS].any()


def test_a_slide_at_the_end_of_its_way() -> None:
    """A solution beyond a limit by less than the tolerance is moved onto the limit, in every loop."""
    chain = made("turn_and_two_slides")
    targets = poses(chain, np.array([[1.0, 1.0, 0.5], [0.5, 0.0, -0.5], [2.9, 1.0, 0.2], [-2.0, 0.0, 0.5]]))
    for start in ([0.5, 0.5, 0.1], [0.0, 0.3, 0.2], [2.0, 0.9, 0.0]):
        assert_alike(three(chain, targets, np.tile(start, (len(targets), 1))))


@pytest.mark.parametrize("angle", [math.pi, -math.pi, 3 * math.pi, 2.5, 100.0, 9.9e4])
def test_a_joint_without_limits_comes_back_by_whole_turns(angle: float) -> None:
    chain = made("one_joint")
    target = poses(chain, np.array([[0.7]]))
    reports = three(chain, target, np.array([[angle]]))
    assert reports[0][0, layout.STATUS] == layout.CONVERGED
    assert_alike(reports)
    assert abs(reports[0][0, layout.JOINTS] - angle) <= math.pi + 1e-6


@pytest.mark.parametrize("angle", [1e5, 1e6, -1e12, 1e300])
def test_huge_angles_are_left_to_the_loop_that_knows_them(angle: float) -> None:
    chain = made("one_joint")
    target, start = chain.forward_kinematics([0.7]), np.array([angle])
    ours, theirs = three(chain, target[None], start[None], readable=False)
    assert ours[0, layout.STATUS] == layout.NEEDS_FALLBACK
    answer = solve(chain, target, start)
    assert answer.status.name == list(Status)[int(theirs[0, layout.STATUS])].name
    np.testing.assert_array_equal(answer.q, theirs[0, layout.JOINTS : layout.JOINTS + 1])


def test_tight_limits(ur10: Chain) -> None:
    """Few of the solutions lie within ±0.4, and many starts end outside."""
    chain = robots.from_screws(ur10.screws, ur10.home, limits=np.tile([-0.4, 0.4], (6, 1)), name="tight UR10")
    rng = np.random.default_rng(24)
    targets = poses(chain, np.array([chain.random_configuration(rng) for _ in range(20)]))
    ours, theirs = three(chain, targets, np.zeros((20, 6)), readable=False)
    solved = ours[:, layout.STATUS] == layout.CONVERGED
    assert solved.sum() >= 10
    q = ours[solved, layout.JOINTS : layout.JOINTS + 6]
    assert (abs(q) <= 0.4).all()
    assert_alike([ours[solved], theirs[solved]], atol=1e-5)


@pytest.mark.parametrize("axis", [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, -2, 2]])
def test_half_a_turn_away(
    ur10: Chain, axis: list[int], honest_errors: Callable[[Chain, np.ndarray, np.ndarray], tuple[float, float]]
) -> None:
    """The error has two logarithms; rounding chooses one, and either way must lead to the pose."""
    a = np.array(axis) / np.linalg.norm(axis)
    start = np.array([0.3, -1.0, 1.2, -0.5, 0.8, 0.2])
    target = ur10.forward_kinematics(start)
    target[:3, :3] = target[:3, :3] @ (2 * np.outer(a, a) - np.eye(3))
    result = solve(ur10, target, start)
    assert result.converged
    assert max(honest_errors(ur10, result.q, target)) < 3e-6


@pytest.mark.check
def test_a_singular_start_with_hardly_any_damping_falls_back(any_chain: Chain) -> None:
    """Pivots that rounding decides are left to the other loop; the answer is that loop's, to the last bit."""
    method, rng = LevenbergMarquardt(Constant(1e-9)), np.random.default_rng(25)
    start = np.clip(np.zeros(any_chain.dof), *any_chain.limits.T)
    targets = poses(any_chain, np.array([any_chain.random_configuration(rng) for _ in range(6)]))
    ours, theirs = three(any_chain, targets, np.tile(start, (6, 1)), readable=False, method=method)
    batch = solve_batch(any_chain, targets, start, method=method)
    for row, target in enumerate(targets):
        single = solve(any_chain, target, start, method=method)
        np.testing.assert_array_equal(batch.q[row], single.q)
        assert (batch.restarts[row], batch.iterations[row]) == (single.restarts, single.iterations)
        if ours[row, layout.STATUS] == layout.NEEDS_FALLBACK:
            np.testing.assert_array_equal(single.q, theirs[row, layout.JOINTS : layout.JOINTS + any_chain.dof])
            assert single.iterations == theirs[row, layout.ITERATIONS]


def test_a_singular_start_of_the_ur10_is_left_undecided(ur10: Chain) -> None:
    """So that the test before this one has something to find."""
    target = ur10.forward_kinematics(np.full(6, 0.4))[None]
    (ours,) = three(ur10, target, np.zeros((1, 6)), readable=False, method=LevenbergMarquardt(Constant(1e-9)))[:1]
    assert ours[0, layout.STATUS] == layout.NEEDS_FALLBACK


def test_what_the_lanes_cannot_decide_keeps_its_status(ur10: Chain) -> None:
    far, inside = np.eye(4), np.eye(4)
    far[:3, 3], inside[:3, 3] = [5, 0, 0], [0.01, 0.0, 0.3]  # out of reach, and inside the shoulder
    targets, starts = np.array([far, inside]), np.zeros((2, 6))
    ours, theirs = three(ur10, targets, starts, readable=False, starts=Restarts(3))
    assert (ours[:, layout.STATUS] == layout.NEEDS_FALLBACK).all()
    assert list(theirs[:, layout.STATUS]) == [layout.UNREACHABLE, layout.MAX_ITERATIONS_USED]
    batch = solve_batch(ur10, targets, starts, starts=Restarts(3))
    descend(check_problem(ur10, None, None, Restarts(3)), targets, theirs)
    np.testing.assert_allclose(batch.q, theirs[:, layout.JOINTS : layout.JOINTS + 6], atol=1e-5)
    assert list(batch.status) == [Status.UNREACHABLE, Status.MAX_ITERATIONS]


@pytest.mark.parametrize("restarts", [0, 1, 3, 4, 8, 9, 30])
def test_no_more_starts_than_allowed(ur10: Chain, restarts: int) -> None:
    """One pose has all lanes to itself, also where fewer starts are allowed than there are lanes."""
    rng = np.random.default_rng(26)
    targets = poses(ur10, np.array([ur10.random_configuration(rng) for _ in range(30)]))
    asked = {"starts": Restarts(restarts), "stop": Stop(max_iterations=6)}
    batch = solve_batch(ur10, targets, **asked)
    assert batch.restarts.max() <= restarts
    for row, target in enumerate(targets):
        single = solve(ur10, target, **asked)
        assert (single.restarts, single.status) == (batch.restarts[row], batch.status[row])
        np.testing.assert_array_equal(single.q, batch.q[row])


def test_every_answer_is_a_solution(
    chain: Chain, honest_errors: Callable[[Chain, np.ndarray, np.ndarray], tuple[float, float]]
) -> None:
    """Of seven hundred targets for each of three arms, some judged by kinematics and a logarithm that are not ours."""
    rng, stop = np.random.default_rng(27), Stop()
    targets = poses(chain, np.array([chain.random_configuration(rng) for _ in range(700)]))
    batch = solve_batch(chain, targets, chain.random_configuration(rng))
    assert batch.converged.all()
    assert (batch.q >= chain.limits[:, 0]).all() and (batch.q <= chain.limits[:, 1]).all()
    for row, target in enumerate(targets[:60]):
        angle, distance = honest_errors(chain, batch.q[row], target)
        # theirs and ours differ by rounding: a dozen products of matrices
        assert angle <= stop.orientation + 1e-13 and distance <= stop.position + 1e-13
        assert angle == pytest.approx(batch.orientation_error[row], abs=1e-13)
        assert distance == pytest.approx(batch.position_error[row], abs=1e-13)


@pytest.mark.check
@pytest.mark.parametrize("policy", [Chan(), TrustRegion()], ids=str)
@pytest.mark.parametrize("choice", CHOICES)
def test_every_choice_gives_the_iterates_of_the_readable_loop(ur10: Chain, policy: object, choice: str) -> None:
    """Weights, frames, derivatives, the split error, and a memory: over lanes, in a lane, and by Python with NumPy."""
    if isinstance(policy, TrustRegion) and choice not in ("weights", "space", "split target"):
        return  # the pieces are the same
    method, rng = damped(policy, **CHOICES[choice]), np.random.default_rng(28)
    for q in several(ur10, rng, 2):
        start, target = q + rng.uniform(-0.2, 0.2, 6), ur10.forward_kinematics(q)
        ours = solve(ur10, target, start, method=method, starts=Restarts(0))
        theirs = solve_in_python(ur10, target, start, method=method, starts=Restarts(0))
        assert (ours.status, ours.iterations) == (theirs.status, theirs.iterations)
        np.testing.assert_allclose(ours.q, theirs.q, atol=1e-8, rtol=0)


def test_ones_for_weights_are_no_weights(ur10: Chain) -> None:
    target = ur10.forward_kinematics(np.array([0.4, -1.0, 1.2, -0.7, 0.9, 0.3]))
    ones = check_problem(ur10, LevenbergMarquardt(), None, None, pose(np.ones(6)))
    assert lanes.module_for(ur10, variant_of(ones.method)) is lanes.module_for(ur10)
    np.testing.assert_array_equal(solve(ur10, target, method=ones.method).q, solve(ur10, target).q)


@pytest.mark.parametrize("restarts", [0, 12, 100])
def test_a_pose_that_no_start_solves_is_searched_once(
    ur10: Chain, restarts: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lanes find the best iterate of the other loop, and nothing is left for that."""
    targets = np.array([np.eye(4)] * 5)
    targets[:, :3, 3] = [[0.01, 0.0, 0.3], [0.0, 0.02, 0.1], [-0.03, 0.0, 0.2], [0.0, 0.0, 0.12], [0.05, 0.05, 0.1]]
    problem, starts = check_problem(ur10, None, None, Restarts(restarts)), np.full((5, 6), 0.1)
    theirs = sequential.search_rows(problem, targets, starts, np.full(5, FIXED_SEED))
    descend(problem, targets, theirs)
    for owner, name in ((PreparedProblem, "sequential"), (Rows, "_search_compiled")):
        monkeypatch.setattr(owner, name, None)
    batch = solve_batch(ur10, targets, starts, starts=problem.starts)
    for row, target in enumerate(targets):
        result = solve(ur10, target, starts[row], starts=problem.starts)
        expected = theirs[row]
        assert [*Status].index(result.status) == expected[layout.STATUS] != layout.CONVERGED
        assert (result.iterations, result.restarts) == tuple(expected[[layout.ITERATIONS, layout.RESTARTS]])
        errors = result.orientation_error, result.position_error
        # the descent ends where the cosine of error and slope is below 1e-7: about as well is its end known
        np.testing.assert_allclose(errors, expected[layout.ORIENTATION_ERROR : layout.JOINTS], atol=1e-5)
        np.testing.assert_allclose(result.q, expected[layout.JOINTS : layout.JOINTS + 6], atol=1e-5)
        np.testing.assert_array_equal(batch.q[row], result.q)
        assert batch.status[row] is result.status and batch.iterations[row] == result.iterations


def test_a_long_search_that_is_taken_up_again_reports_the_same_best(
    ur10: Chain, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between two calls, at which Ctrl-C could be heard, the seed is kept in the workspace."""
    target, start = np.eye(4), np.full(6, 0.1)
    target[:3, 3] = [0.01, 0.0, 0.3]
    problem, calls = check_problem(ur10, None, None, Restarts(9000)), []
    entry = lanes.entry_for(problem, "solve_pose")

    def counted(*arguments: object) -> bool:
        calls.append(arguments[3])
        return bool(entry(*arguments))

    monkeypatch.setattr(lanes, "entry_for", lambda *_: counted)
    found = lanes.pose_search(problem)(target, start, 7)
    assert calls[0] == 7 and set(calls[1:]) == {layout.RESUME}
    theirs = sequential.search_rows(problem, target[None], start[None], np.array([7]))[0]
    np.testing.assert_allclose(found[layout.JOINTS :], theirs[layout.JOINTS :], atol=1e-6)


@pytest.mark.check
@pytest.mark.parametrize(
    ("choice", "policy"), [("plain", Chan()), ("exact", TrustRegion()), ("split target", Chan())], ids=str
)
def test_a_row_of_a_batch_equals_the_single_call(ur10: Chain, choice: str, policy: object) -> None:
    rng, method = np.random.default_rng(27), damped(policy, **CHOICES[choice])
    targets = poses(ur10, np.array([ur10.random_configuration(rng) for _ in range(40)]))
    if choice in ("plain", "space", "exact"):  # with weights, a pose that no start solves is left to another loop
        targets[::8, :2, 3] *= 0.1  # near the shoulder, where many of them cannot be reached
    batch = solve_batch(ur10, targets, method=method, starts=Restarts(30))
    assert batch.converged.all() != (choice in ("plain", "space", "exact"))
    for row, target in enumerate(targets):
        single = solve(ur10, target, method=method, starts=Restarts(30))
        np.testing.assert_array_equal(single.q, batch.q[row])
        assert (single.status, single.iterations) == (batch.status[row], batch.iterations[row])
        assert (single.restarts, single.position_error) == (batch.restarts[row], batch.position_error[row])


def test_what_the_lanes_are_asked_for(planar_2r: Chain) -> None:
    def known(method: Any, starts: Any = None, goal: Any = None) -> bool:
        return lanes.can_solve(check_problem(planar_2r, method, None, starts, goal))

    assert all(known(LevenbergMarquardt(policy)) for policy in POLICIES)
    assert all(known(damped(TrustRegion(), **choice)) for choice in CHOICES.values())
    assert all(known(LevenbergMarquardt(policy)) for policy in (Constant(0.0), Chan(0.0)))
    assert all(known(method) for method in (NewtonRaphson(), NewtonRaphson("space"), GaussNewton()))
    some = position_only()  # of the components count; undamped, the pivots of the others are lost
    assert not any(known(method, goal=some) for method in (GaussNewton(), LevenbergMarquardt(Constant(0.0))))
    assert known(LevenbergMarquardt(), goal=some)
    assert known(Halley()) and known(Halley(Chan(0.1)), goal=some) and not known(Halley(), goal=some)
    assert not any(known(None, starts) for starts in (BestOf(5), Nearest(5), Near()))
    assert known(None, Restarts(5))
    assert known(None)


@pytest.mark.parametrize("policy", [Chan(), TrustRegion()], ids=["a rule", "trust region"])
@pytest.mark.parametrize("choice", ["weights", "space", "exact", "position", "split target"])
def test_what_calls_no_kernel_is_the_same_for_many_methods(planar_2r: Chain, choice: str, policy: object) -> None:
    method = damped(policy, **CHOICES[choice])
    first, other = lanes.module_for(planar_2r), lanes.module_for(planar_2r, variant_of(method))
    assert other is not first and other.damped_step is not first.damped_step
    is_alike = choice != "split target"  # there the error lies elsewhere
    for name in ("check_convergence", "reset_lane", "assign_starts", "next_problem"):
        assert (getattr(other, name) is getattr(first, name)) == is_alike, name
    assert (other.ERROR == first.ERROR) == is_alike


def said_of(angular: float, linear: float, squares: np.ndarray, w: dict[str, Any]) -> float:
    """Return the event of a lane: 0 none, 1 reached, 2 ended, 3 broken down."""
    orientation, position, most, _ = w["BOUNDS"]
    if w["IDLE"]:
        return 0.0
    if w["EVENT"]:
        return float(w["EVENT"])
    if w["BREAKDOWN"] or not np.isfinite(squares).all():
        return 3.0
    if angular <= orientation and linear <= position:
        return 1.0
    return 2.0 if w["NO_PROGRESS"] or w["COUNT"] >= most else 0.0


@pytest.mark.check
@pytest.mark.parametrize("value", [1.0, 1e-3, np.nan, np.inf, 1e200])
def test_each_lane_is_told_what_became_of_it(planar_2r: Chain, value: float) -> None:
    """Each state with each component too large, or no number; bounds and masks differ from lane to lane."""
    module, rng = lanes.module_for(planar_2r), np.random.default_rng(31)
    names = ("IDLE", "EVENT", "BREAKDOWN", "NO_PROGRESS", "COUNT", "ATTEMPT", "BEST")
    sizes, seen = dict.fromkeys(names, 1) | {"BEST": 3, "BOUNDS": 4, "COUNTS": 6, "ERROR": 6}, set()
    for _ in range(40):
        w = rng.uniform(0.0, 9.0, (module.ROWS, module.LANES))
        states = []
        for lane in range(module.LANES):
            state: dict[str, Any] = {name: float(rng.random() < 0.15) for name in names}
            state["EVENT"] = float(rng.choice([0, 0, 0, 0, 1, 2, 3]))
            tolerances = rng.uniform(1e-8, 1e-6, 2)
            state["BOUNDS"] = [*tolerances, 5.0, 4.0]
            state["COUNT"], state["ATTEMPT"] = float(rng.integers(3, 7)), float(rng.integers(2, 6))
            state["COUNTS"] = rng.integers(0, 2, 6).astype(float)
            state["BEST"] = np.array([rng.choice([1e-14, 1e7]), 9.0, 9.0])
            state["ERROR"] = np.where(rng.random(6) < 0.2, value, rng.uniform(-1e-5, 1e-5, 6))
            for name, size in sizes.items():
                first = getattr(module, name)
                w[first : first + size, lane] = state[name]
            states.append(state)
        module.check_convergence(w)
        for lane, state in enumerate(states):
            with np.errstate(all="ignore"):
                squares = np.square(state["ERROR"])
                counted = np.where(state["COUNTS"] > 0, squares, 0.0)
            event = said_of(counted[:3].sum(), counted[3:].sum(), squares, state)
            assert w[module.EVENT, lane] == event, state
            seen.add(event)
            np.testing.assert_allclose(w[module.ANGULAR, lane], squares[:3].sum(), rtol=1e-12)
            np.testing.assert_allclose(w[module.LINEAR, lane], squares[3:].sum(), rtol=1e-12)
            if not np.isfinite(squares).all():
                continue
            better = state["ATTEMPT"] < 4.0 and counted.sum() < state["BEST"][0]
            best = [counted.sum(), state["ATTEMPT"], state["COUNT"]] if better else state["BEST"]
            np.testing.assert_allclose(w[module.BEST : module.BEST + 3, lane], best, rtol=1e-12)
    assert seen == {0.0, 1.0, 2.0, 3.0}


@pytest.mark.parametrize("wrapped", [0.0, 1.0])
def test_a_lane_that_is_reset_forgets_its_last_start(planar_2r: Chain, wrapped: float) -> None:
    module = lanes.module_for(planar_2r)
    before = np.random.default_rng(32).uniform(1.0, 9.0, (module.ROWS, module.LANES))
    before[module.WRAPPED] = wrapped
    after = before.copy()
    module.reset_lane(after, 3)
    there = {"BREAKDOWN": 0.0, "EVENT": 0.0, "FRESH": 0.0, "BEGINS": 1.0, "NO_PROGRESS": wrapped}
    for name, value in (there if wrapped else {**there, "COUNT": 0.0}).items():
        before[getattr(module, name), 3] = value
    before[module.Q : module.Q + 2, 3] = before[module.NEXT : module.NEXT + 2, 3]
    np.testing.assert_array_equal(after, before)


UNDAMPED = [NewtonRaphson(), NewtonRaphson("space"), GaussNewton(), pose((1, 1, 1, 4, 4, 4)).of(GaussNewton())]


@pytest.mark.parametrize("method", UNDAMPED)
@pytest.mark.parametrize("make", [robots.ur10, robots.panda, robots.planar_2r])
def test_an_undamped_step_over_lanes_is_that_of_the_pseudoinverse(make: Callable[[], Chain], method: Method) -> None:
    """Near a solution both loops take the same way to it; of random poses the lanes leave few to the other one."""
    chain, rng = make(), np.random.default_rng(8)
    search = lanes.pose_search(check_problem(chain, method, None, Restarts(0)))
    targets, decided = [chain.forward_kinematics(chain.random_configuration(rng)) for _ in range(100)], 0
    for target in targets:
        decided += search(target, chain.random_configuration(rng), 1)[layout.STATUS] != layout.NEEDS_FALLBACK
    assert decided >= 90
    compared = 0
    for _ in range(8):
        q = chain.random_configuration(rng)
        start = np.clip(q + rng.uniform(-0.05, 0.05, chain.dof), *chain.limits.T)
        target = chain.forward_kinematics(q)
        here, there = (each(chain, target, start, method=method) for each in (solve, solve_in_python))
        assert here.converged and there.converged
        if there.restarts == 0:  # with a random start the way to it is long, and rounding is magnified
            compared += 1
            assert here.iterations == there.iterations
            np.testing.assert_allclose(here.q, there.q, rtol=0, atol=1e-9)
    assert compared >= 5


@pytest.mark.parametrize("size", [1e-12, 1e-9, 6e-8])
def test_a_rounded_rotation_in_a_lane_becomes_the_nearest_one(planar_2r: Chain, size: float) -> None:
    """Judged by itself: a solve hardly sees it, for the logarithm reads the skew part alone."""
    module, rng = lanes.module_for(planar_2r), np.random.default_rng(4)
    before = np.zeros((module.TARGET + 12, module.LANES))
    R = lie.exp_so3(rng.normal(size=3)) + size * rng.uniform(-1.0, 1.0, (3, 3))
    before[module.TARGET :] = np.column_stack([R, [1.0, 2.0, 3.0]]).reshape(-1, 1)
    after = before.copy()
    pose_module().orthonormalize(after, module.TARGET, 1)
    left, _, right = np.linalg.svd(R)
    pose = after[module.TARGET :, 1].reshape(3, 4)
    np.testing.assert_allclose(pose[:, :3], left @ right, rtol=0, atol=2e-15)
    np.testing.assert_array_equal(pose[:, 3], [1.0, 2.0, 3.0])
    np.testing.assert_array_equal(np.delete(after, 1, axis=1), np.delete(before, 1, axis=1))
