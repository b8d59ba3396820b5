"""Damping rules: the expression for the page, NumPy and the compiled searches evaluate the same formula."""

import numpy as np
import pytest
import sympy as sp
from run_in_python import check_iterates

from lessons_lib.errors import ParameterError
from lessons_lib.pose_ik import (
    Chan,
    Constant,
    Damping,
    LevenbergMarquardt,
    Restarts,
    Sugihara,
    Wampler,
    lanes,
    pose,
    solve,
)
from lessons_lib.pose_ik.arguments import check_problem
from lessons_lib.pose_ik.variant import is_stated
from lessons_lib.symbolic import manipulability


def nakamura(D0=0.01, w0=0.03):
    """Return Nakamura's rule, which damps only near singularities."""
    w = manipulability.measure
    return Damping(lambda J, D0, w0: sp.Piecewise((D0 * (1 - w(J) / w0) ** 2, w(J) < w0), (0, True)), D0=D0, w0=w0)


def make_general_rule(c=0.1):
    """Return a rule of E, V and W that is not affine in E."""
    return Damping(lambda E, V, W, c: c * sp.sqrt(E) + sp.Max(V[0] ** 2, W[3] * V[3] ** 2) * sp.exp(-E) / 9, c=c)


E, V, W = 0.7, np.array([0.1, -0.4, 0.2, 0.3, 0.8, -0.5]), np.array([1.0, 0.5, 2.0, 3.0, 1.0, 0.7])


@pytest.mark.parametrize(
    ("policy", "formula", "affine"),
    [
        (Constant(0.5), "lambda**2", (0.25, 0.0)),
        (Wampler(0.5), "lambda", (0.5, 0.0)),
        (Chan(0.5), "E*lambda", (0.0, 0.5)),
        (Sugihara(0.1), "E + w", (0.1, 1.0)),
        (Damping(lambda E, c: (1 - c) * E / 2 + (3 - E) / 4 + c, c=0.5), "", (1.25, 0.0)),
        (Damping(lambda E, c: c * E * E, c=0.5), "E**2*c", None),
    ],
    ids=str,
)
def test_expression_and_value_of_a_rule_agree(policy, formula, affine):
    assert policy.affine == affine
    assert str(policy.expression) == formula or not formula
    objective = 0.5 * V @ (W * V)
    symbols = [sp.Symbol(policy.letters.get(name, name), real=True) for name in policy.parameters]
    at = dict(zip(symbols, policy.parameters.values(), strict=True)) | {sp.Symbol("E", nonnegative=True): objective}
    assert policy.value(V, W) == pytest.approx(float(policy.expression.subs(at)), rel=1e-15)


def test_rules_of_error_weights_and_jacobian_return_the_expected_value():
    objective = 0.5 * V @ (W * V)
    expected = 0.1 * np.sqrt(objective) + max(V[0] ** 2, W[3] * V[3] ** 2) * np.exp(-objective) / 9
    assert make_general_rule().value(V, W) == pytest.approx(expected, rel=1e-14)
    rng = np.random.default_rng(3)
    for n in (2, 6, 7, 8):
        J = rng.normal(size=(6, n)) * 0.6
        w = np.sqrt(max(np.linalg.det(J @ J.T), 0.0)) if n >= 6 else 0.0
        rule = nakamura(0.01, 2.0 * w or 1.0)
        assert rule.value(V, W, J) == pytest.approx(0.0025 if w else 0.01, rel=1e-12)
        assert nakamura(0.01, 0.5 * w or 1.0).value(V, W, J) == (0.0 if w else 0.01)
        weighted = Damping(lambda W, J: (J * J.T * sp.diag(*W) + sp.eye(6)).det())
        assert weighted.value(V, W, J) == pytest.approx(np.linalg.det(J @ J.T @ np.diag(W) + np.eye(6)), rel=1e-12)
    with pytest.raises(ParameterError, match="needs the Jacobian"):
        nakamura().value(V, W)


@pytest.mark.parametrize("policy", [make_general_rule(), nakamura(), Damping(lambda E, c: c * E, c=0.1)], ids=str)
def test_a_user_defined_rule_gives_the_same_iterates_in_every_search(ur10, policy):
    rng, method = np.random.default_rng(6), LevenbergMarquardt(policy)
    assert is_stated(policy) and lanes.can_solve(check_problem(ur10, method, None, None))
    q = np.array([[0.4, -1.0, 1.2, -0.7, 0.9, 0.3], [1.0, -0.5, 0.9, 0.2, -1.1, 0.7]])
    for q_d, start in zip(q, q + rng.uniform(-0.1, 0.1, q.shape), strict=True):
        options = {"method": method, "starts": Restarts(0), "goal": pose((4.0, 1.0, 0.25, 9.0, 16.0, 1.0))}
        found = check_iterates(ur10, ur10.forward_kinematics(q_d), start, of_damping=1e-9, **options)
        assert found.converged and found.iterations > 1


class Squared(Chan):
    """A user-defined policy in plain Python, derived from one of the library's."""

    def value(self, error, weights, jacobian=None):
        return super().value(error, weights) ** 2


def test_a_policy_in_plain_python_is_solved_in_python(ur10):
    assert not is_stated(Squared()) and is_stated(Chan())
    assert not is_stated(Damping(lambda E: sp.besselj(0, E) ** 2))
    target, start = ur10.forward_kinematics(np.full(6, 0.4)), np.full(6, 0.3)
    for policy in (Squared(), Damping(lambda E: sp.erf(E))):
        result = solve(ur10, target, start, method=LevenbergMarquardt(policy))
        assert result.converged
