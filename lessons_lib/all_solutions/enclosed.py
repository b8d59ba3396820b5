"""Numbers that are known to lie between two others: every rounding goes outward, so what follows from them is proven.

The bounds are doubles or, where these do not settle a question, numbers of mpmath with DIGITS digits.

Plain text of this library runs on them as it stands (`on_numbers`). A comparison whose answer the bounds do
not settle raises Undecided: nothing is guessed. Sums, products, quotients and roots rest on IEEE 754 alone; the arc
tangent is widened by ATAN units in the last place, more than the C library's is off.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any

import numpy as np

from lessons_lib.arrays import Array

ATAN = 4

DIGITS = 60


@cache
def margins() -> tuple[Any, Any]:
    """Return what a result of mpmath is widened by, relatively and at least: a hundred times its rounding."""
    import mpmath  # loaded where doubles do not settle a question

    return mpmath.mpf(10) ** (2 - DIGITS), mpmath.mpf(10) ** -400


class Undecided(Exception):  # noqa: N818 (no fault: an answer that rounding does not give)
    """The bounds of a number do not settle a decision."""


class Enclosed:
    """A real number between two doubles, or two numbers of mpmath."""

    __slots__ = ("lower", "upper")

    def __init__(self, lower: float, upper: float) -> None:
        """Keep the bounds."""
        self.lower, self.upper = lower, upper

    @classmethod
    def around(cls, value: float, radius: float = 0.0) -> Enclosed:
        """Return the numbers that are at most `radius` away from a double."""
        return cls(value, value) if radius == 0.0 else cls(down(value - radius), up(value + radius))

    def __repr__(self) -> str:
        """Return the bounds."""
        return f"[{self.lower!r}, {self.upper!r}]"

    def __neg__(self) -> Enclosed:
        """Return −x, exactly."""
        return Enclosed(-self.upper, -self.lower)

    def __abs__(self) -> Enclosed:
        """Return |x|, exactly."""
        if self.lower >= 0.0:
            return self
        return -self if self.upper <= 0.0 else Enclosed(0.0, max(-self.lower, self.upper))

    def __add__(self, other: Enclosed | float) -> Enclosed:
        """Return x + y."""
        low, high = bounds(other)
        return Enclosed(down(self.lower + low), up(self.upper + high))

    __radd__ = __add__

    def __sub__(self, other: Enclosed | float) -> Enclosed:
        """Return x − y."""
        low, high = bounds(other)
        return Enclosed(down(self.lower - high), up(self.upper - low))

    def __rsub__(self, other: float) -> Enclosed:
        """Return y − x."""
        return Enclosed(down(other - self.upper), up(other - self.lower))

    def __mul__(self, other: Enclosed | float) -> Enclosed:
        """Return x y."""
        low, high = bounds(other)
        if self.lower >= 0.0 and low >= 0.0:  # half the products, which are most of the work
            return Enclosed(down(self.lower * low), up(self.upper * high))
        products = self.lower * low, self.lower * high, self.upper * low, self.upper * high
        return Enclosed(down(min(products)), up(max(products)))

    __rmul__ = __mul__

    def __truediv__(self, other: Enclosed | float) -> Enclosed:
        """Return x / y."""
        low, high = bounds(other)
        if low <= 0.0 <= high:
            raise Undecided("a divisor that may be zero")
        quotients = self.lower / low, self.lower / high, self.upper / low, self.upper / high
        return Enclosed(down(min(quotients)), up(max(quotients)))

    def __rtruediv__(self, other: float) -> Enclosed:
        """Return y / x."""
        return Enclosed(other, other) / self

    def __lt__(self, other: Enclosed | float) -> bool:
        """Return whether x < y."""
        low, high = bounds(other)
        if self.upper < low or self.lower >= high:
            return self.upper < low
        raise Undecided(f"whether {self} is below {other}")

    def __le__(self, other: Enclosed | float) -> bool:
        """Return whether x ≤ y."""
        low, high = bounds(other)
        if self.upper <= low or self.lower > high:
            return self.upper <= low
        raise Undecided(f"whether {self} is below {other}")

    def __gt__(self, other: Enclosed | float) -> bool:
        """Return whether x > y."""
        return not self <= other

    def __ge__(self, other: Enclosed | float) -> bool:
        """Return whether x ≥ y."""
        return not self < other


def bounds(x: Enclosed | float) -> tuple[float, float]:
    """Return the bounds of a number; of a double, itself twice."""
    return (x.lower, x.upper) if isinstance(x, Enclosed) else (x, x)


def down(x: Any) -> Any:
    """Return a number below a result, which the exact one is not below."""
    if x.__class__ is float:
        return math.nextafter(x, -math.inf)
    fine, tiny = margins()
    return x - abs(x) * fine - tiny


def up(x: Any) -> Any:
    """Return a number above a result."""
    if x.__class__ is float:
        return math.nextafter(x, math.inf)
    fine, tiny = margins()
    return x + abs(x) * fine + tiny


def sqrt(x: Enclosed | float) -> Enclosed:
    """Return the root."""
    low, high = bounds(x)
    if low < 0.0:
        raise Undecided(f"the root of {x}")
    root: Any = math.sqrt
    if low.__class__ is not float:
        import mpmath

        root = mpmath.sqrt
    return Enclosed(max(0.0, down(root(low))), up(root(high)))


def atan2(y: Enclosed | float, x: Enclosed | float) -> Enclosed:
    """Return the angle of (x, y); where it may be half a turn, above π it goes on."""
    (bottom, top), (left, right) = bounds(y), bounds(x)
    if left <= 0.0 <= right and bottom <= 0.0 <= top:
        raise Undecided("the direction of a point that may be at the origin")
    if left < 0.0 and bottom < 0.0 <= top:  # across half a turn
        opposite = atan2(-Enclosed(bottom, top), -Enclosed(left, right))
        return opposite + (Enclosed(down(math.pi), up(math.pi)) if left.__class__ is float else half_a_turn())
    if left.__class__ is not float:
        import mpmath

        exact = [mpmath.atan2(b, a) for a in (left, right) for b in (bottom, top)]
        return Enclosed(down(min(exact)), up(max(exact)))
    corners = [math.atan2(b, a) for a in (left, right) for b in (bottom, top)]
    low, high = min(corners), max(corners)
    return Enclosed(low - ATAN * math.ulp(low), high + ATAN * math.ulp(high))


@cache
def half_a_turn() -> Enclosed:
    """Return π between two numbers of DIGITS digits."""
    import mpmath

    with mpmath.workdps(DIGITS):
        return Enclosed(down(+mpmath.pi), up(+mpmath.pi))


def on_numbers(mathematics: object, function: Callable[..., Any], *modules: ModuleType) -> Callable[..., Any]:
    """Return a function of plain text, with all that it calls in these modules, for numbers of another kind.

    Args:
        mathematics: What stands in the place of `math`: mpmath, SymPy, or ENCLOSED.
        function: What is called.
        modules: Where it and its like are written.
    """
    names: dict[str, Any] = {}
    for module in modules:
        names.update(vars(module))
    names["math"] = mathematics
    for name, found in list(names.items()):
        if isinstance(found, FunctionType) and found.__module__ in {module.__name__ for module in modules}:
            names[name] = FunctionType(found.__code__, names, name)
    made: Callable[..., Any] = names[function.__name__]
    return made


ENCLOSED = SimpleNamespace(sqrt=sqrt, atan2=atan2)


def enclosed(numbers: Array, radius: float, number: Any = float) -> Any:
    """Return an array of numbers, each enclosed; whole ones are exact.

    Args:
        numbers: Of any shape.
        radius: How far from each the true one may be.
        number: Kind of the bounds, float or mpmath.mpf.
    """
    found = np.empty(numbers.shape, dtype=object)
    for place, value in np.ndenumerate(numbers):
        found[place] = Enclosed.around(number(float(value)), 0.0 if float(value).is_integer() else radius)
    return found


def exact_rotation(R: Array, number: Any = float) -> list[list[Enclosed]]:
    """Return the rotation that a matrix of doubles stands for: the nearest one, R (RᵀR)^(−1/2), enclosed.

    With RᵀR = I + E the factor is I − E/2 + 3/8 E² − … + F, where |F| ≤ |E|^(k + 1) in the spectral norm after k terms
    as long as |E| ≤ ¼.

    Args:
        R: Shape (3, 3); RᵀR differs from the identity by at most ¼.
        number: Kind of the bounds, float or mpmath.mpf.
    """
    rows = [[Enclosed.around(number(float(one))) for one in line] for line in R]
    identity: list[list[Any]] = [[float(i == j) for j in range(3)] for i in range(3)]
    E = [[sum((rows[k][i] * rows[k][j] for k in range(3)), start=-identity[i][j]) for j in range(3)] for i in range(3)]
    size = max(max(abs(low), abs(high)) for line in E for low, high in map(bounds, line)) * 3
    if size > 0.25:
        raise Undecided("a matrix that is far from a rotation")
    factor: list[list[Any]]
    factor, power, weight = identity, identity, Enclosed.around(number(1.0))
    k, rest = 0, up(size)
    while k == 0 or number is not float and k < TERMS and rest > margins()[0]:
        k, rest = k + 1, up(rest * size)
        power, weight = product(power, E) if k > 1 else E, weight * (1 - 2 * k) / (2.0 * k)
        factor = [[factor[i][j] + weight * power[i][j] for j in range(3)] for i in range(3)]
    factor = [[entry + Enclosed(-rest, rest) for entry in line] for line in factor]
    return product(rows, factor)


TERMS = 9
"""At most so many terms."""


def product(A: list[list[Any]], B: list[list[Any]]) -> list[list[Any]]:
    """Return the product of two 3×3 matrices."""
    return [[sum((A[i][k] * B[k][j] for k in range(3)), start=0.0) for j in range(3)] for i in range(3)]


def transposed(A: list[list[Any]]) -> list[list[Any]]:
    """Return a matrix with rows for columns."""
    return [list(line) for line in zip(*A, strict=True)]
