"""Live figures: one object that moves in JupyterLab and in the published book, each class loaded on first use."""

from importlib import import_module
from typing import TYPE_CHECKING

from lessons_lib.extras import need

if TYPE_CHECKING:
    from lessons_lib.live.basin import BasinFigure
    from lessons_lib.live.columns import ColumnsFigure
    from lessons_lib.live.control import Control
    from lessons_lib.live.damping import DampingFigure
    from lessons_lib.live.elbow import ElbowFigure
    from lessons_lib.live.figure import LiveFigure
    from lessons_lib.live.hands import HandsFigure
    from lessons_lib.live.lanes import LanesFigure
    from lessons_lib.live.limits import LimitFigure
    from lessons_lib.live.logarithm import LogarithmFigure
    from lessons_lib.live.model import ModelFigure
    from lessons_lib.live.newton import NewtonFigure
    from lessons_lib.live.path import PathFigure
    from lessons_lib.live.race import RaceFigure
    from lessons_lib.live.screw import ScrewFigure
    from lessons_lib.live.singularity import SingularityFigure
    from lessons_lib.live.source import SourceFigure
    from lessons_lib.live.stance import StanceFigure
    from lessons_lib.live.swing import SwingFigure
    from lessons_lib.live.two_frames import TwoFramesFigure
    from lessons_lib.live.weights import WeightFigure

_HOME = {
    "BasinFigure": "basin",
    "ColumnsFigure": "columns",
    "Control": "control",
    "DampingFigure": "damping",
    "ElbowFigure": "elbow",
    "HandsFigure": "hands",
    "LanesFigure": "lanes",
    "LimitFigure": "limits",
    "LiveFigure": "figure",
    "LogarithmFigure": "logarithm",
    "ModelFigure": "model",
    "NewtonFigure": "newton",
    "PathFigure": "path",
    "RaceFigure": "race",
    "ScrewFigure": "screw",
    "SingularityFigure": "singularity",
    "SourceFigure": "source",
    "StanceFigure": "stance",
    "SwingFigure": "swing",
    "TwoFramesFigure": "two_frames",
    "WeightFigure": "weights",
}
"""Where each name lives; a new figure adds its line here."""

__all__ = [
    "BasinFigure",
    "ColumnsFigure",
    "Control",
    "DampingFigure",
    "ElbowFigure",
    "HandsFigure",
    "LanesFigure",
    "LimitFigure",
    "LiveFigure",
    "LogarithmFigure",
    "ModelFigure",
    "NewtonFigure",
    "PathFigure",
    "RaceFigure",
    "ScrewFigure",
    "SingularityFigure",
    "SourceFigure",
    "StanceFigure",
    "SwingFigure",
    "TwoFramesFigure",
    "WeightFigure",
]


def __getattr__(name: str) -> object:
    """Load the file of a figure on first use (PEP 562)."""
    if name in _HOME:
        need("course", __name__)
        return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it has {', '.join(__all__)}")
