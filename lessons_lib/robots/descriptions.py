"""Robots by name, from the package `robot_descriptions`, which downloads them."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from numpy.typing import ArrayLike

from lessons_lib.arrays import check_word
from lessons_lib.errors import ParameterError, near_matches
from lessons_lib.extras import need
from lessons_lib.robots.chain import Chain
from lessons_lib.robots.mjcf import from_mjcf
from lessons_lib.robots.urdf import from_urdf


def description_file(name: str) -> Path:
    """Return the path of a robot's URDF or MJCF file, downloaded at the first call, by `robot_descriptions`.

    `load_urdf`, `load_collisions`, `from_urdf` and `from_mjcf` read it. It needs the extra `descriptions`. The files
    lie in `~/.cache/robot_descriptions`, or where the environment variable `ROBOT_DESCRIPTIONS_CACHE` says.

    Args:
        name: Name of a description, such as "ur10e_description" or "panda_mj_description"; the latter is an MJCF file.

    Raises:
        MissingExtra: robot_descriptions, or xacrodoc for a description in xacro, is not installed.
        ParameterError: There is no description of that name, it cannot be downloaded, or it is no URDF or MJCF file.
    """
    need("descriptions", "robots.description_file")
    from git.exc import GitError
    from robot_descriptions import DESCRIPTIONS
    from robot_descriptions._xacro import get_urdf_path  # the public loaders need other libraries

    if check_word("name", name) not in DESCRIPTIONS:
        raise ParameterError(f"robot_descriptions has no {name!r}; {near_matches(name, tuple(DESCRIPTIONS))}")
    try:
        module = import_module(f"robot_descriptions.{name}")
        if hasattr(module, "URDF_PATH") or hasattr(module, "XACRO_PATH"):
            return Path(get_urdf_path(module))
    except (GitError, OSError) as error:
        raise ParameterError(f"robot_descriptions cannot download {name!r}: {error}") from error
    if not hasattr(module, "MJCF_PATH"):
        raise ParameterError(f"{name!r} has neither a URDF nor an MJCF file")
    return Path(module.MJCF_PATH)


def load_description(
    name: str, base: str | None = None, tip: str | None = None, tool: ArrayLike | None = None
) -> Chain:
    """Return the serial chain of a robot by its name in `robot_descriptions`; see `description_file`.

    Args:
        name: Name of a description, such as "ur10e_description".
        base: The link of a URDF that carries {s}; the root when left out.
        tip: The link that carries {b}, or the site or body of an MJCF file; see `from_urdf` and `from_mjcf`.
        tool: Pose of {b} in the tip's frame, shape (4, 4), position in m; the identity when left out.

    Raises:
        MissingExtra: A library that this description needs is not installed.
        ParameterError: There is no such description, it cannot be downloaded, or an MJCF file gets a base or no tip.
        UrdfError: The URDF cannot be read, or has no such chain.
        FrameNotFound: There is no link, site or body of that name.
        TransformError: `tool` is not a pose.
    """
    file = description_file(name)
    if file.suffix != ".xml":
        return from_urdf(file, base, tip, tool)
    if base is not None or tip is None:
        raise ParameterError(f"{name!r} is an MJCF file: give the name of a site or body as tip, and no base")
    chain = from_mjcf(file, tip)
    return chain if tool is None else chain.with_tool(tool)
