"""The minimum of a least-squares objective under inequalities: an active-set method in orthogonal factors alone.

The working set holds constraints that are active at x. On them the minimum is found by a singular value decomposition
of M; a constraint that blocks the step joins the set, and one whose multiplier has the wrong sign leaves it. There are
multipliers of the tasks and, where these are zero, of the damping: they are kept apart, since beside a slope of the
tasks that of a damping of 1e-12 is rounding. So the answer for no damping is the limit for little: of all minima, the
shortest.

Source: Gill, Murray and Wright, Practical Optimization (1981), ch. 5; Lawson and Hanson, Solving Least Squares Problems
(1974), ch. 23.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.differential_ik.solver.least_squares import LeastSquares, Unbounded

EPSILON = float(np.finfo(float).eps)

NOTHING = 1e-13
"""A singular value below this part of M is rounding: Jacobians are right to some ten units in the last place."""

PARALLEL = 1e-11
"""A step that approaches a constraint by less than this part of its length runs along it."""

ACTIVE, INDEPENDENT = 1e-9, 1e-3
"""A constraint of the first working set is as near as this, and its normal this far from the span of the others."""

TOLERANCE = 1e-10
"""By which part of its terms a constraint may be violated in the end."""

OWN = 1e-9
"""A constraint whose normal lies in the span of others but for this part of it says nothing that they do not say."""

MOST = 10
"""How many times as many iterations as constraints and coordinates are made: usually fewer than coordinates do."""


@dataclass(frozen=True)
class _Point:
    """The minimum on the constraints of a working set.

    Attributes:
        x: It, shape (n,).
        descent: A direction in which the objective falls without end, shape (n,), or None.
        multipliers: Of the constraints for the tasks, shape (w,).
        of_damping: Those for the damping, shape (w,).
        noise: How much of `multipliers` may be rounding, shape (w,).
        Z: An orthonormal basis of the null space of these constraints, shape (n, n − w).
    """

    x: Array
    descent: Array | None
    multipliers: Array
    of_damping: Array
    noise: Array
    Z: Array


def minimize(objective: LeastSquares, C: Array, d: Array, x: Array, active: list[int]) -> Array | None:  # noqa: N803
    """Return the x with C x ≤ d that minimises the objective, or None where rounding kept the method from ending.

    Args:
        objective: What is minimised.
        C: Normals of the constraints, rows of length one, shape (m, n).
        d: Their bounds, shape (m,).
        x: A feasible point to start from.
        active: Rows that are likely to be active in the end, as they are at x.

    Raises:
        Unbounded: There is no minimum.
    """
    at_bound = np.abs(d[active] - C[active] @ x) <= ACTIVE * (np.abs(d[active]) + np.abs(x).max(initial=0.0))
    likely = _independent(C, [row for row, at in zip(active, at_bound, strict=True) if at])
    for first in [likely, []] if likely else [[]]:  # some of them may be conditioned too badly
        best = _iterate(objective, C, d, x, first)
        if best is not None and (C @ best <= d + TOLERANCE * (np.abs(d) + np.linalg.norm(best))).all():
            return best
    return None


def _iterate(objective: LeastSquares, C: Array, d: Array, x: Array, active: list[int]) -> Array | None:  # noqa: N803
    """Return the minimum from a feasible x and a working set, or None where the iteration does not end."""
    held: set[int] = set()  # constraints that blocked at once when they were dropped
    dropped = -1
    limit = MOST * (len(C) + len(x) + 1)
    for count in range(limit):
        point = _minimum_on(objective, C[active], d[active])
        direction = point.x - x if point.descent is None else point.descent
        length, blocking = _ratio_test(C, d, x, direction, point.Z, np.inf if point.descent is not None else 1.0)
        if blocking is None and point.descent is not None:
            raise Unbounded(
                "the objective falls without end, where nothing costs and no wall bounds (give damping > 0)"
            )
        x = point.x if length == 1.0 and point.descent is None else x + length * direction
        if blocking is not None:
            if blocking == dropped and length == 0.0:
                held.add(blocking)
            elif length > 0.0:
                held.clear()
            active, dropped = [*active, blocking], -1
            continue
        weak = [k for k in _to_drop(point, objective.damping, first=count > limit // 3) if active[k] not in held]
        if not weak:
            return x
        dropped = active[weak[0]]
        active = [row for row in active if row != dropped]
    return None


def _independent(C: Array, rows: list[int]) -> list[int]:  # noqa: N803
    """Return the rows without those that depend on the ones before them."""
    if len(rows) <= C.shape[1] and (np.abs(np.diag(np.linalg.qr(C[rows].T, mode="r"))) > INDEPENDENT).all():
        return rows
    kept: list[int] = []
    basis = np.zeros((0, C.shape[1]))
    for row in rows:
        rest = C[row] - basis.T @ (basis @ C[row])
        length = float(np.linalg.norm(rest))
        if length > INDEPENDENT:
            kept.append(row)
            basis = np.vstack([basis, rest / length])
    return kept


def _minimum_on(objective: LeastSquares, C: Array, d: Array) -> _Point:  # noqa: N803
    """Return the minimum among all x with C x = d, the shortest of several."""
    M, r, g, damping = objective.M, objective.r, objective.g, objective.damping
    Q, R = np.linalg.qr(C.T, mode="complete")
    w = len(d)
    Y, Z, R = Q[:, :w], Q[:, w:], R[:w]  # noqa: N806
    on_rows = Y @ np.linalg.solve(R.T, d)
    U, s, Vt = np.linalg.svd(M @ Z, full_matrices=False)  # noqa: N806
    kept = s > NOTHING * float(np.linalg.norm(M))
    U, s, V = U[:, kept], s[kept], Z @ Vt[kept].T  # noqa: N806
    residual = r - M @ on_rows
    wanted, along = U.T @ residual, V.T @ g
    y = (s * wanted - along) / (s * s + damping)
    x = on_rows + V @ y
    terms = np.abs(M.T) @ (np.abs(r) + np.abs(M) @ np.abs(x)) + np.abs(g)
    slope = V.T @ (M.T @ (r - M @ x) - g - damping * x)  # U is right to ε‖M‖/s: too little beside what is unmet
    certain = np.abs(slope) > 8.0 * EPSILON * len(x) * (np.abs(V).T @ terms)
    y = np.where(certain, y + slope / (s * s + damping), y)
    x = on_rows + V @ y
    free = Z @ (Z.T @ g) - V @ along  # the gradient in the null space of M
    descent = None
    if np.linalg.norm(free) > 64.0 * EPSILON * len(x) * np.linalg.norm(g):
        descent = -free if damping == 0.0 else None
        x = x - free / damping if damping > 0.0 else x
    unmet = residual - U @ wanted + U @ (along / s)
    to_rows = np.linalg.solve(R, Y.T)
    multipliers = to_rows @ (M.T @ unmet - g)
    of_damping = to_rows @ (M.T @ (U @ (y / s)) - x)
    return _Point(x, descent, multipliers, of_damping, 8.0 * EPSILON * len(x) * (np.abs(to_rows) @ terms), Z)


def _ratio_test(
    C: Array,  # noqa: N803
    d: Array,
    x: Array,
    direction: Array,
    Z: Array,  # noqa: N803
    most: float,
) -> tuple[float, int | None]:
    """Return the greatest feasible step length along a direction, at most `most`, and the blocking row, or None.

    A row whose normal has no part in the null space Z depends on the rows of the working set.
    """
    rates = C @ direction
    ahead = np.flatnonzero(rates > PARALLEL * np.linalg.norm(direction))
    lengths = np.maximum(d[ahead] - C[ahead] @ x, 0.0) / rates[ahead]
    ahead, lengths = ahead[lengths < most], lengths[lengths < most]
    own = np.linalg.norm(C[ahead] @ Z, axis=1) > OWN
    ahead, lengths = ahead[own], lengths[own]
    if ahead.size == 0:
        return most, None
    nearest = float(lengths.min())
    candidates = ahead[lengths <= nearest * (1.0 + 1e-12)]
    return nearest, int(candidates[np.argmax(rates[candidates])])


def _to_drop(point: _Point, damping: float, *, first: bool) -> list[int]:
    """Return the constraints whose multipliers have the wrong sign, the one to drop first.

    They come in their order where `first` is set (Bland's rule), so that the iteration does not cycle.
    """
    together = point.multipliers + damping * point.of_damping
    against = together < -point.noise
    if not against.any():
        no_task = np.abs(point.multipliers) <= point.noise
        length = 1e-11 * float(np.linalg.norm(point.x))
        against = no_task & (np.abs(together) <= point.noise) & (point.of_damping < -length)
        together = point.of_damping
    dropped = np.flatnonzero(against)
    order = dropped if first else dropped[np.argsort(together[dropped])]
    return [int(k) for k in order]
