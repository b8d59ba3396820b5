"""Derived kernels of a chain."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # SymPy loads only when needed
    from collections.abc import Callable

    import sympy as sp

    from lessons_lib.arrays import Array
    from lessons_lib.codegen.kernel import Kernel
    from lessons_lib.symbolic.open_chain import OpenChain


MAX_INTEGER = 1000.0
"""Largest number that is written as an integer; products of larger ones could pass the 2⁶³ of the compiler."""


def recipe(screws: Array, home: Array, matrix: Array | None = None) -> str:
    """Return screws, home and coupling matrix as text, exact to the last bit."""
    rows = (*screws, *home, *(() if matrix is None else matrix))
    return "\n".join(" ".join(float(x).hex() for x in row) for row in rows)


def kernels(screws: Array, home: Array, matrix: Array | None = None) -> list[Kernel]:
    """Return pose_kernel(q, T), space_kernel(q, T, J_s) and chain_kernel(q, T, J_b)."""
    pose, chain = tip_kernels(screws, home, matrix=matrix)
    return [pose, *space_kernels(screws, home, matrix), chain]


def space_kernels(screws: Array, home: Array, matrix: Array | None = None) -> list[Kernel]:
    """Return space_kernel(q, T, J_s), from the recursion from base to tip, which yields its columns."""
    import sympy as sp

    from lessons_lib.codegen.kernel import Kernel
    from lessons_lib.symbolic import open_chain

    plain = _derive(open_chain.derive, screws, home, matrix)
    q, outputs = {"q": sp.Matrix(plain.q)}, {"T": plain.T, "J_s": plain.J_s}
    return [Kernel("space_kernel", q, outputs, plain.steps, "T_sb(q) and J_s(q).", matrices=["J_s"])]


def tip_kernels(
    screws: Array, home: Array, prepared: dict[Any, Any] | None = None, matrix: Array | None = None
) -> list[Kernel]:
    """Return pose_kernel(q, T) and chain_kernel(q, T, J_b), by recursion from tip to base; cached in `prepared`."""
    import sympy as sp

    from lessons_lib.codegen.kernel import Kernel
    from lessons_lib.symbolic import tip_to_base

    prepared = {} if prepared is None else prepared
    short = prepared.get(tip_kernels) or _derive(tip_to_base.derive, screws, home, matrix)
    prepared[tip_kernels] = short
    q, T, J_b = {"q": sp.Matrix(short.q)}, {"T": short.T}, {"J_b": short.J_b}
    return [
        Kernel("pose_kernel", q, T, short.steps, "T_sb(q)."),
        Kernel("chain_kernel", q, T | J_b, short.steps, "T_sb(q) and J_b(q).", matrices=["J_b"]),
    ]


def _derive(derive: Callable[..., OpenChain], screws: Array, home: Array, matrix: Array | None) -> OpenChain:
    if matrix is None:
        return derive(exact(screws), exact(home))
    from lessons_lib.symbolic import coupled_chain

    return coupled_chain.derive(derive, exact(screws), exact(home), exact(matrix))


def exact(matrix: Array) -> sp.Matrix:
    """Return `matrix` for SymPy; small integers stay exact, so that 0 and 1 vanish from the formulas."""
    import sympy as sp

    def entry(i: int, j: int) -> sp.Expr:
        value = float(matrix[i, j])
        return sp.Integer(int(value)) if value.is_integer() and abs(value) <= MAX_INTEGER else sp.Float(value, 17)

    return sp.Matrix(*matrix.shape, entry)
