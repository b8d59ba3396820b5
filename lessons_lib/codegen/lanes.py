"""Kernels over lanes: the same straight line of assignments for eight poses side by side.

All numbers live in one flat array `w`, row after row, and a row holds one number of each pose: row r of lane lane is
w[LANES r + l]. So a loop over lanes reads and writes neighbours, and becomes vector instructions (with AVX-512 all
eight at once): vectors.py writes those of a kernel, and LLVM finds those of the other loops. One array needs no proof
that two do not overlap. No branch and no call may stand in such a loop: sine, cosine and the angle of a rotation are
polynomials, and a choice is a select.
"""

from collections.abc import Mapping

import sympy as sp

from lessons_lib.codegen import numba_target
from lessons_lib.codegen.kernel import Kernel
from lessons_lib.codegen.selects import with_selects
from lessons_lib.symbolic.sine_cosine import LARGEST_ANGLE

LANES = 8
"""Poses side by side: as many doubles as the widest vector registers hold."""

_UNWRAPPED = "no_cpython_wrapper=True, no_cfunc_wrapper=True"
JIT = f'@numba.njit(nogil=True, error_model="numpy", fastmath={{"contract"}}, _nrt=False, {_UNWRAPPED})'
"""Compiled code alone calls the kernels over lanes; a wrapper for Python would cost a sixth of the compilation.

They make no arrays, so Numba's runtime (NRT) need not count the references to those that they are given.
"""
VECTORIZED = "@vectorized"
"""For a function that is a single loop over lanes; see vectors.py."""

__all__ = [
    "JIT",
    "LANES",
    "LARGEST_ANGLE",
    "VECTORIZED",
    "function",
    "place",
    "sine_and_cosine",
    "text_of",
    "with_selects",
]


def function(kernel: Kernel, rows: Mapping[str, int], width: int = LANES) -> str:
    """Return the text of `kernel` over lanes: a function of w that fills the rows of its outputs.

    Args:
        kernel: What to generate. Its expressions hold no Stumpff functions: those branch.
        rows: The row at which each input and output array begins; a matrix goes row by row.
        width: Poses side by side; with a single one the loop falls away, and the kernel is a scalar one.
    """
    lines = [VECTORIZED, f"def {kernel.name}(w):", f'    """{kernel.account}"""', f"    for lane in range({width}):"]
    for name, matrix in kernel.inputs.items():
        lines += [f"        {s} = {place(rows[name] + i, width)}" for i, s in enumerate(matrix) if s.is_Symbol]
    assignments, results = numba_target.body(kernel, "sine_cosine_near")
    lines += [f"        {line}" for line in assignments]
    for name, matrix in kernel.outputs.items():
        lines += [f"        {place(rows[name] + i, width)} = {next(results)}" for i in range(len(matrix))]
    return "\n".join(lines)


def place(row: int, width: int = LANES) -> str:
    """Return the text of a row's number in lane lane."""
    return f"w[{width * row} + lane]"


def sine_and_cosine() -> str:
    """Return the text of sine_cosine_near(angle), right to rounding up to LARGEST_ANGLE, rad."""
    return numba_target.near_text()


def text_of(expression: sp.Expr) -> str:
    """Return the text of an expression."""
    return numba_target.expression_text(expression)
