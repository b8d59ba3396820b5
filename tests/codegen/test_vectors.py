"""Loops over lanes that are compiled by hand: they do what Python does with the same text."""

import gc
import importlib
import os
import subprocess
import sys
import weakref
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from llvmlite import ir

from lessons_lib.codegen import operations
from lessons_lib.codegen import vectors as by_hand
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


@pytest.fixture(autouse=True)
def nothing_is_left_to_numba(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A slip in the instructions would only be slow, for Numba would take the loop over; so that is a failure here."""
    if "fault" not in request.fixturenames:
        monkeypatch.setattr(by_hand, "_say_why", lambda fault: pytest.fail(f"left to Numba: {fault}"))


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


def test_every_function_of_the_library_is_an_instruction_over_lanes() -> None:
    text = """
def functions(w):
    for lane in range(4):
        x = abs(w[0 + lane])
        w[4 + lane] = x**1.25 + math.exp(-x) * math.log(1 + x) - math.sin(x) * math.cos(2 * x) + math.sqrt(x)
"""
    plain, ours = names_of(HEADER + text, "<plain functions>")["functions"], vectors(text, "functions")
    w = np.random.default_rng(4).normal(scale=2.0, size=8)
    found, expected = w.copy(), w.copy()
    ours(found)
    plain(expected)
    np.testing.assert_allclose(found, expected, rtol=1e-14, atol=1e-14)


def test_a_loop_lives_as_long_as_its_module_and_numba_does_not_keep_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "a_module_of_loops"
    (tmp_path / f"{name}.py").write_text(HEADER + HELPER + MIXED.format(width=1, one=1, two=2, three=3), "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    module: Any = importlib.import_module(name)
    kernel, loop = vectorized(module.mixed), weakref.ref(module.mixed)
    del module.mixed
    gc.collect()
    assert loop() is not None, "the module keeps it"
    numba.njit(lambda w: kernel(w))(np.ones(4))
    del module, sys.modules[name]
    gc.collect()
    assert loop() is None


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


def plain_from_operations(loop: operations.Loop) -> Any:
    """Return a loop as Python runs the text of its operations."""
    space = {"select": lambda condition, first, second: first if condition else second}
    return names_of(HEADER + operations.plain_text(loop), f"<operations of {loop.name}>", space)[loop.name]


def test_the_plain_text_of_the_operations_does_what_python_does_with_the_loop() -> None:
    text = MIXED.format(width=4, one=4, two=8, three=12)
    plain = names_of(HEADER + HELPER + text, "<plain for operations>")["mixed"]
    ours = plain_from_operations(operations.read(plain))
    for found in np.random.default_rng(4).normal(scale=3.0, size=(200, 16)):
        found[4] = found[0] if found[5] > 0.0 else found[4]
        expected = found.copy()
        ours(found)
        plain(expected)
        np.testing.assert_allclose(found, expected, rtol=1e-12)  # powers are products here


SWAP = """
def swap(w):
    for lane in range(2):
        first = w[0 + lane]
        w[0 + lane] = w[2 + lane]
        w[2 + lane] = first
"""


def test_a_row_is_read_before_it_is_written() -> None:
    w = np.arange(4.0)
    plain_from_operations(operations.read(names_of(SWAP, "<swap>")["swap"]))(w)
    assert w.tolist() == [2.0, 3.0, 0.0, 1.0]


NAMED = """
SIZE, FIRST, SECOND = 2, 0, 1


def larger(w):
    for lane in range(SIZE):
        first, second = w[SIZE * FIRST + lane], w[SIZE * SECOND + lane]
        w[SIZE * (SECOND + 1) + lane] = select(first > second, first, second)
"""


def test_a_module_may_name_its_rows_and_a_choice_may_be_a_select() -> None:
    w = np.array([1.0, 4.0, 3.0, 2.0, 0.0, 0.0, 9.0])
    vectors(NAMED, "larger")(w)
    assert w.tolist() == [1.0, 4.0, 3.0, 2.0, 3.0, 4.0, 9.0]


def other_interface(*arguments: Any, **named: Any) -> None:
    raise TypeError("load() got an unexpected keyword argument 'typ'")


def without_an_end(module: Any, name: str, loop: operations.Loop) -> None:
    kind = ir.FunctionType(ir.VoidType(), [ir.DoubleType().as_pointer()])
    ir.Function(module, kind, name).append_basic_block()


FAULTS = {
    "llvmlite has another interface": (by_hand._Writer, "place", other_interface),
    "LLVM refuses what was written": (by_hand, "_write", without_an_end),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_where_the_instructions_cannot_be_written_numba_compiles_the_loop(
    fault: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    text = MIXED.format(width=8, one=8, two=16, three=24)
    plain, ours = names_of(HEADER + HELPER + text, "<plain for a fault>")["mixed"], vectors(text, "mixed")
    w = np.random.default_rng(5).normal(scale=3.0, size=32)
    found, expected, wanted = w.copy(), w.copy(), w.copy()
    ours(wanted)
    by_hand._say_why.cache_clear()
    with monkeypatch.context() as patched, caplog.at_level("WARNING", "lessons_lib"):
        patched.setattr(*FAULTS[fault])
        left_to_numba = vectors(text, "mixed")
        left_to_numba(found)
    assert "loops over lanes are left to Numba, which takes longer to compile them" in caplog.text
    (module,) = left_to_numba.inspect_llvm().values()
    assert "@lanes.mixed" not in module
    plain(expected)
    np.testing.assert_allclose(found, expected, rtol=1e-14, atol=1e-15)
    np.testing.assert_allclose(found, wanted, rtol=1e-15, atol=1e-15)


STEPPED = """
import inspect, sys
import numpy as np
from lessons_lib import robots
from lessons_lib.codegen import lanes, loader
from lessons_lib.codegen.selects import with_selects
from lessons_lib.robots import kinematics
chain = robots.planar_2r()
kernel = kinematics.tip_kernels(chain.screws, chain.home)[-1]
header = "import math\\nimport numpy\\nfrom lessons_lib.codegen.vectors import vectorized\\n"
body = lanes.function(kernel, {"q": 0, "T": 2, "J_b": 18})
text = header + with_selects(lanes.sine_and_cosine() + "\\n" + body)
loop = loader.names_of(header + "from lessons_lib.codegen.select import select\\n" + text, "<stepped>")["chain_kernel"]
assert inspect.isfunction(loop)
lines = set()
def watch(frame, event, argument):
    if frame.f_code is loop.__code__:
        lines.add(frame.f_lineno)
    return watch
w = np.zeros(8 * 30)
w[:16] = np.linspace(-1.0, 1.0, 16)
sys.settrace(watch)
loop(w)
sys.settrace(None)
T = w.reshape(30, 8)[2:18, 3].reshape(4, 4)
assert np.allclose(T, chain.forward_kinematics(w.reshape(30, 8)[:2, 3]), atol=1e-15)
assert len(lines) > 20, "a debugger stops at each line"
"""


def test_without_the_compiler_a_loop_over_lanes_can_be_stepped_through(tmp_path: Path) -> None:
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "LESSONS_CACHE_DIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", STEPPED], env=environment, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr
