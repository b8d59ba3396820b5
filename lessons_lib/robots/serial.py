"""A serial chain out of a tree: the joints on the path between two links, as screws in the frame of the first."""

from __future__ import annotations

import re
import warnings
from dataclasses import replace

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.errors import FrameNotFound, UrdfError
from lessons_lib.lie import adjoint, inverse
from lessons_lib.robots import tree_layout as layout
from lessons_lib.robots.chain import Chain
from lessons_lib.robots.coupling import Coupling, led_types
from lessons_lib.robots.robot_model import Joint, RobotModel
from lessons_lib.robots.screws import from_screws
from lessons_lib.robots.tree import Tree

GRIPPER = re.compile("grip|finger|jaw|claw|suction", re.IGNORECASE)
"""What joints and links of a gripper are usually called."""


def chain_between(model: RobotModel, tree: Tree, base: str | None, tip: str | None) -> Chain:
    """Return the chain from one link to another, {s} at the first and {b} at the second.

    On the path up from the base a joint moves in the opposite sense, so that its screw is the negative one. A joint
    that mimics another moves with the coordinate of that one, which may be on the path or not.

    Args:
        model: Links and joints.
        tree: The same, as a tree.
        base: A link; the root when left out.
        tip: A link; when left out, the only link without children, at the end of all joints that start at the base.

    Raises:
        FrameNotFound: There is no such link.
        UrdfError: There is more than one link that could be the tip, no joint moves the tip, or a joint on the path has
            six coordinates.
        LimitsError: A joint that mimics another would leave its limits wherever that one stands.
    """
    base = model.root if base is None else base
    _check_link(base, tree)
    if tip is None:
        tip = _only_leaf(model, base)
        _warn_of_gripper(model, base, tip)
    _check_link(tip, tree)
    for joint in _between(model, base, tip):
        if joint.kind == "floating":
            raise UrdfError(f"joint {joint.name!r} is floating; a chain's joints have one coordinate: use load_urdf")
    up, down, ratios = _moving(tree, base, tip), _moving(tree, tip, base), tree.arrays.ratios
    rows = [(row, -1.0) for row in up] + [(row, 1.0) for row in reversed(down)]
    rows = [(row, sign) for row, sign in rows if ratios[row, 0] != 0.0]
    if not rows:
        raise UrdfError(f"no joint of {model.name!r} moves {tip!r} against {base!r}; a chain has at least one")
    state, joints = tree.state(), tree.arrays.joints
    T_base = inverse(state.forward_kinematics(base))
    ways = [(row, sign / ratios[row, 0]) for row, sign in rows]  # a twist of the tree is per rate of the one that leads
    screws = [way * adjoint(T_base) @ state.twists[joints[row, layout.ROW]] for row, way in ways]
    rates = list(dict.fromkeys(int(joints[row, layout.V]) for row, _ in rows))
    places = [int(tree.q_of_v[rate]) for rate in rates]
    coupling = _coupling(model, tree, [row for row, _ in rows], rates)
    chain = from_screws(
        np.column_stack(screws),
        T_base @ state.forward_kinematics(tip),
        limits=np.column_stack([tree.lower[places], tree.upper[places]]),
        name=model.name,
        joint_names=[tree.q_names[place] for place in places],
        length_unit="m",
        coupling=coupling and coupling.from_zero(),
    )
    speeds = tree.velocity_limits[rates]
    speeds = np.where(speeds > 0.0, speeds, np.inf)
    if coupling is not None:
        types = led_types(chain.joint_types, tree.is_angle[places])
        chain = replace(chain, coupling=coupling, joint_types=types)
        speeds = np.minimum(speeds, coupling.rates(_speeds(model, tree, [row for row, _ in rows])))
    return chain.with_limits(velocity=speeds)


