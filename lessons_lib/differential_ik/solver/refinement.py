"""Minimise least squares under inequalities by a primal active-set method in orthogonal factors.

H = MᵀM loses half the digits of M. DAQP forms H, so where rounding decides its pivots, this method starts from DAQP's
step and active set, and works with M. Source: Gill, Murray and Wright, Practical Optimization (1981), ch. 5.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.differential_ik.barriers.barrier import Barrier
from lessons_lib.differential_ik.solver.problem import Step
from lessons_lib.differential_ik.tasks.task import Task

EPSILON = float(np.finfo(float).eps)

NOTHING = 1e-13
"""A relative singular value of M below this is rounding: Jacobians are accurate to some 1e-15."""

PARALLEL, OWN = 1e-11, 1e-9
"""A direction this close to a row runs along it; a normal this close to the span of active ones depends on them."""

TOLERANCE = 1e-10
"""Relative excess of a row over its bound that is left in the end."""

MOST = 10
"""Iterations for each row and coordinate; usually fewer than coordinates are needed."""


class Unbounded(ArithmeticError):
    """The objective decreases without bound."""


@dataclass(frozen=True)
class LeastSquares:
    """The objective ½‖M x − r‖² + gᵀx + ½ λ‖x‖²; g is the part of a given slope that is no row of M."""

    M: Array
    r: Array
    g: Array
    damping: float

    @classmethod
    def of(cls, step: Step) -> LeastSquares:
        """Return the objective of a step: weighted rows of its tasks, and factors of given H and c."""
        n = step.configuration.model.nv
        matrices, values, damping = [np.zeros((0, n))], [np.zeros(0)], step.damping
        H, c = np.zeros((n, n)), np.zeros(n)
        sources: list[Task | Barrier] = [*step.tasks, *step.barriers]
        for source in sources:
            if isinstance(source, Barrier) or not source.is_least_squares:
                H_source, c_source = source.compute_qp_objective(step.configuration)
                H, c = H + H_source, c + c_source
                continue
            J, e = source.linearize(step.configuration)
            costs = np.broadcast_to(source.costs_for(len(e)), len(e))
            matrices.append(costs[:, None] * J)
            values.append(-source.gain * costs * e)
            damping += source.lm_damping * float(values[-1] @ values[-1])
        M, r, g = _factor_objective(H, c) if H.any() or c.any() else (np.zeros((0, n)), np.zeros(0), c)
        return cls(np.vstack([*matrices, M]), np.concatenate([*values, r]), g, damping)

    def along(self, offset: Array, basis: Array) -> LeastSquares:
        """Return the objective of y where x = offset + basis y; the basis is orthonormal, and orthogonal to offset."""
        return LeastSquares(self.M @ basis, self.r - self.M @ offset, basis.T @ self.g, self.damping)


def _factor_objective(H: Array, c: Array) -> tuple[Array, Array, Array]:
    """Return M, r and g with MᵀM = H and g − Mᵀr = c."""
    values, vectors = np.linalg.eigh(0.5 * (H + H.T))
    if values[0] < -1e-9 * np.abs(values).max():
        raise Unbounded("the objective decreases without bound: an H that a task returned is not convex")
    rounding = 1e-15 * len(H)
    kept = values > rounding * max(values[-1], 0.0)
    roots, basis = np.sqrt(values[kept]), vectors[:, kept]
    along = basis.T @ c
    rest = c - basis @ along
    rest[np.abs(rest) <= rounding * np.abs(c).max()] = 0.0
    return roots[:, None] * basis.T, -along / roots, rest


@dataclass(frozen=True)
class _Minimum:
    """The minimum x on active rows, a direction of endless descent or None, and the null space Z of the rows."""

    x: Array
    descent: Array | None
    multipliers: Array  # shape (2, w): for the tasks, and for the damping, whose slopes are rounding beside those
    noise: Array  # rounding of the first
    Z: Array


def refine(objective: LeastSquares, C: Array, d: Array, x: Array, active: list[int]) -> Array:  # noqa: N803
    """Return the best x with C x ≤ d, from a feasible x and likely active rows; raise Unbounded or ArithmeticError."""
    for first in [active, []] if active else [[]]:  # the guessed rows may be too ill-conditioned
        try:
            found = _iterate(objective, C, d, x, first)
        except np.linalg.LinAlgError:
            continue
        if found is not None and (C @ found <= d + TOLERANCE * (np.abs(d) + np.linalg.norm(found))).all():
            return found
    raise ArithmeticError("the active-set iteration did not converge")


def _iterate(objective: LeastSquares, C: Array, d: Array, x: Array, active: list[int]) -> Array | None:  # noqa: N803
    """Return the minimum from a feasible x and an active set, or None if the iteration does not converge."""
    kept: set[int] = set()  # rows that blocked at once after they were dropped
    dropped, limit = -1, MOST * (len(C) + len(x) + 1)
    for count in range(limit):
        minimum = _minimize_on_rows(objective, C[active], d[active])
        descent = minimum.descent
        direction = minimum.x - x if descent is None else descent
        length, blocking = _step_length(C, d, x, direction, minimum.Z, 1.0 if descent is None else np.inf)
        if blocking is None and descent is not None:
            raise Unbounded("the objective decreases without bound, where no task and no limit acts (give damping > 0)")
        x = minimum.x if length == 1.0 and descent is None else x + length * direction
        if blocking is not None:
            if blocking == dropped and length == 0.0:
                kept.add(blocking)
            elif length > 0.0:
                kept.clear()
            active, dropped = [*active, blocking], -1
            continue
        weak = _rows_to_drop(minimum, objective.damping, in_order=count > limit // 3)
        weak = [k for k in weak if active[k] not in kept]
        if not weak:
            return x
        dropped = active[weak[0]]
        active = [row for row in active if row != dropped]
    return None


def _minimize_on_rows(objective: LeastSquares, C: Array, d: Array) -> _Minimum:  # noqa: N803
    """Return the minimum with C x = d, the shortest of several."""
    M, r, g, damping = objective.M, objective.r, objective.g, objective.damping
    Q, R = np.linalg.qr(C.T, mode="complete")
    w = len(d)
    Y, Z, R = Q[:, :w], Q[:, w:], R[:w]  # noqa: N806
    on_rows = Y @ np.linalg.solve(R.T, d)
    U, s, Vt = np.linalg.svd(M @ Z, full_matrices=False)  # noqa: N806
    kept = s > NOTHING * float(np.linalg.norm(M))
    U, s, V = U[:, kept], s[kept], Z @ Vt[kept].T  # noqa: N806
    residual = r - M @ on_rows
    reached, along = U.T @ residual, V.T @ g
    y = (s * reached - along) / (s * s + damping)
    x = on_rows + V @ y
    terms = np.abs(M.T) @ (np.abs(r) + np.abs(M) @ np.abs(x)) + np.abs(g)
    slope = V.T @ (M.T @ (r - M @ x) - g - damping * x)  # U is accurate to ε‖M‖/s, too little for a large residual
    certain = np.abs(slope) > 8.0 * EPSILON * len(x) * (np.abs(V).T @ terms)
    y = np.where(certain, y + slope / (s * s + damping), y)
    x = on_rows + V @ y
    free = Z @ (Z.T @ g) - V @ along  # the gradient in the null space of M
    descent = None
    if np.linalg.norm(free) > 64.0 * EPSILON * len(x) * np.linalg.norm(g):
        descent = -free if damping == 0.0 else None
        x = x - free / damping if damping > 0.0 else x
    unmet = residual - U @ reached + U @ (along / s)
    to_rows = np.linalg.solve(R, Y.T)
    multipliers = np.array([to_rows @ (M.T @ unmet - g), to_rows @ (M.T @ (U @ (y / s)) - x)])
    return _Minimum(x, descent, multipliers, 8.0 * EPSILON * len(x) * (np.abs(to_rows) @ terms), Z)


def _step_length(
    C: Array,  # noqa: N803
    d: Array,
    x: Array,
    direction: Array,
    Z: Array,  # noqa: N803
    most: float,
) -> tuple[float, int | None]:
    """Return the greatest feasible step length along a direction, at most `most`, and the blocking row, or None."""
    rates = C @ direction
    ahead = np.flatnonzero(rates > PARALLEL * np.linalg.norm(direction))
    lengths = np.maximum(d[ahead] - C[ahead] @ x, 0.0) / rates[ahead]
    blocks = (lengths < most) & (np.linalg.norm(C[ahead] @ Z, axis=1) > OWN)
    ahead, lengths = ahead[blocks], lengths[blocks]
    if ahead.size == 0:
        return most, None
    nearest = float(lengths.min())
    candidates = ahead[lengths <= nearest * (1.0 + 1e-12)]
    return nearest, int(candidates[np.argmax(rates[candidates])])


def _rows_to_drop(minimum: _Minimum, damping: float, *, in_order: bool) -> list[int]:
    """Return active rows with negative multipliers, the first to drop first; in order (Bland) it does not cycle."""
    of_tasks, of_damping = minimum.multipliers
    together = of_tasks + damping * of_damping
    negative = together < -minimum.noise
    if not negative.any():
        no_task = np.abs(of_tasks) <= minimum.noise
        length = 1e-11 * float(np.linalg.norm(minimum.x))
        negative = no_task & (np.abs(together) <= minimum.noise) & (of_damping < -length)
        together = of_damping
    dropped = np.flatnonzero(negative)
    order = dropped if in_order else dropped[np.argsort(together[dropped])]
    return [int(k) for k in order]
