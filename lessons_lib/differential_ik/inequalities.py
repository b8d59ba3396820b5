"""The inequalities of the quadratic program, from limits and barriers: as rows, or as a box and the remaining rows."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from lessons_lib.differential_ik.barrier import Barrier
from lessons_lib.differential_ik.compiled import NARROWERS
from lessons_lib.differential_ik.configuration import Configuration
from lessons_lib.differential_ik.limit import Limit, check_robot
from lessons_lib.errors import ParameterError

Array = NDArray[np.float64]
Rows = tuple[Array, Array]


def stack_rows(
    configuration: Configuration, limits: Sequence[Limit], dt: float, barriers: Sequence[Barrier] = ()
) -> Rows | tuple[None, None]:
    """Return G, shape (k, nv), and h, shape (k,), of G Δq ≤ h, or (None, None) where nothing is limited.

    Raises:
        ParameterError: A limit or barrier of the caller's own returns other shapes, or NaN.
    """
    givens: list[Limit | Barrier] = [*limits, *barriers]
    found = [_rows(given, configuration, dt) for given in givens]
    rows = [pair for pair in found if pair is not None]
    if not rows:
        return None, None
    return np.vstack([G for G, _ in rows]), np.concatenate([h for _, h in rows])


def box_and_rows(
    configuration: Configuration, limits: Sequence[Limit], dt: float, barriers: Sequence[Barrier] = ()
) -> tuple[Array, Array, Rows | tuple[None, None]]:
    """Return lower and upper bounds of Δq, each of shape (nv,), and G and h of what no box can say.

    A limit of single rates is a box, and of several boxes the narrowest counts: a solver needs no row for it. Limits of
    the caller's own come as rows.

    Raises:
        ParameterError: As `stack_rows`, or a limit was made for another robot.
    """
    lower, upper = _whole_space(len(configuration.identity))
    lower, upper = lower.copy(), upper.copy()
    others: list[Limit] = []
    for limit in limits:
        narrow = NARROWERS.get(type(limit))
        if narrow is None:
            others.append(limit)
        else:
            check_robot(limit, configuration)
            narrow(limit, configuration, dt, lower, upper)
    rows = stack_rows(configuration, others, dt, barriers) if others or barriers else (None, None)
    return lower, upper, rows


def names_of_rows(
    configuration: Configuration, limits: Sequence[Limit], dt: float, barriers: Sequence[Barrier] = ()
) -> list[str]:
    """Return what stands behind each of the rows that `box_and_rows` returns."""
    givens: list[Limit | Barrier] = [*(limit for limit in limits if type(limit) not in NARROWERS), *barriers]
    rows = ((given, _rows(given, configuration, dt)) for given in givens)
    return [_name(given) for given, pair in rows if pair is not None for _ in pair[1]]


def _name(given: Limit | Barrier) -> str:
    """Return the kind of a limit or barrier, and the frames that it is about."""
    frames = getattr(given, "frames", None) or getattr(given, "frame", None)
    return f"{type(given).__name__}({frames!r})" if frames else type(given).__name__


@lru_cache(maxsize=64)
def _whole_space(nv: int) -> tuple[Array, Array]:
    """Return the bounds of a box without walls."""
    return np.full(nv, -np.inf), np.full(nv, np.inf)


def _rows(given: Limit | Barrier, configuration: Configuration, dt: float) -> Rows | None:
    """Return what a limit or barrier asks for, after a look at it."""
    pair = given.compute_qp_inequalities(configuration, dt)
    if pair is None:
        return None
    G, h = np.atleast_2d(np.asarray(pair[0], dtype=np.float64)), np.atleast_1d(np.asarray(pair[1], dtype=np.float64))
    if G.shape != (h.size, configuration.model.nv):
        raise ParameterError(
            f"{given!r} returned G and h of shapes {G.shape} and {h.shape}, {configuration.model.name} needs "
            f"(k, {configuration.model.nv}) and (k,)"
        )
    if not np.isfinite(G).all() or np.isnan(h).any():
        raise ParameterError(f"{given!r} returned a G or h that is not a number")
    return G, h
