"""Source text: the same in every process, exact in its numbers, and equal to the expressions for both targets."""

import math
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy as sp

from lessons_lib.codegen import Kernel, compiled, expressions, native, source
from lessons_lib.errors import ArgumentError, CodegenError
from lessons_lib.symbolic import stumpff

a, b = sp.symbols("a b", real=True)


def numpy_function(kernel: Kernel) -> Callable[..., Any]:
    space: dict[str, Any] = {}
    exec(source([kernel], "numpy"), space)
    return space[kernel.name]


def scalar_function(kernel: Kernel) -> Callable[..., None]:
    """Return the scalar function without the compiler: its text is what is tested here."""
    space: dict[str, Any] = {}
    text = source([kernel], "scalar")
    exec(text, space)
    return space[kernel.name]


EXPRESSIONS = sp.Matrix(
    [
        [sp.sin(a) * sp.cos(b) + sp.sqrt(1 + a**2), sp.exp(a * b) / 3],
        [sp.atan2(a, b), stumpff(2, a**2 + b**2) - stumpff(5, b**2)],
        [sp.pi * a + sp.E, sp.Abs(b) ** sp.Rational(3, 2)],
    ]
)


def test_both_targets_compute_the_expressions() -> None:
    kernel = Kernel("k", {"q": sp.Matrix([a, b])}, {"u": EXPRESSIONS})
    vectorised, scalar = numpy_function(kernel), scalar_function(kernel)
    for q in np.random.default_rng(3).normal(size=(20, 2)):
        expected = np.array(EXPRESSIONS.subs({a: q[0], b: q[1]}).evalf(20).tolist(), dtype=np.float64)
        written = np.full((3, 2), np.nan)
        scalar(q, written)
        # each entry is a dozen operations on numbers below 10
        np.testing.assert_allclose(written, expected, rtol=0, atol=2e-14)
        np.testing.assert_allclose(vectorised(q), expected, rtol=0, atol=2e-14)


def test_arrays_in_a_stack_are_found_by_their_place() -> None:
    inputs, outputs = {"q": sp.Matrix([a, b]), "p": sp.Matrix([sp.Symbol("c")])}, {"u": EXPRESSIONS}
    alone, stacked = (scalar_function(Kernel("k", inputs, outputs, stacked=names)) for names in ([], ["q", "u"]))
    qs, p = np.random.default_rng(4).normal(size=(3, 2)), np.zeros(1)
    us, u = np.full((5, 3, 2), np.nan), np.empty((3, 2))
    stacked(qs, 2, p, us, 4)
    alone(qs[2], p, u)
    np.testing.assert_array_equal(us[4], u)
    assert np.isnan(us[:4]).all()


def test_every_entry_is_written_the_zeros_too() -> None:
    written = np.full((2, 2), np.nan)
    scalar_function(Kernel("k", {"q": sp.Matrix([a])}, {"u": sp.Matrix([[0, a], [1, 0]])}))(np.array([2.0]), written)
    np.testing.assert_array_equal(written, [[0, 2], [1, 0]])
    constant = Kernel("k", {"q": sp.Matrix([a])}, {"u": sp.Matrix([[-1, 0], [a, 1]])})
    np.testing.assert_array_equal(numpy_function(constant)(np.array([2.0])), [[-1, 0], [2, 1]])


def test_fractions_become_doubles_and_whole_numbers_stay() -> None:
    third = expressions.floats(a**2 / 3 + 2 * b)
    assert third.atoms(sp.Rational) == {sp.Integer(2)}
    assert [float(number) for number in third.atoms(sp.Float)] == [1 / 3]
    above_the_middle = 1 + sp.Rational(1, 2**53) + sp.Rational(1, 2**58)  # of two doubles: not to be rounded twice
    assert float(expressions.floats(a * above_the_middle).args[0]) == math.nextafter(1.0, 2.0)


@pytest.mark.parametrize("batch", [(), (5,), (2, 3), (0,)])
def test_the_numpy_target_takes_batches(batch: tuple[int, ...]) -> None:
    function = numpy_function(Kernel("k", {"q": sp.Matrix([a, b])}, {"u": EXPRESSIONS, "w": sp.Matrix([b, 1])}))
    q = np.random.default_rng(4).normal(size=(*batch, 2))
    u, w = function(q)
    assert (u.shape, w.shape) == ((*batch, 3, 2), (*batch, 2))
    for index in np.ndindex(*batch):
        np.testing.assert_allclose(u[index], function(q[index])[0], rtol=1e-14)  # SIMD sines differ by a unit
        np.testing.assert_array_equal(w[index], [q[index][1], 1.0])


def test_the_batches_of_two_inputs_broadcast() -> None:
    function = numpy_function(Kernel("k", {"p": sp.Matrix([a]), "M": sp.Matrix([[b, 0]])}, {"u": sp.Matrix([a - b])}))
    found = function(np.arange(3.0).reshape(3, 1, 1), np.arange(8.0).reshape(4, 1, 2))
    np.testing.assert_array_equal(found[..., 0], np.arange(3.0)[:, None] - np.arange(0.0, 8.0, 2.0))


NUMBERS = [0.612, -0.5723, 0.1, 1 / 3, 0.1 + 0.2, math.pi, 2.0**-30, 1e-300, 5e-324, 1.7976931348623157e308, 6.123e-17]


