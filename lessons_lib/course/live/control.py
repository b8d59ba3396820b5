"""What a reader can set in a live figure: a number on a grid, a switch, or one of a few choices."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from itertools import pairwise
from math import isclose, isfinite
from typing import Any

from traitlets import Bool, Enum, Float, TraitError, TraitType

from lessons_lib.errors import ParameterError

__all__ = ["Control"]

HAIR = 1e-6
"""Part of a step by which an end may miss its place on the grid and still be meant: the rounding of a product."""


@dataclass(frozen=True)
class Control:
    """A number that a reader sets by slider, by typing, or by dragging something in the picture.

    The slider walks over the whole multiples of the step; a typed number, or one set from Python, need not be one.

    Attributes:
        name: Of the trait in Python and of the value in a link, a Python name.
        words: What it is, for the label and for screen readers.
        symbol: As the lesson writes it, plain text; may be empty.
        unit: "m", "°", …; may be empty.
        low: Its least value, a multiple of the step.
        high: Its largest value, a multiple of the step.
        step: From place to place.
        start: Where it stands at first, a multiple of the step.
        only: Name of a choice and what may be chosen there for this control to have an effect, and to be shown.
    """

    name: str
    words: str
    symbol: str
    unit: str
    low: float
    high: float
    step: float
    start: float
    only: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        """Refuse what a slider could not show as it is.

        Raises:
            ParameterError: A number is not finite, an end or the start is off the grid, or the start is not between.
        """
        if not self.name.isidentifier():
            raise ParameterError(f"a control is named {self.name!r}; it becomes a trait, so it is a Python name")
        if not all(map(isfinite, (self.low, self.high, self.step, self.start))) or self.step <= 0.0:
            raise ParameterError(f"control {self.name!r}: numbers are finite, the step positive, got {asdict(self)}")
        for what, value in (("low", self.low), ("high", self.high), ("start", self.start)):
            if not isclose(value / self.step, round(value / self.step), rel_tol=0.0, abs_tol=HAIR):
                raise ParameterError(f"{what} of control {self.name!r} is {value}, no multiple of its step {self.step}")
        if not self.low <= self.start <= self.high or self.low == self.high:
            raise ParameterError(f"control {self.name!r} starts at {self.start}; it lies in [{self.low}, {self.high}]")

    def trait(self) -> TraitType[Any, Any]:
        """Return the trait that holds the value."""
        return _Number(self.low, self.high).tag(sync=True)

    def described(self, start: float) -> dict[str, Any]:
        """Return what the front end is told, with another start."""
        return {**asdict(self), "kind": "number", "start": start}


@dataclass(frozen=True)
class Ladder:
    """A number whose slider goes by factors, from rung to rung; zero may be the lowest rung. A typed number may be any.

    Attributes:
        name, words, symbol, unit, only: As of a `Control`.
        rungs: The places of the slider, from the lowest to the highest.
        start: Where it stands at first, one of the rungs.
        square: What the square of the number is called, where the label tells that, too; may be empty.
    """

    name: str
    words: str
    symbol: str
    unit: str
    rungs: tuple[float, ...]
    start: float
    only: tuple[str, ...] | None = None
    square: str = ""

    def __post_init__(self) -> None:
        """Refuse what a slider could not show as it is.

        Raises:
            ParameterError: The rungs do not rise, or are not finite, or negative, or the start is none of them.
        """
        if not self.name.isidentifier():
            raise ParameterError(f"a ladder is named {self.name!r}; it becomes a trait, so it is a Python name")
        rising = all(low < high for low, high in pairwise(self.rungs))
        if len(self.rungs) < 2 or not rising or not 0.0 <= self.rungs[0] or not isfinite(self.rungs[-1]):
            raise ParameterError(f"the rungs of ladder {self.name!r} rise from zero or above, got {self.rungs}")
        if self.start not in self.rungs:
            raise ParameterError(f"ladder {self.name!r} starts at {self.start}, which is none of its rungs")

    def trait(self) -> TraitType[Any, Any]:
        """Return the trait that holds the value."""
        return _Number(self.rungs[0], self.rungs[-1]).tag(sync=True)

    def described(self, start: float) -> dict[str, Any]:
        """Return what the front end is told, with another start."""
        told = {name: getattr(self, name) for name in ("name", "words", "symbol", "unit", "only", "square")}
        ends = {"low": self.rungs[0], "high": self.rungs[-1], "step": 0}
        return {**told, **ends, "kind": "number", "start": start, "places": list(self.rungs)}


@dataclass(frozen=True)
class Switch:
    """Something that is shown or not.

    Attributes:
        name: Of the trait in Python and of the value in a link, a Python name.
        words: What it is, for the label.
        start: Whether it is on at first.
    """

    name: str
    words: str
    start: bool = False

    def trait(self) -> TraitType[Any, Any]:
        """Return the trait that holds the value."""
        return Bool().tag(sync=True)

    def described(self, start: bool) -> dict[str, Any]:
        """Return what the front end is told, with another start."""
        return {**asdict(replace(self, start=start)), "kind": "switch"}


@dataclass(frozen=True)
class Choice:
    """One of a few.

    Attributes:
        name: Of the trait in Python and of the value in a link, a Python name.
        words: What is chosen, for the label.
        options: What there is to choose from, in the words that a reader sees.
        start: What is chosen at first.
        sets: The numbers that an option gives to other controls. One option gives none: it is shown wherever they hold
            something else.
    """

    name: str
    words: str
    options: tuple[str, ...]
    start: str
    sets: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    def fitting(self, values: Mapping[str, Any]) -> str:
        """Return the option whose numbers the other controls hold, or the one that gives none."""
        for option, own in self.sets.items():
            if all(values[name] == number for name, number in own.items()):
                return option
        return next(option for option in self.options if option not in self.sets)

    def trait(self) -> TraitType[Any, Any]:
        """Return the trait that holds what is chosen."""
        return Enum(self.options, default_value=self.start).tag(sync=True)

    def described(self, start: str) -> dict[str, Any]:
        """Return what the front end is told, with another start."""
        return {**asdict(replace(self, start=start)), "kind": "choice"}


class _Number(Float[float, float]):
    """A finite number between two ends."""

    def __init__(self, low: float, high: float) -> None:
        super().__init__(low)
        self._ends = low, high

    def validate(self, obj: Any, value: Any) -> float:
        """Return the value.

        Raises:
            TraitError: It is no number, such as a truth value, or beyond an end.
        """
        if isinstance(value, bool):
            raise TraitError(f"{self.name} of {type(obj).__name__} is {value}; it is a number")
        number = float(super().validate(obj, value))
        low, high = self._ends
        if not low <= number <= high:  # a NaN is beyond, too
            raise TraitError(f"{self.name} of {type(obj).__name__} is {number}; it lies in [{low}, {high}]")
        return number + 0.0
