"""Redundancy: pseudoinverse, null space, and tasks in order of priority.

The functions take SymPy matrices, for claims, or MatrixSymbols of any size, for lambdify: the proven formula is the
code that runs. The rates for a task J q̇ = V, and the projector onto the rates that it leaves free, are

    q̇ = q̇₀ + (J N₀)⁺ (V − J q̇₀)          N = N₀ − (J N₀)⁺ J N₀

with q̇₀ and N₀ of the tasks of higher priority: zero and the identity for the first task.

Source: Nakamura, Hanafusa & Yoshikawa, Task-priority based redundancy control of robot manipulators (1987), for two
tasks; Siciliano & Slotine, A general framework for managing multiple tasks (1991), for any number.
"""

from itertools import combinations
from typing import Any

import sympy as sp

from lessons_lib.errors import ParameterError


def pseudoinverse(J: Any) -> Any:
    """Return J⁺ = Jᵀ(J Jᵀ)⁻¹ of a J with full row rank."""
    return J.T * (J * J.T).inv()


def weighted_pseudoinverse(J: Any, W: Any) -> Any:
    """Return W⁻¹Jᵀ(J W⁻¹Jᵀ)⁻¹, which solves J q̇ = V with the least q̇ᵀW q̇.

    Args:
        J: Full row rank, m×n.
        W: Weights of the rates, symmetric and positive definite, n×n.

    Source: Whitney, Resolved motion rate control of manipulators and human prostheses (1969).
    """
    return W.inv() * J.T * (J * W.inv() * J.T).inv()


def add_task(q_dot: Any, J: Any, JN_plus: Any, V: Any) -> Any:  # noqa: N803
    """Return the rates with a further task of lower priority, q̇ + (J N)⁺(V − J q̇).

    Args:
        q_dot: Rates of all tasks of higher priority, n×1.
        J: Jacobian of the task, m×n.
        JN_plus: Pseudoinverse of J N, with N the projector of the tasks of higher priority, n×m.
        V: Desired velocity of the task, m×1.
    """
    return q_dot + JN_plus * (V - J * q_dot)


def next_projector(N: Any, J: Any, JN_plus: Any) -> Any:  # noqa: N803
    """Return the projector N − (J N)⁺ J N for tasks of lower priority; arguments as in `add_task`."""
    return N - JN_plus * J * N


def projector(J: sp.Matrix) -> sp.Matrix:
    """Return the null-space projector N = I − J⁺J of a J with full row rank.

    >>> import sympy as sp
    >>> from lessons_lib.symbolic import redundancy
    >>> redundancy.projector(sp.Matrix([[1, 0]]))
    Matrix([
    [0, 0],
    [0, 1]])
    """
    return next_projector(sp.eye(J.cols), J, pseudoinverse(J))


def null_vector(J: sp.Matrix) -> sp.Matrix:
    """Return a null vector of a Jacobian with n = m + 1 columns, n×1: its minors with alternating signs.

    Entry i is (−1)ⁱ times the determinant of J without column i. J n = 0 by Cramer's rule, and ‖n‖² = det(J Jᵀ) by the
    Cauchy-Binet formula: ‖n‖ is the manipulability, which vanishes where the arm is singular.

    >>> import sympy as sp
    >>> from lessons_lib.symbolic import redundancy
    >>> redundancy.null_vector(sp.Matrix([[1, 0, 2], [0, 1, 3]])).T
    Matrix([[-2, -3, 1]])

    Raises:
        ParameterError: J does not have one column more than rows.
    """
    if J.cols != J.rows + 1:
        raise ParameterError(f"J must have one column more than rows, got {J.rows}×{J.cols}")
    keep = combinations(range(J.cols), J.rows)  # the last column is left out first
    minors = [J[:, list(columns)].det(method="berkowitz") for columns in keep]
    return sp.Matrix([(-1) ** i * minor for i, minor in enumerate(reversed(minors))])


def middle_cost(q: sp.Matrix, middle: sp.Matrix, half: sp.Matrix) -> sp.Expr:
    """Return H = ½ Σ ((q − middle)/half)², which is ½ for each joint at its limit and 0 for each in the middle.

    Args:
        q: Configuration, n×1.
        middle: Middles of the joint ranges, n×1.
        half: Half widths of the joint ranges, n×1.

    Source: Liégeois, Automatic supervisory control of the configuration and behavior of multibody mechanisms (1977),
    with the mean of the squared quotients.
    """
    return sum((((a - m) / h) ** 2 for a, m, h in zip(q, middle, half, strict=True)), sp.Integer(0)) / 2


def middle_gradient(q: sp.Matrix, middle: sp.Matrix, half: sp.Matrix) -> sp.Matrix:
    """Return ∂H/∂q, n×1; arguments as in `middle_cost`."""
    return sp.Matrix([sp.diff(middle_cost(q, middle, half), angle) for angle in q])


# Source: Shimizu et al., Analytical inverse kinematic computation for 7-DOF redundant manipulators (2008), with another
# reference plane.


def sine_and_cosine(elbow: sp.Matrix, wrist: sp.Matrix, up: sp.Matrix) -> sp.Matrix:
    """Return (sin ψ, cos ψ) times a common positive factor, 2×1; both are zero if ψ is undefined."""
    # elbow and wrist are seen from the shoulder; at ψ = 0 the elbow is above the line, in the plane of the line and
    # `up`; ψ is right-handed about the line towards the wrist
    length = sp.sqrt((wrist.T * wrist)[0])
    side = wrist.cross(up)
    return sp.Matrix([length * (wrist.T * up.cross(elbow))[0], (side.T * wrist.cross(elbow))[0]])


def arm_angle(elbow: sp.Matrix, wrist: sp.Matrix, up: sp.Matrix) -> sp.Expr:
    """Return ψ in (−π, π]; arguments as in `sine_and_cosine`."""
    return sp.atan2(*sine_and_cosine(elbow, wrist, up))
