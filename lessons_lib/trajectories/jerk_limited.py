"""Jerk-limited motions from one state to another, by Ruckig, which the extra `motion` installs."""
# Intermediate configurations are not supported, because Ruckig's public build sends them to a server. Source: Berscheid
# & Kröger, Jerk-limited Real-time Trajectory Generation with Arbitrary Target States (2021).

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, ReadOnly, floats
from lessons_lib.errors import ConfigurationError, LimitsError, ParameterError
from lessons_lib.extras import need
from lessons_lib.other_libraries import suggest_arguments
from lessons_lib.robots import Chain
from lessons_lib.robots.arguments import check_chain
from lessons_lib.trajectories.trajectory import Sampled, read_finite

ROUNDING = 1e-9
"""Excess over a position limit, rad or m, and relative excess over another limit, that count as Ruckig's rounding."""


@dataclass(frozen=True, eq=False, repr=False)
class JerkLimited(ReadOnly, Sampled):
    """A motion in which each joint has up to seven phases of constant jerk, made by `rest_to_rest`.

    From rest to rest no joint leaves the range between its two ends. |q̇| and |q̈| are largest at the ends of phases.

    >>> from lessons_lib import robots, trajectories
    >>> arm = robots.planar_2r().with_limits(velocity=1.0, acceleration=2.0)
    >>> trajectories.rest_to_rest(arm, [0, 0], [1, 0], jerk=20.0).at(0.0)[0].tolist()
    [0.0, 0.0]

    Attributes:
        chain: The arm.
        ends: First and last configuration, shape (2, n), rad or m, read-only.
        times: Start of each phase of each joint, and the end of the last one, shape (n, 8), s, read-only.
        states: q, q̇ and q̈ at these times, shape (3, n, 8), read-only.
        jerks: Jerk of each phase, shape (n, 7), rad/s³ or m/s³, read-only.
    """

    chain: Chain
    ends: Array
    times: Array
    states: Array
    jerks: Array

    @property
    def duration(self) -> float:
        """Duration of the motion, s."""
        return float(self.times.max())

    def at(self, times: ArrayLike) -> tuple[Array, Array, Array]:
        """Return q, q̇ and q̈ at a time [s], shapes (n,), or at k times, shapes (k, n).

        Before the start and after the end, q is constant, and q̇ and q̈ are zero.

        Raises:
            ParameterError: The times are not finite, or have another shape.
        """
        t = np.atleast_1d(read_finite(times, "times"))
        states = np.zeros((3, len(t), self.chain.dof))
        states[0] = np.where((t < 0.0)[:, None], *self.ends)
        for joint, starts in enumerate(self.times):
            moving, ended = (t >= 0.0) & (t < starts[-1]), (t >= starts[-1]) & (t <= self.duration)
            phase = np.searchsorted(starts, t[moving], side="right") - 1
            states[:, moving, joint] = _evaluate(
                self.states[:, joint, phase], self.jerks[joint, phase], t[moving] - starts[phase]
            )
            states[1:, ended, joint] = self.states[1:, joint, -1:]
        q, v, a = states if np.ndim(times) else states[:, 0]
        return q, v, a


def _evaluate(state: Array, jerk: Array, t: Array) -> tuple[Array, Array, Array]:
    q, v, a = state
    return (
        q + t * (v + t * (a / 2.0 + t * jerk / 6.0)),
        v + t * (a + t * jerk / 2.0),
        a + t * jerk,
    )


@suggest_arguments
def rest_to_rest(
    chain: Chain,
    start: ArrayLike,
    end: ArrayLike,
    *,
    jerk: ArrayLike,
    velocity: ArrayLike | None = None,
    acceleration: ArrayLike | None = None,
    start_velocity: ArrayLike | None = None,
    start_acceleration: ArrayLike | None = None,
    end_velocity: ArrayLike | None = None,
    end_acceleration: ArrayLike | None = None,
) -> JerkLimited:
    """Return the fastest motion from one state to another in which all joints arrive at the same time.

    Without velocities and accelerations at its ends, the motion starts and ends at rest. The joints do not move on a
    line, because each has its own phases. Needs the extra `motion`.

    >>> from lessons_lib import robots, trajectories
    >>> arm = robots.planar_2r()
    >>> motion = trajectories.rest_to_rest(arm, [0, 0], [1, 0], velocity=1.0, acceleration=2.0, jerk=20.0)
    >>> motion.at(motion.duration)[0].round(6).tolist()
    [1.0, 0.0]

    Args:
        chain: The arm.
        start: First configuration, shape (n,), rad or m.
        end: Last configuration, shape (n,), rad or m.
        jerk: Bounds on the jerk of each joint, shape (n,) or one for all, rad/s³ or m/s³.
        velocity: Bounds on the speeds, rad/s or m/s; default: the chain's.
        acceleration: Bounds on the accelerations, rad/s² or m/s²; default: the chain's.
        start_velocity: q̇ at the start, shape (n,), rad/s or m/s; default: zero.
        start_acceleration: q̈ at the start, shape (n,), rad/s² or m/s²; default: zero.
        end_velocity: q̇ at the end, shape (n,); default: zero.
        end_acceleration: q̈ at the end, shape (n,); default: zero.

    Raises:
        MissingExtra: Ruckig is not installed.
        ConfigurationError: A configuration is outside the limits, or a joint leaves them in between, as it can if it
            moves at the start or the end.
        LimitsError: Limits of another shape, or not positive.
        ParameterError: A velocity or acceleration has another shape, is not finite, or exceeds the limits; or Ruckig
            finds no motion.
    """
    check_chain(chain)
    need("motion", "trajectories.rest_to_rest", "ruckig")
    import ruckig

    ends = np.array([chain.check_within_limits(q) for q in (start, end)])
    limited = chain.with_limits(velocity=velocity, acceleration=acceleration)
    jerks = floats(jerk, f"jerk must be one number or {chain.dof}", LimitsError)
    if jerks.shape not in ((), (chain.dof,)) or not (np.isfinite(jerks) & (jerks > 0.0)).all():
        raise LimitsError(f"jerk must be positive and finite, one number or {chain.dof}, got {jerks.tolist()}")
    jerks = np.broadcast_to(jerks, (chain.dof,))
    problem = ruckig.InputParameter(chain.dof)
    problem.current_position, problem.target_position = ends.tolist()
    problem.current_velocity, problem.current_acceleration = _check_state(
        "start", start_velocity, start_acceleration, limited, jerks
    )
    problem.target_velocity, problem.target_acceleration = _check_state(
        "end", end_velocity, end_acceleration, limited, jerks
    )
    problem.max_velocity = limited.velocity_limits.tolist()
    problem.max_acceleration = limited.acceleration_limits.tolist()
    problem.max_jerk = jerks.tolist()
    solution = ruckig.Trajectory(chain.dof)
    try:
        ruckig.Ruckig(chain.dof).calculate(problem, solution)
    except (ruckig.RuckigError, ValueError) as cause:
        raise ParameterError(f"Ruckig finds no motion of {chain.name} from {ends[0]} to {ends[1]}") from cause
    (profiles,) = solution.profiles
    durations = np.array([profile.t for profile in profiles])
    phase_jerks = np.array([profile.j for profile in profiles])
    times = np.concatenate([np.zeros((chain.dof, 1)), np.cumsum(durations, axis=1)], axis=1)
    states = np.array([[profile.p, profile.v, profile.a] for profile in profiles]).swapaxes(0, 1)
    states[:, :, -1] = ends[1], problem.target_velocity, problem.target_acceleration  # without rounding
    motion = JerkLimited(chain, ends, times, states, phase_jerks)
    _check_range(motion)
    return motion


