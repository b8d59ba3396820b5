"""Exceptions of this library. Each message states what is wrong with the value and which values are valid."""

import copyreg
import re
from collections.abc import Container, Mapping, Sequence
from difflib import get_close_matches
from typing import Any


class LessonsError(Exception):
    """Base class of all exceptions of this library."""

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle message, attributes and notes; by default, Python would call the class with its message alone."""
        return copyreg.__newobj__, (type(self), *self.args), self.__dict__ or None  # type: ignore[attr-defined]


class ArgumentError(LessonsError, ValueError):
    """An argument has an invalid value."""


class ConfigurationError(ArgumentError):
    """A joint configuration q has the wrong shape, is not finite, or lies outside its limits."""


class TransformError(ArgumentError):
    """A matrix or vector is not a valid rotation, pose or twist."""


class ScrewError(ArgumentError):
    """A screw axis is neither a normalised rotation nor a unit translation."""


class CouplingError(ArgumentError):
    """A joint coupling has the wrong shape, is not finite, or leaves a coordinate without effect."""


class LimitsError(ArgumentError):
    """Joint limits have the wrong shape, are NaN, or have a lower bound above the upper one."""


class ConventionError(ArgumentError):
    """A Denavit-Hartenberg table has an unknown convention or invalid rows."""


class UrdfError(ArgumentError):
    """A URDF file cannot be read, is not a URDF, or does not describe a tree of joints."""


class FrameNotFound(ArgumentError, KeyError):
    """A robot has no frame of that name.

    Attributes:
        name: Requested name.
        available: Names of the robot's frames.
        robot: Name of the robot.
    """

    def __init__(self, name: object, available: Sequence[str], robot: str = "the robot") -> None:
        """Compose the message, which suggests similar names or lists those available."""
        self.name, self.available, self.robot = name, tuple(available), robot
        super().__init__(f"{robot} has no frame {name!r}; {near_matches(name, self.available)}")

    def __str__(self) -> str:
        """Return the message without the quotes of a KeyError."""
        return str(self.args[0])


class ParameterError(ArgumentError):
    """A damping, weight, tolerance, count, name or other parameter has an invalid value."""


class UnknownArgument(ParameterError, TypeError):
    """A function was called with an argument that it does not have; the message suggests another one."""


class ClaimError(LessonsError):
    """A claim of a lesson is false or could not be proven.

    Attributes:
        counterexample: For a false claim its sentence, the values of its symbols, and left − right there.
    """

    counterexample: tuple[str, Mapping[Any, Any], Any] | None = None


class CodegenError(LessonsError):
    """An expression could not be printed as source code, or the source could not be loaded."""


class StudyError(LessonsError):
    """A study cannot start or continue; stored results stay."""


class KinematicsError(LessonsError):
    """The generated kinematics of a chain differ from its product of exponentials, so they are not used."""


MAX_LISTED = 12
"""Largest number of names that a message lists."""


def _is_part(name: object, longer: str) -> bool:
    """Return whether a name without case and punctuation, such as that of "UR-10", is part of a longer one."""
    plain, whole = (re.sub(r"[\W_]", "", str(one)).lower() for one in (name, longer))
    return len(plain) > 1 and plain in whole


def near_matches(name: object, available: Sequence[str]) -> str:
    """Return the end of a message about an unknown name: "did you mean …?", or the available names."""
    near = get_close_matches(str(name)[:100], available, n=5) or [one for one in available if _is_part(name, one)][:5]
    if near:
        return f"did you mean {' or '.join(map(repr, near))}?"
    listed = ", ".join(map(repr, available[:MAX_LISTED]))
    rest = f", … ({len(available)} in all)" if len(available) > MAX_LISTED else ""
    return f"it has {listed}{rest}" if available else "it has none"


def how_to_call(value: object, examples: str) -> str:
    """Return advice, the end of a message, if a class or function was passed and not called, as the examples are."""
    name = getattr(value, "__name__", "")
    return f"; call it: {name}(…)" if name and f"{name}(" in examples else ""


_DECIMAL_COMMA = re.compile(r"(?<![\d.,])\d*,\d+(?![\d.,])", re.ASCII)
_PAIRS = re.compile(r"[+-]?\d+,\d+(,[+-]?\d+,\d+)*", re.ASCII)


def decimal_comma(line: str, counts: Container[int] = ()) -> str:
    """Return a number with a decimal comma in a line, such as "0,4"; "" if there is none.

    If commas alone separate all numbers, they may be decimal commas of half as many; `counts` are the valid numbers.
    """
    words = [word.rstrip(",") for word in re.split(r"[\s;|]+", line)]
    for word in words:
        if word.count(",") == 1 and len(words) > 1 and (match := _DECIMAL_COMMA.search(word)):
            return match[0]
        if _PAIRS.fullmatch(word) and (word.count(",") + 1) // 2 in counts:
            return ",".join(word.split(",")[:2])
    return ""
