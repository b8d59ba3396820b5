"""The least of a least-squares objective among inequalities, walking from wall to wall, in orthogonal factors alone.

A working set holds the walls that x is at. On them the least x is found by a singular value decomposition of M; a wall
that is in the way joins the set, and one that does not push leaves it. A wall pushes for the tasks or, where they do
not feel it, for the damping: the two are told apart, since beside a slope of the tasks that of a damping of 1e-12 is
rounding. So the answer for no damping is the limit for little: of all least x, the shortest.

Source: Gill, Murray and Wright, Practical Optimization (1981), ch. 5; Lawson and Hanson, Solving Least Squares Problems
(1974), ch. 23.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lessons_lib.differential_ik.solver.least_squares import Endless, LeastSquares

Array = NDArray[np.float64]

EPSILON = float(np.finfo(float).eps)

NOTHING = 1e-13
"""A singular value below this part of M is rounding: Jacobians are right to some ten units in the last place."""

GLANCING = 1e-11
"""A step that nears a wall by less than this part of its length runs along it."""

NEAR, APART = 1e-9, 1e-3
"""A wall to begin with is as near as this, and as far in its direction from the others; KEPT is for the end."""

KEPT = 1e-10

OWN = 1e-9
"""A wall whose direction is given by others but for this part of it says nothing that they do not say."""

ROUNDS = 10
"""How many times as many steps as walls and coordinates are taken: usually there are fewer than coordinates."""


@dataclass(frozen=True)
class _Point:
    """The least x on the walls of a working set.

    Attributes:
        x: It, shape (n,).
        falls: A direction without end in which the objective falls, shape (n,), or None.
        pushes: Multipliers of the walls for the tasks, shape (w,).
        damped: Those for the damping, shape (w,).
        noise: How much of `pushes` may be rounding, shape (w,).
        Z: An orthonormal basis of the ways along all of these walls, shape (n, n − w).
    """

    x: Array
    falls: Array | None
    pushes: Array
    damped: Array
    noise: Array
    Z: Array


def least(objective: LeastSquares, C: Array, d: Array, x: Array, walls: list[int]) -> Array | None:  # noqa: N803
    """Return the least x with C x ≤ d, or None where rounding kept the walk from ending.

    Args:
        objective: What is to become least.
        C: Walls, rows of length one, shape (m, n).
        d: Their places, shape (m,).
        x: Where to begin, with C x ≤ d.
        walls: Rows that are likely to hold with equality in the end, as they do at x.

    Raises:
        Endless: There is no least x.
    """
    at = np.abs(d[walls] - C[walls] @ x) <= NEAR * (np.abs(d[walls]) + np.abs(x).max(initial=0.0))
    likely = _independent(C, [wall for wall, near in zip(walls, at, strict=True) if near])
    for first in [likely, []] if likely else [[]]:  # some of them may fit together too badly
        best = _walk(objective, C, d, x, first)
        if best is not None and (C @ best <= d + KEPT * (np.abs(d) + np.linalg.norm(best))).all():
            return best
    return None


def _walk(objective: LeastSquares, C: Array, d: Array, x: Array, walls: list[int]) -> Array | None:  # noqa: N803
    """Return the least x with C x ≤ d from where x is at some walls, or None where the walk does not end."""
    held: set[int] = set()  # walls that came back at once when they were let go
    left = -1
    limit = ROUNDS * (len(C) + len(x) + 1)
    for count in range(limit):
        point = _least_on(objective, C[walls], d[walls])
        way = point.x - x if point.falls is None else point.falls
        part, wall = _as_far_as_allowed(C, d, x, way, point.Z, np.inf if point.falls is not None else 1.0)
        if wall is None and point.falls is not None:
            raise Endless("the objective falls without end, where nothing costs and no wall bounds (give damping > 0)")
        x = point.x if part == 1.0 and point.falls is None else x + part * way
        if wall is not None:
            if wall == left and part == 0.0:
                held.add(wall)
            elif part > 0.0:
                held.clear()
            walls, left = [*walls, wall], -1
            continue
        weak = [k for k in _idle(point, objective.damping, first=count > limit // 3) if walls[k] not in held]
        if not weak:
            return x
        left = walls[weak[0]]
        walls = [wall for wall in walls if wall != left]
    return None


def _independent(C: Array, walls: list[int]) -> list[int]:  # noqa: N803
    """Return the walls without those that follow from the ones before them."""
    if len(walls) <= C.shape[1] and (np.abs(np.diag(np.linalg.qr(C[walls].T, mode="r"))) > APART).all():
        return walls
    kept: list[int] = []
    basis = np.zeros((0, C.shape[1]))
    for wall in walls:
        rest = C[wall] - basis.T @ (basis @ C[wall])
        length = float(np.linalg.norm(rest))
        if length > APART:
            kept.append(wall)
            basis = np.vstack([basis, rest / length])
    return kept


def _least_on(objective: LeastSquares, C: Array, d: Array) -> _Point:  # noqa: N803
    """Return the least x with C x = d, the shortest where there are many."""
    M, r, g, damping = objective.M, objective.r, objective.g, objective.damping
    Q, R = np.linalg.qr(C.T, mode="complete")
    w = len(d)
    Y, Z, R = Q[:, :w], Q[:, w:], R[:w]  # noqa: N806
    on_walls = Y @ np.linalg.solve(R.T, d)
    U, s, Vt = np.linalg.svd(M @ Z, full_matrices=False)  # noqa: N806
    kept = s > NOTHING * float(np.linalg.norm(M))
    U, s, V = U[:, kept], s[kept], Z @ Vt[kept].T  # noqa: N806
    rest = r - M @ on_walls
    wanted, along = U.T @ rest, V.T @ g
    y = (s * wanted - along) / (s * s + damping)
    x = on_walls + V @ y
    terms = np.abs(M.T) @ (np.abs(r) + np.abs(M) @ np.abs(x)) + np.abs(g)
    slope = V.T @ (M.T @ (r - M @ x) - g - damping * x)  # U is right to ε‖M‖/s: too little beside what is unmet
    felt = np.abs(slope) > 8.0 * EPSILON * len(x) * (np.abs(V).T @ terms)
    y = np.where(felt, y + slope / (s * s + damping), y)
    x = on_walls + V @ y
    free = Z @ (Z.T @ g) - V @ along  # the slope where no row of M feels anything
    falls = None
    if np.linalg.norm(free) > 64.0 * EPSILON * len(x) * np.linalg.norm(g):
        falls = -free if damping == 0.0 else None
        x = x - free / damping if damping > 0.0 else x
    unmet = rest - U @ wanted + U @ (along / s)
    to_walls = np.linalg.solve(R, Y.T)
    pushes = to_walls @ (M.T @ unmet - g)
    damped = to_walls @ (M.T @ (U @ (y / s)) - x)
    return _Point(x, falls, pushes, damped, 8.0 * EPSILON * len(x) * (np.abs(to_walls) @ terms), Z)


def _as_far_as_allowed(
    C: Array,  # noqa: N803
    d: Array,
    x: Array,
    way: Array,
    Z: Array,  # noqa: N803
    most: float,
) -> tuple[float, int | None]:
    """Return the part of a way that can be gone, at most `most`, and the wall that ends it, or None.

    A wall that no way along Z nears follows from the walls of the working set, or runs along with them.
    """
    nears = C @ way
    ahead = np.flatnonzero(nears > GLANCING * np.linalg.norm(way))
    parts = np.maximum(d[ahead] - C[ahead] @ x, 0.0) / nears[ahead]
    ahead, parts = ahead[parts < most], parts[parts < most]
    own = np.linalg.norm(C[ahead] @ Z, axis=1) > OWN
    ahead, parts = ahead[own], parts[own]
    if ahead.size == 0:
        return most, None
    nearest = float(parts.min())
    candidates = ahead[parts <= nearest * (1.0 + 1e-12)]
    return nearest, int(candidates[np.argmax(nears[candidates])])


def _idle(point: _Point, damping: float, *, first: bool) -> list[int]:
    """Return the walls that do not push, the one to let go first.

    They come in their order where `first` is set, so that no walk goes in a circle.
    """
    together = point.pushes + damping * point.damped
    against = together < -point.noise
    if not against.any():
        unfelt = np.abs(point.pushes) <= point.noise
        length = 1e-11 * float(np.linalg.norm(point.x))
        against = unfelt & (np.abs(together) <= point.noise) & (point.damped < -length)
        together = point.damped
    idle = np.flatnonzero(against)
    order = idle if first else idle[np.argsort(together[idle])]
    return [int(k) for k in order]
