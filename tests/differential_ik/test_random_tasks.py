"""Random tasks on all robots of example-robot-data: the step is feasible, optimal and shortest.

The judges: the slopes, the step on its walls by mpmath in 60 digits, and its length by SciPy's BFGS and SLSQP.
"""

import mpmath
import numpy as np
import pytest
from example_robots import RANDOM, configuration, draw
from hypothesis import given, settings
from scipy.optimize import minimize

from lessons_lib import differential_ik as dik
from lessons_lib import lie
from lessons_lib.arrays import Array, Integers
from lessons_lib.course.tasks import two_hands

AT = 1e-13
"""Relative distance from a bound below which a coordinate is at it, due to another order of operations."""

SLOPE = 1e-11
"""Largest slope relative to its terms: H is used only if it is regular to nine digits."""

OFF = 1e-6
"""Largest relative difference from mpmath's step, besides the effect of rounding of the tasks' rows."""

LARGE = 16
"""Largest number of free coordinates compared with mpmath, which takes seconds for more."""

LONGER = 1e-6
"""Largest relative excess of the squared step over its dual bound, which is maximized numerically."""


@pytest.mark.release
@settings(max_examples=2000)
@given(**RANDOM)
def test_step_is_feasible_optimal_and_shortest(which: int, seed: int) -> None:
    """A step of zero is feasible, so an optimal step exists."""
    check_step(which, np.random.default_rng(seed))


@pytest.mark.check
def test_a_task_of_small_cost_is_accurate_beside_an_unreachable_one_of_large_cost() -> None:
    """Regression: with a posture of cost 8e-7 and frames of cost 100 at limits the step was wrong by 1.5e-4."""
    assert check_step(2138, np.random.default_rng([20261122, 2138]))


def check_step(which: int, rng: np.random.Generator) -> bool:
    """Check the step of random tasks, time step and damping; return whether the robot has moving joints."""
    at = configuration(which, rng)
    if at is None:
        return False
    tasks, dt, damping = random_tasks(at, rng)
    v = dik.solve_ik(at, tasks, dt, damping=damping)
    check_optimality(at, tasks, v * dt, dt, damping)
    return True


def random_tasks(at: dik.Configuration, rng: np.random.Generator) -> tuple[list[dik.Task], float, float]:
    """Return one to three tasks, a time step and a damping, of usual sizes and somewhat beyond."""
    if at.model.name == two_hands.body().name and rng.random() < 0.5:
        tasks: list[dik.Task] = [*two_hands.hand_tasks(rng.normal([0.6, 0.0, 1.1], 0.3))]
    else:
        moving = [name for name in at.model.frame_names if at.get_frame_jacobian(name).any()]
        tasks = [
            random_frame_task(at, str(frame), rng)
            for frame in rng.choice(moving, min(len(moving), int(rng.integers(1, 3))))
        ]
    if rng.random() < 0.25:
        posture = dik.PostureTask(10.0 ** rng.uniform(-7, 1))
        posture.set_target(draw(at.model, rng))
        tasks.append(posture)
    damping = float(rng.choice([1e-12, 1e-12, 1e-12, 0.0, 1e-8, 1e-3]))
    return tasks, float(10.0 ** rng.uniform(-5, 0)), damping


def random_frame_task(at: dik.Configuration, frame: str, rng: np.random.Generator) -> dik.FrameTask:
    """Return a frame task with a near or far target, for the pose or the position alone."""
    cost = float(rng.choice([1.0, 1.0, 100.0, 0.01]))
    task = dik.FrameTask(frame, cost, cost * float(rng.choice([1.0, 1.0, 0.0])), gain=float(rng.choice([1.0, 0.2])))
    near = 10.0 ** rng.uniform(-4, 0.3)
    T = at.get_transform_frame_to_world(frame)
    task.set_target(T @ lie.exp_se3(near * rng.normal(size=6)))
    return task


def check_optimality(at: dik.Configuration, tasks: list[dik.Task], x: Array, dt: float, damping: float) -> None:
    """Check that a step is within its limits, optimal and shortest."""
    M, r = objective_rows(at, tasks)
    lower, upper = box(at, dt)
    beyond = np.maximum(
        (lower - x) / np.abs(lower).clip(1e-300, 1e300), (x - upper) / np.abs(upper).clip(1e-300, 1e300)
    )
    slope = M.T @ (M @ x - r) + damping * x
    sizes = np.abs(M.T) @ (np.abs(M) @ np.abs(x) + np.abs(r)) + damping * np.abs(x)
    above, below = x > lower + AT * np.abs(lower).clip(0, 1e300), x < upper - AT * np.abs(upper).clip(0, 1e300)
    falls = np.where(slope > 0.0, above * slope, below * -slope)
    about = f"{at.model.name}, {tasks}, dt={dt:.3g}, damping={damping:g}"
    assert np.max(beyond) <= AT, f"beyond its limit: {about}"
    assert np.max(falls) <= SLOPE * max(np.max(sizes), 1e-300), f"not least: {about}"
    assert excess_length(M, x, lower, upper) <= LONGER, f"not shortest: {about}"
    assert relative_difference(M, r, damping, x, np.flatnonzero(above & below)) <= OFF, f"beside mpmath's: {about}"


