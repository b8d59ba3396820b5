"""Hostile arguments of public functions give a correct result or a LessonsError.

References are the result for a plain argument, Pinocchio for converged solves, and Python's warnings.
"""

import inspect
import warnings
from decimal import Decimal
from fractions import Fraction
from functools import cache, partial

import numpy as np
import pinocchio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lessons_lib import collisions, differential_ik, lie, plots, pose_ik, robots, studies, trajectories
from lessons_lib.errors import LessonsError, UnknownArgument
from tools.benchmarks.models import PinocchioArm

PACKAGES = collisions, differential_ik, lie, plots, pose_ik, robots, studies, trajectories
OWN_KEYWORDS = differential_ik.custom_configuration_vector, differential_ik.solve_ik, pose_ik.Damping
"""Their keywords are names of joints, options of a solver, and parameters of a rule."""

SHORT = {"starts": pose_ik.Restarts(3), "stop": pose_ik.Stop(max_iterations=20)}


def to_unaligned(a):
    """Return the same numbers at an unaligned address."""
    view = np.zeros(a.nbytes + 1, dtype=np.uint8)[1:].view(np.float64).reshape(a.shape) if a.nbytes else a.copy()
    view[...] = a
    return view


SAME = {
    "list": lambda a: a.tolist(),
    "list of arrays": list,
    "Fortran's order": lambda a: np.asfortranarray(a),
    "strided": lambda a: np.repeat(a, 2, axis=0)[::2],
    "backwards": lambda a: np.ascontiguousarray(a[::-1])[::-1],
    "unaligned": to_unaligned,
    "big-endian": lambda a: a.astype(">f8"),
    "long double": lambda a: a.astype(np.longdouble),
    "fractions": lambda a: np.array([Fraction(float(x)) for x in a.flat], dtype=object).reshape(a.shape),
    "masked array without a mask": lambda a: np.ma.array(a),
    "negative zeros": lambda a: np.where(a == 0.0, -0.0, a),
}
"""Changes of an array of finite doubles that must not change the result."""


def with_entry(value):
    """Return a function that sets one entry of an array to a value."""

    def put_value(a, rng):
        copy = np.array(a, dtype=object if isinstance(value, (str, type(None), complex)) else np.float64)
        copy.flat[int(rng.integers(copy.size))] = value
        return copy

    return put_value


def mask_one_entry(a, rng):
    """Return an array with one masked entry."""
    return np.ma.array(a, mask=np.arange(a.size).reshape(a.shape) == rng.integers(a.size))


SPOILED = {
    **{f"an entry {x!r}": with_entry(x) for x in (np.nan, np.inf, 1e308, -1e200, 5e-324, "x", "1", None, 1j)},
    "one entry masked": mask_one_entry,
    "half precision": lambda a, rng: a.astype(np.float16),
    "whole numbers": lambda a, rng: np.rint(a).astype(np.int64),
    "truth values": lambda a, rng: a > 0,
    "complex": lambda a, rng: a.astype(complex),
    "text": lambda a, rng: a.astype(str),
    "dates": lambda a, rng: np.zeros(a.shape, dtype="datetime64[s]"),
    "one axis more": lambda a, rng: a[None],
    "transposed": lambda a, rng: a.T.copy(),
    "one row less": lambda a, rng: a[:-1],
    "one row more": lambda a, rng: np.concatenate([a, a[:1]]),
    "nothing in it": lambda a, rng: a[:0],
    "ragged": lambda a, rng: [a.tolist(), [1.0]],
    "noise": lambda a, rng: rng.normal(size=a.shape) * 10.0 ** rng.uniform(-300, 300),
    "zeros": lambda a, rng: np.zeros_like(a),
}
"""Changes of an array that must be refused or give a valid result."""

JUNK = (
    None, True, "", "body", b"x", 0, -1, 1, 10**400, 0.5, 1e-320, 1e300, np.nan, np.inf, 1j, np.float32(1e-3),
    np.int8(3), np.bool_(True), np.array(1.0), np.eye(2), [], {}, [1, [2]], range(3), object(), int, Fraction(1, 3),
    Decimal("0.1"), np.ma.masked, Ellipsis, np.array("x"), slice(3), (x for x in "ab"),
)  # fmt: skip
"""Values for any argument."""


