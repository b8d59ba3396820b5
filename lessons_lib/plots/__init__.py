"""Figures, one file for each thing that is drawn. Nothing is loaded before it is used, matplotlib least of all."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lessons_lib.plots.algorithmic import draw_growth
    from lessons_lib.plots.arm import ArmArtist, FrameArtist, draw_arm, draw_frame, look_closer
    from lessons_lib.plots.basins import draw_basins, draw_steps
    from lessons_lib.plots.body import BodyArtist, GoalArtist, draw_body, look_from_above
    from lessons_lib.plots.convergence import ConvergenceArtist, contraction, draw_convergence
    from lessons_lib.plots.damping import GainArtist, damped_gain, draw_gain
    from lessons_lib.plots.edge_errors import draw_edge_errors
    from lessons_lib.plots.ellipsoid import EllipsoidArtist, draw_ellipsoid, half_axes, tip_velocities
    from lessons_lib.plots.feasible import FeasibleArtist, draw_feasible, feasible_polygon
    from lessons_lib.plots.frames import draw_two_views, origin_velocities
    from lessons_lib.plots.jacobians import ColumnsArtist, draw_columns, draw_difference_errors, tip_jacobian
    from lessons_lib.plots.joint_ranges import RangeBarsArtist, draw_ranges, relative_places
    from lessons_lib.plots.loop_diagram import draw_diagram
    from lessons_lib.plots.loop_errors import draw_shrinking, draw_tip_errors
    from lessons_lib.plots.overlay import OverlayArtist, draw_overlay, tip_gap
    from lessons_lib.plots.path import PathArtist, animate_path, draw_path
    from lessons_lib.plots.reach import PostureArtist, ReachArtist, draw_angles, draw_reach
    from lessons_lib.plots.ride import draw_ride, ride_gap
    from lessons_lib.plots.rotations import (
        branch_errors,
        draw_branches,
        draw_log_errors,
        oblique_axes,
        order_of_magnitude,
        round_trip_error,
        worst_errors,
    )
    from lessons_lib.plots.scaling import SpeedUpArtist, draw_speed_up, speed_up
    from lessons_lib.plots.self_motion import SelfMotionArtist, draw_self_motion
    from lessons_lib.plots.singular_values import SingularValuesArtist, draw_singular_values
    from lessons_lib.plots.speed_bounds import draw_speed_bounds
    from lessons_lib.plots.stages import draw_stages
    from lessons_lib.plots.stance import StanceArtist, draw_stance
    from lessons_lib.plots.stance_film import StancePicture, animate_stance, draw_stances
    from lessons_lib.plots.stumpff import draw_crossover
    from lessons_lib.plots.support_polygon import SupportArtist
    from lessons_lib.plots.tasks import draw_decay, draw_price
    from lessons_lib.plots.tempo import draw_tempo
    from lessons_lib.plots.theme import style
    from lessons_lib.plots.timings import draw_distributions, draw_rates, draw_timings
    from lessons_lib.plots.trade_off import draw_trade_off
    from lessons_lib.plots.twists import draw_door, draw_screw, pair_motion, screw_of, screw_twist
    from lessons_lib.plots.two_frames import TwoFramesArtist
    from lessons_lib.plots.walk import draw_walk
    from lessons_lib.plots.wall import VelocitiesArtist, WallArtist, draw_paths
    from lessons_lib.plots.ways import draw_ways, off_the_line
    from lessons_lib.plots.weights import draw_compromises, draw_exchange

_HOME = {
    "ArmArtist": "arm",
    "BodyArtist": "body",
    "ColumnsArtist": "jacobians",
    "ConvergenceArtist": "convergence",
    "EllipsoidArtist": "ellipsoid",
    "FeasibleArtist": "feasible",
    "FrameArtist": "arm",
    "GainArtist": "damping",
    "GoalArtist": "body",
    "OverlayArtist": "overlay",
    "PathArtist": "path",
    "PostureArtist": "reach",
    "RangeBarsArtist": "joint_ranges",
    "ReachArtist": "reach",
    "SelfMotionArtist": "self_motion",
    "SingularValuesArtist": "singular_values",
    "SpeedUpArtist": "scaling",
    "StanceArtist": "stance",
    "StancePicture": "stance_film",
    "SupportArtist": "support_polygon",
    "TwoFramesArtist": "two_frames",
    "VelocitiesArtist": "wall",
    "WallArtist": "wall",
    "animate_path": "path",
    "animate_stance": "stance_film",
    "branch_errors": "rotations",
    "contraction": "convergence",
    "damped_gain": "damping",
    "draw_angles": "reach",
    "draw_arm": "arm",
    "draw_basins": "basins",
    "draw_body": "body",
    "draw_branches": "rotations",
    "draw_columns": "jacobians",
    "draw_compromises": "weights",
    "draw_convergence": "convergence",
    "draw_crossover": "stumpff",
    "draw_decay": "tasks",
    "draw_diagram": "loop_diagram",
    "draw_difference_errors": "jacobians",
    "draw_distributions": "timings",
    "draw_door": "twists",
    "draw_edge_errors": "edge_errors",
    "draw_ellipsoid": "ellipsoid",
    "draw_exchange": "weights",
    "draw_feasible": "feasible",
    "draw_frame": "arm",
    "draw_gain": "damping",
    "draw_growth": "algorithmic",
    "draw_log_errors": "rotations",
    "draw_overlay": "overlay",
    "draw_path": "path",
    "draw_paths": "wall",
    "draw_price": "tasks",
    "draw_ranges": "joint_ranges",
    "draw_rates": "timings",
    "draw_reach": "reach",
    "draw_ride": "ride",
    "draw_screw": "twists",
    "draw_self_motion": "self_motion",
    "draw_shrinking": "loop_errors",
    "draw_singular_values": "singular_values",
    "draw_speed_bounds": "speed_bounds",
    "draw_speed_up": "scaling",
    "draw_stages": "stages",
    "draw_stance": "stance",
    "draw_stances": "stance_film",
    "draw_steps": "basins",
    "draw_tempo": "tempo",
    "draw_timings": "timings",
    "draw_tip_errors": "loop_errors",
    "draw_trade_off": "trade_off",
    "draw_two_views": "frames",
    "draw_walk": "walk",
    "draw_ways": "ways",
    "feasible_polygon": "feasible",
    "half_axes": "ellipsoid",
    "look_closer": "arm",
    "look_from_above": "body",
    "oblique_axes": "rotations",
    "off_the_line": "ways",
    "order_of_magnitude": "rotations",
    "origin_velocities": "frames",
    "pair_motion": "twists",
    "relative_places": "joint_ranges",
    "ride_gap": "ride",
    "round_trip_error": "rotations",
    "screw_of": "twists",
    "screw_twist": "twists",
    "speed_up": "scaling",
    "style": "theme",
    "tip_gap": "overlay",
    "tip_jacobian": "jacobians",
    "tip_velocities": "ellipsoid",
    "worst_errors": "rotations",
}
"""Where each name lives; a new figure adds its line here."""

__all__ = [
    "ArmArtist",
    "BodyArtist",
    "ColumnsArtist",
    "ConvergenceArtist",
    "EllipsoidArtist",
    "FeasibleArtist",
    "FrameArtist",
    "GainArtist",
    "GoalArtist",
    "OverlayArtist",
    "PathArtist",
    "PostureArtist",
    "RangeBarsArtist",
    "ReachArtist",
    "SelfMotionArtist",
    "SingularValuesArtist",
    "SpeedUpArtist",
    "StanceArtist",
    "StancePicture",
    "SupportArtist",
    "TwoFramesArtist",
    "VelocitiesArtist",
    "WallArtist",
    "animate_path",
    "animate_stance",
    "branch_errors",
    "contraction",
    "damped_gain",
    "draw_angles",
    "draw_arm",
    "draw_basins",
    "draw_body",
    "draw_branches",
    "draw_columns",
    "draw_compromises",
    "draw_convergence",
    "draw_crossover",
    "draw_decay",
    "draw_diagram",
    "draw_difference_errors",
    "draw_distributions",
    "draw_door",
    "draw_edge_errors",
    "draw_ellipsoid",
    "draw_exchange",
    "draw_feasible",
    "draw_frame",
    "draw_gain",
    "draw_growth",
    "draw_log_errors",
    "draw_overlay",
    "draw_path",
    "draw_paths",
    "draw_price",
    "draw_ranges",
    "draw_rates",
    "draw_reach",
    "draw_ride",
    "draw_screw",
    "draw_self_motion",
    "draw_shrinking",
    "draw_singular_values",
    "draw_speed_bounds",
    "draw_speed_up",
    "draw_stages",
    "draw_stance",
    "draw_stances",
    "draw_steps",
    "draw_tempo",
    "draw_timings",
    "draw_tip_errors",
    "draw_trade_off",
    "draw_two_views",
    "draw_walk",
    "draw_ways",
    "feasible_polygon",
    "half_axes",
    "look_closer",
    "look_from_above",
    "oblique_axes",
    "off_the_line",
    "order_of_magnitude",
    "origin_velocities",
    "pair_motion",
    "relative_places",
    "ride_gap",
    "round_trip_error",
    "screw_of",
    "screw_twist",
    "speed_up",
    "style",
    "tip_gap",
    "tip_jacobian",
    "tip_velocities",
    "worst_errors",
]


def __getattr__(name: str) -> object:
    """Load the file of a figure on first use (PEP 562)."""
    if name in _HOME:
        return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it has {', '.join(__all__)}")
