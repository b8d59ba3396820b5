"""What a formula derives bears its name, and what is made of it otherwise does not."""

import pytest
import sympy as sp

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
