"""Inverse kinematics of one pose: a method takes steps, a policy damps them, a rule stops them."""

from lessons_lib.pose_ik.batch import solve_batch
from lessons_lib.pose_ik.damping import Chan, Constant, Sugihara, TrustRegion, Wampler
from lessons_lib.pose_ik.goal import Goal, orientation_only, pointing, position_only
from lessons_lib.pose_ik.initial import MonteCarlo, MultiStart, StayNear
from lessons_lib.pose_ik.loop import Iterate, Run, evaluate, iterate
from lessons_lib.pose_ik.methods import GaussNewton, LevenbergMarquardt, Method, NewtonRaphson
from lessons_lib.pose_ik.one_pose import solve
from lessons_lib.pose_ik.result import BatchResult, Result, Status, Trace
from lessons_lib.pose_ik.rule import Damping
from lessons_lib.pose_ik.stop import Stop

__all__ = [
    "BatchResult",
    "Chan",
    "Constant",
    "Damping",
    "GaussNewton",
    "Goal",
    "Iterate",
    "LevenbergMarquardt",
    "Method",
    "MonteCarlo",
    "MultiStart",
    "NewtonRaphson",
    "Result",
    "Run",
    "Status",
    "StayNear",
    "Stop",
    "Sugihara",
    "Trace",
    "TrustRegion",
    "Wampler",
    "evaluate",
    "iterate",
    "orientation_only",
    "pointing",
    "position_only",
    "solve",
    "solve_batch",
]
