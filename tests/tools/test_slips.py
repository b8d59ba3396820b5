"""Small changes of the exercises' solutions: a check names no cause that was not planted; the tool sees if one does."""

import pytest

from tools.slips.__main__ import Told, asked, told
from tools.slips.earned import may_earn
from tools.slips.exercise import EXERCISES, Exercise
from tools.slips.mutations import Mutant, mutants

SHARE = 0.04


def changes(text: str) -> set[str]:
    return {mutant.change for mutant in mutants(text)}


def test_every_change_is_one_change() -> None:
    assert changes("x = a @ b.T") == {
        "factor dropped: a @ b.T -> a",
        "factor dropped: a @ b.T -> b.T",
        "factors exchanged: a @ b.T -> b.T @ a",
        "transpose added: a @ b.T -> a.T @ b.T",
        "entry by entry: a @ b.T -> a * b.T",
        "transpose dropped: b.T -> b",
    }
    assert "constant: 3 -> 1.5 in 3 * b" in changes("x = 3 * b")
    assert "slice: :3 -> 3: in a[:3]" in changes("x = a[:3]")
    assert "unit: return a -> return np.degrees(a)" in changes("def f(a):\n    return a")
    texts = [mutant.text for mutant in mutants("def f(a, b):\n    return np.cross(a, b) + 2 * a")]
    assert len(texts) == len(set(texts)) > 20


def test_a_cause_that_was_not_planted_is_seen() -> None:
    """A lever arm may not be named for what nobody has read; a turned sign may be told of itself."""
    exercise = Exercise(EXERCISES[4])
    solution = exercise.solutions[0]
    wrong = Mutant("transposed: something else", solution.replace("T_sb[:3, 3]", "-T_sb[:3, 3]"))
    result = told(exercise, "04", wrong)
    assert {code for code, _ in result.false} == {"lever"}
    turned = Mutant("sign: return it -> return -it", solution.replace("return ", "return -"))
    assert told(exercise, "04", turned).named and not told(exercise, "04", turned).false
    assert not may_earn("04", "lever", "sign: return it -> return -it")


def test_a_mutant_that_does_not_end_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.slips.__main__.SECONDS", 0.2)
    exercise = Exercise(EXERCISES[1])
    first = next(asked(["01"], 0.01), None)  # sets the signal
    assert isinstance(first, Told)
    endless = "def both_postures(x, y, L_1, L_2):\n    while True:\n        pass"
    assert told(exercise, "01", Mutant("never: ends -> goes on", endless)) == Told("01", "never: ends -> goes on", True)


@pytest.mark.check
def test_no_cause_is_named_that_was_not_planted() -> None:
    results = list(asked([], SHARE))
    assert len(results) > 50 and any(result.named for result in results)
    false = [f"{r.exercise} [{code}] {r.change}\n{said}" for r in results for code, said in r.false]
    assert not false, "\n\n".join(false)
