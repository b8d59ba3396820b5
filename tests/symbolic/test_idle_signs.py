"""No claim is printed for positive values of a letter where it holds for zero as well, unless zero is no such thing."""

import random

import mpmath
import pytest
import sympy as sp
from falsifier import Falsifier
from lesson_claims import Stated, claims_of
from test_claims_in_numbers import LESSONS, QUICK, falsifier
from trial_points import drawn

from lessons_lib.symbolic.needs import NONZERO, POSITIVE
from lessons_lib.symbolic.terms import variable

NEVER_ZERO = {
    "a length": {"L", "L_1", "L_2", "L_3", "a", "r", "d", "d_s", "d_i"},
    "a mass or a weight": {"m_0", "m_1", "w_1", "w_2", "w_3", "W", "a_1", "a_2"},
    "a damping": {"lambda", "lambda_0", "lambda_1", "lambda_2", "D"},
    "a gain or a cost": {"K", "k", "alpha", "alpha_1", "alpha_2", "beta", "gamma", "rho", "kappa_1", "kappa_2", "v_i"},
    "a time": {"dt", "C"},
    "a diagonal of a positive definite matrix": {"H_11", "H_22"},
    "an error that is left": {"b"},
    "a share, or cores beyond the first": {"o", "m"},
}
POINTS = 3


def holds_at_zero(tried: Falsifier, claim: Stated, letter: sp.Symbol) -> bool:
    """Return whether a claim is defined and holds, as written, where a letter is zero."""
    draw, met = random.Random(claim.label), 0
    divisors = [n.of for part in claim.parts for n in part.needs if n.kind in (NONZERO, POSITIVE) and n.of.has(letter)]
    for _ in range(POINTS):
        point = {s: drawn(s, draw) for s in tried.symbols} | {letter: sp.S.Zero}
        x = [mpmath.mpmathify(sp.N(v, 50)) for v in point.values()]
        if not all(one(x) for one in tried.conditions):
            continue
        met += 1
        values = [sp.N(divisor.xreplace(point), 30) for divisor in divisors]
        if tried.fails(x) or not all(v.is_number and abs(v) > 1e-25 for v in values):
            return False
    return met > 0


def idle_signs(claim: Stated) -> set[str]:
    """Return the letters that a claim is printed to be positive of, and that may be zero."""
    tried = falsifier(claim)
    hidden = {s for part in claim.parts for v in part.variables if v.value is not None for s in v.symbols}
    letters = [s for s in tried.symbols if s.is_positive and s not in hidden]
    return {s.name for s in letters if holds_at_zero(tried, claim, s)}


@pytest.mark.parametrize(
    "lesson", [pytest.param(n, marks=pytest.mark.check if n in QUICK else pytest.mark.release) for n in LESSONS]
)
def test_a_letter_is_positive_where_that_is_needed(lesson: int, monkeypatch: pytest.MonkeyPatch) -> None:
    meant = set().union(*NEVER_ZERO.values())
    with mpmath.workdps(50):
        found = {claim.label: idle_signs(claim) - meant for claim in claims_of(lesson, monkeypatch)}
    assert {label: letters for label, letters in found.items() if letters} == {}


def test_an_idle_sign_is_found() -> None:
    p, q = (variable(s, sp.Symbol(s, positive=True)) for s in "pq")
    quotient = Stated("9.1", [[p / q + 1, "=", (p + q) / q]], (), ())
    cancelled = Stated("9.2", [[p * q / q, "=", p]], (), ())
    excluded = Stated("9.3", [[p, "=", p]], (), (p.value > 1,))
    with mpmath.workdps(50):
        assert [idle_signs(claim) for claim in (quotient, cancelled, excluded)] == [{"p"}, {"p"}, set()]
