"""Tasks for linear relations between the coordinates of the robot."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib import lie
from lessons_lib.arrays import Array, floats
from lessons_lib.differential_ik import arguments
from lessons_lib.differential_ik.configuration import Configuration, check_configuration
from lessons_lib.differential_ik.errors import TaskDefinitionError, TaskJacobianNotSet
from lessons_lib.differential_ik.tasks.task import Task
from lessons_lib.errors import ConfigurationError, ParameterError, near_matches
from lessons_lib.robots import Tree

PLANE = np.array([2, 3, 4])
"""Coordinates of a twist (ω, v) that a motion in the plane has: ω about z, v along x and y."""


class LinearHolonomicTask(Task):
    """Bring A (q ⊖ q₀) to b, where q ⊖ q₀ is the tangent vector from q₀ to q.

    >>> from lessons_lib import differential_ik as dik, robots
    >>> at = dik.Configuration(robots.load_urdf(robots.urdf_file("ur10")), [0.3, -1.2, 1.5, -0.6, 1.1, 0.4])
    >>> task = dik.LinearHolonomicTask([[1, -1, 0, 0, 0, 0]], [1.5], at.q, cost=1.0)
    >>> task.compute_jacobian(at).shape
    (1, 6)

    Attributes:
        A: Shape (k, nv), read-only.
        b: Shape (k,), read-only.
        q_0: Shape (nq,), read-only; None for the robot's neutral configuration.
        cost: Cost of a unit of A (q ⊖ q₀): one number, or one for each row; None is 1.
    """

    def __init__(
        self,
        A: ArrayLike,  # noqa: N803
        b: ArrayLike,
        q_0: ArrayLike | None = None,
        cost: ArrayLike | None = None,
        lm_damping: float = 0.0,
        gain: float = 1.0,
    ) -> None:
        """Set the rows and their values.

        Raises:
            TaskDefinitionError: A is not a matrix, b not a vector with as many entries, or a value is not finite.
            ConfigurationError: q₀ is not a vector of numbers.
        """
        matrix = floats(A, "A must be a matrix of numbers", TaskDefinitionError)
        values = floats(b, "b must be a vector of numbers", TaskDefinitionError)
        if matrix.ndim != 2 or matrix.size == 0 or values.shape != matrix.shape[:1]:
            raise TaskDefinitionError(
                f"A must have shape (k, nv) and b shape (k,), got shapes {matrix.shape} and {values.shape}"
            )
        if not (np.isfinite(matrix).all() and np.isfinite(values).all()):
            raise TaskDefinitionError(f"A and b must be finite, got {matrix.tolist()} and {values.tolist()}")
        self.A, self.b, self.q_0 = matrix, values, None
        if q_0 is not None:
            self.q_0 = floats(q_0, "q_0 must be a vector of numbers", ConfigurationError)
            self.q_0.setflags(write=False)
        for array in (self.A, self.b):
            array.setflags(write=False)
        super().__init__(cost, gain, lm_damping)

    def _cost_sizes(self) -> tuple[int, ...]:
        return (1, len(self.b))

    def compute_error(self, configuration: Configuration) -> Array:
        """Return A (q ⊖ q₀) − b, shape (k,); a continuous joint is taken within half a revolution of q₀."""
        model = configuration.model
        return self._matrix(model) @ model.difference(self._origin(model), configuration.q) - self.b

    def compute_jacobian(self, configuration: Configuration) -> Array:
        """Return A times the derivative of q ⊖ q₀, shape (k, nv)."""
        model = configuration.model
        return self._matrix(model) @ difference_jacobian(model, self._origin(model), configuration.q)

    def _matrix(self, model: Tree) -> Array:
        if self.A.shape[1] != model.nv:
            raise TaskJacobianNotSet(
                f"A must have {model.nv} columns, one for each rate of {model.name}, got {self.A.shape[1]}"
            )
        return self.A

    def _origin(self, model: Tree) -> Array:
        return model.q0 if self.q_0 is None else self.q_0


class JointCouplingTask(LinearHolonomicTask):
    """Keep Σ ratio·q at zero: with ratios (1, −2) the first joint moves twice as far as the second.

    >>> from lessons_lib import differential_ik as dik, robots
    >>> at = dik.Configuration(robots.load_urdf(robots.urdf_file("ur10")), [0.3, -1.2, 1.5, -0.6, 1.1, 0.4])
    >>> task = dik.JointCouplingTask(["elbow_joint", "wrist_1_joint"], [1.0, 1.0], 1.0, at)
    >>> task.compute_jacobian(at).shape
    (1, 6)

    Attributes:
        joint_names: Names of the joints, each with one coordinate.
        ratios: A factor for each of them.
        cost: Cost of a radian of the sum, [cost]/rad.
    """

    def __init__(
        self,
        joint_names: Sequence[str],
        ratios: Sequence[float],
        cost: ArrayLike,
        configuration: Configuration,
        lm_damping: float = 0.0,
        gain: float = 1.0,
    ) -> None:
        """Set the joints, of the robot of a configuration, and their ratios.

        Raises:
            ParameterError: No joint of that name with one coordinate, or not as many ratios as names.
        """
        check_configuration(configuration)
        try:
            self.joint_names = tuple([joint_names] if isinstance(joint_names, str) else joint_names)
        except TypeError as cause:
            raise ParameterError(f"joint_names must be a sequence of names, got {joint_names!r}") from cause
        self.ratios = tuple(arguments.vector(ratios, "ratios", len(self.joint_names)).tolist())
        names = configuration.model.v_names
        single = names[configuration.root_nv :]
        row = np.zeros((1, len(names)))
        for name, ratio in zip(self.joint_names, self.ratios, strict=True):
            if not isinstance(name, str) or name not in single:
                near = near_matches(name, single)
                raise ParameterError(f"{configuration.model.name} has no joint {name!r} with one coordinate; {near}")
            row[0, names.index(name)] = ratio
        super().__init__(row, [0.0], None, cost, lm_damping, gain)


def difference_jacobian(model: Tree, q_0: Array, q: Array) -> Array:
    """Return the derivative of q ⊖ q₀ along the tangent of q, shape (nv, nv)."""
    # It is the identity except for joints that rotate and translate at once: with ξ = log(T₀⁻¹ T) their block is the
    # inverse of the right Jacobian, J_r⁻¹(ξ) = J_l⁻¹(−ξ). Source: Solà, Deray & Atchuthan, A micro Lie theory for state
    # estimation in robotics (2018), Eq. (82).
    derivative, xi = np.eye(model.nv), model.difference(q_0, q)
    for start in np.unique(model.q_of_v[model.q_of_v < 0]):
        rates = np.flatnonzero(model.q_of_v == start)
        axes = np.arange(6) if rates.size == 6 else PLANE
        twist = np.zeros(6)
        twist[axes] = xi[rates]
        derivative[np.ix_(rates, rates)] = lie.left_jacobian_inverse_se3(-twist)[np.ix_(axes, axes)]
    return derivative
