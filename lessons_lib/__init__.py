"""From Symbols to Solver: inverse kinematics on SE(3), derived once and compiled.

Packages are loaded when they are first needed, so that ``import lessons_lib`` stays cheap.
"""

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # for type checkers and editors
    from lessons_lib import (
        blocks,
        codegen,
        course,
        differential_ik,
        errors,
        lie,
        live,
        plots,
        pose_ik,
        robots,
        studies,
        symbolic,
        trajectories,
        viewer,
    )

__version__ = "0.1.0"

__all__ = [
    "__version__",
    "blocks",
    "codegen",
    "course",
    "differential_ik",
    "errors",
    "lie",
    "live",
    "plots",
    "pose_ik",
    "robots",
    "studies",
    "symbolic",
    "trajectories",
    "viewer",
]


def __getattr__(name: str) -> ModuleType:
    """Import a package of the library on first use (PEP 562)."""
    if name in __all__:
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it has {', '.join(__all__)}")


def __dir__() -> list[str]:
    """Return the public names, the packages that are not loaded yet among them."""
    return sorted(__all__)
