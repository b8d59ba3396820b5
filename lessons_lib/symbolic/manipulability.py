"""How Jacobians and manipulability change with q, in symbols.

A joint moves what lies behind it. Seen from the tip, that is every joint before it: of the body Jacobian, columns i < j
change with q_j. Seen from the world it is every joint behind it: of the space Jacobian, columns i > j change.

    ∂J_b,i/∂q_j = [J_b,i, J_b,j]   (i before j)          ∂J_s,i/∂q_j = [J_s,j, J_s,i]   (j before i)

with the Lie bracket [ξ, η] = ad_ξ η. The gradient of m = √det(J Jᵀ) then follows from Jacobi's formula, claim 15.15.

Source: Lynch & Park, Modern Robotics (2017), §8.4 (for the bracket of columns); Yoshikawa (1985) for m.
"""

import sympy as sp

from lessons_lib.symbolic import se3


def body_column_derivative(column: sp.Matrix, later: sp.Matrix) -> sp.Matrix:
    """Return the derivative of a body Jacobian's column by the coordinate of a later column: [column, later]."""
    return se3.bracket(column) * later


def space_column_derivative(column: sp.Matrix, earlier: sp.Matrix) -> sp.Matrix:
    """Return the derivative of a space Jacobian's column by the coordinate of an earlier column: [earlier, column]."""
    return se3.bracket(earlier) * column


def body_jacobian_derivative(J: sp.Matrix, rates: sp.Matrix) -> sp.Matrix:
    """Return the derivative of a body Jacobian while its joints move at these rates, n×1."""
    columns = [
        sum((body_column_derivative(J[:, i], J[:, j]) * rates[j] for j in range(i + 1, J.cols)), sp.zeros(6, 1))
        for i in range(J.cols)
    ]
    return sp.Matrix.hstack(*columns)


def measure(J: sp.Matrix) -> sp.Expr:
    """Return the manipulability m = √det(J Jᵀ)."""
    return sp.sqrt((J * J.T).det())
