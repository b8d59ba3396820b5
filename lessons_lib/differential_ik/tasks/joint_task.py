"""What the tasks about the joints themselves share: the floating base is left out."""

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.codegen.plain_files import compiled
from lessons_lib.differential_ik import checked, kernels
from lessons_lib.differential_ik.compiled_forms import stands_for
from lessons_lib.differential_ik.configuration import Configuration
from lessons_lib.differential_ik.tasks.task import Task, is_finite


class JointTask(Task):
    """A task with one coordinate for each joint rate behind the floating base."""

    def compute_jacobian(self, configuration: Configuration) -> Array:
        """Return the identity without the rows of the floating base, shape (nv or nv − 6, nv)."""
        return np.eye(configuration.model.nv)[configuration.root_nv :]

    @stands_for("compute_jacobian", "compute_qp_objective")
    def add_objective(self, configuration: Configuration, H: Array, c: Array) -> None:
        """Add onto H and c what `compute_qp_objective` returns, without the zeros of the Jacobian."""
        first = configuration.root_nv
        error = checked.error_of(self, configuration, len(c) - first)
        numbers = (error, self.costs_for(len(error)), self.gain, self.lm_damping)
        checked.check_finite(kernels.module().add_joint_objective(first, *numbers, H, c), self)


@compiled
def add_joint_objective(first: int, e: Array, costs: Array, gain: float, lm_damping: float, H: Array, c: Array) -> bool:
    """Do what add_objective does where J is the identity from column `first` on."""
    mu, step = 0.0, 0 if costs.size == 1 else 1
    for k in range(e.size):
        weighted = costs[step * k] * gain * e[k]
        mu += weighted * weighted
    mu *= lm_damping
    for i in range(first):
        H[i, i] += mu
    for k in range(e.size):
        squared = costs[step * k] ** 2
        H[first + k, first + k] += squared + mu
        c[first + k] += squared * gain * e[k]
    return is_finite(H, c)
