"""An arm with mass that follows commands: torques at 1 kHz in MuJoCo, as lesson 23 replays it."""
# The arm is the course's URDF of the UR10 with round masses. Motors have no friction and gears no backlash: the effects
# are gravity, inertia, delay, encoder quantization, and a push.

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, ReadOnly, floats
from lessons_lib.errors import ConfigurationError, ParameterError
from lessons_lib.extras import need
from lessons_lib.robots import urdf_file

__all__ = ["Servo", "TorqueRun", "commands_of", "follow_commands"]

RATE = 1000
"""The control rate, in Hz."""

SUBSTEPS = 4
"""The number of physics steps per cycle."""

PUSHED = "forearm_link"
"""The link pushed at its centre of mass, along the base's y axis."""


@dataclass(frozen=True)
class Servo:
    """Properties of the servo loop between command and motor.

    Attributes:
        bandwidth: Decay rate of an error, exp(-bandwidth t), 1/s: stiffness bandwidth², damping 2 bandwidth.
        delay: Age of a measurement when it is used, cycles.
        encoder: Quantization of the encoders, rad; 0 for none.
        believed: Masses in the controller's model, as a fraction of the true ones.
        push: Force on the forearm, N.
        pushed: Start and end of the push, s.
    """

    bandwidth: float = 25.0
    delay: int = 1
    encoder: float = 2.0 * np.pi / 2**17
    believed: float = 0.9
    push: float = 0.0
    pushed: tuple[float, float] = (1.2, 1.4)

    def __post_init__(self) -> None:
        """Check the values.

        Raises:
            ParameterError: bandwidth or believed is not positive, or delay or encoder is negative.
        """
        if not (self.bandwidth > 0 and self.believed > 0 and self.delay >= 0 and self.encoder >= 0):
            raise ParameterError(f"bandwidth and believed must be positive, delay and encoder nonnegative, got {self}")


@dataclass(frozen=True, eq=False, repr=False)
class TorqueRun(ReadOnly):
    """Measurements at the beginning of each cycle; all arrays are read-only.

    Attributes:
        t: Shape (m,), s.
        q: Joint positions, shape (m, 6), rad.
        velocity: Shape (m, 6), rad/s.
        asked: Acceleration of the commands, by differences, shape (m, 6), rad/s².
        torque: Torques of the motors, shape (m, 6), N·m.
        most: Torque limit of each motor, shape (6,), N·m.
    """

    t: Array
    q: Array
    velocity: Array
    asked: Array
    torque: Array
    most: Array


def follow_commands(commands: ArrayLike, servo: Servo | None = None) -> TorqueRun:
    """Simulate the UR10 following a commanded configuration in each cycle, starting there at rest.

    The loop computes speed and acceleration of the commands by differences, and the torques that produce this
    acceleration and let an error decay, by a model with inaccurate masses. Torques are limited.

    Args:
        commands: One configuration per cycle, shape (m, 6), rad.
        servo: Servo loop; by default `Servo()`.

    Raises:
        ConfigurationError: The commands are not finite numbers of shape (m, 6).
        MissingExtra: MuJoCo is not installed.
    """
    need("simulation", "course.follow_commands", "mujoco")
    q_d = floats(commands, "commands must be an array of numbers of shape (m, 6)", ConfigurationError)
    if q_d.ndim != 2 or q_d.shape[1] != 6 or not np.isfinite(q_d).all():
        raise ConfigurationError(f"commands must be finite and of shape (m, 6), got shape {q_d.shape}")
    loop, dt = _Loop(servo or Servo(), q_d[0]), 1.0 / RATE
    before = np.concatenate([q_d[:1], q_d[:1], q_d])
    v_d = np.diff(before[1:], axis=0) / dt
    a_d = np.diff(before, n=2, axis=0) / dt**2
    seen = np.array([loop.cycle(k, *command) for k, command in enumerate(zip(q_d, v_d, a_d, strict=True))])
    t: Array = np.arange(len(q_d), dtype=np.float64) * dt
    return TorqueRun(t, seen[:, 0], seen[:, 1], a_d, seen[:, 2], loop.most)


def commands_of(message: Mapping[str, Any]) -> Array:
    """Return the configuration of each cycle on a trajectory, shape (m, n), rad: quintics between its points.

    Args:
        message: Message from `to_message`: points with positions, velocities, accelerations, and times.

    Raises:
        MissingExtra: SciPy is not installed.
    """
    need("simulation", "course.commands_of", "scipy")
    from scipy.interpolate import BPoly

    stamps = [point["time_from_start"] for point in message["points"]]
    times = np.array([stamp["sec"] + 1e-9 * stamp["nanosec"] for stamp in stamps])
    states = [[point[name] for name in ("positions", "velocities", "accelerations")] for point in message["points"]]
    cycles = np.arange(int(np.floor(times[-1] * RATE)) + 1) / RATE
    commands: Array = BPoly.from_derivatives(times, np.array(states))(cycles)
    return commands


class _Loop:
    """The arm, its controller's model, and the latest measurements."""

    def __init__(self, servo: Servo, q: Array) -> None:
        import mujoco

        path = str(urdf_file("ur10"))
        self.physics, self.servo = mujoco, servo
        self.arm, self.model = (mujoco.MjModel.from_xml_path(path) for _ in range(2))
        self.arm.opt.timestep = 1.0 / (RATE * SUBSTEPS)
        self.model.body_mass[:] *= servo.believed
        self.model.body_inertia[:] *= servo.believed
        self.most = np.array(self.arm.jnt_actfrcrange[:, 1])
        self.at, self.inside = mujoco.MjData(self.arm), mujoco.MjData(self.model)
        self.at.qpos[:] = q
        self.pushed = mujoco.mj_name2id(self.arm, mujoco.mjtObj.mjOBJ_BODY, PUSHED)
        self.readings = [self._reading()] * (servo.delay + 2)  # the oldest first

    def cycle(self, k: int, q_d: Array, v_d: Array, a_d: Array) -> tuple[Array, Array, Array]:
        """Advance one cycle and return its q, q̇ and torques."""
        state = self.at.qpos.copy(), self.at.qvel.copy()
        self.readings = [*self.readings[1:], self._reading()]
        last, q = self.readings[:2]
        v, b = (q - last) * RATE, self.servo.bandwidth
        torque = self._torque(q, v, a_d + 2.0 * b * (v_d - v) + b**2 * (q_d - q))
        begin, end = self.servo.pushed
        self.at.xfrc_applied[self.pushed, 1] = self.servo.push if begin <= k / RATE < end else 0.0
        self.at.qfrc_applied[:] = torque
        for _ in range(SUBSTEPS):
            self.physics.mj_step(self.arm, self.at)
        return *state, torque

    def _reading(self) -> Array:
        q: Array = self.at.qpos.copy()
        step = self.servo.encoder
        return step * np.rint(q / step) if step else q

    def _torque(self, q: Array, v: Array, a: Array) -> Array:
        """Return the torques for an acceleration according to the controller's model, within the limits."""
        inside: Any = self.inside
        inside.qpos[:], inside.qvel[:], inside.qacc[:] = q, v, a
        self.physics.mj_inverse(self.model, inside)
        torque: Array = np.clip(inside.qfrc_inverse, -self.most, self.most)
        return torque
