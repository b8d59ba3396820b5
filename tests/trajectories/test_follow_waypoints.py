"""The compiled loop over waypoints does what the Python loop does, count by count."""

import ast
import copy
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path as Path_

import numpy as np
import pytest
from run_in_python import check_same, in_python

import lessons_lib
from lessons_lib import lie, robots
from lessons_lib.errors import ConfigurationError, TransformError
from lessons_lib.pose_ik import (
    Chan,
    Constant,
    LevenbergMarquardt,
    Method,
    Restarts,
    Status,
    Stop,
    Sugihara,
    TrustRegion,
    lane_rows,
)
from lessons_lib.pose_ik.damping import Wampler
from lessons_lib.pose_ik.prepared_problem import prepare
from lessons_lib.pose_ik.variants import TRUST_REGION, Variant
from lessons_lib.robots import Chain
from lessons_lib.robots.chain import MOST_PREPARED
from lessons_lib.studies import matlab_library as matlab
from lessons_lib.trajectories import path_between, trace, tracing
from lessons_lib.trajectories.follow_waypoints import AHEAD, FIRST, PREVIOUS

UR10, PANDA = robots.ur10(), robots.panda()
NINE = np.array(matlab.ur10_waypoints())
Q_0 = trace(UR10, NINE[:1]).q[0].copy()
STARTS = {"previous": PREVIOUS, "ahead": AHEAD, "first": FIRST}


def slider() -> Chain:
    """Return a chain with fewer joints than six, one of them prismatic and none of the axes parallel to a frame's."""
    screws = np.array([[0, 0, 1, 0, 0, 0], [0, 0, 0, 0.6, 0, 0.8], [2 / 3, -1 / 3, 2 / 3, 0.2, 0.2, -0.1]])
    return robots.from_screws(screws.T, lie.exp_se3([0.2, 0.3, -0.1, 0.4, 0.1, 0.7]), name="slider")


def bent(arm: Chain, q: np.ndarray, count: int = 12) -> np.ndarray:
    """Return the poses along a straight line of configurations, 0.3 rad (or m) long in every joint."""
    return np.array([arm.forward_kinematics(q + 0.3 * part) for part in np.linspace(0.0, 1.0, count)])


def is_decided(arm: Chain, poses: np.ndarray, q0: np.ndarray, start: str, method: Method | None = None) -> bool:
    """Return whether the compiled loop reaches each waypoint of a path."""
    prepared = prepare(arm, None, method, None, None)
    return tracing._trace_at_once(prepared, poses, q0, STARTS[start], False) is not None


@pytest.mark.parametrize("start", ["previous", "ahead", "first"])
@pytest.mark.parametrize("damping", [Constant(0.01), Wampler(1e-5), Chan(0.1), Sugihara(1e-6)], ids=repr)
@pytest.mark.parametrize(
    ("arm", "q0"),
    [
        (UR10, [0.1, -1.0, 1.2, 0.3, 0.7, 0.0]),
        (PANDA, [0.0, -0.3, 0.0, -2.2, 0.0, 2.0, 0.78]),
        (slider(), [0.3, 0.1, -0.4]),
    ],
    ids=["ur10", "panda", "slider"],
)
def test_every_damping_from_every_start(
    arm: Chain, q0: list[float], damping: Constant | Wampler | Chan | Sugihara, start: str
) -> None:
    poses, method = bent(arm, np.array(q0)), LevenbergMarquardt(damping)
    assert is_decided(arm, poses, np.array(q0), start, method)
    check_same(*(trace(arm, poses, q0, method=each, start=start) for each in (method, in_python(method))))


def test_the_seeds_nine_waypoints_from_zero() -> None:
    assert is_decided(UR10, NINE, np.zeros(6), "previous")
    check_same(trace(UR10, NINE), trace(UR10, NINE, method=in_python()))


@pytest.mark.parametrize("method", [LevenbergMarquardt(), LevenbergMarquardt(TrustRegion())], ids=repr)
def test_errors_are_those_of_the_place_that_was_unwrapped(method: Method) -> None:
    """The hand turns on and on, and each solve begins where it was at first: past half a turn, on the other side."""
    q0 = np.array([0.1, -1.0, 1.2, 0.3, 0.7, 0.0])
    Q = q0 + np.arange(1, 10)[:, None] * 0.5 * np.eye(6)[5]
    poses = np.array([UR10.forward_kinematics(q) for q in Q])
    assert is_decided(UR10, poses, q0, "first", method)
    path = trace(UR10, poses, q0, start="first", method=method)
    check_same(path, trace(UR10, poses, q0, start="first", method=in_python(method)))
    np.testing.assert_allclose(path.q, Q, atol=1e-3)
    for q, T, angle, distance in zip(path.q, poses, path.orientation_error, path.position_error, strict=True):
        error = lie.log_se3(lie.inverse(UR10.forward_kinematics(q)) @ T)
        assert abs(np.linalg.norm(error[:3]) - angle) < 1e-12 and abs(np.linalg.norm(error[3:]) - distance) < 1e-12


