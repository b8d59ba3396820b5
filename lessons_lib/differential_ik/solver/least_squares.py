"""The objective of a step before it is multiplied out: rows of what is wanted, from which H would lose half the digits.

½ ΔqᵀHΔq + cᵀΔq with H = MᵀM + λI and c = g − Mᵀr is ½‖M Δq − r‖² + gᵀΔq + ½ λ‖Δq‖², but for a constant. In H a
cost that is 10⁸ times smaller than another one is lost in rounding, and so is a λ of 1e-12 beside an M of one; in M it
is not.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.differential_ik.barriers.barrier import Barrier
from lessons_lib.differential_ik.quadratic_program import Step
from lessons_lib.differential_ik.tasks.task import Task


class Unbounded(ArithmeticError):
    """The objective falls without end."""


ROUNDING = 1e-15
"""An eigenvalue of a given H below this part of the largest is rounding."""


@dataclass(frozen=True)
class LeastSquares:
    """The objective ½‖M x − r‖² + gᵀx + ½ λ‖x‖².

    Attributes:
        M: Weighted Jacobians, shape (k, n), [cost] per unit of x.
        r: What M x should be, shape (k,), [cost].
        g: The part of a given slope that no row of M can say, shape (n,); zero for tasks that are least squares.
        damping: λ, [cost]² per squared unit of x.
    """

    M: Array
    r: Array
    g: Array
    damping: float

    def along(self, offset: Array, basis: Array) -> LeastSquares:
        """Return the same objective of y where x = offset + basis y; the basis is orthonormal, and so to the offset."""
        return LeastSquares(self.M @ basis, self.r - self.M @ offset, basis.T @ self.g, self.damping)


def gather(step: Step) -> LeastSquares:
    """Return the objective of a step: the tasks' own rows, and a factor of what others give as H and c."""
    n = step.configuration.model.nv
    matrices, wanted, damping = [np.zeros((0, n))], [np.zeros(0)], step.damping
    H, c = np.zeros((n, n)), np.zeros(n)
    givens: list[Task | Barrier] = [*step.tasks, *step.barriers]
    for given in givens:
        if isinstance(given, Barrier) or not given.is_least_squares:
            H_given, c_given = given.compute_qp_objective(step.configuration)
            H, c = H + H_given, c + c_given
            continue
        J, e = given.compute_jacobian(step.configuration), given.compute_error(step.configuration)
        costs = np.broadcast_to(given.costs_for(len(e)), len(e))
        matrices.append(costs[:, None] * J)
        wanted.append(-given.gain * costs * e)
        damping += given.lm_damping * float(wanted[-1] @ wanted[-1])
    M, r, g = _factor(H, c) if H.any() or c.any() else (np.zeros((0, n)), np.zeros(0), c)
    return LeastSquares(np.vstack([*matrices, M]), np.concatenate([*wanted, r]), g, damping)


def _factor(H: Array, c: Array) -> tuple[Array, Array, Array]:
    """Return M, r and g with MᵀM = H and g − Mᵀr = c.

    Raises:
        Unbounded: There are none: H has a negative eigenvalue.
    """
    values, vectors = np.linalg.eigh(0.5 * (H + H.T))
    if values[0] < -1e-9 * np.abs(values).max():
        raise Unbounded("the objective falls ever steeper in some direction: an H that a task returned is not convex")
    kept = values > ROUNDING * len(H) * max(values[-1], 0.0)
    roots, basis = np.sqrt(values[kept]), vectors[:, kept]
    along = basis.T @ c
    rest = c - basis @ along
    rest[np.abs(rest) <= ROUNDING * len(c) * np.abs(c).max()] = 0.0
    return roots[:, None] * basis.T, -along / roots, rest
