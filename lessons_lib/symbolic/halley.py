"""Halley's step for log(T_sb⁻¹ T_sd) = 0: Newton's step, repeated with the derivative at its midpoint."""

import sympy as sp

from lessons_lib.symbolic import se3
from lessons_lib.symbolic.formulas import formula
from lessons_lib.symbolic.step_formula import Solver


@formula
def halley(J: sp.Matrix, V: sp.Matrix, solve: Solver) -> sp.Matrix:
    """Return d with (A + ½ A′) d = V, third-order, where A = J_l(V)⁻¹ J_b and A′ is its derivative along A⁻¹V."""
    # Source: Ortega & Rheinboldt, Iterative Solution of Nonlinear Equations in Several Variables (1970), §7.4.
    L = solve.name_all(se3.left_jacobian_inverse(V))
    A = solve.name_all(L * J)
    newton = solve(A, V)
    turned = se3.left_jacobian_inverse_along(V, solve.name_all(-A * newton), solve.name_all)
    return solve(A + (solve.name_all(turned) * J + L * solve.name_all(solve.derivative_along(J, newton))) / 2, V)
