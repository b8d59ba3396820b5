"""Random tasks that standing still would allow, on every robot of example-robot-data: each has one best step."""

from __future__ import annotations

from functools import cache
from importlib.metadata import files
from pathlib import Path

import mpmath
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from lessons_lib import differential_ik as dik
from lessons_lib import lie, robots
from lessons_lib.errors import UrdfError
from lessons_lib.robots import Tree
from lessons_lib.studies import two_hands
from soak.tally import Tally, generator

QUESTION = "Is every feasible step found, within its limits, least and shortest?"
JUDGE = "the slopes, the step on its walls by mpmath in 60 digits, and the shortest step's dual, climbed by SciPy's BFGS"
UNIT = "steps"
CASES = 1200

Array = NDArray[np.float64]

AT = 1e-13
"""Within this part of a bound a coordinate is at it: it was computed in another order here."""

SLOPE = 1e-11
"""By which part of its terms a slope may differ from zero: H is regular to nine digits where it is used at all."""

OFF = 1e-6
"""By which part the step may differ from mpmath's, beside what the last digit of the tasks' rows changes."""

LARGE = 16
"""Steps of more free coordinates are not put to mpmath, which would take seconds."""

LONGER = 1e-6
"""By which part the squared step may be above its bound: how near the climb comes to it."""


def attack(cases: range, seed: int, tally: Tally) -> None:
    """Draw a robot, tasks, a time step and a damping for each case, and judge the step."""
    for case in cases:
        rng = generator(seed, case)
        configuration = _configuration(case, rng)
        if configuration is None:
            continue
        tasks, dt, damping = _wishes(configuration, rng)
        tally.tried += 1
        try:
            v = dik.solve_ik(configuration, tasks, dt, damping=damping)
        except dik.NoSolutionFound as error:
            tally.fail(case, f"{configuration.model.name}, {tasks}, dt={dt:.3g}, damping={damping:g}: {error}")
            continue
        for what in _judge(configuration, tasks, v * dt, dt, damping, tally):
            tally.fail(case, f"{configuration.model.name}, {tasks}, dt={dt:.3g}, damping={damping:g}: {what}")


@cache
def _files() -> tuple[Path, ...]:
    """Return the URDF files, each robot once with a fixed base; the arms of lesson 17 come last."""
    found = sorted(Path(str(f.locate())) for f in files("example-robot-data") or () if f.suffix == ".urdf")
    return (*found, Path(str(robots.urdf_file("two_arms"))))


@cache
def _tree(path: Path) -> Tree | None:
    """Return a robot, or None where its file is refused."""
    try:
        tree = robots.load_urdf(path)
    except UrdfError:
        return None
    return tree if tree.nv else None


def _configuration(case: int, rng: np.random.Generator) -> dik.Configuration | None:
    """Return the robot of a case somewhere inside its limits, one of ten times at one of them; None for no robot."""
    paths = _files()
    tree = _tree(paths[case % len(paths)])
    if tree is None:
        return None
    q = tree.random_configuration(rng)
    limited = np.flatnonzero((tree.q_of_v >= 0) & (tree.lower[tree.q_of_v] < tree.upper[tree.q_of_v]))
    if limited.size and rng.random() < 0.1:
        k = tree.q_of_v[rng.choice(limited)]
        q[k] = np.clip(tree.upper[k], -1e3, 1e3)
    return dik.Configuration(tree, q)


def _wishes(at: dik.Configuration, rng: np.random.Generator) -> tuple[list[dik.Task], float, float]:
    """Return one to three tasks, a time step and a damping, as people choose them and a little beyond."""
    if at.model.name == two_hands.body().name and rng.random() < 0.5:
        tasks: list[dik.Task] = [*two_hands.hand_tasks(rng.normal([0.6, 0.0, 1.1], 0.3))]
    else:
        moving = [name for name in at.model.frame_names if at.get_frame_jacobian(name).any()]
        tasks = [_pose(at, str(frame), rng) for frame in rng.choice(moving, min(len(moving), int(rng.integers(1, 3))))]
    if rng.random() < 0.25:
        posture = dik.PostureTask(10.0 ** rng.uniform(-6, 0))
        posture.set_target(at.model.random_configuration(rng))
        tasks.append(posture)
    damping = float(rng.choice([1e-12, 1e-12, 1e-12, 0.0, 1e-8, 1e-3]))
    return tasks, float(10.0 ** rng.uniform(-5, 0)), damping


def _pose(at: dik.Configuration, frame: str, rng: np.random.Generator) -> dik.FrameTask:
    """Return a task for a frame: near or far, of all six coordinates or of the position alone."""
    cost = float(rng.choice([1.0, 1.0, 100.0, 0.01]))
    task = dik.FrameTask(frame, cost, cost * float(rng.choice([1.0, 1.0, 0.0])), gain=float(rng.choice([1.0, 0.2])))
    near = 10.0 ** rng.uniform(-4, 0.3)
    T = at.get_transform_frame_to_world(frame)
    task.set_target(T @ lie.exp_se3(near * rng.normal(size=6)))
    return task


