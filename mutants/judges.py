"""Who looks at a mutant: the claims of the lessons, the unit tests, and the numbers of some solves.

All of this runs in a child (`copies`), which imports the library that is to be judged.
"""

from __future__ import annotations

import ast
import itertools
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mutants import lessons, solves

TESTS = """tests/symbolic/test_*.py tests/codegen/test_account.py tests/codegen/test_kernel.py
    tests/codegen/test_printers.py tests/codegen/test_vectors.py tests/codegen/test_printing_over_lanes.py
    tests/codegen/test_sine_cosine_pairs.py tests/lie/test_exp_and_log.py tests/lie/test_motion_jacobians.py
    tests/pose_ik/test_lane_kernels.py tests/robots/test_arm_angle.py tests/robots/test_closed_form.py
    tests/robots/test_kernel_check.py tests/robots/test_kinematics.py tests/trajectories/test_time_scaling.py""".split()
"""The unit tests that are asked: those of the derivations, of the code's making, and of what is made."""

_OPTIONS = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:nbval", "--hypothesis-seed=0", "-p", "no:xdist"]


def claim_refuses(number: str) -> str:
    """Run the program of a claim, and return by what it is refused; nothing where it is proven."""
    (path,) = Path("notebooks").glob(f"{int(number.split('.')[0]):02}_*.ipynb")
    body = lessons.programs(path)[number]
    here = Path.cwd()
    os.chdir("notebooks")
    try:
        exec(compile(ast.Module(body, []), path.name, "exec"), {"__name__": "lesson"})
    except Exception as error:  # noqa: BLE001 (whatever refuses the claim)
        return f"{type(error).__name__}: {error}"[:300]
    finally:
        os.chdir(here)
    return ""


def first_refusal(numbers: Sequence[str]) -> list[str]:
    """Return the first of some claims that is refused, and by what; nothing where all are proven."""
    for number in numbers:
        why = claim_refuses(number)
        if why:
            return [number, why]
    return []


def files_of_tests(copy: Path) -> list[Path]:
    """Return the files of tests that may be asked."""
    return [path for pattern in TESTS for path in sorted(copy.glob(pattern))]


def first_failure(tests: Sequence[str], *plugins: Any) -> list[str]:
    """Return the first of some tests that fails, and why; nothing where all pass."""
    import pytest

    seen = _Failures()
    code = pytest.main([*_OPTIONS, *tests], plugins=[seen, *plugins])
    return seen.found or ([] if code == 0 else [tests[0], f"pytest ended with {int(code)}"])


class _Failures:
    """Notes the first failure of a run of pytest."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed and not self.found:
            self.found = [report.nodeid, _last_line(report.longreprtext)]

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed and not self.found:
            self.found = [report.nodeid, _last_line(str(report.longrepr))]


def _last_line(text: str) -> str:
    wrong = [line for line in text.splitlines() if line.startswith("E ")]
    return (wrong or text.splitlines() or [""])[0].removeprefix("E").strip()[:300]


def numbers(stage: str) -> list[Any]:
    """Return the numbers of a stage of `solves`, as JSON can carry them."""
    return [array.tolist() for array in _run(stage)]


def moved(stage: str, known: Sequence[Any]) -> bool:
    """Return whether the numbers of a stage of `solves` are not those that are known; the first such ends it."""
    pairs = itertools.zip_longest(_run(stage), known)
    return any(a is None or b is None or not solves.same(a, np.array(b, float)) for a, b in pairs)


def _run(stage: str) -> Iterator[Any]:
    import numba

    vars(numba.config)["DISABLE_JIT"] = int(stage == "plain")  # nothing of lessons_lib is imported yet
    return solves.numbers(stage)


def warm_up() -> None:
    """Run the plain solves and a test in this process, and forget what is ours: SymPy and pytest stay warm."""
    import numba

    with tempfile.TemporaryDirectory() as folder:
        os.environ["LESSONS_CACHE_DIR"] = folder
        numbers("plain")
        first_failure(["tests/symbolic/test_steps.py"])
    vars(numba.config)["DISABLE_JIT"] = 0
    for name in [name for name in sys.modules if name.startswith(("lessons_lib", "tests", "test_", "conftest"))]:
        del sys.modules[name]


def collect() -> None:
    """Have Python keep the bytecode of the tests, and of what they import."""
    import pytest

    pytest.main([*_OPTIONS, "--collect-only", *map(str, files_of_tests(Path.cwd()))])
