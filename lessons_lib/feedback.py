"""What a check says of an answer: it names the slip that fits, or says how far off the answer is and names nothing.

A check has a measure that is zero for every right answer. A slip is a mend, which would make the answer right if this
slip had been made, or a guess, which is the answer that this slip gives. It is named only where the mended answer
passes the same measure, or the guess is the answer to seven digits; no slip is inferred from the size of an error.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Numbers = NDArray[np.float64]
Mend = Callable[[Numbers], ArrayLike]
Slips = Mapping[str, Mend | ArrayLike]

SIGN = {"its sign is turned round": np.negative}
TWICE = {"it is twice the right one: a ½ is missing, or a 2 is too many": lambda answer: answer / 2}
HALF = {"it is half of the right one: a ½ is too many, or a 2 is missing": lambda answer: 2 * answer}
DEGREES = {"it is in degrees, and wanted are radians": np.radians}
ORDER = {
    "its halves are exchanged: the order here is (ω, v)": lambda answer: np.concatenate(
        [answer[len(answer) // 2 :], answer[: len(answer) // 2]]
    )
}
TRANSPOSED = {"it is the transpose of the right one": np.transpose}


def call(where: str, function: Callable[..., Any], *arguments: Any, hint: str = "") -> Any:
    """Call a reader's function on copies of the arguments, and say in words what goes wrong on the way.

    Args:
        where: Begins each sentence: for which robot, at which q.
        function: The reader's.
        arguments: Arrays are copied, and compared afterwards; all else is handed over as it is.
        hint: Added where the function stops with an error.

    Raises:
        AssertionError: It stops with an error, returns None, or changes an array that it was given.
        NotImplementedError: It is still the stub.
    """
    given = [np.array(thing) if isinstance(thing, np.ndarray) else thing for thing in arguments]
    try:
        with np.errstate(all="ignore"):
            answer = function(*given)
    except NotImplementedError:
        raise
    except Exception as problem:  # noqa: BLE001 (whatever a reader's code raises)
        said = f"{where}: your function stops with {type(problem).__name__}: {problem}."
        raise AssertionError(f"{said} {hint}".rstrip()) from None
    assert answer is not None, f"{where}: your function returns None; is there a `return` on every way through it?"
    for before, after in zip(arguments, given, strict=True):
        kept = not isinstance(before, np.ndarray) or np.array_equal(before, after, equal_nan=before.dtype.kind in "fc")
        assert kept, f"{where}: your function changes an array that it is given; work on a copy."
    return answer


def numbers(where: str, answer: Any, shape: tuple[int, ...]) -> Numbers:
    """Return an answer as an array of finite numbers.

    Args:
        where: Begins each sentence.
        answer: Of the reader's function.
        shape: That it has to have.

    Raises:
        AssertionError: It holds something else than numbers, has another shape, or a number in it is not finite.
    """
    try:
        array = np.asarray(answer, dtype=np.float64)
    except (TypeError, ValueError):
        raise AssertionError(f"{where}: you return {answer!r}; wanted is an array of shape {shape}.") from None
    said = f"{where}: the answer has shape {shape}, yours has {array.shape}."
    if array.shape == shape[::-1]:
        said += " Rows and columns are exchanged: it looks like the transpose."
    elif array.size == np.prod(shape):
        said += " It has as many numbers; np.ravel, np.reshape or an index brings them into shape."
    assert array.shape == shape, said
    assert np.isfinite(array).all(), f"{where}: your answer holds {array[~np.isfinite(array)][0]}, which is no number."
    return array


def named(answer: Numbers, off: Callable[[Numbers], float], within: float, slips: Slips) -> list[str]:
    """Return the words for each slip that fits.

    Args:
        answer: Of the reader.
        off: The measure, zero for a right answer.
        within: How far off a right answer may be.
        slips: From the words for a slip to its mend, or to the answer that it gives.
    """
    found = []
    for words, slip in slips.items():
        if callable(slip):
            mended = np.asarray(slip(answer), dtype=np.float64)
            fits = mended.shape == answer.shape and off(mended) <= within
        else:
            guess = np.asarray(slip, dtype=np.float64)
            fits = guess.shape == answer.shape and np.allclose(answer, guess, rtol=1e-7, atol=min(within, 1e-7))
        found += [words] if fits else []
    return found


def judge(
    where: str,
    answer: Numbers,
    off: Callable[[Numbers], float],
    within: float,
    slips: Slips | None = None,
    what: str = "your answer is off by",
    unit: str = "",
) -> None:
    """Do nothing about a right answer; fail on another one, name the slip that fits, or say how far off it is.

    Args:
        where: Begins the sentence: for which robot, at which q.
        answer: Of the reader, finite.
        off: The measure, zero for a right answer.
        within: How far off a right answer may be.
        slips: From the words for a slip to its mend, or to the answer that it gives.
        what: Words before the number.
        unit: Of the measure.

    Raises:
        AssertionError: The answer is farther off. Where several slips fit, all are named: at this place they are one.
    """
    miss = off(answer)
    if miss <= within:
        return
    said = f"{where}: {what} {miss:.1e}{unit and ' ' + unit}, allowed is {within:.0e}."
    words = named(answer, off, within, slips or {})
    raise AssertionError(f"{said} Look here: {'; or '.join(words)}." if words else said)


def compare(
    where: str, answer: Numbers, right: ArrayLike, within: float, slips: Slips | None = None, unit: str = ""
) -> None:
    """Judge an answer by its largest difference from the right one; see `judge`."""
    wanted = np.asarray(right, dtype=np.float64)
    judge(where, answer, lambda mine: float(np.abs(mine - wanted).max(initial=0.0)), within, slips, unit=unit)
