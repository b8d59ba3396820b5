"""A task and a limit with given rows."""

import numpy as np

from lessons_lib import differential_ik as dik


class RowTask(dik.Task):
    """J Δq = b."""

    def __init__(self, J: object, b: object, cost: float = 1.0) -> None:
        super().__init__(cost)
        self.J, self.b = np.atleast_2d(np.asarray(J, dtype=float)), np.atleast_1d(np.asarray(b, dtype=float))

    def compute_error(self, configuration: dik.Configuration) -> np.ndarray:
        return -self.b

    def compute_jacobian(self, configuration: dik.Configuration) -> np.ndarray:
        return self.J

    def __repr__(self) -> str:
        return f"RowTask of {self.b.tolist()}"


class RowLimit(dik.Limit):
    """C Δq ≤ d."""

    def __init__(self, C: object, d: object) -> None:
        self.rows = C, d

    def compute_qp_inequalities(self, configuration: dik.Configuration, dt: float) -> object:
        return self.rows