def objective_rows(at: dik.Configuration, tasks: list[dik.Task]) -> tuple[Array, Array]:
    """Return M and r of the objective ½‖M Δq − r‖² from the Jacobian, error, costs and gain of each task."""
    matrices, wanted = [], []
    for task in tasks:
        J, e = task.compute_jacobian(at), task.compute_error(at)
        costs = np.broadcast_to(np.atleast_1d(1.0 if task.cost is None else task.cost), len(e))
        matrices.append(costs[:, None] * J)
        wanted.append(-task.gain * costs * e)
    return np.vstack(matrices), np.concatenate(wanted)


def relative_difference(M: Array, r: Array, damping: float, x: Array, free: Integers) -> float:
    """Return the relative difference of x from the minimum on its active bounds, minus the effect of rounding in M."""
    if not 0 < len(free) <= LARGE:
        return 0.0
    _, s, Vt = np.linalg.svd(M[:, free], full_matrices=False)
    if not s.any() or np.any((s > 3e-14 * s.max()) & (s < 1e-11 * s.max())):
        return 0.0
    effective = Vt[s >= 1e-11 * s.max()].T  # the shortest step has no other components
    shaken = M * (1.0 + np.finfo(float).eps * np.where(np.arange(M.size).reshape(M.shape) % 2, 1.0, -1.0))
    exact, other = (solve_on_bounds(each, r, damping, x, free, effective) for each in (M, shaken))
    length = float(np.linalg.norm(x))
    return max(0.0, float(np.linalg.norm(exact - x[free]) - 30.0 * np.linalg.norm(exact - other))) / max(length, 1e-300)


def solve_on_bounds(M: Array, r: Array, damping: float, x: Array, free: Integers, effective: Array) -> Array:
    """Return the free coordinates of the optimal step, with the others fixed, in 60 digits."""
    with mpmath.workdps(60):
        basis = mpmath.matrix(effective.tolist())
        rows = mpmath.matrix(M[:, free].tolist()) * basis
        fixed = np.where(np.isin(np.arange(len(x)), free), 0.0, x)
        rest = mpmath.matrix(r.tolist()) - mpmath.matrix(M.tolist()) * mpmath.matrix(fixed.tolist())
        H = rows.T * rows + mpmath.mpf(damping) * basis.T * basis
        return np.array((basis * mpmath.lu_solve(H, rows.T * rest)).tolist(), dtype=float).ravel()


def box(at: dik.Configuration, dt: float) -> tuple[Array, Array]:
    """Return the bounds of Δq by the limits of the URDF: at most half of the distance to a joint limit."""
    tree = at.model
    lower, upper = np.full(tree.nv, -np.inf), np.full(tree.nv, np.inf)
    for i, k in enumerate(tree.q_of_v):
        if k >= 0 and tree.lower[k] > -1e20:
            lower[i] = 0.5 * (tree.lower[k] - at.q[k])
        if k >= 0 and tree.upper[k] < 1e20:
            upper[i] = 0.5 * (tree.upper[k] - at.q[k])
        if 1e-10 < tree.velocity_limits[i] < 1e20:
            upper[i] = min(upper[i], dt * tree.velocity_limits[i])
            lower[i] = max(lower[i], -dt * tree.velocity_limits[i])
    return lower, upper


def excess_length(M: Array, x: Array, lower: Array, upper: Array) -> float:
    """Return the relative excess of ½‖x‖² over the dual bound of min ½‖y‖² with M y = M x, lower ≤ y ≤ upper.

    The dual of a price b is the least of ½‖y‖² + bᵀM(y − x) over the box, which each coordinate attains by itself.
    """
    if not x.any():
        return 0.0
    unit = float(np.abs(x).max())
    z, low, high = x / unit, lower / unit, upper / unit
    U, s, Vt = np.linalg.svd(M, full_matrices=False)
    if np.any((s > 3e-14 * s.max()) & (s < 1e-11 * s.max())):
        return 0.0  # rounding decides whether this has an effect
    rows = Vt[s >= 1e-11 * s.max()]

    def bound(b: Array) -> tuple[float, Array]:
        y = np.clip(-(rows.T @ b), low, high)
        return -float(0.5 * y @ y + b @ (rows @ (y - z))), -(rows @ (y - z))

    found = minimize(bound, -(rows @ z), jac=True, method="BFGS", options={"gtol": 1e-12, "maxiter": 2000})
    excess_length = float((0.5 * z @ z + found.fun) / (0.5 * z @ z))
    if excess_length <= LONGER:
        return excess_length
    # the maximization may stop early, so try this as well
    constraint = {"type": "eq", "fun": lambda y: rows @ (y - z), "jac": lambda y: rows}
    box, options = list(zip(low, high, strict=True)), {"ftol": 1e-16, "maxiter": 500}
    shorter = minimize(lambda y: 0.5 * y @ y, z, jac=lambda y: y, bounds=box, constraints=constraint, options=options).x
    return float((z @ z - shorter @ shorter) / (z @ z))
