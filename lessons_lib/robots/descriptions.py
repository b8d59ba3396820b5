"""Robots of the package `robot_descriptions`, which downloads them by name."""

from __future__ import annotations

from contextlib import chdir
from importlib import import_module
from pathlib import Path
from typing import Any

from numpy.typing import ArrayLike

from lessons_lib.arrays import check_string
from lessons_lib.errors import ParameterError, near_matches
from lessons_lib.extras import need
from lessons_lib.other_libraries import suggest_arguments
from lessons_lib.robots.chain import Chain
from lessons_lib.robots.mjcf import from_mjcf
from lessons_lib.robots.urdf import from_urdf


def description_file(name: str) -> Path:
    """Return the path of a robot's URDF or MJCF file; `robot_descriptions` downloads it at the first call.

    `load_urdf`, `load_collisions`, `from_urdf` and `from_mjcf` read it. This needs the extra `descriptions`. The files
    are stored in `~/.cache/robot_descriptions`, or in the folder of the environment variable
    `ROBOT_DESCRIPTIONS_CACHE`.

    >>> from lessons_lib import robots
    >>> robots.description_file("panda_description").name  # doctest: +SKIP
    'panda.urdf'

    Args:
        name: Name of a description, such as "ur10e_description" or "panda_mj_description"; the latter is an MJCF file.

    Raises:
        MissingExtra: robot_descriptions, or xacrodoc for a description in xacro, is not installed.
        ParameterError: No description has that name, it cannot be downloaded, or it has neither URDF nor MJCF file.
    """
    need("descriptions", "robots.description_file")
    from git.exc import GitError
    from robot_descriptions import DESCRIPTIONS

    if check_string("name", name) not in DESCRIPTIONS:
        raise ParameterError(f"robot_descriptions has no {name!r}; {near_matches(name, tuple(DESCRIPTIONS))}")
    try:
        module = import_module(f"robot_descriptions.{name}")
    except (GitError, OSError) as error:
        raise ParameterError(f"robot_descriptions cannot download {name!r}: {error}") from error
    if hasattr(module, "XACRO_PATH") and not hasattr(module, "URDF_PATH"):
        return _urdf_of_xacro(module, name)
    for kind in ("URDF_PATH", "MJCF_PATH"):
        if hasattr(module, kind):
            return Path(getattr(module, kind))
    raise ParameterError(f"{name!r} has neither a URDF nor an MJCF file")


def _urdf_of_xacro(module: Any, name: str) -> Path:
    """Write the URDF of a description in xacro beside it, and return its path."""
    from xacrodoc import XacroDoc, packages

    file = Path(module.XACRO_PATH)
    packages.update_package_cache(getattr(module, "XACRO_PACKAGE_PATHS", {}))
    with chdir(file.parent):  # xacro resolves relative includes from here
        document = XacroDoc.from_file(file, subargs=getattr(module, "XACRO_ARGS", None))
    document.rootdir = module.PACKAGE_PATH
    document.to_urdf_file(file.with_name(f"{name}.urdf"))
    return file.with_name(f"{name}.urdf")


@suggest_arguments
def load_description(
    name: str, base: str | None = None, tip: str | None = None, tool: ArrayLike | None = None
) -> Chain:
    """Return the serial chain of a robot by its name in `robot_descriptions`; see `description_file`.

    >>> from lessons_lib import robots
    >>> robots.load_description("panda_description", tip="panda_link8").dof  # doctest: +SKIP
    7

    Args:
        name: Name of a description, such as "ur10e_description".
        base: The link of a URDF that carries {s}; the root by default.
        tip: The link that carries {b}, or the site or body of an MJCF file; see `from_urdf` and `from_mjcf`.
        tool: Pose of {b} in the tip's frame, shape (4, 4), position in m; the identity by default.

    Raises:
        MissingExtra: A library that this description needs is not installed.
        ParameterError: No description has that name, it cannot be downloaded, or an MJCF file gets a base or no tip.
        UrdfError: The URDF cannot be read, or has no such chain.
        FrameNotFound: No link, site or body has that name.
        TransformError: `tool` is not a pose.
    """
    file = description_file(name)
    if file.suffix != ".xml":
        return from_urdf(file, base, tip, tool)
    if base is not None or tip is None:
        raise ParameterError(f"{name!r} is an MJCF file: give the name of a site or body as tip, and no base")
    chain = from_mjcf(file, tip)
    return chain if tool is None else chain.with_tool(tool)
