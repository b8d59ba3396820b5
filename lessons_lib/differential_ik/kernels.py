"""The generated module of this room: the functions marked `compiled` in its files, behind the kernels that they call.

A task, a limit or a solver keeps its compiled functions in its own file, beside the readable ones. They are plain
Python that may use `math`, NumPy, the constants of their file, each other, and the kernels of trees and of SE(3).
"""

import ast
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import TypeVar

from lessons_lib.codegen import cache
from lessons_lib.errors import CodegenError
from lessons_lib.lie import jacobian_kernels, kernels
from lessons_lib.robots import tree_kernels

ROOMS = ("symbolic", "codegen", "lie", "robots", "differential_ik")

_JIT = '@numba.njit(cache=True, nogil=True, error_model="numpy")'

_Function = TypeVar("_Function", bound=Callable[..., object])


def compiled(function: _Function) -> _Function:
    """Mark a function for `module`, whose own of this name is the compiled one; here it stays plain Python."""
    return function


@lru_cache(maxsize=1)
def module() -> ModuleType:
    """Return the generated module, made at the first call; it serves every robot."""
    needed = (kernels.module(), jacobian_kernels.module(), tree_kernels.module())
    return cache.load("differential_ik", "", source, needed, ROOMS)


def source() -> str:
    """Return the text of the module: the derived kernels, imported, then the marked functions and their constants.

    Raises:
        CodegenError: Two files give one name to different things.
    """
    heading = [
        "from __future__ import annotations",
        "import math",
        "import numba",
        "import numpy as np",
        f"from {kernels.module().__name__} import adjoint_kernel, between_kernel, log_se3_kernel",
        f"from {jacobian_kernels.module().__name__} import left_jacobian_inverse_se3_kernel",
        f"from {tree_kernels.module().__name__} import difference, frame_jacobian, integrate",
    ]
    found: dict[str, str] = {}
    for path in sorted(Path(__file__).parent.rglob("*.py")):
        for name, text in _marked(path.read_text("utf-8")):
            if name in found:
                raise CodegenError(f"{name!r} is compiled in {path.name} and in another file; give it another name")
            found[name] = text
    return "\n\n\n".join(["\n".join(heading), *found.values()])


def _marked(text: str) -> Iterator[tuple[str, str]]:
    """Yield name and text of each constant that a marked function of a file uses, then of each of these functions."""
    nodes = ast.parse(text).body
    functions = [
        node
        for node in nodes
        if isinstance(node, ast.FunctionDef)
        and any(isinstance(mark, ast.Name) and mark.id == "compiled" for mark in node.decorator_list)
    ]
    body = ast.Module([line for function in functions for line in function.body], [])  # annotations are left out
    used = {name.id for name in ast.walk(body) if isinstance(name, ast.Name)}
    for node in nodes:
        if isinstance(node, ast.Assign):
            names = [name.id for name in ast.walk(node.targets[0]) if isinstance(name, ast.Name)]
            if used.intersection(names):
                yield ", ".join(names), ast.get_source_segment(text, node) or ""
    for function in functions:
        yield function.name, f"{_JIT}\n{ast.get_source_segment(text, function)}"
