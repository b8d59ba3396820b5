"""so(3) and SO(3): hat, vee, exp, log and the Jacobians of the exponential.

Every function takes and returns SymPy matrices. Source: Lynch & Park, Modern Robotics (2017), §3.2.
"""

from functools import cache

import sympy as sp

from lessons_lib.errors import ClaimError
from lessons_lib.symbolic.formulas import formula
from lessons_lib.symbolic.stumpff_functions import stumpff

_DIGITS = 30


def squared_angle(omega: sp.Matrix) -> sp.Expr:
    """Return x = θ² = ω·ω.

    >>> import sympy as sp
    >>> from lessons_lib.symbolic import so3
    >>> omega = sp.Matrix(sp.symbols("a b c", real=True))
    >>> so3.squared_angle(omega)
    a**2 + b**2 + c**2
    """
    return sum((c**2 for c in omega), sp.Integer(0))


@formula
def hat(omega: sp.Matrix) -> sp.Matrix:
    """Return Ω = [ω], the skew matrix with Ω p = ω × p.

    >>> import sympy as sp
    >>> from lessons_lib.symbolic import so3
    >>> omega = sp.Matrix(sp.symbols("a b c", real=True))
    >>> so3.hat(omega)
    Matrix([
    [ 0, -c,  b],
    [ c,  0, -a],
    [-b,  a,  0]])
    """
    x, y, z = omega
    return sp.Matrix([[0, -z, y], [z, 0, -x], [-y, x, 0]])


@formula
def vee(Omega: sp.Matrix) -> sp.Matrix:
    """Return ω of the skew part (Ω − Ωᵀ)/2 of a matrix: the inverse of `hat`.

    >>> import sympy as sp
    >>> from lessons_lib.symbolic import so3
    >>> omega = sp.Matrix(sp.symbols("a b c", real=True))
    >>> so3.vee(so3.hat(omega)).T
    Matrix([[a, b, c]])
    """
    return sp.Matrix([Omega[2, 1] - Omega[1, 2], Omega[0, 2] - Omega[2, 0], Omega[1, 0] - Omega[0, 1]]) / 2


@formula
def exp(omega: sp.Matrix) -> sp.Matrix:
    """Return R = I + c₁Ω + c₂Ω² (Rodrigues' formula without θ in a denominator).

    >>> import sympy as sp
    >>> from lessons_lib.symbolic import so3
    >>> omega = sp.Matrix(sp.symbols("a b c", real=True))
    >>> so3.exp(omega).shape
    (3, 3)
    """
    x, Omega = squared_angle(omega), hat(omega)
    return sp.eye(3) + stumpff(1, x) * Omega + stumpff(2, x) * Omega**2


@formula
def left_jacobian(omega: sp.Matrix) -> sp.Matrix:
    """Return J_l = I + c₂Ω + c₃Ω² with exp(ω + δ) ≈ exp(J_l δ) exp(ω), also the V of the exponential of SE(3)."""
    x, Omega = squared_angle(omega), hat(omega)
    return sp.eye(3) + stumpff(2, x) * Omega + stumpff(3, x) * Omega**2


@formula
def right_jacobian(omega: sp.Matrix) -> sp.Matrix:
    """Return J_r(ω) = J_l(−ω) with exp(ω + δ) ≈ exp(ω) exp(J_r δ)."""
    return left_jacobian(-omega)


@formula
def left_jacobian_inverse(omega: sp.Matrix) -> sp.Matrix:
    """Return J_l⁻¹ = I + aΩ + bΩ² = I − Ω/2 + ((c₃/2 − c₄)/c₂)Ω², finite for every θ < 2π."""
    Omega, (a, b) = hat(omega), inverse_factors(squared_angle(omega))
    return sp.eye(3) + a * Omega + b * Omega**2


def inverse_factors(x: sp.Expr) -> tuple[sp.Expr, sp.Expr]:
    """Return a and b of the inverse I + aΩ + bΩ² of `left_jacobian` as functions of x = θ².

    Raises:
        ClaimError: It is not the inverse at a test point.
    """
    _check_inverse()
    return -sp.Rational(1, 2), log_ratio(x)


@cache
def _check_inverse() -> None:
    omega = sp.Matrix([1, -2, 3]) / 4  # any vector; claim 3.9 proves it for all
    Omega = hat(omega)
    inverse = sp.eye(3) - Omega / 2 + log_ratio(squared_angle(omega)) * Omega**2
    off = left_jacobian(omega).evalf(_DIGITS) * inverse.evalf(_DIGITS) - sp.eye(3)
    if not all(abs(entry) < sp.Float(10) ** (5 - _DIGITS) for entry in off):
        raise ClaimError(
            f"J_l⁻¹ is not the inverse of J_l: at ω = {tuple(omega)} their product differs from I by {off.evalf(3)}"
        )


@formula
def log_ratio(x: sp.Expr) -> sp.Expr:
    """Return (c₃/2 − c₄)/c₂ of x = θ², the factor of Ω² in J_l⁻¹."""
    return (stumpff(3, x) / 2 - stumpff(4, x)) / stumpff(2, x)


@formula
def sine_vector(R: sp.Matrix) -> sp.Matrix:
    """Return w = vee(R) = sin θ · a, with a the unit axis."""
    return vee(R)


@formula
def cosine(R: sp.Matrix) -> sp.Expr:
    """Return cos θ = (tr R − 1)/2."""
    return (R.trace() - 1) / 2


@formula
def angle(R: sp.Matrix) -> sp.Expr:
    """Return θ = atan2(‖w‖, (tr R − 1)/2) in [0, π], which is accurate at both ends, unlike arccos."""
    return sp.atan2(sp.sqrt(squared_angle(sine_vector(R))), cosine(R))


@formula
def angle_over_sine(x: sp.Expr) -> sp.Expr:
    """Return 1/c₁(x) = θ/sin θ of x = θ², the ratio of the rotation vector to w."""
    return 1 / stumpff(1, x)


@formula
def log(R: sp.Matrix, theta: sp.Symbol) -> sp.Matrix:
    """Return ω = w/c₁(θ²), the logarithm for θ ≤ π/2 (valid for θ < π, but it divides by sin θ).

    Args:
        R: Rotation matrix.
        theta: Symbol of the angle `angle(R)`, so that generated code computes it once.
    """
    return angle_over_sine(theta**2) * sine_vector(R)


@formula
def axis_products(R: sp.Matrix) -> sp.Matrix:
    """Return (R + Rᵀ)/2 − cos θ·I = (1 − cos θ) a aᵀ, whose columns are multiples of the axis a."""
    return (R + R.T) / 2 - cosine(R) * sp.eye(3)


@formula
def euler_rotation(axes: sp.Matrix, angles: sp.Matrix) -> sp.Matrix:
    """Return R = exp([a₁] θ₁) exp([a₂] θ₂) exp([a₃] θ₃); aᵢ, the rows of `axes`, are moved by the earlier ones."""
    # Source: Lynch & Park, Modern Robotics (2017), App. B.1 and B.2; the rates are the space Jacobian of Def. 5.1.
    R = sp.eye(3)
    for i in range(3):
        R = R * exp(axes[i, :].T * angles[i])
    return R


@formula
def euler_rates(axes: sp.Matrix, angles: sp.Matrix) -> sp.Matrix:
    """Return B_s with ω_s = B_s θ̇, whose columns are a₁, R₁a₂, R₁R₂a₃."""
    R, columns = sp.eye(3), []
    for i in range(3):
        axis = axes[i, :].T
        columns.append(R * axis)
        R = R * exp(axis * angles[i])
    return sp.Matrix.hstack(*columns)
