"""Second derivatives of E = ½ eᵀWe by the joints, for the error twist V_b = log(T_sb⁻¹ T_sd) or a split error."""
# A small body twist ξ changes e to e − L ξ. With u = W e, the gradient is ∂E/∂q_i = −J_iᵀ Lᵀu. A column of the body
# Jacobian depends on later joints only, so for j ≤ i only L and u change: ∂²E/∂q_i ∂q_j = J_iᵀ (LᵀWL + Z) J_j, where Z
# ξ is the change of −Lᵀu at constant u. Source: Nocedal & Wright, Numerical Optimization (2006), §10.1.

from __future__ import annotations

from collections.abc import Callable

import sympy as sp

from lessons_lib.symbolic import se3, so3
from lessons_lib.symbolic.formulas import formula

Named = Callable[[str, sp.Matrix], sp.Matrix]
"""Function that names the entries of a matrix."""


@formula
def twist_curvature(V: sp.Matrix, u: sp.Matrix, L: sp.Matrix, named: Named) -> sp.Matrix:
    """Return Z of the error twist V, 6×6, for u = W V and L = J_l⁻¹(V); `named` names intermediate results."""
    # J_l⁻¹ᵀu has the halves Aᵀu_ω + N(ω, u_v) v and Aᵀu_v, with A and N = ∂(Aᵀu)/∂ω of the rotation
    (omega, v), (first, second) = se3.split(V), se3.split(u)
    b = named("order", inverse_orders(so3.squared_angle(omega)))
    N, again = pullback_slope(omega, second, b), pullback_curvature(omega, second, v, b)
    blocks = [[pullback_slope(omega, first, b) + again, N], [N, sp.zeros(3, 3)]]
    return named("pulled", sp.Matrix(sp.BlockMatrix(blocks))) * L


@formula
def split_curvature(
    omega: sp.Matrix, r: sp.Matrix, u: sp.Matrix, L: sp.Matrix, axes: sp.Matrix | None, named: Named
) -> sp.Matrix:
    """Return Z of a split error with linear part r, 6×6, for u = W e and L = `split_slope` along the same axes."""
    none, turned = sp.zeros(3, 3), u[:3, :] if axes is None else axes.T * u[:3, :]
    A, N = so3.left_jacobian_inverse(omega), pullback_slope(omega, turned, inverse_orders(so3.squared_angle(omega)))
    angular = named("pulled", N) * named("inverse", A)
    if axes is not None:  # the gradient of the position has fixed components in {d} and rotates in {b}
        return sp.Matrix(sp.BlockMatrix([[angular, none], [-so3.hat(L[3:, 3:].T * u[3:, :]), none]]))
    push = so3.hat(u[3:, :])
    return sp.Matrix(sp.BlockMatrix([[angular + push * so3.hat(r), -push], [none, none]]))


def inverse_orders(x: sp.Expr) -> sp.Matrix:
    """Return b, b′ and b″/2 as functions of x = θ², where J_l⁻¹ = I + aΩ + bΩ²."""
    angle = sp.Symbol("x", real=True)
    b = so3.inverse_factors(angle)[1]
    return sp.Matrix([(b.diff(angle, k) / sp.factorial(k)).xreplace({angle: x}) for k in range(3)])


@formula
def pullback_slope(omega: sp.Matrix, u: sp.Matrix, b: sp.Matrix) -> sp.Matrix:
    """Return N(ω, u) = ∂(J_l⁻¹(ω)ᵀu)/∂ω at constant u, 3×3; `b` are the `inverse_orders`."""
    c, C = _twice(omega, u)
    return so3.inverse_factors(so3.squared_angle(omega))[0] * so3.hat(u) + b[0] * C + 2 * b[1] * c * omega.T


@formula
def pullback_curvature(omega: sp.Matrix, u: sp.Matrix, v: sp.Matrix, b: sp.Matrix) -> sp.Matrix:
    """Return ∂(N(ω, u) v)/∂ω at constant u and v, 3×3."""
    c, C = _twice(omega, u)
    along = omega.dot(v)
    flat = v * u.T - 2 * u * v.T + u.dot(v) * sp.eye(3)
    curvature = c * v.T + along * C + C * v * omega.T
    return b[0] * flat + 2 * b[1] * curvature + 8 * b[2] * along * c * omega.T


def _twice(omega: sp.Matrix, u: sp.Matrix) -> tuple[sp.Matrix, sp.Matrix]:
    """Return ω × (ω × u) and its derivative by ω."""
    along = omega.dot(u)
    return omega * along - so3.squared_angle(omega) * u, along * sp.eye(3) + omega * u.T - 2 * u * omega.T