@pytest.mark.parametrize("choice", ["stop", "skip", "go on"])
@pytest.mark.parametrize("place", [0, 7, 19])
def test_one_bad_waypoint_is_all_that_is_left_to_the_other_loop(choice: str, place: int) -> None:
    """Before it and after it the one lane goes on from where the arm is: the counts would show another start."""
    poses, starts = path_between(NINE, 3)[:20].copy(), Restarts(3)
    poses[place, :3, 3] += [3.0, 0.0, 0.0]
    assert not is_decided(UR10, poses, Q_0, "ahead")
    paths = [
        trace(UR10, poses, Q_0, start="ahead", on_failure=choice, starts=starts, method=method)
        for method in (None, in_python())
    ]
    check_same(*paths)
    assert paths[0].status[place] is Status.UNREACHABLE
    assert len(paths[0].reports) == (place + 1 if choice == "stop" else 20)


KINDS: dict[str, Callable[[np.ndarray], object]] = {
    "list": lambda poses: [pose.tolist() for pose in poses],
    "list of arrays": list,
    "other order": np.asfortranarray,
    "every other": lambda poses: np.repeat(poses, 2, axis=0)[::2],
    "bytes swapped": lambda poses: poses.astype(">f8"),
    "masked": np.ma.masked_array,
    "read-only": lambda poses: np.frombuffer(poses.tobytes()).reshape(poses.shape),
}


@pytest.mark.parametrize("kind", KINDS)
def test_any_kind_of_array_gives_the_same_path(kind: str) -> None:
    path = trace(UR10, KINDS[kind](NINE), Q_0.tolist() if kind == "list" else Q_0)  # type: ignore[arg-type]
    check_same(path, trace(UR10, NINE, Q_0))
    assert type(path.waypoints) is np.ndarray and path.waypoints.flags.c_contiguous


def test_a_rotation_that_was_rounded_is_mended_before_it_is_followed() -> None:
    rounded = np.round(bent(UR10, Q_0, 9), 7)
    assert not is_decided(UR10, rounded, Q_0, "previous")
    path = trace(UR10, rounded, Q_0)
    assert path.complete
    R = path.waypoints[:, :3, :3]
    np.testing.assert_allclose(R @ R.transpose(0, 2, 1), np.tile(np.eye(3), (9, 1, 1)), atol=1e-14)


@pytest.mark.parametrize("value", [np.nan, np.inf, 6.3])
def test_a_start_that_is_none_is_refused(value: float) -> None:
    with pytest.raises(ConfigurationError, match=r"finite|outside its limits"):
        trace(UR10, NINE, np.full(6, value))


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("entry", [(0, 0), (1, 3), (3, 3)])
def test_the_last_waypoint_is_checked_before_the_first_is_solved(entry: tuple[int, int], value: float) -> None:
    poses = NINE.copy()
    poses[8][entry] = value
    with pytest.raises(TransformError, match="waypoint 9 must be finite"):
        trace(UR10, poses)


def test_a_problem_is_known_by_its_own_arguments() -> None:
    """The same path under two rules, turn and turn about; what was remembered for one must not serve the other."""
    rough, fine = Stop(orientation=1e-2, position=1e-2), Stop(orientation=1e-9, position=1e-9)
    for _ in range(2):
        assert trace(UR10, NINE, stop=rough).iterations.sum() < trace(UR10, NINE, stop=fine).iterations.sum()
    heavy = LevenbergMarquardt(Constant(0.125))
    assert trace(UR10, NINE, Q_0, method=heavy).iterations.sum() > trace(UR10, NINE, Q_0).iterations.sum()


def test_no_more_problems_are_remembered_than_there_is_room_for() -> None:
    for k in range(MOST_PREPARED + 6):
        trace(UR10, NINE[:1], stop=Stop(position=1e-6 * (1 + k)))
    assert len(UR10.prepared) <= MOST_PREPARED


def constants(path: str) -> set[str]:
    """Return the names that a file of the library gives to numbers at its top."""
    nodes = ast.parse((Path_(lessons_lib.__file__).parent / path).read_text("utf-8")).body
    targets = [target for node in nodes if isinstance(node, ast.Assign) for target in node.targets]
    return {name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)}


def test_no_name_has_two_meanings_in_one_module() -> None:
    """A generated module joins several texts; a row FIRST and a manner FIRST once wrote into a joint."""
    variants = (Variant(), Variant("split body", True, True, TRUST_REGION))
    rows = {name for variant in variants for name in lane_rows.constants(6, variant, 1)}
    texts = (
        "pose_ik/layout",
        "pose_ik/random_numbers",
        "robots/revolutions",
        "pose_ik/joint_ranges",
        "pose_ik/simd_search",
    )
    for text in texts:
        assert not rows & constants(f"{text}.py"), text
    assert not constants("pose_ik/layout.py") & constants("trajectories/follow_waypoints.py")


def test_threads_do_not_share_their_room() -> None:
    expected = trace(UR10, NINE)
    with ThreadPoolExecutor(4) as pool:
        for path in pool.map(lambda _: trace(UR10, NINE), range(200)):
            np.testing.assert_array_equal(path.q, expected.q)


def test_a_copy_of_a_path_tells_the_same() -> None:
    path = trace(UR10, NINE)
    check_same(copy.copy(path), path)
    assert path.q is path.q  # read out once
    for name in ("q", "status", "reached", "on_path", "tried", "iterations", "orientation_error", "reports"):
        assert not getattr(path, name).flags.writeable, name
