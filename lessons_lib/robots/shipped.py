"""The URDF files that come with the course."""

from pathlib import Path

from lessons_lib.errors import ParameterError, near_matches

FOLDER = Path(__file__).with_name("urdf_files")


def urdf_names() -> list[str]:
    """Return the names of the files: arms of the library, a quadruped with twelve joints, a torso with two arms."""
    return sorted(path.stem for path in FOLDER.glob("*.urdf"))


def urdf_file(name: str) -> Path:
    """Return the path of a URDF file of the course.

    Args:
        name: One of `urdf_names()`.

    Raises:
        ParameterError: There is none of that name.
    """
    if name not in urdf_names():
        raise ParameterError(f"no URDF file comes under the name {name!r}; {near_matches(name, urdf_names())}")
    return FOLDER / f"{name}.urdf"
