"""`complete` is true if no solution is missing, and false if rounding decides."""

import math
from fractions import Fraction

import numpy as np
import pytest
from arms import PUMA_560, closed_form_arms, from_table, largest_difference, ur10

from lessons_lib import pose_ik
from lessons_lib.all_solutions import extended_form, proof, subproblems
from lessons_lib.all_solutions.closed_arm import UNLIMITED
from lessons_lib.all_solutions.decisions import FIRST_SOLUTION
from lessons_lib.all_solutions.entry import strategy_for
from lessons_lib.all_solutions.interval import (
    INTERVAL_MATH,
    Interval,
    UndecidedComparison,
    atan2,
    exact_rotation,
    rebind_math,
    sqrt,
)

mpmath = pytest.importorskip("mpmath")


def test_interval_operations_contain_results_of_mpmath():
    rng = np.random.default_rng(1)
    with mpmath.workdps(50):
        for _ in range(2000):
            x, y = (float(v) for v in rng.normal(size=2) * 10.0 ** rng.uniform(-3, 3, 2))
            a, b = Interval.around(x), Interval.around(y)
            X, Y = mpmath.mpf(x), mpmath.mpf(y)
            exact = [X + Y, X - Y, X * Y, X / Y, mpmath.sqrt(abs(X)), mpmath.atan2(Y, X), 2 - X, 2 / X]
            found = [a + b, a - b, a * b, a / b, sqrt(abs(a)), atan2(b, a), 2.0 - a, 2.0 / a]
            for number, bounds in zip(exact, found, strict=True):
                assert bounds.lower <= number <= bounds.upper
                assert bounds.upper - bounds.lower <= 1e-14 * max(1e-3, abs(bounds.upper)) * 10


def test_around_contains_both_ends_of_the_radius():
    for value, radius in ((0.1, 0.3), (-0.7, 1e-17), (3.0, 1e-300), (1e16, 1.0), (0.2, 0.0)):
        bounds, margin = Interval.around(value, radius), 4 * math.ulp(max(abs(value), radius))
        for bound, sign in ((bounds.lower, -1), (bounds.upper, 1)):
            beyond = sign * (Fraction(bound) - Fraction(value)) - Fraction(radius)
            assert 0 <= beyond <= margin


def test_operations_on_wide_intervals_contain_all_results():
    rng = np.random.default_rng(2)
    for _ in range(500):
        low, high = np.sort(rng.normal(size=(2, 2)), axis=0)
        x, y = (rng.uniform(low[i], high[i]) for i in range(2))
        a, b = Interval(low[0], high[0]), Interval(low[1], high[1])
        pairs = [(a + b, x + y), (a - b, x - y), (a * b, x * y), (abs(a), abs(x))]
        if low[1] > 0 or high[1] < 0:
            pairs.append((a / b, x / y))
            angle = math.atan2(y, x)
            found = atan2(b, a)
            pairs.append((found, angle if found.lower <= angle else angle + 2 * math.pi))
        for bounds, number in pairs:
            assert bounds.lower <= number <= bounds.upper


def test_an_undecided_comparison_raises():
    a, b = Interval(0.0, 1.0), Interval(0.5, 2.0)
    for question in (lambda: a < b, lambda: a <= b, lambda: a > b, lambda: a >= b, lambda: 1.0 / a, lambda: sqrt(-b)):
        with pytest.raises(UndecidedComparison):
            question()
    tiny = mpmath.mpf(10) ** -113
    with pytest.raises(UndecidedComparison, match=r"whether \[-1e-113, 1e-113\], under a root, is negative"):
        sqrt(Interval(-tiny, tiny))
    assert Interval(0.0, 1.0) <= Interval(1.0, 2.0) and Interval(0.0, 1.0) < 1.5 and not b < 0.5


def test_exact_rotation_contains_the_nearest_rotation():
    rng = np.random.default_rng(3)
    with mpmath.workdps(50):
        for scale in (0.0, 1e-15, 1e-9, 1e-4):
            R = np.linalg.qr(rng.normal(size=(3, 3)))[0] + scale * rng.normal(size=(3, 3))
            U, _, V = mpmath.svd_r(mpmath.matrix(R.tolist()))
            nearest, found = U * V, exact_rotation(R)
            columns = extended_form.nearest_rotation(proof.to_digits(R))
            for i in range(3):
                for j in range(3):
                    assert found[i][j].lower <= nearest[i, j] <= found[i][j].upper
                    assert abs(columns[j][i] - nearest[i, j]) < 1e-45
                    assert found[i][j].upper - found[i][j].lower <= 1e-14 + 5000 * scale**2


