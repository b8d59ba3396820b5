"""Formulas tag the matrices that they return, and no others are tagged."""

import pytest
import sympy as sp

from lessons_lib.claims.notation import Ad, exp, identity, inverse, stack, zeros
from lessons_lib.claims.statement import claim
from lessons_lib.claims.terms import let, vector
from lessons_lib.errors import ClaimError
from lessons_lib.symbolic import se3, so3
from lessons_lib.symbolic.formulas import name_of, tags_of

OMEGA = sp.Matrix(sp.symbols("omega0:3", real=True))


def test_a_formula_tags_its_result():
    assert tags_of(so3.exp(OMEGA)) == {"so3.exp"}
    assert tags_of(so3.right_jacobian(OMEGA)) == {"so3.right_jacobian"}, "the outermost formula signs"
    assert (name_of(so3.exp), name_of(se3.pose)) == ("so3.exp", "")


def test_other_operations_on_a_tagged_matrix_give_untagged_ones():
    R = so3.exp(OMEGA)
    assert tags_of(R.T) == tags_of(2 * R) == tags_of(R.copy()) == tags_of(R[0, 0]) == frozenset()


def test_a_wrong_left_jacobian_is_refused_by_its_inverse(monkeypatch):
    right = so3.left_jacobian
    monkeypatch.setattr(so3, "left_jacobian", lambda omega: right(-omega))  # the sign of c₂Ω
    so3._check_inverse.cache_clear()
    with pytest.raises(ClaimError, match="is not the inverse"):
        so3.left_jacobian_inverse(OMEGA)
    with pytest.raises(ClaimError, match="is not the inverse"):
        se3.log(OMEGA, OMEGA)
    with pytest.raises(ClaimError, match="is not the inverse"):
        so3.inverse_factors(sp.Symbol("x"))


def test_a_claim_lists_the_formulas_of_its_sides():
    omega, xi, slide = vector("omega"), vector("xi", 6), exp(stack(zeros(3), vector("p")))
    R = let("R", exp(omega))
    assert claim("1.1", "Lengths are kept.", R.T * R, "=", identity(3)).formulas == ("so3.exp",)
    moved = slide * exp(xi) * inverse(slide)
    formulas = claim("1.2", "Slides carry motions.", exp(Ad(slide) * xi), "=", moved).formulas
    assert formulas == ("se3.adjoint", "se3.exp", "se3.inverse")
