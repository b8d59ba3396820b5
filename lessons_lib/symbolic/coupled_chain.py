"""Open chains whose joints are coupled, in symbols: θ = A q.

By the chain rule J(q) = J_θ(A q) A, and column i of J changes with q_j by Σ A_ki A_lj ∂J_θ,k/∂θ_l, over all joints k
and l; a scalar with the second derivatives H_θ by θ has Aᵀ H_θ A by q. The angles enter the derivation of the chain as
sums, so that those which a coupling cancels never appear.
"""

from collections.abc import Callable
from dataclasses import replace

import sympy as sp

from lessons_lib.symbolic.formulas import formula, names_on, sign
from lessons_lib.symbolic.open_chain import OpenChain, joint_symbols


@formula
def coupled_jacobian(J: sp.Matrix, A: sp.Matrix) -> sp.Matrix:
    """Return the Jacobian for the rates of q, J_θ A."""
    return J * A


@formula
def coupled_derivative(dJ: list[sp.Matrix], A: sp.Matrix, i: int, j: int) -> sp.Matrix:
    """Return the derivative of column i of J_θ A by q_j: Σ A_ki A_lj ∂J_θ,k/∂θ_l.

    Args:
        dJ: For each joint l the derivative of J_θ by θ_l, 6×m.
        A: m×n.
        i: Of the column.
        j: Of the coordinate.
    """
    return sum((A[m, j] * dJ[m] * A[:, i] for m in range(A.rows)), sp.zeros(6, 1))


@formula
def coupled_hessian(H: sp.Matrix, A: sp.Matrix) -> sp.Matrix:
    """Return the second derivatives by q of a scalar, Aᵀ H A, from those by θ."""
    return A.T * H * A


def derive(
    chain: Callable[..., OpenChain],
    screws: sp.Matrix,
    home: sp.Matrix,
    A: sp.Matrix,
    q: tuple[sp.Symbol, ...] | None = None,
) -> OpenChain:
    """Return pose and Jacobians in q of a chain with θ = A q.

    Args:
        chain: Derives the chain in θ: `open_chain.derive` or `tip_to_base.derive`.
        screws: 6×m, as there.
        home: 4×4, as there.
        A: m×n.
        q: n symbols; q0 … when left out.
    """
    q = q or joint_symbols(A.cols)
    of_joints = chain(screws, home, tuple(A * sp.Matrix(q)))
    J_s, J_b = (coupled_jacobian(J, A) for J in (of_joints.J_s, of_joints.J_b))
    for J, before in ((J_s, of_joints.J_s), (J_b, of_joints.J_b)):
        sign(J, names_on(J) | names_on(before))
    return replace(of_joints, q=q, J_s=J_s, J_b=J_b)
