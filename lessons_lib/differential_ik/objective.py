"""The objective of the quadratic program: the sum of what all tasks and barriers want."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lessons_lib.differential_ik.barrier import Barrier
from lessons_lib.differential_ik.compiled import ADDERS
from lessons_lib.differential_ik.configuration import Configuration
from lessons_lib.differential_ik.task import Task
from lessons_lib.errors import ParameterError

Array = NDArray[np.float64]


def sum_objectives(
    configuration: Configuration, tasks: Sequence[Task], damping: float, barriers: Sequence[Barrier] = ()
) -> tuple[Array, Array]:
    """Return H, shape (nv, nv), and c, shape (nv,), of ½ Δqᵀ H Δq + cᵀ Δq.

    The library's own tasks are added in compiled code; a task of the caller's own by its `compute_qp_objective`.

    Raises:
        ParameterError: A task or barrier of the caller's own returns other shapes, or something not finite.
        TargetNotSet: A task has no target.
        FrameNotFound: A task names a frame that the robot does not have.
    """
    H = damping * configuration.identity
    c = np.zeros(len(H))
    for task in tasks:
        add = ADDERS.get(type(task))
        if add is None:
            _add_given(task, configuration, H, c)
        else:
            add(task, configuration, H, c)
    for barrier in barriers:
        _add_given(barrier, configuration, H, c)
    return H, c


def _add_given(given: Task | Barrier, configuration: Configuration, H: Array, c: Array) -> None:
    """Add what a task or barrier returns, after a look at it."""
    H_given, c_given = (np.asarray(part, dtype=np.float64) for part in given.compute_qp_objective(configuration))
    if H_given.shape != H.shape or c_given.shape != c.shape:
        raise ParameterError(
            f"{given!r} returned H and c of shapes {H_given.shape} and {c_given.shape}, {configuration.model.name} "
            f"needs {H.shape} and {c.shape}"
        )
    if not (np.isfinite(H_given).all() and np.isfinite(c_given).all()):
        raise ParameterError(f"{given!r} returned an H or c that is not finite")
    H += H_given
    c += c_given
