"""Redundancy in symbols: the pseudoinverse, the null space that it leaves free, and tasks in an order of priority.

Every function takes SymPy matrices, which claims can prove, or SymPy's MatrixSymbols of any size, which lambdify turns
into NumPy: what runs is what was proven.

With J⁺ the pseudoinverse of J, the rates of a task J q̇ = V and what the task leaves free are

    q̇ = q̇₀ + (J N₀)⁺ (V − J q̇₀)          N = N₀ − (J N₀)⁺ J N₀

where q̇₀ and N₀ come from the tasks of higher priority: zero and the identity, for the first.

Source: Nakamura, Hanafusa & Yoshikawa, Task-priority based redundancy control of robot manipulators (1987), for two
tasks; Siciliano & Slotine, A general framework for managing multiple tasks (1991), for any number.
"""

from itertools import combinations
from typing import Any

import sympy as sp

from lessons_lib.errors import ParameterError


def pseudoinverse(J: Any) -> Any:
    """Return J⁺ = Jᵀ(J Jᵀ)⁻¹, for J of full row rank."""
    return J.T * (J * J.T).inv()


def weighted_pseudoinverse(J: Any, W: Any) -> Any:
    """Return W⁻¹Jᵀ(J W⁻¹Jᵀ)⁻¹: J q̇ = V with the least q̇ᵀW q̇, for J of full row rank.

    Args:
        J: m×n.
        W: n×n, symmetric and positive: what the rates cost.

    Source: Whitney, Resolved motion rate control of manipulators and human prostheses (1969).
    """
    return W.inv() * J.T * (J * W.inv() * J.T).inv()


def add_task(q_dot: Any, J: Any, JN_plus: Any, V: Any) -> Any:  # noqa: N803
    """Return the rates that do one task more: q̇ + (J N)⁺(V − J q̇).

    Args:
        q_dot: The rates of all tasks above, n×1.
        J: The task's Jacobian, m×n.
        JN_plus: Pseudoinverse of J N, with N what the tasks above leave free, n×m.
        V: What the task wants, m×1.
    """
    return q_dot + JN_plus * (V - J * q_dot)


def next_projector(N: Any, J: Any, JN_plus: Any) -> Any:  # noqa: N803
    """Return what one task more leaves free, N − (J N)⁺ J N; arguments as in `add_task`."""
    return N - JN_plus * J * N


def projector(J: sp.Matrix) -> sp.Matrix:
    """Return N = I − J⁺J, which takes from any rates what J feels of them; J is of full row rank."""
    return next_projector(sp.eye(J.cols), J, pseudoinverse(J))


def null_vector(J: sp.Matrix) -> sp.Matrix:
    """Return the rates that a Jacobian with one column too many does not feel, n×1: its minors with signs in turn.

    Entry i is (−1)ⁱ times the determinant of J without column i. By Cramer's rule J n = 0, and by the formula of Binet
    and Cauchy ‖n‖² = det(J Jᵀ): n is as long as the manipulability, and vanishes where the arm is singular.

    Raises:
        ParameterError: J has not one column more than rows.
    """
    if J.cols != J.rows + 1:
        raise ParameterError(f"J is {J.rows}×{J.cols}; one vector is null, with these minors, where n is m + 1")
    keep = combinations(range(J.cols), J.rows)  # the last column is left out first
    minors = [J[:, list(columns)].det(method="berkowitz") for columns in keep]
    return sp.Matrix([(-1) ** i * minor for i, minor in enumerate(reversed(minors))])


def middle_cost(q: sp.Matrix, middle: sp.Matrix, half: sp.Matrix) -> sp.Expr:
    """Return H = ½ Σ ((q − middle)/half)², which is ½ for each joint at its limit and 0 for each in the middle.

    Args:
        q: Configuration, n×1.
        middle: Of the joints' ranges, n×1.
        half: Half of the width of the joints' ranges, n×1.

    Source: Liégeois, Automatic supervisory control of the configuration and behavior of multibody mechanisms (1977),
    which squares the same quotients and takes their mean.
    """
    return sum((((a - m) / h) ** 2 for a, m, h in zip(q, middle, half, strict=True)), sp.Integer(0)) / 2


def middle_gradient(q: sp.Matrix, middle: sp.Matrix, half: sp.Matrix) -> sp.Matrix:
    """Return ∂H/∂q, n×1; arguments as in `middle_cost`."""
    return sp.Matrix([sp.diff(middle_cost(q, middle, half), angle) for angle in q])
