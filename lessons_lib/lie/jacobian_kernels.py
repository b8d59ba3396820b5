"""The kernels of the Jacobians of exp: derivatives of `symbolic`'s formulas, and few solves need them."""

from functools import lru_cache
from types import ModuleType

from lessons_lib.codegen import cache


@lru_cache(maxsize=1)
def module() -> ModuleType:
    """Return the generated module with the three kernels, made at the first call."""
    rooms, derives = ("symbolic", "codegen", "lie"), "the Jacobians of exp on SE(3)"
    return cache.load("lie_jacobians", "SE(3)", source, rooms=rooms, derives=derives)


def source() -> str:
    """Return the generated text."""
    import sympy as sp

    from lessons_lib import codegen
    from lessons_lib.codegen import Kernel
    from lessons_lib.symbolic import se3, so3

    omega = sp.Matrix(sp.symbols("omega0:3", real=True))
    xi = omega.col_join(sp.Matrix(sp.symbols("v0:3", real=True)))
    of_so3, of_se3, inverse = so3.left_jacobian(omega), se3.left_jacobian(xi), se3.left_jacobian_inverse(xi)
    text: str = codegen.source(
        [
            Kernel("left_jacobian_so3_kernel", {"omega": omega}, {"J": of_so3}, summary="J_l(ω), 3×3."),
            Kernel("left_jacobian_se3_kernel", {"xi": xi}, {"J": of_se3}, summary="J_l(ξ), 6×6."),
            Kernel("left_jacobian_inverse_se3_kernel", {"xi": xi}, {"J": inverse}, summary="J_l(ξ)⁻¹, 6×6."),
        ],
        "numba",
    )
    return text
