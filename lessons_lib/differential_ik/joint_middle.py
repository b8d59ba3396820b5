"""The distance of the joints from the middle of their ranges, and its gradient: H of `symbolic.redundancy`."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lessons_lib.arrays import Array, floats
from lessons_lib.differential_ik import arguments
from lessons_lib.differential_ik.limits.limit import UNLIMITED
from lessons_lib.errors import ConfigurationError, LimitsError
from lessons_lib.other_libraries import suggest_arguments


@suggest_arguments
def middle_cost(q: ArrayLike, limits: ArrayLike) -> float:
    """Return H = ½ Σ ((q − middle)/half)²: ½ for each joint at a limit, 0 for each in the middle.

    A joint without a limit on one side or on both contributes 0.

    >>> from lessons_lib import differential_ik as dik, robots
    >>> limits = robots.panda().limits
    >>> dik.middle_cost(limits.mean(axis=1), limits)
    0.0

    Args:
        q: Configuration, shape (n,), rad or m; it may lie outside the limits.
        limits: Shape (n, 2), rows (lower, upper), such as `chain.limits`.

    Raises:
        ConfigurationError: q is not n finite numbers.
        LimitsError: The limits have another shape, or a lower limit is not below its upper one.

    Source: Liégeois, Automatic supervisory control of the configuration and behavior of multibody mechanisms (1977).
    """
    bounded, angles, middle, half = _ranges(q, limits)
    terms: Array = np.zeros(len(angles))
    terms[bounded] = _formulas()[0](angles[bounded], middle[bounded], half[bounded])
    return float(terms.sum())


@suggest_arguments
def middle_gradient(q: ArrayLike, limits: ArrayLike) -> Array:
    """Return ∂H/∂q, shape (n,), per rad or m: it points away from the middle, and is zero for an unlimited joint.

    >>> from lessons_lib import differential_ik as dik
    >>> dik.middle_gradient([0.5, 0], [[-1, 1], [-1, 1]]).tolist()
    [0.5, 0.0]

    Args:
        q: Configuration, shape (n,).
        limits: Limits of the joints, shape (n, 2), as in `middle_cost`, with its errors.
    """
    bounded, angles, middle, half = _ranges(q, limits)
    gradient: Array = np.zeros(len(angles))
    gradient[bounded] = _formulas()[1](angles[bounded], middle[bounded], half[bounded])
    return gradient


def _ranges(q: ArrayLike, limits: ArrayLike) -> tuple[NDArray[np.bool_], Array, Array, Array]:
    """Return a mask of joints with two limits, q, and the middle and half width of the ranges."""
    bounds = floats(limits, "limits must be numbers of shape (n, 2)", LimitsError)
    if bounds.ndim != 2 or bounds.shape[1] != 2 or not (bounds[:, 0] < bounds[:, 1]).all():
        raise LimitsError(f"limits must be rows (lower, upper) with lower < upper, shape (n, 2), got {bounds.tolist()}")
    angles = arguments.vector(q, "q", len(bounds), ConfigurationError)
    bounded: NDArray[np.bool_] = np.all(np.abs(bounds) < UNLIMITED, axis=1)
    lower, upper = np.where(bounded[:, None], bounds, 0.0).T
    return bounded, angles, 0.5 * (lower + upper), 0.5 * (upper - lower)


@lru_cache(maxsize=1)
def _formulas() -> tuple[Callable[..., Array], Callable[..., Array]]:
    """Return the terms of one joint in H and its gradient, as NumPy functions of q, middle and half."""
    import sympy as sp

    from lessons_lib.symbolic import redundancy

    symbols = q, middle, half = sp.symbols("q middle half", real=True)
    columns = [sp.Matrix([symbol]) for symbol in symbols]
    cost: Any = sp.lambdify(symbols, redundancy.middle_cost(*columns), "numpy")
    gradient: Any = sp.lambdify(symbols, redundancy.middle_gradient(*columns)[0], "numpy")
    return cost, gradient