def _coupling(model: RobotModel, tree: Tree, rows: list[int], rates: list[int]) -> Coupling | None:
    """Return how the coordinates with these rates move the joints in these rows; None if each moves one of its own."""
    joints, ratios, followers = tree.arrays.joints, tree.arrays.ratios, _followers(model, tree)
    if not followers.keys() & rows:
        return None
    matrix, limits = np.zeros((len(rows), len(rates))), np.tile([-np.inf, np.inf], (len(rows), 1))
    for i, row in enumerate(rows):
        matrix[i, rates.index(int(joints[row, layout.V]))] = ratios[row, 0]
        joint = followers.get(row)
        if joint is not None and joint.lower < joint.upper:  # limits without width are those that a URDF leaves out
            limits[i] = joint.lower, joint.upper
    return Coupling(matrix, ratios[rows, 1], limits)


def _speeds(model: RobotModel, tree: Tree, rows: list[int]) -> Array:
    """Return the bounds on the speeds of the joints that follow others, inf of the rest, shape (m,), rad/s or m/s."""
    followers = _followers(model, tree)
    speeds = [followers[row].velocity if row in followers else np.inf for row in rows]
    return np.array([speed if speed > 0.0 else np.inf for speed in speeds])


def _followers(model: RobotModel, tree: Tree) -> dict[int, Joint]:
    """Return the joints that mimic others, by the rows in which the tree has them."""
    mimics = [joint for joint in model.joints if joint.mimic is not None and model.leader(joint)[0].kind != "fixed"]
    return {int(tree.arrays.carriers[tree.frame(joint.child)]) - 1: joint for joint in mimics}


def _check_link(name: str, tree: Tree) -> None:
    """Refuse the name of a joint, of which `Tree.frame` makes a frame, too: here it would be taken for a link."""
    if name not in tree.frame_names:
        raise FrameNotFound(name, tree.frame_names, tree.name)


def _only_leaf(model: RobotModel, base: str) -> str:
    below, parents = {base}, {joint.parent for joint in model.joints}
    for joint in model.depth_first():
        if joint.parent in below:
            below.add(joint.child)
    leaves = [link.name for link in model.links if link.name in below and link.name not in parents]
    if len(leaves) > 1:
        listed = ", ".join(map(repr, leaves[:12])) + (", …" if len(leaves) > 12 else "")
        raise UrdfError(f"{model.name!r} ends in {len(leaves)} links: name the tip, one of {listed}")
    return leaves[0]


def _warn_of_gripper(model: RobotModel, base: str, tip: str) -> None:
    """Warn if the path to a tip that nobody named has a joint of a gripper, by its name, behind those of an arm."""
    moving = [joint for joint in _between(model, base, tip) if joint.kind != "fixed"]
    for joint in moving:
        if GRIPPER.search(f"{joint.name} {joint.child}"):
            if joint is not moving[0]:
                warnings.warn(
                    f"the chain of {model.name!r} ends at {tip!r}, its only leaf, and has the joint {joint.name!r}, by "
                    f"its name a gripper's: name tip={joint.parent!r} to leave it out, or tip={tip!r} to keep it",
                    stacklevel=4,
                )
            return


def _between(model: RobotModel, base: str, tip: str) -> list[Joint]:
    """Return the joints that are above one of the two links and not above the other."""
    parent_of = {joint.child: joint for joint in model.joints}
    above: list[set[str]] = []
    for link in (base, tip):
        above.append(set())
        while link in parent_of:
            above[-1].add(parent_of[link].name)
            link = parent_of[link].parent
    return [joint for joint in model.joints if (joint.name in above[0]) != (joint.name in above[1])]


def _moving(tree: Tree, start: str, other: str) -> list[int]:
    """Return the rows of the moving joints above `start` that are not above `other`, from `start` upward."""
    paths = []
    for link in (start, other):
        carrier, path = int(tree.arrays.carriers[tree.frame(link)]), dict[int, None]()
        while carrier != layout.WORLD:
            path[carrier - 1] = None
            carrier = int(tree.arrays.joints[carrier - 1, layout.PARENT])
        paths.append(path)
    return [row for row in paths[0] if row not in paths[1]]
