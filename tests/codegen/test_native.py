"""Compiled functions give the same results as Python, to the last bit."""

import math
import sys
from functools import lru_cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons_lib.codegen import machine
from lessons_lib.codegen import native as natives
from lessons_lib.codegen.cache import run
from lessons_lib.errors import CodegenError

HEADER = """
from __future__ import annotations
import math
import numpy as np
import numpy
from lessons_lib.codegen.native import native
HALF, NAMES, FAR, YES = 0.5, 3, math.inf, True
"""


@lru_cache(maxsize=32)
def compile_text(text, name="f", mark="@native"):
    """Compile a text and return one of its functions; an empty mark gives plain Python."""
    space = {"__name__": "a_text"}
    run(HEADER + text.replace("\ndef ", f"\n{mark}\ndef "), f"<{name} {hash(text + mark)}>", space)
    return space[name]


def assert_same(text, *arguments):
    """Check that f of a text returns and writes the same bits as machine code and as plain Python."""
    ours = [one.copy() if isinstance(one, np.ndarray) else one for one in arguments]
    plain = [one.copy() if isinstance(one, np.ndarray) else one for one in arguments]
    found = compile_text(text)(*ours)
    with np.errstate(all="ignore"):
        expected = compile_text(text, mark="")(*plain)
    assert repr(found) == repr(of_python(expected))
    for one, other in zip(ours, plain, strict=True):
        if isinstance(one, np.ndarray):
            assert one.tobytes() == other.tobytes()


def of_python(value):
    """Convert NumPy scalars to Python numbers."""
    if isinstance(value, tuple):
        return tuple(map(of_python, value))
    return value.item() if isinstance(value, np.generic) else value


NUMBERS = """
def f(x, y, k):
    a = x + y * k - x / (y + 3.0)
    b = -a if a < y <= x or not k > 2 else abs(a)
    m, n = k // 3, k % 3
    m += 2 if n else 1
    c = max(a, b, 0.25) - min(a, b) + float(m) * HALF
    half = HALF * (k if a < y else x)
    return a, b, m, n, c, half, x != y and k == 4, bool(n), int(10.0 * x), x**1, k**2
"""


@given(st.floats(-50, 50), st.floats(-2, 50), st.integers(-20, 20))
def test_numbers(x, y, k):
    assert_same(NUMBERS, x, y, k)


LIBRARY = """
def f(x):
    y = math.sqrt(abs(x)) + np.sqrt(4.0) + math.copysign(2.0, x) + np.rint(x) + np.floor(x) + np.ceil(x)
    whole = math.floor(x) + math.ceil(x)
    return y, whole, math.isfinite(x), math.isinf(FAR), math.isnan(x), np.isfinite(x), math.pi, -np.inf
"""


@given(st.floats(-1e6, 1e6))
def test_functions_with_exact_rounding(x):
    assert_same(LIBRARY, x)


@given(st.floats(-20, 20), st.floats(0.1, 20))
def test_functions_of_the_c_library(x, y):
    text = "\ndef f(x, y):\n    z = math.sin(x) + math.cos(y) + math.exp(x) + math.log(y)\n"
    text += "    return z + math.atan2(x, y) + math.hypot(x, y) + y**x\n"
    function = compile_text(text)
    assert function(x, y) == pytest.approx(compile_text(text, mark="")(x, y), rel=1e-14, abs=1e-14)


def test_powers_are_products():
    powers = compile_text("\ndef f(x):\n    return x**3, x**-2, x**0.5, x**5\n")
    for x in (0.3, 1.7, 12.0):
        assert powers(x) == (x * x * x, 1.0 / (x * x), x**0.5, x * (x * x * (x * x)))


LOOPS = """
def f(n, x):
    total, i, found = 0.0, 0, -1
    for k in range(n):
        if k == 2:
            continue
        total += x * k
        if total > 40.0:
            found = k
            break
    for k in range(n, 0, -2):
        total -= k
    for k in range(2, n):
        k = 2 * k
        i += k
    while i > 3 and x < 100.0:
        i //= 2
        x = x + total
        while x > 50.0:
            x -= 7.0
            if x < 60.0:
                break
    return total, i, found, x
"""


@given(st.integers(0, 12), st.floats(-9, 30))
def test_loops(n, x):
    assert_same(LOOPS, n, x)


