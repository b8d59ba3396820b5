"""Kinematics of batches, and of any q that the checked kernels refuse."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, floats
from lessons_lib.errors import ConfigurationError
from lessons_lib.robots.kernel_check import check_kernel, reference_products

Chain = Any
"""A `Chain`; its file imports this one."""


def poses(chain: Chain, q: ArrayLike) -> Array:
    """Return T_sb, shape (4, 4), or (k, 4, 4) for k configurations."""
    array = read(chain, q)
    T = np.empty((*array.shape[:-1], 4, 4))
    if array.ndim != 1 or not chain._checked_pose(array, T):
        (chain.kernels.pose_kernel if array.ndim == 1 else _rows(chain, "pose"))(array, T)
    return T


def space_jacobians(chain: Chain, q: ArrayLike) -> Array:
    """Return J_s, shape (6, n), or (k, 6, n) for k configurations."""
    array = read(chain, q)
    T, J_s = np.empty((*array.shape[:-1], 4, 4)), np.empty((*array.shape[:-1], 6, chain.dof))
    if array.ndim != 1 or not chain._checked_space(array, J_s):
        (chain.kernels.space_kernel if array.ndim == 1 else _rows(chain, "space", "J_s"))(array, T, J_s)
    return J_s


def poses_and_jacobians(chain: Chain, q: ArrayLike) -> tuple[Array, Array]:
    """Return T_sb and J_b, shapes (4, 4) and (6, n), each with a leading k for k configurations."""
    array = read(chain, q)
    T, J_b = np.empty((*array.shape[:-1], 4, 4)), np.empty((*array.shape[:-1], 6, chain.dof))
    if array.ndim != 1 or not chain._checked_chain(array, T, J_b):
        (chain.kernel if array.ndim == 1 else _rows(chain, "chain", "J_b"))(array, T, J_b)
    return T, J_b


def read(chain: Chain, q: ArrayLike) -> Array:
    """Return one configuration, shape (n,), or many, shape (k, n), as a float64 copy; an error names the row."""
    array = floats(q, f"q of {chain.name} must be {chain.dof} numbers, or rows of {chain.dof}", ConfigurationError)
    if array.ndim < 2:
        return np.asarray(chain.check_configuration(array))
    if array.ndim > 2 or array.shape[1] != chain.dof:
        raise ConfigurationError(
            f"q of {chain.name} must have shape ({chain.dof},), or (k, {chain.dof}) for many, got {array.shape}"
        )
    for row in np.flatnonzero(~np.isfinite(array).all(axis=1)):
        raise ConfigurationError(f"row {row} of q of {chain.name} must be finite, got {array[row].tolist()}")
    return array


def _rows(chain: Chain, name: str, jacobian: str = "") -> Any:
    """Return the compiled loop `NAME_rows` over configurations; its first use is checked like the kernels."""
    loop = chain.prepared.get(name)
    if loop is None:
        kernel = getattr(chain.kernels, f"{name}_rows")
        loop = kernel.specialize("f2", *["f3"] * (2 if jacobian else 1))
        known = list(reference_products(chain.screws, chain.home, chain.matrix))
        shapes = [(4, 4), (6, chain.dof)] if jacobian else [(4, 4)]
        outputs = [np.empty((len(known), *shape)) for shape in shapes]
        loop(np.array([expected.q for expected in known]), *outputs)
        for expected, T, *J in zip(known, *outputs, strict=True):
            check_kernel(expected, T, what=f"{name}_rows", **({jacobian: J[0]} if J else {}))
        chain.prepare(name, loop)
    return loop
