"""The MATLAB library "Numerical Inverse Kinematics using On-Manifold Optimization", whose counts lesson 11 reproduces.

It solves with a constant λ = 0.125 in the space frame and stops on the norm of the whole **space** twist: 1e-6 in its
Example 6.1, 1e-5 in its UR10 demonstration, where every waypoint has the identity as its orientation and starts from
the solution of the one before.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lessons_lib.pose_ik import Constant, LevenbergMarquardt, look
from lessons_lib.robots import Chain, from_dh
from lessons_lib.robots.library import UR10_DH

Array = NDArray[np.float64]

DAMPING = 0.125
EXAMPLE_TOLERANCE, UR10_TOLERANCE = 1e-6, 1e-5
UR10_COUNTS = (8, 5, 5, 5, 6, 5, 5, 6, 7)
WRONG_UR10_COUNTS = (23, 8, 8, 8, 8, 7, 7, 9, 9)

_X = (0.17, 0.12, 0.05, -0.03, -0.12, -0.10, -0.14, -0.18, -0.15)
_Y = (0.09, 0.15, 0.20, 0.20, 0.15, 0.15, 0.08, -0.10, -0.07)
_Z = (0.05, 0.10, 0.08, 0.14, 0.20, 0.16, 0.07, 0.04, 0.20)
_SCALE = 2.5


def ur10_waypoints() -> list[Array]:
    """Return the nine poses of the UR10 demonstration, each (4, 4), position in m."""
    poses = []
    for position in _SCALE * np.column_stack([_X, _Y, _Z]):
        T_sd = np.eye(4)
        T_sd[:3, 3] = position
        poses.append(T_sd)
    return poses


def wrong_ur10() -> Chain:
    """Return the UR10 as that library has it, with a₂ = −0.312 m where the real arm has −0.612 m."""
    rows = np.array(UR10_DH)
    rows[1, 0] = -0.312
    return from_dh(rows, "standard", name="UR10 with a wrong a₂")


def steps_to(
    chain: Chain, target: ArrayLike, q0: ArrayLike, damping: float, tolerance: float, most: int = 150
) -> tuple[int, Array]:
    """Return how many steps that library's loop takes, and where it ends.

    Args:
        chain: The arm.
        target: T_sd, shape (4, 4), position in m.
        q0: Start, shape (n,), rad or m.
        damping: λ.
        tolerance: The loop ends when |V_s| is no larger.
        most: It also ends after so many steps.

    Raises:
        ConfigurationError: q0 is no configuration of the chain.
        ParameterError: λ is negative or not finite.
    """
    method = LevenbergMarquardt(Constant(damping), frame="space")
    T_sd, q, steps = np.asarray(target, dtype=np.float64), chain.check_configuration(q0), 0
    here = look(chain, T_sd, q, "space")
    while np.linalg.norm(here.error) > tolerance and steps < most:
        q = q + method.step(here.jacobian, here.error)
        here = look(chain, T_sd, q, "space")
        steps += 1
    return steps, q


def counts(chain: Chain, waypoints: Sequence[ArrayLike], damping: float = DAMPING) -> list[int]:
    """Return the steps to each waypoint in turn, from home to the first and from each solution to the next."""
    q, all_steps = np.zeros(chain.dof), []
    for target in waypoints:
        steps, q = steps_to(chain, target, q, damping, UR10_TOLERANCE)
        all_steps.append(steps)
    return all_steps
