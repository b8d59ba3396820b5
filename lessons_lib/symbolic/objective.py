"""The objective of every method, E = ½ eᵀe, and the row weights of error and Jacobian."""

import sympy as sp

from lessons_lib.symbolic.formulas import formula


@formula
def weighted(roots: sp.Matrix, rows: sp.Matrix) -> sp.Matrix:
    """Return √W A for A with m rows: each row times the square root of its weight, roots m×1."""
    return sp.diag(*roots) * rows


@formula
def half_square(e: sp.Matrix) -> sp.Expr:
    """Return E = ½ eᵀe of a weighted error, m×1."""
    return e.dot(e) / 2
