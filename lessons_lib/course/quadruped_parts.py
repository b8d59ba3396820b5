"""The solids of the course's quadruped."""

from collections.abc import Iterable

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.course.live.tree_data import Part
from lessons_lib.robots import Tree

LEGS = ("front_left", "front_right", "rear_left", "rear_right")

FOOT = 0.02
"""The radius of a foot, in m: the fixed point is its centre, and the ground is this far below it."""


def parts_of(tree: Tree) -> list[Part]:
    """Return the solids of the quadruped, sized by its joint positions."""
    state = tree.state()
    trunk = state.forward_kinematics("trunk")[:3, 3]
    hip = np.abs(state.forward_kinematics("front_left_hip")[:3, 3] - trunk)
    parts = [
        Part("trunk", "block", ((0, 0, 0.005), (2 * hip[0] + 0.02, 0.15, 0.105), 0.032, (12, 5, 4)), "blue"),
        Part("trunk", "block", ((hip[0] + 0.09, 0, 0.03), (0.092, 0.115, 0.08), 0.028, (4, 4, 3)), "blue"),
        Part("trunk", "capsule", ((hip[0], 0, 0.015), (hip[0] + 0.06, 0, 0.025), (0.04, 0.036)), "motor"),
        Part("trunk", "block", ((hip[0] + 0.122, 0, 0.035), (0.044, 0.092, 0.034), 0.015, (2, 6, 2)), "visor"),
    ]
    for leg in LEGS:
        names = [f"{leg}_{link}" for link in ("hip", "thigh", "shank", "foot")]
        poses = [state.forward_kinematics(name) for name in names]
        parts += _leg(names, [(b[:3, 3] - a[:3, 3]) @ a[:3, :3] for a, b in zip(poses, poses[1:], strict=False)])
    return parts


def _leg(names: list[str], ways: list[Array]) -> Iterable[Part]:
    """Return the solids of a leg; `ways` are the vectors from each joint to the next, in the frame of the first."""
    hip, thigh, shank, foot = names
    side, knee, ankle = ways
    yield Part(hip, "drum", ((0, 0, 0), (1, 0, 0), 0.04, 0.085), "motor")
    yield Part(hip, "capsule", ((0, 0, 0), 0.6 * side, (0.03, 0.03)), "motor")
    yield Part(thigh, "drum", (-0.05 * side, (0, 1, 0), 0.047, 0.066), "motor")
    yield Part(thigh, "capsule", (0.12 * knee, knee, (0.029, 0.022)), "blue")
    yield Part(shank, "drum", ((0, 0, 0), (0, 1, 0), 0.027, 0.05), "motor")
    yield Part(shank, "capsule", ((0, 0, 0), 0.93 * ankle, (0.019, 0.011)), "steel")
    yield Part(foot, "capsule", ((0, 0, 0), (0, 0, 0), (FOOT, FOOT)), "vermilion")
