"""The solids of the course's torso with two arms."""

from collections.abc import Iterable

from lessons_lib.course.live.tree_data import Part
from lessons_lib.robots import Tree

HAND_COLOURS = {"left": "blue", "right": "vermilion"}


def parts_of(tree: Tree) -> list[Part]:
    """Return the solids of the torso with two arms, whose arms hang down at q = 0."""
    heights = {name: tree.forward_kinematics(tree.q0, name)[2, 3] for name in tree.frame_names}
    chest = heights["left_shoulder"] - heights["torso"]
    parts = [
        Part("pedestal", "drum", ((0, 0, 0.02), (0, 0, 1), 0.19, 0.04), "motor"),
        Part("pedestal", "capsule", ((0, 0, 0.06), (0, 0, heights["torso"] - 0.07), (0.075, 0.06)), "steel"),
        Part("torso", "drum", ((0, 0, 0), (0, 0, 1), 0.1, 0.09), "motor"),
        Part("torso", "block", ((0, 0, 0.5 * chest + 0.06), (0.19, 0.29, chest), 0.06), "shell"),
        Part("torso", "capsule", ((0, 0, chest + 0.04), (0, 0, 0.58), (0.045, 0.04)), "motor"),
        Part("head", "block", ((0.01, 0, 0.06), (0.17, 0.15, 0.18), 0.06), "shell"),
        Part("head", "block", ((0.085, 0, 0.075), (0.04, 0.115, 0.06), 0.018), "visor"),
    ]
    for side, colour in HAND_COLOURS.items():
        parts += _arm(tree, side, colour, heights)
    return parts


def _arm(tree: Tree, side: str, colour: str, heights: dict[str, float]) -> Iterable[Part]:
    links = ["shoulder", "upper_arm", "lower_upper_arm", "forearm", "lower_forearm", "wrist", "palm", "hand"]
    names = [f"{side}_{link}" for link in links]
    for name in names:
        tree.frame(name)
    shoulder, upper, lower, elbow, below, wrist, palm, hand = names

    def limb(frame: str, after: str, radii: tuple[float, float], shade: str = "shell") -> Part:
        return Part(frame, "capsule", ((0, 0, 0), (0, 0, heights[after] - heights[frame]), radii), shade)

    inward = -0.06 if side == "left" else 0.06
    yield Part(shoulder, "drum", ((0, 0.5 * inward, 0), (0, 1, 0), 0.066, 0.11), "motor")
    yield limb(upper, lower, (0.056, 0.05))
    yield limb(lower, elbow, (0.05, 0.044))
    yield Part(elbow, "drum", ((0, 0, 0), (0, 1, 0), 0.05, 0.096), "motor")
    yield limb(elbow, below, (0.043, 0.04))
    yield limb(below, wrist, (0.04, 0.033))
    yield Part(wrist, "drum", ((0, 0, 0), (0, 1, 0), 0.037, 0.072), "motor")
    yield Part(palm, "block", ((0, 0, -0.055), (0.03, 0.07, 0.09), 0.014), colour)
    yield Part(hand, "capsule", ((0, 0, 0), (0, 0, 0), (0.026, 0.026)), colour)
