"""No claim is printed for values of one sign where it holds for others as well, unless those are no such thing."""

import random
from dataclasses import replace

import mpmath
import pytest
import sympy as sp
from falsifier import Falsifier
from lesson_claims import Stated, claims_of
from test_claims_in_numbers import LESSONS, QUICK, falsifier
from trial_points import drawn

from lessons_lib.symbolic.needs import NONZERO, NOT_NEGATIVE, POSITIVE
from lessons_lib.symbolic.terms import term, variable
from lessons_lib.symbolic.vocabulary import sqrt

ONE_SIGN = {
    "a length": {"L", "l", "h", "L_1", "L_2", "L_3", "a", "r", "d", "d_s", "d_i"},
    "a mass or a weight": {"m_0", "m_1", "w_1", "w_2", "w_3", "W", "a_1", "a_2"},
    "a damping": {"lambda", "lambda_0", "lambda_1", "lambda_2", "D"},
    "a gain or a cost": {
        "K",
        "k",
        "alpha",
        "alpha_1",
        "alpha_2",
        "beta",
        r"\beta",
        "gamma",
        "rho",
        "kappa_1",
        "kappa_2",
        "v_i",
    },
    "a time": {"dt", "C", "T"},
    "a diagonal of a positive definite matrix": {"H_11", "H_22"},
    "an error that is left, or a rounding": {"b", r"\epsilon"},
    "a bound": {"kappa"},
    "a share, or cores beyond the first": {"o", "m"},
    "a singular value": {"sigma"},
    "a speed, a speed-up, or an angle a cycle": {"v", "S", r"\theta"},
    "what is lacking, or a slack or a factor of weights": {"g", "s"},
    "one over a cost": {"x"},
}
"""What letters mean that are of one sign by that."""
POINTS = 3


def holds_at(tried: Falsifier, claim: Stated, letter: sp.Symbol, sign: int) -> bool:
    """Return whether a claim is defined and holds, as written, where a letter is zero, or at negative values."""
    draw, met = random.Random(claim.label), 0
    divisors = [n.of for part in claim.parts for n in part.needs if n.kind in (NONZERO, POSITIVE) and n.of.has(letter)]
    roots = [
        n.of for part in claim.parts for n in part.needs if n.kind in (POSITIVE, NOT_NEGATIVE) and n.of.has(letter)
    ]
    for _ in range(POINTS):
        point = {s: drawn(s, draw) for s in tried.symbols}
        point |= {letter: sign * point[letter]}
        x = [mpmath.mpmathify(sp.N(v, 50)) for v in point.values()]
        if not all(one(x) for one in tried.conditions):
            continue
        met += 1
        values = [sp.N(divisor.xreplace(point), 30) for divisor in divisors]
        if tried.fails(x) or not all(v.is_number and abs(v) > 1e-25 for v in values):
            return False
        if any(sp.N(under.xreplace(point), 30) < 0 for under in roots):
            return False
    return met > 0


def idle_signs(claim: Stated) -> set[str]:
    """Return the letters that a claim is printed to have one sign of, and that may be zero or negative."""
    tried = falsifier(claim)
    hidden = {s for part in claim.parts for v in part.variables if v.value is not None for s in v.symbols}
    letters = [s for s in tried.symbols if s.is_nonnegative and s not in hidden]
    signs = {s: (0, -1) if s.is_positive else (-1,) for s in letters}
    return {s.name for s in letters if any(holds_at(tried, claim, s, sign) for sign in signs[s])}


@pytest.mark.parametrize(
    "lesson", [pytest.param(n, marks=pytest.mark.check if n in QUICK else pytest.mark.release) for n in LESSONS]
)
def test_a_letter_has_one_sign_where_that_is_needed(lesson: int, monkeypatch: pytest.MonkeyPatch) -> None:
    meant = set().union(*ONE_SIGN.values())
    with mpmath.workdps(50):
        found = {claim.label: idle_signs(claim) - meant for claim in claims_of(lesson, monkeypatch)}
    assert {label: letters for label, letters in found.items() if letters} == {}


def test_an_idle_sign_is_found() -> None:
    p, q = (variable(s, sp.Symbol(s, positive=True)) for s in "pq")
    r = variable("r", sp.Symbol("r", nonnegative=True))
    claims = {
        "p of a quotient": Stated("9.1", [[p / q + 1, "=", (p + q) / q]], (), ()),
        "what is cancelled": Stated("9.2", [[p * q / q, "=", p]], (), ()),
        "excluded": Stated("9.3", [[p, "=", p]], (), (p.value > 1,)),
        "a root": Stated("9.4", [[sqrt(p) ** 2, "=", p]], (), ()),
        "a sign": Stated("9.5", [[p, "<=", p + q]], (), ()),
        "a square": Stated("9.6", [[r**2, "<=", r**2 + q]], (), ()),
        "a product": Stated("9.7", [[0, "<=", r * q]], (), ()),
    }
    chains = {
        name: replace(c, chains=[[part if isinstance(part, str) else term(part) for part in c.chains[0]]])
        for name, c in claims.items()
    }
    with mpmath.workdps(50):
        found = {name: idle_signs(claim) for name, claim in chains.items()}
    assert found == {
        "p of a quotient": {"p", "q"},
        "what is cancelled": {"p"},
        "excluded": set(),
        "a root": {"p"},
        "a sign": {"p", "q"},  # q may be zero
        "a square": {"r", "q"},
        "a product": {"q"},
    }
