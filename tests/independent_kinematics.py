"""Rotations, twists and damped steps in NumPy and SciPy: independent references for the answers to questions."""

import math
from collections.abc import Callable, Sequence

import numpy as np
from scipy.spatial.transform import Rotation

from lessons_lib.robots import kernel_check
from lessons_lib.robots.chain import Chain

Matrix = np.ndarray
RNG = np.random.default_rng(16)
Z = np.array([0.0, 0.0, 1.0])


def nearest_choice(value: float, *choices: float) -> list[bool]:
    """Return for each choice whether its ratio to a positive value is nearest to 1."""
    gaps = [abs(math.log(value / choice)) for choice in choices]
    return [gap == min(gaps) for gap in gaps]


def hat(w: Sequence[float]) -> Matrix:
    return np.cross(np.eye(3), w)


def hat6(twist: Sequence[float]) -> Matrix:
    found = np.zeros((4, 4))
    found[:3, :3], found[:3, 3] = hat(twist[:3]), twist[3:]
    return found


def vee6(matrix: Matrix) -> Matrix:
    return np.array([matrix[2, 1], matrix[0, 2], matrix[1, 0], *matrix[:3, 3]])


def pose(rotation: Matrix, position: Sequence[float]) -> Matrix:
    found = np.eye(4)
    found[:3, :3], found[:3, 3] = rotation, position
    return found


def any_pose() -> Matrix:
    return pose(Rotation.random(rng=RNG).as_matrix(), RNG.uniform(-1, 1, 3))


def adjoint(T: Matrix) -> Matrix:
    R, p = T[:3, :3], T[:3, 3]
    return np.block([[R, np.zeros((3, 3))], [hat(p) @ R, R]])


def at(chain: Chain, q: Sequence[float]) -> kernel_check.Product:
    return kernel_check.product(chain.screws, chain.home, np.asarray(q, dtype=float))


def tip_jacobian(chain: Chain, q: Sequence[float]) -> Matrix:
    """Return ∂(x, y)/∂q of a planar arm."""
    found = at(chain, q)
    return (found.T[:3, :3] @ found.J_b[3:])[:2]


def depends(of: Callable[[Matrix], Matrix], n: int) -> set[int]:
    """Return the joints on which a quantity depends, counted from 1."""
    q = RNG.uniform(0.2, 1.0, n)
    return {i + 1 for i in range(n) if not np.allclose(of(q), of(q + 0.3 * np.eye(n)[i]))}


def damped_step(J: Matrix, V: Matrix, W: Matrix, damping: float) -> Matrix:
    return np.linalg.solve(J.T @ W @ J + damping * np.eye(J.shape[1]), J.T @ W @ V)
