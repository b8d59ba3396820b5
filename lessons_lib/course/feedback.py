"""Check a student's answer: report the error, and name a common mistake if it reproduces the answer."""
# A check measures the error of an answer, which is zero for every right answer, and knows the right answer. A common
# mistake is given as the answer that it produces, or as a correction: a function that maps its answer to the right one.
# It is named only if it reproduces the answer in every case of the check (`all_cases`) and no other mistake does; the
# size of the error never suggests one. The description of a mistake begins with its code in brackets; a notebook shows
# it as a folded hint below the message. $LESSONS_STUDENT is set by the hub for each server, by the grading for each
# submission.

import hashlib
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lessons_lib.course.check_failed import CheckFailed, call_function, hint, shorten

Numbers = NDArray[np.float64]
Correction = Callable[[Numbers], ArrayLike]
Slips = Mapping[str, Correction | ArrayLike]
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
"""A mistake explains an answer if its answer is nearer than this fraction of the distance to the right answer."""

ROUNDING = 1e-6
"""The maximum relative distance to the mistake's answer; central differences also lose some digits."""

MOST_ENTRIES = 12
"""The maximum number of entries that a message prints; if there are more, only the column with the largest error."""

FLOAT32 = "[float32] your answer is float32, which has seven digits; use float64"


class _Cases:
    """The cases of one check: the first failure, and the mistakes that explain all answers so far."""

    def __init__(self) -> None:
        self.first: CheckFailed | None = None
        self.open: set[str] | None = None
        self.refuted: set[str] = set()

    def add(self, fits: Mapping[str, bool], miss: CheckFailed | None) -> None:
        """Add a case; raise the first failure at once if no mistake can be named any more."""
        self.refuted |= {words for words, fit in fits.items() if not fit}
        if miss is None:
            return
        self.first = self.first or miss
        here = {words for words, fit in fits.items() if fit}
        self.open = here if self.open is None else self.open & here
        if not self.open - self.refuted:
            raise self.first

    def end(self) -> None:
        """Raise the first failure, if any, and name the only remaining mistake."""
        if self.first is None:
            return
        left = (self.open or set()) - self.refuted
        named = [hint(left.pop())] if len(left) == 1 else []
        raise CheckFailed(self.first.message, [*self.first.hints, *named])


_cases: list[_Cases] = []


@contextmanager
def all_cases() -> Iterator[None]:
    """Treat all checks inside as cases of one check, which raises its first failure at the end."""
    cases = _Cases()
    _cases.append(cases)
    try:
        yield
    except NotImplementedError:
        raise
    except Exception as problem:  # any error that a wrong answer causes after its first failure
        if cases.first in (None, problem):
            raise
        raise cases.first from problem
    finally:
        _cases.pop()
    cases.end()


def call(
    where: str,
    function: Callable[..., Any],
    *arguments: Any,
    hint: Mapping[type[Exception], str] | None = None,
) -> Any:
    """Call a student's function on copies of the arguments; CheckFailed if it raises or returns None."""
    # `where` begins each message: for which robot, at which q; `hint`: hint for each exception type that a known
    # mistake raises
    with np.errstate(all="ignore"):
        return call_function(where, function, [copy_arrays(thing) for thing in arguments], hint)


def copy_arrays(thing: Any) -> Any:
    """Copy an array, or a list or tuple of arrays; return anything else unchanged."""
    if isinstance(thing, np.ndarray):
        return np.array(thing)
    return type(thing)(copy_arrays(one) for one in thing) if type(thing) in (list, tuple) else thing


def numbers(where: str, answer: Any, shape: tuple[int | None, ...], finite: bool = True) -> Numbers:
    """Convert an answer to an array of float64 (or float32, if it is one); CheckFailed if its shape is wrong."""
    # None in `shape` allows any length
    letters = iter("kmn")
    lengths = [next(letters) if n is None else str(n) for n in shape]
    expected = "(" + ", ".join(lengths) + (",)" if len(shape) == 1 else ")")
    try:
        array = np.asarray(answer)
        array = array if array.dtype == np.float32 else array.astype(np.float64)
    except (TypeError, ValueError):
        got = f"a {type(answer).__name__}, {shorten(repr(answer))}"
        raise CheckFailed(f"{where}: expected an array of shape {expected}; your function returned {got}.") from None
    fits = len(shape) == array.ndim and all(n in (None, m) for n, m in zip(shape, array.shape, strict=True))
    if not fits:
        finding = f"{where}: expected an array of shape {expected}; your function returned shape {array.shape}."
        if array.ndim == 2 and array.shape == tuple(shape)[::-1]:
            finding += " This is the shape of the transpose: use .T."
        elif None not in shape and array.size == np.prod([n or 0 for n in shape]):
            finding += " The number of entries is right: use np.ravel, np.reshape or an index to get the shape."
        raise CheckFailed(finding)
    if finite and not np.isfinite(array).all():
        raise CheckFailed(f"{where}: your answer contains {array[~np.isfinite(array)][0]}; all entries must be finite.")
    return array


