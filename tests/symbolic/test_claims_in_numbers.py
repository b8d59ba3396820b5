"""Every claim of every lesson is tried with numbers, where proofs of its kind go wrong, without the prover."""

import mpmath
import pytest
from falsifier import Falsifier
from lesson_claims import NOTEBOOKS, Stated, claims_of

from lessons_lib.symbolic.terms import comparable, replace

LESSONS = sorted(int(path.name[:2]) for path in NOTEBOOKS.glob("*.ipynb"))
QUICK = (3, 9, 13, 16, 17)
"""Lessons whose claims `make check` tries at all points; a release tries those of all."""
FALSE_ONCE = {  # lesson -> claims that were printed for all values of their letters, and fail at some
    2: {"2.13", "2.15"},
    3: {"3.7", "3.9", "3.17"},
    9: {"9.4"},
    13: {"13.3", "13.8"},
    16: {"16.2", "16.3", "16.4", "16.8"},
    17: {"17.3", "17.5", "17.7"},
    18: {"18.5", "18.6", "18.7", "18.8", "18.9", "18.10"},
}


def falsifier(claim: Stated, conditions: bool = True) -> Falsifier:
    """Return the falsifier of a claim, with or without its conditions."""
    chains = []
    for chain in claim.chains:
        for i in range(0, len(chain) - 2, 2):
            left, right = comparable(chain[i].value, chain[i + 2].value)
            chains.append([replace(chain[i], value=left), chain[i + 1], replace(chain[i + 2], value=right)])
    return Falsifier(chains, claim.where, claim.conditions if conditions else ())


@pytest.mark.parametrize(
    "lesson", [pytest.param(n, marks=pytest.mark.check if n in QUICK else pytest.mark.release) for n in LESSONS]
)
def test_no_claim_of_a_lesson_fails_where_its_conditions_hold(lesson: int, monkeypatch: pytest.MonkeyPatch) -> None:
    with mpmath.workdps(50):
        found = {c.label: falsifier(c).counterexample(c.label) for c in claims_of(lesson, monkeypatch)}
    assert found
    assert {label: why for label, why in found.items() if why} == {}


@pytest.mark.parametrize("lesson", [pytest.param(n, marks=() if n == 3 else pytest.mark.check) for n in FALSE_ONCE])
def test_without_its_conditions_a_claim_is_broken(lesson: int, monkeypatch: pytest.MonkeyPatch) -> None:
    with mpmath.workdps(50):
        claims = [c for c in claims_of(lesson, monkeypatch) if c.conditions]
        found = {c.label for c in claims if falsifier(c, conditions=False).counterexample(c.label, as_written=True)}
    assert {c.label for c in claims} == found
    assert found >= FALSE_ONCE[lesson]
