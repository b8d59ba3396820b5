"""Generated sine and cosine against mpmath, and when kernels use them."""

import math

import mpmath
import numpy as np
import pytest
import sympy as sp

from lessons_lib.codegen import Kernel, source
from lessons_lib.codegen.cache import run
from lessons_lib.codegen.linker import add_decorators
from lessons_lib.symbolic.sine_cosine import LARGEST_ANGLE

a, b = sp.symbols("a b", real=True)
EDGES = [
    0.0, -0.0, 5e-324, 1e-300, 1e-8, np.pi / 4, np.nextafter(np.pi / 4, 1), np.pi / 2, np.pi, 1.5 * np.pi, 100.0,
    np.nextafter(LARGEST_ANGLE, 0), LARGEST_ANGLE, 1e6, 1e15, 1e300,
]  # fmt: skip


def scalar(kernel):
    """Return the names of the generated module as plain Python."""
    space = {}
    text = source([kernel], "scalar")
    exec(text, space)
    return space


PAIR = Kernel("k", {"q": sp.Matrix([a])}, {"u": sp.Matrix([sp.sin(a), sp.cos(a)])})


def of_the_kernel(*entries):
    """Return the text of a kernel's function."""
    text = source([Kernel("k", {"q": sp.Matrix([a, b])}, {"u": sp.Matrix(entries)})], "scalar")
    return text[text.index("def k(") :]


def test_sine_and_cosine_are_computed_in_pairs_only_if_both_are_needed():
    both = of_the_kernel(sp.sin(a) + sp.cos(a), sp.cos(b))
    assert both.count("sine_cosine(") == 1 and both.count("math.cos(") == 1 and "math.sin(" not in both
    for alone in (sp.sin, sp.cos):
        text = of_the_kernel(alone(a), alone(b))
        assert text.count(f"math.{alone.__name__}(") == 2 and "sine_cosine(" not in text


MANY = """
@native
def many(angles, found):
    for i in range(angles.size):
        found[0, i], found[1, i] = sine_cosine(angles[i])
"""


def compiled_pair():
    space = {}
    text = "from lessons_lib.codegen.native import native\n\n" + add_decorators(source([PAIR], "scalar")) + MANY
    run(text, "<many pairs>", space)
    return space["many"]


@pytest.mark.parametrize("reach", [np.pi / 4, 2 * np.pi, 100.0, 0.99 * LARGEST_ANGLE])
def test_the_pair_has_an_error_below_three_units_in_the_last_place(reach):
    angles = np.random.default_rng(8).uniform(-reach, reach, 4000)
    angles[:50] = np.arange(50) % 25 * np.pi / 2 * min(1.0, reach / 50)
    found = np.empty((2, angles.size))
    compiled_pair()(angles, found)
    with mpmath.workdps(50):
        for row, function in zip(found, (mpmath.sin, mpmath.cos), strict=True):
            for angle, value in zip(angles, row, strict=True):
                exact = function(mpmath.mpf(angle))
                # r is rounded twice, the polynomial's sum and product once each
                assert abs(mpmath.mpf(value) - exact) <= 3 * np.spacing(abs(value)), angle


@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize("angle", EDGES)
def test_the_pair_at_special_angles(angle, sign):
    sine, cosine = scalar(PAIR)["sine_cosine"](sign * angle)
    unit = np.spacing(1.0)
    assert sine == pytest.approx(math.sin(sign * angle), abs=unit, rel=3 * unit)
    assert cosine == pytest.approx(math.cos(angle), abs=unit, rel=3 * unit)
