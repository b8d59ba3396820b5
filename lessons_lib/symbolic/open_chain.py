"""Open chains: the product of exponentials and its Jacobians.

    T(q) = exp([S₁]q₁) … exp([Sₙ]qₙ) M        J_s column i = Ad(exp([S₁]q₁) … exp([Sᵢ₋₁]qᵢ₋₁)) Sᵢ

Every new entry is named, joint by joint, so that a chain takes n steps instead of an expression that doubles with each
joint.

Source: Lynch & Park, Modern Robotics (2017), §4.1 and §5.1.
"""

from dataclasses import dataclass

import sympy as sp

from lessons_lib.symbolic import se3, so3
from lessons_lib.symbolic.formulas import formula, tag, tags_of
from lessons_lib.symbolic.steps import Steps


@dataclass(frozen=True)
class OpenChain:
    """The derived kinematics of a chain.

    Attributes:
        q: Joint symbols.
        steps: Named intermediate results in order, each a symbol and its expression in earlier ones.
        T: Pose T(q) of {b} in {s}, 4×4.
        J_s: Space Jacobian, 6×n, rows (ω, v).
        J_b: Body Jacobian, 6×n, rows (ω, v).
        prefixes: I, exp([S₁]q₁), exp([S₁]q₁) exp([S₂]q₂), …: motion of each link from q = 0, 4×4 each; only from
            `derive` of this module.
    """

    q: tuple[sp.Symbol, ...]
    steps: tuple[tuple[sp.Symbol, sp.Expr], ...]
    T: sp.Matrix
    J_s: sp.Matrix
    J_b: sp.Matrix
    prefixes: tuple[sp.Matrix, ...] = ()

    def expand(self, derived: sp.Matrix) -> sp.Matrix:
        """Substitute all named steps and simplify, so that the result depends on q only; for short chains."""
        written_out = derived
        for symbol, expression in reversed(self.steps):
            written_out = written_out.subs(symbol, expression)
        return tag(written_out.applyfunc(_shorten), tags_of(derived))


@formula
def joint_exp(screw: sp.Matrix, q: sp.Expr) -> sp.Matrix:
    """Return exp([S] q) of a normalized screw: a rotation with unit axis ω and pitch ω·v, or a unit translation.

    Args:
        screw: (ω, v) with ‖ω‖ = 1, or ω = 0 and ‖v‖ = 1, 6×1.
        q: Joint coordinate, rad or m.

    Returns:
        The pose, 4×4. With ‖ω‖ = 1, Stumpff functions of q² become sine and cosine, and Ω² becomes ω ωᵀ − I.
    """
    omega, v = se3.split(screw)
    if omega.is_zero_matrix:  # also for 0.0, which SymPy does not equate with 0
        return se3.pose(sp.eye(3), v * q)
    pitch = (omega.T * v)[0]
    sine, cosine = sp.sin(q), sp.cos(q)
    R = cosine * sp.eye(3) + sine * so3.hat(omega) + (1 - cosine) * omega * omega.T
    p = sine * v + (1 - cosine) * so3.hat(omega) * v + (q - sine) * pitch * omega
    return se3.pose(R.applyfunc(sp.expand), p.applyfunc(sp.expand))


@formula
def derive(screws: sp.Matrix, home: sp.Matrix, q: tuple[sp.Symbol, ...] | None = None) -> OpenChain:
    """Derive pose and Jacobians of a chain by the product of exponentials.

    Args:
        screws: Screw axes (ω, v) in {s} at q = 0, 6×n; numbers or symbols.
        home: M, pose of {b} in {s} at q = 0, 4×4.
        q: n joint symbols; q0 … by default.

    Returns:
        The chain, with its named steps.
    """
    q = q or joint_symbols(screws.cols)
    steps = Steps()
    prefixes, columns = [sp.eye(4)], []
    for i, angle in enumerate(q):
        screw = sp.Matrix(screws[:, i])
        columns.append(steps.name("s", _transport(steps, prefixes[-1], screw)))
        prefixes.append(steps.name("t", prefixes[-1] * joint_exp(screw, angle)))
    T = steps.name("t", prefixes[-1] * home)
    J_b = _in_body(steps, T, columns)
    return OpenChain(q, tuple(steps.named), T, sp.Matrix.hstack(*columns), J_b, tuple(prefixes))


def _shorten(entry: sp.Expr) -> sp.Expr:
    """Simplify an entry; with sin² replaced by 1 − cos², SymPy has few forms to try."""
    entry = sp.expand(entry)
    powers = (p for p in entry.atoms(sp.Pow) if isinstance(p.base, sp.sin) and p.exp.is_Integer and p.exp > 1)
    even = {p: (1 - sp.cos(p.base.args[0]) ** 2) ** (p.exp // 2) * p.base ** (p.exp % 2) for p in powers}
    return sp.trigsimp(sp.expand(entry.xreplace(even)))


def joint_symbols(n: int) -> tuple[sp.Symbol, ...]:
    """Return the symbols q0 … q(n−1)."""
    return tuple(sp.Symbol(f"q{i}", real=True) for i in range(n))


def _transport(steps: Steps, T: sp.Matrix, twist: sp.Matrix) -> sp.Matrix:
    """Return Ad_T ξ = (Rω, p × Rω + Rv) with Rω named, so that it is computed once."""
    omega, v = se3.split(twist)
    R, p = se3.rotation(T), se3.position(T)
    rotated = steps.name("s", R * omega)
    return rotated.col_join(so3.hat(p) * rotated + R * v)


def _in_body(steps: Steps, T: sp.Matrix, columns: list[sp.Matrix]) -> sp.Matrix:
    """Return J_b = Ad(T⁻¹) J_s column by column, (Rᵀω, Rᵀ(v − p × ω))."""
    R, p = se3.rotation(T), se3.position(T)
    in_body = []
    for column in columns:
        omega, v = se3.split(column)
        at_tip = steps.name("b", v - so3.hat(p) * omega)
        in_body.append((R.T * omega).col_join(R.T * at_tip))
    return sp.Matrix.hstack(*in_body)
