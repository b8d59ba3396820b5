"""Each argument of the public functions gets a right answer or a LessonsError, and nothing else.

The judges: the answer to the plain argument, Pinocchio for what is called converged, and Python's own warnings.
"""

import warnings
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np
import pinocchio
import pytest
from hostile_values import JUNK, SAME, SPOILED
from hypothesis import given, settings
from hypothesis import strategies as st

from lessons_lib import collisions, differential_ik, lie, pose_ik, robots, trajectories
from lessons_lib.errors import LessonsError
from tools.benchmarks.models import PinocchioArm

Call = tuple[Callable[..., Any], dict[str, Any]]
SHORT: dict[str, Any] = {"starts": pose_ik.Restarts(3), "stop": pose_ik.Stop(max_iterations=20)}


@cache
def calls() -> Mapping[str, Call]:
    """Return the functions under test, each with valid arguments."""
    arm, rng = robots.ur10(), np.random.default_rng(5)
    q, q0 = arm.random_configuration(rng), arm.random_configuration(rng)
    target, other = arm.forward_kinematics(q), arm.forward_kinematics(q0)
    xi, screws = rng.normal(size=6), np.array(arm.screws)
    tree = robots.load_urdf(robots.urdf_file("ur10"))
    place = differential_ik.Configuration(tree, q)
    weights = np.array([1.0, 1.0, 0.0, 1.0, 2.0, 1.0])
    of_a_vector = {"hat_so3": xi[:3], "exp_so3": xi[:3], "left_jacobian_so3": xi[:3], "right_jacobian_so3": xi[:3]}
    of_a_vector |= {f"{name}_se3": xi for name in ("hat", "exp", "left_jacobian", "right_jacobian")}
    of_a_vector |= {"left_jacobian_inverse_se3": xi}
    of_a_matrix = {"vee_so3": lie.hat_so3(xi[:3]), "log_so3": target[:3, :3], "vee_se3": lie.hat_se3(xi)}
    of_a_matrix |= dict.fromkeys(("log_se3", "adjoint", "inverse"), target)
    found: dict[str, Call] = {}
    for name, value in (of_a_vector | of_a_matrix).items():
        found[f"lie.{name}"] = lambda x, name=name: getattr(lie, name)(x), {"x": value}
    for name in ("forward_kinematics", "space_jacobian", "body_jacobian"):
        found[f"chain.{name}"] = lambda q, name=name: getattr(arm, name)(q), {"q": q}
    rows = np.array([[0.3, 0.1, 0.2, 0.0], [0.4, -0.2, 0.1, 0.3]])
    found["robots.from_screws"] = robots.from_screws, {"screws": screws, "home": arm.home, "limits": arm.limits}
    found["robots.from_dh"] = robots.from_dh, {"rows": rows, "convention": "standard", "tool": target}
    found["robots.planar_2r_solutions"] = robots.planar_2r_solutions, {"tip": np.array([0.5, 0.7])}
    solving = {"target": target, "q0": q0, **SHORT}
    found["pose_ik.solve"] = lambda **given: pose_ik.solve(arm, **given), solving
    found["pose_ik.solve, traced"] = lambda **given: pose_ik.solve(arm, trace=True, **given), solving
    found["pose_ik.solve, any argument"] = (
        lambda **given: pose_ik.solve(given.pop("arm"), **given),
        {"arm": arm, "target": target, "goal": None, "method": None, "rng": None, **SHORT},
    )
    many = {"targets": np.array([target, other]), "q0": q0, "threads": 1, **SHORT}
    found["pose_ik.solve_batch"] = lambda **given: pose_ik.solve_batch(arm, progress=False, **given), many
    found["pose_ik.Stop"] = pose_ik.Stop, {"orientation": 1e-6, "position": 1e-6, "max_iterations": 30}
    asked = {"damping": pose_ik.Chan(), "frame": "space", "derivative": None}
    found["pose_ik.LevenbergMarquardt"] = pose_ik.LevenbergMarquardt, asked
    found["pose_ik.pose"] = pose_ik.pose, {"weights": weights, "axes": "target"}
    found["pose_ik.Method"] = pose_ik.Method, {"damping": None, "frame": "body", "derivative": "exact", "name": "mine"}
    found["pose_ik.NewtonRaphson"] = pose_ik.NewtonRaphson, {"frame": "body"}
    for policy in ("Constant", "Wampler", "Chan", "Sugihara", "TrustRegion"):
        found[f"pose_ik.{policy}"] = lambda x, policy=policy: getattr(pose_ik, policy)(x), {"x": 0.1}
    for kind in ("Restarts", "BestOf", "Nearest", "Near"):
        found[f"pose_ik.{kind}"] = lambda count, kind=kind: getattr(pose_ik, kind)(count), {"count": 5}
    found["a weighted solve"] = (
        lambda weights: pose_ik.solve(arm, target, q0, goal=pose_ik.pose(weights), **SHORT),
        {"weights": weights},
    )
    for member in ("frame", "step", "damping"):
        found[f"custom {member}"] = lambda value, member=member: own(member, value), {"value": 0.1}
    found["trajectories.trace"] = lambda **given: trajectories.trace(arm, **SHORT, **given), {
        "waypoints": np.array([other, other]), "q0": q0, "on_failure": "stop", "start": "previous",
    }  # fmt: skip
    found["trajectories.interpolate"] = (
        trajectories.interpolate,
        {"start": target, "end": other, "s": 0.3, "how": "screw"},
    )
    found["trajectories.time_scaling"] = trajectories.time_scaling, {
        "tau": np.array([0.2, 0.4]), "kind": "cubic", "order": 1, "ramp": 0.2,
    }  # fmt: skip
    found["trajectories.through"] = trajectories.through, {
        "waypoints": np.array([target, other]), "seconds": 2.0, "how": "screw", "scaling": "quintic",
    }  # fmt: skip
    found["trajectories.path_between"] = (
        trajectories.path_between,
        {"waypoints": np.array([target, other]), "pieces": 3},
    )
    found["differential_ik.Configuration"] = lambda q: differential_ik.Configuration(tree, q), {"q": q}
    found["differential_ik.FrameTask"] = lambda **given: velocity(place, target, **given), {
        "position_cost": 1.0, "orientation_cost": 0.5, "lm_damping": 1e-3, "gain": 0.9, "dt": 0.01,
    }  # fmt: skip
    found |= flags_names_and_counts(arm, q, target)
    return found | calls_of_robots(arm, q, target) | calls_of_motions(arm, q, q0, target)


