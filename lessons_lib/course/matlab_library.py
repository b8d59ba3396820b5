"""The MATLAB library "Numerical Inverse Kinematics using On-Manifold Optimization"; lessons reproduce its step counts.

Source: R. Stadlhuber and others, https://github.com/RomanStadlhuber/NumericalInverseKinematics, as of 7 March 2023; the
planar demonstration is of 15 January 2023, and was withdrawn the day after.

It solves with a constant λ = 0.125 in the space frame and stops on the norm of the whole **space** twist: 1e-6 in its
Example 6.1, 1e-5 in its UR10 demonstration, where every waypoint has the identity as its orientation and starts from
the solution of the previous one.

Its six weights are in the order (ω, v), although its twists are (v, ω). They affect only the stopping rule, as the norm
|W V_s|, so each weight counts squared; the step does not use them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array
from lessons_lib.pose_ik import Constant, LevenbergMarquardt, evaluate
from lessons_lib.robots import Chain, from_dh
from lessons_lib.robots.library import PANDA_DH, UR10_DH

__all__ = [
    "EQUAL",
    "POSITION_ONLY",
    "path_to",
]


DAMPING = 0.125
UR10_TOLERANCE = 1e-5
MOST_STEPS = 150
EQUAL, POSITION_ONLY = (1, 1, 1, 1, 1, 1), (0, 0, 0, 1, 1, 1)
"""The weights (ω, v): the default of its loop, and those of its scripts."""

WRONG_A_2 = -0.312
"""The a₂ of its UR10, in m."""

UR10_COUNTS = (8, 5, 5, 5, 6, 5, 5, 6, 7)
WRONG_UR10_COUNTS = (23, 8, 8, 8, 8, 7, 7, 9, 9)

_X = (0.17, 0.12, 0.05, -0.03, -0.12, -0.10, -0.14, -0.18, -0.15)
_Y = (0.09, 0.15, 0.20, 0.20, 0.15, 0.15, 0.08, -0.10, -0.07)
_Z = (0.05, 0.10, 0.08, 0.14, 0.20, 0.16, 0.07, 0.04, 0.20)
_SCALE = 2.5
_PLANAR = ((1.5, 0.5, 0.0), (0.0, 1.5, 0.0), (-0.5, 1.0, 0.0))


def ur10_waypoints() -> list[Array]:
    """Return the nine poses of the UR10 demonstration, each (4, 4), position in m."""
    return _poses_at(_SCALE * np.column_stack([_X, _Y, _Z]))


def planar_waypoints() -> list[Array]:
    """Return the three poses of its demonstration with a planar 2R with links of 1 m, each (4, 4), position in m."""
    return _poses_at(np.array(_PLANAR))


def _poses_at(positions: Array) -> list[Array]:
    """Return a pose with the orientation of {s} for each position, shape (k, 3), m."""
    poses = []
    for position in positions:
        T_sd = np.eye(4)
        T_sd[:3, 3] = position
        poses.append(T_sd)
    return poses


def wrong_ur10() -> Chain:
    """Return the UR10 of that library, with a₂ = −0.312 m; the real arm has −0.612 m."""
    rows = np.array(UR10_DH)
    rows[1, 0] = WRONG_A_2
    return from_dh(rows, "standard", name="UR10 with a wrong a₂")


def wrong_panda() -> Chain:
    """Return the Panda of that library: modified rows used as standard ones, and no flange."""
    return from_dh(PANDA_DH, "standard", name="Panda with its rows read as standard and no flange")


def path_to(
    chain: Chain,
    target: ArrayLike,
    q0: ArrayLike,
    damping: float,
    tolerance: float,
    weights: ArrayLike = EQUAL,
    max_steps: int = MOST_STEPS,
) -> Array:
    """Return all configurations of the library's loop, start and end included, shape (steps + 1, n), rad or m.

    >>> from lessons_lib import course, robots
    >>> arm, q0 = robots.ur10(), [0.3, -1.2, 1.5, -0.6, 1.1, 0.4]
    >>> target = arm.forward_kinematics([0.35, -1.2, 1.5, -0.6, 1.1, 0.4])
    >>> course.path_to(arm, target, q0, damping=0.1, tolerance=1e-3).shape[1]
    6

    Args:
        chain: The arm.
        target: T_sd, shape (4, 4), position in m.
        q0: Start, shape (n,), rad or m.
        damping: λ.
        tolerance: The loop stops when |W V_s| is no larger.
        weights: The diagonal of its W, shape (6,), (ω, v), used by the stopping rule only.
        max_steps: Largest number of steps.

    Raises:
        ConfigurationError: q0 is not a configuration of the chain.
        ParameterError: λ is negative or not finite.
    """
    method = LevenbergMarquardt(Constant(damping), frame="space")
    T_sd, W = np.asarray(target, dtype=np.float64), np.asarray(weights, dtype=np.float64)
    here = evaluate(chain, T_sd, chain.check_configuration(q0), "space")
    path = [here.q]
    while np.linalg.norm(W * here.error) > tolerance and len(path) <= max_steps:
        here = evaluate(chain, T_sd, here.q + method.step(here.jacobian, here.error), "space")
        path.append(here.q)
    return np.array(path)


def counts(chain: Chain, waypoints: Sequence[ArrayLike], weights: ArrayLike = EQUAL) -> list[int]:
    """Return the steps to each waypoint, from q = 0 to the first and from each solution to the next."""
    q, all_steps = np.zeros(chain.dof), []
    for target in waypoints:
        path = path_to(chain, target, q, DAMPING, UR10_TOLERANCE, weights)
        q = path[-1]
        all_steps.append(len(path) - 1)
    return all_steps
