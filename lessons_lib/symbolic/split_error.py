"""The split error of a pose: rotation vector and position error along the axes of one frame."""
# A component of the twist log(T_sb⁻¹ T_sd) is not a distance along an axis unless the orientations agree. An error with
# separate weights is therefore e = (ω, r), ω = log(RᵀR_d), r = p_d − p, along the axes of {b}, {d} or {s}. With T_bd =
# (E, r_b) it is (ω, r_b), (ω, Eᵀr_b) or (R_d ω, R_d Eᵀr_b).

import sympy as sp

from lessons_lib.symbolic import se3, so3
from lessons_lib.symbolic.formulas import formula


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
