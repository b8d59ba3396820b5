"""Every public function is given arguments that somebody might pass by mistake, or in an unusual dress."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np
import pinocchio

from lessons_lib import differential_ik, lie, pose_ik, robots, trajectories
from lessons_lib.errors import LessonsError
from tools.benchmarks.models import PinocchioArm
from tools.fuzz.hostile_values import JUNK, SAME, SPOILED
from tools.fuzz.tally import Tally, generator

QUESTION = "Does each argument get a right answer or a LessonsError, and nothing else?"
JUDGE = "the answer to the plain argument; Pinocchio for what calls itself converged; Python's own warnings"
UNIT = "calls"
CASES = 30_000

Call = tuple[Callable[..., Any], dict[str, Any]]
SHORT: dict[str, Any] = {"starts": pose_ik.Restarts(3), "stop": pose_ik.Stop(max_iterations=20)}


@cache
def calls() -> Mapping[str, Call]:
    """Return the functions that are tested, each with arguments that it takes."""
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
        found[f"a {member} of one's own"] = lambda value, member=member: own(member, value), {"value": 0.1}
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
    return found


def own(member: str, value: Any) -> Any:
    """Solve with a method or a damping of one's own, of which one member is hostile."""

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


def fuzz(cases: range, seed: int, tally: Tally) -> None:
    """Call a function with one argument changed, and look at what comes back."""
    names = list(calls())
    for case in cases:
        rng = generator(seed, case)
        name = names[case % len(names)]
        function, plain = calls()[name]
        argument = list(plain)[int(rng.integers(len(plain)))]
        how, value, same = hostile(plain[argument], rng)
        tally.tried += 1
        answer, wrong = ask(function, {**plain, argument: value})
        if wrong is None and answer is not None:
            wrong = judge(answer, function, plain, {**plain, argument: value}, same)
        if wrong is not None:
            tally.fail(case, f"{name}({argument}: {how}) {wrong}"[:400])


def hostile(value: Any, rng: np.random.Generator) -> tuple[str, Any, bool]:
    """Return a hostile value in place of a good one, in words and as it is, and whether it means the same."""
    if isinstance(value, np.ndarray):
        pick = rng.random()
        if pick < 0.4:
            name = list(SAME)[int(rng.integers(len(SAME)))]
            return name, SAME[name](value), True
        if pick < 0.85:
            name = list(SPOILED)[int(rng.integers(len(SPOILED)))]
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # half precision overflows where the number is large: our own doing
                return name, SPOILED[name](value, rng), False
    junk = JUNK[int(rng.integers(len(JUNK)))]
    return f"{type(junk).__name__} {junk!r}"[:60], junk, False


def ask(function: Callable[..., Any], given: dict[str, Any]) -> tuple[Any, str | None]:
    """Return the answer, None where it was refused; and what was wrong with the way it came."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            return function(**given), None
        except LessonsError as error:
            return None, None if str(error) else "is refused without a word"
        except Exception as error:  # noqa: BLE001 (whatever comes is judged)
            return None, f"raises {type(error).__name__}: {error}"


def judge(answer: Any, function: Callable[..., Any], plain: Any, given: Any, same: bool) -> str | None:
    """Return what is wrong with an answer, or None."""
    if any(isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value) for value in given.values()):
        return "reads what is behind a mask"
    for array in numbers(answer):
        if not np.isfinite(array).all():
            return "answers with a number that is not finite"
    if isinstance(answer, pose_ik.Result) and answer.converged and "target" in given:
        off = apart(answer.q, np.array(given["target"], dtype=np.float64))
        if off > 1.01e-6 + 2e-6:  # the tolerance, and a rotation that was rounded to 1e-6 on its way
            return f"has converged {off:.2g} away from the target by Pinocchio"
    if same and not close(answer, function(**plain)):
        return "is answered otherwise than the same numbers in an array"
    return None


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