ARRAYS = """
def entries(A, k):
    A[k, 1], A[1, k] = A[1, k], A[k, 1]
    row = A[k]
    row[0] += 2.0
    row[-1] = A[-1, -2]
    return row.size, A.shape, len(A), row.shape[0]


def f(A, v, w, k):
    sizes = entries(A, k)
    part = v[1 : k + 2]
    part[0] = 9.0
    w[:] = 0.5
    w[1:3] = v[2:4]
    A[2] = -1.0
    B = A.copy()
    B[0, 0] = 3.0
    flat = B.reshape(-1)
    C = np.zeros((2, 3))
    D = flat[0:6].reshape((2, 3))
    free = np.arange(4)
    where = np.empty(2, dtype=np.int64)
    where[0], where[1] = 2, free[3]
    for i in range(2):
        for j in range(3):
            C[i, j] += D[i, j] * where[i]
            w[j] += C[i, j]
    rows = -v.reshape(-1, 1)
    return sizes, part[0], B[0, 0], A[0, 0], C[1, 2], rows[2, 0], v.size, flat[where[1]]
"""


@given(st.integers(0, 3))
def test_arrays(k):
    rng = np.random.default_rng(k)
    assert_same(ARRAYS, rng.normal(size=(4, 4)), rng.normal(size=6), rng.normal(size=5), k)


TUPLES = """
def room(n):
    w = np.zeros(n + 2)
    return w, w[1:], (n, 0.5), np.empty((n, 2))


def f(n):
    whole = room(n)
    w, rest, (count, half), _ = whole
    rest[0] = half
    pair = (*whole[:2], count)
    sine, cosine = (w[1], half) if count & 1 else (half, w[0])
    return w[1], pair[2], len(pair), sine, cosine, whole[2][1], (n, 2) == whole[3].shape, whole[3].shape != (3, 2)
"""


@pytest.mark.parametrize("n", [1, 2, 3])
def test_returned_tuples_may_contain_arrays(n):
    assert_same(TUPLES, n)


def test_arrays_of_a_call_are_freed_when_it_returns():
    resource = pytest.importorskip("resource", reason="Windows counts otherwise")
    text = "\ndef g(n):\n    a = np.zeros(n)\n    return a[n - 1]\n\n"
    text += "\ndef f(n, k):\n    x = 0.0\n    for _ in range(k):\n        x += g(n)\n    return x\n"
    function = compile_text(text)
    function(10**6, 10)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    function(10**6, 200)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 40_000, "1.6 GB are used, and 8 MB at a time"


def test_a_division_by_zero_returns_infinity_or_nan():
    divided = compile_text("\ndef f(x, y):\n    return x / y\n")
    assert divided(1.0, 0.0) == math.inf and divided(-1.0, 0.0) == -math.inf and math.isnan(divided(0.0, 0.0))


def test_contract_allows_fused_multiply_add():
    text = "\ndef f(x, y, z):\n    return x * y + z\n"
    x, y = 1.0 + 2.0**-30, 1.0 - 2.0**-30
    assert compile_text(text)(x, y, -1.0) == x * y - 1.0 == 0.0
    fused = compile_text(text, mark="@native(contract=True)")(x, y, -1.0)
    assert fused in (-(2.0**-60), 0.0)  # some processors have no fused multiply-add


REFUSED = {
    "a name that nobody knows": "return unknown + x",
    "a string": "return 'x'",
    "a step of a slice": "return v[::2]",
    "a column": "return v[0:1, 0]",
    "another function": "return sorted(v)",
    "a number that becomes an array": "x = v",
    "tuples of two lengths": "t = (x, 1) if x > 0.0 else (x, 1, 2)\n    return t[0]",
    "a whole number that becomes a double": "k = 1\n    k = x",
    "two kinds of results": "if x > 0.0:\n        return 1\n    return v",
    "a tuple's place that is not known": "t = (x, 1)\n    return t[int(x)]",
    "an integer mask of doubles": "return x & 1",
}


@pytest.mark.parametrize("what", REFUSED)
def test_unsupported_code_is_refused_with_file_and_line(what):
    function = compile_text(f"\ndef f(x, v):\n    {REFUSED[what]}\n")
    with pytest.raises(CodegenError, match=r"<f -?\d+>:\d+, in f: .*: "):
        function(0.5, np.ones(3))
    assert function.overloads == {}


TWICE = "\ndef f(v, out):\n    for i in range(v.size):\n        out[i] = 2.0 * v[i]\n"
KINDS = {
    "strided": np.arange(8.0)[::2],
    "backwards": np.arange(4.0)[::-1],
    "float32": np.arange(4, dtype=np.float32),
    "another byte order": np.arange(4.0).astype(">f8"),
    "read-only": np.broadcast_to(1.5, 4),
    "not aligned": np.zeros(33, np.uint8)[1:].view(np.float64),
}


