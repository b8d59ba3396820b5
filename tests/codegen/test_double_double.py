"""Functions that run on double-doubles: their results have thirty digits."""

import operator

import numpy as np
import pytest
from test_native import compile_text

from lessons_lib.codegen import double_double

mpmath = pytest.importorskip("mpmath")

ERROR = 2.0**-100
OPERATIONS = {"add": operator.add, "multiply": operator.mul, "divide": operator.truediv}


def draw(rng):
    """Draw a double-double."""
    high = rng.normal() * 10.0 ** rng.uniform(-20, 20)
    return double_double.normalize.py_func(high, high * rng.uniform(-1, 1) * 2.0**-53)


@pytest.mark.parametrize("name", OPERATIONS)
def test_errors_of_operations_are_below_their_bound(name):
    ours, exact, rng = getattr(double_double, name), OPERATIONS[name], np.random.default_rng(0)
    with mpmath.workdps(60):
        for _ in range(500):
            (a, e), (b, f) = draw(rng), draw(rng)
            if rng.random() < 0.5:  # cancellation
                b, f = -a * (1.0 + rng.normal() * 1e-15), draw(rng)[1] * 0.0
            expected = exact(mpmath.mpf(a) + e, mpmath.mpf(b) + f)
            high, low = ours(a, e, b, f)
            assert high + low == high and abs(mpmath.mpf(high) + low - expected) <= ERROR * abs(expected)


def test_roots_are_exact_to_their_bound_and_that_of_zero_is_zero():
    rng = np.random.default_rng(1)
    assert double_double.root(0.0, 0.0) == (0.0, 0.0)
    with mpmath.workdps(60):
        for _ in range(200):
            a, e = draw(rng)
            sign = 1.0 if a > 0.0 else -1.0
            expected, (high, low) = mpmath.sqrt(sign * (mpmath.mpf(a) + e)), double_double.root(sign * a, sign * e)
            assert abs(mpmath.mpf(high) + low - expected) <= ERROR * expected


TEXT = """
def f(A, k: int, found):
    x, y = A[0, 0], A[0, 1]
    total, scratch = 0.0, np.zeros((2, 2))
    for i in range(k):
        total += divided(x, i + 3.0)
    scratch[1] = A[0]
    found[0] = total - float(k) * (0.5 if y > x else y)
    found[1] = max(abs(-x), min(y, 1.0)) + scratch[1, 1] + scratch[0, 0]
    found[2] = math.sqrt(x * x + y ** 2)
    return 1 if x + 1e-25 > x and not x < x else 0


def divided(a: float, b: float) -> float:
    return a / b
"""


def test_a_function_of_arrays_runs_on_double_doubles():
    function, rng = compile_text(TEXT).compile(("d2", "i", "d1")).function, np.random.default_rng(2)
    with mpmath.workdps(60):
        for _ in range(20):
            high = rng.normal(size=(1, 2))
            A, found = np.stack([high, high * rng.uniform(-1, 1, (1, 2)) * 2.0**-54], axis=2), np.zeros((3, 2))
            assert function(A, 4, found) == 1
            x, y = (mpmath.mpf(high) + low for high, low in A[0].tolist())
            first = sum(x / (i + 3) for i in range(4)) - 4 * (mpmath.mpf(0.5) if y > x else y)
            expected = [first, max(abs(x), min(y, 1)) + y, mpmath.sqrt(x * x + y * y)]
            ours = [mpmath.mpf(high) + low for high, low in found.tolist()]
            assert all(abs(one - other) < 1e-29 for one, other in zip(ours, expected, strict=True))


def test_arrays_without_two_parts_are_refused():
    function = compile_text(TEXT).compile(("d2", "i", "d1"))
    with pytest.raises(TypeError):
        function.function(np.zeros((1, 2, 3)), 4, None)


PRODUCTS = """
def f(A, found):
    found[0], found[1], found[2] = A[0] * A[1], A[0] / A[1], math.sqrt(A[0] * A[0])
"""


def test_machine_code_has_the_bits_of_the_python_functions():
    """With a fused multiply-add or without it."""
    function, rng, Q = compile_text(PRODUCTS).compile(("d1", "d1")).function, np.random.default_rng(3), double_double
    for _ in range(300):
        A, found = np.array([draw(rng), draw(rng)]), np.zeros((3, 2))
        function(A, found)
        a, b = A.tolist()
        expected = [Q.multiply(*a, *b), Q.divide(*a, *b), Q.root(*Q.multiply(*a, *a))]
        assert found.tolist() == [list(one) for one in expected]
