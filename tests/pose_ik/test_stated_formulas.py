"""What a formula of a method may be, what is said where it is none, and that its compiled code is its own."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import sympy as sp

from lessons_lib.errors import ParameterError
from lessons_lib.pose_ik import (
    Halley,
    Method,
    Restarts,
    Status,
    TrustRegion,
    solve,
    solve_batch,
)
from lessons_lib.pose_ik.one_pose import solve_in_python
from lessons_lib.pose_ik.stated_step import key_of
from lessons_lib.robots import Chain
from lessons_lib.symbolic.stated_step import stated

J2, V6 = sp.Matrix(6, 2, sp.symbols("J:12", real=True)), sp.Matrix(sp.symbols("V:6", real=True))


def taken(part: float) -> Callable[..., Any]:
    """Return a formula that takes so large a part of Newton's step, another function each time."""

    def formula(J: Any, V: Any, solve: Callable[..., Any]) -> Any:
        return sp.Float(part) * solve(J, V)

    return formula


def wide(J: Any, V: Any, solve: Any) -> Any:
    return solve(J.T, V)


def short(J: Any, V: Any, solve: Any) -> Any:
    return solve(J, V[:3, :])


def listed(J: Any, V: Any, solve: Any) -> Any:
    return solve(J, V)[:1, :]


def idle(J: Any, V: Any, solve: Any) -> Any:
    return J.T * V


def strange(J: Any, V: Any, solve: Any) -> Any:
    return solve(J, V) * sp.Symbol("gain") + solve(J, V) * sp.Symbol("bias")


def strange_inside(J: Any, V: Any, solve: Any) -> Any:
    return solve(J, V * sp.Symbol("gain"))


def bessel(J: Any, V: Any, solve: Any) -> Any:
    return solve(J, V) * sp.besselj(0, V[0])


def turned(J: Any, V: Any, solve: Any) -> Any:
    return solve(J, V) * sp.I


def broken(J: Any, V: Any, solve: Any) -> Any:
    return solve(J, V) / len(J[99, 99])


def forgetful(J: Any, V: Any, solve: Any) -> Any:
    solve(J, V)


def two_arguments(J: Any, V: Any) -> Any:
    return J.T * V


ODD: dict[Callable[..., Any], str] = {
    wide: r"wide solves A d = e with A \(2, 6\) and e \(6, 1\); they are \(6, 2\) and \(6, 1\)",
    short: r"short solves A d = e with A \(6, 2\) and e \(3, 1\); they are \(6, 2\)",
    listed: r"listed returns shape \(1, 1\); a step has one entry a joint, shape \(2, 1\)",
    idle: r"idle solves no linear problem; a step comes of solve\(A, e\)",
    strange: "strange holds bias, gain; it is made of J, V and what solve returns",
    strange_inside: "strange_inside holds gain; it is made of J, V and what solve returns",
    bessel: "bessel holds besselj, which the solver has not; it has sp.sqrt, exp",
    turned: "turned holds .*, which is not real; a step has real entries",
    broken: r"no step comes of broken\(J, V, solve\): .*[Ii]ndex",
    forgetful: r"no step comes of forgetful\(J, V, solve\)|forgetful returns shape",
    two_arguments: r"no step comes of two_arguments\(J, V, solve\): .* takes 2 positional arguments but 3 were given",
}


@pytest.mark.parametrize("formula", ODD, ids=lambda formula: formula.__name__)
def test_what_is_no_formula_is_told_of_by_its_name(planar_2r: Chain, formula: Callable[..., Any]) -> None:
    with pytest.raises(ParameterError, match=ODD[formula]):
        stated(formula, J2, V6)
    target, method = planar_2r.forward_kinematics([0.3, 0.9]), Method(formula)
    for call in (
        lambda: solve(planar_2r, target, [0.2, 0.8], method=method),
        lambda: solve(planar_2r, target, [0.2, 0.8], method=method, trace=True),
        lambda: solve_in_python(planar_2r, target, [0.2, 0.8], method=method),
        lambda: solve_batch(planar_2r, [target] * 9, [0.2, 0.8], method=method),
    ):
        with pytest.raises(ParameterError, match=ODD[formula]):
            call()


@pytest.mark.parametrize("inside", [False, True])
def test_a_formula_that_divides_by_zero_ends_its_starts(planar_2r: Chain, inside: bool) -> None:
    """The planar arm turns about z alone, so that V0 is zero."""

    def divided(J: Any, V: Any, solve: Any) -> Any:
        return solve(J, V / V[0]) if inside else solve(J, V) / V[0]

    target, asked = planar_2r.forward_kinematics([0.3, 0.9]), {"method": Method(divided), "starts": Restarts(2)}
    for found in (
        solve(planar_2r, target, [0.2, 0.8], **asked),
        solve(planar_2r, target, [0.2, 0.8], **asked, trace=True),
        solve_in_python(planar_2r, target, [0.2, 0.8], **asked),
    ):
        assert found.status is Status.NOT_FINITE and found.restarts == 2 and np.isfinite(found.q).all()


def test_what_a_formula_states_is_its_problems_in_order_and_its_step() -> None:
    def formula(J: Any, V: Any, solve: Any) -> Any:
        half = solve.named(V / 2)
        first = solve(J, half)
        return first + 2 * solve(2 * J, V - J * first)

    found = stated(formula, J2, V6)
    one, other = found.problems
    assert [expression for _, expression in one.definitions] == list(V6 / 2) and not other.definitions
    assert (one.A, other.A) == (J2, 2 * J2) and list(one.e) == [symbol for symbol, _ in one.definitions]
    assert sp.simplify(other.e - (V6 - J2 * one.d)) == sp.zeros(6, 1)
    assert found.d == one.d + 2 * other.d


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Method("newton"), "formula must be a function of J, V and solve that returns d, got 'newton'"),
        (lambda: Method(damping=0.1), r"damping must be a policy such as Constant\(damping=0.125\).*, got 0.1"),
        (lambda: Halley(0.1), "damping must be a policy"),
        (
            lambda: Method(taken(1.0), TrustRegion()),
            r"damping is TrustRegion.*; for a user-defined formula choose a damping w",
        ),
        (lambda: Halley(TrustRegion()), "needs a method of one linear problem"),
        (lambda: Method(frame="target"), "frame must be 'body' or 'space', got 'target'"),
        (lambda: Method(derivative="numeric"), "derivative must be None, 'geometric' or 'exact', got 'numeric'"),
        (lambda: Method(taken(1.0), frame="space", derivative="exact"), "use it with frame='body'"),
        (lambda: Method(name=3), "name must be a string, got 3"),
    ],
)
def test_what_is_no_method_is_refused(make: Callable[[], object], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        make()


def test_a_key_is_of_what_a_formula_states(planar_2r: Chain) -> None:
    def same(J: Any, V: Any, solve: Any) -> Any:
        return solve(J, V) * sp.Float(0.5)

    assert key_of(same, 2) == key_of(taken(0.5), 2) != key_of(taken(0.25), 2)
    assert key_of(same, 2) != key_of(same, 6)

    def whole(J: Any, V: Any, solve: Any) -> Any:
        return solve(J, V)

    def of_half_the_error(J: Any, V: Any, solve: Any) -> Any:
        return solve(J, V / 2)

    assert key_of(whole, 2) != key_of(of_half_the_error, 2), "the same of another linear problem"
