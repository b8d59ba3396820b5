"""Calls in the style of other libraries raise an error that shows the equivalent call of this library."""

import inspect
import re
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from lessons_lib import lie, pose_ik, robots, trajectories
from lessons_lib.differential_ik import FrameTask
from lessons_lib.errors import TransformError, UnknownArgument
from lessons_lib.other_libraries import ATTRIBUTES, INSTEAD

UR10 = robots.ur10()
Q = np.array([0.3, -1.2, 1.5, -0.6, 1.1, 0.4])
T = UR10.forward_kinematics(Q)
P, QUATERNION = T[:3, 3], lie.so3_to_quaternion(T[:3, :3])
ROS = SimpleNamespace(position=P, orientation=QUATERNION)

TARGETS = {
    "a position": (P, ("lie.pose", "position_only()")),
    "a column": (P[:, None], ("lie.pose", "position_only()")),
    "seven numbers": ([*P, *QUATERNION], ("lie.pose", 'quaternion_to_so3(t[3:], "xyzw"), t[:3]', "wxyz")),
    "position and quaternion": ((P, QUATERNION), ("lie.pose", "quaternion_to_so3")),
    "position and rotation": ((P, T[:3, :3]), ("lie.pose(R, p)",)),
    "position and angles": ((P, [0.1, 0.2, 0.3]), ("lie.pose(R, p)",)),
    "six numbers": ([*P, 0.1, 0.2, 0.3], ("lie.pose", "exp_so3", "exp_se3")),
    "a quaternion": (QUATERNION, ("lie.pose", "quaternion_to_so3")),
    "a rotation": (T[:3, :3], ("lie.pose", "orientation_only()")),
    "three rows": (T[:3], ("lie.pose",)),
    "sixteen numbers": (T.ravel(), ("reshape(4, 4)",)),
    "many poses": (np.array([T, T]), ("solve_batch",)),
    "rows as columns": (T.T, ("target.T",)),
    "SciPy's rotation": (Rotation.from_matrix(T[:3, :3]), ("lie.pose", "as_matrix()")),
    "a message": (ROS, ("lie.pose", "quaternion_to_so3")),
}


@pytest.mark.parametrize("kind", TARGETS)
def test_the_error_for_a_target_of_another_form_shows_how_to_make_a_pose(kind):
    target, words = TARGETS[kind]
    for function in (pose_ik.solve, pose_ik.all_solutions):
        with pytest.raises(TransformError) as error:
            function(UR10, target)
        assert all(word in str(error.value) for word in words), str(error.value)


FUNCTIONS = {pose_ik.solve: T, pose_ik.solve_batch: [T], pose_ik.all_solutions: T, trajectories.trace: [T, T]}


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_the_error_for_an_argument_of_another_library_names_ours(function):
    parameters = inspect.signature(function).parameters
    for word, instead in INSTEAD.items():
        if word not in parameters:
            with pytest.raises(UnknownArgument, match=f"{function.__name__} has no argument '{word}'") as error:
                function(UR10, FUNCTIONS[function], **{word: 1})
            assert instead in str(error.value)
    with pytest.raises(UnknownArgument, match="it has|did you mean"):
        function(UR10, FUNCTIONS[function], nonsense=1)
    with pytest.raises(TypeError, match=r"by name: .*robots\.from_screws"):
        function(UR10, FUNCTIONS[function], Q, 1e-3, 1e-3)
    assert not {"more", "unknown"} & set(parameters)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: pose_ik.Stop(max_iter=9), "Stop has no argument 'max_iter'; did you mean 'max_iterations'?"),
        (lambda: pose_ik.Restarts(n=9), "Restarts has no argument 'n'; it has 'count'"),
        (lambda: pose_ik.LevenbergMarquardt(lam=1), "LevenbergMarquardt has no argument 'lam'; it has 'damping'"),
        (lambda: UR10.with_limits(positions=1), "with_limits has no argument 'positions'; did you mean 'position'"),
        (lambda: robots.from_dh([], velocity_limits=1), "from_dh has no argument 'velocity_limits'; use with_limits("),
        (lambda: robots.from_dh([], offsets=1), "from_dh has no argument 'offsets'; use rows (a, α, d, θ)"),
        (lambda: robots.from_urdf("", floating_base=True), "from_urdf has no argument 'floating_base'; use robots."),
        (lambda: FrameTask("tip", cost=1), "FrameTask has no argument 'cost'; did you mean 'position_cost' or "),
        (lambda: trajectories.Follower(UR10, Q, goal=T), "Follower has no argument 'goal'; use step(target)"),
        (lambda: trajectories.path_between([T, T], steps=9), "path_between has no argument 'steps'; use pieces="),
        (lambda: pose_ik.all_solutions(UR10, T).slice(joint=6), "slice has no argument 'joint'; use slice(value)"),
        (lambda: UR10.source("c", solver=True, tolerance=1), "source has no argument 'tolerance'; it has 'goal', 'me"),
    ],
    ids=[
        *("class", "no near match", "function", "method", "limits", "offsets", "floating base", "task"),
        *("target of a follower", "steps of a path", "joint of a slice", "printed solver"),
    ],
)
def test_the_error_for_an_unknown_keyword_suggests_known_ones(call, message):
    with pytest.raises(UnknownArgument) as error:
        call()
    assert str(error.value).startswith(message)


def test_type_errors_within_a_function_stay_as_they_are():
    with pytest.raises(TypeError) as error:
        pose_ik.Stop(1e-3, 1e-3, 9, 9)
    assert not isinstance(error.value, UnknownArgument)


def test_the_error_for_an_attribute_of_another_library_names_ours():
    path = trajectories.trace(UR10, [T, T], Q)
    owners = [pose_ik.solve(UR10, T), pose_ik.solve_batch(UR10, [T]), pose_ik.all_solutions(UR10, T), path, UR10]
    assert {type(owner).__name__ for owner in owners} == set(ATTRIBUTES)
    for owner in owners:
        for name, instead in ATTRIBUTES[type(owner).__name__].items():
            with pytest.raises(AttributeError, match=re.escape(f"no attribute '{name}'; use {instead!r}")):
                getattr(owner, name)
            assert instead.startswith("pose_ik.solve(") or hasattr(owner, instead)
