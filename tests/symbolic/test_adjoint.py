"""The adjoint in symbols: a homomorphism, an isometry of Killing's and Klein's forms, and of no length."""

import pytest
import sympy as sp

from lessons_lib.claims import claim, is_zero
from lessons_lib.errors import ClaimError
from lessons_lib.symbolic import se3, so3

rho, p, omega, v = (sp.Matrix(sp.symbols(f"{name}0:3", real=True)) for name in ("rho", "p", "omega", "v"))
V = omega.col_join(v)
T = se3.pose(so3.exp(rho), p)
Ad = se3.adjoint(T)
P = se3.exchange()


def zero(matrix: sp.Matrix) -> bool:
    return all(is_zero(entry) for entry in matrix)


def test_the_exchange_swaps_and_swaps_back() -> None:
    assert v.col_join(omega) == P * V
    assert P * P == sp.eye(6)
    assert P.T == P
    assert P.det() == -1  # three transpositions: an order is no rotation of the six numbers


def test_the_adjoint_keeps_the_forms_of_killing_and_klein() -> None:
    killing = sp.diag(sp.eye(3), sp.zeros(3, 3))
    assert zero(Ad.T * killing * Ad - killing)  # ω·ω
    assert zero(Ad.T * P * Ad - P)  # 2 ω·v


def test_in_the_other_order_the_adjoint_is_its_inverse_transposed() -> None:
    assert zero((P * Ad * P).T * Ad - sp.eye(6))


def test_rotating_both_halves_is_refused_as_an_adjoint() -> None:
    rotated = sp.diag(so3.exp(rho), so3.exp(rho))
    with pytest.raises(ClaimError, match="is false"):
        claim("0.0", "No lever arm.", T * se3.hat(V), "=", se3.hat(rotated * V) * T)


def test_the_bracket_obeys_jacobis_identity() -> None:
    eta = sp.Matrix(sp.symbols("eta0:6", real=True))
    commutator = se3.bracket(V) * se3.bracket(eta) - se3.bracket(eta) * se3.bracket(V)
    assert sp.expand(se3.bracket(se3.bracket(V) * eta) - commutator) == sp.zeros(6)
