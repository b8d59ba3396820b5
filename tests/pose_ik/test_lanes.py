"""The SIMD search gives the solutions of the sequential search, compiled and in Python.

They differ by rounding, which Newton's steps far from a solution amplify without bound. Therefore whole searches are
compared near a solution or with a damping that bounds the step. Elsewhere modern_robotics and Pinocchio check the
solution.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from regular import regular
from run_in_python import damped_least_squares

from lessons_lib import lie, robots
from lessons_lib.pose_ik import (
    Chan,
    Constant,
    LevenbergMarquardt,
    Restarts,
    Stop,
    Sugihara,
    TrustRegion,
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
from lessons_lib.pose_ik.one_pose import solve_in_python
from lessons_lib.pose_ik.problem import Problem
from lessons_lib.pose_ik.settings import no_reports
from lessons_lib.robots import Chain

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
_derived: dict[str, Chain] = {}


def one_joint() -> Chain:
    return robots.from_screws(np.array([[0, 0, 1, 0, 0, 0]]).T, HOME, name="one joint")


def revolute_and_two_prismatic_joints() -> Chain:
    screws = np.array([[0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 0, 1]]).T
    return robots.from_screws(
        screws, HOME, limits=[[-3, 3], [0, 1], [-0.5, 0.5]], name="revolute and two prismatic joints"
    )


def nine_joints() -> Chain:
    axes, rng = np.eye(3)[[2, 1, 0, 2, 1, 2, 0, 1, 2]], np.random.default_rng(2)
    points = rng.integers(-4, 5, (9, 3)) / 8
    return robots.from_screws(np.hstack([axes, np.cross(points, axes)]).T, HOME, name="nine joints")


CHAINS = {maker.__name__: maker for maker in (one_joint, revolute_and_two_prismatic_joints, nine_joints)}
REST = ("panda", "one_joint", "nine_joints")
"""Arms that are tested only before a release, because each has its own compilations."""


def derive(name: str) -> Chain:
    """Return one of these chains, built once."""
    if name not in _derived:
        _derived[name] = CHAINS[name]()
    return _derived[name]


@pytest.fixture(
    scope="session",
    params=[
        "planar_2r",
        "ur10",
        "revolute_and_two_prismatic_joints",
        *(pytest.param(n, marks=pytest.mark.release) for n in REST),
    ],
)
def any_chain(request: pytest.FixtureRequest) -> Chain:
    if request.param in CHAINS:
        return derive(request.param)
    return request.getfixturevalue(request.param)


def simd_reports(problem: Problem, targets: np.ndarray, starts: np.ndarray, seeds: np.ndarray) -> np.ndarray:
    """Return the reports of the SIMD search, shape (k, 5 + 2 n)."""
    reports = no_reports(len(targets), problem.chain.dof)
    lanes.row_search(problem)(targets, starts, seeds, reports, lanes.simd_settings(problem))
    return reports


def reports_of_three(
    chain: Chain, targets: np.ndarray, first: np.ndarray, readable: bool = True, **options: Any
) -> list[np.ndarray]:
    """Return the reports of the SIMD search, the sequential search and, if `readable`, the search in Python."""
    problem = check_problem(
        chain, options.get("method"), options.get("stop"), options.get("starts"), options.get("goal")
    )
    assert lanes.can_solve(problem)
    seeds = np.full(len(targets), FIXED_SEED)
    reports = [search_rows(problem, targets, first, seeds) for search_rows in (simd_reports, sequential.search_rows)]
    if readable:
        found = [in_python.search(problem, T, q, FIXED_SEED) for T, q in zip(targets, first, strict=True)]
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


def regular_configurations(chain: Chain, rng: np.random.Generator, count: int) -> np.ndarray:
    return np.array([regular(chain, rng) for _ in range(count)])


def poses(chain: Chain, configurations: np.ndarray) -> np.ndarray:
    return np.array([chain.forward_kinematics(q) for q in configurations])


@pytest.mark.check
@pytest.mark.parametrize("policy", [Constant(), Chan(1.0), Sugihara(1e-6)], ids=str)
def test_the_three_searches_agree_near_a_solution(any_chain: Chain, policy: object) -> None:
    rng = np.random.default_rng(21)
    q = regular_configurations(any_chain, rng, 11)  # more than the lanes, and not a multiple of their number
    starts = np.clip(q + rng.uniform(-0.1, 0.1, q.shape), *any_chain.limits.T)
    reports = reports_of_three(any_chain, poses(any_chain, q), starts, method=LevenbergMarquardt(policy))
    assert (reports[0][:, layout.STATUS] == layout.CONVERGED).all()
    assert_alike(reports)


def test_the_three_searches_make_the_same_restarts(any_chain: Chain) -> None:
    """The default damping bounds the steps enough for long searches to stay together."""
    rng = np.random.default_rng(22)
    targets = poses(any_chain, np.array([any_chain.random_configuration(rng) for _ in range(12)]))
    starts = np.array([any_chain.random_configuration(rng) for _ in range(12)])
    reports = reports_of_three(any_chain, targets, starts, starts=Restarts(40), stop=Stop(max_iterations=15))
    solved = reports[0][:, layout.STATUS] == layout.CONVERGED
    assert_alike([report[solved] for report in reports], atol=1e-6)
    assert (reports[1][~solved, layout.STATUS] != layout.CONVERGED).all(), "undecided only by the SIMD search"
    assert solved.sum() >= 6


@pytest.mark.parametrize("angle", [math.pi, -math.pi, 3 * math.pi, 2.5, 100.0, 9.9e4])
def test_a_joint_without_limits_is_unwrapped_by_whole_revolutions(angle: float) -> None:
    chain = derive("one_joint")
    target = poses(chain, np.array([[0.7]]))
    reports = reports_of_three(chain, target, np.array([[angle]]))
    assert reports[0][0, layout.STATUS] == layout.CONVERGED
    assert_alike(reports)
    assert abs(reports[0][0, layout.JOINTS] - angle) <= math.pi + 1e-6


@pytest.mark.parametrize("restarts", [0, 1, 3, 4, 8, 9, 30])
def test_no_more_starts_than_allowed(ur10: Chain, restarts: int) -> None:
    """One pose has all lanes, even if fewer starts than lanes are allowed."""
    rng = np.random.default_rng(26)
    targets = poses(ur10, np.array([ur10.random_configuration(rng) for _ in range(30)]))
    options = {"starts": Restarts(restarts), "stop": Stop(max_iterations=6)}
    batch = solve_batch(ur10, targets, **options)
    assert batch.restarts.max() <= restarts
    for row, target in enumerate(targets):
        single = solve(ur10, target, **options)
        assert (single.restarts, single.status) == (batch.restarts[row], batch.status[row])
        np.testing.assert_array_equal(single.q, batch.q[row])


def test_every_converged_q_is_a_solution(
    chain: Chain, independent_errors: Callable[[Chain, np.ndarray, np.ndarray], tuple[float, float]]
) -> None:
    """Seven hundred targets for each of three arms; other libraries check sixty of them."""
    rng, stop = np.random.default_rng(27), Stop()
    targets = poses(chain, np.array([chain.random_configuration(rng) for _ in range(700)]))
    batch = solve_batch(chain, targets, chain.random_configuration(rng))
    assert batch.converged.all()
    assert (batch.q >= chain.limits[:, 0]).all() and (batch.q <= chain.limits[:, 1]).all()
    for row, target in enumerate(targets[:60]):
        angle, distance = independent_errors(chain, batch.q[row], target)
        # theirs and ours differ by rounding: a dozen products of matrices
        assert angle <= stop.orientation + 1e-13 and distance <= stop.position + 1e-13
        assert angle == pytest.approx(batch.orientation_error[row], abs=1e-13)
        assert distance == pytest.approx(batch.position_error[row], abs=1e-13)


@pytest.mark.check
@pytest.mark.parametrize("policy", [Chan(), TrustRegion()], ids=str)
@pytest.mark.parametrize("choice", CHOICES)
def test_every_variant_gives_the_solution_of_the_search_in_python(ur10: Chain, policy: object, choice: str) -> None:
    """Weights, frames, derivatives, split errors and a trust region, compiled and in Python with NumPy."""
    if isinstance(policy, TrustRegion) and choice not in ("weights", "space", "split target"):
        return  # the other variants have the same kernels
    method, rng = damped_least_squares(policy, **CHOICES[choice]), np.random.default_rng(28)
    for q in regular_configurations(ur10, rng, 2):
        start, target = q + rng.uniform(-0.2, 0.2, 6), ur10.forward_kinematics(q)
        ours = solve(ur10, target, start, method=method, starts=Restarts(0))
        theirs = solve_in_python(ur10, target, start, method=method, starts=Restarts(0))
        assert (ours.status, ours.iterations) == (theirs.status, theirs.iterations)
        np.testing.assert_allclose(ours.q, theirs.q, atol=1e-8, rtol=0)


@pytest.mark.parametrize("wrapped", [0.0, 1.0])
def test_a_reset_lane_forgets_its_last_start(planar_2r: Chain, wrapped: float) -> None:
    module = lanes.module_for(planar_2r)
    before = np.random.default_rng(32).uniform(1.0, 9.0, (module.ROWS, module.LANES))
    before[module.WRAPPED] = wrapped
    after = before.copy()
    module.reset_lane(after, 3)
    expected = {"BREAKDOWN": 0.0, "EVENT": 0.0, "RESET": 0.0, "IS_FIRST": 1.0, "NO_PROGRESS": wrapped}
    for name, value in (expected if wrapped else {**expected, "COUNT": 0.0}).items():
        before[getattr(module, name), 3] = value
    before[module.Q : module.Q + 2, 3] = before[module.NEXT : module.NEXT + 2, 3]
    np.testing.assert_array_equal(after, before)