@pytest.mark.parametrize("kind", KINDS)
def test_arrays_of_other_types_and_layouts_are_converted_and_written_back(kind):
    function, given, out = compile_text(TWICE), KINDS[kind], np.zeros(8)
    for _ in range(2):
        function(given, out[::2])
        np.testing.assert_array_equal(out[::2], 2.0 * given)
    function(np.ones(4), out)
    assert out[:4].tolist() == [2.0] * 4 and len(function.overloads) == 1


def test_a_read_only_array_is_not_written():
    function, out = compile_text(TWICE), np.zeros(4)
    function(np.ones(4), out)
    out.setflags(write=False)
    with pytest.raises(ValueError, match="argument 1 of f must be writable"):
        function(np.zeros(4), out)
    assert out.tolist() == [2.0] * 4


def test_arguments_written_by_a_callee_must_be_writable():
    text = "\ndef g(a):\n    a[0] = 1.0\n\n\ndef f(v, w):\n    row = v[1:]\n    row = w[1:]\n    g(row)\n"
    function, v = compile_text(text), np.zeros(3)
    function(v, v)
    v.setflags(write=False)
    with pytest.raises(ValueError, match="must be writable"):
        function(np.zeros(3), v)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1.0], np.ones(1)), "argument 0 of f must be a number or an array, got list"),
        ((np.ones(1),), "f takes 2 arguments, got 1"),
        ((np.ma.masked_all(2), np.ones(2)), "argument 0 of f must be a number or an array, got MaskedArray"),
        ((np.ones(2, dtype=complex), np.ones(2)), "argument 0 of f must be a number or an array, got ndarray"),
    ],
)
def test_arguments_of_other_types_are_refused(arguments, message):
    with pytest.raises(TypeError, match=message):
        compile_text(TWICE)(*arguments)


def test_an_integer_is_converted_to_an_annotated_float():
    """As a 64-bit integer its square would be 0."""
    text = "\ndef g(x: float) -> float:\n    return x * x\n\n\ndef f(k: int) -> float:\n    return g(k)\n"
    assert compile_text(text)(2**40) == 2.0**80


def test_numpy_scalars_are_converted_to_annotated_types():
    text = "\ndef f(x: float, k: int, b: bool) -> float:\n    return x + k if b else 0.0\n"
    function = compile_text(text)
    assert function(np.float32(0.5), np.int8(2), np.True_) == 2.5 and function(1, 2, 1) == 3.0
    assert len(function.overloads) == 1
    for bad in (("x", 1, True), (1.0, 1.5, True), (1.0, 10**40, True)):
        with pytest.raises((TypeError, OverflowError)):
            function(*bad)


def test_a_specialized_function_refuses_other_types():
    function = compile_text(TWICE)
    only = function.specialize("f1", "f1")
    only(np.ones(2), out := np.zeros(2))
    assert out.tolist() == [2.0, 2.0]
    for other in (np.ones((2, 2)), np.ones(2, dtype=int), [1.0, 2.0]):
        with pytest.raises(TypeError):
            only(other, out)


@pytest.fixture
def anew():
    """Reset all cached knowledge about LLVM before and after a test."""

    def forget():
        machine.llvm.cache_clear()
        machine.has_llvm.cache_clear()
        machine._faults.clear()
        compile_text.cache_clear()

    forget()
    yield
    forget()


def no_interface(*_):
    raise AttributeError("module 'llvmlite.binding' has no attribute 'create_lljit_compiler'")


def wrong_place(*_):
    return b'{"writes": [], "externals": {}}\nno object file'


@pytest.mark.usefixtures("anew")
@pytest.mark.parametrize("fault", ["no LLVM", "another version", "a linker that refuses", "asked for"])
def test_without_machine_code_everything_runs_as_plain_python(fault, monkeypatch, caplog):
    if fault == "no LLVM":
        monkeypatch.setitem(sys.modules, "llvmlite.binding", None)
    elif fault == "another version":
        monkeypatch.setattr(machine, "object_code", no_interface)
    elif fault == "a linker that refuses":
        monkeypatch.setattr(natives.Native, "_build", wrong_place)
    else:
        monkeypatch.setenv("LESSONS_PLAIN", "1")
    function, out = compile_text(ARRAYS), np.zeros(5)
    for _ in range(2):
        found = function(np.ones((4, 4)), np.arange(6.0), out, 1)
    out[:] = 0.0
    assert found == compile_text(ARRAYS, mark="")(np.ones((4, 4)), np.arange(6.0), out, 1)
    assert not function.overloads and not machine.available()
    warned = caplog.text.count("machine code is unavailable, so everything runs as plain Python, which is slow")
    assert warned == (fault != "asked for")
    assert function.specialize("f2", "f1", "f1", "i") is function
