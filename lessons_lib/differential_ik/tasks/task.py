"""The base class of all tasks: an error to bring to zero, its Jacobian, and its costs."""

import abc
import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array
from lessons_lib.codegen.plain_files import compiled
from lessons_lib.differential_ik import arguments, checks, kernels
from lessons_lib.differential_ik.configuration import Configuration
from lessons_lib.differential_ik.kernels import equivalent_to, select_implementation
from lessons_lib.errors import ParameterError
from lessons_lib.other_libraries import suggest_arguments


class Task(abc.ABC):
    """A task requires J(q) Δq = −α e(q), weighted against the other tasks.

    To define a custom task, derive from this class and define `compute_error` and `compute_jacobian`; compiled code
    adds their objective. A class derived from a task of the library is as fast as that task, unless it overrides
    `compute_error`, `compute_jacobian` or `compute_qp_objective`. These are then called in Python: a `FrameTask` takes
    65 µs instead of 3 µs on a UR10.

    Attributes:
        cost: Cost of a unit of error, [cost]/[unit of the error]: one number, or one for each coordinate; None is 1.
        gain: α in [0, 1]: 1 removes the whole error in one step, 0.1 a tenth of it.
        lm_damping: λ₀² ≥ 0, per squared unit of Δq: half of a step's squared length costs λ₀²α²eᵀWe, more if the
            target is far away.
        cost_range: Smallest cost above zero and largest cost; (inf, 0) if all are zero.
    """

    def __init__(self, cost: ArrayLike | None = None, gain: float = 1.0, lm_damping: float = 0.0) -> None:
        """Set cost, gain and damping.

        Raises:
            ParameterError: A negative cost or damping, a gain outside [0, 1], or a value that is not finite.
        """
        self.cost = cost
        self.gain = gain
        self.lm_damping = lm_damping

    @property
    def cost(self) -> float | Array | None:
        """Cost of a unit of error: a number, or a read-only vector with one for each coordinate."""
        if self._cost_is_number:
            return float(self._costs[0])
        return self._costs if self._has_cost else None

    @cost.setter
    def cost(self, cost: ArrayLike | None) -> None:
        self._costs = arguments.costs(1.0 if cost is None else cost, "cost", self._cost_sizes())
        self._has_cost = cost is not None
        self.cost_range = cost_range(self._costs)
        self._cost_is_number = self._has_cost and np.ndim(cost) == 0  # type: ignore[arg-type]

    def _cost_sizes(self) -> tuple[int, ...]:
        """Return the lengths that a vector of costs may have; empty for any."""
        return ()

    @property
    def gain(self) -> float:
        """The gain α, in [0, 1]."""
        return self._gain

    @gain.setter
    def gain(self, gain: float) -> None:
        self._gain = arguments.between(gain, "gain", 0.0, 1.0)

    @property
    def lm_damping(self) -> float:
        """The scale λ₀² of the Levenberg-Marquardt damping λ² = λ₀²α²eᵀWe, at least 0."""
        return self._lm_damping

    @lm_damping.setter
    def lm_damping(self, lm_damping: float) -> None:
        self._lm_damping = arguments.between(lm_damping, "lm_damping", 0.0, float("inf"))

    @abc.abstractmethod
    def compute_error(self, configuration: "Configuration") -> Array:
        """Return e(q), shape (k,), in the units of the task.

        Raises:
            TargetNotSet: The task has no target.
            FrameNotFound: The robot lacks a frame of the task.
            ArgumentError: The target or another argument of the task does not match the robot.
        """

    @abc.abstractmethod
    def compute_jacobian(self, configuration: "Configuration") -> Array:
        """Return J(q) = ∂e/∂q, shape (k, nv), in the tangent space of q; errors are those of `compute_error`."""

    def linearize(self, configuration: "Configuration") -> tuple[Array, Array]:
        """Return J, shape (k, nv), and e, shape (k,)."""
        return self.compute_jacobian(configuration), self.compute_error(configuration)

    def compute_qp_objective(self, configuration: "Configuration") -> tuple[Array, Array]:
        """Return (H, c) of ½ Δqᵀ H Δq + cᵀ Δq, which is ½ rᵀW r + ½ λ²‖Δq‖² up to a constant, with r = J Δq + α e.

        With the weights W = diag(cost²): H = JᵀWJ + λ²I and c = α JᵀWe, and λ² = λ₀²α²eᵀWe.

        Returns:
            H, shape (nv, nv), [cost]² per squared unit of Δq, and c, shape (nv,), [cost]² per unit.

        Raises:
            ParameterError: The task has a vector of costs whose size differs from that of its error.
        """
        jacobian = self.compute_jacobian(configuration)
        costs = np.broadcast_to(self.costs_for(len(jacobian)), len(jacobian))
        weighted_jacobian = costs[:, None] * jacobian  # [cost] per unit of Δq
        weighted_error = costs * self.gain * self.compute_error(configuration)  # [cost]
        mu = self.lm_damping * float(weighted_error @ weighted_error)  # [cost]²
        H = weighted_jacobian.T @ weighted_jacobian + mu * np.eye(jacobian.shape[1])
        return H, weighted_jacobian.T @ weighted_error

    @equivalent_to("compute_qp_objective")
    def add_objective(self, configuration: Configuration, H: Array, c: Array) -> None:
        """Add what `compute_qp_objective` returns to H and c, in compiled code."""
        J, e = checks.read_linearization(self, configuration)
        costs = self.costs_for(len(e))
        checks.check_finite(kernels.module().add_objective(J, e, costs, self.gain, self.lm_damping, H, c), self)

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Select the implementations that are equivalent to the class."""
        super().__init_subclass__(**kwargs)
        select_implementation(cls, "add_objective", _add_given_objective)
        select_implementation(cls, "linearize", Task.linearize)
        suggest_arguments(cls)

    def costs_for(self, rows: int) -> Array:
        """Return the costs, shape (1,) or (rows,); raise ParameterError if their number differs from `rows`."""
        if self._costs.size not in (1, rows):
            raise ParameterError(
                f"{type(self).__name__} must have one cost, or {rows}, one for each coordinate of its error, got "
                f"{self._costs.size}"
            )
        return self._costs

    @property
    def is_least_squares(self) -> bool:
        """Whether the objective is the one of this class, not overridden by a derived class."""
        return type(self).compute_qp_objective is Task.compute_qp_objective

    def __repr__(self) -> str:
        """Return the task with its cost, gain and damping."""
        cost = np.array2string(self._costs, separator=", ") if not self._cost_is_number else f"{self.cost:g}"
        return f"{type(self).__name__}(cost={cost}, gain={self.gain:g}, lm_damping={self.lm_damping:g})"


def cost_range(costs: Array) -> tuple[float, float]:
    """Return the smallest cost above zero and the largest; (inf, 0) if all are zero."""
    return float(np.min(costs, where=costs > 0.0, initial=np.inf)), float(costs.max())


def _add_given_objective(task: Task, configuration: Configuration, H: Array, c: Array) -> None:
    """Add what an overridden `compute_qp_objective` returns."""
    H_given, c_given = checks.read_objective(task, configuration)
    H += H_given
    c += c_given


@compiled
def is_finite(H: Array, c: Array) -> bool:
    """Return whether c and the diagonal of H are finite, which bounds the other entries of H."""
    for i in range(c.size):
        if not (math.isfinite(H[i, i]) and math.isfinite(c[i])):
            return False
    return True


@compiled
def add_objective(J: Array, e: Array, costs: Array, gain: float, lm_damping: float, H: Array, c: Array) -> bool:
    """Add JᵀW²J + μI to H and α JᵀW²e to c, with μ = μ₀‖αWe‖², and return whether both are finite."""
    (rows, nv), step = J.shape, 0 if costs.size == 1 else 1  # one cost for all coordinates, or one for each
    A, moving = np.empty((nv, rows)), np.empty(nv, dtype=np.int64)
    mu = 0.0
    for k in range(rows):
        weighted = costs[step * k] * gain * e[k]
        mu += weighted * weighted
    mu *= lm_damping
    count = 0
    for i in range(nv):
        total, moves = 0.0, False
        for k in range(rows):
            cost = costs[step * k]
            A[i, k] = cost * J[k, i]
            total += A[i, k] * cost * gain * e[k]
            moves = moves or A[i, k] != 0.0
        H[i, i] += mu
        c[i] += total
        if moves:
            moving[count] = i
            count += 1
    for a in range(count):
        i = moving[a]
        for b in range(a + 1):
            j = moving[b]
            entry = 0.0
            for k in range(rows):
                entry += A[i, k] * A[j, k]
            H[i, j] += entry
            if i != j:
                H[j, i] += entry
    return is_finite(H, c)