def solve_both_ways(arm, q, monkeypatch):
    """Return the solutions of a pose on double-doubles and on mpmath numbers: rows and codes of each."""
    strategy, T, found = strategy_for(arm), arm.forward_kinematics(q), []
    for solver in (proof.double_double_solver, lambda: None):
        with monkeypatch.context() as patch:
            patch.setattr(proof, "double_double_solver", solver)
            Q, codes = np.empty((8, 6)), np.zeros(13, dtype=np.int64)
            count = proof.solve_in_extended_precision(strategy.structure, T, arm.home, UNLIMITED, 0.0, Q, codes)
            found.append((Q[:count], codes[: FIRST_SOLUTION + count].tolist()))
    return found


@pytest.mark.parametrize("arm", closed_form_arms(), ids=lambda arm: arm.name)
def test_double_doubles_and_mpmath_numbers_give_the_same_solutions(arm, monkeypatch):
    rng = np.random.default_rng(6)
    for k in range(8):
        q = rng.uniform(-math.pi, math.pi, 6)
        beside = 10.0 ** rng.uniform(-15, -5) if k % 4 else 0.0
        q[rng.choice([1, 2, 4], 1 + k % 2)] = rng.choice([0.0, math.pi]) + beside
        (ours, codes), (expected, of_digits) = solve_both_ways(arm, q, monkeypatch)
        assert codes == of_digits
        assert all(largest_difference(one, other) < 1e-15 for one, other in zip(ours, expected, strict=True))


def test_mpmath_numbers_decide_where_the_rounding_of_double_doubles_may(monkeypatch):
    arm, q, calls = ur10(), [0.3, -1.2, 1e-7, 0.5, 1e-9, 0.7], []
    in_digits = proof._solve_in_digits
    monkeypatch.setattr(proof, "_solve_in_digits", lambda *inputs: calls.append(inputs) or in_digits(*inputs))
    first = pose_ik.all_solutions(arm, arm.forward_kinematics(q))
    assert not calls
    monkeypatch.setattr(proof, "DOUBLE_DOUBLE_NOISE", 1e-18)
    second = pose_ik.all_solutions(arm, arm.forward_kinematics(q))
    assert calls and np.array_equal(first.q, second.q) and np.array_equal(first.codes, second.codes)


@pytest.mark.check
@pytest.mark.parametrize("arm", [ur10(), from_table(PUMA_560, "PUMA 560")], ids=lambda arm: arm.name)
def test_a_complete_list_misses_no_solution(arm):
    """Near singularities, at random distances: a complete list contains the configuration of the pose."""
    rng = np.random.default_rng(4)
    complete = 0
    for _ in range(40):
        q = rng.uniform(-math.pi, math.pi, 6)
        beside = 10.0 ** rng.uniform(-17, -3)
        q[rng.choice([2, 4])] = rng.choice([0.0, math.pi]) + beside * rng.choice([-1, 1])
        solutions = pose_ik.all_solutions(arm, arm.forward_kinematics(q))
        if solutions.complete:
            complete += 1
            # near a singularity the rounding of the pose rotates joints far
            assert min(largest_difference(one, q) for one in solutions.q) < 1e-6 + 1e-12 / beside
            assert len(solutions) % 2 == 0
    assert 20 < complete < 40


def test_a_list_without_a_branch_is_not_called_complete():
    arm = ur10()
    T = arm.forward_kinematics([0.3, -1.2, 1.4, 0.5, 0.3, 0.7])
    solutions = pose_ik.all_solutions(arm, T)
    strategy = solutions.strategy
    _, decided, count = strategy.solve(solutions.target, solutions.limits)
    codes, seen = decided[1 : 1 + count], int(decided[0])
    rest = arm.home, solutions.limits
    assert proof.reason_incomplete(strategy.structure, solutions.target, *rest, codes, seen) == ""
    assert proof.reason_incomplete(strategy.structure, solutions.target, *rest, codes[:-1], seen) != ""
    assert proof.reason_incomplete(strategy.structure, solutions.target, *rest, codes[::-1].copy(), seen) != ""


def test_subproblems_run_on_intervals():
    run = rebind_math(INTERVAL_MATH, subproblems.count_plane_solutions, subproblems)
    exactly = (0.0, 0.0, 0.0)
    count, w, square = run(*(Interval.around(x) for x in (3.0, 4.0, 2.0)), 1.0, exactly, 1.0)
    assert count == subproblems.TWO and w.lower <= math.sqrt(21.0) <= w.upper and square.lower <= 25.0 <= square.upper
    assert run(*(Interval.around(x) for x in (3.0, 4.0, 5.1)), 1.0, exactly, 1.0)[0] == subproblems.NONE
    with pytest.raises(UndecidedComparison):
        run(*(Interval.around(x) for x in (3.0, 4.0, 5.0)), 1.0, exactly, 1.0)
