"""An arm that follows a target at a steady rate, under limits of speed and acceleration.

At each tick `Near` finds a candidate near the arm for a pose on the screw to the target, at most AHEAD. It becomes the
goal if it reduces the error of the target by a tenth for each radian between the two: so the joints come to rest if
the target does. The joints move to the goal together, as fast as each can still stop at the end of the way.
"""

from __future__ import annotations

import math
from enum import Enum

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, floats, is_real
from lessons_lib.errors import ConfigurationError, LimitsError, ParameterError, TransformError
from lessons_lib.lie import kernels
from lessons_lib.lie.targets import check_target
from lessons_lib.pose_ik import Near, Stop
from lessons_lib.pose_ik.arguments import NEAR_METHOD, check_problem
from lessons_lib.pose_ik.layout import CONVERGED, JOINTS, STATUS
from lessons_lib.pose_ik.sequential import SequentialSearch
from lessons_lib.pose_ik.settings import no_reports
from lessons_lib.robots import Chain
from lessons_lib.robots.arguments import check_chain
from lessons_lib.trajectories.jerk_limited import JerkLimited, rest_to_rest

AHEAD = 0.2, 0.1
"""Largest part of the screw to the next goal: angle, rad, and length, in lengths of the arm."""

STEPS, EXACT = Near(20), 1e-10
"""Steps and tolerance of the search for a solution, rad and lengths of the arm."""

REACHED, AT_GOAL = 1e-6, 1e-6
"""Error at which the target is reached, rad and lengths of the arm; distance to the goal, rad or m, of rest."""

REDUCTION, DISTANCE_AT_REST = 0.1, 0.01
"""Relative reduction of the error that a goal needs for each rad or m to it; that distance for an arm at rest."""

SMALLEST, UNLIMITED = 1e-300, 1e200
"""Smallest divisor; the room, rad or m, of a joint without a limit of position."""

ROUNDED = 1e-9
"""Relative excess of a velocity at the start that passes for rounding."""

SINGULAR, MISSED_TWIST = 1e-10, 1e-6
"""Relative singular value that counts as zero; part of a twist that may be missed: a solution is accurate to EXACT."""


class Following(Enum):
    """State of a follower; each member carries its sentence."""

    REACHED = "The tip is at the target."
    FOLLOWING = "The tip is on its way to the target."
    STOPPED = "The tip is as near to the target as it comes from here, and stands: out of reach, or a limit in the way."
    LOST = "The target is no pose; the arm brakes, and stands."

    @property
    def sentence(self) -> str:
        """What the status means, for people."""
        return self.value


