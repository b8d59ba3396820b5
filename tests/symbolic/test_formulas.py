"""What a formula derives bears its name, and what is made of it otherwise does not."""

import pytest
import sympy as sp

from lessons_lib.claims.notation import Ad, cos, exp, group, identity, inverse, sin, stack, stumpff_closed, zeros
from lessons_lib.claims.statement import FORMULAS, claim
from lessons_lib.claims.terms import any_rotation, derived, let, variable, vector
from lessons_lib.errors import ClaimError
from lessons_lib.symbolic import damped_step, open_chain, open_tree, se3, so3
from lessons_lib.symbolic.formulas import name_of, names_on, sign

OMEGA = sp.Matrix(sp.symbols("omega0:3", real=True))


def test_a_formula_signs_what_it_returns() -> None:
    assert names_on(so3.exp(OMEGA)) == {"so3.exp"}
    assert name_of(so3.exp) == "so3.exp"


def test_the_outermost_formula_signs() -> None:
    assert names_on(so3.right_jacobian(OMEGA)) == {"so3.right_jacobian"}  # which asks left_jacobian


def test_every_matrix_of_a_tuple_and_of_a_derivation_is_signed() -> None:
    T, twist = open_tree.joint_step(sp.eye(4), open_tree.REVOLUTE, sp.Symbol("q"), sp.Integer(1))
    chain = open_chain.derive(sp.Matrix([0, 0, 1, 0, 0, 0]), sp.eye(4))
    assert names_on(T) == names_on(twist) == {"open_tree.joint_step"}
    assert names_on(chain.J_s) == names_on(chain.expand(chain.T)) == {"open_chain.derive"}


def test_what_a_formula_was_given_keeps_its_own_signature() -> None:
    J = sign(damped_step.jacobian(2), ["open_chain.derive"])
    step = damped_step.derive(J)
    assert names_on(step.d) == {"damped_step.derive"}
    assert names_on(step.J) == {"open_chain.derive"}


def test_what_is_made_of_a_signed_matrix_by_other_means_bears_no_name() -> None:
    R = so3.exp(OMEGA)
    assert names_on(R.T) == names_on(2 * R) == names_on(R.copy()) == names_on(R[0, 0]) == frozenset()


def test_another_function_is_no_formula() -> None:
    assert name_of(se3.pose) == ""


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


def test_what_a_formula_gives_is_known_when_it_is_handed_over_as_it_is() -> None:
    w = let("w", so3.sine_vector(sp.Matrix(3, 3, sp.symbols("R0:9", real=True))))
    assert w.formulas == {"so3.sine_vector"}


def test_a_formula_whose_value_is_a_number_is_noted_too() -> None:
    theta = variable("theta")
    assert derived(so3.cosine, exp(vector("omega"))).formulas == {"so3.exp", "so3.cosine"}
    assert claim("1.3", "c_1.", theta * stumpff_closed(1, theta), "=", sin(theta)).formulas == (
        "stumpff_functions.closed_form",
    )


def test_a_letter_for_any_rotation_is_not_about_how_rotations_are_made() -> None:
    assert group(any_rotation("R")).formulas == frozenset()


def test_a_claim_leaves_its_formulas_with_its_output_and_one_about_none_leaves_nothing() -> None:
    angle = variable("theta")
    plain = claim("1.4", "Pythagoras.", sin(angle) ** 2 + cos(angle) ** 2, "=", 1)
    assert FORMULAS not in plain._repr_mimebundle_()
    about = claim("1.5", "c_1.", angle * stumpff_closed(1, angle), "=", sin(angle))
    assert about._repr_mimebundle_() == {FORMULAS: "stumpff_functions.closed_form"}
