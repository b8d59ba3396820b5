"""Controls of a live figure: a number on a grid or a logarithmic slider, a switch, or a choice."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from itertools import pairwise
from math import isclose, isfinite
from typing import Any

from traitlets import Bool, Enum, Float, TraitError, TraitType

from lessons_lib.errors import ParameterError

__all__ = ["Control"]

HAIR = 1e-6
"""The relative rounding error by which an end may miss the grid."""


@dataclass(frozen=True)
class Control:
    """A number that a reader sets by slider, by typing, or by dragging in the picture.

    The slider moves over the multiples of the step; a typed number, or one set from Python, may be any in the range.

    Attributes:
        name: Python name of the trait, and name of the value in a link.
        words: Description for the label and for screen readers.
        symbol: Symbol in the lesson, plain text; may be empty.
        unit: "m", "°", …; may be empty.
        low: Lower end, a multiple of the step.
        high: Upper end, a multiple of the step.
        step: Grid spacing of the slider.
        start: Initial value, a multiple of the step.
        only: Name of a choice and the options for which this control has an effect and is shown.
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
        """Check the values.

        Raises:
            ParameterError: A number is not finite, an end or the start is off the grid, or the start is out of range.
        """
        if not self.name.isidentifier():
            raise ParameterError(f"the name of a control must be a Python identifier, got {self.name!r}")
        if not all(map(isfinite, (self.low, self.high, self.step, self.start))) or self.step <= 0.0:
            raise ParameterError(f"control {self.name!r} needs finite numbers and a positive step, got {asdict(self)}")
        for what, value in (("low", self.low), ("high", self.high), ("start", self.start)):
            if not isclose(value / self.step, round(value / self.step), rel_tol=0.0, abs_tol=HAIR):
                raise ParameterError(f"{what} of control {self.name!r} must be a multiple of {self.step}, got {value}")
        if not self.low <= self.start <= self.high or self.low == self.high:
            ends = f"[{self.low}, {self.high}]"
            raise ParameterError(f"start of control {self.name!r} must be in {ends}, got {self.start}")

    def trait(self) -> TraitType[Any, Any]:
        """Return a trait for the value."""
        return _Number(self.low, self.high).tag(sync=True)

    def describe(self, start: float) -> dict[str, Any]:
        """Return the control's data for the front end, with another start."""
        return {**asdict(self), "kind": "number", "start": start}


@dataclass(frozen=True)
class LogSlider:
    """A number whose slider moves between given places, usually spaced by factors; any other may be typed."""

    name: str
    words: str
    symbol: str
    unit: str
    places: tuple[float, ...]  # of the slider, increasing; the lowest may be zero
    start: float  # one of the places
    only: tuple[str, ...] | None = None
    square: str = ""  # name of the number's square, if the label also shows it

    def __post_init__(self) -> None:
        """Raise ParameterError unless the places start at zero or above, increase, and include the start."""
        if not self.name.isidentifier():
            raise ParameterError(f"the name of a slider must be a Python identifier, got {self.name!r}")
        rising = all(low < high for low, high in pairwise(self.places))
        if len(self.places) < 2 or not rising or not 0.0 <= self.places[0] or not isfinite(self.places[-1]):
            raise ParameterError(
                f"places of slider {self.name!r} must start at zero or above and increase, got {self.places}"
            )
        if self.start not in self.places:
            raise ParameterError(f"start of slider {self.name!r} must be one of its places, got {self.start}")

    def trait(self) -> TraitType[Any, Any]:
        return _Number(self.places[0], self.places[-1]).tag(sync=True)

    def describe(self, start: float) -> dict[str, Any]:
        """Return the control's data for the front end, with another start."""
        description = {name: getattr(self, name) for name in ("name", "words", "symbol", "unit", "only", "square")}
        ends = {"low": self.places[0], "high": self.places[-1], "step": 0}
        return {**description, **ends, "kind": "number", "start": start, "places": list(self.places)}


@dataclass(frozen=True)
class Switch:
    """A switch for something that is shown or hidden."""

    name: str  # of the trait, and of the value in a link
    words: str  # description for the label
    start: bool = False

    def trait(self) -> TraitType[Any, Any]:
        return Bool().tag(sync=True)

    def describe(self, start: bool) -> dict[str, Any]:
        """Return the control's data for the front end, with another start."""
        return {**asdict(replace(self, start=start)), "kind": "switch"}


@dataclass(frozen=True)
class Choice:
    """A choice between a few options.

    Attributes:
        name: Python name of the trait, and name of the value in a link.
        words: Description for the label.
        options: The options, as readers see them.
        start: Initial option.
        sets: Values that an option assigns to other controls. One option assigns none: it is shown if no other option
            matches.
    """

    name: str
    words: str
    options: tuple[str, ...]
    start: str
    sets: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    def fitting(self, values: Mapping[str, Any]) -> str:
        """Return the option that matches the values of the other controls, or the one that assigns none."""
        for option, own in self.sets.items():
            if all(values[name] == number for name, number in own.items()):
                return option
        return next(option for option in self.options if option not in self.sets)

    def trait(self) -> TraitType[Any, Any]:
        """Return a trait for the option."""
        return Enum(self.options, default_value=self.start).tag(sync=True)

    def describe(self, start: str) -> dict[str, Any]:
        """Return the control's data for the front end, with another start."""
        return {**asdict(replace(self, start=start)), "kind": "choice"}


class _Number(Float[float, float]):
    def __init__(self, low: float, high: float) -> None:
        super().__init__(low)
        self._ends = low, high

    def validate(self, obj: Any, value: Any) -> float:
        """Return the value; TraitError if it is not a number (such as a bool), or out of range."""
        if isinstance(value, bool):
            raise TraitError(f"{self.name} of {type(obj).__name__} must be a number, got {value!r}")
        number = float(super().validate(obj, value))
        low, high = self._ends
        if not low <= number <= high:  # a NaN is out of range, too
            raise TraitError(f"{self.name} of {type(obj).__name__} must be in [{low}, {high}], got {number}")
        return number + 0.0
