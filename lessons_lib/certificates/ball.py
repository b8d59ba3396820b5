"""How sure an answer is: a ball around it that holds exactly one exact solution, or the reason why none is shown."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array
from lessons_lib.certificates.arm_numbers import ArmNumbers, arm_numbers, widened
from lessons_lib.certificates.kantorovich import FAR, HELD, LARGE, NO_INVERSE, H
from lessons_lib.certificates.module import module
from lessons_lib.certificates.statement import Certificate
from lessons_lib.lie.targets import check_target
from lessons_lib.robots import Chain
from lessons_lib.robots.arguments import check_chain

_empty = np.empty


def certificate(arm: Chain, T: ArrayLike, q: ArrayLike) -> Certificate:  # noqa: N803
    """Return a ball around a configuration in which exactly one exact solution of a pose lies, or why none is shown.

    The exact solution is one of the exact target, the pose whose rotation is nearest to the given matrix, by the exact
    arm: its hinges turn about unit vectors, within 8e-16 of the numbers of `arm.screws`. All rounding is accounted for.
    An arm of fewer joints than six has one where it moves in a plane of {s}, in three directions of it, and the target
    is in that plane exactly.

    Args:
        arm: The arm.
        T: T_sd, shape (4, 4), position in m.
        q: Configuration, shape (n,), rad or m; it need not be within the limits.

    Raises:
        TransformError: T is not a pose.
        ConfigurationError: q has another shape or is not finite.
        ParameterError: arm is no chain.

    Source: Kantorovich and Akilov, Functional Analysis (1982), ch. 18.
    """
    check_chain(arm, "arm")
    return certified(arm, check_target(T), arm.check_configuration(q))


def certified(arm: Chain, target: Array, q: Array) -> Certificate:
    """Return what `certificate` does, for a pose and a configuration that were checked."""
    if arm.dof < 6:
        whole = widened(arm, target)
        if whole is not None:
            return certified(whole, target, np.concatenate([np.zeros(whole.dof - arm.dof), q]))
        return _refused(f"six equations for {arm.dof} joints: the least rounding of the target leaves no solution")
    numbers, found = arm_numbers(arm), np.zeros(4)
    at, T = q / numbers.units, target.copy()
    T[:3, 3] /= numbers.length
    told = numbers.joints, numbers.home, numbers.loose, numbers.second(at)
    how = module().certify(*told, at, T, found)
    if how == HELD:
        radius, alone, h, smallest = found.tolist()
        return Certificate(True, radius, alone, h, smallest, "")
    if how == LARGE:
        largest = module().LARGEST_ANGLE
        return _refused(f"a joint is at {np.abs(q).max():.3g}; sine and cosine are proven up to {largest:g} rad")
    if how == FAR:
        return _refused("the tip is turned by more than 60° from the target")
    return _not_shown(numbers, how, at, T, found)


def polished(arm: Chain, target: Array, q: Array, steps: int) -> Array:
    """Return a configuration after Newton steps within the limits; one of fewer than six joints stays as it is."""
    if arm.dof < 6:
        return q
    numbers, T = arm_numbers(arm), target.copy()
    T[:3, 3] /= numbers.length
    nearer: Array = q / numbers.units
    limits = arm.limits / numbers.units[:, None]
    module().polish(numbers.joints, numbers.home, numbers.loose, limits, T, steps, nearer)
    return np.clip(nearer * numbers.units, *arm.limits.T)


def _refused(reason: str, h: float = np.inf, smallest: float = 0.0) -> Certificate:
    return Certificate(False, np.inf, 0.0, h, smallest, reason)


def _not_shown(numbers: ArmNumbers, how: int, q: Array, T: Array, found: Array) -> Certificate:
    """Return a refusal with the smallest singular value of the derivative."""
    n = len(q)
    F, J = _empty(6), _empty((6, n))
    module().residual(numbers.joints, numbers.home, numbers.loose, q, T, F, J, _empty((n, 8)))
    smallest = float(np.linalg.svd(J, compute_uv=False)[-1])
    if how == NO_INVERSE:
        return _refused(f"the derivative is singular to rounding: its smallest singular value is {smallest:.1g}")
    off, h = float(np.linalg.norm(F)), float(found[H])
    return _refused(
        f"h is {h:.2g}, above ½: the residual {off:.1g} is too large for a smallest singular value of {smallest:.1g}",
        h,
        smallest,
    )


def rounding_at(arm: Chain, target: Array, q: Array) -> float:
    """Return how much rounding may add to the residual of a configuration, rad and lengths of the arm."""
    numbers, n = arm_numbers(arm), arm.dof
    T = target.copy()
    T[:3, 3] /= numbers.length
    told = numbers.joints, numbers.home, numbers.loose, q / numbers.units, T
    return float(module().residual(*told, _empty(6), _empty((6, n)), _empty((n, 8)))[0])
