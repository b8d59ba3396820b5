"""Extract a serial chain from a tree: the joints between two links, as screws in the frame of the first."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.errors import FrameNotFound, UrdfError
from lessons_lib.lie import adjoint, inverse
from lessons_lib.robots import tree_layout as layout
from lessons_lib.robots.chain import Chain
from lessons_lib.robots.coupling import Coupling, leader_types
from lessons_lib.robots.load_warnings import warn_caller
from lessons_lib.robots.robot_model import Joint, RobotModel
from lessons_lib.robots.screws import from_screws
from lessons_lib.robots.tree import Tree

GRIPPER = re.compile("grip|finger|jaw|claw|suction", re.IGNORECASE)
"""Usual names of joints and links of a gripper."""


def chain_between(model: RobotModel, tree: Tree, base: str | None, tip: str | None) -> Chain:
    """Return the chain from one link, {s}, to another, {b}; if `tip` is None, to the only leaf below the base."""
    # joints between base and root move in the opposite sense, so their screws are negated; a mimic joint moves with the
    # coordinate of its leader, which may be off the path
    base = model.root if base is None else base
    _check_link(base, tree)
    if tip is None:
        tip = _find_leaf(model, base)
        _warn_about_gripper(model, base, tip)
    _check_link(tip, tree)
    for joint in _joints_between(model, base, tip):
        if joint.kind == "floating":
            raise UrdfError(
                f"joint {joint.name!r} is floating, but joints of a chain have one coordinate; use load_urdf"
            )
    up, down, ratios = _moving_rows(tree, base, tip), _moving_rows(tree, tip, base), tree.arrays.ratios
    rows = [(row, -1.0) for row in up] + [(row, 1.0) for row in reversed(down)]
    rows = [(row, sign) for row, sign in rows if ratios[row, 0] != 0.0]
    if not rows:
        raise UrdfError(f"at least one joint of {model.name!r} must move {tip!r} relative to {base!r}, got none")
    state, joints = tree.state(), tree.arrays.joints
    T_base = inverse(state.forward_kinematics(base))
    ways = [(row, sign / ratios[row, 0]) for row, sign in rows]  # twists of the tree are per unit rate of the leader
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
        types = leader_types(chain.joint_types, tree.is_angle[places])
        chain = replace(chain, coupling=coupling, joint_types=types)
        speeds = np.minimum(speeds, coupling.rates(_follower_speeds(model, tree, [row for row, _ in rows])))
    return chain.with_limits(velocity=speeds)


def _coupling(model: RobotModel, tree: Tree, rows: list[int], rates: list[int]) -> Coupling | None:
    """Return the coupling from the coordinates of these rates to these rows; None if each moves one joint."""
    joints, ratios, followers = tree.arrays.joints, tree.arrays.ratios, _find_followers(model, tree)
    if not followers.keys() & rows:
        return None
    matrix, limits = np.zeros((len(rows), len(rates))), np.tile([-np.inf, np.inf], (len(rows), 1))
    for i, row in enumerate(rows):
        matrix[i, rates.index(int(joints[row, layout.V]))] = ratios[row, 0]
        joint = followers.get(row)
        if joint is not None and joint.lower < joint.upper:  # a URDF without limits reads as zero width
            limits[i] = joint.lower, joint.upper
    return Coupling(matrix, ratios[rows, 1], limits)


def _follower_speeds(model: RobotModel, tree: Tree, rows: list[int]) -> Array:
    """Return the speed bounds of mimic joints, inf for the others, shape (m,), rad/s or m/s."""
    followers = _find_followers(model, tree)
    speeds = [followers[row].velocity if row in followers else np.inf for row in rows]
    return np.array([speed if speed > 0.0 else np.inf for speed in speeds])


def _find_followers(model: RobotModel, tree: Tree) -> dict[int, Joint]:
    """Return the mimic joints by their rows in the tree."""
    mimics = [joint for joint in model.joints if joint.mimic is not None and model.leader(joint)[0].kind != "fixed"]
    return {int(tree.arrays.carriers[tree.frame(joint.child)]) - 1: joint for joint in mimics}


def _check_link(name: str, tree: Tree) -> None:
    """Raise FrameNotFound for the name of a joint, which `Tree.frame` also accepts."""
    if name not in tree.frame_names:
        raise FrameNotFound(name, tree.frame_names, tree.name)


def _find_leaf(model: RobotModel, base: str) -> str:
    below, parents = {base}, {joint.parent for joint in model.joints}
    for joint in model.depth_first():
        if joint.parent in below:
            below.add(joint.child)
    leaves = [link.name for link in model.links if link.name in below and link.name not in parents]
    if len(leaves) > 1:
        listed = ", ".join(map(repr, leaves[:12])) + (", …" if len(leaves) > 12 else "")
        raise UrdfError(f"{model.name!r} has {len(leaves)} leaves; give tip, one of {listed}")
    return leaves[0]


def _warn_about_gripper(model: RobotModel, base: str, tip: str) -> None:
    """Warn if the path to a default tip has a joint behind the first is named like a gripper's."""
    moving = [joint for joint in _joints_between(model, base, tip) if joint.kind != "fixed"]
    for joint in moving:
        if GRIPPER.search(f"{joint.name} {joint.child}"):
            if joint is not moving[0]:
                warn_caller(
                    f"the chain of {model.name!r} to its only leaf {tip!r} contains joint {joint.name!r}, probably of "
                    f"a gripper: give tip={joint.parent!r} to exclude it, or tip={tip!r} to keep it"
                )
            return


def _joints_between(model: RobotModel, base: str, tip: str) -> list[Joint]:
    """Return the joints that are above one of the two links and not above the other."""
    parent_of = {joint.child: joint for joint in model.joints}
    above: list[set[str]] = []
    for link in (base, tip):
        above.append(set())
        while link in parent_of:
            above[-1].add(parent_of[link].name)
            link = parent_of[link].parent
    return [joint for joint in model.joints if (joint.name in above[0]) != (joint.name in above[1])]


def _moving_rows(tree: Tree, start: str, other: str) -> list[int]:
    """Return the rows of the moving joints above `start` that are not above `other`, from `start` upward."""
    paths = []
    for link in (start, other):
        carrier, path = int(tree.arrays.carriers[tree.frame(link)]), dict[int, None]()
        while carrier != layout.WORLD:
            path[carrier - 1] = None
            carrier = int(tree.arrays.joints[carrier - 1, layout.PARENT])
        paths.append(path)
    return [row for row in paths[0] if row not in paths[1]]
