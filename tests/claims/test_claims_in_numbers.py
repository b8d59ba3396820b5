"""Every claim of every lesson is tried with numbers, where proofs of its kind go wrong, without the prover."""

from dataclasses import replace

import mpmath
import pytest
import sympy as sp
from idle_signs import ONE_SIGN, idle_signs
from lesson_claims import NOTEBOOKS, Stated, claims_of

from lessons_lib.claims.notation import sqrt
from lessons_lib.claims.terms import term, variable

FALSE_ONCE = {  # lesson -> claims that were printed for all values of their letters, and fail at some
    2: {"2.13", "2.15"},
    3: {"3.7", "3.9", "3.17"},
    9: {"9.4"},
    13: {"13.3", "13.8"},
    16: {"16.2", "16.3", "16.4", "16.8"},
    17: {"17.3", "17.5", "17.7"},
    18: {"18.5", "18.6", "18.7", "18.8", "18.9", "18.10"},
}
"""`make check` tries these; a release tries all."""
LESSONS = [
    pytest.param(number, marks=pytest.mark.check if number in FALSE_ONCE else pytest.mark.release)
    for number in sorted(int(path.name[:2]) for path in NOTEBOOKS.glob("*.ipynb"))[1:]  # lesson 00 states no claim
]


@pytest.mark.parametrize("lesson", LESSONS)
def test_claims_hold_where_they_say_fail_without_their_conditions_and_need_every_sign(
    lesson: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A letter has one sign where that is needed, or where it is no such thing otherwise."""
    meant = set().union(*ONE_SIGN.values())
    claims = list(claims_of(lesson, monkeypatch))
    with mpmath.workdps(50):
        broken = {one.label: one.falsifier().counterexample(one.label) for one in claims}
        idle = {one.label: idle_signs(one) - meant for one in claims}
        limited = [one for one in claims if one.conditions and lesson in FALSE_ONCE]
        without = {
            one.label for one in limited if one.falsifier(conditions=False).counterexample(one.label, as_written=True)
        }
    assert broken and {label: why for label, why in broken.items() if why} == {}
    assert {label: letters for label, letters in idle.items() if letters} == {}
    assert {one.label for one in limited} == without >= FALSE_ONCE.get(lesson, set())


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
