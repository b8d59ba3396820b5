"""Optional dependencies: which extra installs which library, and the error if one is missing."""

from importlib.util import find_spec

from lessons_lib.errors import LessonsError

EXTRAS = {
    "blocks": ("bdsim", "spatialmath"),
    "collisions": ("coal",),
    "course": ("anywidget", "ipywidgets", "matplotlib"),
    "descriptions": ("robot_descriptions", "xacrodoc"),
    "motion": ("ruckig", "scipy"),
    "plots": ("matplotlib",),
    "simulation": ("mujoco", "scipy"),
    "studies": ("distributed", "pyarrow"),
    "tasks": ("qpsolvers", "scipy"),
    "viewer": ("collada", "viser"),
}
"""Modules that each extra of `pyproject.toml` installs and that a function or package needs."""


class MissingExtra(LessonsError, ImportError):
    """An optional dependency is not installed; `extra` installs it."""

    def __init__(self, user: str, extra: str, missing: str) -> None:
        """Name the missing library and the extra that installs it."""
        self.extra = extra
        super().__init__(f"{user} needs {missing}, which is not installed: pip install 'lessons-lib[{extra}]'")


def need(extra: str, user: str, *modules: str) -> None:
    """Raise MissingExtra, on behalf of `user`, unless modules of an extra (default: all) are installed."""
    for name in missing_modules(extra):
        if not modules or name in modules:
            raise MissingExtra(user, extra, name)


def missing_modules(extra: str) -> list[str]:
    return [name for name in EXTRAS[extra] if find_spec(name) is None]
