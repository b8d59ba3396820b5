"""Checks of a student's answers: what went in, what came back, how large the error is, and an established mistake.

A check measures the error of an answer, which is zero for every right one, and knows the right answer. A slip, which
is a likely mistake, is a guess (the answer that this mistake gives) or a mend (a function that turns such an answer
into the right one). It is named only if it reproduces the answer at every point of the check (`all_cases`), and no
other slip does. The size of an error never suggests a slip.

The words for a slip begin with its code in brackets. A notebook shows them folded, below what was measured.

The numbers of `per_student` are drawn from the name in $LESSONS_STUDENT. A class sets it: the hub for each server, the
grading for each hand-in. Without it they are the usual ones.
"""

import hashlib
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lessons_lib.course.check_failed import CheckFailed, called, hint, short

Numbers = NDArray[np.float64]
Mend = Callable[[Numbers], ArrayLike]
Slips = Mapping[str, Mend | ArrayLike]
Right = ArrayLike | Callable[[Numbers], ArrayLike]

SIGN = {"[sign] the sign is flipped": np.negative}
TWICE = {"[twice] your answer is twice the right one": lambda answer: answer / 2}
HALF = {"[half] your answer is half the right one": lambda answer: 2 * answer}
DEGREES = {"[degrees] your answer is in degrees; use radians": np.radians}
ORDER = {
    "[halves] the two halves are swapped: the order here is (ω, v)": lambda answer: np.concatenate(
        [answer[len(answer) // 2 :], answer[: len(answer) // 2]]
    )
}
TRANSPOSED = {"[transposed] your answer is the transpose of the right one": np.transpose}

SHARE = 1e-3
"""A slip explains an answer that is nearer to the slip's than this share of its distance from the right one."""

ROUNDING = 1e-6
"""And nearer than this, for numbers of size one: central differences lose some digits, too."""

SHOWN = 12
"""Largest number of entries that a message prints; of a larger answer it prints the column with the largest error."""

FLOAT32 = "[float32] your answer is float32, which has seven digits; use float64"


class _Points:
    """The points of one check: the first miss, and the slips that explain the answer at all of them so far."""

    def __init__(self) -> None:
        self.first: CheckFailed | None = None
        self.open: set[str] | None = None
        self.refuted: set[str] = set()

    def note(self, fits: Mapping[str, bool], miss: CheckFailed | None) -> None:
        """Take one more point; stop at once where no slip is left that could be named."""
        self.refuted |= {words for words, fit in fits.items() if not fit}
        if miss is None:
            return
        self.first = self.first or miss
        here = {words for words, fit in fits.items() if fit}
        self.open = here if self.open is None else self.open & here
        if not self.open - self.refuted:
            raise self.first

    def end(self) -> None:
        """Fail where a point failed, and name the one slip that is left."""
        if self.first is None:
            return
        left = (self.open or set()) - self.refuted
        named = [hint(left.pop())] if len(left) == 1 else []
        raise CheckFailed(self.first.said, [*self.first.hints, *named])


_points: list[_Points] = []


@contextmanager
def all_cases() -> Iterator[None]:
    """Take all that is judged inside as points of one check: it fails at the first one that is off, at the end.

    Raises:
        CheckFailed: As `check` does. A slip is named only if it explains the answer at every point.
    """
    points = _Points()
    _points.append(points)
    try:
        yield
    except NotImplementedError:
        raise
    except Exception as problem:  # of whatever kind a wrong answer leads to, after its first miss
        if points.first in (None, problem):
            raise
        raise points.first from problem
    finally:
        _points.pop()
    points.end()


def call(
    where: str,
    function: Callable[..., Any],
    *arguments: Any,
    hint: Mapping[type[Exception], str] | None = None,
) -> Any:
    """Call a student's function on copies of the arguments; report an exception as a wrong answer.

    Args:
        where: Start of each message: for which robot, at which q.
        function: The student's function; it may modify its arguments.
        arguments: Arguments of the function. Arrays, and lists and tuples of arrays, are copied.
        hint: Text for each type of exception that the arguments are known to provoke.

    Raises:
        CheckFailed: The function raises an exception, or returns None.
        NotImplementedError: The function is still the stub.
    """
    with np.errstate(all="ignore"):
        return called(where, function, [copied(thing) for thing in arguments], hint)


def copied(thing: Any) -> Any:
    """Copy an array, or a list or tuple of arrays; return anything else unchanged."""
    if isinstance(thing, np.ndarray):
        return np.array(thing)
    return type(thing)(copied(one) for one in thing) if type(thing) in (list, tuple) else thing


def numbers(where: str, answer: Any, shape: tuple[int | None, ...], finite: bool = True) -> Numbers:
    """Convert an answer to an array of float64 (or float32, if it is one) and check its shape.

    Args:
        where: Start of each message.
        answer: What the student's function returned: an array, or lists of numbers.
        shape: Expected shape; None allows any length.
        finite: Whether all entries must be finite.

    Raises:
        CheckFailed: The answer is not numeric, has another shape, or has an entry that is not finite.
    """
    wanted = "(" + ", ".join("k" if n is None else str(n) for n in shape) + (",)" if len(shape) == 1 else ")")
    try:
        array = np.asarray(answer)
        array = array if array.dtype == np.float32 else array.astype(np.float64)
    except (TypeError, ValueError):
        got = f"a {type(answer).__name__}, {short(repr(answer))}"
        raise CheckFailed(f"{where}: expected an array of shape {wanted}; your function returned {got}.") from None
    fits = len(shape) == array.ndim and all(n in (None, m) for n, m in zip(shape, array.shape, strict=True))
    if not fits:
        said = f"{where}: expected an array of shape {wanted}; your function returned shape {array.shape}."
        if None not in shape and array.size == np.prod([n or 0 for n in shape]):
            said += " The number of entries is right: np.ravel, np.reshape or an index gives the shape."
        raise CheckFailed(said)
    if finite and not np.isfinite(array).all():
        raise CheckFailed(f"{where}: your answer contains {array[~np.isfinite(array)][0]}; all entries must be finite.")
    return array


def shown(answer: Numbers, right: Numbers) -> str:
    """Return an answer on one line; of a large one the column with the largest error."""
    if answer.size <= SHOWN:
        rounding = 1e-12 * np.abs(answer).max(initial=0.0)
        clean = np.where(np.abs(answer) > rounding, answer, 0.0)
        return short(np.array2string(clean, precision=6, separator=", "))
    off = np.abs(answer - right) if answer.shape == right.shape else np.abs(answer)
    if answer.ndim == 2:
        column = int(off.max(axis=0).argmax())
        return short(f"in column {column + 1} {np.array2string(answer[:, column], precision=6, separator=', ')}")
    return short(np.array2string(answer, precision=3, separator=", "))


def explains(slip: Mend | ArrayLike, answer: Numbers, nearest: Callable[[Numbers], Numbers], right: bool) -> bool:
    """Return whether a slip reproduces the answer; it must be much nearer to a wrong answer than the right one is.

    Args:
        slip: A mend, or a guess.
        answer: Of the reader.
        nearest: Gives the right answer that is nearest to another one.
        right: Whether the answer counts as right here.
    """
    if callable(slip):
        mended = np.asarray(slip(answer), dtype=np.float64)
        guess, mine = nearest(mended), mended
    else:
        guess, mine = np.asarray(slip, dtype=np.float64), answer
    if guess.shape != mine.shape:
        return False
    apart, far = np.abs(mine - guess).max(initial=0.0), np.abs(answer - nearest(answer)).max(initial=0.0)
    size = 1 + np.abs(guess).max(initial=0.0)
    return bool(apart <= ROUNDING * size and (right or apart <= SHARE * far))


def check(
    where: str,
    answer: Numbers,
    off: Callable[[Numbers], float],
    within: float,
    slips: Slips | None = None,
    what: str = "the error is",
    unit: str = "",
    right: Right | None = None,
) -> bool:
    """Check an answer by a measure of its error; a wrong one fails with the error and, if established, the slip.

    Inside `all_cases` a wrong answer returns False, and the failure is raised at the end of the block.

    Args:
        where: Begins the sentence: for which robot, at which q.
        answer: Of the reader, finite.
        off: The measure, zero for a right answer.
        within: How far off a right answer may be.
        slips: From the words for a slip to its mend, or to the answer that it gives.
        what: Words before the number.
        unit: Of the measure.
        right: The right answer, or a function that gives the one nearest to an answer; without it no slip is named.

    Raises:
        CheckFailed: The answer is farther off.
    """

    def nearest(mine: Numbers) -> Numbers:
        return np.asarray(right(mine) if callable(right) else right, dtype=np.float64)

    miss = off(answer)
    good = bool(miss <= within)
    slips = {} if right is None or slips is None else slips
    with np.errstate(all="ignore"):
        fits = {words: explains(slip, answer, nearest, good) for words, slip in slips.items()}
    problem = None
    if not good:
        mine = shown(answer, answer if right is None else nearest(answer))
        hints = [hint(FLOAT32)] if answer.dtype == np.float32 and miss < 1e-4 else []
        measured = f"{what} {miss:.1e}{unit and ' ' + unit}, the tolerance is {within:.0e}."
        said = f"{where}:\nyour function returned {mine};\n{measured}"
        problem = CheckFailed(said, [*hints, *where_off(answer, right, nearest)])
    if _points:
        _points[-1].note(fits, problem)
    else:
        points = _Points()
        points.note(fits, problem)
        points.end()
    return good


def where_off(answer: Numbers, right: Right | None, nearest: Callable[[Numbers], Numbers]) -> list[str]:
    """Return a hint that lists the wrong entries, if at most half of the entries are wrong."""
    if right is None or answer.ndim == 0 or nearest(answer).shape != answer.shape:
        return []
    apart = np.abs(answer - nearest(answer))
    wrong = np.argwhere(apart > ROUNDING * (1 + np.abs(nearest(answer))))
    if not 0 < len(wrong) <= answer.size // 2:
        return []
    places = ", ".join(str(tuple(int(i) for i in place) if answer.ndim > 1 else int(place[0])) for place in wrong[:6])
    more = ", …" if len(wrong) > 6 else ""
    right_ones = np.argwhere(apart <= ROUNDING * (1 + np.abs(nearest(answer))))
    named = ("Entry", "is") if len(wrong) == 1 else ("Entries", "are")
    others = f"entry {right_ones[0][0]} is right" if answer.size == 2 else f"the other {len(right_ones)} are right"
    return [f"{named[0]} {places}{more} {named[1]} wrong; {others} (counting from 0)."]


def compare(
    where: str,
    answer: Numbers,
    right: ArrayLike,
    within: float,
    slips: Slips | None = None,
    unit: str = "",
    what: str = "the error is",
) -> bool:
    """Judge an answer by its largest difference from the right one; see `check`."""
    wanted = np.asarray(right, dtype=np.float64)

    def off(mine: Numbers) -> float:
        return float(np.abs(mine - wanted).max(initial=0.0))

    return check(where, answer, off, within, slips, what, unit, wanted)


def per_student(what: str, usual: ArrayLike, low: ArrayLike, high: ArrayLike, digits: int = 2) -> NDArray[np.float64]:
    """Return a student's own numbers, or the usual ones where no student is named.

    Args:
        what: What they are for, so that another question draws others.
        usual: The numbers without a name, of any shape.
        low: Least values, of that shape or a single number.
        high: Largest values, likewise.
        digits: Digits after the point.

    Returns:
        An array of the shape of `usual`, each number between its ends.
    """
    numbers, low, high = (np.asarray(given, dtype=np.float64) for given in (usual, low, high))
    name = os.environ.get("LESSONS_STUDENT")
    if not name:
        return numbers
    seed = int.from_bytes(hashlib.sha256(f"{name}\0{what}".encode()).digest()[:8], "big")
    drawn = np.random.default_rng(seed).uniform(low, high, numbers.shape)
    return np.clip(np.round(drawn, digits), low, high)
