"""From a chain's numbers to its generated code."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def recipe(screws: Array, home: Array) -> str:
    """Return the chain's numbers as text, exact to the last bit."""
    return "\n".join(" ".join(float(x).hex() for x in row) for row in (*screws, *home))


def source(screws: Array, home: Array, target: str) -> str:
    """Return the text of the chain's kernels: derived by `symbolic.open_chain`, printed for `target`."""
    import sympy as sp

    from lessons_lib import codegen
    from lessons_lib.symbolic import open_chain

    chain = open_chain.derive(_exact(screws), _exact(home))
    q, T, J_s, J_b = {"q": sp.Matrix(chain.q)}, {"T": chain.T}, {"J_s": chain.J_s}, {"J_b": chain.J_b}
    text: str = codegen.source(
        [
            codegen.Kernel("pose_kernel", q, T, chain.steps, "T_sb(q)."),
            codegen.Kernel("space_kernel", q, T | J_s, chain.steps, "T_sb(q) and J_s(q).", matrices=["J_s"]),
            codegen.Kernel("chain_kernel", q, T | J_b, chain.steps, "T_sb(q) and J_b(q).", matrices=["J_b"]),
        ],
        target,
    )
    return text


def _exact(matrix: Array) -> "sp.Matrix":  # type: ignore[name-defined]  # noqa: F821 (SymPy loads only when needed)
    """Return `matrix` for SymPy, whole numbers as integers, so that 0 and 1 vanish from the formulas."""
    import sympy as sp

    def entry(i: int, j: int) -> sp.Expr:
        value = float(matrix[i, j])
        return sp.Integer(int(value)) if value.is_integer() else sp.Float(value, 17)

    return sp.Matrix(*matrix.shape, entry)
