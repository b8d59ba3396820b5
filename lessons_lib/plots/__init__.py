"""Figures, one file for each thing that is drawn. Nothing is loaded before it is used, matplotlib least of all."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lessons_lib.plots.arm import ArmArtist, FrameArtist, draw_arm, draw_frame
    from lessons_lib.plots.convergence import ConvergenceArtist, contraction, draw_convergence
    from lessons_lib.plots.jacobians import ColumnsArtist, draw_columns, draw_difference_errors, tip_jacobian
    from lessons_lib.plots.rotations import (
        branch_errors,
        draw_branches,
        draw_log_errors,
        oblique_axes,
        order_of_magnitude,
        round_trip_error,
        worst_errors,
    )
    from lessons_lib.plots.stumpff import draw_crossover
    from lessons_lib.plots.theme import style
    from lessons_lib.plots.trade_off import draw_trade_off
    from lessons_lib.plots.twists import draw_door, draw_screw, pair_motion, screw_of, screw_twist

_HOME = {
    "ArmArtist": "arm",
    "ColumnsArtist": "jacobians",
    "ConvergenceArtist": "convergence",
    "FrameArtist": "arm",
    "branch_errors": "rotations",
    "contraction": "convergence",
    "draw_arm": "arm",
    "draw_branches": "rotations",
    "draw_columns": "jacobians",
    "draw_convergence": "convergence",
    "draw_crossover": "stumpff",
    "draw_difference_errors": "jacobians",
    "draw_door": "twists",
    "draw_frame": "arm",
    "draw_log_errors": "rotations",
    "draw_screw": "twists",
    "draw_trade_off": "trade_off",
    "oblique_axes": "rotations",
    "order_of_magnitude": "rotations",
    "pair_motion": "twists",
    "round_trip_error": "rotations",
    "screw_of": "twists",
    "screw_twist": "twists",
    "style": "theme",
    "tip_jacobian": "jacobians",
    "worst_errors": "rotations",
}
"""Where each name lives; a new figure adds its line here."""

__all__ = [
    "ArmArtist",
    "ColumnsArtist",
    "ConvergenceArtist",
    "FrameArtist",
    "branch_errors",
    "contraction",
    "draw_arm",
    "draw_branches",
    "draw_columns",
    "draw_convergence",
    "draw_crossover",
    "draw_difference_errors",
    "draw_door",
    "draw_frame",
    "draw_log_errors",
    "draw_screw",
    "draw_trade_off",
    "oblique_axes",
    "order_of_magnitude",
    "pair_motion",
    "round_trip_error",
    "screw_of",
    "screw_twist",
    "style",
    "tip_jacobian",
    "worst_errors",
]


def __getattr__(name: str) -> object:
    """Load the file of a figure on first use (PEP 562)."""
    if name in _HOME:
        return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it has {', '.join(__all__)}")
