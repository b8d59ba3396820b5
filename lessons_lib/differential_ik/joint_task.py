"""What the tasks about the joints themselves share: the floating base is left out."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lessons_lib.differential_ik.task import Task

if TYPE_CHECKING:
    from lessons_lib.differential_ik.configuration import Configuration

Array = NDArray[np.float64]


class JointTask(Task):
    """A task with one coordinate for each joint rate behind the floating base."""

    def compute_jacobian(self, configuration: "Configuration") -> Array:
        """Return the identity without the rows of the floating base, shape (nv or nv − 6, nv)."""
        return np.eye(configuration.model.nv)[configuration.root_nv :]
