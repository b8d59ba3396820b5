"""Interval arithmetic with outward rounding, in doubles or in mpmath numbers of DIGITS digits."""
# compilable functions also run on intervals (`rebind_math`); an undecided comparison raises UndecidedComparison

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any

import numpy as np

from lessons_lib.arrays import Array

ATAN_ULPS = 4  # units in the last place by which an arc tangent is widened
DIGITS = 60


@cache
def rounding_margins() -> tuple[Any, Any]:
    """Return the relative and absolute widening of an mpmath result: a hundred times its rounding."""
    import mpmath  # loaded if doubles do not decide

    return mpmath.mpf(10) ** (2 - DIGITS), mpmath.mpf(10) ** -400


class UndecidedComparison(Exception):  # noqa: N818 (no error: rounding hides the result)
    """A comparison that the bounds of an interval do not decide."""


class Interval:
    """A real number between two doubles, or two mpmath numbers."""

    __slots__ = ("lower", "upper")

    def __init__(self, lower: float, upper: float) -> None:
        self.lower, self.upper = lower, upper

    @classmethod
    def around(cls, value: float, radius: float = 0.0) -> Interval:
        return cls(value, value) if radius == 0.0 else cls(round_down(value - radius), round_up(value + radius))

    def __repr__(self) -> str:
        return f"[{float(self.lower)!r}, {float(self.upper)!r}]"

    def __neg__(self) -> Interval:
        return Interval(-self.upper, -self.lower)

    def __abs__(self) -> Interval:
        if self.lower >= 0.0:
            return self
        return -self if self.upper <= 0.0 else Interval(0.0, max(-self.lower, self.upper))

    def __add__(self, other: Interval | float) -> Interval:
        low, high = bounds(other)
        return Interval(round_down(self.lower + low), round_up(self.upper + high))

    __radd__ = __add__

    def __sub__(self, other: Interval | float) -> Interval:
        return self + -other

    def __rsub__(self, other: float) -> Interval:
        return -self + other

    def __mul__(self, other: Interval | float) -> Interval:
        low, high = bounds(other)
        if self.lower >= 0.0 and low >= 0.0:  # half the products, which are most of the work
            return Interval(round_down(self.lower * low), round_up(self.upper * high))
        products = self.lower * low, self.lower * high, self.upper * low, self.upper * high
        return Interval(round_down(min(products)), round_up(max(products)))

    __rmul__ = __mul__

    def __truediv__(self, other: Interval | float) -> Interval:
        low, high = bounds(other)
        if low <= 0.0 <= high:
            raise UndecidedComparison("whether a divisor is zero")
        quotients = self.lower / low, self.lower / high, self.upper / low, self.upper / high
        return Interval(round_down(min(quotients)), round_up(max(quotients)))

    def __rtruediv__(self, other: float) -> Interval:
        return Interval(other, other) / self

    def __lt__(self, other: Interval | float) -> bool:
        low, high = bounds(other)
        if self.upper < low or self.lower >= high:
            return self.upper < low
        raise UndecidedComparison(f"whether {self} is below {other}")

    def __le__(self, other: Interval | float) -> bool:
        low, high = bounds(other)
        if self.upper <= low or self.lower > high:
            return self.upper <= low
        raise UndecidedComparison(f"whether {self} is below {other}")

    def __gt__(self, other: Interval | float) -> bool:
        return not self <= other

    def __ge__(self, other: Interval | float) -> bool:
        return not self < other


def bounds(x: Interval | float) -> tuple[float, float]:
    return (x.lower, x.upper) if isinstance(x, Interval) else (x, x)


def middle_and_radius(x: Interval | float) -> tuple[float, float]:
    """Return the midpoint of an interval and a bound on the distance from it."""
    low, high = bounds(x)
    middle = 0.5 * (low + high)
    return middle, 0.0 if low == high else round_up(max(high - middle, middle - low))


def round_down(x: Any) -> Any:
    if x.__class__ is float:
        return math.nextafter(x, -math.inf)
    fine, tiny = rounding_margins()
    return x - abs(x) * fine - tiny


def round_up(x: Any) -> Any:
    if x.__class__ is float:
        return math.nextafter(x, math.inf)
    fine, tiny = rounding_margins()
    return x + abs(x) * fine + tiny


