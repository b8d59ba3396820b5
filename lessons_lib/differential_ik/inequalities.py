"""The inequalities of the quadratic program, from limits and barriers: as rows, or as a box and the remaining rows."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.differential_ik import checked
from lessons_lib.differential_ik.barriers.barrier import Barrier
from lessons_lib.differential_ik.configuration import Configuration
from lessons_lib.differential_ik.limits.limit import Limit

Rows = tuple[Array, Array]


def stack_rows(
    configuration: Configuration, limits: Sequence[Limit], dt: float, barriers: Sequence[Barrier] = ()
) -> Rows | tuple[None, None]:
    """Return G, shape (k, nv), and h, shape (k,), of G Δq ≤ h, or (None, None) where nothing is limited.

    Raises:
        ParameterError: A limit or barrier of the caller's own returns other shapes, or NaN.
    """
    sources: list[Limit | Barrier] = [*limits, *barriers]
    found = [checked.inequalities_of(source, configuration, dt) for source in sources]
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
    others = [limit for limit in limits if not limit.narrow_box(configuration, dt, lower, upper)]
    rows = stack_rows(configuration, others, dt, barriers) if others or barriers else (None, None)
    return lower, upper, rows


def names_of_rows(
    configuration: Configuration, limits: Sequence[Limit], dt: float, barriers: Sequence[Barrier] = ()
) -> list[str]:
    """Return the source of each of the rows that `box_and_rows` returns."""
    box = [bound.copy() for bound in _whole_space(len(configuration.identity))]
    others: list[Limit | Barrier] = [
        *(limit for limit in limits if not limit.narrow_box(configuration, dt, *box)),
        *barriers,
    ]
    rows = ((other, checked.inequalities_of(other, configuration, dt)) for other in others)
    return [_name(other) for other, pair in rows if pair is not None for _ in pair[1]]


def _name(source: Limit | Barrier) -> str:
    """Return the kind of a limit or barrier, and the frames that it is about."""
    frames = getattr(source, "frames", None) or getattr(source, "frame", None)
    return f"{type(source).__name__}({frames!r})" if frames else type(source).__name__


@lru_cache(maxsize=64)
def _whole_space(nv: int) -> tuple[Array, Array]:
    """Return the bounds of a box without walls."""
    return np.full(nv, -np.inf), np.full(nv, np.inf)