def _check_state(
    which: str, velocity: ArrayLike | None, acceleration: ArrayLike | None, chain: Chain, jerk: Array
) -> tuple[list[float], list[float]]:
    """Return q̇ and q̈ at one end, or raise ParameterError if they exceed the limits."""
    state = []
    for kind, value in (("velocity", velocity), ("acceleration", acceleration)):
        name = f"{which}_{kind}"
        numbers = floats(np.zeros(chain.dof) if value is None else value, f"{name} must be numbers", ParameterError)
        if numbers.shape != (chain.dof,) or not np.isfinite(numbers).all():
            raise ParameterError(f"{name} of {chain.name} must be {chain.dof} finite numbers, got {numbers.tolist()}")
        state.append(numbers)
    v, a = state  # while the jerk brings q̈ to zero, after the start or before the end, q̇ changes by q̈² / (2 jerk)
    with np.errstate(over="ignore"):  # an infinite acceleration is refused below
        later = (a if which == "start" else -a) * np.abs(a) / (2.0 * jerk)
    lower, upper = -chain.velocity_limits - np.minimum(later, 0.0), chain.velocity_limits - np.maximum(later, 0.0)
    for kind, numbers, low, high, why in (
        ("acceleration", a, -chain.acceleration_limits, chain.acceleration_limits, ""),
        ("velocity", v, lower, upper, " with this acceleration, which cannot end at once" if a.any() else ""),
    ):
        rounded = ROUNDING * np.where(np.isfinite(high), np.abs(high), 0.0)
        for i in np.flatnonzero((numbers < low - rounded) | (numbers > high + rounded))[:1]:
            raise ParameterError(
                f"{which}_{kind} of joint {chain.joint_names[i]!r} of {chain.name} must be between {low[i]:.6g} and "
                f"{high[i]:.6g}{why}, got {numbers[i]:.6g}: its {kind} limits"
            )
    return v.tolist(), a.tolist()


def _check_range(motion: JerkLimited) -> None:
    """Raise ConfigurationError if a joint leaves its limits between the ends."""
    chain, (lower, upper), states = motion.chain, motion.chain.limits.T, motion.states[:, :, :-1]
    (q, v, a), durations = states, np.diff(motion.times, axis=1)
    larger = a + np.copysign(np.sqrt(np.maximum(a**2 - 2.0 * v * motion.jerks, 0.0)), a)
    with np.errstate(divide="ignore", invalid="ignore"):  # q̇ = 0 at both roots, without cancellation
        roots = np.stack([-larger / motion.jerks, -2.0 * v / larger])
    reached = _evaluate(states, motion.jerks, np.clip(np.nan_to_num(roots), 0.0, durations))[0]
    extremes = np.concatenate([q, *reached], axis=1)
    lowest, highest = extremes.min(axis=1), extremes.max(axis=1)
    beyond = np.maximum(lower - lowest, highest - upper)
    for i in np.flatnonzero(beyond > ROUNDING * np.maximum(1.0, np.abs(motion.ends).max(axis=0)))[:1]:
        farthest = lowest[i] if beyond[i] == lower[i] - lowest[i] else highest[i]
        raise ConfigurationError(
            f"joint {chain.joint_names[i]!r} of {chain.name} moves at an end and reaches {farthest:.6g} in between, "
            f"outside its limits [{lower[i]:.6g}, {upper[i]:.6g}] by {beyond[i]:.3g}; give a smaller velocity there, "
            "or larger limits of acceleration and jerk"
        )