@cache
def calls():
    """Return the tested functions with valid arguments."""
    arm, rng = robots.ur10(), np.random.default_rng(5)
    q, q0 = arm.random_configuration(rng), arm.random_configuration(rng)
    target, other = arm.forward_kinematics(q), arm.forward_kinematics(q0)
    xi, six, dik = rng.normal(size=6), np.ones(6), differential_ik
    tree = robots.load_urdf(robots.urdf_file("ur10"))
    place, links = dik.Configuration(tree, q), collisions.fitted_links(arm, 0.05)
    slow = arm.with_limits(acceleration=six)
    scene = collisions.Scene(arm, links, (collisions.sphere([2.0, 2.0, 2.0], 0.1),))
    inputs = {"exp_so3": xi[:3], "exp_se3": xi, "left_jacobian_se3": xi, "log_so3": target[:3, :3]}
    inputs |= {"vee_se3": lie.hat_se3(xi)} | dict.fromkeys(("log_se3", "adjoint", "inverse"), target)
    found = {f"lie.{n}": (lambda x, n=n: getattr(lie, n)(x), {"x": value}) for n, value in inputs.items()}
    rows = np.array([[0.3, 0.1, 0.2, 0.0], [0.4, -0.2, 0.1, 0.3]])
    solving = {"target": target, "q0": q0, **SHORT}
    lm = {"damping": pose_ik.Chan(), "frame": "space", "derivative": None}
    resting = {"start": q, "end": q0, "jerk": six, "velocity": six, "acceleration": six}
    costs = {"position_cost": 1.0, "orientation_cost": 0.5, "lm_damping": 1e-3, "gain": 0.9, "dt": 0.01}
    return found | {
        "forward kinematics": (arm.forward_kinematics, {"q": q}),
        "from_screws": (robots.from_screws, {"screws": np.array(arm.screws), "home": arm.home, "limits": arm.limits}),
        "from_dh": (robots.from_dh, {"rows": rows, "convention": "standard", "tool": target}),
        "load_urdf": (partial(robots.load_urdf, robots.urdf_file("ur10")), {"mimic": True, "locked": ()}),
        "solve": (lambda **given: pose_ik.solve(arm, **given), solving),
        "solve, traced": (lambda **given: pose_ik.solve(arm, trace=True, **given), solving),
        "solve, any argument": (
            lambda **given: pose_ik.solve(given.pop("arm"), **given),
            {"arm": arm, "target": target, "goal": None, "method": None, "rng": None, **SHORT},
        ),
        "solve_batch": (
            lambda **given: pose_ik.solve_batch(arm, progress=False, **given),
            {"targets": np.array([target, other]), "q0": q0, "threads": 1, **SHORT},
        ),
        "all_solutions": (pose_ik.all_solutions, {"arm": arm, "T": target, "limits": True}),
        "certificate": (lambda arm, q: pose_ik.certificate(arm, target, q), {"arm": arm, "q": q}),
        "Stop": (pose_ik.Stop, {"orientation": 1e-6, "position": 1e-6, "max_iterations": 30}),
        "LevenbergMarquardt": (pose_ik.LevenbergMarquardt, lm),
        "pose": (pose_ik.pose, {"weights": six, "axes": "target"}),
        "Chan": (pose_ik.Chan, {"damping": 0.1}),
        "trace": (
            lambda **given: trajectories.trace(arm, **SHORT, **given),
            {"waypoints": np.array([other, other]), "q0": q0, "on_failure": "stop", "start": "previous"},
        ),
        "interpolate": (trajectories.interpolate, {"start": target, "end": other, "s": 0.3, "how": "screw"}),
        "retime": (trajectories.retime, {"path": np.array([q, q0]), "chain": slow}),
        "rest_to_rest": (trajectories.rest_to_rest, {"chain": arm, **resting}),
        "Follower": (trajectories.Follower, {"chain": slow, "q": q, "rate": 1000.0}),
        "moves_free": (collisions.moves_free, {"scene": scene, "begin": q, "end": q, "margin": 0.0, "budget": 100}),
        "Configuration": (lambda q: dik.Configuration(tree, q), {"q": q}),
        "FrameTask": (lambda **given: velocity(place, target, **given), costs),
        "VelocityLimit": (dik.VelocityLimit, {"model": tree, "velocity_limit": six}),
    }


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.__name__)
def test_an_unknown_keyword_names_the_arguments(package):
    public = [getattr(package, name) for name in package.__all__]
    functions = [one for one in public if inspect.isfunction(one) and len(inspect.signature(one).parameters) > 1]
    classes = [one for one in public if inspect.isclass(one) and f".{one.__name__}(" in (one.__doc__ or "")]
    plain = []
    for one in {*functions, *classes}.difference(OWN_KEYWORDS):
        needed = [word for word in inspect.signature(one).parameters.values() if word.default is word.empty]
        try:
            one(*(None for word in needed if word.kind is word.POSITIONAL_OR_KEYWORD), nonsense=1)
        except UnknownArgument:
            continue
        except (LessonsError, TypeError):
            plain.append(one.__name__)
    assert functions and not plain


