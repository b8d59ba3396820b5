"""What every task is: an error to bring to zero, its Jacobian, and what both cost."""

import abc
import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array
from lessons_lib.codegen.plain_files import compiled
from lessons_lib.differential_ik import arguments, checked, kernels
from lessons_lib.differential_ik.compiled_forms import choose_form, stands_for
from lessons_lib.differential_ik.configuration import Configuration
from lessons_lib.errors import ParameterError


class Task(abc.ABC):
    """Something to do: J(q) Δq = −α e(q), as well as the other tasks allow.

    A task of one's own derives from this class and gives `compute_error` and `compute_jacobian`; both are summed in
    compiled code. One that derives from a task of the library and overrides none of its mathematics is as fast as that
    task. One that overrides `compute_error`, `compute_jacobian` or `compute_qp_objective` is asked for these in Python:
    a `FrameTask` then takes 65 µs instead of 3 µs on a UR10, and a step with it 95 µs instead of 20 µs.

    Attributes:
        cost_range: The least of the costs above zero and the greatest; (inf, 0) where all are zero.
        cost: What a unit of error costs, [cost]/[unit of the error]; one number, or one for each coordinate; None is 1.
        gain: α in [0, 1]. 1 asks for the whole error within one step, 0.1 for a tenth of it.
        lm_damping: λ₀² ≥ 0, per squared unit of Δq: half of a step's squared length costs λ₀²α²eᵀWe, so the more the
            farther the target is.
    """

    def __init__(self, cost: ArrayLike | None = None, gain: float = 1.0, lm_damping: float = 0.0) -> None:
        """Take cost, gain and damping.

        Raises:
            ParameterError: A negative cost or damping, a gain outside [0, 1], or something not finite.
        """
        self.cost = cost
        self.gain = gain
        self.lm_damping = lm_damping

    @property
    def cost(self) -> float | Array | None:
        """What a unit of error costs: a number, or a read-only vector with one for each coordinate."""
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
        """Return e(q), shape (k,), in the units of the task."""

    @abc.abstractmethod
    def compute_jacobian(self, configuration: "Configuration") -> Array:
        """Return J(q) = ∂e/∂q, shape (k, nv), in the tangent space of q."""

    def linearize(self, configuration: Configuration) -> tuple[Array, Array]:
        """Return J and e, as `compute_jacobian` and `compute_error` do."""
        return self.compute_jacobian(configuration), self.compute_error(configuration)

    def compute_qp_objective(self, configuration: "Configuration") -> tuple[Array, Array]:
        """Return (H, c) of ½ Δqᵀ H Δq + cᵀ Δq, which is ½ rᵀW r + ½ λ²‖Δq‖² with r = J Δq + α e, but for a constant.

        With the weights W = diag(cost²): H = JᵀWJ + λ²I and c = α JᵀWe, and λ² = λ₀²α²eᵀWe. So costs are squared.
        H is in [cost]² per squared unit of Δq, and c per unit.

        Returns:
            H, shape (nv, nv), and c, shape (nv,).

        Raises:
            ParameterError: The task has one cost a coordinate, but not as many as its error has coordinates.
        """
        jacobian = self.compute_jacobian(configuration)
        costs = np.broadcast_to(self.costs_for(len(jacobian)), len(jacobian))
        weighted_jacobian = costs[:, None] * jacobian  # [cost] per unit of Δq
        weighted_error = costs * self.gain * self.compute_error(configuration)  # [cost]
        mu = self.lm_damping * float(weighted_error @ weighted_error)  # [cost]²
        H = weighted_jacobian.T @ weighted_jacobian + mu * np.eye(jacobian.shape[1])
        return H, weighted_jacobian.T @ weighted_error

    @stands_for("compute_qp_objective")
    def add_objective(self, configuration: Configuration, H: Array, c: Array) -> None:
        """Add onto H and c what `compute_qp_objective` returns, summed in compiled code.

        Raises:
            ParameterError: The error or the Jacobian has another shape or is not finite, or there are too many costs.
        """
        J, e = checked.linearised(self, configuration)
        costs = self.costs_for(len(e))
        checked.check_finite(kernels.module().add_objective(J, e, costs, self.gain, self.lm_damping, H, c), self)

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Take the compiled form that says what the class says; see `compiled_forms`."""
        super().__init_subclass__(**kwargs)
        choose_form(cls, "add_objective", _add_given)
        choose_form(cls, "linearize", Task.linearize)

    def costs_for(self, rows: int) -> Array:
        """Return the costs as they were given, one number or one for each coordinate, shape (1,) or (rows,).

        Raises:
            ParameterError: There is one cost a coordinate, and not as many as the error has coordinates.
        """
        if self._costs.size not in (1, rows):
            raise ParameterError(
                f"{type(self).__name__} has {self._costs.size} costs for an error of {rows} coordinates; "
                f"give one for all or {rows}"
            )
        return self._costs

    @property
    def is_least_squares(self) -> bool:
        """Whether the objective is the one of this class, and not one that a class derived from it gives instead."""
        return type(self).compute_qp_objective is Task.compute_qp_objective

    def __repr__(self) -> str:
        """Return the task with its cost, gain and damping."""
        cost = np.array2string(self._costs, separator=", ") if not self._cost_is_number else f"{self.cost:g}"
        return f"{type(self).__name__}(cost={cost}, gain={self.gain:g}, lm_damping={self.lm_damping:g})"


def cost_range(costs: Array) -> tuple[float, float]:
    """Return the least of some costs above zero, and the greatest; (inf, 0) where all are zero."""
    return float(np.min(costs, where=costs > 0.0, initial=np.inf)), float(costs.max())


def _add_given(task: Task, configuration: Configuration, H: Array, c: Array) -> None:
    """Add what `compute_qp_objective` returns, for a class that gives it anew."""
    H_given, c_given = checked.objective_of(task, configuration)
    H += H_given
    c += c_given


@compiled
def is_finite(H: Array, c: Array) -> bool:
    """Return whether c and the diagonal of H are finite, and with it H, whose other entries are no larger."""
    for i in range(c.size):
        if not (math.isfinite(H[i, i]) and math.isfinite(c[i])):
            return False
    return True


@compiled
def add_objective(J: Array, e: Array, costs: Array, gain: float, lm_damping: float, H: Array, c: Array) -> bool:
    """Add JᵀW²J + μI onto H and α JᵀW²e onto c, with μ = μ₀‖αWe‖², and return whether both are finite.

    Columns of zeros are passed over.
    """
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
