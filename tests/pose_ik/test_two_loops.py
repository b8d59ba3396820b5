"""The readable loop and the compiled loop give the same iterates.

Both do the same sums, in another order, so that each step differs by rounding. Newton's steps far from a solution are
chaotic and magnify that without bound; so whole runs are compared near a solution, where they do not, and
single steps everywhere, with a tolerance that knows the condition of the matrix that was solved.
"""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from regular import regular
from run_in_python import damped

from lessons_lib.pose_ik import (
    BestOf,
    Chan,
    Constant,
    GaussNewton,
    Halley,
    LevenbergMarquardt,
    Method,
    Nearest,
    NewtonRaphson,
    Restarts,
    Result,
    Stop,
    Sugihara,
    TrustRegion,
    Wampler,
    evaluate,
    layout,
    pose,
    sequential,
    solve,
    solve_batch,
)
from lessons_lib.pose_ik.arguments import check_problem
from lessons_lib.pose_ik.methods import damped_step, least_squares_step
from lessons_lib.pose_ik.one_pose import solve_in_python
from lessons_lib.pose_ik.stated_step import step_of
from lessons_lib.pose_ik.steps import steps_of
from lessons_lib.pose_ik.variants import is_compiled
from lessons_lib.robots import Chain

UNEQUAL, POSITION_ONLY = (1.0, 0.5, 2.0, 3.0, 1.0, 0.7), (0.0, 0.0, 0.0, 1.0, 1.0, 1.0)
# four policies are one line in E: they differ by two numbers, which no variant of the model reads
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


METHODS = [
    NewtonRaphson(),
    NewtonRaphson("space"),
    GaussNewton(),
    pose(UNEQUAL).of(GaussNewton()),
    pose(POSITION_ONLY).of(GaussNewton()),
    pose(POSITION_ONLY).of(NewtonRaphson()),
    pose((0.0, 0.0, 1.0, 1.0, 1.0, 0.0), axes="space").of(GaussNewton()),
    *(damped(policy, **variant) for policy in POLICIES for variant in VARIANTS[:2]),
    *(damped(policy, **variant) for policy in (Chan(), TrustRegion()) for variant in VARIANTS[2:]),
    Halley(),
    Halley(Chan(0.1)),
    pose(UNEQUAL).of(Halley()),
]


EACH_ARM = pytest.mark.parametrize(
    "chain",
    [
        pytest.param("ur10", marks=pytest.mark.check),
        *(pytest.param(name, marks=pytest.mark.release) for name in ("planar_2r", "panda")),
    ],
    indirect=True,
)


def both(chain: Chain, target: np.ndarray, q0: np.ndarray, **arguments: object) -> tuple[Result, Result]:
    """Return what the readable and the compiled loop answer."""
    readable = solve_in_python(chain, target, q0, trace=True, **arguments)
    compiled = solve(chain, target, q0, trace=True, **arguments)
    return readable, compiled


def test_every_built_in_method_is_compiled() -> None:
    assert all(is_compiled(method) for method in METHODS)


@EACH_ARM
@pytest.mark.parametrize("method", METHODS, ids=str)
def test_both_loops_iterate_alike_near_a_solution(chain: Chain, method: object) -> None:
    rng = np.random.default_rng(11)
    for _ in range(2):
        q = regular(chain, rng, 50.0)
        start = q + rng.uniform(-0.2, 0.2, chain.dof)
        readable, compiled = both(chain, chain.forward_kinematics(q), start, method=method, starts=Restarts(0))
        assert compiled.status is readable.status
        assert compiled.iterations == readable.iterations
        ours, theirs = compiled.trace, readable.trace
        # 1e-16 of rounding, some ten steps, and a condition of the normal matrix up to 50² at each: 1e-9 has room
        np.testing.assert_allclose(ours.q, theirs.q, atol=1e-9, rtol=0)
        np.testing.assert_allclose(ours.error_twists, theirs.error_twists, atol=1e-9, rtol=0)
        np.testing.assert_allclose(ours.orientation_errors, theirs.orientation_errors, atol=1e-9, rtol=0)
        np.testing.assert_allclose(ours.position_errors, theirs.position_errors, atol=1e-9, rtol=0)
        np.testing.assert_allclose(ours.damping, theirs.damping, atol=1e-9, rtol=1e-6)
        np.testing.assert_array_equal(ours.accepted, theirs.accepted)
        np.testing.assert_allclose(compiled.q, readable.q, atol=1e-9, rtol=0)


def solved(method: Method, J: np.ndarray, V: np.ndarray, damping: float) -> list[np.ndarray]:
    """Return J, and the matrices of the linear problems that a formula of its own solves after the first."""
    matrices: list[np.ndarray] = []

    def noted(A: np.ndarray, e: np.ndarray) -> np.ndarray:
        matrices.append(A)
        return damped_step(A, e, damping)

    if not method.is_single_linear_solve:
        step_of(method.formula, J, V, noted)
    return [J, *matrices[1:]]


