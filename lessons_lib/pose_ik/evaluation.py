"""Error and Jacobian of a configuration with respect to a target."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, check_flag
from lessons_lib.codegen import linker
from lessons_lib.codegen.linker import Derived, Recipe
from lessons_lib.errors import ParameterError
from lessons_lib.lie import adjoint, check_transform, inverse, log_se3
from lessons_lib.lie.checks import BOTTOM
from lessons_lib.lie.intervals import Intervals
from lessons_lib.other_libraries import suggest_arguments
from lessons_lib.pose_ik import derivations
from lessons_lib.pose_ik.methods import FRAMES
from lessons_lib.pose_ik.weights import Axes
from lessons_lib.robots import Chain
from lessons_lib.robots.arguments import check_chain


@dataclass(frozen=True)
class Iterate:
    """A configuration with its error and Jacobian."""

    q: Array  # (n,), rad or m
    error_twist: Array  # V_b = log(T_sb⁻¹ T_sd), (6,), (ω, v) in rad and m; with split=True the split error
    jacobian: Array  # J_b, or J_s in the space frame, (6, n); for the split error A with e(q + d) ≈ e − A d
    error: Array  # V_b, V_s = Ad(T_sb) V_b, or the split error, in the frame of the Jacobian, (6,)


@suggest_arguments
def evaluate(
    chain: Chain, target: ArrayLike, q: ArrayLike, frame: str | Axes | Intervals = "body", split: bool = False
) -> Iterate:
    """Evaluate error and Jacobian at q.

    The split error is e = (ω, r) with ω = log(RᵀR_d) and r = p_d − p, both along the axes of `frame`; A is its exact
    derivative.

    >>> from lessons_lib import pose_ik, robots
    >>> arm, q = robots.ur10(), [0.3, -1.2, 1.5, -0.6, 1.1, 0.4]
    >>> iterate = pose_ik.evaluate(arm, arm.forward_kinematics(q), q)
    >>> bool(abs(iterate.error_twist).max() < 1e-14), iterate.jacobian.shape
    (True, (6, 6))

    Args:
        chain: The arm.
        target: T_sd, shape (4, 4), position in m.
        q: Configuration, shape (n,), rad or m.
        frame: "body" or "space", the frame of Jacobian and error; for the split error also "target", `Axes`, or
            `Intervals` for its part outside them, along the axes of the target.
        split: Whether to return the split error, which methods use that mask components.

    Raises:
        ParameterError: chain is not a chain, split not True or False, or the frame is unknown.
        TransformError: target is not a pose.
        ConfigurationError: q has another shape or is not finite.
    """
    if not hasattr(chain, "screws"):  # an exercise passes an object that wraps a chain
        check_chain(chain)
    split = check_flag("split", split)
    if not isinstance(frame, str | Axes | Intervals):
        raise ParameterError(f"frame must be 'body' or 'space', got {frame!r}")
    if frame not in ((*FRAMES, "target") if split else FRAMES) and not (split and isinstance(frame, Axes | Intervals)):
        also = ", with split=True also 'target'" if frame == "target" else ""
        raise ParameterError(f"frame must be 'body' or 'space'{also}, got {frame!r}")
    if (
        type(target) is not np.ndarray
        or target.dtype != np.float64
        or target.shape != (4, 4)
        or tuple(target[3].tolist()) != BOTTOM
        or not np.isfinite(target).all()
    ):
        target = check_transform(target, "target")
    q = q if type(q) is np.ndarray and q.dtype == np.float64 else chain.check_configuration(q)
    T_sb = chain.forward_kinematics(q)
    J_b = chain.body_jacobian(q)
    T_bd = inverse(T_sb) @ target
    V_b = log_se3(T_bd)
    if split:
        e, L = _split(V_b, T_bd, target, frame)
        return Iterate(q, e, L @ J_b, e)
    if frame == "space":
        return Iterate(q, V_b, adjoint(T_sb) @ J_b, adjoint(T_sb) @ V_b)
    return Iterate(q, V_b, J_b, V_b)


def _split(error_twist: Array, T_bd: Array, target: Array, frame: str | Axes | Intervals) -> tuple[Array, Array]:
    """Return the split error e = (ω, r), shape (6,), and its derivative L by a body twist, shape (6, 6)."""
    if isinstance(frame, Intervals):
        return frame.error(error_twist[:3], T_bd)
    kernels: Any = module()
    e, L = np.empty(6), np.empty((6, 6))
    if frame == "body":
        kernels.split_in_body_kernel(error_twist, T_bd, e, L)
    else:
        axes = frame.pose if isinstance(frame, Axes) else target if frame == "space" else np.eye(4)
        kernels.split_along_axes_kernel(error_twist, T_bd, axes, e, L)
    return e, L


def norms(error: Array) -> tuple[float, float]:
    """Return |ω| and |v| of an error (ω, v)."""
    return math.hypot(*error[:3]), math.hypot(*error[3:])


RECIPE = Recipe("pose_ik_split", (Derived(derivations.split),), derives="the split error of a pose")


@lru_cache(maxsize=1)
def module() -> ModuleType:
    """Return the generated module with split_in_body_kernel and split_along_axes_kernel."""
    return linker.load(RECIPE)
