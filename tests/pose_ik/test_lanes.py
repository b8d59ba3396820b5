"""The SIMD search gives the solutions of the sequential search, compiled and in Python.

They differ by rounding, which Newton's steps far from a solution amplify without bound. Therefore whole searches are
compared with a damping that bounds the step.
"""

import numpy as np
import pytest

from lessons_lib import lie, robots
from lessons_lib.pose_ik import Restarts, Stop, in_python, lanes, layout, sequential, solve, solve_batch
from lessons_lib.pose_ik.arguments import FIXED_SEED, check_problem
from lessons_lib.pose_ik.settings import no_reports


@pytest.fixture(scope="module", params=["planar_2r", "ur10", "prismatic joints"])
def any_chain(request):
    if request.param != "prismatic joints":
        return request.getfixturevalue(request.param)
    screws = np.array([[0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 0, 1]]).T
    home = lie.exp_se3([0.1, 0.2, -0.3, 0.4, 0.0, 0.2])
    return robots.from_screws(screws, home, limits=[[-3, 3], [0, 1], [-0.5, 0.5]], name="prismatic joints")


def poses(chain, configurations):
    return np.array([chain.forward_kinematics(q) for q in configurations])


def test_the_three_searches_make_the_same_restarts(any_chain):
    """The default damping bounds the steps enough for long searches to stay together."""
    rng, seeds = np.random.default_rng(22), np.full(12, FIXED_SEED)
    targets = poses(any_chain, np.array([any_chain.random_configuration(rng) for _ in range(12)]))
    starts = np.array([any_chain.random_configuration(rng) for _ in range(12)])
    problem = check_problem(any_chain, None, Stop(max_iterations=15), Restarts(40), None)
    assert lanes.can_solve(problem)
    simd = no_reports(12, any_chain.dof)
    lanes.row_search(problem)(targets, starts, seeds, simd, lanes.simd_settings(problem))
    compiled = sequential.search_rows(problem, targets, starts, seeds)
    readable = [in_python.search(problem, T, q, FIXED_SEED)[0] for T, q in zip(targets, starts, strict=True)]
    solved = simd[:, layout.STATUS] == layout.CONVERGED
    for other in (compiled, np.array(readable)):
        counts, numbers = np.split(other[solved], [layout.ORIENTATION_ERROR], axis=1)
        np.testing.assert_array_equal(simd[solved, : layout.ORIENTATION_ERROR], counts)
        np.testing.assert_allclose(simd[solved, layout.ORIENTATION_ERROR :], numbers, atol=2e-6, rtol=0)
    assert (compiled[~solved, layout.STATUS] != layout.CONVERGED).all(), "undecided only by the SIMD search"
    assert solved.sum() >= 6


@pytest.mark.parametrize("restarts", [0, 1, 3, 4, 8, 9, 30])
def test_no_more_starts_than_allowed(ur10, restarts):
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


@pytest.mark.parametrize("wrapped", [0.0, 1.0])
def test_a_reset_lane_forgets_its_last_start(planar_2r, wrapped):
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