def format_answer(answer: Numbers, right: Numbers) -> str:
    """Return an answer on one line; for a large one, the column with the largest error."""
    if answer.size <= MOST_ENTRIES:
        rounding = 1e-12 * np.abs(answer).max(initial=0.0)
        clean = np.where(np.abs(answer) > rounding, answer, 0.0)
        return shorten(np.array2string(clean, precision=6, separator=", "))
    off = np.abs(answer - right) if answer.shape == right.shape else np.abs(answer)
    if answer.ndim == 2:
        column = int(off.max(axis=0).argmax())
        return shorten(f"in column {column} {np.array2string(answer[:, column], precision=6, separator=', ')}")
    return shorten(np.array2string(answer, precision=3, separator=", "))


def explains(slip: Correction | ArrayLike, answer: Numbers, nearest: Callable[[Numbers], Numbers], right: bool) -> bool:
    """Return whether a mistake reproduces the answer; for a wrong answer, much better than the right answer does."""
    # the mistake is a correction, or the answer that it produces; `nearest` returns the right answer nearest to one
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
    given: str = "your function returned",
) -> bool:
    """Check an answer by a measure of its error; if it is wrong, raise the error and the mistake that explains it."""
    # Inside `all_cases` a wrong answer returns False, and the failure is raised at the end. `off` measures the error,
    # zero for a right answer; an int is printed as a count. A mistake is its description mapped to its
    # correction, or to the answer that it produces. `right` is the right answer, or a function that returns the one
    # nearest to an answer; without it no mistake is named. `given` introduces the answer, if the check has computed it
    # from what the function returned.

    def nearest(mine: Numbers) -> Numbers:
        return np.asarray(right(mine) if callable(right) else right, dtype=np.float64)

    miss = off(answer)
    good = bool(miss <= within)
    slips = {} if right is None or slips is None else slips
    with np.errstate(all="ignore"):
        fits = {words: explains(slip, answer, nearest, good) for words, slip in slips.items()}
    problem = None
    if not good:
        mine = format_answer(answer, answer if right is None else nearest(answer))
        hints = [hint(FLOAT32)] if answer.dtype == np.float32 and miss < 1e-4 else []
        is_count = isinstance(miss, int)
        size = f"{miss}" if is_count else f"{miss:.1e}{unit and ' ' + unit}, the tolerance is {within:.0e}"
        finding = f"{where}:\n{given} {mine};\n{what} {size}."
        problem = CheckFailed(finding, [*hints, *locate_errors(answer, right, nearest)])
    if _cases:
        _cases[-1].add(fits, problem)
    else:
        cases = _Cases()
        cases.add(fits, problem)
        cases.end()
    return good


def locate_errors(answer: Numbers, right: Right | None, nearest: Callable[[Numbers], Numbers]) -> list[str]:
    """Return a hint that lists the wrong entries, if at most half of the entries are wrong."""
    if right is None or answer.ndim == 0 or nearest(answer).shape != answer.shape:
        return []
    apart = np.abs(answer - nearest(answer))
    room = np.minimum(ROUNDING * (1 + np.abs(nearest(answer))), SHARE * apart.max(initial=0.0))
    wrong = np.argwhere(apart > room)
    if not 0 < len(wrong) <= answer.size // 2:
        return []
    places = ", ".join(str(tuple(int(i) for i in place) if answer.ndim > 1 else int(place[0])) for place in wrong[:6])
    more = ", …" if len(wrong) > 6 else ""
    right_ones = np.argwhere(apart <= room)
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
    given: str = "your function returned",
) -> bool:
    """Check an answer by its largest difference from the right one; see `check`."""
    expected = np.asarray(right, dtype=np.float64)

    def off(mine: Numbers) -> float:
        return float(np.abs(mine - expected).max(initial=0.0))

    return check(where, answer, off, within, slips, what, unit, expected, given)


def per_student(what: str, usual: ArrayLike, low: ArrayLike, high: ArrayLike, digits: int = 2) -> NDArray[np.float64]:
    """Return a student's numbers, rounded, within bounds, or the default numbers if no student is named."""
    # another purpose `what` draws other numbers
    numbers, low, high = (np.asarray(values, dtype=np.float64) for values in (usual, low, high))
    name = os.environ.get("LESSONS_STUDENT")
    if not name:
        return numbers
    seed = int.from_bytes(hashlib.sha256(f"{name}\0{what}".encode()).digest()[:8], "big")
    drawn = np.random.default_rng(seed).uniform(low, high, numbers.shape)
    return np.clip(np.round(drawn, digits), low, high)
