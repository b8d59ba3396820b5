"""The slider carries the hand along the chosen way, and what is drawn and written is where the arm is."""

import modern_robotics as mr
import numpy as np
import pytest

from lessons_lib.widgets import PathExplorer
from lessons_lib.widgets.path_explorer import KINDS, PARTS, STARTS, TURN, poses_of, way_of


@pytest.fixture(scope="module")
def explorer() -> PathExplorer:
    return PathExplorer()


def tips(arm: str, kind: str) -> np.ndarray:
    """Every tip pose of a way, by Modern Robotics' own code."""
    chain, _, _ = poses_of(arm)
    return np.array([mr.FKinSpace(chain.home, chain.screws, q) for q in way_of(arm, kind).q])


@pytest.mark.parametrize("arm", STARTS)
@pytest.mark.parametrize("kind", KINDS)
def test_every_way_goes_from_the_first_pose_to_the_last_without_a_jump(arm: str, kind: str) -> None:
    chain, start, end = poses_of(arm)
    poses, way = tips(arm, kind), way_of(arm, kind)
    np.testing.assert_allclose(poses[[0, -1]], [start, end], atol=3e-6)  # 1e-6 in rad and in m are the solver's
    assert np.abs(np.diff(way.q, axis=0)).max() < 0.1
    assert (way.q >= chain.limits[:, 0]).all() and (way.q <= chain.limits[:, 1]).all()


@pytest.mark.parametrize("arm", STARTS)
def test_the_three_ways_are_what_they_are_called(arm: str) -> None:
    _, start, end = poses_of(arm)
    across = np.linalg.norm((end - start)[:2, 3])
    screw, straight, joints = (way_of(arm, kind).off for kind in KINDS)
    assert straight.max() < 2e-6
    assert screw[PARTS // 2] == pytest.approx(across / 2 * np.tan(TURN / 4), abs=2e-6)  # claim 14.4
    assert 0.01 < joints.max() < screw.max()
    np.testing.assert_allclose(np.diff(way_of(arm, "joints").q, n=2, axis=0), 0.0, atol=1e-14)


@pytest.mark.parametrize("kind", KINDS)
def test_the_arm_is_drawn_where_the_slider_says(explorer: PathExplorer, kind: str) -> None:
    explorer.change(arm="UR10", kind=kind, s=0.25)
    drawn = np.array(explorer._picture._arm.links.get_data_3d()).T[-1]
    np.testing.assert_allclose(drawn, tips("UR10", kind)[PARTS // 4, :3, 3], atol=1e-12)
    (x,), (y,) = explorer._picture._mark.get_data()
    assert (x, y) == (0.25, pytest.approx(1e3 * explorer.way.off[PARTS // 4]))


def test_the_line_above_says_the_distance_and_what_the_solver_left(explorer: PathExplorer) -> None:
    explorer.change(arm="UR10", kind="screw", s=0.5)
    assert explorer.message == (
        f"s = 0.500: {1e3 * explorer.way.off[PARTS // 2]:.1f} mm off the straight line; "
        "the solver left less than 1 µm and 1 µrad"
    )
    assert (explorer.way.error <= 1e-6).all()
    explorer.change(kind="joints", s=1.0)
    assert explorer.message == "s = 1.000: 0.0 mm off the straight line"


@pytest.mark.parametrize(("name", "value"), [("s", 0.75), ("kind", "decoupled"), ("arm", "Panda")])
def test_every_control_changes_the_picture(name: str, value: object) -> None:
    explorer = PathExplorer()
    before = explorer.image.value
    getattr(explorer, name).value = value
    assert explorer.image.value != before


def test_going_to_and_fro_adds_nothing_to_the_picture(explorer: PathExplorer) -> None:
    explorer.change(arm="UR10", kind="screw", s=0.5)
    before, count = explorer.image.value, sum(len(ax.get_children()) for ax in explorer.figure.axes)
    for arm in ("Panda", "UR10"):
        explorer.arm.value = arm
    assert sum(len(ax.get_children()) for ax in explorer.figure.axes) == count
    assert explorer.image.value == before


def test_the_still_picture_and_the_name_are_the_same_each_time() -> None:
    assert PathExplorer().still() == PathExplorer().still()
    assert repr(PathExplorer()) == "PathExplorer()"
