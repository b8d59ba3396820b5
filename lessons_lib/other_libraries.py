"""Advice in error messages for arguments and targets in the form of another library."""
# names are those of Corke's toolboxes (`ik_LM`, `ikine_LM`), ikpy, PyBullet, MATLAB, modern_robotics, Pink and SciPy

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any, Never, TypeVar, cast

from lessons_lib.errors import TransformError, UnknownArgument, near_matches

F = TypeVar("F", bound=Callable[..., Any])

_GOAL = "goal=pose_ik.position_only(), orientation_only(), pointing(axis) or pose(weights)"
_WEIGHTS = "goal=pose_ik.pose(weights), six weights of (ω, v)"
_TOLERANCES = "stop=pose_ik.Stop(orientation=…, position=…), in rad and the robot's unit of length"
_STEPS = "stop=pose_ik.Stop(max_iterations=…)"
_STARTS = "starts=pose_ik.Restarts(count)"
_LIMITS = "solve(arm.with_limits(position=…), …): limits belong to the arm"
_METHOD = "method=, such as pose_ik.LevenbergMarquardt(pose_ik.Constant(0.1))"
_TARGET = "target=lie.pose(R, p), a 4x4 pose, and goal=pose_ik.position_only() for a position alone"
_FRAME = "another arm: robots.from_urdf(file, base, tip) for another link, arm.with_tool(T_bt) for a tool"

INSTEAD: Mapping[str, str] = {
    **dict.fromkeys(("mask", "orientation_mode", "position_only", "free_axes"), _GOAL),
    **dict.fromkeys(("weights", "weight", "we", "w", "W", "error_weights", "position_weight"), _WEIGHTS),
    **dict.fromkeys(("tol", "tolerance", "eps", "epsilon", "eomg", "ev", "threshold", "residual"), _TOLERANCES),
    **dict.fromkeys(("ftol", "xtol", "gtol", "rtol", "atol", "tolerances", "pos_tol", "rot_tol"), _TOLERANCES),
    **dict.fromkeys(("ilimit", "max_iter", "maxiter", "max_iterations", "max_iters", "iterations", "nmax"), _STEPS),
    **dict.fromkeys(("max_steps", "steps", "num_iterations", "maxNumIterations", "max_nfev"), _STEPS),
    **dict.fromkeys(("slimit", "restarts", "n_restarts", "num_restarts", "max_restarts", "attempts"), _STARTS),
    **dict.fromkeys(("joint_limits", "limits", "qlim", "bounds", "lowerLimits", "upperLimits", "q_limits"), _LIMITS),
    **dict.fromkeys(("lower", "upper", "lower_limits", "upper_limits", "enforce_limits", "jointRanges"), _LIMITS),
    **dict.fromkeys(("seed", "random_state", "key", "np_random"), "rng=numpy.random.default_rng(seed)"),
    **dict.fromkeys(("damping", "lam", "lambda_", "lmbda", "mu", "k", "jointDamping", "damping_factor"), _METHOD),
    **dict.fromkeys(("solver", "algorithm", "optimizer", "backend", "regularization_parameter"), _METHOD),
    **dict.fromkeys(("q_init", "q_start", "qs", "initial_guess", "initialguess", "guess", "x0", "init"), "q0="),
    **dict.fromkeys(("initial_position", "thetalist0", "seed_state", "q", "start", "initial_q"), "q0="),
    **dict.fromkeys(("restPoses", "rest_pose", "posture", "q_rest", "preferred"), "prefer="),
    **dict.fromkeys(("timeout", "time_limit", "max_seconds", "dt"), "max_time=, in s"),
    **dict.fromkeys(("target_position", "target_orientation", "T", "Tep", "Tsd", "pose", "poses", "tform"), _TARGET),
    **dict.fromkeys(("position", "orientation", "targetPosition", "targetOrientation"), _TARGET),
    **dict.fromkeys(("end", "end_effector", "ee", "tip", "base", "link", "frame", "endEffectorLinkIndex"), _FRAME),
    **dict.fromkeys(("workers", "n_jobs", "num_threads"), "threads= of pose_ik.solve_batch"),
    **dict.fromkeys(("verbose", "disp", "full_output", "return_info"), "the fields of the result, or trace=True"),
    "goal": "position_only=True for a position alone",
    "scene": "free_of=",
    "collision": "free_of=",
}
"""Equivalent in this library of each argument of another library."""