def velocity(place, target, dt, **given):
    """Solve for the velocity of one task."""
    task = differential_ik.FrameTask("tool0", **given)
    task.set_target(target)
    return differential_ik.solve_ik(place, [task], dt)


@st.composite
def hostile_calls(draw):
    """Draw a function, one of its arguments, the name of a change, and a seed."""
    name = draw(st.sampled_from(sorted(calls())))
    argument = draw(st.sampled_from(sorted(calls()[name][1])))
    changes = [f"junk {k}" for k in range(len(JUNK))]
    if isinstance(calls()[name][1][argument], np.ndarray):
        changes = [*SAME, *SPOILED, *changes[:8]]
    return name, argument, draw(st.sampled_from(changes)), draw(st.integers(0, 99))


@pytest.mark.release
@settings(max_examples=5000)
@given(hostile_calls())
def test_a_hostile_argument_gives_a_correct_result_or_a_lessons_error(call):
    name, argument, change, seed = call
    function, plain = calls()[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # half precision overflows if the number is large
        if change in SAME:
            value = SAME[change](plain[argument])
        elif change in SPOILED:
            value = SPOILED[change](plain[argument], np.random.default_rng(seed))
        else:
            value = JUNK[int(change.removeprefix("junk "))]
    given = {**plain, argument: value}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", UserWarning)  # those of the library: degrees for radians, immovable joints
        try:
            answer = function(**given)
        except LessonsError as error:
            assert str(error)
            return
    assert not np.ma.is_masked(value)
    assert all(np.isfinite(array).all() for array in numbers(answer))
    if isinstance(answer, pose_ik.Result) and answer.converged and "target" in given:
        # the tolerance, and a rotation that was rounded to 1e-6 on its way
        assert apart(answer.q, np.array(given["target"], dtype=np.float64)) <= 1.01e-6 + 2e-6
    if change in SAME:
        for ours, theirs in zip(numbers(answer), numbers(function(**plain)), strict=True):
            np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-9)


@cache
def _judge():
    return PinocchioArm(robots.ur10())


def apart(q, target):
    """Return the larger of angle [rad] and distance [m] between tip and target, by Pinocchio."""
    T = _judge().forward_kinematics(np.array(q))
    angle = np.linalg.norm(pinocchio.log3(T[:3, :3].T @ target[:3, :3]))
    return float(max(angle, np.linalg.norm(T[:3, 3] - target[:3, 3])))


def numbers(answer):
    """Return the numeric arrays in a result."""
    if isinstance(answer, (float, np.ndarray)):
        return [np.asarray(answer, dtype=np.float64)] if np.asarray(answer).dtype.kind in "biuf" else []
    if isinstance(answer, tuple):
        return [array for part in answer for array in numbers(part)]
    names = ("q", "orientation_error", "position_error", "waypoints", "times", "home", "screws")
    if isinstance(answer, trajectories.Path):
        names = names if answer.complete else ()  # untried waypoints have no numbers
    elif not np.all(getattr(answer, "converged", True)):
        names = ("q",)  # the square of a distance of 1e200 m overflows
    return [array for name in names if hasattr(answer, name) for array in numbers(getattr(answer, name))]
