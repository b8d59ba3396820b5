"""Random constraints are met to rounding where they can be met, and refused where they cannot.

Some say the same twice, some contradict each other or a limit. The judges: NumPy's singular values for the constraints,
HiGHS for constraints within limits.
"""

import numpy as np
import pytest
from example_robots import RANDOM, configuration, draw
from hypothesis import given, settings
from scipy.optimize import linprog

from lessons_lib import differential_ik as dik
from lessons_lib import lie
from lessons_lib.arrays import Array
from lessons_lib.differential_ik.configuration import Configuration

MET, ROUNDING = 1e-12, 1e-14
"""By which part of its row's length times the step's a constraint may be off, and absolutely, as poses are."""

CLEAR = 1e-6
"""A problem is judged where its constraints can be met to CLEAR², or miss by more than CLEAR."""


class Rows(dik.Task):
    """A constraint of given rows: J Δq = b."""

    def __init__(self, J: Array, b: Array) -> None:
        """Take the rows."""
        super().__init__(1.0)
        self.J, self.b = J, b

    def compute_error(self, configuration: Configuration) -> Array:
        """Return −b."""
        return -self.b

    def compute_jacobian(self, configuration: Configuration) -> Array:
        """Return J."""
        return self.J


@pytest.mark.release
@settings(max_examples=2000)
@given(**RANDOM)
def test_random_constraints_are_met_to_rounding_or_refused(which: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    at = configuration(which, rng)
    if at is None:
        return
    posture, constraints = random_constraints(at, rng)
    dt, limits = float(10.0 ** rng.uniform(-4, 0)), None if rng.random() < 0.5 else []
    A = np.vstack([task.compute_jacobian(at) for task in constraints])
    b = np.concatenate([-task.gain * task.compute_error(at) for task in constraints])
    bounds = dik.build_ik(at, [posture], dt, limits=limits, constraints=[])
    feasible = can_be_met(bounds.G, bounds.h, A, b)
    if feasible is None:
        return
    try:
        x = dik.solve_ik(at, [posture], dt, limits=limits, constraints=constraints) * dt
    except dik.NoSolutionFound:
        assert not feasible, f"{at.model.name}: {constraints}"
        return
    assert feasible, f"{at.model.name}: {constraints}"
    reach = np.linalg.norm(A, axis=1) * np.linalg.norm(x) + np.abs(b)
    assert np.all(np.abs(A @ x - b) - ROUNDING <= MET * np.maximum(reach, 1e-300)), f"{at.model.name}: {constraints}"


def random_constraints(at: dik.Configuration, rng: np.random.Generator) -> tuple[dik.Task, list[dik.Task]]:
    """Return a posture to keep, and one to three constraints of a random kind."""
    posture = dik.PostureTask(float(rng.choice([1.0, 1e-3])))
    posture.set_target(draw(at.model, rng))
    frames = [name for name in at.model.frame_names if at.get_frame_jacobian(name).any()]
    held = [
        random_frame_task(at, str(frame), rng)
        for frame in rng.choice(frames, min(len(frames), int(rng.integers(1, 3))))
    ]
    constraints: list[dik.Task] = list(held)
    kind = rng.integers(5)
    if kind == 1:  # the same again, in other words
        constraints.append(Rows(2.0 * held[0].compute_jacobian(at), -2.0 * held[0].gain * held[0].compute_error(at)))
    elif kind == 2:  # a sum of rows that says otherwise
        J, e = held[0].compute_jacobian(at), held[0].compute_error(at)
        constraints.append(Rows(J[:1] + J[1:2], -held[0].gain * (e[:1] + e[1:2]) + 10.0 ** rng.uniform(-5, 0)))
    elif kind == 3:  # rows of zeros, which ask for nothing
        constraints.append(Rows(np.zeros((2, at.model.nv)), np.zeros(2)))
    elif kind == 4:  # fewer rows than rates
        rows = rng.normal(size=(max(1, at.model.nv // 2), at.model.nv))
        reached = 1e-3 * rng.normal(size=at.model.nv)
        constraints = [Rows(rows, rows @ reached)]
    return posture, constraints


def random_frame_task(at: dik.Configuration, frame: str, rng: np.random.Generator) -> dik.FrameTask:
    """Return a task that a step can do, but for limits and singular places, or one that it may not."""
    task = dik.FrameTask(frame, 1.0, 1.0, gain=float(rng.choice([1.0, 0.1])))
    T = at.get_transform_frame_to_world(frame)
    if rng.random() < 0.5:
        small = at.get_frame_jacobian(frame) @ (10.0 ** rng.uniform(-8, -2) * rng.normal(size=at.model.nv))
    else:
        small = 10.0 ** rng.uniform(-6, -1) * rng.normal(size=6)
    task.set_target(T @ lie.exp_se3(small))
    return task


def can_be_met(G: Array | None, h: Array | None, A: Array, b: Array) -> bool | None:
    """Return whether some step meets the constraints within the limits, or None where that hangs on rounding."""
    lengths = np.linalg.norm(A, axis=1)
    units = np.where(lengths > 0.0, lengths, 1.0)
    U, s, Vt = np.linalg.svd(A / units[:, None], full_matrices=False)
    if np.any((s > 1e-14) & (s < 1e-7)):
        return None
    kept = s > 1e-10
    wanted = U[:, kept].T @ (b / units)
    missed = float(np.linalg.norm(b / units - U[:, kept] @ wanted))
    if missed > 1e-14 + CLEAR**2 * float(np.linalg.norm(b / units)):
        return False if missed > 1e-11 + CLEAR * float(np.linalg.norm(b / units)) else None
    if G is None or h is None:
        return True
    return fits(G, h, Vt[kept].T @ (wanted / s[kept]), Vt[kept])


def fits(G: Array, h: Array, offset: Array, taken: Array) -> bool | None:
    """Return whether offset + y fits into G x ≤ h for some y that the constraints do not take, by the widest margin."""
    unit = float(np.abs(h).max()) or 1.0
    rows = np.hstack([G, np.ones((len(G), 1))])
    equal = np.hstack([taken, np.zeros((len(taken), 1))])
    bounds = [(None, None)] * G.shape[1] + [(None, 1.0)]
    cost = np.append(np.zeros(G.shape[1]), -1.0)
    found = linprog(cost, rows, h / unit, equal, taken @ offset / unit, bounds=bounds, method="highs")
    if found.x is None:
        return None
    margin = float(found.x[-1])
    return None if abs(margin) < CLEAR else margin > 0.0
