"""From a chain's numbers to its generated code."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lessons_lib.codegen.forks import loading

Array = NDArray[np.float64]

LARGEST_WHOLE = 1000.0
"""Of a number that is written as an integer."""


def recipe(screws: Array, home: Array) -> str:
    """Return the chain's numbers as text, exact to the last bit."""
    return "\n".join(" ".join(float(x).hex() for x in row) for row in (*screws, *home))


def source(screws: Array, home: Array, target: str) -> str:
    """Return the text of the chain's kernels: derived by `symbolic.tip_to_base`, printed for `target`."""
    from lessons_lib import codegen

    text: str = codegen.source(kernels(screws, home), target)
    return text


def module_source(screws: Array, home: Array) -> str:
    """Return the text of the module that a chain loads: its kernels for the compiler, and `checked_kernels` on them.

    Raises:
        KinematicsError: The kernels are not the product of exponentials.
    """
    from lessons_lib.robots.kernel_check import check_text

    checked, text = Path(__file__).with_name("checked_kernels.py").read_text("utf-8"), source(screws, home, "numba")
    check_text(text, screws, home)
    return f"{text}\n\nDOF = {screws.shape[1]}\n\n{checked}"


def only_for(kernel: Any, *dimensions: int) -> Any:
    """Return `kernel` compiled for C-ordered float64 arrays of these dimensions; for all else it raises TypeError.

    Left alone, the compiler would make a new version for every type that it is called with, a list or a column of
    integers among them.
    """
    if hasattr(kernel, "compile") and not kernel.overloads:  # not where NUMBA_DISABLE_JIT leaves the function as it is
        with loading:  # chains with the same numbers share the kernel, and threads share the chain
            from numba import types

            if not kernel.overloads:
                kernel.compile(tuple(types.Array(types.float64, d, "C") for d in dimensions))
                kernel.disable_compile()
    return kernel


def kernels(screws: Array, home: Array) -> "list[codegen.Kernel]":  # type: ignore[name-defined]  # noqa: F821
    """Return pose_kernel(q, T), space_kernel(q, T, J_s) and chain_kernel(q, T, J_b).

    The space Jacobian comes out of the product of exponentials, which makes its columns on the way from the base.
    """
    import sympy as sp

    from lessons_lib.codegen import Kernel
    from lessons_lib.symbolic import open_chain

    plain, (pose, chain) = open_chain.derive(exact(screws), exact(home)), tip_kernels(screws, home)
    q, outputs = {"q": sp.Matrix(plain.q)}, {"T": plain.T, "J_s": plain.J_s}
    space = Kernel("space_kernel", q, outputs, plain.steps, "T_sb(q) and J_s(q).", matrices=["J_s"])
    return [pose, space, chain]


def tip_kernels(screws: Array, home: Array) -> "list[codegen.Kernel]":  # type: ignore[name-defined]  # noqa: F821
    """Return pose_kernel(q, T) and chain_kernel(q, T, J_b), which come out of the walk from the tip to the base."""
    import sympy as sp

    from lessons_lib.codegen import Kernel
    from lessons_lib.symbolic import tip_to_base

    short = tip_to_base.derive(exact(screws), exact(home))
    q, T, J_b = {"q": sp.Matrix(short.q)}, {"T": short.T}, {"J_b": short.J_b}
    return [
        Kernel("pose_kernel", q, T, short.steps, "T_sb(q)."),
        Kernel("chain_kernel", q, T | J_b, short.steps, "T_sb(q) and J_b(q).", matrices=["J_b"]),
    ]


def exact(matrix: Array) -> "sp.Matrix":  # type: ignore[name-defined]  # noqa: F821 (SymPy loads only when needed)
    """Return `matrix` for SymPy, small whole numbers as integers, so that 0 and 1 vanish from the formulas.

    The compiler's integers end at 2⁶³, which a product of a few large ones would pass.
    """
    import sympy as sp

    def entry(i: int, j: int) -> sp.Expr:
        value = float(matrix[i, j])
        return sp.Integer(int(value)) if value.is_integer() and abs(value) <= LARGEST_WHOLE else sp.Float(value, 17)

    return sp.Matrix(*matrix.shape, entry)
