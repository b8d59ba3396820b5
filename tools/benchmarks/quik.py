"""Compile and call QuIK's C++ code, which no package index has: `make bench` clones it into build/quik."""

from __future__ import annotations

import ctypes
import subprocess
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.robots import Chain
from tools.benchmarks.models import check_equal
from tools.benchmarks.poses import TOLERANCE
from tools.benchmarks.timing import Clocked

BINDING = Path(__file__).with_suffix(".cpp")
SOURCE = BINDING.parents[2] / "build" / "quik"
EIGEN = "/usr/include/eigen3"
"""Folder of Debian's libeigen3-dev; compilers also search the folders in $CPATH."""

OPTIONS = ("-O3", "-march=native", "-DNDEBUG")
METHODS = ("QuIK", "QuIK, Newton")
"""QuIK's step by Halley's method, and its damped Newton step, in the order of its own numbers for them."""


def commit() -> str:
    """Return the version of the source."""
    output = subprocess.run(
        ["git", "-C", SOURCE, "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=True
    )
    return output.stdout.strip()


def missing() -> str:
    """Return the reason why QuIK cannot be measured; empty if it can."""
    if not SOURCE.exists():
        return f"no source in {SOURCE.relative_to(SOURCE.parent.parent)}: make bench fetches it"
    try:
        _library()
    except (OSError, subprocess.CalledProcessError) as error:
        return f"does not compile: {str(getattr(error, 'stderr', '') or error).splitlines()[0]}"
    return ""


@cache
def _library() -> ctypes.CDLL:
    includes = [f"-I{SOURCE / 'include'}", f"-I{EIGEN}"]
    with tempfile.TemporaryDirectory() as folder:
        built = Path(folder) / "quik.so"
        sources = [BINDING, SOURCE / "src" / "geometry.cpp"]
        command: list[str | Path] = [
            "c++",
            "-shared",
            "-fPIC",
            "-std=c++17",
            *OPTIONS,
            *includes,
            *sources,
            "-o",
            built,
        ]
        subprocess.run(command, check=True, capture_output=True, text=True)
        library = ctypes.CDLL(str(built))
    library.solver.restype = ctypes.c_void_p
    return library


def side(chain: Chain, table: Sequence[Sequence[float]], method: str) -> Clocked:
    """Return QuIK as a side of a benchmark: a function of (target, start) that returns (q, whether QuIK converged).

    The tolerance is that of all sides; QuIK compares it with the norm of its whole error. Other options are those of
    its README.

    Args:
        chain: An arm of six revolute joints.
        table: The same arm as rows (a, α, d), m and rad, standard convention.
        method: One of METHODS.

    Raises:
        UnequalModels: The table describes another arm.
    """
    library = _library()
    rows = np.array(table, dtype=np.float64)
    solver = ctypes.c_void_p(library.solver(_at(rows), ctypes.c_double(TOLERANCE), METHODS.index(method)))

    def place(q: Array) -> Array:
        T = np.empty((4, 4))
        library.place(solver, _at(np.ascontiguousarray(q)), _at(T))
        return T

    def run(calls: Sequence[tuple[Any, ...]]) -> tuple[list[int], list[Any]]:
        targets, starts = (np.array(values) for values in zip(*calls, strict=True))
        count, q = len(calls), np.empty_like(starts)
        converged, nanoseconds = np.empty(count, dtype=np.uint8), np.empty(count, dtype=np.int64)
        arrays = (targets, starts, q, converged, nanoseconds)
        library.solve(solver, ctypes.c_int64(count), *map(_at, arrays))
        return nanoseconds.tolist(), list(zip(q, converged.astype(bool), strict=True))

    check_equal(chain, "QuIK", place)
    return Clocked(run)


def _at(array: np.ndarray[Any, Any]) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)