def flags_names_and_counts(arm: Any, q: Any, target: Any) -> dict[str, Call]:
    """Return functions with a flag, a name or a count, each with valid arguments."""
    file, tree = robots.urdf_file("ur10"), robots.load_urdf(robots.urdf_file("ur10"))
    place, task = differential_ik.Configuration(tree, q), differential_ik.FrameTask("tool0", 1.0, 1.0)
    task.set_target(target)
    flags = {"floating_base": False, "mimic": True, "planar_base": False, "locked": ()}
    tracing = {"waypoints": np.array([target, target]), "branches": None, "progress": False}
    named = {"solver": None, "safety_break": False, "damping": 1e-9}
    return {
        "robots.load_urdf": (lambda **given: robots.load_urdf(file, **given), flags),
        "robots.from_urdf": (lambda **given: robots.from_urdf(file, **given), {"base": None, "tip": "tool0"}),
        "robots.urdf_file": (robots.urdf_file, {"name": "ur10"}),
        "chain.source": (arm.source, {"target": "numpy", "solver": False}),
        "chain.targets": (arm.targets, {"count": 3, "rng": None}),
        "pose_ik.evaluate": (
            pose_ik.evaluate,
            {"chain": arm, "target": target, "q": q, "frame": "body", "split": False},
        ),
        "a traced branch": (lambda **given: trajectories.trace(arm, **given), tracing),
        "differential_ik.solve_ik": (lambda **given: differential_ik.solve_ik(place, [task], 0.01, **given), named),
    }


