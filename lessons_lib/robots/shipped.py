"""The URDF files that come with the course."""

from pathlib import Path

from lessons_lib.errors import ParameterError, near_matches

URDF_FILES = ("panda", "planar_2r", "quadruped", "two_arms", "ur10")
"""Names of the robots: three arms of the library, a quadruped with twelve joints, a torso with two arms."""


def urdf_file(name: str) -> Path:
    """Return the path of a URDF file of the course.

    Args:
        name: One of `URDF_FILES`.

    Raises:
        ParameterError: There is none of that name.
    """
    if name not in URDF_FILES:
        raise ParameterError(f"no URDF file comes under the name {name!r}; {near_matches(name, URDF_FILES)}")
    return Path(__file__).with_name("urdf_files") / f"{name}.urdf"