@EACH_ARM
@pytest.mark.parametrize("method", METHODS, ids=str)
def test_both_loops_take_the_same_step_anywhere(chain: Chain, method: Method) -> None:
    rng = np.random.default_rng(12)
    for _ in range(5):
        target = chain.forward_kinematics(chain.random_configuration(rng))
        start = chain.random_configuration(rng)
        stop = Stop(max_iterations=1)
        trace = solve(chain, target, start, method=method, starts=Restarts(0), stop=stop, trace=True).trace
        steps = steps_of(method)
        here = evaluate(chain, target, start, steps.frame, steps.split)
        step = steps.propose(here.jacobian, here.error)
        # the condition of the normal matrix is the square of that of J, and damping only lowers it; but where rows are
        # left out it has directions with nothing on the diagonal but the damping
        damping = steps.damping_value(here.jacobian, here.error)
        condition = max(np.linalg.cond(A) ** 2 for A in solved(method, here.jacobian, here.error, damping))
        if not steps.counted.all() and damping > 0.0:
            condition = max(condition, np.linalg.norm(here.jacobian) ** 2 / damping)
        tolerance = 1e-14 * min(condition, 1e10)
        if trace.accepted[0]:
            assert np.linalg.norm(trace.q[1] - start - step) <= tolerance * max(1.0, np.linalg.norm(step))


@pytest.mark.parametrize("starts", [Restarts(20), BestOf(20, restarts=20), Nearest(4)])
def test_both_loops_make_the_same_starts(chain: Chain, starts: Restarts | BestOf | Nearest) -> None:
    rng = np.random.default_rng(13)
    restarts = 0
    for _ in range(4):
        target = chain.forward_kinematics(chain.random_configuration(rng))
        q0 = chain.random_configuration(rng)
        readable, compiled = both(chain, target, q0, stop=Stop(max_iterations=12), starts=starts)
        assert (compiled.status, compiled.iterations) == (readable.status, readable.iterations)
        assert compiled.restarts == readable.restarts
        np.testing.assert_allclose(compiled.trace.q[0], readable.trace.q[0], atol=1e-12)
        np.testing.assert_allclose(compiled.q, readable.q, atol=1e-6)
        restarts += compiled.restarts
    assert restarts > 0 or chain.dof == 2


@pytest.mark.parametrize("method", [None, LevenbergMarquardt()], ids=["descends", "best iterate"])
def test_both_loops_fail_alike(chain: Chain, method: object) -> None:
    """Without a method q is the end of a descent: of an arm with a joint to spare one place of many as good."""
    far = chain.home.copy()
    far[:3, 3] += 100.0
    near = chain.home.copy()
    near[:3, 3] = 0.7 * near[:3, 3] + 0.3
    for target in (far, near):
        asked = {"starts": Restarts(3), "stop": Stop(max_iterations=4), "method": method}
        readable, compiled = both(chain, target, None, **asked)
        assert compiled.status is readable.status and not readable.converged
        assert (compiled.iterations, compiled.restarts) == (readable.iterations, readable.restarts)
        if method or chain.dof <= 6:
            np.testing.assert_allclose(compiled.q, readable.q, atol=1e-8)
        np.testing.assert_allclose(compiled.orientation_error, readable.orientation_error, atol=1e-8)
        np.testing.assert_allclose(compiled.position_error, readable.position_error, atol=1e-8)


@pytest.mark.parametrize("rank", [0, 1, 2])
def test_the_compiled_pseudoinverse_is_numpys(chain: Chain, rank: int) -> None:
    """At full rank (0 missing) and below it, where the small singular values are rounding."""
    rng, module, n = np.random.default_rng(14), sequential.search_module(), chain.dof
    size = min(n, 6)
    for _ in range(20):
        keep = max(size - rank, 0)
        A = rng.normal(size=(6, keep)) @ rng.normal(size=(keep, n)) if rank else rng.normal(size=(6, n))
        if rank:  # singular values far below 1e-15 of the largest, on both sides of any rounding: exact zeros
            A = np.round(A, 3)
            A[:, keep:] = 0.0
        e, step = rng.normal(size=6), np.empty(n)
        module.least_squares_step(A, e, np.zeros(n), np.empty((max(n, 6), size)), np.empty((size, size)), step)
        expected = least_squares_step(A, e)
        nonzero = np.linalg.svd(A, compute_uv=False)
        condition = nonzero[0] / nonzero[nonzero > 1e-12 * nonzero[0]][-1] if nonzero[0] > 0 else 1.0
        np.testing.assert_allclose(step, expected, atol=1e-14 * condition**2 * max(1.0, np.linalg.norm(expected)))


