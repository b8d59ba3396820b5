"""SIMD loops give the same results as Python."""

import numpy as np
import pytest

from lessons_lib.codegen.cache import run
from lessons_lib.errors import CodegenError

HEADER = "import math\nimport numpy\nfrom lessons_lib.codegen.native import vectorized\n\nLIMIT = 2.5\n"
HELPER = '''
def turned(angle):
    """Remainder of an angle modulo π, and a sign."""
    half_turns = numpy.rint(angle / math.pi)
    odd = numpy.int32(half_turns)
    rest = angle - math.pi * half_turns
    rest, sign = (rest, -1.0) if odd & 1 else (-rest, 1.0)
    return rest, sign if (odd + 1) & 2 else 0.0
'''
MIXED = '''
@vectorized
def mixed(w):
    """All constructs of a SIMD loop."""
    for lane in range({width}):
        """Docstrings are ignored."""
        x, y = w[1, lane], w[0, lane]
        small = abs(x) < LIMIT
        pair = x, y
        least = -x if x < y else (pair[1] if 0.5 <= y < 2.0 else math.inf)
        rest, sign = turned(x)
        w[2, lane] = x**2 - 3 * y**3 / (1/2 + x**5 * x**3) - (-1/4)
        w[3, lane] = math.sqrt(abs(y)) if small else 1.0
        w[3, lane] += least if least <= 1e300 else 7.0
        w[1, lane] = 1.0 if x == y else rest * sign
'''


def loop(text, name):
    """Compile a SIMD loop and return it."""
    space = {}
    run(HEADER + HELPER + text, f"<{name} {hash(text)}>", space)
    return space[name]


@pytest.mark.parametrize("width", [1, 2, 8])
def test_a_simd_loop_gives_the_same_result_as_python(width):
    ours = loop(MIXED.format(width=width), "mixed")
    rng = np.random.default_rng(3)
    for _ in range(200):
        before = rng.normal(scale=3.0, size=(4, width))
        before[1, 0] = before[0, 0] if rng.random() < 0.2 else before[1, 0]
        found, expected = before.copy(), before.copy()
        ours(found)
        ours.py_func(expected)
        np.testing.assert_allclose(found, expected, rtol=1e-14, atol=1e-15)
    assert len(set(found.ravel())) > 2 * width


def test_negated_and_conditional_conditions():
    text = """
@vectorized
def conditions(w):
    for lane in range(8):
        x, y = w[0, lane], w[1, lane]
        w[2, lane] = 1.0 if (x < 1.0 if x < y else (y < 0.0 if y < 1.0 else x != 2.0)) else 0.0
        w[3, lane] = 1.0 if not (x < y or x != x) else 0.0
"""
    w = np.random.default_rng(7).integers(-2, 4, size=(4, 8)).astype(float)
    w[0, 3] = np.nan
    expected, conditions = w.copy(), loop(text, "conditions")
    conditions(w)
    conditions.py_func(expected)
    assert w[2:].tolist() == expected[2:].tolist()
    assert {0.0, 1.0} == set(w[2]) == set(w[3])


def test_all_library_functions_in_a_simd_loop():
    text = """
@vectorized
def functions(w):
    for lane in range(4):
        x = abs(w[0, lane])
        w[1, lane] = x**1.25 + math.exp(-x) * math.log(1 + x) - math.sin(x) * math.cos(2 * x) + math.sqrt(x)
"""
    ours = loop(text, "functions")
    w = np.random.default_rng(4).normal(scale=2.0, size=(2, 4))
    found, expected = w.copy(), w.copy()
    ours(found)
    ours.py_func(expected)
    np.testing.assert_allclose(found, expected, rtol=1e-14, atol=1e-14)


@pytest.mark.parametrize("statement", ["while w[0, lane] > 0.0:\n            pass", "print(w)", "del w"])
def test_an_unsupported_statement_is_refused_by_name(statement):
    refused = loop(f"@vectorized\ndef bad(w):\n    for lane in range(2):\n        {statement}\n", "bad")
    with pytest.raises(CodegenError, match=f"not supported in a SIMD loop: {statement.split()[0].split('(')[0]}"):
        refused(np.ones((1, 2)))


SWAP = """
@vectorized
def swap(w):
    for lane in range(2):
        first = w[0, lane]
        w[0, lane] = w[1, lane]
        w[1, lane] = first
"""


def test_the_number_of_columns_must_equal_the_number_of_lanes():
    swap = loop(SWAP, "swap")
    for shape in ((2, 3), (4,), (1, 4)):
        with pytest.raises(CodegenError, match="swap takes an array of 2 columns, one per lane"):
            swap(np.ones(shape))
    w = np.arange(4.0).reshape(2, 2)
    swap(w)
    assert w.tolist() == [[2.0, 3.0], [0.0, 1.0]], "a row is read before it is written"
    with pytest.raises(CodegenError, match="one per lane"):
        swap(np.ones((2, 3)))
