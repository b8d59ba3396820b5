"""so(3) and SO(3) in symbols: hat, vee, exp, log and the Jacobians of rotation.

Every function takes and returns SymPy matrices. Source: Lynch & Park, Modern Robotics (2017), §3.2.
"""

import sympy as sp

from lessons_lib.symbolic.stumpff import stumpff


def squared_angle(omega: sp.Matrix) -> sp.Expr:
    """Return x = θ² = ω·ω, the only way in which an angle enters these formulas."""
    return sum((c**2 for c in omega), sp.Integer(0))


def hat(omega: sp.Matrix) -> sp.Matrix:
    """Return Ω = [ω], the skew matrix with Ω p = ω × p."""
    x, y, z = omega
    return sp.Matrix([[0, -z, y], [z, 0, -x], [-y, x, 0]])


def vee(Omega: sp.Matrix) -> sp.Matrix:
    """Return ω of the skew part of Ω: the inverse of `hat`, and (Ω − Ωᵀ)/2 read as a vector for any matrix."""
    return sp.Matrix([Omega[2, 1] - Omega[1, 2], Omega[0, 2] - Omega[2, 0], Omega[1, 0] - Omega[0, 1]]) / 2


def exp(omega: sp.Matrix) -> sp.Matrix:
    """Return R = I + c₁Ω + c₂Ω² (Rodrigues' formula, no θ in a denominator)."""
    x, Omega = squared_angle(omega), hat(omega)
    return sp.eye(3) + stumpff(1, x) * Omega + stumpff(2, x) * Omega**2


def left_jacobian(omega: sp.Matrix) -> sp.Matrix:
    """Return J_l = I + c₂Ω + c₃Ω²: exp(ω + δ) ≈ exp(J_l δ) exp(ω). It is also the V of the SE(3) exponential."""
    x, Omega = squared_angle(omega), hat(omega)
    return sp.eye(3) + stumpff(2, x) * Omega + stumpff(3, x) * Omega**2


def right_jacobian(omega: sp.Matrix) -> sp.Matrix:
    """Return J_r(ω) = J_l(−ω): exp(ω + δ) ≈ exp(ω) exp(J_r δ)."""
    return left_jacobian(-omega)


def left_jacobian_inverse(omega: sp.Matrix) -> sp.Matrix:
    """Return J_l⁻¹ = I − Ω/2 + ((c₃/2 − c₄)/c₂)Ω², finite for every θ < 2π."""
    Omega = hat(omega)
    return sp.eye(3) - Omega / 2 + log_ratio(squared_angle(omega)) * Omega**2


def log_ratio(x: sp.Expr) -> sp.Expr:
    """Return (c₃/2 − c₄)/c₂ of x = θ², the factor of Ω² in J_l⁻¹."""
    return (stumpff(3, x) / 2 - stumpff(4, x)) / stumpff(2, x)


def sine_vector(R: sp.Matrix) -> sp.Matrix:
    """Return w = vee(R) = sin θ · a, with a the unit axis: the skew part of R."""
    return vee(R)


def cosine(R: sp.Matrix) -> sp.Expr:
    """Return cos θ = (tr R − 1)/2."""
    return (R.trace() - 1) / 2


def angle(R: sp.Matrix) -> sp.Expr:
    """Return θ = atan2(‖w‖, (tr R − 1)/2) in [0, π], accurate at both ends (arccos is not)."""
    return sp.atan2(sp.sqrt(squared_angle(sine_vector(R))), cosine(R))


def log(R: sp.Matrix, theta: sp.Symbol) -> sp.Matrix:
    """Return ω = w/c₁(θ²), the logarithm for θ ≤ π/2 (true up to θ < π, but it divides by sin θ).

    Args:
        R: Rotation matrix.
        theta: Symbol for the angle of `angle(R)`; a name, so that the formula stays short and the code shares it.
    """
    return sine_vector(R) / stumpff(1, theta**2)


def axis_products(R: sp.Matrix) -> sp.Matrix:
    """Return (R + Rᵀ)/2 − cos θ·I = (1 − cos θ) a aᵀ: every column is a multiple of the axis a."""
    return (R + R.T) / 2 - cosine(R) * sp.eye(3)
