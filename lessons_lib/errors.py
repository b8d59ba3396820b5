"""Every error this library raises on purpose.

Each message names the value that was wrong and says what would have been valid.
"""

import copyreg
import re
from collections.abc import Container, Sequence
from difflib import get_close_matches


class LessonsError(Exception):
    """Root of all errors of this library: `except LessonsError` catches every one of them."""

    def __reduce__(self) -> tuple[object, ...]:
        """Let the error cross from one process to another as it is: message, attributes and notes.

        Python would call the class with the finished message, which not every error of ours is made from.
        """
        return copyreg.__newobj__, (type(self), *self.args), self.__dict__ or None  # type: ignore[attr-defined]


class ArgumentError(LessonsError, ValueError):
    """A caller passed something that can never be right."""


class ConfigurationError(ArgumentError):
    """A joint configuration q has the wrong shape, is not finite, or lies outside its limits."""


class TransformError(ArgumentError):
    """A matrix or vector is not the rotation, pose or twist that was asked for."""


class ScrewError(ArgumentError):
    """A screw axis is neither a normalised rotation nor a unit translation."""


class CouplingError(ArgumentError):
    """A coupling of joints has the wrong shape, is not finite, or leaves a coordinate without effect."""


class LimitsError(ArgumentError):
    """Joint limits have the wrong shape, are NaN, or have a lower bound above the upper one."""


class ConventionError(ArgumentError):
    """A Denavit-Hartenberg table was given with a convention or rows that do not exist."""


class UrdfError(ArgumentError):
    """A URDF file cannot be read, is no URDF, or describes what is not a tree of joints."""


class FrameNotFound(ArgumentError, KeyError):
    """A robot has no frame of that name.

    Attributes:
        name: What was asked for.
        available: The frames that there are.
        robot: Its name.
    """

    def __init__(self, name: object, available: Sequence[str], robot: str = "the robot") -> None:
        """Say which names are near to `name`, or what there is where none is near."""
        self.name, self.available, self.robot = name, tuple(available), robot
        super().__init__(f"{robot} has no frame {name!r}; {near_matches(name, self.available)}")

    def __str__(self) -> str:
        """Return the message as it is: a KeyError would quote it."""
        return str(self.args[0])


class ParameterError(ArgumentError):
    """A damping, weight, tolerance, count or name has no meaning where it was used."""


class UnknownArgument(ParameterError, TypeError):
    """A function was called with an argument that it does not have; the message says what to write instead."""


class ClaimError(LessonsError):
    """A claim of a lesson is false, or could not be proven."""


class CodegenError(LessonsError):
    """An expression could not be turned into source code, or the source could not be loaded."""


class StudyError(LessonsError):
    """A study cannot begin, or could not go on; what was done until then is kept, where it is kept at all."""


class KinematicsError(LessonsError):
    """The generated kinematics of a chain are not its product of exponentials; nothing is computed with them."""


MAX_LISTED = 12
"""So many names a message lists at most."""


def near_matches(name: object, available: Sequence[str]) -> str:
    """Return the end of a message about an unknown name: "did you mean …?", or what there is."""
    near = get_close_matches(str(name)[:100], available, n=5)
    if near:
        return f"did you mean {' or '.join(map(repr, near))}?"
    listed = ", ".join(map(repr, available[:MAX_LISTED]))
    rest = f", … ({len(available)} in all)" if len(available) > MAX_LISTED else ""
    return f"it has {listed}{rest}" if available else "it has none"


_DECIMAL_COMMA = re.compile(r"(?<![\d.,])\d*,\d+(?![\d.,])", re.ASCII)
_PAIRS = re.compile(r"[+-]?\d+,\d+(,[+-]?\d+,\d+)*", re.ASCII)


def decimal_comma(line: str, counts: Container[int] = ()) -> str:
    """Return a number of a line that is written with a decimal comma, such as "0,4"; "" if there is none.

    A comma separates numbers if a blank follows it, or if commas alone separate all numbers of a line. Whole numbers in
    such a line may also be half as many numbers with a decimal comma: they are taken for these if `counts` holds half
    their number.
    """
    words = [word.rstrip(",") for word in re.split(r"[\s;|]+", line)]
    for word in words:
        if word.count(",") == 1 and len(words) > 1 and (found := _DECIMAL_COMMA.search(word)):
            return found[0]
        if _PAIRS.fullmatch(word) and (word.count(",") + 1) // 2 in counts:
            return ",".join(word.split(",")[:2])
    return ""
