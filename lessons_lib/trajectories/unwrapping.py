"""Unwrap angles: the same posture of a revolute joint has many names, and a path wants the nearest one."""

from __future__ import annotations

from numpy.typing import ArrayLike

from lessons_lib.arrays import Array
from lessons_lib.pose_ik import joint_ranges
from lessons_lib.pose_ik.arm import arm_of
from lessons_lib.robots import Chain
from lessons_lib.robots.arguments import check_chain


def unwrap(chain: Chain, q: ArrayLike, beside: ArrayLike) -> Array:
    """Return q with whole revolutions added, so that each revolute joint is as near to another configuration as can be.

    The pose stays the same, up to rounding. A joint with limits takes only those that stay within them; prismatic
    joints, and screws with a pitch, stay as they are.

    Args:
        chain: Whose joints.
        q: Configuration within the limits, shape (n,), rad or m.
        beside: Configuration to be near to, shape (n,), rad or m.

    Raises:
        ConfigurationError: One of the two has another shape or is not finite, or q lies outside the limits.
    """
    check_chain(chain)
    unwrapped, near = chain.check_within_limits(q), chain.check_configuration(beside)
    joint_ranges.unwrap(unwrapped, near, arm_of(chain).joints)
    return unwrapped
