"""Rates for tasks in a strict order of priority: none is disturbed by those below it.

This is the classical method, without limits: a pseudoinverse for each task, in the room that the tasks above leave. Its
two formulas are those of `symbolic.redundancy`.

Source: Siciliano & Slotine, A general framework for managing multiple tasks in highly redundant robotic systems (1991).
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, floats
from lessons_lib.differential_ik import arguments
from lessons_lib.errors import ParameterError

RANK = 1e-10
"""What the tasks above leave of a task counts as nothing below this part of its largest singular value: rounding leaves
1e-16, and whoever comes nearer than 1e-10 asks for rates ten thousand million times the usual ones."""


def prioritized_rates(tasks: Sequence[tuple[ArrayLike, ArrayLike]], secondary: ArrayLike | None = None) -> Array:
    """Return the rates that do each task as well as those before it allow, and come nearest to secondary rates.

    Of all rates that leave the least error of the first task, those are kept that leave the least error of the second,
    and so on; the secondary rates fill what is left, as far as no task feels it.

    Args:
        tasks: Pairs (J, V), the most important first: a Jacobian, shape (m, n), and what J q̇ should be, shape (m,).
        secondary: z, rates of a secondary objective, shape (n,); zero when left out.

    Returns:
        q̇, shape (n,), in the units of the tasks.

    Raises:
        ParameterError: No task, or arrays of shapes that do not fit, or with a value that is not finite.
    """
    levels, n = _check(tasks)
    q_dot, N = np.zeros(n), np.eye(n)
    for J, V in levels:
        q_dot, N = _next_level(q_dot, N, J, V)
    if secondary is None:
        return q_dot
    return _next_level(q_dot, N, np.eye(n), arguments.vector(secondary, "secondary", n))[0]


def null_space_projector(jacobian: ArrayLike) -> Array:
    """Return N = I − J⁺J, shape (n, n), which takes from any rates what the Jacobian feels of them.

    Args:
        jacobian: J, shape (m, n); its rank may be less than m.

    Raises:
        ParameterError: It is not a matrix of finite numbers.
    """
    J = _matrix(jacobian, "a Jacobian")
    return _next_level(np.zeros(J.shape[1]), np.eye(J.shape[1]), J, np.zeros(len(J)))[1]


def _next_level(q_dot: Array, N: Array, J: Array, V: Array) -> tuple[Array, Array]:  # noqa: N803
    """Return the rates with one task more, and what that leaves free."""
    JN_plus = _pseudoinverse(J @ N, float(np.linalg.norm(J, 2)))  # noqa: N806
    rates, free = _formulas()(q_dot, N, J, JN_plus, V)
    return rates, free


def _pseudoinverse(JN: Array, scale: float) -> Array:  # noqa: N803
    """Return (J N)⁺, with the singular values that are rounding left out."""
    U, sigmas, Yt = np.linalg.svd(JN, full_matrices=False)  # noqa: N806
    kept = sigmas > RANK * scale
    inverse: Array = (Yt[kept].T / sigmas[kept]) @ U[:, kept].T
    return inverse


@lru_cache(maxsize=1)
def _formulas() -> Callable[..., tuple[Array, Array]]:
    """Return the derived `reach` and `below` as one NumPy function of q̇, N, J, (J N)⁺ and V, for any size."""
    import sympy as sp

    from lessons_lib.symbolic import redundancy

    m, n = sp.symbols("m n", integer=True, positive=True)
    shapes = {"q_dot": (n, 1), "N": (n, n), "J": (m, n), "JN_plus": (n, m), "V": (m, 1)}
    given = {name: sp.MatrixSymbol(name, *shape) for name, shape in shapes.items()}
    rates = redundancy.reach(given["q_dot"], given["J"], given["JN_plus"], given["V"])
    free = redundancy.below(given["N"], given["J"], given["JN_plus"])
    formulas: Any = sp.lambdify(list(given.values()), (rates, free), "numpy")
    return formulas  # type: ignore[no-any-return]


def _check(tasks: object) -> tuple[list[tuple[Array, Array]], int]:
    """Return the tasks as arrays that fit each other, and the number of rates."""
    if not isinstance(tasks, Sequence) or not tasks or not all(_is_pair(task) for task in tasks):
        raise ParameterError("tasks must be one or more pairs (J, V), the most important first")
    matrices = [_matrix(J, f"the Jacobian of task {i}") for i, (J, _) in enumerate(tasks, 1)]
    n = matrices[0].shape[1]
    for i, J in enumerate(matrices, 1):
        if J.shape[1] != n:
            raise ParameterError(f"the Jacobian of task {i} has {J.shape[1]} columns, that of task 1 has {n}")
    wanted = [
        arguments.vector(V, f"V of task {i}", len(J))
        for i, (J, (_, V)) in enumerate(zip(matrices, tasks, strict=True), 1)
    ]
    return list(zip(matrices, wanted, strict=True)), n


def _is_pair(task: object) -> bool:
    return isinstance(task, (tuple, list)) and len(task) == 2


def _matrix(value: ArrayLike, name: str) -> Array:
    array = floats(value, f"{name} must be a matrix of numbers", ParameterError)
    if array.ndim != 2 or array.size == 0:
        raise ParameterError(f"{name} must be a matrix of finite numbers, shape (m, n), got shape {array.shape}")
    for row, column in np.argwhere(~np.isfinite(array)):
        raise ParameterError(f"{name} must be a matrix of finite numbers, got {array[row, column]} at {row}, {column}")
    return array
