"""Joint rates for tasks with strict priorities: no task is disturbed by tasks of lower priority."""
# The classical method, without limits, by the two formulas of `symbolic.redundancy`. Source: Siciliano & Slotine, A
# general framework for managing multiple tasks in highly redundant robotic systems (1991).

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, floats
from lessons_lib.differential_ik import arguments
from lessons_lib.errors import ParameterError
from lessons_lib.other_libraries import suggest_arguments
from lessons_lib.paths import short_repr

RANK = 1e-10
"""Smallest relative singular value of a task in the null space of those before it: rounding leaves 1e-16, and 1e-10
already requires rates 1e10 times as large as usual."""


@suggest_arguments
def prioritized_rates(tasks: Sequence[tuple[ArrayLike, ArrayLike]], secondary: ArrayLike | None = None) -> Array:
    """Return the rates that fulfil each task as well as those before it permit, and are nearest to secondary rates.

    Of all rates with the smallest error of the first task, those with the smallest error of the second are selected,
    and so on; the secondary rates are projected into the remaining null space.

    >>> from lessons_lib import differential_ik as dik
    >>> dik.prioritized_rates([([[1, 0]], [1.0]), ([[1, 1]], [3.0])]).round(6).tolist()
    [1.0, 2.0]

    Args:
        tasks: Pairs (J, V), the most important first: a Jacobian, shape (m, n), and the desired J q̇, shape (m,).
        secondary: z, rates of a secondary objective, shape (n,); zero by default.

    Returns:
        q̇, shape (n,), in the units of the tasks.

    Raises:
        ParameterError: There is no task, shapes do not match, or a value is not finite.
    """
    levels, n = _check(tasks)
    q_dot, N = np.zeros(n), np.eye(n)
    for J, V in levels:
        q_dot, N = _next_level(q_dot, N, J, V)
    if secondary is None:
        return q_dot
    return _next_level(q_dot, N, np.eye(n), arguments.vector(secondary, "secondary", n))[0]


def null_space_projector(jacobian: ArrayLike) -> Array:
    """Return N = I − J⁺J, shape (n, n), which projects rates into the null space of the Jacobian.

    >>> from lessons_lib import differential_ik as dik
    >>> (dik.null_space_projector([[1, 0, 0]]) + 0.0).round(12).tolist()
    [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]

    Args:
        jacobian: J, shape (m, n); its rank may be less than m.

    Raises:
        ParameterError: Not a matrix of finite numbers.
    """
    J = _matrix(jacobian, "a Jacobian")
    return _next_level(np.zeros(J.shape[1]), np.eye(J.shape[1]), J, np.zeros(len(J)))[1]


def _next_level(q_dot: Array, N: Array, J: Array, V: Array) -> tuple[Array, Array]:  # noqa: N803
    """Return the rates with one more task, and the remaining null-space projector."""
    JN_plus = _pseudoinverse(J @ N, float(np.linalg.norm(J, 2)))  # noqa: N806
    rates, free = _formulas()(q_dot, N, J, JN_plus, V)
    return rates, free


def _pseudoinverse(JN: Array, scale: float) -> Array:  # noqa: N803
    """Return (J N)⁺ without singular values that are rounding."""
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
    rates = redundancy.add_task(given["q_dot"], given["J"], given["JN_plus"], given["V"])
    free = redundancy.next_projector(given["N"], given["J"], given["JN_plus"])
    formulas: Any = sp.lambdify(list(given.values()), (rates, free), "numpy")
    return formulas  # type: ignore[no-any-return]


def _check(tasks: object) -> tuple[list[tuple[Array, Array]], int]:
    """Return the tasks as arrays of matching shapes, and the number of rates."""
    if not isinstance(tasks, Sequence) or not tasks or not all(_is_pair(task) for task in tasks):
        raise ParameterError(f"tasks must be a list of pairs (J, V), the most important first, got {short_repr(tasks)}")
    matrices = [_matrix(J, f"the Jacobian of task {i}") for i, (J, _) in enumerate(tasks, 1)]
    n = matrices[0].shape[1]
    for i, J in enumerate(matrices, 1):
        if J.shape[1] != n:
            raise ParameterError(f"the Jacobian of task {i} must have {n} columns, as that of task 1, got {J.shape[1]}")
    velocities = [
        arguments.vector(V, f"V of task {i}", len(J))
        for i, (J, (_, V)) in enumerate(zip(matrices, tasks, strict=True), 1)
    ]
    return list(zip(matrices, velocities, strict=True)), n


def _is_pair(task: object) -> bool:
    return isinstance(task, (tuple, list)) and len(task) == 2


def _matrix(value: ArrayLike, name: str) -> Array:
    array = floats(value, f"{name} must be a matrix of numbers", ParameterError)
    if array.ndim != 2 or array.size == 0:
        raise ParameterError(f"{name} must be a matrix of finite numbers, shape (m, n), got shape {array.shape}")
    for row, column in np.argwhere(~np.isfinite(array)):
        raise ParameterError(f"{name} must be a matrix of finite numbers, got {array[row, column]} at {row}, {column}")
    return array
