"""The generated module of this room: its compiled text, joined to the kernels of trees and of SE(3)."""

from functools import lru_cache
from pathlib import Path
from types import ModuleType

from lessons_lib.codegen import cache
from lessons_lib.lie import jacobian_kernels, kernels
from lessons_lib.robots import tree_kernels

ROOMS = ("symbolic", "codegen", "lie", "robots", "differential_ik")
TEXTS = ("configuration_text", "objective_text", "limits_text", "optimum_text")


@lru_cache(maxsize=1)
def module() -> ModuleType:
    """Return the generated module, made at the first call; it serves every robot."""
    needed = (kernels.module(), jacobian_kernels.module(), tree_kernels.module())
    return cache.load("differential_ik", "", source, needed, ROOMS)


def source() -> str:
    """Return the text of the module: the derived kernels, imported, then this room's own."""
    imports = [
        f"from {kernels.module().__name__} import adjoint_kernel, between_kernel, log_se3_kernel",
        f"from {jacobian_kernels.module().__name__} import left_jacobian_inverse_se3_kernel",
        f"from {tree_kernels.module().__name__} import difference, frame_jacobian, integrate",
    ]
    texts = [Path(__file__).with_name(f"{name}.py").read_text("utf-8") for name in TEXTS]
    return "\n\n\n".join(["\n".join(imports), *texts])
