"""The split error of a pose: rotation vector and position error along the axes of one frame.

A component of the twist log(T_sb⁻¹ T_sd) is not a distance along an axis unless the orientations agree. An error whose
components are weighted separately is therefore e = (ω, r) with ω = log(RᵀR_d) and r = p_d − p, both along the axes of
{b}, {d} or {s}. With T_bd = T_sb⁻¹ T_sd = (E, r_b):

    {b}: e = (ω, r_b)      {d}: e = (ω, Eᵀr_b)      {s}: e = (R_d ω, R_d Eᵀr_b)

ω has the same components in {b} and {d}, because a rotation leaves its own axis fixed.
"""

import sympy as sp

from lessons_lib.symbolic import se3, so3
from lessons_lib.symbolic.formulas import formula


@formula
def split_error(omega: sp.Matrix, T_bd: sp.Matrix, axes: sp.Matrix | None = None) -> sp.Matrix:
    """Return e = (ω, r), a 6-column.

    Args:
        omega: ω = log E, 3-column.
        T_bd: Target pose in the body frame, (E, r_b), 4×4.
        axes: Rotation of {d} in the frame of the axes, 3×3: I for {d}, R_d for {s}; None for the body's axes.
    """
    E, r_b = se3.rotation(T_bd), se3.position(T_bd)
    return omega.col_join(r_b) if axes is None else (axes * omega).col_join(axes * (E.T * r_b))


@formula
def split_slope(omega: sp.Matrix, T_bd: sp.Matrix, axes: sp.Matrix | None = None) -> sp.Matrix:
    """Return L, 6×6: a small body twist V changes e to e − L V.

    J_l(ω)⁻¹ is that of the rotation alone. A rotation of the body changes r only along the body's axes.

    Args:
        omega: As in `split_error`.
        T_bd: As in `split_error`.
        axes: As in `split_error`.
    """
    E, r_b = se3.rotation(T_bd), se3.position(T_bd)
    inverse, none = so3.left_jacobian_inverse(omega), sp.zeros(3, 3)
    if axes is None:
        return sp.Matrix(sp.BlockMatrix([[inverse, none], [-so3.hat(r_b), sp.eye(3)]]))
    return sp.Matrix(sp.BlockMatrix([[axes * inverse, none], [none, axes * E.T]]))