def test_the_compiled_damped_step_is_numpys(chain: Chain) -> None:
    """The derived step of any model, on the rows of one lane; with a joint held it is that of the others."""
    rng, n = np.random.default_rng(15), chain.dof
    problem = check_problem(chain, None, None, None)
    at, kernels = sequential.kernels_for(problem)[1], sequential.kernel_module_for(problem)
    w = np.zeros(at[layout.AT_END])

    def row(place: int, size: int) -> np.ndarray:
        return w[at[place] : at[place] + size]

    for damping in (1e-12, 1e-6, 1e-2, 1.0, 1e6):
        A, e, held = rng.normal(size=(6, n)), rng.normal(size=6), np.zeros(n)
        held[-1] = damping == 1.0
        row(layout.AT_MODEL, 6 * n)[:], row(layout.AT_RESIDUAL, 6)[:] = A.ravel(), e
        row(layout.AT_HELD, n)[:], row(layout.AT_DIAGONAL, 1)[:] = held, damping
        expected = damped_step(A * (1.0 - held), e, damping)
        for system in (layout.SOLVE_ROWS, layout.SOLVE_COLUMNS):
            if damping < 1e-2 and system != (layout.SOLVE_ROWS if n > 6 else layout.SOLVE_COLUMNS):
                continue  # the larger system is singular but for the damping
            kernels.run(w, system)
            assert (row(layout.AT_MARGINS, max(n, 6)) > 0.0).all()
            np.testing.assert_allclose(row(layout.AT_STEP, n), expected, rtol=1e-9, atol=1e-13)
    A[:, 0] = 0.0  # singular, and the damping below rounding: a pivot without a margin
    row(layout.AT_MODEL, 6 * n)[:], row(layout.AT_DIAGONAL, 1)[:] = A.ravel(), 1e-30
    kernels.run(w, layout.SOLVE_COLUMNS)
    assert not (row(layout.AT_MARGINS, max(n, 6)) > 0.0).all()


@pytest.mark.parametrize("method", [LevenbergMarquardt(), NewtonRaphson()], ids=["over lanes", "general loop"])
def test_an_array_of_any_kind_runs_the_same_compiled_code(ur10: Chain, method: Method) -> None:
    """Another memory order or a read-only flag would be another type to the compiler, and seconds of compilation."""
    target, q0 = ur10.forward_kinematics(np.full(6, 0.4)), np.full(6, 0.1)
    expected = solve(ur10, target, q0, method=method).q
    general = sequential.search_module().solve_rows
    known = set(general.overloads)
    frozen = target.copy()
    frozen.setflags(write=False)
    strided = np.zeros((8, 8))
    strided[::2, ::2] = target
    for kind in (frozen, np.asfortranarray(target), strided[::2, ::2], target.tolist()):
        np.testing.assert_array_equal(solve(ur10, kind, q0.tolist(), method=method).q, expected)
        found = solve_batch(ur10, [kind], np.asfortranarray([q0]), method=method)
        np.testing.assert_array_equal(found.q[0], expected)
    solve_batch(ur10, np.asfortranarray([target] * 3), np.asfortranarray([q0] * 3), method=method)
    assert set(general.overloads) == known
    assert known or method.damping is not None, "nothing has run in the general loop"


def test_the_kernels_are_shown_and_shared(ur10: Chain) -> None:
    problems = [check_problem(ur10, LevenbergMarquardt(policy), None, None) for policy in (Chan(0.1), Sugihara(0.2))]
    one, other = (sequential.kernel_module_for(problem) for problem in problems)
    assert one is other, "two numbers of the same line in E"
    assert sequential.kernel_module_for(check_problem(ur10, NewtonRaphson("space"), None, None)) is not one
    recipe = sequential.kernel_recipe(ur10, sequential.variant_of(problems[0].method, sequential=True))
    assert "def model" in recipe.text() and "def damping" in recipe.text()
    shared = {module.__name__: Path(str(module.__file__)).read_text("utf8") for module in recipe.needed}
    assert all(
        sum(f"def {name}(" in text for text in shared.values()) == 1 for name in ("pose_and_jacobian", "error_twist")
    )
    assert any("def damped_step_by_rows" in text for text in shared.values())


AFTER_A_FAILURE = """
import numpy as np
from lessons_lib import pose_ik, robots, trajectories
from lessons_lib.codegen import machine

def fail(*arguments, **options):
    raise RuntimeError("no memory")

QUESTIONS = [{}, {"method": pose_ik.NewtonRaphson()}, {"starts": pose_ik.Near()}, {"trace": True}]
known = robots.planar_2r()
T = known.forward_kinematics([0.3, 0.5])
for question in QUESTIONS:
    assert pose_ik.solve(known, T, [0.2, 0.4], **question).converged
trajectories.trace(known, np.array([T]), np.array([0.2, 0.4]))
machine.object_code = fail
new = robots.from_screws(known.screws, known.home + np.array([[0, 0, 0, 0.25]] + [[0] * 4] * 3), name="new")
T = new.forward_kinematics([0.3, 0.5])
for question in QUESTIONS:
    assert pose_ik.solve(new, T, [0.2, 0.4], **question).converged
    assert pose_ik.solve(known, known.forward_kinematics([0.3, 0.5]), [0.2, 0.4], **question).converged
assert trajectories.trace(new, np.array([T]), np.array([0.2, 0.4])).complete
"""


@pytest.mark.check
def test_after_llvm_has_failed_new_arms_are_solved_in_plain_python() -> None:
    """The loop was compiled before, and cannot jump to a kernel that has no machine code."""
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", AFTER_A_FAILURE], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
