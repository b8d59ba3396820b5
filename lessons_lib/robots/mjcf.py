"""Chains from MJCF files, read by MuJoCo."""

from __future__ import annotations

from dataclasses import replace
from os import PathLike
from typing import Any

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.errors import FrameNotFound, ParameterError
from lessons_lib.extras import need
from lessons_lib.lie import pose, screw_axis
from lessons_lib.other_libraries import suggest_arguments
from lessons_lib.paths import input_file
from lessons_lib.robots.chain import Chain
from lessons_lib.robots.coupling import Coupling, leader_types
from lessons_lib.robots.screws import from_screws


@suggest_arguments
def from_mjcf(path: str | PathLike[str], tip: str) -> Chain:
    """Return the chain from MuJoCo's world to a body or a site of an MJCF file.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from lessons_lib import robots
    >>> body = "<body name='arm'><joint axis='0 0 1'/><geom size='0.1'/><site name='tip' pos='1 0 0'/></body>"
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder) / "arm.xml"
    ...     _ = file.write_text(f"<mujoco><worldbody>{body}</worldbody></mujoco>")
    ...     robots.from_mjcf(file, "tip").dof
    1

    {s} is the world, and {b} the frame of the tip. q = 0 is where MuJoCo's qpos is zero. Joints beside the path stay at
    the file's values. An active `equality/joint` with a polynomial of the first degree couples a joint to another: see
    `Coupling`. This needs the extra `simulation`.

    Args:
        path: An MJCF file, or a URDF file that MuJoCo can read.
        tip: Name of a site or, if no site has it, of a body.

    Raises:
        MissingExtra: MuJoCo is not installed.
        ParameterError: The file does not exist or MuJoCo cannot read it, a joint before the tip is a ball or free
            joint, no joint moves the tip, or another active equality constraint acts on a joint of the path; the
            message names it.
        FrameNotFound: No site and no body has the name of the tip.
    """
    need("simulation", "robots.from_mjcf", "mujoco")
    import mujoco

    file = input_file(path)
    try:
        model: Any = mujoco.MjModel.from_xml_path(str(file))
    except ValueError as error:
        raise ParameterError(f"MuJoCo cannot read {str(file)!r}: {'; '.join(str(error).splitlines())}") from error
    bodies, sites = (
        [one(i).name for i in range(n)] for one, n in ((model.body, model.nbody), (model.site, model.nsite))
    )
    frames = tuple(filter(None, (*sites, *bodies)))
    if tip not in frames:
        raise FrameNotFound(tip, frames, file.stem)
    body = int(model.site_bodyid[sites.index(tip)]) if tip in sites else bodies.index(tip)
    joints = _joints_above(model, body)
    kinds, names = model.jnt_type[joints].tolist(), [_name(model, j) for j in joints]
    hinge, slide = int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE)
    unsupported = [name for name, kind in zip(names, kinds, strict=True) if kind not in (hinge, slide)]
    if unsupported or not joints:
        what = f"ball or free joints: {', '.join(unsupported)}" if unsupported else "no joint"
        raise ParameterError(f"all joints before tip {tip!r} must be revolute or prismatic, got {what}")
    data: Any = mujoco.MjData(model)
    data.qpos[model.jnt_qposadr[joints]] = 0.0
    mujoco.mj_kinematics(model, data)
    pitches = [np.inf if kind == slide else 0.0 for kind in kinds]
    axes = zip(data.xanchor[joints], data.xaxis[joints], pitches, strict=True)
    frame = data.site(tip) if tip in sites else data.body(tip)
    home = pose(frame.xmat.reshape(3, 3), frame.xpos)
    screws = np.column_stack([screw_axis(*axis) for axis in axes])
    following = _find_leaders(model, joints)
    leaders = list(dict.fromkeys(leader for leader, _, _ in following if leader >= 0))
    if not leaders:
        raise ParameterError(f"equality constraints lock all joints before tip {tip!r}")
    limits, coupling = _limits(model, leaders), None
    if leaders != joints:
        matrix = [[ratio * (leader == one) for one in leaders] for leader, ratio, _ in following]
        bounds = np.where(np.isin(joints, leaders)[:, None], [-np.inf, np.inf], _limits(model, joints))
        coupling = Coupling(matrix, [offset for _, _, offset in following], bounds)
    chain = from_screws(screws, home, limits, file.stem, [_name(model, j) for j in leaders], "m", coupling)
    types = leader_types(chain.joint_types, model.jnt_type[leaders] == hinge)
    return replace(chain, joint_types=types)


