"""Trajectories: interpolation between waypoints, paths of an arm, their timing, and target following."""

from typing import TYPE_CHECKING

from lessons_lib.lazy import defer_imports

if TYPE_CHECKING:  # `defer_imports` imports each of these at its first use
    from lessons_lib.trajectories.branches import BranchPath
    from lessons_lib.trajectories.certificate import Certificate
    from lessons_lib.trajectories.following import Follower, Following
    from lessons_lib.trajectories.jerk_limited import JerkLimited, rest_to_rest
    from lessons_lib.trajectories.motion import Motion, interpolate, path_between, through, time_scaling
    from lessons_lib.trajectories.path import Path, unwrap
    from lessons_lib.trajectories.retiming import retime
    from lessons_lib.trajectories.tracing import trace
    from lessons_lib.trajectories.trajectory import Trajectory

__all__ = [
    "BranchPath",
    "Certificate",
    "Follower",
    "Following",
    "JerkLimited",
    "Motion",
    "Path",
    "Trajectory",
    "interpolate",
    "unwrap",
    "path_between",
    "rest_to_rest",
    "retime",
    "through",
    "time_scaling",
    "trace",
]

__getattr__, __dir__ = defer_imports(__name__, __file__)
