"""What a formula derives bears its name, and what is made of it otherwise does not."""

import pytest
import sympy as sp

from lessons_lib.claims.notation import Ad, exp, identity, inverse, stack, zeros
from lessons_lib.claims.statement import claim
from lessons_lib.claims.terms import let, vector
from lessons_lib.errors import ClaimError
from lessons_lib.symbolic import se3, so3
from lessons_lib.symbolic.formulas import name_of, names_on

OMEGA = sp.Matrix(sp.symbols("omega0:3", real=True))


def test_a_formula_signs_what_it_returns() -> None:
    assert names_on(so3.exp(OMEGA)) == {"so3.exp"}
    assert names_on(so3.right_jacobian(OMEGA)) == {"so3.right_jacobian"}, "the outermost formula signs"
    assert (name_of(so3.exp), name_of(se3.pose)) == ("so3.exp", "")


def test_what_is_made_of_a_signed_matrix_by_other_means_bears_no_name() -> None:
    R = so3.exp(OMEGA)
    assert names_on(R.T) == names_on(2 * R) == names_on(R.copy()) == names_on(R[0, 0]) == frozenset()


def test_a_wrong_left_jacobian_lets_no_inverse_be_derived(monkeypatch: pytest.MonkeyPatch) -> None:
    right = so3.left_jacobian
    monkeypatch.setattr(so3, "left_jacobian", lambda omega: right(-omega))  # the sign of c₂Ω
    so3._refuse_a_wrong_inverse.cache_clear()
    with pytest.raises(ClaimError, match="does not undo"):
        so3.left_jacobian_inverse(OMEGA)
    with pytest.raises(ClaimError, match="does not undo"):
        se3.log(OMEGA, OMEGA)
    with pytest.raises(ClaimError, match="does not undo"):
        so3.inverse_factors(sp.Symbol("x"))


def test_a_claim_is_about_the_formulas_that_its_sides_are_made_of() -> None:
    omega, xi, slide = vector("omega"), vector("xi", 6), exp(stack(zeros(3), vector("p")))
    R = let("R", exp(omega))
    assert claim("1.1", "Lengths are kept.", R.T * R, "=", identity(3)).formulas == ("so3.exp",)
    moved = slide * exp(xi) * inverse(slide)
    assert claim("1.2", "Slides carry motions.", exp(Ad(slide) * xi), "=", moved).formulas == (
        "se3.adjoint",
        "se3.exp",
        "se3.inverse",
    )
