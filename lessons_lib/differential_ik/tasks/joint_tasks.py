"""Tasks for the joints; a floating or planar base is not affected."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, Integers, floats
from lessons_lib.codegen.plain_files import compiled
from lessons_lib.differential_ik import arguments, checks, kernels
from lessons_lib.differential_ik.configuration import Configuration, check_configuration
from lessons_lib.differential_ik.errors import TargetNotSet, TaskDefinitionError
from lessons_lib.differential_ik.kernels import equivalent_to
from lessons_lib.differential_ik.tasks.task import Task, is_finite
from lessons_lib.errors import ConfigurationError, ParameterError

if TYPE_CHECKING:
    from lessons_lib.robots.tree_loops import difference


class JointTask(Task):
    """A task with one error coordinate for each joint rate after those of the base."""

    def compute_jacobian(self, configuration: Configuration) -> Array:
        """Return the identity without the rows of the base, shape (nv or nv − 6, nv)."""
        return np.eye(configuration.model.nv)[configuration.root_nv :]

    @equivalent_to("compute_jacobian", "compute_qp_objective")
    def add_objective(self, configuration: Configuration, H: Array, c: Array) -> None:
        """Add what `compute_qp_objective` returns to H and c, without the zeros of the Jacobian."""
        first = configuration.root_nv
        error = checks.read_error(self, configuration, len(c) - first)
        numbers = (error, self.costs_for(len(error)), self.gain, self.lm_damping)
        checks.check_finite(kernels.module().add_joint_objective(first, *numbers, H, c), self)


class DampingTask(JointTask):
    """Minimise the motion of the joints.

    >>> from lessons_lib import differential_ik as dik, robots
    >>> at = dik.Configuration(robots.load_urdf(robots.urdf_file("ur10")), [0.3, -1.2, 1.5, -0.6, 1.1, 0.4])
    >>> dik.DampingTask(cost=1e-3).compute_jacobian(at).shape
    (6, 6)

    Attributes:
        cost: [cost]/rad of the step Δq. Pink's documentation says [cost]·s/rad, but its objective does not contain dt
            either: with half the time step the same velocity costs a quarter.
    """

    def __init__(self, cost: ArrayLike) -> None:
        """Set the cost: one number, or one for each joint rate."""
        super().__init__(cost)

    def compute_error(self, configuration: Configuration) -> Array:
        """Return zeros, shape (nv,) or, with a floating base, (nv − 6,)."""
        return np.zeros(configuration.model.nv - configuration.root_nv)


class JointVelocityTask(JointTask):
    """Move the joints at given rates.

    >>> from lessons_lib import differential_ik as dik, robots
    >>> at = dik.Configuration(robots.load_urdf(robots.urdf_file("ur10")), [0.3, -1.2, 1.5, -0.6, 1.1, 0.4])
    >>> task = dik.JointVelocityTask(cost=1.0)
    >>> task.set_target([0.1, 0, 0, 0, 0, 0], dt=0.01)
    >>> round(float(dik.solve_ik(at, [task], dt=0.01)[0]), 6)  # rad/s
    0.1

    Attributes:
        cost: [cost]/rad of the difference between the step Δq and the desired one.
    """

    def __init__(self, cost: ArrayLike) -> None:
        """Set the cost: one number, or one for each joint rate."""
        super().__init__(cost)
        self._step: Array | None = None

    def set_target(self, target_v: ArrayLike, dt: float) -> None:
        """Set the rates of the joints, without those of the base, shape (nv,) or (nv − 6,), and the time step, s.

        Raises:
            TaskDefinitionError: Not a vector of finite numbers.
            ParameterError: dt is not above zero.
        """
        rates = floats(target_v, "target_v must be a vector of numbers", TaskDefinitionError)
        self._step = arguments.vector(rates, "target_v", rates.size, TaskDefinitionError) * arguments.time_step(dt)

    def compute_error(self, configuration: Configuration) -> Array:
        """Return minus the desired step, rad or m, so that J Δq = −e follows the rates.

        In Pink 4.4 the error has the opposite sign, and the joints move the opposite way.
        """
        if self._step is None:
            raise TargetNotSet(self)
        rates = configuration.model.nv - configuration.root_nv
        if self._step.size != rates:
            raise TaskDefinitionError(
                f"target_v must have shape ({rates},), one rate for each joint of {configuration.model.name}, got "
                f"{self._step.shape}"
            )
        return np.negative(self._step)


class LowAccelerationTask(JointTask):
    """Minimise the change of the joint rates. Without damping the robot keeps swinging.

    >>> from lessons_lib import differential_ik as dik, robots
    >>> at = dik.Configuration(robots.load_urdf(robots.urdf_file("ur10")), [0.3, -1.2, 1.5, -0.6, 1.1, 0.4])
    >>> task = dik.LowAccelerationTask(cost=1e-2)
    >>> task.set_last_integration([0.1] * 6, 0.01)
    >>> (-task.compute_error(at)).round(6).tolist()
    [0.001, 0.001, 0.001, 0.001, 0.001, 0.001]

    Attributes:
        cost: [cost]/rad of the difference between this step Δq and the last one.
    """

    def __init__(self, cost: ArrayLike) -> None:
        """Set the cost: one number, or one for each joint rate."""
        super().__init__(cost)
        self._last_step: Array | None = None

    @property
    def Delta_q_prev(self) -> Array | None:  # noqa: N802 (Pink's name)
        """The last step, shape (nv,), read-only; None before it is set, which counts as no motion."""
        return self._last_step

    def set_last_integration(self, v_prev: ArrayLike, dt: float) -> None:
        """Set the velocity of the last step, shape (nv,), and its duration, s.

        Raises:
            ParameterError: Not finite numbers, or dt is not above zero.
        """
        velocity = floats(v_prev, "v_prev must be a vector of numbers", ParameterError)
        self._last_step = arguments.vector(velocity, "v_prev", velocity.size) * arguments.time_step(dt)
        self._last_step.setflags(write=False)

    def compute_error(self, configuration: Configuration) -> Array:
        """Return minus the last step, shape (nv,) or, with a floating base, (nv − 6,), rad or m.

        Pink does not omit the base here, so that its task fails on a robot with a floating base.
        """
        nv = configuration.model.nv
        last = np.zeros(nv) if self._last_step is None else arguments.vector(self._last_step, "the last velocity", nv)
        return -last[configuration.root_nv :]


class PostureTask(JointTask):
    """Bring the joints to a posture, usually with a small cost, to use the freedom that other tasks leave.

    >>> from lessons_lib import differential_ik as dik, robots
    >>> at = dik.Configuration(robots.load_urdf(robots.urdf_file("ur10")), [0.3, -1.2, 1.5, -0.6, 1.1, 0.4])
    >>> task = dik.PostureTask(cost=1.0)
    >>> task.set_target([0] * 6)
    >>> task.compute_error(at).tolist()
    [0.3, -1.2, 1.5, -0.6, 1.1, 0.4]

    Attributes:
        cost: Cost of a radian (or a metre), [cost]/rad: one number, or one for each joint rate.
    """

    def __init__(self, cost: ArrayLike, lm_damping: float = 0.0, gain: float = 1.0) -> None:
        """Set cost, damping and gain."""
        super().__init__(cost, gain, lm_damping)
        self._target_q: Array | None = None

    @property
    def target_q(self) -> Array | None:
        """The posture, shape (nq,), writable; None before it is set."""
        return self._target_q

    def set_target(self, target_q: ArrayLike) -> None:
        """Set the posture, shape (nq,); the task keeps a copy. The coordinates of a base come first and are ignored.

        Raises:
            ConfigurationError: Not a vector of finite numbers.
        """
        q = floats(target_q, "target_q must be a vector of numbers", ConfigurationError)
        if q.ndim != 1 or not np.isfinite(q).all():
            raise ConfigurationError(f"target_q must be a vector of finite numbers, got {target_q!r}")
        self._target_q = q

    def set_target_from_configuration(self, configuration: Configuration) -> None:
        """Set the posture to that of a configuration."""
        check_configuration(configuration)
        self.set_target(configuration.q)

    def target_for(self, configuration: Configuration) -> Array:
        """Return the posture, after a check of its size."""
        if self._target_q is None:
            raise TargetNotSet(self)
        if self._target_q.size != configuration.model.nq:
            raise ConfigurationError(
                f"target_q must have shape ({configuration.model.nq},), as q of {configuration.model.name}, got "
                f"{self._target_q.shape}"
            )
        return self._target_q

    def compute_error(self, configuration: Configuration) -> Array:
        """Return q ⊖ q*, shape (nv,) or, with a floating base, (nv − 6,), rad or m."""
        target = self.target_for(configuration)
        return configuration.model.difference(target, configuration.q)[configuration.root_nv :]

    @equivalent_to("compute_error", "compute_jacobian", "compute_qp_objective")
    def add_objective(self, configuration: Configuration, H: Array, c: Array) -> None:
        """Add what `compute_qp_objective` returns to H and c, in one compiled call."""
        first, model = configuration.root_nv, configuration.model
        numbers = (model.q_of_v, model.arrays.periods, self.target_for(configuration), configuration.q)
        costs = (self.costs_for(len(c) - first), self.gain, self.lm_damping)
        checks.check_finite(kernels.module().add_posture_objective(first, *numbers, *costs, H, c), self)


@compiled
def add_joint_objective(first: int, e: Array, costs: Array, gain: float, lm_damping: float, H: Array, c: Array) -> bool:
    """Add the objective of a task whose J is the identity from column `first` on."""
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
    """Add the objective of a posture: e = q ⊖ q* after the coordinates of the base."""
    e = np.empty(q_of_v.size)
    difference(q_of_v, periods, target, q, e)
    return add_joint_objective(first, e[first:], costs, gain, lm_damping, H, c)
