"""From rest to rest under limits of the jerk as well, by Ruckig, which the extra `motion` brings.

There are no configurations between: Ruckig's public build sends these to a server.
Source: Berscheid & Kröger, Jerk-limited Real-time Trajectory Generation with Arbitrary Target States (2021).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, ReadOnly, floats
from lessons_lib.errors import LimitsError, ParameterError
from lessons_lib.extras import need
from lessons_lib.robots import Chain
from lessons_lib.robots.arguments import check_chain
from lessons_lib.trajectories.trajectory import Sampled, check_parts


@dataclass(frozen=True, eq=False, repr=False)
class JerkLimited(ReadOnly, Sampled):
    """A motion in which each joint has up to seven phases of constant jerk; make one with `rest_to_rest`.

    No joint leaves the way between its two ends. Speed and acceleration are largest where a phase ends.

    Attributes:
        chain: The arm.
        ends: Where it stands first and last, shape (2, n), rad or m, read-only.
        times: When each phase of each joint begins, and the last one ends, shape (n, 8), s, read-only.
        states: q, q̇ and q̈ at these times, shape (3, n, 8), read-only.
        jerks: The jerk of each phase, shape (n, 7), rad/s³ or m/s³, read-only.
    """

    chain: Chain
    ends: Array
    times: Array
    states: Array
    jerks: Array

    @property
    def duration(self) -> float:
        """How long it takes, s."""
        return float(self.times.max())

    def at(self, times: ArrayLike) -> tuple[Array, Array, Array]:
        """Return q, q̇ and q̈ at a time [s], shapes (n,), or at k times, shapes (k, n); it rests before and after.

        Raises:
            ParameterError: The times are not finite, or have another shape.
        """
        t = np.atleast_1d(check_parts(times, "times"))
        found = np.zeros((3, len(t), self.chain.dof))
        found[0] = np.where((t < 0.0)[:, None], *self.ends)
        for joint, moments in enumerate(self.times):
            moving = (t >= 0.0) & (t < moments[-1])
            phase = np.searchsorted(moments, t[moving], side="right") - 1
            passed, jerk = t[moving] - moments[phase], self.jerks[joint, phase]
            q, v, a = self.states[:, joint, phase]
            found[:, moving, joint] = (
                q + passed * (v + passed * (a / 2.0 + passed * jerk / 6.0)),
                v + passed * (a + passed * jerk / 2.0),
                a + passed * jerk,
            )
        q, v, a = found if np.ndim(times) else found[:, 0]
        return q, v, a


def rest_to_rest(
    chain: Chain,
    start: ArrayLike,
    end: ArrayLike,
    *,
    jerk: ArrayLike,
    velocity: ArrayLike | None = None,
    acceleration: ArrayLike | None = None,
) -> JerkLimited:
    """Return the fastest motion of each joint from one configuration to another, all joints as long as the slowest.

    The joints are not on one line between: each has phases of its own. Needs the extra `motion`.

    Args:
        chain: The arm.
        start: Where it stands, shape (n,), rad or m.
        end: Where it shall stand, shape (n,).
        jerk: Bounds on the jerk of each joint, shape (n,) or one for all, rad/s³ or m/s³.
        velocity: Bounds on the speeds, rad/s or m/s; those of the chain when left out.
        acceleration: Bounds on the accelerations, rad/s² or m/s²; those of the chain when left out.

    Raises:
        MissingExtra: Ruckig is not installed.
        ConfigurationError: A configuration is not within the limits.
        LimitsError: Limits of another shape, or not positive.
        ParameterError: Ruckig finds no motion.
    """
    check_chain(chain)
    need("motion", "trajectories.rest_to_rest", "ruckig")
    import ruckig

    ends = np.array([chain.check_within_limits(q) for q in (start, end)])
    limited = chain.with_limits(velocity=velocity, acceleration=acceleration)
    given = floats(jerk, f"jerk must be one number or {chain.dof}", LimitsError)
    if given.shape not in ((), (chain.dof,)) or not (np.isfinite(given) & (given > 0.0)).all():
        raise LimitsError(f"jerk must be positive and finite, one number or {chain.dof}, got {given.tolist()}")
    asked = ruckig.InputParameter(chain.dof)
    asked.current_position, asked.target_position = ends.tolist()
    asked.max_velocity = limited.velocity_limits.tolist()
    asked.max_acceleration = limited.acceleration_limits.tolist()
    asked.max_jerk = np.broadcast_to(given, (chain.dof,)).tolist()
    found = ruckig.Trajectory(chain.dof)
    try:
        ruckig.Ruckig(chain.dof).calculate(asked, found)
    except (ruckig.RuckigError, ValueError) as cause:
        raise ParameterError(f"Ruckig finds no motion of {chain.name} from {ends[0]} to {ends[1]}") from cause
    (profiles,) = found.profiles
    lasts, jerks = np.array([profile.t for profile in profiles]), np.array([profile.j for profile in profiles])
    times = np.concatenate([np.zeros((chain.dof, 1)), np.cumsum(lasts, axis=1)], axis=1)
    states = np.array([[profile.p, profile.v, profile.a] for profile in profiles]).swapaxes(0, 1)
    return JerkLimited(chain, ends, times, states, jerks)
