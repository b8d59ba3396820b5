"""Double-double arithmetic: a number is the sum of two doubles, with some 31 digits."""
# Relative errors are below 2⁻¹⁰⁰. Operands and results are finite, and products above 10⁻²⁶⁰. Source: Dekker (1971);
# Joldes, Muller and Popescu, ACM Transactions on Mathematical Software 44 (2017), algorithms 6, 10 and 17.

from __future__ import annotations

import math
from collections.abc import Callable

SPLIT = 134217729.0  # 2²⁷ + 1, which splits a double into two halves


class Operation:
    """An operation that the translator compiles with its callers, like a `Native`."""

    is_separate = contract = is_simd_loop = False

    def __init__(self, function: Callable[..., tuple[float, float]], inline: bool) -> None:
        self.py_func, self.inline, self.__name__ = function, inline, function.__name__

    def __call__(self, *numbers: float) -> tuple[float, float]:
        return self.py_func(*numbers)


def inline(function: Callable[..., tuple[float, float]]) -> Operation:
    return Operation(function, inline=True)


def keep_call(function: Callable[..., tuple[float, float]]) -> Operation:
    """Never inline a function, which would make compilation take much longer."""
    return Operation(function, inline=False)


@inline
def two_sum(a: float, b: float) -> tuple[float, float]:
    """Return a + b and its rounding error."""
    s = a + b
    t = s - a
    return s, (a - (s - t)) + (b - t)


@inline
def two_product(a: float, b: float) -> tuple[float, float]:
    """Return a b and its rounding error; with a fused multiply-add, machine code computes the same in two steps."""
    p, x, y = a * b, SPLIT * a, SPLIT * b
    c, d = x - (x - a), y - (y - b)
    e, f = a - c, b - d
    return p, ((c * d - p) + c * f + e * d) + e * f


@inline
def normalize(a: float, e: float) -> tuple[float, float]:
    """Return a + e as a double and its rounding error, for |a| ≥ |e|."""
    s = a + e
    return s, e - (s - a)


@keep_call
def add(a: float, e: float, b: float, f: float) -> tuple[float, float]:
    s, r = two_sum(a, b)
    t, u = two_sum(e, f)
    s, r = normalize(s, r + t)
    return normalize(s, r + u)


@keep_call
def multiply(a: float, e: float, b: float, f: float) -> tuple[float, float]:
    p, r = two_product(a, b)
    return normalize(p, r + (a * f + e * b))


@keep_call
def divide(a: float, e: float, b: float, f: float) -> tuple[float, float]:
    q = a / b
    p, r = two_product(q, b)
    return normalize(q, ((a - p) + (e - (r + q * f))) / b)


@keep_call
def root(a: float, e: float) -> tuple[float, float]:
    s = math.sqrt(a)
    if not s > 0.0:
        return s, 0.0
    p, r = two_product(s, s)
    return normalize(s, (((a - p) - r) + e) / (2.0 * s))
