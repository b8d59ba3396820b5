"""Errors of a pose: split by axes, measured to a box of allowed errors, and weighted; the objective E = ½ eᵀe."""
# A component of the twist log(T_sb⁻¹ T_sd) is not a distance along an axis unless the orientations agree. An error with
# separate weights is therefore e = (ω, r), ω = log(RᵀR_d), r = p_d − p, along the axes of {b}, {d} or {s}. With T_bd =
# (E, r_b) it is (ω, r_b), (ω, Eᵀr_b) or (R_d ω, R_d Eᵀr_b).
# ½ |e − clip(e)|² is half the squared distance to the box, C¹ with the Lipschitz continuous gradient e − clip(e), but
# not C².

import sympy as sp

from lessons_lib.symbolic import se3, so3
from lessons_lib.symbolic.formulas import formula
from lessons_lib.symbolic.piecewise import choice


@formula
def split_error(omega: sp.Matrix, T_bd: sp.Matrix, axes: sp.Matrix | None = None) -> sp.Matrix:
    """Return e = (ω, r), 6×1; axes: rotation of {d} in their frame, I for {d}, R_d for {s}, None for {b}."""
    E, r_b = se3.rotation(T_bd), se3.position(T_bd)
    return omega.col_join(r_b) if axes is None else (axes * omega).col_join(axes * (E.T * r_b))


@formula
def split_slope(omega: sp.Matrix, T_bd: sp.Matrix, axes: sp.Matrix | None = None) -> sp.Matrix:
    """Return L, 6×6: a small body twist V changes the split error e to e − L V."""
    # J_l(ω)⁻¹ is that of the rotation alone; a rotation of the body changes r only along the body's axes
    E, r_b = se3.rotation(T_bd), se3.position(T_bd)
    inverse, none = so3.left_jacobian_inverse(omega), sp.zeros(3, 3)
    if axes is None:
        return sp.Matrix(sp.BlockMatrix([[inverse, none], [-so3.hat(r_b), sp.eye(3)]]))
    return sp.Matrix(sp.BlockMatrix([[axes * inverse, none], [none, axes * E.T]]))


@formula
def nearest_in_box(e: sp.Matrix, low: sp.Matrix, high: sp.Matrix) -> sp.Matrix:
    """Return clip(e, low, high), the nearest point of the box, m×1; NaN stays NaN."""
    return sp.Matrix([choice(x < a, a, choice(x > b, b, x)) for x, a, b in zip(e, low, high, strict=True)])


@formula
def interval_error(e: sp.Matrix, low: sp.Matrix, high: sp.Matrix) -> sp.Matrix:
    return e - nearest_in_box(e, low, high)


@formula
def interval_slope(e: sp.Matrix, low: sp.Matrix, high: sp.Matrix) -> sp.Matrix:
    """Return the derivative of each component of the error by its own e, m×1: 0 inside the interval, else 1."""
    # at an end it is the derivative from outside; an interval of zero width has no interior: the error is e − low
    return sp.Matrix(
        [choice(sp.And(x > a, x < b), sp.Integer(0), sp.Integer(1)) for x, a, b in zip(e, low, high, strict=True)]
    )


@formula
def weighted(roots: sp.Matrix, rows: sp.Matrix) -> sp.Matrix:
    """Return √W A for A with m rows: each row times the square root of its weight, roots m×1."""
    return sp.diag(*roots) * rows


@formula
def half_square(e: sp.Matrix) -> sp.Expr:
    """Return E = ½ eᵀe of a weighted error, m×1."""
    return e.dot(e) / 2
