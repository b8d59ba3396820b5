"""The self-motion curve of an arm with one redundant joint: all configurations with the same hand pose."""
# followed by a short step along the null vector of the Jacobian, whose error is of second order, then Newton steps back
# to the curve

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, is_real
from lessons_lib.errors import ConfigurationError, ParameterError
from lessons_lib.lie import inverse, log_se3
from lessons_lib.robots import Chain

__all__ = [
    "SelfMotion",
    "null_direction",
    "put_back",
    "self_motion",
]

Held = Literal["pose", "position"]

CLOSE = 1e-12
"""The maximum remaining error of the hand, in rad and m."""

CORRECTIONS = 20
"""The maximum number of Newton steps back to the curve; two or three are usual."""

FINEST = 1e-7
"""The tolerance to which a limit is located, in rad: the step is halved until it is shorter than this."""

RANK = 1e-8
"""Singular values below this fraction of the largest count as zero. Each adds a null vector, so curves may cross."""


@dataclass(frozen=True)
class SelfMotion:
    """A piece of a self-motion curve.

    Attributes:
        configurations: Configurations from one end to the other, shape (k, n), rad or m.
        start: Index of the initial configuration.
        ends: Cause of the end at the first and last configuration: "limit of joint 2" and the like, "singular",
            "longest", or "closed" twice for a closed curve.
    """

    configurations: Array
    start: int
    ends: tuple[str, str]

    @property
    def lengths(self) -> Array:
        """Arc length from the initial configuration to each other one, negative before it, shape (k,), rad."""
        steps = np.linalg.norm(np.diff(self.configurations, axis=0), axis=1)
        lengths = np.concatenate([[0.0], np.cumsum(steps)])
        return np.asarray(lengths - lengths[self.start])


def self_motion(
    chain: Chain, q0: ArrayLike, held: Held = "pose", *, step: float = 0.02, longest: float = 20.0
) -> SelfMotion:
    """Return the configurations with the hand pose of q0, in both directions, within the limits.

    Args:
        chain: Arm with one more joint than the dimension of the fixed hand.
        q0: Initial configuration, shape (n,), rad or m, within the limits.
        held: "pose" for position and orientation of the hand, "position" for its position alone.
        step: Length of a step, rad.
        longest: Largest length in each direction, rad.

    Raises:
        ConfigurationError: q0 is not a configuration, or is outside the limits.
        ParameterError: `held` is unknown, `step` is out of range, or the arm has not exactly one redundant joint.
    """
    if held not in ("pose", "position"):
        raise ParameterError(f"held must be 'pose' or 'position', got {held!r}")
    if not (is_real(step) and is_real(longest) and 0.0 < step <= longest < np.inf):
        raise ParameterError(f"step and longest must satisfy 0 < step ≤ longest, in rad, got {step!r} and {longest!r}")
    q = chain.check_within_limits(q0)
    T = chain.forward_kinematics(q)
    direction = null_direction(chain, q, held)
    if direction is None:
        raise ParameterError(f"{chain.name} must have exactly one redundant joint at q0 = {np.round(q, 6).tolist()}")
    ahead, end = _follow(chain, q, T, held, direction, step, longest)
    if end == "closed":
        return SelfMotion(np.array([q, *ahead]), 0, (end, end))
    back, begin = _follow(chain, q, T, held, -direction, step, longest)
    return SelfMotion(np.array([*back[::-1], q, *ahead]), len(back), (begin, end))


def null_direction(chain: Chain, q: Array, held: Held = "pose") -> Array | None:
    """Return the unit vector of joint rates that keep the hand fixed, shape (n,), or None if it is not unique.

    Its first nonzero entry is positive.
    """
    J = chain.body_jacobian(q)[_rows(held)]
    _, sigmas, Yt = np.linalg.svd(J)  # noqa: N806
    rank = int(np.sum(sigmas > RANK * sigmas[0]))
    if chain.dof - rank != 1:
        return None
    direction: Array = Yt[-1] * np.sign(Yt[-1][np.argmax(np.abs(Yt[-1]) > RANK)])
    return direction


def put_back(chain: Chain, q: Array, T: Array, held: Held = "pose") -> Array | None:
    """Return the configuration near q with the hand at T, by Newton steps; None if they do not converge.

    Each step is the shortest one, so that the elbow stays near that of q.
    """
    for _ in range(CORRECTIONS):
        T_sb, J = chain.pose_and_jacobian(q)
        error = log_se3(inverse(T_sb) @ T) if held == "pose" else T_sb[:3, :3].T @ (T - T_sb)[:3, 3]
        if np.linalg.norm(error) <= CLOSE:
            return q
        q = q + np.linalg.pinv(J[_rows(held)], rcond=RANK) @ error
    return None


def _follow(
    chain: Chain, q: Array, T: Array, held: Held, direction: Array, step: float, longest: float
) -> tuple[list[Array], str]:
    """Return the configurations after q in a direction, and the cause of the end."""
    lower, upper = chain.limits.T
    first, path, length = q, list[Array](), 0.0
    while length < longest:
        ahead = put_back(chain, q + step * direction, T, held)
        if ahead is None or np.linalg.norm(ahead - q) > 2.0 * step:
            return path, "singular"
        outside = np.flatnonzero((ahead < lower) | (ahead > upper))
        if len(outside):
            if step < FINEST:
                return path, f"limit of {chain.joint_names[outside[0]]}"
            step /= 2.0
            continue
        length += float(np.linalg.norm(ahead - q))
        if length > 3.0 * step and np.linalg.norm(ahead - first) < step:
            return [*path, ahead, first], "closed"
        path.append(ahead)
        q, turned = ahead, null_direction(chain, ahead, held)
        if turned is None:
            return path, "singular"
        direction = turned * np.sign(turned @ direction)
    return path, "longest"


def _rows(held: Held) -> slice:
    return slice(0, 6) if held == "pose" else slice(3, 6)


def at_value(curve: SelfMotion, values: ArrayLike, wanted: float) -> Array:
    """Return the point between two configurations of the curve at which a monotone quantity has a value, shape (n,)."""
    # its distance from the curve is of second order in the step; `put_back` corrects that
    known = np.asarray(values, dtype=np.float64)
    order = slice(None) if known[-1] >= known[0] else slice(None, None, -1)
    if not known.min() <= wanted <= known.max():
        raise ConfigurationError(
            f"wanted must be in [{known.min():.6g}, {known.max():.6g}] on this curve, got {wanted:.6g}"
        )
    columns = curve.configurations[order].T
    return np.array([np.interp(wanted, known[order], column) for column in columns])
