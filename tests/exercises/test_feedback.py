"""A check names the slip that fits, and nothing where none does."""

import numpy as np
import pytest

from lessons_lib import feedback

RIGHT = np.array([0.1, -0.2, 0.3, 1.0, 2.0, -3.0])
EVERY = feedback.SIGN | feedback.TWICE | feedback.HALF | feedback.DEGREES | feedback.ORDER


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (-RIGHT, feedback.SIGN),
        (2 * RIGHT, feedback.TWICE),
        (RIGHT / 2, feedback.HALF),
        (np.degrees(RIGHT), feedback.DEGREES),
        (np.roll(RIGHT, 3), feedback.ORDER),
    ],
)
def test_a_usual_slip_is_named(answer: np.ndarray, words: dict[str, object]) -> None:
    with pytest.raises(AssertionError) as said:
        feedback.compare("At q = 0", answer, RIGHT, 1e-9, EVERY)
    assert str(said.value).endswith(f"Look here: {next(iter(words))}.")


def test_what_fits_no_slip_is_said_to_be_off_and_no_more() -> None:
    with pytest.raises(AssertionError) as said:
        feedback.compare("At q = 0", RIGHT + 0.25, RIGHT, 1e-9, EVERY, "rad")
    assert str(said.value) == "At q = 0: your answer is off by 2.5e-01 rad, allowed is 1e-09."


def test_slips_that_are_one_at_this_place_are_both_named() -> None:
    guesses = {"this": [1.0], "that": [1.0], "another": [2.0]}
    with pytest.raises(AssertionError, match=r"Look here: this; or that\."):
        feedback.compare("At q = 0", np.array([1.0]), [0.0], 1e-9, guesses)


def test_a_right_answer_passes_though_a_slip_would_give_the_same() -> None:
    feedback.compare("At q = 0", np.zeros(3), np.zeros(3), 0.0, EVERY | {"zero": np.zeros(3)})


def test_an_answer_that_is_not_finite_is_never_right() -> None:
    with pytest.raises(AssertionError, match="off by nan"):
        feedback.compare("At q = 0", np.array([np.nan]), [0.0], 1e-9)


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (lambda J: None, "your function returns None"),
        (lambda J: J.fill(7) or 1, "changes an array that it is given"),
        (lambda J: J @ np.ones(5), r"stops with ValueError: .* J has three columns\."),
        (lambda J: undefined, "stops with NameError"),  # type: ignore[name-defined] # noqa: F821
    ],
)
def test_what_goes_wrong_on_the_way_is_said(function: object, said: str) -> None:
    J = np.eye(3)
    with pytest.raises(AssertionError, match=f"At q = 0: your function .*{said}|At q = 0: {said}"):
        feedback.call("At q = 0", function, J, hint="J has three columns.")  # type: ignore[arg-type]
    assert np.array_equal(J, np.eye(3))


def test_a_stub_stays_a_stub() -> None:
    def stub() -> None:
        raise NotImplementedError

    with pytest.raises(NotImplementedError):
        feedback.call("At q = 0", stub)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (np.ones((2, 6)), "it looks like the transpose"),
        (np.ones(12), "It has as many numbers"),
        (np.ones(4), r"yours has \(4,\)\.$"),
        (np.full((6, 2), np.inf), "your answer holds inf"),
        ("six", "wanted is an array"),
    ],
)
def test_the_shape_of_an_answer_is_looked_at(answer: object, said: str) -> None:
    with pytest.raises(AssertionError, match=said):
        feedback.numbers("At q = 0", answer, (6, 2))