ELSEWHERE: Mapping[str, str] = {
    **dict.fromkeys(("Follower.goal", "Follower.target"), "step(target) of the follower, once per tick"),
    **dict.fromkeys(("path_between.steps", "path_between.n"), "pieces=, the number of parts between two waypoints"),
    **dict.fromkeys(("from_dh.offsets", "from_dh.offset", "from_dh.theta"), "rows (a, α, d, θ): θ is the offset, rad"),
    "retime.jerk": "rest_to_rest(chain, start, end, jerk=…), which limits the jerk, but leaves the path",
    "slice.joint": "slice(value): the joint is slice_joint of the solutions",
    "velocity_limits": "with_limits(velocity=…) of the arm",
    "acceleration_limits": "with_limits(acceleration=…) of the arm",
    "floating_base": "robots.load_urdf(path, floating_base=True)",
}
"""Advice for an argument that a function does not have, by ARGUMENT or by FUNCTION.ARGUMENT."""

_EXPLAIN = "pose_ik.solve(arm, target).explain()"
ATTRIBUTES: Mapping[str, Mapping[str, str]] = {
    "Result": (
        _of_a_result := {
            "success": "converged",
            "x": "q",
            "solution": "q",
            "message": "status",
            "nit": "iterations",
            "searches": "restarts",
        }
    ),
    "BatchResult": _of_a_result,
    "Solutions": {"solutions": "q", "configurations": "q", "explain": _EXPLAIN},
    "Path": {"converged": "reached", "success": "complete", "explain": _EXPLAIN},
    "Chain": {
        **dict.fromkeys(("solve", "ik", "inverse_kinematics", "ikine", "ik_LM"), "pose_ik.solve(arm, target)"),
        **dict.fromkeys(("fk", "fkine", "forward"), "forward_kinematics"),
        **dict.fromkeys(("jacobian", "jacob0"), "space_jacobian"),
        **dict.fromkeys(("joint_limits", "qlim", "bounds"), "limits"),
        "jacobe": "body_jacobian",
        "n": "dof",
    },
}
"""Equivalent in this library of attributes of other libraries, by class."""


def no_attribute(owner: object, name: str) -> Never:
    """Raise the error for an unknown attribute, as `__getattr__`; it names ours for one of another library."""
    instead = ATTRIBUTES.get(type(owner).__name__, {}).get(name)
    hint = f"; use {instead!r}" if instead else ""
    raise AttributeError(f"{type(owner).__name__!r} object has no attribute {name!r}{hint}", name=name, obj=owner)


def suggest_arguments(function: F) -> F:
    """Decorate a function, or a class with its own `__init__`: an unknown keyword raises UnknownArgument."""
    if inspect.isclass(function):
        if "__init__" in vars(function):
            function.__init__ = suggest_arguments(function.__init__)  # type: ignore[method-assign]
        return function

    @wraps(function)
    def call(*arguments: Any, **options: Any) -> Any:
        try:
            return function(*arguments, **options)
        except TypeError:
            every = inspect.signature(function).parameters.values()
            own = tuple(one.name for one in every if one.kind is not one.POSITIONAL_ONLY and one.name != "self")
            unknown = next((word for word in options if word not in own), None)
            if unknown is None:
                raise
            name = type(arguments[0]).__name__ if function.__name__ == "__init__" else function.__name__
            elsewhere = ELSEWHERE.get(f"{name}.{unknown}", ELSEWHERE.get(unknown))
            advice = f"use {elsewhere}" if elsewhere else near_matches(unknown, own)
            raise UnknownArgument(f"{name} has no argument {unknown!r}; {advice}") from None

    return cast(F, call)


def hide_extra_parameters(function: F) -> F:
    """Hide from `help` and the book the parameters that collect arguments for `refuse_unknown_arguments`."""
    visible_signature = inspect.signature(function)
    kinds = inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD
    own = [parameter for parameter in visible_signature.parameters.values() if parameter.kind not in kinds]
    function.__signature__ = visible_signature.replace(parameters=own)  # type: ignore[attr-defined]
    return function


def refuse_unknown_arguments(
    function: Callable[..., Any], more: Sequence[object], unknown: Mapping[str, object]
) -> None:
    """Raise UnknownArgument for arguments that a function does not have, and suggest its own."""
    name, own = function.__name__, inspect.signature(function).parameters
    by_place = [word for word, parameter in own.items() if parameter.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD]
    if more:
        named = ", ".join(f"{word}=" for word in own if word not in by_place)
        raise UnknownArgument(
            f"{name} takes {len(by_place)} positional arguments, {', '.join(by_place)}, got "
            f"{len(by_place) + len(more)}. Pass the others by name: {named}. Weights are goal=pose_ik.pose(weights), "
            "tolerances are stop=pose_ik.Stop(orientation=…, position=…); robots.from_screws(screws, home) creates an "
            "arm from screws"
        )
    word = next(iter(unknown))
    instead = INSTEAD.get(word) if f"{word}=" != INSTEAD.get(word) else None
    advice = f"use {instead}" if instead else near_matches(word, tuple(own))
    raise UnknownArgument(f"{name} has no argument {word!r}; {advice}")


