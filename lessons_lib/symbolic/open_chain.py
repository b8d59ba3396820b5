"""Open chains in symbols: the product of exponentials and its Jacobians.

    T(q) = exp([S₁]q₁) … exp([Sₙ]qₙ) M        J_s column i = Ad(exp([S₁]q₁) … exp([Sᵢ₋₁]qᵢ₋₁)) Sᵢ

The formulas are built joint by joint, and every new entry gets a name. Nothing is multiplied out, so a long chain
costs n steps instead of an expression that doubles with each joint.

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
        q: The joint symbols q0 … qn.
        steps: Named intermediate results in order, each a symbol and its expression in earlier ones.
        T: Pose T(q) of {b} in {s}, 4×4.
        J_s: Space Jacobian, 6×n, rows (ω, v).
        J_b: Body Jacobian, 6×n, rows (ω, v).
        prefixes: I, exp([S₁]q₁), exp([S₁]q₁) exp([S₂]q₂), …: how far each link was moved since q = 0, 4×4 each; from
            `derive` alone.
    """

    q: tuple[sp.Symbol, ...]
    steps: tuple[tuple[sp.Symbol, sp.Expr], ...]
    T: sp.Matrix
    J_s: sp.Matrix
    J_b: sp.Matrix
    prefixes: tuple[sp.Matrix, ...] = ()

    def expand(self, derived: sp.Matrix) -> sp.Matrix:
        """Return what was derived, in q alone, every named step put back in: for reading, and for short chains."""
        written_out = derived
        for symbol, expression in reversed(self.steps):
            written_out = written_out.subs(symbol, expression)
        return tag(written_out.applyfunc(_shortened), tags_of(derived))


@formula
def joint_exp(screw: sp.Matrix, q: sp.Expr) -> sp.Matrix:
    """Return exp([S] q) for a normalised screw: a rotation with unit axis ω and pitch ω·v, or a unit translation.

    With ‖ω‖ = 1 the Stumpff functions of q² become sine and cosine, and ω ωᵀ − I takes the place of Ω².
    """
    omega, v = se3.split(screw)
    if omega.is_zero_matrix:  # 0.0 is zero, too, though SymPy holds it to be unequal to 0
        return se3.pose(sp.eye(3), v * q)
    pitch = (omega.T * v)[0]
    sine, cosine = sp.sin(q), sp.cos(q)
    R = cosine * sp.eye(3) + sine * so3.hat(omega) + (1 - cosine) * omega * omega.T
    p = sine * v + (1 - cosine) * so3.hat(omega) * v + (q - sine) * pitch * omega
    return se3.pose(R.applyfunc(sp.expand), p.applyfunc(sp.expand))


@formula
def derive(screws: sp.Matrix, home: sp.Matrix, q: tuple[sp.Symbol, ...] | None = None) -> OpenChain:
    """Return pose and Jacobians of the chain with the given screws.

    Args:
        screws: 6×n, the joints' screw axes (ω, v) in {s} at q = 0; numbers or symbols.
        home: M, 4×4, pose of {b} in {s} at q = 0.
        q: n joint symbols; q0 … when left out.
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


def _shortened(entry: sp.Expr) -> sp.Expr:
    """Return an entry multiplied out and simplified: with sin² = 1 − cos² put in, SymPy has few ways left to try."""
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
    """Return J_b = Ad(T⁻¹) J_s, column by column: (Rᵀω, Rᵀ(v − p × ω))."""
    R, p = se3.rotation(T), se3.position(T)
    in_body = []
    for column in columns:
        omega, v = se3.split(column)
        at_tip = steps.name("b", v - so3.hat(p) * omega)
        in_body.append((R.T * omega).col_join(R.T * at_tip))
    return sp.Matrix.hstack(*in_body)
