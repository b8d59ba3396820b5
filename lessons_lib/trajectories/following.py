"""Follow a moving target at a fixed rate, within limits of speed and acceleration."""
# At each tick `Near` solves for a pose on the screw to the target, at most LOOKAHEAD away. The solution becomes the
# goal if it reduces the error by a tenth for each radian between it and the old goal, so that the joints come to rest
# if the target does. All joints move to the goal in proportion, at speeds from which each can stop in time.

from __future__ import annotations

import math
from enum import Enum

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, floats, is_real
from lessons_lib.errors import ConfigurationError, LimitsError, ParameterError, TransformError
from lessons_lib.lie import kernels
from lessons_lib.lie.checks import check_target
from lessons_lib.other_libraries import suggest_arguments
from lessons_lib.pose_ik import Near, Stop
from lessons_lib.pose_ik.arguments import NEAR_METHOD, check_problem
from lessons_lib.pose_ik.layout import CONVERGED, JOINTS, STATUS
from lessons_lib.pose_ik.sequential import SequentialSearch
from lessons_lib.pose_ik.settings import no_reports
from lessons_lib.robots import Chain
from lessons_lib.robots.arguments import check_chain
from lessons_lib.trajectories.jerk_limited import JerkLimited, rest_to_rest

LOOKAHEAD = 0.2, 0.1
"""Largest angle, rad, and distance, in lengths of the arm, from the tip to the next pose on the screw."""

STARTS, TOLERANCE = Near(20), 1e-10
"""Steps and tolerance, rad and lengths of the arm, of the search for a solution."""

REACHED, AT_GOAL = 1e-6, 1e-6
"""Error below which the target is reached, rad and lengths of the arm; distance below which the goal is, rad or m."""

REDUCTION, DISTANCE_AT_REST = 0.1, 0.01
"""Relative reduction of the error that a new goal needs for each rad or m to it; that distance if the arm rests."""

SMALLEST, UNLIMITED = 1e-300, 1e200
"""Smallest divisor; distance to a missing position limit, rad or m."""

ROUNDING = 1e-9
"""Relative excess of a start velocity that counts as rounding."""

SINGULAR, MISSED_TWIST = 1e-10, 1e-6
"""Relative singular value that counts as zero; relative error allowed in a twist, as q is accurate to TOLERANCE."""


class Following(Enum):
    """Status of a follower, described by its `sentence`."""

    REACHED = "The tip is at the target."
    FOLLOWING = "The tip is moving to the target."
    STOPPED = "The arm has stopped as near to the target as it gets from here: out of reach, or a limit is in the way."
    LOST = "The target is not a pose, so the arm brakes to a stop."

    @property
    def sentence(self) -> str:
        """Description of the status."""
        return self.value


