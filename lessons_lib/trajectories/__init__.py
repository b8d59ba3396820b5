"""Paths: poses in a row, the way between them, the time on it, and the arm that follows."""

from lessons_lib.trajectories.branches import BranchPath
from lessons_lib.trajectories.certificate import Certificate
from lessons_lib.trajectories.following import Follower, Following
from lessons_lib.trajectories.interpolation import interpolate
from lessons_lib.trajectories.jerk_limited import JerkLimited, rest_to_rest
from lessons_lib.trajectories.motion import Motion, path_between, through
from lessons_lib.trajectories.path import Path
from lessons_lib.trajectories.retiming import retime
from lessons_lib.trajectories.scaling import time_scaling
from lessons_lib.trajectories.tracing import trace
from lessons_lib.trajectories.trajectory import Trajectory
from lessons_lib.trajectories.unwrapping import unwrap

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