def how_to_pose(target: Any, solving: bool = True) -> str:
    """Return advice on converting a value to a pose, the end of a message; "" for an unknown form.

    `solving` adds the goal, if the pose is the target of a solve.
    """
    import numpy as np  # loaded when something is refused, not when a name is imported

    from lessons_lib.arrays import floats

    kind = type(target).__name__
    if hasattr(target, "as_matrix"):  # SciPy's Rotation
        return f"; convert the {kind}: lie.pose(target.as_matrix(), p), with a position p"
    if hasattr(target, "position") and hasattr(target, "orientation"):  # a message of ROS
        return f"; convert the {kind}: lie.pose(lie.quaternion_to_so3([x, y, z, w]), [x, y, z])"
    if isinstance(target, list | tuple) and len(target) == 2:
        shapes = [np.shape(part) if not isinstance(part, str) else () for part in target]
        if shapes in ([(3,), (4,)], [(4,), (3,)]):
            return f"; {_QUATERNION}"
        if (3,) in shapes and ((3, 3) in shapes or shapes == [(3,), (3,)]):
            return "; use lie.pose(R, p) for a position p and a rotation R; lie.exp_so3 converts a rotation vector to R"
    try:
        array = floats(target, "a pose", TransformError)  # which refuses masked and complex numbers
    except TransformError:
        return ""
    if array.shape == (4, 4) and np.array_equal(array[:, 3], (0.0, 0.0, 0.0, 1.0)) and array[3, :3].any():
        return f"; its position is in the last row: pass the transpose{', target.T' if solving else ''}"
    if solving and len(array.shape) == 3 and array.shape[1:] == (4, 4):
        return "; pose_ik.solve_batch solves many poses, shape (k, 4, 4)"
    goal = _GOAL_BY_SHAPE.get(array.shape, "") if solving else ""
    return f"; {_BY_SHAPE[array.shape]}{goal}" if array.shape in _BY_SHAPE else ""


def how_to_rotate(R: Any) -> str:
    """Return advice on converting a value to a rotation, the end of a message; "" for an unknown form."""
    import numpy as np

    if hasattr(R, "as_matrix"):  # SciPy's Rotation
        return f"; convert the {type(R).__name__}: R.as_matrix()"
    return {(3,): _OF_THREE, (4,): "; lie.quaternion_to_so3 converts a quaternion, in the order xyzw"}.get(
        np.shape(R) if isinstance(R, list | tuple | np.ndarray) else (), ""
    )


_OF_THREE = (
    '; lie.euler_to_so3(angles, "ZYX", unit="deg") converts Euler angles, lie.exp_so3 a rotation vector, '
    "lie.axis_angle_to_so3 an axis and an angle"
)
_QUATERNION = (
    'for a position p and a quaternion use lie.pose(lie.quaternion_to_so3(quaternion, "xyzw"), p), with "wxyz" if the '
    "real part is first"
)
_BY_SHAPE = {
    (3,): "for a position p use lie.pose(numpy.eye(3), p)",
    (3, 1): "for a position p use lie.pose(numpy.eye(3), p.ravel())",
    (3, 3): "for a rotation R use lie.pose(R, [0, 0, 0])",
    (4,): "for a quaternion use lie.pose(lie.quaternion_to_so3(quaternion), p), in the order xyzw",
    (6,): "for a position p and a rotation vector r use lie.pose(lie.exp_so3(r), p), for Euler angles "
    'lie.pose(lie.euler_to_so3(angles, "ZYX"), p), for a twist (ω, v) lie.exp_se3',
    (7,): 'for x y z and a quaternion x y z w in t use lie.pose(lie.quaternion_to_so3(t[3:], "xyzw"), t[:3]), with '
    '"wxyz" if the real part is first',
    (3, 4): "for three rows (R, p) use lie.pose(T[:, :3], T[:, 3])",
    (12,): "for three rows (R, p) use T = t.reshape(3, 4), then lie.pose(T[:, :3], T[:, 3])",
    (16,): "for 16 entries use t.reshape(4, 4)",
}
"""Advice on converting an array to a pose, by its shape."""

_GOAL_BY_SHAPE = {
    **dict.fromkeys(((3,), (3, 1)), " and add goal=pose_ik.position_only()"),
    (3, 3): " and add goal=pose_ik.orientation_only()",
}