@suggest_arguments
class Follower:
    """An arm that follows a target, one call of `step` per tick. Make a new one to start elsewhere.

    The tip lags behind a moving target, because the arm can always stop at the present target. If a joint at its limit
    has to go back by a revolution, the tip leaves the target meanwhile and then returns. The follower does not change
    the posture: if only another posture reaches the target, or a limit is in the way, the arm stops (STOPPED). Then
    choose a posture by `all_solutions`, check that the motion there is free of collisions (`collisions.moves_free`),
    and move there (`retime`).

    >>> from lessons_lib import robots, trajectories
    >>> arm, q = robots.ur10(), [0.3, -1.2, 1.5, -0.6, 1.1, 0.4]
    >>> follower = trajectories.Follower(arm, q, rate=500, acceleration=8.0)
    >>> target = arm.forward_kinematics([0.35] + q[1:])
    >>> for _ in range(500):  # one second
    ...     _ = follower.step(target)
    >>> follower.status.name, follower.q.round(4).tolist()[0]
    ('REACHED', 0.35)

    Attributes:
        chain: The arm.
        dt: Duration of a tick, s.
        q: Configuration, shape (n,), rad or m, read-only.
        velocity: Velocity of each joint in the last tick, shape (n,), rad/s or m/s, read-only.
        smoothing: Delay of the target filter, s; 0 for no filter.
        status: A `Following`.
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
        """Set the arm, its configuration and its velocity.

        A first-order low-pass filter on SE(3) smooths noisy targets: T ← T exp(k log(T⁻¹ T_sd)) at each tick, with
        k = dt / (smoothing + dt). It starts at the first target.

        Args:
            chain: The arm.
            q: Configuration at the start, within the limits, shape (n,), rad or m.
            rate: Ticks per second, Hz.
            velocity: Bound on each joint's speed, shape (n,) or one for all, rad/s or m/s; default: the chain's.
            acceleration: Bound on each joint's acceleration, rad/s² or m/s²; default: the chain's.
            smoothing: Delay of the filter, s, for a target that moves with a constant twist. The filter multiplies the
                standard deviation of white noise by √(dt / (2 smoothing + dt)). 0 for no filter.
            start_velocity: q̇ at the start, shape (n,), rad/s or m/s; default: zero. Each joint must be able to stop
                before its position limit.

        Raises:
            ConfigurationError: q has another shape, is not finite, or outside the limits.
            LimitsError: A bound is not positive, or a joint has no limit of speed or acceleration.
            ParameterError: The rate is not positive, smoothing is negative or not finite, chain is not a Chain, or
                start_velocity has another shape, is not finite, or exceeds what the limits allow.
        """
        check_chain(chain)
        if not is_real(rate) or not 0.0 < rate < math.inf:
            raise ParameterError(f"rate must be positive and finite, in Hz, got {rate!r}")
        if not is_real(smoothing) or not 0.0 <= smoothing < math.inf:
            raise ParameterError(f"smoothing must be finite and at least 0, in s, got {smoothing!r}")
        self.smoothing, self._filtered = float(smoothing), np.full((4, 4), math.nan)
        self.chain = chain.with_limits(velocity=velocity, acceleration=acceleration)
        for kind, bounds in (
            ("velocity", self.chain.velocity_limits),
            ("acceleration", self.chain.acceleration_limits),
        ):
            if not np.isfinite(bounds).all():
                raise LimitsError(f"{kind} limits of {chain.name} must be finite, got {bounds.tolist()}; give {kind}=…")
        self.dt, self.status = 1.0 / rate, Following.REACHED
        self._set_state(chain.check_within_limits(q), np.zeros(chain.dof))
        if start_velocity is not None:
            self._set_state(self.q, self._check_velocity(start_velocity))
        self._goal = self.q
        problem = check_problem(self.chain, NEAR_METHOD, Stop(TOLERANCE, TOLERANCE * chain.length), STARTS)
        self._search, self._report = SequentialSearch(problem), no_reports(1, chain.dof)[0]

    def _check_velocity(self, given: ArrayLike) -> Array:
        chain, (low, high) = self.chain, self.chain.limits.T
        v = floats(given, f"start_velocity of {chain.name} must be {chain.dof} numbers", ParameterError)
        if v.shape != (chain.dof,) or not np.isfinite(v).all():
            raise ParameterError(f"start_velocity of {chain.name} must be {chain.dof} finite numbers, got {v.tolist()}")
        distances = np.clip([self.q - low, high - self.q], 0.0, UNLIMITED)
        down, up = np.minimum(np.sqrt(2.0 * chain.acceleration_limits * distances), chain.velocity_limits)
        for i in np.flatnonzero((v < -down * (1.0 + ROUNDING)) | (v > up * (1.0 + ROUNDING)))[:1]:
            fastest = (down if v[i] < 0.0 else up)[i] == chain.velocity_limits[i]
            why = "its velocity limit" if fastest else "from which it can stop before its position limit"
            raise ParameterError(
                f"start_velocity of joint {chain.joint_names[i]!r} of {chain.name} must be between {-down[i]:.6g} and "
                f"{up[i]:.6g}, {why}, got {v[i]:.6g}"
            )
        return np.clip(v, -down, up)

    def step(self, target: ArrayLike) -> Array:
        """Move towards the target for one tick; return the new configuration, shape (n,), rad or m, read-only.

        Args:
            target: T_sd, shape (4, 4), position in m; if it is not a pose, the arm brakes and the filter waits.
        """
        try:
            desired = self._desired_rates(self._filter(check_target(target)))
        except TransformError:
            desired, self.status = np.zeros(self.chain.dof), Following.LOST
        v = self._limited_rates(desired)
        self._set_state(np.clip(self.q + v * self.dt, *self.chain.limits.T), v)
        return self.q

    def motion_to(self, target: ArrayLike, twist: ArrayLike | None = None, *, jerk: ArrayLike) -> JerkLimited:
        """Return the fastest jerk-limited motion from the present state to a pose, which the tip passes with a twist.

        Use it for a target whose motion is known, such as a part on a conveyor, because `step` always lags behind. The
        motion ends at the solution near the arm, with the shortest joint velocity q̇ that has J_b q̇ = V_b. The follower
        itself does not move; at the end of the motion a new one can continue with `start_velocity`. Needs the extra
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
            ParameterError: The twist has another shape, is not finite, or no joint velocities produce it; or a joint
                would exceed its velocity limit, which the message names.
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
            raise ParameterError(f"no joint velocities produce the twist {V.tolist()}; they miss it by {rest.tolist()}")
        return rest_to_rest(self.chain, self.q, q, jerk=jerk, start_velocity=self.velocity, end_velocity=q_dot)

    def _filter(self, T_sd: Array) -> Array:  # noqa: N803
        """Return the target after the low-pass filter."""
        if self.smoothing == 0.0 or math.isnan(self._filtered[0, 0]):
            self._filtered = T_sd
        else:
            k, step = self.dt / (self.smoothing + self.dt), np.empty((4, 4))
            kernels.module().exp_se3_kernel(k * self._twist_between(self._filtered, T_sd), step)
            self._filtered = check_target(self._filtered @ step)  # orthonormal after any number of ticks
        return self._filtered

    def _desired_rates(self, T_sd: Array) -> Array:  # noqa: N803
        """Update the goal and the status; return joint rates from which each joint can stop at the goal."""
        V, back = self._error(self.q, T_sd), np.empty((4, 4))
        angle, distance = math.hypot(*V[:3]), math.hypot(*V[3:]) / self.chain.length
        fraction = min(1.0, LOOKAHEAD[0] / max(angle, SMALLEST), LOOKAHEAD[1] / max(distance, SMALLEST))
        kernels.module().exp_se3_kernel((fraction - 1.0) * V, back)
        updated = self._update_goal(T_sd @ back, T_sd)
        fraction = fraction if updated and self._report[STATUS] == CONVERGED else 1.0  # 1 if the screw leaves the reach
        if not updated and self._is_at_goal():  # the arm stays unless this reduces the error by a thousandth
            self._update_goal(T_sd, T_sd)
        if max(angle, distance) <= REACHED:
            self.status = Following.REACHED
        else:
            self.status = Following.STOPPED if self._is_at_goal() else Following.FOLLOWING
        remaining = self._goal - self.q
        moves = np.abs(remaining) > 0.0
        if not moves.any():
            return remaining
        fastest = np.minimum(self._stopping_speeds(np.abs(remaining) / fraction), self.chain.velocity_limits)
        factor: float = (fastest[moves] / np.abs(remaining[moves])).min()
        return factor * remaining

    def _error(self, q: Array, T_sd: Array) -> Array:  # noqa: N803
        """Return the error twist V_b of a target, shape (6,)."""
        return self._twist_between(self.chain.forward_kinematics(q), T_sd)

    @staticmethod
    def _twist_between(T: Array, T_sd: Array) -> Array:  # noqa: N803
        """Return log(T⁻¹ T_sd), shape (6,)."""
        se3, between, V = kernels.module(), np.empty((4, 4)), np.empty(6)
        se3.between_kernel(T, T_sd, between)
        se3.log_se3_kernel(between, V)
        return V

    def _is_at_goal(self) -> bool:
        return bool(np.abs(self._goal - self.q).max() <= AT_GOAL)

    def _update_goal(self, T: Array, T_sd: Array) -> bool:  # noqa: N803
        """Solve T near the arm; if the solution reduces the target's error enough, make it the goal and return True."""
        self._search.solve_quickly(T, self.q, 0, self._report, False, False)
        candidate = self._report[JOINTS : JOINTS + self.chain.dof].copy()
        distance = DISTANCE_AT_REST if self._is_at_goal() else np.abs(candidate - self._goal).max()
        most = math.exp(-REDUCTION * distance) * math.hypot(*self._error(self._goal, T_sd))
        better = math.hypot(*self._error(candidate, T_sd)) < most
        if better:
            self._goal = candidate
        return better

    def _stopping_speeds(self, distances: Array) -> Array:
        """Return the speeds v from which joints stop within distances d after another tick: v dt + v² / 2a = d."""
        per_tick = self.chain.acceleration_limits * self.dt
        square = 2.0 * self.chain.acceleration_limits * np.clip(distances, 0.0, UNLIMITED)
        speeds: Array = square / (np.sqrt(per_tick**2 + square) + per_tick)  # no cancellation for small d
        return speeds

    def _limited_rates(self, desired: Array) -> Array:
        """Return the rates of the next tick: the desired ones as far as the limits allow."""
        # least ≤ most: a distance d ≥ v dt + v² / 2a before a tick leaves d ≥ v² / 2a after it, and v − a dt is allowed
        per_tick, (low, high) = self.chain.acceleration_limits * self.dt, self.chain.limits.T
        most = np.minimum(
            np.minimum(self.velocity + per_tick, self.chain.velocity_limits), self._stopping_speeds(high - self.q)
        )
        least = np.maximum(
            np.maximum(self.velocity - per_tick, -self.chain.velocity_limits), -self._stopping_speeds(self.q - low)
        )
        change = desired - self.velocity  # a common factor: a joint that noise reverses does not brake the others
        factor = min(1.0, 1.0 / max(float((np.abs(change) / per_tick).max()), SMALLEST))
        rates: Array = np.clip(self.velocity + factor * change, least, most)
        return rates

    def _set_state(self, q: Array, velocity: Array) -> None:
        q.setflags(write=False)
        velocity.setflags(write=False)
        self.q, self.velocity = q, velocity
