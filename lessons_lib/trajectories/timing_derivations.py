"""Derive the kernel of the limits on a piece of a path; in its own module, since imports enter the cache key."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # SymPy loads only when needed
    from lessons_lib.codegen.kernel import Kernel


def limits() -> list[Kernel]:
    """Return limit_rows_kernel: rows A; |A (x, y)| ≤ 1 keeps the limits of one joint on one piece."""
    import sympy as sp

    from lessons_lib.codegen.kernel import Kernel
    from lessons_lib.symbolic import path_timing

    slope, numbers = sp.Matrix(sp.symbols("b_0:3", real=True)), sp.Matrix(sp.symbols("h v a", real=True))
    step, slow, hard = numbers  # h, 1/v, 1/a
    by = path_timing.acceleration_rows, path_timing.speed_rows
    rows = sp.Matrix.vstack(hard * by[0](slope, step), slow**2 * by[1](slope))
    inputs = {"slope": slope, "numbers": numbers}
    return [Kernel("limit_rows_kernel", inputs, {"rows": rows}, summary="From h, 1/v and 1/a.", by=by)]