@pytest.mark.parametrize("digits", [15, 17])
@pytest.mark.parametrize("number", NUMBERS)
def test_numbers_read_back_as_the_same_double(number: float, digits: int) -> None:
    kernel = Kernel("k", {"q": sp.Matrix([a])}, {"u": sp.Matrix([sp.Float(number, digits) * a, sp.Float(number)])})
    written = np.empty(2)
    scalar_function(kernel)(np.array([1.0]), written)
    if digits == 17:
        assert written.tolist() == [number, number]
    assert written[1] == number
    assert numpy_function(kernel)(np.array([1.0]))[1] == number


def test_a_short_number_is_printed_short() -> None:
    text = source([Kernel("k", {"q": sp.Matrix([a])}, {"u": sp.Matrix([sp.Float(0.612, 17) * a])})], "scalar")
    assert "0.612*a" in text


def test_random_doubles_read_back() -> None:
    rng = np.random.default_rng(5)
    numbers = rng.integers(1, 2**63, 200, dtype=np.int64).view(np.float64)
    numbers = numbers[np.isfinite(numbers)]
    kernel = Kernel("k", {}, {"u": sp.Matrix([sp.Float(float(number), 17) for number in numbers])})
    written = np.empty(len(numbers))
    scalar_function(kernel)(written)
    np.testing.assert_array_equal(written, numbers)


@pytest.mark.parametrize("target", ["Javascript", "", "Scalar", "C"])
def test_an_unknown_target_is_refused(target: str) -> None:
    with pytest.raises(
        CodegenError,
        match=f"unknown target '{target}'; valid targets are 'numpy', 'scalar', 'javascript', 'c' and 'array_api'",
    ):
        source([], target)


@pytest.mark.parametrize("target", ["numpy", "scalar", "javascript"])
def test_a_function_that_a_target_lacks_is_refused(target: str) -> None:
    kernel = Kernel("k", {"q": sp.Matrix([a])}, {"u": sp.Matrix([sp.Function("mystery")(a)])})
    with pytest.raises(CodegenError, match=f"target '{target}' cannot print this: .*mystery"):
        source([kernel], target)


def test_the_summary_is_the_docstring() -> None:
    kernel = Kernel("k", {"q": sp.Matrix([a])}, {"u": sp.Matrix([a])}, summary="What it writes.")
    assert numpy_function(kernel).__doc__ == scalar_function(kernel).__doc__ == "What it writes."


PRINT_SOURCES = """
from lessons_lib import robots
from lessons_lib.lie import jacobian_kernels, kernels
for target in ("scalar", "numpy"):
    print(robots.from_dh([(0.1, 1.2, 0.3, 0.2), (0.4, -0.5, 0.6, 0.7)]).source(target))
print(kernels.RECIPE.text(), jacobian_kernels.RECIPE.text())
"""


@pytest.mark.check
def test_the_text_is_the_same_in_every_process() -> None:
    texts = [run_python(PRINT_SOURCES, PYTHONHASHSEED=seed) for seed in ("1", "27")]
    assert texts[0] == texts[1]
    assert "def chain_kernel(q, T, J_b):" in texts[0]
    assert "def log_se3_kernel(T: Array, xi: Array)" in texts[0]


def run_python(code: str, **environment: str) -> str:
    """Run code in a fresh interpreter, warnings as errors; returns what it printed."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env={**os.environ, **environment},
        cwd=Path(__file__).parent,
        capture_output=True,
        text=True,
        timeout=900,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_all_runs_without_the_compiler(tmp_path: Path) -> None:
    code = """
import numpy as np
from lessons_lib import lie, robots
T = robots.planar_2r().forward_kinematics([0.3, 0.4])
print(np.abs(lie.exp_se3(lie.log_se3(T)) - T).max() < 1e-15, robots.planar_2r().body_jacobian([0, 0])[4].tolist())
"""
    printed = run_python(code, LESSONS_PLAIN="1", LESSONS_CACHE_DIR=str(tmp_path))
    assert printed.split(maxsplit=1) == ["True", "[2.0, 1.0]\n"]


def test_javascript_writes_and_reads_every_row_of_a_matrix_that_is_not_square() -> None:
    given = sp.Matrix(3, 2, lambda i, j: sp.Symbol(f"m{i}{j}", real=True))
    text = source([Kernel("turned", {"M": given}, {"N": 2 * given.T, "v": given[:, 0]})], "javascript")
    assert [f"const m{i}{j} = M[{i}][{j}];" in text for i in range(3) for j in range(2)] == [True] * 6
    rows = text.split("const N = [")[1].split("];\n  const v")[0].strip().splitlines()
    assert [len(row.split(",")) - 1 for row in rows] == [3, 3]
    assert "const v = [\n    m00,\n    m10,\n    m20,\n  ];" in text
    assert text.endswith("}\n")


PRODUCT = Kernel("product", {"x": sp.Matrix([a, b])}, {"y": sp.Matrix([a * b])}, summary="A product.")


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
def test_a_compiled_kernel_refuses_arrays_of_another_shape(x: Any, y: Any, said: str) -> None:
    with pytest.raises(ArgumentError, match=said):
        compiled([PRODUCT]).product(x, y)


def test_a_kernel_of_a_readers_own_is_said_to_be_compiled_for_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[str] = []
    monkeypatch.setattr(native, "notify_of_compiling", heard.append)
    monkeypatch.setattr(native, "_logged", set())
    y = np.empty(1)
    compiled([PRODUCT]).product(np.array([2.0, 3.0]), y)
    assert y == [6.0]
    assert heard in ([], ["compiling product, for this process only"])  # nothing where there is no compiler