def sqrt(x: Interval | float) -> Interval:
    low, high = bounds(x)
    if low < 0.0:
        raise UndecidedComparison(f"whether {x}, under a root, is negative")
    root: Any = math.sqrt
    if low.__class__ is not float:
        import mpmath

        root = mpmath.sqrt
    return Interval(max(0.0, round_down(root(low))), round_up(root(high)))


def atan2(y: Interval | float, x: Interval | float) -> Interval:
    """Return the angle of (x, y); an interval that contains π continues above π."""
    (bottom, top), (left, right) = bounds(y), bounds(x)
    if left <= 0.0 <= right and bottom <= 0.0 <= top:
        raise UndecidedComparison("whether a point is at the origin")
    if left < 0.0 and bottom < 0.0 <= top:  # contains π
        opposite = atan2(-Interval(bottom, top), -Interval(left, right))
        return opposite + enclose_pi(left.__class__ is float)
    if left.__class__ is not float:
        import mpmath

        exact = [mpmath.atan2(b, a) for a in (left, right) for b in (bottom, top)]
        return Interval(round_down(min(exact)), round_up(max(exact)))
    corners = [math.atan2(b, a) for a in (left, right) for b in (bottom, top)]
    low, high = min(corners), max(corners)
    return Interval(low - ATAN_ULPS * math.ulp(low), high + ATAN_ULPS * math.ulp(high))


@cache
def enclose_pi(is_double: bool) -> Interval:
    """Return an interval around π, of doubles or of DIGITS digits."""
    if is_double:
        return Interval(round_down(math.pi), round_up(math.pi))
    import mpmath

    with mpmath.workdps(DIGITS):
        return Interval(round_down(+mpmath.pi), round_up(+mpmath.pi))


def rebind_math(
    mathematics: object, function: Callable[..., Any], *modules: ModuleType, **others: object
) -> Callable[..., Any]:
    """Return a compilable function of `modules`, which has its callees, with another `math` and `others` replaced."""
    names: dict[str, Any] = {}
    for module in modules:
        names.update(vars(module))
    names |= {"math": mathematics, **others}
    for name, value in list(names.items()):
        if isinstance(value, FunctionType) and value.__module__ in {module.__name__ for module in modules}:
            names[name] = FunctionType(value.__code__, names, name)
    rebound: Callable[..., Any] = names[function.__name__]
    return rebound


INTERVAL_MATH = SimpleNamespace(sqrt=sqrt, atan2=atan2)


def enclose_array(numbers: Array, radius: float, number: Any = float) -> Any:
    """Return intervals of a radius around numbers; whole numbers are exact."""
    enclosures = np.empty(numbers.shape, dtype=object)
    for place, value in np.ndenumerate(numbers):
        enclosures[place] = Interval.around(number(float(value)), 0.0 if float(value).is_integer() else radius)
    return enclosures


MAX_TERMS = 9  # of the series


def exact_rotation(R: Array, number: Any = float) -> Any:
    """Return intervals of the rotation nearest to a matrix of doubles, R (RᵀR)^(−1/2), shape (3, 3)."""
    # With RᵀR = I + E the factor is I − E/2 + 3/8 E² − … + F, where |F| ≤ |E|^(k + 1) after k terms if |E| ≤ ¼
    # (spectral norm).
    rows: Any = np.array([[Interval.around(number(float(one))) for one in line] for line in R], dtype=object)
    E = rows.T @ rows - np.eye(3)
    size = max(max(abs(low), abs(high)) for low, high in map(bounds, E.ravel())) * 3
    if size > 0.25:
        raise UndecidedComparison("whether a matrix is close to a rotation")
    factor: Any = np.eye(3)
    power, weight, k, rest = E, Interval.around(number(1.0)), 0, round_up(size)
    while k == 0 or number is not float and k < MAX_TERMS and rest > rounding_margins()[0]:
        k, rest = k + 1, round_up(rest * size)
        power, weight = power @ E if k > 1 else E, weight * (1 - 2 * k) / (2.0 * k)
        factor = factor + power * weight
    return rows @ (factor + Interval(-rest, rest))
