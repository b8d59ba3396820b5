"""The generated module of this package: all functions marked `compiled`, and the kernels that they call."""
# Compiled functions are plain Python beside the readable methods. They may use `math`, NumPy, the constants of their
# file, each other, and the kernels of trees and of SE(3).

from functools import lru_cache
from types import ModuleType

from lessons_lib.codegen import modules
from lessons_lib.codegen.linker import Constants, Imported, Plain, Recipe, marked_files
from lessons_lib.lie import ORTHOGONALITY, intervals, kernels
from lessons_lib.robots import tree_kernels


@lru_cache(maxsize=1)
def module() -> ModuleType:
    """Return the generated module for all robots; the first call compiles it."""
    return modules.load(recipe())


def recipe() -> Recipe:
    imported = (
        Imported(kernels.module(), "adjoint_kernel", "between_kernel", "log_se3_kernel"),
        Imported(kernels.jacobians(), "left_jacobian_inverse_se3_kernel"),
        Imported(intervals.module(), "interval_error_kernel"),
        Imported(tree_kernels.module(), "difference", "frame_jacobian", "integrate"),
    )
    poses = Constants({"ORTHOGONALITY": ORTHOGONALITY}), Plain("lessons_lib.lie.poses", only=("pose_deviation",))
    return Recipe("differential_ik", (*imported, *poses, *marked_files("lessons_lib.differential_ik")))