class Follower:
    """An arm that follows a target, one `step` a tick; make a new one to begin elsewhere.

    The tip lags behind a moving target, since the arm can always still stop where the target is now. If a joint at its
    limit has to turn back by a revolution, the tip leaves the target meanwhile, and comes back. The arm chooses no
    posture: if only another posture reaches a target, or a limit is in the way, it stops (STOPPED). Then choose a
    posture by `all_solutions`, see whether the way there is free (`collisions.moves_free`), and move there (`retime`).

    Attributes:
        chain: The arm.
        dt: Duration of a tick, s.
        q: Configuration, shape (n,), rad or m, read-only.
        velocity: Velocity of each joint in the last tick, shape (n,), rad/s or m/s, read-only.
        smoothing: Delay of the filter of the targets, s; 0 for no filter.
        status: What the arm is doing.
    """

    def __init__(
        self,
        chain: Chain,
        q: ArrayLike,
        rate: float = 1000.0,
        *,
        velocity: ArrayLike | None = None,
        acceleration: ArrayLike | None = None,
        smoothing: float = 0.0,
        start_velocity: ArrayLike | None = None,
    ) -> None:
        """Start at a configuration, at rest or with a velocity.

        A noisy target may pass a low-pass filter of first order on SE(3) before it is followed:
        T ← T exp(k log(T⁻¹ T_sd)) at each tick, with k = dt / (smoothing + dt). It starts at the first target.

        Args:
            chain: The arm.
            q: Configuration at the start, within the limits, shape (n,), rad or m.
            rate: Ticks a second, Hz.
            velocity: Bound on each joint's speed, shape (n,) or one for all, rad/s or m/s; default: the chain's.
            acceleration: Bound on each joint's acceleration, rad/s² or m/s²; default: the chain's.
            smoothing: Delay of the filter, s: a target that moves with a constant twist leaves it this much later.
                White noise leaves it with √(dt / (2 smoothing + dt)) of its standard deviation. 0 for no filter.
            start_velocity: q̇ at the start, shape (n,), rad/s or m/s; default: zero. Each joint must be able to stop
                before its limit of position.

        Raises:
            ConfigurationError: q has another shape, is not finite, or outside the limits.
            LimitsError: A bound is not positive, or nothing bounds a joint's speed or acceleration.
            ParameterError: The rate is not positive, smoothing is negative or not finite, chain is not a Chain, or
                start_velocity has another shape, is not finite, or exceeds what the limits allow.
        """
        check_chain(chain)
        if not is_real(rate) or not 0.0 < rate < math.inf:
            raise ParameterError(f"rate must be a positive number of ticks a second, got {rate!r}")
        if not is_real(smoothing) or not 0.0 <= smoothing < math.inf:
            raise ParameterError(f"smoothing must be finite, zero or more seconds, got {smoothing!r}")
        self.smoothing, self._filtered = float(smoothing), np.full((4, 4), math.nan)
        self.chain = chain.with_limits(velocity=velocity, acceleration=acceleration)
        for kind, bounds in (
            ("velocity", self.chain.velocity_limits),
            ("acceleration", self.chain.acceleration_limits),
        ):
            if not np.isfinite(bounds).all():
                raise LimitsError(f"{kind} of {chain.name} is {bounds.tolist()}; give {kind}=…, finite for each joint")
        self.dt, self.status = 1.0 / rate, Following.REACHED
        self._set_state(chain.check_within_limits(q), np.zeros(chain.dof))
        if start_velocity is not None:
            self._set_state(self.q, self._check_velocity(start_velocity))
        self._goal = self.q
        problem = check_problem(self.chain, NEAR_METHOD, Stop(EXACT, EXACT * chain.length), STEPS)
        self._search, self._report = SequentialSearch(problem), no_reports(1, chain.dof)[0]

    def _check_velocity(self, given: ArrayLike) -> Array:
        chain, (low, high) = self.chain, self.chain.limits.T
        v = floats(given, f"start_velocity of {chain.name} must be {chain.dof} numbers", ParameterError)
        if v.shape != (chain.dof,) or not np.isfinite(v).all():
            raise ParameterError(f"start_velocity of {chain.name} must be {chain.dof} finite numbers, got {v.tolist()}")
        room = np.clip([self.q - low, high - self.q], 0.0, UNLIMITED)
        down, up = np.minimum(np.sqrt(2.0 * chain.acceleration_limits * room), chain.velocity_limits)
        for i in np.flatnonzero((v < -down * (1.0 + ROUNDED)) | (v > up * (1.0 + ROUNDED)))[:1]:
            fastest = (down if v[i] < 0.0 else up)[i] == chain.velocity_limits[i]
            why = "its velocity limit" if fastest else "from which it can stop before its limit of position"
            raise ParameterError(
                f"start_velocity of joint {chain.joint_names[i]!r} of {chain.name} must be between {-down[i]:.6g} and "
                f"{up[i]:.6g}, {why}, got {v[i]:.6g}"
            )
        return np.clip(v, -down, up)

    def step(self, target: ArrayLike) -> Array:
        """Return the configuration a tick later, shape (n,), rad or m, read-only, on the way to a target or to a stop.

        Args:
            target: T_sd, shape (4, 4), position in m; if it is no pose, the arm brakes and the filter waits.
        """
        try:
            wanted = self._wanted_rates(self._filter(check_target(target)))
        except TransformError:
            wanted, self.status = np.zeros(self.chain.dof), Following.LOST
        v = self._limited_rates(wanted)
        self._set_state(np.clip(self.q + v * self.dt, *self.chain.limits.T), v)
        return self.q

    def motion_to(self, target: ArrayLike, twist: ArrayLike | None = None, *, jerk: ArrayLike) -> JerkLimited:
        """Return the fastest jerk-limited motion from the present state to a pose that the tip passes with a twist.

        For a target that moves in a way that is known, such as a part on a conveyor: `step` always lags behind it. The
        motion ends at the solution near the arm for the pose, with joint velocities q̇ of least length and J_b q̇ = V_b.
        The follower itself stays where it is; at the end a new one can go on with `start_velocity`. Needs the extra
        `motion`.

        Args:
            target: T_sd when the motion ends, shape (4, 4), position in m.
            twist: V_b of the target then, shape (6,), (ω, v) in its own frame, rad/s and m/s; default: at rest.
            jerk: As in `rest_to_rest`.

        Raises:
            MissingExtra: Ruckig is not installed.
            TransformError: The target is not a pose.
            ConfigurationError: No solution near the arm, or a joint leaves its limits on the way.
            LimitsError: The jerk has another shape or is not positive.
            ParameterError: The twist has another shape, is not finite, or no joint velocities have it; or a joint would
                have to exceed its velocity limit, which the message names.
        """
        T_sd = check_target(target)
        V = floats(np.zeros(6) if twist is None else twist, "twist must be six numbers, (ω, v)", ParameterError)
        if V.shape != (6,) or not np.isfinite(V).all():
            raise ParameterError(f"twist must be six finite numbers, (ω, v) in rad/s and m/s, got {V.tolist()}")
        self._search.solve_quickly(T_sd, self.q, 0, self._report, False, False)
        if self._report[STATUS] != CONVERGED:
            raise ConfigurationError(
                f"{self.chain.name} has no solution for the target near {self.q.tolist()}; choose a posture by "
                "pose_ik.all_solutions and move there first"
            )
        q = self._report[JOINTS : JOINTS + self.chain.dof].copy()
        J_b = self.chain.body_jacobian(q)
        q_dot = np.linalg.lstsq(J_b, V, rcond=SINGULAR)[0]
        rest = V - J_b @ q_dot
        if np.abs(rest).max() > MISSED_TWIST * np.abs(V).max():
            raise ParameterError(f"no joint velocities give the tip the twist {V.tolist()}: {rest.tolist()} is left")
        return rest_to_rest(self.chain, self.q, q, jerk=jerk, start_velocity=self.velocity, end_velocity=q_dot)

    def _filter(self, T_sd: Array) -> Array:  # noqa: N803
        """Return the target after the low-pass filter."""
        if self.smoothing == 0.0 or math.isnan(self._filtered[0, 0]):
            self._filtered = T_sd
        else:
            part, step = self.dt / (self.smoothing + self.dt), np.empty((4, 4))
            kernels.module().exp_se3_kernel(part * self._between(self._filtered, T_sd), step)
            self._filtered = check_target(self._filtered @ step)  # orthonormal after any number of ticks
        return self._filtered

    def _wanted_rates(self, T_sd: Array) -> Array:  # noqa: N803
        """Return joint rates to the goal, from which each joint can still stop there, or farther on the screw."""
        V, back = self._error(self.q, T_sd), np.empty((4, 4))
        angle, way = math.hypot(*V[:3]), math.hypot(*V[3:]) / self.chain.length
        part = min(1.0, AHEAD[0] / max(angle, SMALLEST), AHEAD[1] / max(way, SMALLEST))
        kernels.module().exp_se3_kernel((part - 1.0) * V, back)
        taken = self._update_goal(T_sd @ back, T_sd)
        part = part if taken and self._report[STATUS] == CONVERGED else 1.0  # else the screw leads out of reach
        if not taken and self._is_at_goal():  # it stays if the solution of the target is not nearer by a thousandth
            self._update_goal(T_sd, T_sd)
        if max(angle, way) <= REACHED:
            self.status = Following.REACHED
        else:
            self.status = Following.STOPPED if self._is_at_goal() else Following.FOLLOWING
        to_go = self._goal - self.q
        moves = np.abs(to_go) > 0.0
        if not moves.any():
            return to_go
        fastest = np.minimum(self._stopping_speeds(np.abs(to_go) / part), self.chain.velocity_limits)
        share: float = (fastest[moves] / np.abs(to_go[moves])).min()
        return share * to_go

    def _error(self, q: Array, T_sd: Array) -> Array:  # noqa: N803
        """Return V_b, the twist from the tip to a target, shape (6,)."""
        return self._between(self.chain.forward_kinematics(q), T_sd)

    @staticmethod
    def _between(T: Array, T_sd: Array) -> Array:  # noqa: N803
        """Return log(T⁻¹ T_sd), shape (6,)."""
        se3, between, V = kernels.module(), np.empty((4, 4)), np.empty(6)
        se3.between_kernel(T, T_sd, between)
        se3.log_se3_kernel(between, V)
        return V

    def _is_at_goal(self) -> bool:
        return bool(np.abs(self._goal - self.q).max() <= AT_GOAL)

    def _update_goal(self, T: Array, T_sd: Array) -> bool:  # noqa: N803
        """Search near the arm for a solution of T; make it the goal if it reduces the error of the target enough."""
        self._search.solve_quickly(T, self.q, 0, self._report, False, False)
        candidate = self._report[JOINTS : JOINTS + self.chain.dof].copy()
        apart = DISTANCE_AT_REST if self._is_at_goal() else np.abs(candidate - self._goal).max()
        most = math.exp(-REDUCTION * apart) * math.hypot(*self._error(self._goal, T_sd))
        worth = math.hypot(*self._error(candidate, T_sd)) < most
        if worth:
            self._goal = candidate
        return worth

    def _stopping_speeds(self, room: Array) -> Array:
        """Return the speeds v from which joints stop within a room after another tick: v dt + v² / 2a = room."""
        per_tick = self.chain.acceleration_limits * self.dt
        square = 2.0 * self.chain.acceleration_limits * np.clip(room, 0.0, UNLIMITED)
        speeds: Array = square / (np.sqrt(per_tick**2 + square) + per_tick)  # a difference would lose a small room
        return speeds

    def _limited_rates(self, wanted: Array) -> Array:
        """Return the rates after a tick: from the present ones towards the wanted ones, as far as the limits allow."""
        # least ≤ most: room r ≥ v dt + v² / 2a before a tick leaves r ≥ v² / 2a after it, and v − a dt is allowed
        per_tick, (low, high) = self.chain.acceleration_limits * self.dt, self.chain.limits.T
        most = np.minimum(
            np.minimum(self.velocity + per_tick, self.chain.velocity_limits), self._stopping_speeds(high - self.q)
        )
        least = np.maximum(
            np.maximum(self.velocity - per_tick, -self.chain.velocity_limits), -self._stopping_speeds(self.q - low)
        )
        change = wanted - self.velocity  # a common share: a joint that noise turns back does not brake the others
        share = min(1.0, 1.0 / max(float((np.abs(change) / per_tick).max()), SMALLEST))
        rates: Array = np.clip(self.velocity + share * change, least, most)
        return rates

    def _set_state(self, q: Array, velocity: Array) -> None:
        q.setflags(write=False)
        velocity.setflags(write=False)
        self.q, self.velocity = q, velocity
