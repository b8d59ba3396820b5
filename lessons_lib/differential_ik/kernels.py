"""The generated module of this room: the functions marked `compiled` in its files, behind the kernels that they call.

A task, a limit or a solver keeps its compiled functions in its own file, beside the readable ones. They are plain
Python that may use `math`, NumPy, the constants of their file, each other, and the kernels of trees and of SE(3).
"""

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import TypeVar

from lessons_lib.codegen import modules
from lessons_lib.codegen.linker import Plain, Recipe, Taken
from lessons_lib.lie import jacobian_kernels, kernels
from lessons_lib.robots import tree_kernels

ROOM = Path(__file__).parent

_Function = TypeVar("_Function", bound=Callable[..., object])


def compiled(function: _Function) -> _Function:
    """Mark a function for `module`, whose own of this name is the compiled one; here it stays plain Python."""
    return function


@lru_cache(maxsize=1)
def module() -> ModuleType:
    """Return the generated module, made at the first call; it serves every robot."""
    return modules.load(recipe())


def recipe() -> Recipe:
    """Return what the module is made of: whatever file of the room marks a function is a part of it."""
    taken = (
        Taken(kernels.module(), "adjoint_kernel", "between_kernel", "log_se3_kernel"),
        Taken(jacobian_kernels.module(), "left_jacobian_inverse_se3_kernel"),
        Taken(tree_kernels.module(), "difference", "frame_jacobian", "integrate"),
    )
    files = [path for path in sorted(ROOM.rglob("*.py")) if "\n@compiled\n" in path.read_text("utf-8")]
    names = (".".join((__package__, *path.relative_to(ROOM).with_suffix("").parts)) for path in files)
    return Recipe("differential_ik", (*taken, *(Plain(name, only="compiled") for name in names)))
