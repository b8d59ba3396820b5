"""Things to move: explorers for a notebook, one class a file, each loaded on first use."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lessons_lib.widgets.explorer import Explorer
    from lessons_lib.widgets.jacobian_explorer import JacobianExplorer
    from lessons_lib.widgets.logarithm_explorer import LogarithmExplorer
    from lessons_lib.widgets.newton_explorer import NewtonExplorer
    from lessons_lib.widgets.screw_explorer import ScrewExplorer
    from lessons_lib.widgets.solver_explorer import SolverExplorer

_HOME = {
    "Explorer": "explorer",
    "JacobianExplorer": "jacobian_explorer",
    "LogarithmExplorer": "logarithm_explorer",
    "NewtonExplorer": "newton_explorer",
    "ScrewExplorer": "screw_explorer",
    "SolverExplorer": "solver_explorer",
}
"""Where each name lives; a new explorer adds its line here."""

__all__ = ["Explorer", "JacobianExplorer", "LogarithmExplorer", "NewtonExplorer", "ScrewExplorer", "SolverExplorer"]


def __getattr__(name: str) -> object:
    """Load the file of an explorer on first use (PEP 562)."""
    if name in _HOME:
        return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it has {', '.join(__all__)}")
