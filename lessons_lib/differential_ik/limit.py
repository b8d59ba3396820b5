"""What every limit is: rows G and bounds h with G Δq ≤ h."""

import abc
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from lessons_lib.differential_ik.configuration import Configuration

Array = NDArray[np.float64]


class Limit(abc.ABC):
    """Something that a step may never do. A limit of one's own derives from this class."""

    @abc.abstractmethod
    def compute_qp_inequalities(self, configuration: "Configuration", dt: float) -> tuple[Array, Array] | None:
        """Return (G, h) of G Δq ≤ h, shapes (k, nv) and (k,), or None where nothing is limited.

        Args:
            configuration: Where the robot is.
            dt: Duration of the step, s.
        """
