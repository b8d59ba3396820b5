"""The Python search, the compiled sequential search and the SIMD search give the same iterates.

They add the same numbers in different orders, so each step differs by rounding. Far from a solution Newton's steps are
chaotic and amplify that without bound. Therefore whole runs are compared near a solution, and single steps everywhere
with a tolerance that includes the condition of the solved matrix.
"""

import subprocess
import sys

import numpy as np
import pytest
from regular import regular
from run_in_python import check_iterates

from lessons_lib.pose_ik import (
    BestOf,
    Chan,
    Constant,
    GaussNewton,
    Halley,
    LevenbergMarquardt,
    Nearest,
    NewtonRaphson,
    Restarts,
    Stop,
    Sugihara,
    TrustRegion,
    Wampler,
    pose,
    sequential,
    solve,
)
from lessons_lib.pose_ik.methods import least_squares_step
from lessons_lib.pose_ik.one_pose import solve_in_python

UNEQUAL, POSITION_ONLY = (1.0, 0.5, 2.0, 3.0, 1.0, 0.7), (0.0, 0.0, 0.0, 1.0, 1.0, 1.0)
# four policies are affine in E: they differ by two numbers, which no variant of the model reads
POLICIES = (Constant(), Constant(0.0), Wampler(), Chan(), Sugihara(), TrustRegion())
VARIANTS = (
    {},
    {"frame": "space"},
    {"goal": pose(UNEQUAL)},
    {"goal": pose(UNEQUAL), "frame": "space"},
    {"goal": pose(POSITION_ONLY)},
    {"goal": pose(POSITION_ONLY), "derivative": "geometric"},
    {"goal": pose((0.0, 0.0, 0.0, 2.0, 1.0, 0.0), axes="space")},
    {"goal": pose((1.0, 1.0, 0.0, 1.0, 0.5, 0.0), axes="target")},
    {"goal": pose((1.0, 1.0, 0.0, 1.0, 0.5, 0.0), axes="twist")},
    {"goal": pose(UNEQUAL), "derivative": "exact"},
)


def damped_least_squares(policy, goal=pose(), **options):  # noqa: B008 (it is frozen)
    """Return damped least squares for a goal."""
    return goal.of(LevenbergMarquardt(policy, **options))


METHODS = [
    NewtonRaphson(),
    NewtonRaphson("space"),
    GaussNewton(),
    pose(UNEQUAL).of(GaussNewton()),
    pose(POSITION_ONLY).of(GaussNewton()),
    pose(POSITION_ONLY).of(NewtonRaphson()),
    pose((0.0, 0.0, 1.0, 1.0, 1.0, 0.0), axes="space").of(GaussNewton()),
    *(damped_least_squares(policy, **variant) for policy in POLICIES for variant in VARIANTS[:2]),
    *(damped_least_squares(policy, **variant) for policy in (Chan(), TrustRegion()) for variant in VARIANTS[2:]),
    Halley(),
    Halley(Chan(0.1)),
    pose(UNEQUAL).of(Halley()),
    pose(POSITION_ONLY).of(Halley()),
]


EACH_ARM = [pytest.param("ur10", marks=pytest.mark.check)]
EACH_ARM += [pytest.param(name, marks=pytest.mark.release) for name in ("planar_2r", "panda")]


def solve_by_both(chain, target, q0, **arguments):
    """Return the results of the Python search and of the compiled search."""
    readable = solve_in_python(chain, target, q0, trace=True, **arguments)
    compiled = solve(chain, target, q0, trace=True, **arguments)
    return readable, compiled


@pytest.mark.parametrize("chain", EACH_ARM, indirect=True)
@pytest.mark.parametrize("method", METHODS, ids=str)
def test_both_searches_iterate_alike_near_a_solution(chain, method):
    rng = np.random.default_rng(11)
    for _ in range(2):
        q = regular(chain, rng, 50.0)
        start = q + rng.uniform(-0.2, 0.2, chain.dof)
        check_iterates(chain, chain.forward_kinematics(q), start, of_simd=1e-8, method=method, starts=Restarts(0))


