"""Singularities of a chain: the factored determinant of its Jacobian.

Ad_T has determinant 1, so det J is the same in every link's frame. In a middle link's frame each column has few angles,
and the first and last angles do not occur.
"""

import sympy as sp
from sympy.polys.matrices import DomainMatrix
from sympy.simplify.fu import TR8

from lessons_lib.errors import ParameterError
from lessons_lib.symbolic import se3
from lessons_lib.symbolic.open_chain import joint_exp, joint_symbols


def link_jacobian(screws: sp.Matrix, link: int, q: tuple[sp.Symbol, ...] | None = None) -> sp.Matrix:
    """Return the Jacobian in the frame of a link that coincides with {s} at q = 0.

    Joints after the link carry later screws forward, joints before it carry earlier screws backward:

        column i > k:  Ad(e^[S_k+1]q_k+1 … e^[S_i-1]q_i-1) S_i      column i ≤ k:  Ad(e^-[S_k]q_k … e^-[S_i+1]q_i+1) S_i

    Args:
        screws: Screw axes (ω, v) in {s} at q = 0, 6×n; numbers or symbols.
        link: k, the number of joints before the frame, from 0 (the base, J_s) to n.
        q: n joint symbols; q0 … by default.

    Returns:
        Ad(P)⁻¹ J_s, 6×n, rows (ω, v) in the link's frame, with P the product of the first k exponentials.

    Raises:
        ParameterError: There is no such link, or the number of symbols is not n.
    """
    n = screws.cols
    angles = joint_symbols(n) if q is None else q
    if len(angles) != n:
        raise ParameterError(f"{n} screws need {n} joint symbols, got {len(angles)}: {angles}")
    if not 0 <= link <= n:
        raise ParameterError(f"link must be from 0 (the base) to {n} (the hand), got {link}")
    columns = [sp.Matrix(screws[:, i]) for i in range(n)]
    for k in range(link):  # joint k moves the joints before it relative to the link
        back = se3.adjoint(joint_exp(columns[k], -angles[k]))
        columns[:k] = [back * column for column in columns[:k]]
    for k in reversed(range(link, n)):  # joint k moves the joints after it
        ahead = se3.adjoint(joint_exp(columns[k], angles[k]))
        columns[k + 1 :] = [ahead * column for column in columns[k + 1 :]]
    return sp.Matrix.hstack(*columns).applyfunc(fold)


def determinant(screws: sp.Matrix, q: tuple[sp.Symbol, ...] | None = None) -> sp.Expr:
    """Return the factored det J(q) of a chain of six joints, zero exactly where the chain is singular.

    Args:
        screws: 6×6, as in `link_jacobian`.
        q: Six joint symbols; q0 … by default.

    Raises:
        ParameterError: The chain does not have six joints, so that J is not square.
    """
    return factored_determinant(link_jacobian(screws, screws.cols // 2, q))


def factored_determinant(J: sp.Matrix) -> sp.Expr:
    """Return the determinant of a square Jacobian, or of a square part of one, as a product.

    Sines and cosines become polynomial generators with sin² + cos² = 1; the factors are folded into functions of sums.

    Args:
        J: n×n.

    Raises:
        ParameterError: J is not square.
    """
    if J.rows != J.cols:
        raise ParameterError(
            f"J must be square, got {J.rows}×{J.cols}; choose as many rows as joints, or use the singular values"
        )
    polynomial, waves = _as_polynomials(J)
    in_ring = DomainMatrix.from_Matrix(polynomial)
    det = sp.expand(in_ring.domain.to_sympy(in_ring.det()))
    candidates = [sp.factor(_reduce(det, waves, keep)) for keep in ("sine", "cosine")]
    number, factors = sp.factor_list(min(candidates, key=sp.count_ops))
    return sp.Mul(number, *(fold(_restore_waves(factor, waves)) ** power for factor, power in factors))


def fold(expression: sp.Expr) -> sp.Expr:
    """Return a shorter formula with sines and cosines of sums: c₂c₃ − s₂s₃ becomes cos(q₂ + q₃)."""
    spread = sp.expand(sp.expand_trig(expression))
    polynomial, waves = _as_polynomials(sp.Matrix([spread]))
    reduced = [_restore_waves(sp.expand(_reduce(polynomial[0], waves, keep)), waves) for keep in ("sine", "cosine")]
    return min((*reduced, sp.expand(TR8(reduced[0]))), key=sp.count_ops)


def _as_polynomials(J: sp.Matrix) -> tuple[sp.Matrix, dict[sp.Expr, tuple[sp.Symbol, sp.Symbol]]]:
    """Replace the sine and cosine of each angle by symbols (s, c); return the matrix and the pairs by angle."""
    spread = J.applyfunc(sp.expand_trig)
    angles = sorted({wave.args[0] for wave in spread.atoms(sp.sin, sp.cos)}, key=str)
    waves = {angle: (sp.Dummy(f"s_{angle}"), sp.Dummy(f"c_{angle}")) for angle in angles}
    swap = {f(angle): symbol for angle, pair in waves.items() for f, symbol in zip((sp.sin, sp.cos), pair, strict=True)}
    return spread.xreplace(swap), waves


def _reduce(polynomial: sp.Expr, waves: dict[sp.Expr, tuple[sp.Symbol, sp.Symbol]], keep: str) -> sp.Expr:
    """Return the polynomial without squares of cosines (keep = "sine") or of sines."""
    for s, c in waves.values():
        polynomial = sp.rem(polynomial, s**2 + c**2 - 1, c if keep == "sine" else s)
    return polynomial


def _restore_waves(polynomial: sp.Expr, waves: dict[sp.Expr, tuple[sp.Symbol, sp.Symbol]]) -> sp.Expr:
    """Replace the symbols by their sines and cosines."""
    return polynomial.xreplace(
        {s: sp.sin(a) for a, (s, _) in waves.items()} | {c: sp.cos(a) for a, (_, c) in waves.items()}
    )
