"""The kernels of the split error and of its exact derivative: `symbolic.split_error`, printed and compiled."""

from __future__ import annotations

from functools import lru_cache
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lessons_lib.codegen import cache

Array = NDArray[np.float64]


def split(error_twist: Array, T_bd: Array, target: Array, frame: str) -> tuple[Array, Array]:
    """Return the split error e = (ω, r), shape (6,), and L, shape (6, 6), by which a small body twist V changes it.

    Args:
        error_twist: V_b = log(T_bd), shape (6,), of which ω is read.
        T_bd: T_sb⁻¹ T_sd, shape (4, 4).
        target: T_sd, shape (4, 4).
        frame: "body", "space" or "target": along whose axes ω [rad] and r = p_d − p [m] are written.
    """
    kernels: Any = module()
    e, L = np.empty(6), np.empty((6, 6))
    if frame == "body":
        kernels.split_in_body_kernel(error_twist, T_bd, e, L)
    else:
        kernels.split_along_axes_kernel(error_twist, T_bd, target if frame == "space" else np.eye(4), e, L)
    return e, L


@lru_cache(maxsize=1)
def module() -> ModuleType:
    """Return the generated module with split_in_body_kernel and split_along_axes_kernel, made at the first call."""
    rooms, derives = ("symbolic", "codegen", "pose_ik"), "the split error of a pose"
    return cache.load("pose_ik_split", "SE(3)", source, rooms=rooms, derives=derives)


def source() -> str:
    """Return the generated text; of the twist V the kernels read ω, and of the pose T_axes the rotation."""
    import sympy as sp

    from lessons_lib import codegen
    from lessons_lib.codegen import Kernel
    from lessons_lib.symbolic import se3
    from lessons_lib.symbolic.split_error import split_error, split_slope

    omega, v, r, p = (sp.Matrix(sp.symbols(f"{name}0:3", real=True)) for name in ("omega", "v", "r", "p"))
    E, axes = (sp.Matrix(3, 3, lambda i, j, name=name: sp.Symbol(f"{name}{i}{j}", real=True)) for name in "EA")
    T_bd = se3.pose(E, r)
    given = {"V": omega.col_join(v), "T_bd": T_bd}
    in_body = {"e": split_error(omega, T_bd), "L": split_slope(omega, T_bd)}
    along = {"e": split_error(omega, T_bd, axes), "L": split_slope(omega, T_bd, axes)}
    text: str = codegen.source(
        [
            Kernel("split_in_body_kernel", given, in_body, summary="e and L along the axes of {b}."),
            Kernel(
                "split_along_axes_kernel",
                {**given, "T_axes": se3.pose(axes, p)},
                along,
                summary="e and L along axes in which {d} has the rotation of T_axes.",
            ),
        ],
        "numba",
    )
    return text
