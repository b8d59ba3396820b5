"""Minimize least squares under inequalities by a primal active-set method with orthogonal factors."""
# H = MᵀM loses half the digits of M. DAQP needs H; if its pivots are unclear, this method continues from DAQP's step
# and active set with M. Source: Gill, Murray and Wright, Practical Optimization (1981), ch. 5.

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.differential_ik.barriers import Barrier
from lessons_lib.differential_ik.solver.problem import Step
from lessons_lib.differential_ik.tasks.task import Task

EPSILON = float(np.finfo(float).eps)

ROUNDING = 1e-13
"""Relative singular value of M that counts as rounding: Jacobians are accurate to some 1e-15."""

PARALLEL, DEPENDENT = 1e-11, 1e-9
"""Relative rate below which a direction is parallel to a row; distance of a normal from the span of active ones below
which it depends on them."""

TOLERANCE = 1e-10
"""Relative excess of a row over its bound in an accepted solution."""

ITERATIONS_PER_ROW = 10
"""Largest number of iterations per row and coordinate; usually fewer than there are coordinates are needed."""


class Unbounded(ArithmeticError):
    """The objective decreases without bound."""


@dataclass(frozen=True)
class LeastSquares:
    """The objective ½‖M x − r‖² + gᵀx + ½ λ‖x‖²; g is the component of a given slope outside the row space of M."""

    M: Array
    r: Array
    g: Array
    damping: float

    @classmethod
    def of(cls, step: Step) -> LeastSquares:
        """Return the objective of a step: weighted rows of its tasks, and factors of the other H and c."""
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

    def restrict(self, offset: Array, basis: Array) -> LeastSquares:
        """Return the objective of y, where x = offset + basis y with an orthonormal basis orthogonal to offset."""
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
    """The minimizer x on active rows, a direction of unbounded descent or None, and the null space Z of the rows."""

    x: Array
    descent: Array | None
    multipliers: Array  # shape (2, w): of the tasks, and of the damping, which are much smaller
    noise: Array  # rounding error of those of the tasks
    Z: Array


def refine(objective: LeastSquares, C: Array, d: Array, x: Array, active: list[int]) -> Array:  # noqa: N803
    """Return the minimizer with C x ≤ d, from a feasible x and a guess of the active rows."""
    for first in [active, []] if active else [[]]:  # the guess may be too ill-conditioned
        try:
            minimizer = _iterate(objective, C, d, x, first)
        except np.linalg.LinAlgError:
            continue
        if minimizer is not None and (C @ minimizer <= d + TOLERANCE * (np.abs(d) + np.linalg.norm(minimizer))).all():
            return minimizer
    raise ArithmeticError("the active-set iteration did not converge")


def _iterate(objective: LeastSquares, C: Array, d: Array, x: Array, active: list[int]) -> Array | None:  # noqa: N803
    """Return the minimizer from a feasible x and an active set, or None if the iteration does not converge."""
    locked: set[int] = set()  # rows that blocked again as soon as they were dropped
    dropped, limit = -1, ITERATIONS_PER_ROW * (len(C) + len(x) + 1)
    for count in range(limit):
        minimum = _minimize_on_rows(objective, C[active], d[active])
        descent = minimum.descent
        direction = minimum.x - x if descent is None else descent
        length, blocking = _step_length(C, d, x, direction, minimum.Z, 1.0 if descent is None else np.inf)
        if blocking is None and descent is not None:
            raise Unbounded("the objective decreases without bound where no task and no limit acts; give damping > 0")
        x = minimum.x if length == 1.0 and descent is None else x + length * direction
        if blocking is not None:
            if blocking == dropped and length == 0.0:
                locked.add(blocking)
            elif length > 0.0:
                locked.clear()
            active, dropped = [*active, blocking], -1
            continue
        weak = _rows_to_drop(minimum, objective.damping, in_order=count > limit // 3)
        weak = [k for k in weak if active[k] not in locked]
        if not weak:
            return x
        dropped = active[weak[0]]
        active = [row for row in active if row != dropped]
    return None


def _minimize_on_rows(objective: LeastSquares, C: Array, d: Array) -> _Minimum:  # noqa: N803
    """Return the shortest minimizer with C x = d."""
    M, r, g, damping = objective.M, objective.r, objective.g, objective.damping
    Q, R = np.linalg.qr(C.T, mode="complete")
    w = len(d)
    Y, Z, R = Q[:, :w], Q[:, w:], R[:w]  # noqa: N806
    on_rows = Y @ np.linalg.solve(R.T, d)
    U, s, Vt = np.linalg.svd(M @ Z, full_matrices=False)  # noqa: N806
    kept = s > ROUNDING * float(np.linalg.norm(M))
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
    """Return the largest feasible step length along a direction, up to `most`, and the blocking row or None."""
    rates = C @ direction
    ahead = np.flatnonzero(rates > PARALLEL * np.linalg.norm(direction))
    lengths = np.maximum(d[ahead] - C[ahead] @ x, 0.0) / rates[ahead]
    blocks = (lengths < most) & (np.linalg.norm(C[ahead] @ Z, axis=1) > DEPENDENT)
    ahead, lengths = ahead[blocks], lengths[blocks]
    if ahead.size == 0:
        return most, None
    nearest = float(lengths.min())
    candidates = ahead[lengths <= nearest * (1.0 + 1e-12)]
    return nearest, int(candidates[np.argmax(rates[candidates])])


def _rows_to_drop(minimum: _Minimum, damping: float, *, in_order: bool) -> list[int]:
    """Return active rows with negative multipliers, most negative first, or in order (Bland's rule against cycling)."""
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
