"""What the place where a search ended tells: a slope of zero, a lost direction, an unfinished descent."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from lessons_lib.arrays import Array
from lessons_lib.certificates.ball import certified, rounding_at
from lessons_lib.pose_ik.explanation.explanation import BOTH, FLAT, LOST, MOVE, REST, SAYS, TURN, Cause, length, told
from lessons_lib.pose_ik.explanation.of_numbers import flatness
from lessons_lib.pose_ik.explanation.question import Question
from lessons_lib.pose_ik.result import Status

MINIMUM = "a local minimum"
BUDGET, TOLERANCE = "the steps ended while it converged", "a tolerance below rounding"

ALMOST = 1e-5
"""The same for a slope by differences, where a search has stopped."""

CLOSE = 1e-9
"""An answer so near to an exact one, rad and lengths of the arm, is as good as rounding lets it be."""

MANY = 1000
"""Steps at most of a search that goes on."""


def slope(asked: Question, q: Array) -> tuple[Array, Array, Array]:
    """Return the slope of the objective, the weighted Jacobian and the weighted error at q."""
    here = asked.at(q)
    J, e = asked.scales[:, None] * here.jacobian, asked.scales * here.error
    return -J.T @ e, J, e


def held(asked: Question, q: Array, downhill: Array) -> NDArray[np.bool_]:
    """Return which joints stand at a limit that downhill would leave, shape (n,)."""
    low, high = asked.arm.limits.T
    at_low, at_high = q <= low + 1e-12 * np.maximum(1.0, abs(low)), q >= high - 1e-12 * np.maximum(1.0, abs(high))
    found: NDArray[np.bool_] = (at_low & (downhill <= 0.0)) | (at_high & (downhill >= 0.0))
    return found


def at_rest(asked: Question) -> list[Cause]:
    """Return that the search rests where no step changes anything: at a singular configuration, or in a minimum."""
    return _singular(asked) or _least(asked)


def _singular(asked: Question) -> list[Cause]:
    """Return that a step is zero, because the tip cannot move in a direction that is asked for."""
    _, J, e = slope(asked, asked.q)
    if flatness(J, e) > FLAT:
        return []
    basis, rank = directions_of(asked)
    u, values, _ = np.linalg.svd(basis.T @ J)
    if not values[rank - 1] < LOST * values[0]:
        return []
    scales = np.where(asked.scales > 0.0, asked.scales, np.inf)
    lost = motion(basis @ u[:, rank - 1] / scales, asked.arm.unit_in_words)
    shown = SAYS[REST].format(value=f"{values[rank - 1]:.1g}", lost=lost)
    return [Cause(REST, True, shown, asked.elsewhere or "Begin elsewhere.", asked.q)]


def _least(asked: Question) -> list[Cause]:
    """Return that no small move within the limits lowers the error, though another start reaches the pose.

    After OUTSIDE_LIMITS q is a minimum within the limits by the descent that follows the search; the start led outside.
    """
    if asked.status is Status.OUTSIDE_LIMITS:
        return []
    downhill = -objective_slope(asked, asked.q)
    free = ~held(asked, asked.q, downhill)
    _, J, e = slope(asked, asked.q)
    flat = float(np.linalg.norm(downhill[free]))
    if not e.any() or flat > ALMOST * np.linalg.norm(e) * np.linalg.norm(J) or not asked.can_be_had.converged:
        return []
    least = curvature(asked, free)
    if least <= 0.0:
        return []
    at_limits = [asked.arm.joint_names[j] for j in np.flatnonzero(~free)]
    where = f" with {', '.join(at_limits)} at a limit" if at_limits else ""
    angle, distance = asked.misses(asked.q)
    curved = f" and the least curvature {least:.2g}" if free.any() else ""
    left = length(distance, asked.arm.unit_in_words)
    shown = f"the slope{where} is {flat:.1g}{curved}; {np.degrees(angle):.3g}° and {left} are left."
    return [Cause(MINIMUM, True, shown, asked.elsewhere, asked.q)]


def directions_of(asked: Question) -> tuple[Array, int]:
    """Return directions in which the arm can move its tip somewhere, as columns, and in how many of them at once."""
    rng = np.random.default_rng(0)
    stack = [slope(asked, asked.arm.random_configuration(rng))[1] for _ in range(3)]
    rank = max(int((np.linalg.svd(J, compute_uv=False) > LOST * np.linalg.norm(J)).sum()) for J in stack)
    u, values, _ = np.linalg.svd(np.hstack(stack))
    return u[:, : int((values > LOST * values[0]).sum())], rank


def curvature(asked: Question, free: NDArray[np.bool_]) -> float:
    """Return the least curvature of the objective along the free joints, by differences of its slope."""
    places, h = np.flatnonzero(free), 1e-5
    H = np.empty((len(places), len(places)))
    for k, j in enumerate(places):
        step = np.zeros(asked.arm.dof)
        step[j] = h
        ahead, behind = objective_slope(asked, asked.q + step), objective_slope(asked, asked.q - step)
        H[:, k] = ((ahead - behind) / (2 * h))[places]
    return float(np.linalg.eigvalsh(0.5 * (H + H.T))[0]) if len(places) else np.inf


def objective_slope(asked: Question, q: Array) -> Array:
    """Return the slope of ½ eᵀWe by differences: the Jacobian of a step is exact at a solution alone."""
    h, found = 1e-6, np.empty(len(q))
    for j in range(len(q)):
        step = np.zeros(len(q))
        step[j] = h
        ahead, behind = (0.5 * float(np.sum((asked.scales * asked.at(q + s * step).error) ** 2)) for s in (1, -1))
        found[j] = (ahead - behind) / (2 * h)
    return found


def motion(direction: Array, unit: str) -> str:
    """Return a direction of the tip in words."""
    angular, linear = direction[:3], direction[3:]
    turns, moves = float(np.linalg.norm(angular)), float(np.linalg.norm(linear))
    if moves < 1e-6 * turns:
        return TURN.format(axis=told(np.round(angular / turns, 3)))
    if turns < 1e-6 * moves:
        return MOVE.format(axis=told(np.round(linear / moves, 3)))
    return BOTH.format(axis=told(np.round(angular / turns, 3)), along=told(np.round(linear / turns, 3)), unit=unit)


def unfinished(asked: Question) -> list[Cause]:
    """Return that the steps ended while the error was falling: from where it ended, more steps reach the pose."""
    if asked.status not in (Status.MAX_ITERATIONS, Status.OUT_OF_TIME):
        return []
    found = asked.once(asked.arm, asked.q, replace(asked.stop, max_iterations=MANY))
    if not found.converged or found.trace is None:
        return []
    errors = np.linalg.norm(asked.counted * found.trace.error_twists, axis=1)
    rate = float(errors[1] / errors[0]) if len(errors) > 1 and errors[0] > 0.0 else 0.0
    shown = f"{found.iterations} more steps reach it; the next one leaves {rate:.2g} of the error."
    remedy = f"A Stop with {asked.stop.max_iterations + found.iterations} steps, or max_time."
    return [Cause(BUDGET, True, shown, remedy, found.q)]


def below_rounding(asked: Question) -> list[Cause]:
    """Return that a tolerance is below what rounding adds to an error, at an answer that is as good as it can be."""
    if not asked.is_whole or asked.arm.dof < 6:
        return []
    shown = certified(asked.arm, asked.target, asked.q)
    floor, unit = rounding_at(asked.arm, asked.target, asked.q), asked.arm.length
    if not shown.radius < CLOSE or (asked.stop.orientation >= floor and asked.stop.position >= floor * unit):
        return []
    words = (
        f"an exact solution is within {shown.radius:.1g} of q, and rounding may add {floor:.1g} to its error; asked are"
    )
    words += f" {asked.stop.orientation:.1g} rad and {asked.stop.position:.1g} {asked.arm.unit_in_words}."
    return [Cause(TOLERANCE, True, words, "A wider tolerance; certify=True says how sure the answer is.", asked.q)]
