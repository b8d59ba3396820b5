"""The Python trace and the compiled trace return the same path, also after failures."""

from typing import Any

import numpy as np
import pytest
from run_in_python import check_same, in_python

from lessons_lib import lie, pose_ik, robots
from lessons_lib.course import matlab_library as matlab
from lessons_lib.pose_ik import Chan, Constant, GaussNewton, LevenbergMarquardt, NewtonRaphson, Restarts
from lessons_lib.robots import Chain
from lessons_lib.trajectories import Path, path_between, trace

NINE = np.array(matlab.ur10_waypoints())
BROKEN = path_between(NINE, 4)
BROKEN[[5, 6, 20], :3, 3] += [3.0, 0.0, 0.0]
ARMS = {"ur10": robots.ur10(), "panda": robots.panda()}
FEW = Restarts(20)


def both(arm: Chain, poses: Any, q0: Any = None, seed: int | None = None, **options: Any) -> list[Path]:
    """Return the compiled path and the Python path; with a seed, both use it for their restarts."""
    goal, method = options.pop("goal", None), options.pop("method", None)
    variants: list[dict[str, Any]] = [{"method": method, "goal": goal}, {"method": in_python(method, goal)}]
    rngs = [None if seed is None else np.random.default_rng(seed) for _ in variants]
    return [trace(arm, poses, q0, rng=rng, **variant, **options) for variant, rng in zip(variants, rngs, strict=True)]


@pytest.mark.parametrize("start", ["previous", "ahead", "first"])
@pytest.mark.parametrize("on_failure", ["stop", "skip", "go on"])
def test_traces_agree_for_each_start_and_on_failure(start: str, on_failure: str) -> None:
    arm, q0 = ARMS["ur10"], np.array([0.1, -1.0, 1.2, 0.3, 0.5, 0.0])
    check_same(*both(arm, BROKEN, q0, start=start, on_failure=on_failure, starts=FEW))


@pytest.mark.check
@pytest.mark.parametrize("name", ["ur10", pytest.param("panda", marks=pytest.mark.release)])
@pytest.mark.parametrize(
    ("method", "goal"),
    [
        (NewtonRaphson(), None),
        (GaussNewton(), None),
        (LevenbergMarquardt(Constant(0.125), frame="space"), None),
        (LevenbergMarquardt(Chan(0.1)), pose_ik.pose((1, 1, 1, 2, 2, 2))),
        (pose_ik.Halley(), None),
    ],
    ids=["newton", "gauss-newton", "constant", "weights", "halley"],
)
def test_traces_agree_for_each_method(name: str, method: pose_ik.Method, goal: pose_ik.Goal | None) -> None:
    arm = ARMS[name]
    q0 = [0.1, -1.0, 1.2, 0.3, 0.5, 0.0] if name == "ur10" else [0.0, -0.3, 0.0, -2.2, 0.0, 2.0, 0.78]
    poses = [arm.forward_kinematics(np.add(q0, 0.1 * k)) for k in range(5)]
    check_same(*both(arm, poses, q0, method=method, goal=goal, starts=FEW))


@pytest.mark.parametrize("starts", [pose_ik.BestOf(20, restarts=20), pose_ik.Nearest(4)])
def test_traces_agree_for_each_strategy(starts: pose_ik.BestOf | pose_ik.Nearest) -> None:
    check_same(*both(ARMS["ur10"], NINE[:3], starts=starts, seed=5))


def test_traces_agree_on_restarts() -> None:
    arm = ARMS["panda"]
    rng = np.random.default_rng(2)
    poses = [arm.forward_kinematics(arm.random_configuration(rng)) for _ in range(12)]
    paths = both(arm, poses, on_failure="skip", starts=FEW, seed=1)
    check_same(*paths)
    assert paths[0].restarts.sum() > 0


def test_traces_agree_for_a_helical_joint() -> None:
    helical = [0.0, 0.0, 1.0, 0.0, 0.0, 0.1]
    home = lie.exp_se3([0.0, 0.0, 0.0, 0.5, 0.0, 0.0])
    arm: Chain = robots.from_screws(np.array([helical, [0, 0, 0, 1, 0, 0]]).T, home, name="corkscrew")
    poses = [arm.forward_kinematics([7.0 + 0.1 * k, 0.2]) for k in range(4)]
    check_same(*both(arm, poses, [6.5, 0.0], method=LevenbergMarquardt(), starts=FEW))
    assert trace(arm, poses, [6.5, 0.0]).q[0, 0] == pytest.approx(7.0, abs=1e-5)  # a revolution less is another height
