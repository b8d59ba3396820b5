"""Source text: reproducible, with exact numbers, and equal to the expressions in all targets."""

import math
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import sympy as sp

from lessons_lib.codegen import Kernel, compiled, source
from lessons_lib.errors import ArgumentError, CodegenError
from lessons_lib.symbolic import stumpff

a, b = sp.symbols("a b", real=True)


def numpy_function(kernel):
    space = {}
    exec(source([kernel], "numpy"), space)
    return space[kernel.name]


def scalar_function(kernel):
    """Return the scalar function as plain Python."""
    space = {}
    text = source([kernel], "scalar")
    exec(text, space)
    return space[kernel.name]


EXPRESSIONS = sp.Matrix(
    [
        [sp.sin(a) * sp.cos(b) + sp.sqrt(1 + a**2), sp.exp(a * b) / 3],
        [sp.atan2(a, b), stumpff(2, a**2 + b**2) - stumpff(5, b**2)],
        [sp.pi * a + sp.E, sp.Abs(b) ** sp.Rational(3, 2)],
        [a / (1 + b**2) ** 2 - b**5, (2 + a) ** 3 / b + (a - b) ** -2 / 9],
    ]
)


def test_numpy_and_scalar_targets_compute_the_expressions():
    kernel = Kernel("k", {"q": sp.Matrix([a, b])}, {"u": EXPRESSIONS})
    vectorised, scalar = numpy_function(kernel), scalar_function(kernel)
    for q in np.random.default_rng(3).normal(size=(20, 2)):
        expected = np.array(EXPRESSIONS.subs({a: q[0], b: q[1]}).evalf(20).tolist(), dtype=np.float64)
        written = np.full((4, 2), np.nan)
        scalar(q, written)
        # each entry is a dozen operations on numbers below 10
        np.testing.assert_allclose(written, expected, rtol=0, atol=2e-14)
        np.testing.assert_allclose(vectorised(q), expected, rtol=0, atol=2e-14)


def test_stacked_arrays_are_selected_by_index():
    inputs, outputs = {"q": sp.Matrix([a, b]), "p": sp.Matrix([sp.Symbol("c")])}, {"u": EXPRESSIONS}
    alone, stacked = (scalar_function(Kernel("k", inputs, outputs, stacked=names)) for names in ([], ["q", "u"]))
    qs, p = np.random.default_rng(4).normal(size=(3, 2)), np.zeros(1)
    us, u = np.full((5, 4, 2), np.nan), np.empty((4, 2))
    stacked(qs, 2, p, us, 4)
    alone(qs[2], p, u)
    np.testing.assert_array_equal(us[4], u)
    assert np.isnan(us[:4]).all()


def test_all_entries_are_written_including_zeros():
    written = np.full((2, 2), np.nan)
    scalar_function(Kernel("k", {"q": sp.Matrix([a])}, {"u": sp.Matrix([[0, a], [1, 0]])}))(np.array([2.0]), written)
    np.testing.assert_array_equal(written, [[0, 2], [1, 0]])
    constant = Kernel("k", {"q": sp.Matrix([a])}, {"u": sp.Matrix([[-1, 0], [a, 1]])})
    np.testing.assert_array_equal(numpy_function(constant)(np.array([2.0])), [[-1, 0], [2, 1]])


@pytest.mark.parametrize("batch", [(), (5,), (2, 3), (0,)])
def test_the_numpy_target_accepts_batch_dimensions(batch):
    function = numpy_function(Kernel("k", {"q": sp.Matrix([a, b])}, {"u": EXPRESSIONS, "w": sp.Matrix([b, 1])}))
    q = np.random.default_rng(4).normal(size=(*batch, 2))
    u, w = function(q)
    assert (u.shape, w.shape) == ((*batch, 4, 2), (*batch, 2))
    for index in np.ndindex(*batch):
        np.testing.assert_allclose(u[index], function(q[index])[0], rtol=1e-14)  # SIMD sines differ by a unit
        np.testing.assert_array_equal(w[index], [q[index][1], 1.0])


