"""The compiled trace: its text is joined to a chain's module of `pose_ik`, compiled once a chain, called from here."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from lessons_lib.codegen import cache
from lessons_lib.pose_ik import compiled
from lessons_lib.pose_ik.problem import Problem
from lessons_lib.robots import Chain

Array = NDArray[np.float64]

CHUNK = 1024
"""Waypoints between two looks at the progress bar and at Ctrl-C."""

_JIT = '@numba.njit(cache=True, nogil=True, error_model="numpy")'
_PARTS = ("places", "turns", "compiled_path")
_NOT_COMPILED = frozenset({"nearest_turns"})
_modules: WeakKeyDictionary[Chain, ModuleType] = WeakKeyDictionary()


def trace_rows(
    problem: Problem,
    targets: Array,
    places: Array,
    counts: NDArray[np.int64],
    seeds: NDArray[np.int64],
    reports: Array,
) -> int:
    """Trace some waypoints on from where the arm is: see compiled_path.py; return how many were tried."""
    arm, settings = problem.arm, compiled.settings_of(problem)
    run = module_for(problem.chain).trace_rows
    return int(run(targets, places, arm.joints, arm.reach, settings, seeds, counts, reports))


def module_for(chain: Chain) -> ModuleType:
    """Return the generated module with trace_rows for a chain; the first call to it compiles."""
    module = _modules.get(chain)
    if module is None:
        base = compiled.module_for(chain)
        text = _source(base.__name__)
        rooms = (*cache.ROOMS, "trajectories")
        module = cache.load("trace", chain.recipe, lambda: text, (base,), rooms=rooms, owner=chain)
        _modules[chain] = module
    return module


def _source(base: str) -> str:
    """Return the text of a chain's module: everything of its `pose_ik` module, then this room's own functions."""
    imports = ["from __future__ import annotations", "import math", "import numba\nimport numpy as np"]
    functions = [part for name in _PARTS for part in functions_and_constants(name)]
    return "\n\n".join([*imports, f"from {base} import *", *functions]) + "\n"


def functions_and_constants(name: str, mark: str = _JIT, marks: Mapping[str, str] | None = None) -> list[str]:
    """Return the constants and functions of one of this package's files, as `pose_ik.compiled` does of its own."""
    text, parts = Path(__file__).with_name(f"{name}.py").read_text("utf-8"), []
    for node in ast.parse(text).body:
        segment = ast.get_source_segment(text, node) or ""
        if isinstance(node, ast.FunctionDef) and node.name not in _NOT_COMPILED:
            parts.append(f"{(marks or {}).get(node.name, mark)}\n{segment}")
        elif isinstance(node, ast.Assign) and segment.split("=")[0].isupper():
            parts.append(segment)
    return parts
