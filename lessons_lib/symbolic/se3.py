"""se(3) and SE(3): twists (ω, v), exp, log, adjoint and the Jacobians of the exponential.

A twist ξ is a 6-column (ω, v), angular part first. Source: Lynch & Park, Modern Robotics (2017), §3.3.
"""

from collections.abc import Callable
from functools import cache, lru_cache

import sympy as sp

from lessons_lib.symbolic import so3
from lessons_lib.symbolic.formulas import formula


def split(xi: sp.Matrix) -> tuple[sp.Matrix, sp.Matrix]:
    """Return (ω, v), each a 3-column."""
    return sp.Matrix(xi[:3]), sp.Matrix(xi[3:])


def pose(R: sp.Matrix, p: sp.Matrix) -> sp.Matrix:
    """Return T with rotation R and position p.

    >>> import sympy as sp
    >>> from lessons_lib.symbolic import se3
    >>> se3.pose(sp.eye(3), sp.Matrix(sp.symbols("x y z")))[:, 3].T
    Matrix([[x, y, z, 1]])
    """
    return sp.Matrix(sp.BlockMatrix([[R, p], [sp.zeros(1, 3), sp.ones(1, 1)]]))


def rotation(T: sp.Matrix) -> sp.Matrix:
    """Return R of T = (R, p).

    >>> import sympy as sp
    >>> from lessons_lib.symbolic import se3
    >>> se3.rotation(se3.pose(sp.eye(3), sp.Matrix(sp.symbols("x y z"))))
    Matrix([
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1]])
    """
    return T[:3, :3]


def position(T: sp.Matrix) -> sp.Matrix:
    """Return p of T = (R, p).

    >>> import sympy as sp
    >>> from lessons_lib.symbolic import se3
    >>> se3.position(se3.pose(sp.eye(3), sp.Matrix(sp.symbols("x y z")))).T
    Matrix([[x, y, z]])
    """
    return T[:3, 3]


@formula
def inverse(T: sp.Matrix) -> sp.Matrix:
    """Return T⁻¹ = (Rᵀ, −Rᵀp).

    >>> import sympy as sp
    >>> from lessons_lib.symbolic import se3
    >>> se3.inverse(se3.pose(sp.eye(3), sp.Matrix(sp.symbols("x y z"))))[:, 3].T
    Matrix([[-x, -y, -z, 1]])
    """
    R, p = rotation(T), position(T)
    return pose(R.T, -R.T * p)


@formula
def between(T_sb: sp.Matrix, T_sd: sp.Matrix) -> sp.Matrix:
    """Return T_bd = T_sb⁻¹ T_sd; subtracting the positions first saves a product."""
    R = rotation(T_sb)
    return pose(R.T * rotation(T_sd), R.T * (position(T_sd) - position(T_sb)))


@formula
def hat(xi: sp.Matrix) -> sp.Matrix:
    """Return [ξ], 4×4, with ([ω], v) above a row of zeros.

    >>> import sympy as sp
    >>> from lessons_lib.symbolic import se3
    >>> se3.hat(sp.Matrix([1, 2, 3, 4, 5, 6]))
    Matrix([
    [ 0, -3,  2, 4],
    [ 3,  0, -1, 5],
    [-2,  1,  0, 6],
    [ 0,  0,  0, 0]])
    """
    omega, v = split(xi)
    return sp.Matrix(sp.BlockMatrix([[so3.hat(omega), v], [sp.zeros(1, 3), sp.zeros(1, 1)]]))


@formula
def vee(X: sp.Matrix) -> sp.Matrix:
    """Return ξ of X = [ξ]: the inverse of `hat`.

    >>> import sympy as sp
    >>> from lessons_lib.symbolic import se3
    >>> se3.vee(se3.hat(sp.Matrix([1, 2, 3, 4, 5, 6]))).T
    Matrix([[1, 2, 3, 4, 5, 6]])
    """
    return so3.vee(X[:3, :3]).col_join(X[:3, 3])


@formula
def exp(xi: sp.Matrix) -> sp.Matrix:
    """Return T = (exp ω, V v) with V = I + c₂Ω + c₃Ω².

    >>> import sympy as sp
    >>> from lessons_lib.symbolic import se3
    >>> se3.exp(sp.Matrix([0, 0, 0, *sp.symbols("x y z")]))[:, 3].T
    Matrix([[x, y, z, 1]])
    """
    omega, v = split(xi)
    return pose(so3.exp(omega), so3.left_jacobian(omega) * v)


@formula
def log(omega: sp.Matrix, p: sp.Matrix) -> sp.Matrix:
    """Return ξ = (ω, V⁻¹p), the logarithm of T = (exp ω, p)."""
    return omega.col_join(so3.left_jacobian_inverse(omega) * p)


@formula
def adjoint(T: sp.Matrix) -> sp.Matrix:
    """Return Ad_T, 6×6, with rows (R, 0) and ([p]R, R), which changes the frame of a twist.

    >>> import sympy as sp
    >>> from lessons_lib.symbolic import se3
    >>> se3.adjoint(se3.pose(sp.eye(3), sp.Matrix(sp.symbols("x y z"))))[3:, :3]
    Matrix([
    [ 0, -z,  y],
    [ z,  0, -x],
    [-y,  x,  0]])
    """
    R, p = rotation(T), position(T)
    return sp.Matrix(sp.BlockMatrix([[R, sp.zeros(3, 3)], [so3.hat(p) * R, R]]))