ABOVE_THE_MIDDLE = 1 + sp.Rational(1, 2**53) + sp.Rational(1, 2**58)  # of two doubles; rounding twice would give 1
DOUBLES = [0.612, -0.5723, 0.1 + 0.2, math.pi, 2.0**-30, 1e-300, 5e-324, 1.7976931348623157e308, 6.123e-17]


def test_numbers_read_back_as_the_nearest_double():
    given = [*(sp.Float(x, 17) for x in DOUBLES), sp.Rational(1, 3), ABOVE_THE_MIDDLE]
    expected = [*DOUBLES, 1 / 3, math.nextafter(1.0, 2.0)]
    kernel = Kernel("k", {"q": sp.Matrix([a])}, {"u": sp.Matrix([*given, *(x * a for x in given)])})
    written = np.empty(2 * len(given))
    scalar_function(kernel)(np.array([1.0]), written)
    assert written.tolist() == numpy_function(kernel)(np.array([1.0])).tolist() == 2 * expected


@pytest.mark.parametrize("target", ["Javascript", "", "Scalar", "C"])
def test_an_unknown_target_is_refused(target):
    with pytest.raises(CodegenError, match=f"target must be 'numpy', 'scalar', 'javascript', 'c' or .*got '{target}'"):
        source([], target)


@pytest.mark.parametrize("target", ["numpy", "scalar", "javascript"])
def test_a_function_missing_in_a_target_is_refused(target):
    kernel = Kernel("k", {"q": sp.Matrix([a])}, {"u": sp.Matrix([sp.Function("mystery")(a)])})
    with pytest.raises(CodegenError, match=f"target '{target}' cannot print an expression: .*mystery"):
        source([kernel], target)


PRINT_SOURCES = """
from lessons_lib import robots
from lessons_lib.lie import kernels
for target in ("scalar", "numpy"):
    print(robots.from_dh([(0.1, 1.2, 0.3, 0.2), (0.4, -0.5, 0.6, 0.7)]).source(target))
print(kernels.RECIPE.text(), kernels.JACOBIANS.text())
"""


@pytest.mark.check
def test_the_text_is_the_same_in_every_process():
    texts = [run_python(PRINT_SOURCES, PYTHONHASHSEED=seed) for seed in ("1", "27")]
    assert texts[0] == texts[1]
    assert "def chain_kernel(q, T, J_b):" in texts[0]
    assert "def log_se3_kernel(T: Array, xi: Array)" in texts[0]


def run_python(code, **environment):
    """Run code in a new interpreter with warnings as errors, and return its output."""
    options = {"cwd": Path(__file__).parent, "capture_output": True, "text": True, "timeout": 900}
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], env=os.environ | environment, **options)
    assert done.returncode == 0, done.stderr
    return done.stdout


PRODUCT = Kernel("product", {"x": sp.Matrix([a, b])}, {"y": sp.Matrix([a * b])}, summary="A product.")


@pytest.mark.parametrize("make", [compiled, lambda kernel: source(kernel, "c")])
def test_a_single_kernel_must_be_in_a_list(make):
    with pytest.raises(CodegenError, match="kernels must be a list of kernels, got a Kernel; put it in a list"):
        make(PRODUCT)
    with pytest.raises(CodegenError, match=r"kernels must be Kernel\(name, inputs, outputs\), got 'product'"):
        make(["product"])


@pytest.mark.parametrize(
    ("x", "y", "said"),
    [
        (np.ones(1), np.empty(1), r"x of kernel product must be an array of shape \(2,\), got one of shape \(1,\)"),
        (np.ones((2, 1)), np.empty(1), r"x of .* got one of shape \(2, 1\)"),
        (np.ones(2), np.empty(0), r"y of .* shape \(1,\), got one of shape \(0,\)"),
        ([1.0, 2.0], np.empty(1), "x of .* got a list"),
        (np.ones(2), 0.0, "y of .* got a float"),
    ],
)
def test_a_compiled_kernel_refuses_arrays_of_another_shape(x, y, said):
    with pytest.raises(ArgumentError, match=said):
        compiled([PRODUCT]).product(x, y)
