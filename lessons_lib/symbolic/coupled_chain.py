"""Open chains with coupled joints, θ = A q, derived with the sums A q as their angles."""
# J(q) = J_θ(A q) A by the chain rule; the second derivatives of a scalar are Aᵀ H_θ A. Angles that the coupling cancels
# never appear.

from collections.abc import Callable
from dataclasses import replace

import sympy as sp

from lessons_lib.symbolic.formulas import formula, tag, tags_of
from lessons_lib.symbolic.open_chain import OpenChain, joint_symbols


@formula
def coupled_jacobian(J: sp.Matrix, A: sp.Matrix) -> sp.Matrix:
    return J * A


@formula
def coupled_derivative(dJ: list[sp.Matrix], A: sp.Matrix, i: int, j: int) -> sp.Matrix:
    """Return the derivative of column i of J_θ A by q_j: Σ A_ki A_lj ∂J_θ,k/∂θ_l; dJ[l] = ∂J_θ/∂θ_l, 6×m."""
    return sum((A[m, j] * dJ[m] * A[:, i] for m in range(A.rows)), sp.zeros(6, 1))


@formula
def coupled_hessian(H: sp.Matrix, A: sp.Matrix) -> sp.Matrix:
    """Return the second derivatives Aᵀ H A of a scalar by q."""
    return A.T * H * A


def derive(
    chain: Callable[..., OpenChain],
    screws: sp.Matrix,
    home: sp.Matrix,
    A: sp.Matrix,
    q: tuple[sp.Symbol, ...] | None = None,
) -> OpenChain:
    """Return pose and Jacobians by q of a chain with θ = A q, by `open_chain.derive` or `tip_to_base.derive`."""
    q = q or joint_symbols(A.cols)
    of_joints = chain(screws, home, tuple(A * sp.Matrix(q)))
    J_s, J_b = (coupled_jacobian(J, A) for J in (of_joints.J_s, of_joints.J_b))
    for J, before in ((J_s, of_joints.J_s), (J_b, of_joints.J_b)):
        tag(J, tags_of(J) | tags_of(before))
    return replace(of_joints, q=q, J_s=J_s, J_b=J_b)