@formula
def exchange() -> sp.Matrix:
    """Return P, 6×6, with P (ω, v) = (v, ω); P = P⁻¹ = Pᵀ.

    >>> from lessons_lib.symbolic import se3
    >>> se3.exchange()[0, :]
    Matrix([[0, 0, 0, 1, 0, 0]])
    """
    return sp.Matrix(sp.BlockMatrix([[sp.zeros(3, 3), sp.eye(3)], [sp.eye(3), sp.zeros(3, 3)]]))


@formula
def bracket(xi: sp.Matrix) -> sp.Matrix:
    """Return ad_ξ, 6×6, with rows (Ω, 0) and ([v], Ω): the derivative of Ad at the identity.

    >>> import sympy as sp
    >>> from lessons_lib.symbolic import se3
    >>> se3.bracket(sp.Matrix([0, 0, 1, 0, 0, 0]))[:3, :3]
    Matrix([
    [0, -1, 0],
    [1,  0, 0],
    [0,  0, 0]])
    """
    omega, v = split(xi)
    Omega = so3.hat(omega)
    return sp.Matrix(sp.BlockMatrix([[Omega, sp.zeros(3, 3)], [so3.hat(v), Omega]]))


def dual(formula: Callable[[sp.Matrix], sp.Matrix], xi: sp.Matrix) -> sp.Matrix:
    """Return the 6×6 matrix of SE(3) that corresponds to a 3×3 power series in Ω.

    A twist is a rotation vector with a dual part, ω + εv with ε² = 0, and ad_ξ is [ω + εv]. A power series in Ω becomes
    the same series in ad_ξ: A on the diagonal, and dA/dε below it.

    Args:
        formula: Power series in Ω as a function of the 3-column ω (`so3.exp`, `so3.left_jacobian`, …).
        xi: Twist, 6-column.
    """
    in_symbols, symbols = _dual_in_symbols(formula)
    return sp.Matrix(in_symbols.xreplace(dict(zip(symbols, xi, strict=True))))


@lru_cache
def _dual_in_symbols(formula: Callable[[sp.Matrix], sp.Matrix]) -> tuple[sp.Matrix, sp.Matrix]:
    symbols = sp.Matrix([sp.Dummy(f"{word}{i}", real=True) for word in "wv" for i in range(3)])
    w, v = split(symbols)
    diagonal = formula(w)
    lower = sum((diagonal.diff(w[i]) * v[i] for i in range(3)), sp.zeros(3, 3))
    blocks = [[diagonal, sp.zeros(3, 3)], [lower, diagonal]]
    return sp.ImmutableMatrix(sp.BlockMatrix(blocks)), symbols


@formula
def left_jacobian(xi: sp.Matrix) -> sp.Matrix:
    """Return J_l, 6×6, with exp(ξ + δ) ≈ exp(J_l δ) exp(ξ): that of SO(3) with a dual argument."""
    return dual(so3.left_jacobian, xi)


@formula
def right_jacobian(xi: sp.Matrix) -> sp.Matrix:
    """Return J_r(ξ) = J_l(−ξ), 6×6, with exp(ξ + δ) ≈ exp(ξ) exp(J_r δ)."""
    return left_jacobian(-xi)


@formula
def left_jacobian_inverse(xi: sp.Matrix) -> sp.Matrix:
    """Return J_l⁻¹, 6×6, for θ < 2π: that of SO(3) with a dual argument."""
    return dual(so3.left_jacobian_inverse, xi)


@formula
def left_jacobian_inverse_along(
    xi: sp.Matrix, delta: sp.Matrix, named: Callable[[sp.Matrix], sp.Matrix] = lambda matrix: matrix
) -> sp.Matrix:
    """Return the derivative of J_l⁻¹ at ξ along δ, 6×6: that of I + aΩ + b(θ²) Ω² with dual arguments.

    The two derivatives, along δ and by the dual part, need b to second order.

    Args:
        xi: Twist, 6-column.
        delta: Twist, 6-column.
        named: Function that names the coefficients of b, which occur in many entries.
    """
    in_symbols, orders, symbols, names = _inverse_along_in_symbols()
    values = dict(zip(symbols, [*xi, *delta], strict=True))
    coefficients = named(sp.Matrix(orders.xreplace(values)))
    return sp.Matrix(in_symbols.xreplace(values | dict(zip(names, coefficients, strict=True))))


@cache
def _inverse_along_in_symbols() -> tuple[sp.Matrix, sp.Matrix, sp.Matrix, tuple[sp.Symbol, ...]]:
    symbols = sp.Matrix([sp.Dummy(f"{word}{i}", real=True) for word in "wvab" for i in range(3)])
    omega, v, alpha, beta = (symbols[3 * k : 3 * k + 3, :] for k in range(4))
    t, dual_part, x = sp.symbols("t epsilon x", real=True)
    moved = omega + dual_part * v + t * (alpha + dual_part * beta)
    a, b = so3.inverse_factors(x)
    ahead, square = so3.squared_angle(moved) - so3.squared_angle(omega), so3.hat(moved) ** 2
    orders = [b.diff(x, k).subs(x, so3.squared_angle(omega)) / sp.factorial(k) for k in range(3)]
    names = sp.symbols("b0:3", real=True)
    series = sum((name * ahead**k for k, name in enumerate(names)), sp.Integer(0))
    first = (a * so3.hat(moved) + series * square).diff(t).subs(t, 0)
    diagonal, lower = first.subs(dual_part, 0), first.diff(dual_part).subs(dual_part, 0)
    blocks = sp.ImmutableMatrix(sp.BlockMatrix([[diagonal, sp.zeros(3, 3)], [lower, diagonal]]))
    return blocks, sp.ImmutableMatrix(orders), symbols, names