def calls_of_robots(arm: Any, q: Any, target: Any) -> dict[str, Call]:
    """Return functions of arms, scenes and solutions."""
    links, panda = collisions.fitted_links(arm, 0.05), robots.panda()
    scene = collisions.Scene(arm, links, (collisions.sphere([2.0, 2.0, 2.0], 0.1),))
    answers = pose_ik.all_solutions(panda, panda.forward_kinematics(np.full(7, -0.5)))
    return {
        "robots.planar_3r": (robots.planar_3r, {"length_1": 1.0, "length_2": 0.5, "length_3": 0.2}),
        "robots.planar_2r_corners": (robots.planar_2r_corners, {"q": q[:2], "length_1": 1.0, "length_2": 0.5}),
        "chain.with_limits": (arm.with_limits, {"position": np.array(arm.limits), "velocity": np.ones(6)}),
        "chain.with_tool": (arm.with_tool, {"tool": target}),
        "chain.on_base": (arm.on_base, {"base": target}),
        "chain.check_within_limits": (arm.check_within_limits, {"q": np.zeros(6), "tolerance": 0.0}),
        "collisions.Scene": (collisions.Scene, {"chain": arm, "links": links, "obstacles": (), "skip": ()}),
        "collisions.moves_free": (
            collisions.moves_free,
            {"scene": scene, "begin": q, "end": q, "margin": 0.0, "budget": 100},
        ),
        "collisions.fitted_links": (collisions.fitted_links, {"chain": arm, "radius": 0.1, "aside": None}),
        "collisions.box": (collisions.box, {"size": np.ones(3), "pose": target}),
        "pose_ik.all_solutions": (pose_ik.all_solutions, {"arm": arm, "T": target, "limits": True}),
        "solutions.slice": (answers.slice, {"value": -0.5}),
        "pose_ik.certificate": (lambda arm, q: pose_ik.certificate(arm, target, q), {"arm": arm, "q": q}),
        "pose_ik.pointing": (pose_ik.pointing, {"axis": np.array([0.0, 0.0, 1.0])}),
    }


def calls_of_motions(arm: Any, q: Any, q0: Any, target: Any) -> dict[str, Call]:
    """Return functions of trajectories and classes of differential IK."""
    slow, tree = arm.with_limits(acceleration=np.ones(6)), robots.load_urdf(robots.urdf_file("ur10"))
    place, dik = differential_ik.Configuration(tree, q), differential_ik
    walls, six = {"indices": [0, 1], "p_min": np.zeros(2), "p_max": np.ones(2)}, np.ones(6)
    coupled = {"joint_names": list(tree.joint_names[:2]), "ratios": [1.0, 2.0], "configuration": place}
    resting = {"start": q, "end": q0, "jerk": six, "velocity": six, "acceleration": six}
    return {
        "trajectories.retime": (trajectories.retime, {"path": np.array([q, q0]), "chain": slow}),
        "trajectories.rest_to_rest": (trajectories.rest_to_rest, {"chain": arm, **resting}),
        "trajectories.Follower": (trajectories.Follower, {"chain": slow, "q": q, "rate": 1000.0}),
        "trajectories.unwrap": (lambda q, beside: trajectories.unwrap(arm, q, beside), {"q": q, "beside": q0}),
        "lie.screw_axis": (lie.screw_axis, {"point": six[:3], "direction": six[:3], "pitch": 0.1}),
        "lie.quaternion_to_so3": (lie.quaternion_to_so3, {"quaternion": np.eye(4)[3], "order": "xyzw"}),
        "configuration.integrate": (place.integrate, {"velocity": six, "dt": 0.01}),
        "differential_ik.VelocityLimit": (dik.VelocityLimit, {"model": tree, "velocity_limit": six}),
        "differential_ik.AccelerationLimit": (dik.AccelerationLimit, {"model": tree, "acceleration_limit": six}),
        "differential_ik.ConfigurationLimit": (dik.ConfigurationLimit, {"model": tree, "config_limit_gain": 0.5}),
        "differential_ik.PositionBarrier": (lambda **given: dik.PositionBarrier("tool0", **given), walls),
        "differential_ik.JointCouplingTask": (dik.JointCouplingTask, {"cost": 1.0, **coupled}),
        "differential_ik.ManipulabilityTask": (lambda model: dik.ManipulabilityTask("tool0", model), {"model": tree}),
    }


