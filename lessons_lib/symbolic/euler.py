"""Euler angles about any three unit axes, the rows of a 3×3 matrix, and their rates."""
# Source: Lynch & Park, Modern Robotics (2017), App. B.1 and B.2; the rates are the space Jacobian of Def. 5.1.

import sympy as sp

from lessons_lib.symbolic import so3
from lessons_lib.symbolic.formulas import formula


@formula
def rotation(axes: sp.Matrix, angles: sp.Matrix) -> sp.Matrix:
    """Return R = exp([a₁] θ₁) exp([a₂] θ₂) exp([a₃] θ₃); each rotation carries the later axes."""
    R = sp.eye(3)
    for i in range(3):
        R = R * so3.exp(axes[i, :].T * angles[i])
    return R


@formula
def space_rates(axes: sp.Matrix, angles: sp.Matrix) -> sp.Matrix:
    """Return B_s with ω_s = B_s θ̇, whose columns are a₁, R₁a₂, R₁R₂a₃."""
    R, columns = sp.eye(3), []
    for i in range(3):
        axis = axes[i, :].T
        columns.append(R * axis)
        R = R * so3.exp(axis * angles[i])
    return sp.Matrix.hstack(*columns)