@pytest.mark.parametrize("starts", [Restarts(20), BestOf(20, restarts=20), Nearest(4)])
def test_both_searches_make_the_same_starts(chain, starts):
    rng = np.random.default_rng(13)
    restarts = 0
    for _ in range(4):
        target = chain.forward_kinematics(chain.random_configuration(rng))
        q0 = chain.random_configuration(rng)
        readable, compiled = solve_by_both(chain, target, q0, stop=Stop(max_iterations=12), starts=starts)
        assert (compiled.status, compiled.iterations) == (readable.status, readable.iterations)
        assert compiled.restarts == readable.restarts
        np.testing.assert_allclose(compiled.trace.q[0], readable.trace.q[0], atol=1e-12)
        np.testing.assert_allclose(compiled.q, readable.q, atol=1e-6)
        restarts += compiled.restarts
    assert restarts > 0 or chain.dof == 2, "no pose needed a restart: draw other poses"


@pytest.mark.parametrize("method", [None, LevenbergMarquardt()], ids=["descends", "best iterate"])
def test_both_searches_fail_alike(chain, method):
    """Without a method q is the end of a descent; a redundant arm has many equally good ends."""
    far = chain.home.copy()
    far[:3, 3] += 100.0
    near = chain.home.copy()
    near[:3, 3] = 0.7 * near[:3, 3] + 0.3
    for target in (far, near):
        options = {"starts": Restarts(3), "stop": Stop(max_iterations=4), "method": method}
        readable, compiled = solve_by_both(chain, target, None, **options)
        assert compiled.status is readable.status and not readable.converged
        assert (compiled.iterations, compiled.restarts) == (readable.iterations, readable.restarts)
        if method or chain.dof <= 6:
            np.testing.assert_allclose(compiled.q, readable.q, atol=1e-8)
        np.testing.assert_allclose(compiled.orientation_error, readable.orientation_error, atol=1e-8)
        np.testing.assert_allclose(compiled.position_error, readable.position_error, atol=1e-8)


@pytest.mark.parametrize("rank", [0, 1, 2])
def test_compiled_pseudoinverse_equals_that_of_numpy(chain, rank):
    """Full rank (0 missing) and less, where small singular values are rounding; with and without an active set."""
    rng, module, n = np.random.default_rng(14), sequential.search_module(), chain.dof
    size = min(n, 6)
    for active in 10 * [np.zeros(n), np.arange(n) % 2.0]:
        full_rank = max(size - rank, 0)
        A = rng.normal(size=(6, full_rank)) @ rng.normal(size=(full_rank, n)) if rank else rng.normal(size=(6, n))
        if rank:  # singular values far below 1e-15 of the largest, on both sides of any rounding: exact zeros
            A = np.round(A, 3)
            A[:, full_rank:] = 0.0
        e, step = rng.normal(size=6), np.empty(n)
        module.least_squares_step(A, e, active, np.empty((max(n, 6), size)), np.empty((size, size)), step)
        expected = least_squares_step(A * (1.0 - active), e)
        nonzero = np.linalg.svd(A * (1.0 - active), compute_uv=False)
        condition = nonzero[0] / nonzero[nonzero > 1e-12 * nonzero[0]][-1] if nonzero[0] > 0 else 1.0
        np.testing.assert_allclose(step, expected, atol=1e-14 * condition**2 * max(1.0, np.linalg.norm(expected)))


AFTER_A_FAILURE = """
import numpy as np
from lessons_lib import pose_ik, robots, trajectories
from lessons_lib.codegen import machine

def fail(*arguments, **options):
    raise RuntimeError("no memory")

PROBLEMS = [{}, {"method": pose_ik.NewtonRaphson()}, {"starts": pose_ik.Near()}, {"trace": True}]
known = robots.planar_2r()
T = known.forward_kinematics([0.3, 0.5])
for problem in PROBLEMS:
    assert pose_ik.solve(known, T, [0.2, 0.4], **problem).converged
trajectories.trace(known, np.array([T]), np.array([0.2, 0.4]))
machine.object_code = fail
new = robots.from_screws(known.screws, known.home + np.array([[0, 0, 0, 0.25]] + [[0] * 4] * 3), name="new")
T = new.forward_kinematics([0.3, 0.5])
for problem in PROBLEMS:
    assert pose_ik.solve(new, T, [0.2, 0.4], **problem).converged
    assert pose_ik.solve(known, known.forward_kinematics([0.3, 0.5]), [0.2, 0.4], **problem).converged
assert trajectories.trace(new, np.array([T]), np.array([0.2, 0.4])).complete
"""


@pytest.mark.check
def test_new_arms_are_solved_in_plain_python_after_llvm_has_failed():
    """The search, compiled before, cannot call a kernel that has no machine code."""
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", AFTER_A_FAILURE], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
