"""Letters that a claim is printed for values of one sign of, and that may have the other as well."""

import random

import mpmath
import sympy as sp
from falsifier import Falsifier
from lesson_claims import Stated
from trial_points import drawn

from lessons_lib.claims.domain_constraints import NONZERO, NOT_NEGATIVE, POSITIVE

ONE_SIGN = {
    "a length": {"L", "l", "h", "L_1", "L_2", "L_3", "a", "r", "d", "d_s", "d_i"},
    "a mass or a weight": {"m_0", "m_1", "w_1", "w_2", "w_3", "W", "a_1", "a_2"},
    "a damping": {"lambda", "lambda_0", "lambda_1", "lambda_2", "D"},
    "a gain or a cost": {"K", "k", "alpha", "alpha_1", "alpha_2", "beta", r"\beta", "gamma", "rho"}
    | {"kappa_1", "kappa_2", "v_i"},
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
    tried = claim.falsifier()
    hidden = {s for part in claim.parts for v in part.variables if v.value is not None for s in v.symbols}
    letters = [s for s in tried.symbols if s.is_nonnegative and s not in hidden]
    signs = {s: (0, -1) if s.is_positive else (-1,) for s in letters}
    return {s.name for s in letters if any(holds_at(tried, claim, s, sign) for sign in signs[s])}
