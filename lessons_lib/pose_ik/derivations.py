"""Kernels of the split error and of its exact derivative, for `evaluate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # SymPy loads only when needed
    from lessons_lib.codegen.kernel import Kernel


def split() -> list[Kernel]:
    """Return the kernels, along the axes of {b} and along given axes; they use ω of V and the rotation of T_axes."""
    import sympy as sp

    from lessons_lib.codegen.kernel import Kernel
    from lessons_lib.symbolic import se3
    from lessons_lib.symbolic.pose_error import split_error, split_slope

    omega, v, r, p = (sp.Matrix(sp.symbols(f"{name}0:3", real=True)) for name in ("omega", "v", "r", "p"))
    E, axes = (sp.Matrix(3, 3, lambda i, j, name=name: sp.Symbol(f"{name}{i}{j}", real=True)) for name in "EA")
    T_bd = se3.pose(E, r)
    inputs = {"V": omega.col_join(v), "T_bd": T_bd}
    in_body = {"e": split_error(omega, T_bd), "L": split_slope(omega, T_bd)}
    along = {"e": split_error(omega, T_bd, axes), "L": split_slope(omega, T_bd, axes)}
    return [
        Kernel("split_in_body_kernel", inputs, in_body, summary="e and L along the axes of {b}."),
        Kernel(
            "split_along_axes_kernel",
            {**inputs, "T_axes": se3.pose(axes, p)},
            along,
            summary="e and L along axes in which {d} has the rotation of T_axes.",
        ),
    ]
