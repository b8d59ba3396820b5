"""Loops over lanes that are compiled by hand: they do what Python does with the same text."""

from typing import Any

import numba
import numpy as np
import pytest

from lessons_lib.codegen.loader import names_of
from lessons_lib.codegen.vectors import vectorized

HEADER = "import math\nimport numpy\n\nLIMIT = 2.5\n"
HELPER = '''
def turned(angle):
    """A whole number of half turns, odd or even, and what is left."""
    half_turns = numpy.rint(angle / math.pi)
    odd = numpy.int32(half_turns)
    rest = angle - math.pi * half_turns
    rest, sign = (rest, -1.0) if odd & 1 else (-rest, 1.0)
    return rest, sign if (odd + 1) & 2 else 0.0
'''
MIXED = '''
def mixed(w):
    """Everything that such a loop may hold."""
    for lane in range({width}):
        """Words are passed over."""
        x, y = w[{one} + lane], w[0 + lane]
        small = abs(x) < LIMIT
        least = -x if x < y else (y if y >= 0.5 else math.inf)
        rest, sign = turned(x)
        w[{two} + lane] = x**2 - 3 * y**3 / (1/2 + x**5 * x**3) - (-1/4)
        w[{three} + lane] = math.sqrt(abs(y)) if small else 1.0
        w[{three} + lane] += least if least <= 1e300 else 7.0
        w[{one} + lane] = 1.0 if x == y else rest * sign
'''


def vectors(text: str, name: str) -> Any:
    """Return a function of a text as compiled code, callable from Python."""
    kernel = vectorized(names_of(HEADER + HELPER + text, f"<{name} {hash(text)}>")[name])
    return numba.njit(lambda w: kernel(w))


@pytest.mark.parametrize("width", [1, 2, 8])
def test_a_loop_over_lanes_does_what_python_does(width: int) -> None:
    text = MIXED.format(width=width, one=width, two=2 * width, three=3 * width)
    plain, ours = names_of(HEADER + HELPER + text, "<plain>")["mixed"], vectors(text, "mixed")
    rng = np.random.default_rng(3)
    for _ in range(200):
        before = rng.normal(scale=3.0, size=4 * width)
        before[width] = before[0] if rng.random() < 0.2 else before[width]
        found, expected = before.copy(), before.copy()
        ours(found)
        plain(expected)
        np.testing.assert_allclose(found, expected, rtol=1e-14, atol=1e-15)
    assert len(set(found)) > 2 * width


def test_every_lane_is_computed_at_once() -> None:
    ours = vectors(MIXED.format(width=8, one=8, two=16, three=24), "mixed")
    ours(np.ones(32))
    (text,) = ours.inspect_llvm().values()
    assert "<8 x double>" in text and "br i1" not in text.split("@lanes.mixed")[-1].split("\n}")[0]


@pytest.mark.parametrize("statement", ["while w[0 + lane] > 0.0:\n            pass", "print(w)", "del w"])
def test_another_statement_is_refused_by_its_name(statement: str) -> None:
    refused = vectors(f"def bad(w):\n    for lane in range(2):\n        {statement}\n", "bad")
    with pytest.raises(Exception, match=f"in a loop over lanes: {statement.split()[0].split('(')[0]}"):
        refused(np.ones(2))
