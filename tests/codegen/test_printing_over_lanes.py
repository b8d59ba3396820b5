"""Kernels printed for SIMD lanes: each lane equals the scalar kernel, lanes are independent, loops are vectorized."""

import math
import re

import mpmath
import numpy as np
import pytest
import sympy as sp

from lessons_lib.codegen import Kernel, compiled, lanes
from lessons_lib.codegen.cache import run
from lessons_lib.codegen.scalar_target import bounded_sine_cosine_text
from lessons_lib.codegen.translate import Unit
from lessons_lib.symbolic.sine_cosine import LARGEST_ANGLE
from lessons_lib.symbolic.stumpff_functions import stumpff, stumpff_value

a, b, c, step = sp.symbols("a b c step", real=True)
LANES = 4

MIXED = Kernel(
    "mixed",
    {"q": sp.Matrix([a, b]), "M": sp.Matrix([[c, 0], [1, sp.Symbol("d", real=True)]])},
    {"u": sp.Matrix([sp.sin(a) * step, sp.cos(a) + c]), "P": sp.Matrix([[sp.cos(b), sp.sin(b)], [step, 7]])},
    [(step, sp.Symbol("d", real=True) / (1 + c**2))],
    "Sines, a step, a matrix with fixed entries.",
)
AT = {"q": 1, "M": 4, "u": 9, "P": 11}  # rows 0, 3, 8 and 15 are unused
ROWS = 16


def module(kernels, rows):
    """Return the kernels of a module printed for SIMD lanes."""
    parts = [bounded_sine_cosine_text(), *(lanes.function(kernel, rows, LANES) for kernel in kernels)]
    return execute("\n\n\n".join(parts), {kernel.name for kernel in kernels})


def execute(text, kernels):
    """Execute a text and return its kernels."""
    header = "import math\nimport numpy\nfrom lessons_lib.codegen.native import vectorized\n"
    space = {}
    run(header + text, f"<over lanes {hash(text)}>", space)
    return {kernel: space[kernel] for kernel in kernels}


@pytest.fixture(scope="module")
def mixed():
    return module([MIXED], AT)["mixed"]


@pytest.fixture(scope="module")
def plain():
    return compiled([MIXED]).mixed


def random_array(seed=5, reach=3.0):
    return np.random.default_rng(seed).uniform(-reach, reach, (ROWS, LANES))


def test_each_lane_equals_the_scalar_kernel(mixed, plain):
    for reach in (1e-9, 3.0, 0.99 * LARGEST_ANGLE):
        w = random_array(reach=reach)
        before = w.copy()
        mixed(w)
        after = w
        for lane in range(LANES):
            u, P = np.empty(2), np.empty((2, 2))
            plain(before[1:3, lane].copy(), before[4:8, lane].reshape(2, 2).copy(), u, P)
            # the compiler may fuse other products with other sums: a few roundings of half a unit
            np.testing.assert_allclose(after[9:11, lane], u, rtol=1e-15, atol=4e-16 * max(1.0, reach))
            np.testing.assert_allclose(after[11:15, lane].reshape(2, 2), P, rtol=1e-15, atol=4e-16)


def test_only_the_rows_of_the_outputs_are_written(mixed):
    w = random_array()
    before = w.copy()
    mixed(w)
    after = w
    untouched = [row for row in range(ROWS) if not 9 <= row < 15]
    np.testing.assert_array_equal(after[untouched], before[untouched])
    assert (after[9:15] != before[9:15]).any(axis=1).all()


@pytest.mark.parametrize("bad", [np.nan, np.inf, 1e300])
def test_lanes_are_independent(mixed, bad):
    """NaN, infinity or a huge number in one lane does not change a bit in the others."""
    clean = random_array()
    expected = clean.copy()
    mixed(expected)
    for lane in range(LANES):
        w = clean.copy()
        w[1:8, lane] = bad
        mixed(w)
        others = [k for k in range(LANES) if k != lane]
        np.testing.assert_array_equal(w[:, others], expected[:, others])


def test_outputs_may_overwrite_inputs():
    swap = Kernel("swap", {"q": sp.Matrix([a, b])}, {"u": sp.Matrix([b, a + b])})
    w = np.arange(2.0 * LANES).reshape(2, LANES)
    module([swap], {"q": 0, "u": 0})["swap"](w)
    np.testing.assert_array_equal(w, [np.arange(LANES) + LANES, 2.0 * np.arange(LANES) + LANES])


def test_a_simd_loop_becomes_vector_instructions(mixed):
    """Checked in LLVM IR, which does not depend on the processor."""
    unit = Unit()
    unit.function(mixed, (f"f2x{LANES}",))
    text = unit.text()
    assert re.search(r"= f(mul|add|sub|div) contract <4 x double>", text), "the loop was not vectorized"
    assert not re.search(r"@(llvm\.)?(sin|cos)\b", text), "the loop contains a library call"


@pytest.mark.parametrize("angle", [0.0, 1e-9, 1e-3, 1.0, 2.5, np.pi])
def test_stumpff_functions_are_expanded_to_rounding_up_to_pi(angle):
    """Each order against the defining series by mpmath, relative to its largest value 1/n!."""
    for orders in ([3], [1, 2, 3], [2, 5]):
        names = sp.symbols(f"y0:{len(orders)}", real=True)
        given = [(name, stumpff(n, a)) for name, n in zip(names, orders, strict=True)]
        known = {a: sp.Float(angle**2, 30)}
        for symbol, expression in lanes.expand_stumpff_up_to_pi(given, a):
            known[symbol] = expression.xreplace(known)
        for name, n in zip(names, orders, strict=True):
            exact = stumpff_value(n, mpmath.mpf(angle**2))
            assert abs(float(known[name]) - float(exact)) <= 4e-16 / math.factorial(n)
