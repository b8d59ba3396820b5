"""From Symbols to Solver: inverse kinematics on SE(3), derived once and compiled.

Packages are imported at their first use, so that ``import lessons_lib`` is fast.
"""

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from lessons_lib import hooks

if TYPE_CHECKING:  # for type checkers and editors
    from lessons_lib import (
        blocks,
        claims,
        codegen,
        collisions,
        course,
        differential_ik,
        errors,
        lie,
        plots,
        pose_ik,
        robots,
        studies,
        symbolic,
        trajectories,
        viewer,
    )

__version__ = "0.2.0"

__all__ = [
    "__version__",
    "blocks",
    "claims",
    "codegen",
    "collisions",
    "course",
    "differential_ik",
    "errors",
    "lie",
    "plots",
    "pose_ik",
    "robots",
    "studies",
    "symbolic",
    "trajectories",
    "viewer",
]


def _printed_solver() -> Any:
    from lessons_lib.pose_ik.printed_solver import source

    return source


def _figures() -> Any:
    from lessons_lib.course.live.scripts import derive_figures

    return derive_figures


def _printed_solutions() -> Any:
    from lessons_lib.all_solutions.printed_solutions import source

    return source


def _compilations_of_steps() -> Any:
    from lessons_lib.differential_ik.precompile import compilations

    return compilations


def _compilations_of_solves() -> Any:
    from lessons_lib.pose_ik.precompile import compilations

    return compilations


def _compilations_of_paths() -> Any:
    from lessons_lib.trajectories.precompile import compilations

    return compilations


hooks.register("figures", _figures)
hooks.register("printed solver", _printed_solver)
hooks.register("printed solutions", _printed_solutions)
hooks.register("compilations", _compilations_of_steps, _compilations_of_solves, _compilations_of_paths)


def __getattr__(name: str) -> ModuleType:
    """Import a package of the library on first use (PEP 562)."""
    if name in __all__:
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it has {', '.join(__all__)}")


def __dir__() -> list[str]:
    """Return the public names, including packages that are not imported yet."""
    return sorted(__all__)
