"""The loop of an arm with masses: gravity agrees with Pinocchio's, and the stored run with a new one."""

from typing import Any

import numpy as np
import pinocchio

from lessons_lib import robots, trajectories
from lessons_lib.course import Servo, TorqueRun, commands_of, follow_commands

REST = np.array([0.2, -1.9, 1.8, -1.4, -1.5, 0.3])
IDEAL: dict[str, Any] = {"encoder": 0.0, "believed": 1.0, "delay": 0}


def held(**values: Any) -> TorqueRun:
    return follow_commands(np.tile(REST, (1500, 1)), Servo(**IDEAL | values))


def test_an_arm_at_rest_is_held_by_the_torques_of_gravity() -> None:
    model = pinocchio.buildModelFromUrdf(str(robots.urdf_file("ur10")))
    gravity = pinocchio.computeGeneralizedGravity(model, model.createData(), REST)
    run = held()
    np.testing.assert_allclose(run.torque[-1], gravity, atol=1e-9)
    np.testing.assert_allclose(run.q[-1], REST, atol=1e-12)
    assert (np.abs(gravity) < run.most).all()


def test_underestimated_masses_let_the_arm_sag_as_claimed() -> None:
    """At rest b² e is the acceleration that the missing part of gravity causes."""
    model = pinocchio.buildModelFromUrdf(str(robots.urdf_file("ur10")))
    data = model.createData()
    q = held(believed=0.9).q[-1]
    inertia = pinocchio.crba(model, data, q)
    expected = 0.1 / 0.9 * np.linalg.solve(inertia, pinocchio.computeGeneralizedGravity(model, data, q))
    np.testing.assert_allclose(25.0**2 * (REST - q), expected, atol=1e-6)


def test_the_arm_yields_to_a_push_and_delay_destabilizes_a_stiff_loop() -> None:
    soft, stiff = (np.abs(held(push=100.0, bandwidth=b).q - REST).max() for b in (25.0, 100.0))
    assert 5e-4 < stiff < soft < 4e-2
    assert np.abs(held(push=100.0, bandwidth=100.0, delay=8).q - REST).max() > 0.1


def test_a_message_becomes_the_motion_that_it_was_made_of() -> None:
    arm = robots.ur10()
    motion = trajectories.retime(np.array([REST, REST + 0.3, REST]), arm, acceleration=1.5)
    commands = commands_of(motion.to_message(rate=200))
    times = np.arange(len(commands)) / 1000
    np.testing.assert_allclose(commands, motion.at(times)[0], atol=1e-5)
    assert motion.duration - times[-1] < 1.1e-3
