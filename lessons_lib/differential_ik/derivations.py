"""Derive the kernels of the kinematic Hessian, the derivative of each column of a Jacobian."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # SymPy loads only when needed
    from lessons_lib.codegen.kernel import Kernel


def kinematic_hessian() -> list[Kernel]:
    """Return body_kernel and space_kernel, the derivative of one column with respect to another joint."""
    import sympy as sp

    from lessons_lib.codegen.kernel import Kernel
    from lessons_lib.symbolic import manipulability

    column, other = (sp.Matrix(sp.symbols(f"{name}0:6", real=True)) for name in ("s", "t"))
    inputs = {"column": column, "other": other}
    body = manipulability.body_column_derivative(column, other)
    space = manipulability.space_column_derivative(column, other)
    return [
        Kernel("body_kernel", inputs, {"derivative": body}, summary="∂J_b,i/∂q_j, i before j."),
        Kernel("space_kernel", inputs, {"derivative": space}, summary="∂J_s,i/∂q_j, j before i."),
    ]
