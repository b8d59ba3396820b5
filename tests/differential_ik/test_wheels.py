"""Rolling tasks: rows compared with Pink, and a robot whose wheels stay on the floor without slipping."""

import numpy as np
import pink.tasks
import pytest
from pink_robots import PinkRobot, pair_of, urdf

from lessons_lib import differential_ik as dik
from lessons_lib import lie

RADIUS, WHEELS = 0.0985, ("wheel_left_link", "wheel_right_link")
"""Radius of Tiago's wheels, m, from the <cylinder> in its file."""


@pytest.fixture(scope="module")
def tiago() -> PinkRobot:
    return pair_of(urdf("tiago_no_hand"), "floating")


def place_on_floor(tiago: PinkRobot, yaw: float = 0.0) -> dik.Configuration:
    """Return the robot with its wheels on the floor at a yaw angle."""
    at = dik.Configuration(tiago.tree)
    q = at.q.copy()
    q[2] += RADIUS - at.get_transform_frame_to_world(WHEELS[0])[2, 3]
    q[5:7] = np.sin(yaw / 2), np.cos(yaw / 2)
    lower, upper = tiago.tree.lower[7:], tiago.tree.upper[7:]
    q[7:] = 0.5 * (np.where(np.isfinite(lower), lower, 0.3) + np.where(np.isfinite(upper), upper, 0.3))
    return dik.Configuration(tiago.tree, q)


@pytest.mark.parametrize("kind", ["RollingTask", "OmniwheelTask"])
def test_rows_and_error_match_pink_for_a_wheel_along_x(tiago: PinkRobot, kind: str) -> None:
    at = place_on_floor(tiago)
    at.integrate_inplace(np.eye(at.model.nv)[5] + 0.7, 0.05)  # above the floor and slightly tilted
    q = at.q.copy()
    q[3:7] = 0.0, 0.0, 0.0, 1.0
    ours_at, theirs_at = tiago.both(q)
    ours = getattr(dik, kind)(WHEELS[0], "universe", RADIUS, 2.0)
    theirs = getattr(pink.tasks, kind)(WHEELS[0], "universe", RADIUS, 2.0)
    assert np.abs(ours.compute_error(ours_at) - theirs.compute_error(theirs_at)).max() < 1e-12
    J = theirs.compute_jacobian(theirs_at)[:, tiago.order]
    assert np.abs(ours.compute_jacobian(ours_at) - J).max() < 1e-12


@pytest.mark.parametrize("yaw", [0.0, 0.9, np.pi / 2])
def test_a_rolling_constraint_keeps_the_contact_point_at_rest(tiago: PinkRobot, yaw: float) -> None:
    """The material point of the wheel at the contact has zero velocity."""
    at, dt = place_on_floor(tiago, yaw), 0.01
    wheels = [dik.RollingTask(wheel, "universe", RADIUS, 1.0) for wheel in WHEELS]
    base = dik.FrameTask("base_footprint", 1.0, 1.0)
    base.set_target_from_configuration(at)
    ahead = at.get_transform_frame_to_world("base_footprint")[:3, 0]
    base.target()[:3, 3] += 0.002 * ahead
    v = dik.solve_ik(at, [base, dik.DampingTask(1e-3)], dt, constraints=wheels, limits=[])
    for wheel in WHEELS:
        T = at.get_transform_frame_to_world(wheel)
        lowest = T[:3, 3] - [0.0, 0.0, RADIUS]
        twist = lie.adjoint(T) @ at.get_frame_jacobian(wheel) @ v  # in the world
        assert np.abs(twist[3:] + np.cross(twist[:3], lowest)).max() < 1e-9
        assert np.linalg.norm(twist[:3]) == pytest.approx(0.2 / RADIUS, rel=1e-3)
    moved = at.get_velocity_jacobian("base_footprint") @ v
    assert moved == pytest.approx(0.2 * ahead, abs=1e-4)


@pytest.mark.parametrize("yaw", [0.0, 0.9, np.pi / 2])
def test_an_omniwheel_moves_only_along_its_axle(tiago: PinkRobot, yaw: float) -> None:
    """Pink 4.4 allows motion in the rolling direction unless this is the floor's x."""
    at = place_on_floor(tiago, yaw)
    T = at.get_transform_frame_to_world("base_footprint")
    ahead, aside = np.linalg.inv(at.get_frame_jacobian("base_footprint")[:, :6])[:, 3:5].T
    J = dik.OmniwheelTask(WHEELS[0], "universe", RADIUS, 1.0).compute_jacobian(at)[:, :6]
    assert np.abs(J @ aside).max() < 1e-9
    assert abs(J @ ahead)[0] == pytest.approx(1.0, abs=1e-9)
    theirs_at = tiago.both(at.q)[1]
    theirs = pink.tasks.OmniwheelTask(WHEELS[0], "universe", RADIUS, 1.0).compute_jacobian(theirs_at)[:, tiago.order]
    assert abs(theirs[:, :6] @ ahead)[0] == pytest.approx(abs(T[0, 0]), abs=1e-9)  # cos(yaw)
