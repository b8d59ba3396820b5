"""All configurations of one hand: the curve on which an arm with one joint to spare can move without its hand.

The curve is followed as any curve that is given by equations: a short step along the null vector of the Jacobian, which
leaves the curve by the square of its length, then Newton's steps back to it.
"""

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
"""What may be left of the error of the hand, rad and m."""

CORRECTIONS = 20
"""Newton's steps from a point beside the curve, at most; two or three are the rule."""

FINEST = 1e-7
"""How near a limit is met, rad: the step is halved until it is shorter."""

RANK = 1e-8
"""Singular values below this part of the largest count as zero: a second null vector, where curves may cross."""


@dataclass(frozen=True)
class SelfMotion:
    """A piece of a self-motion curve.

    Attributes:
        configurations: From one end to the other, shape (k, n), rad or m.
        start: Index of the configuration that was given.
        ends: What stopped the curve at its first and at its last configuration: "limit of joint 2" and the like,
            "singular", "longest", or twice "closed" for a curve that comes back to where it began.
    """

    configurations: Array
    start: int
    ends: tuple[str, str]

    @property
    def lengths(self) -> Array:
        """Length of the curve from the given configuration to each other one, negative before it, shape (k,), rad."""
        steps = np.linalg.norm(np.diff(self.configurations, axis=0), axis=1)
        lengths = np.concatenate([[0.0], np.cumsum(steps)])
        return np.asarray(lengths - lengths[self.start])


def self_motion(
    chain: Chain, q0: ArrayLike, held: Held = "pose", *, step: float = 0.02, longest: float = 20.0
) -> SelfMotion:
    """Return the curve of configurations with the hand where it is in q0, in both directions, within the limits.

    Args:
        chain: An arm with one joint more than the held hand takes up.
        q0: Where to begin, shape (n,), rad or m, within the limits.
        held: "pose" for position and orientation of the hand, "position" for its position alone.
        step: Length of a step, rad.
        longest: Where the curve is cut at the latest, in each direction, rad.

    Raises:
        ConfigurationError: q0 is no configuration, or lies outside the limits.
        ParameterError: Unknown `held`, a step that is not positive, or a hand that leaves no joint to spare, or two.
    """
    if held not in ("pose", "position"):
        raise ParameterError(f"held is {held!r}; a hand's 'pose' or its 'position' can be held")
    if not (is_real(step) and is_real(longest) and 0.0 < step <= longest < np.inf):
        raise ParameterError(f"step is {step!r} and longest {longest!r}; 0 < step ≤ longest is needed, in rad")
    q = chain.check_within_limits(q0)
    T = chain.forward_kinematics(q)
    direction = null_direction(chain, q, held)
    if direction is None:
        raise ParameterError(f"{chain.name} has at q0 = {np.round(q, 6).tolist()} not one joint to spare, or two")
    ahead, end = _follow(chain, q, T, held, direction, step, longest)
    if end == "closed":
        return SelfMotion(np.array([q, *ahead]), 0, (end, end))
    back, begin = _follow(chain, q, T, held, -direction, step, longest)
    return SelfMotion(np.array([*back[::-1], q, *ahead]), len(back), (begin, end))


def null_direction(chain: Chain, q: Array, held: Held = "pose") -> Array | None:
    """Return rates of length one that the held hand does not feel, shape (n,), or None where there is not one such.

    Its first entry that is not zero is positive.
    """
    J = chain.body_jacobian(q)[_rows(held)]
    _, sigmas, Yt = np.linalg.svd(J)  # noqa: N806
    rank = int(np.sum(sigmas > RANK * sigmas[0]))
    if chain.dof - rank != 1:
        return None
    direction: Array = Yt[-1] * np.sign(Yt[-1][np.argmax(np.abs(Yt[-1]) > RANK)])
    return direction


def put_back(chain: Chain, q: Array, T: Array, held: Held = "pose") -> Array | None:
    """Return the configuration near q that has the hand at T again, by Newton's steps; None where they do not end.

    Each step is the shortest that mends the error, so that the elbow stays where the given q has it.
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
    """Return the configurations after q in a direction, and what ended them."""
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
    """Return the point between two configurations of the curve at which some quantity has a value, shape (n,).

    It lies beside the curve by the square of a step; `put_back` mends that.

    Args:
        curve: The curve.
        values: The quantity at each configuration, shape (k,), growing all along, or falling all along.
        wanted: Its value, within these.

    Raises:
        ConfigurationError: The value does not occur.
    """
    known = np.asarray(values, dtype=np.float64)
    order = slice(None) if known[-1] >= known[0] else slice(None, None, -1)
    if not known.min() <= wanted <= known.max():
        raise ConfigurationError(
            f"{wanted:.6g} does not occur on the curve; it has {known.min():.6g} to {known.max():.6g}"
        )
    columns = curve.configurations[order].T
    return np.array([np.interp(wanted, known[order], column) for column in columns])
