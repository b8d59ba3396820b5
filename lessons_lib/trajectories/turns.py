"""Whole turns: the same posture of a revolute joint has many names, and a path wants the nearest one."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lessons_lib.robots import Chain

Array = NDArray[np.float64]

TURN = 2.0 * np.pi

PITCH = 1e-9  # [m per rad] above this a revolute screw climbs as it turns, and a whole turn is another pose


def nearest_turns(chain: Chain, q: ArrayLike, beside: ArrayLike) -> Array:
    """Return q with whole turns added, so that each revolute joint is as near to another configuration as it can be.

    The pose stays the same, up to rounding. A joint with limits takes only turns that stay within them; prismatic
    joints, and screws with a pitch, stay as they are.

    Args:
        chain: Whose joints.
        q: Configuration within the limits, shape (n,), rad or m.
        beside: Configuration to be near to, shape (n,), rad or m.

    Raises:
        ConfigurationError: One of the two has another shape or is not finite, or q lies outside the limits.
    """
    given, near = chain.check_within_limits(q), chain.check_configuration(beside)
    lower, upper = chain.limits.T
    fewest, most = np.ceil((lower - given) / TURN), np.floor((upper - given) / TURN)
    turns = np.clip(np.rint((near - given) / TURN), fewest, most)
    turned: Array = np.where(turning(chain) & (turns != 0.0), given + TURN * turns, given)
    return np.clip(turned, lower, upper)  # a turn that ends on a limit may round to just beyond it


def turning(chain: Chain) -> NDArray[np.bool_]:
    """Return whether a whole turn of each joint brings the same pose back, shape (n,)."""
    pitches = np.abs(np.sum(chain.screws[:3] * chain.screws[3:], axis=0))
    revolute = np.array([kind == "revolute" for kind in chain.joint_types])
    turns: NDArray[np.bool_] = revolute & (pitches <= PITCH)
    return turns
