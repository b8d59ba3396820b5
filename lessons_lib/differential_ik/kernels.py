"""The generated module of this package: all functions marked `compiled`, and the kernels that they call."""
# Compiled functions are plain Python beside the readable methods. They may use `math`, NumPy, the constants of their
# file, each other, and the kernels of trees and of SE(3).

from collections.abc import Callable
from functools import lru_cache
from types import ModuleType
from typing import Any, TypeVar

from lessons_lib.codegen import linker
from lessons_lib.codegen.linker import Constants, Imported, Plain, Recipe, marked_files
from lessons_lib.lie import ORTHOGONALITY, intervals, kernels
from lessons_lib.robots import tree_kernels


@lru_cache(maxsize=1)
def module() -> ModuleType:
    """Return the generated module for all robots; the first call compiles it."""
    return linker.load(recipe())


def recipe() -> Recipe:
    imported = (
        Imported(kernels.module(), "adjoint_kernel", "between_kernel", "log_se3_kernel"),
        Imported(kernels.jacobians(), "left_jacobian_inverse_se3_kernel"),
        Imported(intervals.module(), "interval_error_kernel"),
        Imported(tree_kernels.module(), "difference", "frame_jacobian", "integrate"),
    )
    poses = Constants({"ORTHOGONALITY": ORTHOGONALITY}), Plain("lessons_lib.lie.poses", only=("pose_deviation",))
    return Recipe("differential_ik", (*imported, *poses, *marked_files("lessons_lib.differential_ik")))


# A class marks a faster method with the readable methods that it is equivalent to. If a derived class overrides one of
# these, the faster method no longer applies to it, and that of the next base is selected.


_Method = TypeVar("_Method", bound=Callable[..., Any])


def equivalent_to(*readable: str) -> Callable[[_Method], _Method]:
    """Mark a method as equivalent to the readable methods with these names."""

    def mark(method: _Method) -> _Method:
        method.equivalent_to = readable  # type: ignore[attr-defined]
        return method

    return mark


def select_implementation(kind: type, name: str, default: Callable[..., Any]) -> None:
    """Set the method `name` of a class to the most derived one that is equivalent to its readable methods."""
    order = kind.__mro__
    for depth, owner in enumerate(order):
        method = vars(owner).get(name)
        readable = getattr(method, "equivalent_to", ())
        if method is not None and not any(each in vars(newer) for newer in order[:depth] for each in readable):
            setattr(kind, name, method)
            return
    setattr(kind, name, default)