def _limits(model: Any, joints: list[int]) -> Array:
    """Return the position limits of joints, shape (m, 2), ±inf for no limit."""
    return np.where(model.jnt_limited[joints][:, None].astype(bool), model.jnt_range[joints], [-np.inf, np.inf])


def _name(model: Any, joint: int) -> str:
    return model.joint(joint).name or f"joint {joint}"


def _find_leaders(model: Any, joints: list[int]) -> list[tuple[int, float, float]]:
    """Return the joint that leads each joint, -1 for none, with ratio and offset of θ = ratio q + offset."""
    import mujoco

    active = [i for i in range(model.neq) if model.eq_active0[i]]
    kinds = {i: mujoco.mjtEq(int(model.eq_type[i])).name.removeprefix("mjEQ_").lower() for i in active}
    linear = [i for i in active if kinds[i] == "joint" and (model.eq_obj2id[i] < 0 or not model.eq_data[i, 2:5].any())]
    followers = {int(model.eq_obj1id[i]): i for i in reversed(linear)}
    leaders, used = [], set[int]()
    for joint in joints:
        leader, ratio, offset = joint, 1.0, 0.0
        for _ in followers:
            if leader in followers:
                i = followers[leader]
                used.add(i)
                other, (constant, slope) = int(model.eq_obj2id[i]), model.eq_data[i, :2].tolist()
                offset += ratio * (float(model.qpos0[model.jnt_qposadr[leader]]) + constant)
                leader, ratio = other, ratio * slope
                offset -= ratio * float(model.qpos0[model.jnt_qposadr[other]]) if other >= 0 else 0.0
        if leader in followers:
            raise ParameterError(f"joint {_name(model, joint)!r} follows joints that form a cycle")
        leaders.append((leader, ratio, offset))
    moved = {*joints, *(leader for leader, _, _ in leaders), *(int(model.eq_obj1id[i]) for i in used)}
    for i in (i for i in active if i not in used and _constrained_joints(model, kinds[i], i) & moved):
        raise ParameterError(
            f"equality constraint {model.eq(i).name or i!r}, a {kinds[i]}, acts on joints of the path. from_mjcf reads "
            "polynomials of the first degree, one for each joint that follows another: delete or deactivate the others"
        )
    return leaders


def _constrained_joints(model: Any, kind: str, i: int) -> set[int]:
    """Return the joints that an equality constraint may move: all for a spatial tendon, none for a flexible body."""
    import mujoco

    first, *second = (int(end) for end in (model.eq_obj1id[i], model.eq_obj2id[i]) if end >= 0)
    if kind == "joint":
        return {first}
    if kind == "tendon":
        wraps = [model.tendon_adr[end] + k for end in (first, *second) for k in range(model.tendon_num[end])]
        fixed = (model.wrap_type[wraps] == int(mujoco.mjtWrap.mjWRAP_JOINT)).all()
        return {*model.wrap_objid[wraps].tolist()} if fixed else {*range(model.njnt)}
    if kind not in ("connect", "weld"):
        return set()
    sites = int(model.eq_objtype[i]) == int(mujoco.mjtObj.mjOBJ_SITE)
    one, other = ({*_joints_above(model, model.site_bodyid[end] if sites else end)} for end in (first, *second))
    return one ^ other


def _joints_above(model: Any, body: int) -> list[int]:
    """Return the joints between the world and a body, in order."""
    joints: list[int] = []
    while body > 0:
        first = int(model.body_jntadr[body])
        joints[:0] = range(first, first + int(model.body_jntnum[body]))
        body = int(model.body_parentid[body])
    return joints
