"""Chains from MJCF files, which MuJoCo reads."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from lessons_lib.errors import FrameNotFound, ParameterError
from lessons_lib.extras import need
from lessons_lib.lie import pose, screw_axis
from lessons_lib.robots.chain import Chain
from lessons_lib.robots.screws import from_screws


def from_mjcf(path: str | PathLike[str], tip: str) -> Chain:
    """Return the chain from MuJoCo's world to a body or a site of an MJCF file, read by MuJoCo itself.

    {s} is the world, and {b} the frame of the tip. q = 0 is where MuJoCo's qpos is zero. Joints beside the path stay
    where the file puts them. It needs the extra `simulation`.

    Args:
        path: An MJCF file; a URDF file that MuJoCo can read will do as well.
        tip: Name of a site or, if no site has it, of a body.

    Raises:
        MissingExtra: MuJoCo is not installed.
        ParameterError: There is no such file, MuJoCo cannot read it, or a joint before the tip is a ball or free joint,
            or no joint moves the tip.
        FrameNotFound: No site and no body has the name of the tip.
    """
    need("simulation", "robots.from_mjcf", "mujoco")
    import mujoco

    file = Path(path)
    if not file.is_file():
        raise ParameterError(f"{str(file)!r} is not a file; from_mjcf reads an MJCF file")
    try:
        model: Any = mujoco.MjModel.from_xml_path(str(file))
    except ValueError as error:
        raise ParameterError(f"MuJoCo cannot read {str(file)!r}: {error}") from error
    bodies, sites = (
        [one(i).name for i in range(n)] for one, n in ((model.body, model.nbody), (model.site, model.nsite))
    )
    frames = tuple(filter(None, (*sites, *bodies)))
    if tip not in frames:
        raise FrameNotFound(tip, frames, file.stem)
    body = int(model.site_bodyid[sites.index(tip)]) if tip in sites else bodies.index(tip)
    joints: list[int] = []
    while body > 0:
        first, count = int(model.body_jntadr[body]), int(model.body_jntnum[body])
        joints[:0] = range(first, first + count)
        body = int(model.body_parentid[body])
    kinds, names = model.jnt_type[joints].tolist(), [model.joint(j).name or f"joint {j}" for j in joints]
    hinge, slide = int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE)
    others = [name for name, kind in zip(names, kinds, strict=True) if kind not in (hinge, slide)]
    if others or not joints:
        what = f"{', '.join(others)} are ball or free joints" if others else "no joint moves it"
        raise ParameterError(f"tip {tip!r} must be moved by hinges and slides alone; {what}")
    data: Any = mujoco.MjData(model)
    data.qpos[model.jnt_qposadr[joints]] = 0.0
    mujoco.mj_kinematics(model, data)
    pitches = [np.inf if kind == slide else 0.0 for kind in kinds]
    axes = zip(data.xanchor[joints], data.xaxis[joints], pitches, strict=True)
    frame = data.site(tip) if tip in sites else data.body(tip)
    limits = np.where(model.jnt_limited[joints][:, None].astype(bool), model.jnt_range[joints], [-np.inf, np.inf])
    home = pose(frame.xmat.reshape(3, 3), frame.xpos)
    screws = np.column_stack([screw_axis(*axis) for axis in axes])
    return from_screws(screws, home, limits, file.stem, names, "m")
