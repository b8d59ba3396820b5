"""Chains, paths, results, methods and errors, in whatever state, sent in every way to where somebody asks them."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
from collections.abc import Callable
from multiprocessing.pool import Pool
from typing import Any

import numpy as np
from scipy.linalg import expm

from lessons_lib import pose_ik, robots, trajectories
from lessons_lib.arrays import Array
from lessons_lib.errors import LessonsError
from lessons_lib.pose_ik import BestOf, GaussNewton, LevenbergMarquardt, Near, Nearest, NewtonRaphson, Restarts, Stop
from lessons_lib.robots import Chain
from tools.fuzz.tally import Tally, generator

QUESTION = "Does what is copied, pickled or sent to another process answer there, to the last bit, as it does here?"
JUDGE = "the one that stayed, and SciPy's matrix exponential for the forward kinematics of the one that arrived"
UNIT = "objects that were asked"
CASES = 600

LIMIT = 120.0
"""Seconds after which an answer from another process counts as never."""

ARMS: tuple[Callable[[], Chain], ...] = (robots.planar_2r, robots.ur10, robots.panda)
DAMPING = (pose_ik.Constant, pose_ik.Wampler, pose_ik.Chan, pose_ik.Sugihara, pose_ik.TrustRegion)
TOLD = ("q", "status", "converged", "iterations", "restarts", "orientation_error", "position_error")
TOLD_OF_PATHS = ("q", "status", "reached", "on_path", "tried", "iterations", "restarts", "position_error", "moves")


def fuzz(cases: range, seed: int, tally: Tally) -> None:
    """Run the cases; the processes that are asked are started once, anew, as on systems that cannot fork."""
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        for case in cases:
            rng = generator(seed, case)
            chain = ARMS[rng.integers(len(ARMS))]()
            things, q = made(chain, rng), chain.random_configuration(rng)
            for name, thing in things.items():
                tally.tried += 1
                try:
                    found = faults(thing, chain, q, rng, pool, tally)
                except Exception as error:  # noqa: BLE001 (whatever comes is a fault)
                    found = [f"{type(error).__name__}: {error}"]
                for fault in found:
                    tally.fail(case, f"{name}: {fault}")


def made(chain: Chain, rng: np.random.Generator) -> dict[str, Any]:
    """Return what the library hands out, after the chain was used for some of it, in a random order."""
    method, stop = drawn_method(rng), Stop(10 ** rng.uniform(-6, -3), 10 ** rng.uniform(-6, -3), 30)
    goal = pose_ik.pose(tuple(rng.uniform(0.1, 2, 6)) if rng.random() < 0.5 else None)
    asked: dict[str, Any] = {"goal": goal, "method": method, "starts": Restarts(20), "stop": stop}
    q = chain.random_configuration(rng)
    ways = np.clip(
        q + np.linspace(0.0, 0.3, rng.integers(1, 9))[:, None] * rng.uniform(-1, 1, chain.dof), *chain.limits.T
    )
    poses = np.array([chain.forward_kinematics(way) for way in ways])
    poses[rng.random(len(poses)) < 0.2, 0, 3] += 3.0
    failure: Any = str(rng.choice(["stop", "skip", "go on"]))
    makers: dict[str, Callable[[], Any]] = {
        "Chain": lambda: chain,
        "Result": lambda: pose_ik.solve(chain, poses[0], q, trace=bool(rng.integers(2)), **asked),
        "Result of the lanes": lambda: pose_ik.solve(chain, poses[0]),
        "BatchResult": lambda: pose_ik.solve_batch(chain, poses, q, **asked),
        "Path": lambda: seen(trajectories.trace(chain, poses, q, on_failure=failure, **asked), rng),
        "Motion": lambda: trajectories.through(np.vstack([poses, poses])),
        "Stop": lambda: stop,
        "method": lambda: method,
        "goal": lambda: goal,
        "starts": lambda: (BestOf(3), Nearest(4), Near(), Restarts(20))[int(rng.integers(4))],
        "error": lambda: error_of(chain),
    }
    names = rng.permutation(list(makers))[: rng.integers(1, 1 + len(makers))]
    return {str(name): makers[name]() for name in names}


def drawn_method(rng: np.random.Generator) -> Any:
    """Return a method, with random numbers in it."""
    damping = DAMPING[rng.integers(len(DAMPING))](rng.uniform(0.01, 0.2))
    frame: Any = str(rng.choice(["body", "space"]))
    choices = (NewtonRaphson(frame), GaussNewton(), LevenbergMarquardt(damping, frame))
    return choices[rng.integers(3)]


def seen(path: trajectories.Path, rng: np.random.Generator) -> trajectories.Path:
    """Return the path after some of it was looked at: what it has read stays beside its fields."""
    for name in TOLD_OF_PATHS:
        if rng.random() < 0.5:
            getattr(path, name)
    return path


def error_of(chain: Chain) -> LessonsError:
    """Return an error that the chain raises."""
    try:
        chain.forward_kinematics([np.nan] * chain.dof)
    except LessonsError as error:
        return error
    raise AssertionError("no error was raised")


def answers(thing: Any, q: Array) -> list[Any]:
    """Return all that a thing tells when it is asked; arrays with whether they can be written."""
    if isinstance(thing, Chain):
        T = thing.forward_kinematics(q)
        told = [T, thing.space_jacobian(q), thing.body_jacobian(q), thing.screws, thing.home, thing.limits, repr(thing)]
        found = pose_ik.solve(thing, T)
        return [*told, thing.sampling_limits, found.q, found.iterations, thing.joint_names, thing.recipe]
    if isinstance(thing, trajectories.Path):
        return [str(thing), *(getattr(thing, name) for name in TOLD_OF_PATHS), thing.reports, thing.waypoints]
    if isinstance(thing, trajectories.Motion):
        return [thing.waypoints, thing.times, thing.at(np.linspace(-1.0, 9.0, 5)), thing.how, thing.scaling]
    if isinstance(thing, pose_ik.Result):
        trace = thing.trace
        return [*(getattr(thing, name) for name in TOLD), *(vars(trace).values() if trace is not None else ())]
    if isinstance(thing, pose_ik.BatchResult):
        return [*(getattr(thing, name) for name in TOLD), repr(thing[0])]
    if isinstance(thing, LessonsError):
        return [type(thing), str(thing), thing.args, vars(thing)]
    return [repr(thing), thing]


def out_of_band(thing: Any) -> Any:
    """Send the arrays beside the pickle; they arrive in memory that can be written."""
    buffers: list[pickle.PickleBuffer] = []
    data = pickle.dumps(thing, protocol=5, buffer_callback=buffers.append)
    return pickle.loads(data, buffers=[bytearray(buffer) for buffer in buffers])


def sent(thing: Any, rng: np.random.Generator) -> tuple[str, Any]:
    """Return the thing after a random journey of one to three ways."""
    names = []
    for _ in range(rng.integers(1, 4)):
        way = rng.integers(8)
        if way == 6:
            thing = copy.copy(thing)
        elif way == 7:
            thing = copy.deepcopy(thing)
        else:
            thing = out_of_band(thing) if way == 1 else pickle.loads(pickle.dumps(thing, int(way)))
        names.append({1: "out of band", 6: "copy", 7: "deepcopy"}.get(int(way), f"protocol {way}"))
    return ", ".join(names), thing


def faults(thing: Any, chain: Chain, q: Array, rng: np.random.Generator, pool: Pool, tally: Tally) -> list[str]:
    """Return what an arrived thing answers otherwise than the one that stayed."""
    found, expected = [], answers(thing, q)
    way, arrived = sent(thing, rng)
    elsewhere = pool.apply_async(answers, (arrived, q))
    for where, told in ((way, answers(arrived, q)), (f"{way}, spawned", elsewhere.get(LIMIT))):
        for place, (one, other) in enumerate(zip(told, expected, strict=True)):
            closed = (
                "spawned" in where or not isinstance(one, np.ndarray) or one.flags.writeable == other.flags.writeable
            )
            if not equal(one, other) or not closed:
                found.append(
                    f"{where}: answer {place} is {one!r}, not {other!r}" if closed else f"{where}: {place} is open"
                )
        if isinstance(thing, Chain):
            tally.measure("pose, beside SciPy's", float(np.abs(told[0] - pose_of(chain, q)).max()))
            if not np.allclose(told[0], pose_of(chain, q), rtol=0, atol=1e-12):
                found.append(f"{where}: the pose of {q.tolist()} is wrong")
    return found


def equal(one: Any, other: Any) -> bool:
    """Return whether two answers are the same to the last bit."""
    if isinstance(one, np.ndarray):
        return bool(one.dtype == other.dtype and np.array_equal(one, other, equal_nan=one.dtype != object))
    return type(one) is type(other) and bool(one == other or (one != one and other != other))


def pose_of(chain: Chain, q: Array) -> Array:
    """Return the pose by the product of exponentials, SciPy's."""
    T: Array = chain.home
    for (x, y, z, *v), angle in list(zip(chain.screws.T, q, strict=True))[::-1]:
        T = expm(angle * np.array([[0, -z, y, v[0]], [z, 0, -x, v[1]], [-y, x, 0, v[2]], [0, 0, 0, 0]])) @ T
    return T