def _judge(at: dik.Configuration, tasks: list[dik.Task], x: Array, dt: float, damping: float, tally: Tally) -> list[str]:
    """Return what is wrong with a step."""
    M, r = _rows(at, tasks)
    lower, upper = _box(at, dt)
    beyond = np.maximum((lower - x) / np.abs(lower).clip(1e-300, 1e300), (x - upper) / np.abs(upper).clip(1e-300, 1e300))
    slope = M.T @ (M @ x - r) + damping * x
    sizes = np.abs(M.T) @ (np.abs(M) @ np.abs(x) + np.abs(r)) + damping * np.abs(x)
    above, below = x > lower + AT * np.abs(lower).clip(0, 1e300), x < upper - AT * np.abs(upper).clip(0, 1e300)
    falls = np.where(slope > 0.0, above * slope, below * -slope)
    found = {
        "step beyond its limit, part of it": (float(np.max(beyond)), AT),
        "slope into the box, part of the largest's terms": (float(np.max(falls) / max(np.max(sizes), 1e-300)), SLOPE),
        "squared step above its bound, part of it": (_longer(M, x, lower, upper), LONGER),
        "step beside mpmath's, part of it": (_off(M, r, damping, x, np.flatnonzero(above & below)), OFF),
    }
    for name, (value, _) in found.items():
        tally.measure(name, value)
    return [f"{name}: {value:.2g}" for name, (value, most) in found.items() if not value <= most]


def _rows(at: dik.Configuration, tasks: list[dik.Task]) -> tuple[Array, Array]:
    """Return M and r of the objective ½‖M Δq − r‖², out of each task's Jacobian, error, costs and gain."""
    matrices, wanted = [], []
    for task in tasks:
        J, e = task.compute_jacobian(at), task.compute_error(at)
        costs = np.broadcast_to(np.atleast_1d(1.0 if task.cost is None else task.cost), len(e))
        matrices.append(costs[:, None] * J)
        wanted.append(-task.gain * costs * e)
    return np.vstack(matrices), np.concatenate(wanted)


def _off(M: Array, r: Array, damping: float, x: Array, free: NDArray[np.int64]) -> float:
    """Return by which part x differs from the least one on its walls, beyond what rounding in M changes of that."""
    if damping == 0.0 or not 0 < len(free) <= LARGE:
        return 0.0
    shaken = M * (1.0 + np.finfo(float).eps * np.where(np.arange(M.size).reshape(M.shape) % 2, 1.0, -1.0))
    exact, other = (_on_walls(each, r, damping, x, free) for each in (M, shaken))
    length = float(np.linalg.norm(x))
    return max(0.0, float(np.linalg.norm(exact - x[free]) - 30.0 * np.linalg.norm(exact - other))) / max(length, 1e-300)


def _on_walls(M: Array, r: Array, damping: float, x: Array, free: NDArray[np.int64]) -> Array:
    """Return the free coordinates of the least step, the others held, in 60 digits."""
    with mpmath.workdps(60):
        rows = mpmath.matrix(M[:, free].tolist())
        held = np.where(np.isin(np.arange(len(x)), free), 0.0, x)
        rest = mpmath.matrix(r.tolist()) - mpmath.matrix(M.tolist()) * mpmath.matrix(held.tolist())
        H = rows.T * rows + mpmath.mpf(damping) * mpmath.eye(len(free))
        return np.array(mpmath.lu_solve(H, rows.T * rest).tolist(), dtype=float).ravel()


def _box(at: dik.Configuration, dt: float) -> tuple[Array, Array]:
    """Return the bounds of Δq that the URDF's limits say, with half of the way that is left to a joint's end."""
    tree = at.model
    lower, upper = np.full(tree.nv, -np.inf), np.full(tree.nv, np.inf)
    for i, k in enumerate(tree.q_of_v):
        if tree.upper[k] > tree.lower[k] + 1e-10 and tree.upper[k] < 1e20:
            lower[i], upper[i] = 0.5 * (tree.lower[k] - at.q[k]), 0.5 * (tree.upper[k] - at.q[k])
        if 1e-10 < tree.velocity_limits[i] < 1e20:
            upper[i] = min(upper[i], dt * tree.velocity_limits[i])
            lower[i] = max(lower[i], -dt * tree.velocity_limits[i])
    return lower, upper


def _longer(M: Array, x: Array, lower: Array, upper: Array) -> float:
    """Return by which part ½‖x‖² is above the dual bound of min ½‖y‖² with M y = M x, lower ≤ y ≤ upper.

    The dual of a price b is the least of ½‖y‖² + bᵀM(y − x) over the box, which each coordinate attains by itself.
    """
    if not x.any():
        return 0.0
    unit = float(np.abs(x).max())
    z, low, high = x / unit, lower / unit, upper / unit
    U, s, Vt = np.linalg.svd(M, full_matrices=False)
    rows = Vt[s > 1e-13 * s.max()]

    def bound(b: Array) -> tuple[float, Array]:
        y = np.clip(-(rows.T @ b), low, high)
        return -float(0.5 * y @ y + b @ (rows @ (y - z))), -(rows @ (y - z))

    found = minimize(bound, -(rows @ z), jac=True, method="BFGS", options={"gtol": 1e-12, "maxiter": 2000})
    best = -float(found.fun)
    return float((0.5 * z @ z - best) / (0.5 * z @ z))
