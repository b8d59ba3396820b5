"""Derivatives of Jacobians by q, and manipulability."""
# A joint moves the links behind it: column i of J_b depends on later joints j > i, column i of J_s on earlier ones,
# ∂J_b,i/∂q_j = [J_b,i, J_b,j] and ∂J_s,i/∂q_j = [J_s,j, J_s,i], with [ξ, η] = ad_ξ η. The gradient of w = √det(J Jᵀ)
# follows from Jacobi's formula (claim 15.13). Source: Lynch & Park, Modern Robotics (2017), §8.4; Yoshikawa (1985) for
# w.

import sympy as sp

from lessons_lib.symbolic import se3


def body_column_derivative(column: sp.Matrix, later: sp.Matrix) -> sp.Matrix:
    """Return the derivative [column, later] of a body Jacobian's column by a later coordinate."""
    return se3.bracket(column) * later


def space_column_derivative(column: sp.Matrix, earlier: sp.Matrix) -> sp.Matrix:
    """Return the derivative [earlier, column] of a space Jacobian's column by an earlier coordinate."""
    return se3.bracket(earlier) * column


def body_jacobian_derivative(J: sp.Matrix, rates: sp.Matrix) -> sp.Matrix:
    """Return the derivative of a body Jacobian along joint rates, n×1."""
    columns = [
        sum((body_column_derivative(J[:, i], J[:, j]) * rates[j] for j in range(i + 1, J.cols)), sp.zeros(6, 1))
        for i in range(J.cols)
    ]
    return sp.Matrix.hstack(*columns)


def measure(J: sp.Matrix) -> sp.Expr:
    return sp.sqrt((J * J.T).det())
