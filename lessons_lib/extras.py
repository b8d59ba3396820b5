"""What a bare installation leaves out: libraries for pictures, notebooks and more, and how to add them."""

from importlib.util import find_spec

from lessons_lib.errors import LessonsError

EXTRAS = {
    "blocks": ("bdsim", "spatialmath"),
    "collisions": ("coal",),
    "course": ("anywidget", "ipywidgets"),
    "motion": ("ruckig", "scipy"),
    "plots": ("matplotlib", "scipy"),
    "simulation": ("mujoco", "scipy"),
    "studies": ("distributed", "pyarrow"),
    "tasks": ("daqp", "qpsolvers", "scipy"),
    "viewer": ("collada", "viser"),
}
"""The extras of `pyproject.toml` by the modules that some package cannot do without."""


class MissingExtra(LessonsError, ImportError):
    """A package was asked for whose libraries are not installed.

    Attributes:
        extra: What to add when installing.
    """

    def __init__(self, package: str, extra: str, missing: str) -> None:
        """Say which library is missing, and how it is installed."""
        self.extra = extra
        super().__init__(f"{package} needs {missing}, which is not installed: pip install 'lessons-lib[{extra}]'")


def need(extra: str, package: str) -> None:
    """Do nothing where the libraries of an extra are installed.

    Args:
        extra: One of `EXTRAS`.
        package: Who needs them, for the message.

    Raises:
        MissingExtra: One of them is not.
    """
    for name in lacks(extra):
        raise MissingExtra(package, extra, name)


def lacks(extra: str) -> list[str]:
    """Return the libraries of an extra that are not installed; none where it can be used.

    Args:
        extra: One of `EXTRAS`.
    """
    return [name for name in EXTRAS[extra] if find_spec(name) is None]
