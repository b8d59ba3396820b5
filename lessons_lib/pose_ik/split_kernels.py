"""The kernels of the split error and of its exact derivative: `symbolic.split_error`, printed and compiled."""

from __future__ import annotations

from functools import lru_cache
from types import ModuleType
from typing import Any

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.codegen import modules
from lessons_lib.codegen.linker import Derived, Recipe
from lessons_lib.pose_ik import derivations
from lessons_lib.pose_ik.axes import Axes


def split(error_twist: Array, T_bd: Array, target: Array, frame: str | Axes) -> tuple[Array, Array]:
    """Return the split error e = (ω, r), shape (6,), and L, shape (6, 6), by which a small body twist V changes it.

    Args:
        error_twist: V_b = log(T_bd), shape (6,), of which ω is read.
        T_bd: T_sb⁻¹ T_sd, shape (4, 4).
        target: T_sd, shape (4, 4).
        frame: "body", "space", "target" or `Axes`: along whose axes ω [rad] and r = p_d − p [m] are written.
    """
    kernels: Any = module()
    e, L = np.empty(6), np.empty((6, 6))
    if frame == "body":
        kernels.split_in_body_kernel(error_twist, T_bd, e, L)
    else:
        axes = frame.pose if isinstance(frame, Axes) else target if frame == "space" else np.eye(4)
        kernels.split_along_axes_kernel(error_twist, T_bd, axes, e, L)
    return e, L


RECIPE = Recipe("pose_ik_split", (Derived(derivations.split),), derives="the split error of a pose")


@lru_cache(maxsize=1)
def module() -> ModuleType:
    """Return the generated module with split_in_body_kernel and split_along_axes_kernel, made at the first call."""
    return modules.load(RECIPE)
