"""What a formula of a method may be, what is said where it is none, and that its compiled code is its own."""

from typing import Any

import numpy as np
import pytest
import sympy as sp

from lessons_lib.pose_ik import (
    Method,
    Restarts,
    Status,
    solve,
)
from lessons_lib.pose_ik.one_pose import solve_in_python
from lessons_lib.robots import Chain
from lessons_lib.symbolic.stated_step import stated

J2, V6 = sp.Matrix(6, 2, sp.symbols("J:12", real=True)), sp.Matrix(sp.symbols("V:6", real=True))


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
