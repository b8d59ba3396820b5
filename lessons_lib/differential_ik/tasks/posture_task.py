"""Bring the joints to a posture."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, Integers, floats
from lessons_lib.codegen.plain_files import compiled
from lessons_lib.differential_ik import checked, kernels
from lessons_lib.differential_ik.compiled_forms import stands_for
from lessons_lib.differential_ik.configuration import Configuration
from lessons_lib.differential_ik.errors import TargetNotSet
from lessons_lib.differential_ik.tasks.joint_task import JointTask, add_joint_objective
from lessons_lib.errors import ConfigurationError

if TYPE_CHECKING:
    from lessons_lib.robots.tree_loops import difference


class PostureTask(JointTask):
    """Bring the joints to a posture. It says where to go with what no other task asks for.

    Attributes:
        cost: What a radian (or a metre) costs, [cost]/rad: one number, or one for each joint rate.
    """

    def __init__(self, cost: ArrayLike, lm_damping: float = 0.0, gain: float = 1.0) -> None:
        """Take cost, damping and gain."""
        super().__init__(cost, gain, lm_damping)
        self._target_q: Array | None = None

    @property
    def target_q(self) -> Array | None:
        """The posture, shape (nq,), which may be written into; None before it is set."""
        return self._target_q

    def set_target(self, target_q: ArrayLike) -> None:
        """Set the posture, shape (nq,), of which a copy is kept.

        Of a base that floats or moves in the plane, seven numbers or three come first; they have no effect.

        Raises:
            ConfigurationError: Not a vector of finite numbers.
        """
        q = floats(target_q, "target_q must be a vector of numbers", ConfigurationError)
        if q.ndim != 1 or not np.isfinite(q).all():
            raise ConfigurationError(f"target_q must be a vector of finite numbers, got {target_q!r}")
        self._target_q = q

    def set_target_from_configuration(self, configuration: Configuration) -> None:
        """Ask the joints to stay as they are in this configuration."""
        self.set_target(configuration.q)

    def target_for(self, configuration: Configuration) -> Array:
        """Return the posture for a robot.

        Raises:
            TargetNotSet: None was set.
            ConfigurationError: It has another number of coordinates than the robot.
        """
        if self._target_q is None:
            raise TargetNotSet(self)
        if self._target_q.size != configuration.model.nq:
            raise ConfigurationError(
                f"target_q has shape {self._target_q.shape}, q of {configuration.model.name} "
                f"has shape ({configuration.model.nq},)"
            )
        return self._target_q

    def compute_error(self, configuration: Configuration) -> Array:
        """Return q ⊖ q*, shape (nv,) or, with a floating base, (nv − 6,), rad or m; positive beyond the posture.

        Raises:
            TargetNotSet: No posture was set.
            ConfigurationError: The posture has another number of coordinates than the robot.
        """
        target = self.target_for(configuration)
        return configuration.model.difference(target, configuration.q)[configuration.root_nv :]

    @stands_for("compute_error", "compute_jacobian", "compute_qp_objective")
    def add_objective(self, configuration: Configuration, H: Array, c: Array) -> None:
        """Add onto H and c what `compute_qp_objective` returns, in one compiled call."""
        first, model = configuration.root_nv, configuration.model
        numbers = (model.q_of_v, model.arrays.periods, self.target_for(configuration), configuration.q)
        costs = (self.costs_for(len(c) - first), self.gain, self.lm_damping)
        checked.check_finite(kernels.module().add_posture_objective(first, *numbers, *costs, H, c), self)


@compiled
def add_posture_objective(
    first: int,
    q_of_v: Integers,
    periods: Array,
    target: Array,
    q: Array,
    costs: Array,
    gain: float,
    lm_damping: float,
    H: Array,
    c: Array,
) -> bool:
    """Add the objective of a posture: e = q ⊖ q* behind the floating base."""
    e = np.empty(q_of_v.size)
    difference(q_of_v, periods, target, q, e)
    return add_joint_objective(first, e[first:], costs, gain, lm_damping, H, c)
