"""Every claim of every lesson is evaluated at critical points, without the prover."""

import mpmath
import pytest
from lesson_claims import NOTEBOOKS, claims_of

FALSE_ONCE = {  # lesson -> claims once printed for all values of their symbols that fail at some
    2: {"2.13"},
    3: {"3.7", "3.9", "3.11", "3.12"},
    13: {"13.2"},
    16: {"16.2", "16.3", "16.4"},
    17: {"17.3", "17.5"},
    18: {"18.3", "18.4", "18.5", "18.6", "18.7"},
}
"""`make check` tests these; a release tests all."""
LESSONS = [
    pytest.param(number, marks=pytest.mark.check if number in FALSE_ONCE else pytest.mark.release)
    for number in sorted(int(path.name[:2]) for path in NOTEBOOKS.glob("*.ipynb"))[1:]  # lesson 00 states no claim
]


@pytest.mark.parametrize("lesson", LESSONS)
def test_claims_hold_under_their_conditions_and_fail_without_them(lesson, monkeypatch):
    claims = list(claims_of(lesson, monkeypatch))
    with mpmath.workdps(50):
        broken = {one.label: one.falsifier().counterexample(one.label) for one in claims}
        limited = [one for one in claims if one.conditions and lesson in FALSE_ONCE]
        unlimited = [(one.label, one.falsifier(conditions=False)) for one in limited]
        without = {label for label, one in unlimited if one.counterexample(label, as_written=True)}
    assert broken and {label: why for label, why in broken.items() if why} == {}
    assert {one.label for one in limited} == without >= FALSE_ONCE.get(lesson, set())
