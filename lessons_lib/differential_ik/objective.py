"""The objective of the quadratic program: the sum of what all tasks and barriers want."""

from collections.abc import Sequence

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.differential_ik import checked
from lessons_lib.differential_ik.barriers.barrier import Barrier
from lessons_lib.differential_ik.configuration import Configuration
from lessons_lib.differential_ik.tasks.task import Task


def sum_objectives(
    configuration: Configuration, tasks: Sequence[Task], damping: float, barriers: Sequence[Barrier] = ()
) -> tuple[Array, Array]:
    """Return H, shape (nv, nv), and c, shape (nv,), of ½ Δqᵀ H Δq + cᵀ Δq.

    Raises:
        ParameterError: A task or barrier of the caller's own returns other shapes, or something not finite.
        TargetNotSet: A task has no target.
        FrameNotFound: A task names a frame that the robot does not have.
    """
    H = damping * configuration.identity
    c = np.zeros(len(H))
    for task in tasks:
        task.add_objective(configuration, H, c)
    for barrier in barriers:
        H_barrier, c_barrier = checked.objective_of(barrier, configuration)
        H += H_barrier
        c += c_barrier
    return H, c