def own(member: str, value: Any) -> Any:
    """Solve with a custom method or damping, of which one member is hostile."""

    class Mine:
        def step(self, jacobian: Any, error: Any) -> Any:
            return value if member == "step" else np.linalg.pinv(jacobian) @ error

    mine: Any = Mine()
    if member == "frame":
        mine.frame = value
    method = pose_ik.LevenbergMarquardt(pose_ik.Damping(lambda E: value)) if member == "damping" else mine
    return pose_ik.solve(robots.planar_2r(), np.eye(4), [0.3, 0.4], method=method, starts=pose_ik.Restarts(1))


def velocity(place: Any, target: Any, dt: Any, **given: Any) -> Any:
    """Return the velocity of one task."""
    task = differential_ik.FrameTask("tool0", **given)
    task.set_target(target)
    return differential_ik.solve_ik(place, [task], dt)


@st.composite
def hostile_calls(draw: Any) -> tuple[str, str, str, int]:
    """Return a function, one of its arguments, the name of a change, and a seed."""
    name = draw(st.sampled_from(sorted(calls())))
    argument = draw(st.sampled_from(sorted(calls()[name][1])))
    changes = [f"junk {k}" for k in range(len(JUNK))]
    if isinstance(calls()[name][1][argument], np.ndarray):
        changes = [*SAME, *SPOILED, *changes[:8]]
    return name, argument, draw(st.sampled_from(changes)), draw(st.integers(0, 99))


@pytest.mark.release
@settings(max_examples=5000)
@given(hostile_calls())
def test_a_hostile_argument_is_answered_rightly_or_refused(call: tuple[str, str, str, int]) -> None:
    name, argument, change, seed = call
    function, plain = calls()[name]
    if change in SAME:
        value = SAME[change](plain[argument])
    elif change in SPOILED:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # half precision overflows if the number is large
            value = SPOILED[change](plain[argument], np.random.default_rng(seed))
    else:
        value = JUNK[int(change.removeprefix("junk "))]
    given = {**plain, argument: value}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", UserWarning)  # the library's own: degrees for radians, joints that cannot move
        try:
            answer = function(**given)
        except LessonsError as error:
            assert str(error)
            return
    if answer is not None:
        judge(answer, function, plain, given, change in SAME)


def judge(answer: Any, function: Callable[..., Any], plain: Any, given: Any, same: bool) -> None:
    """Fail if an answer reads what is masked, is not finite, is no solution, or depends on the form of an array."""
    assert not any(isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value) for value in given.values())
    assert all(np.isfinite(array).all() for array in numbers(answer))
    if isinstance(answer, pose_ik.Result) and answer.converged and "target" in given:
        # the tolerance, and a rotation that was rounded to 1e-6 on its way
        assert apart(answer.q, np.array(given["target"], dtype=np.float64)) <= 1.01e-6 + 2e-6
    assert not same or close(answer, function(**plain))


@cache
def _judge() -> PinocchioArm:
    return PinocchioArm(robots.ur10())


def apart(q: Any, target: Any) -> float:
    """Return the larger of the angle [rad] and the distance [m] between the tip and the target, by Pinocchio."""
    T = _judge().forward_kinematics(np.array(q))
    angle = np.linalg.norm(pinocchio.log3(T[:3, :3].T @ target[:3, :3]))
    return float(max(angle, np.linalg.norm(T[:3, 3] - target[:3, 3])))


def numbers(answer: Any) -> list[Any]:
    """Return the arrays of numbers in an answer."""
    if isinstance(answer, (float, np.ndarray)):
        return [np.asarray(answer, dtype=np.float64)] if np.asarray(answer).dtype.kind in "biuf" else []
    if isinstance(answer, tuple):
        return [array for part in answer for array in numbers(part)]
    names: tuple[str, ...] = ("q", "orientation_error", "position_error", "waypoints", "times", "home", "screws")
    if isinstance(answer, trajectories.Path):
        names = names if answer.complete else ()  # what was not tried has no numbers
    elif not np.all(getattr(answer, "converged", True)):
        names = ("q",)  # a target at 1e200 m is farther away than its square can tell
    return [array for name in names if hasattr(answer, name) for array in numbers(getattr(answer, name))]


def close(first: Any, second: Any) -> bool:
    """Return whether two answers are the same."""
    pairs = list(zip(numbers(first), numbers(second), strict=True))
    return all(a.shape == b.shape and np.allclose(a, b, rtol=1e-9, atol=1e-9) for a, b in pairs)
