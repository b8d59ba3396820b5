"""Bring a frame of the robot to a pose, in the world or in another frame."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib import lie
from lessons_lib.arrays import Array, Integers
from lessons_lib.codegen.plain_files import compiled
from lessons_lib.differential_ik import arguments, checks, kernels
from lessons_lib.differential_ik.configuration import Configuration, check_configuration
from lessons_lib.differential_ik.errors import TargetNotSet
from lessons_lib.differential_ik.kernels import equivalent_to
from lessons_lib.differential_ik.tasks.task import Task, add_objective, cost_range
from lessons_lib.lie import ORTHOGONALITY, check_transform
from lessons_lib.lie.intervals import Intervals
from lessons_lib.lie.poses import pose_deviation

if TYPE_CHECKING:
    from lessons_lib.differential_ik.se3_code import (
        adjoint_kernel,
        between_kernel,
        interval_error_kernel,
        left_jacobian_inverse_se3_kernel,
        log_se3_kernel,
    )
    from lessons_lib.robots.tree_loops import frame_jacobian


class PoseTask(Task):
    """A task whose error is the twist between two poses.

    Attributes:
        frame: Name of the frame to move.
        cost: Six numbers (orientation, position), [cost]/rad and [cost]/m, in the order of our twists, (ω, v).
    """

    def __init__(
        self,
        frame: str,
        position_cost: ArrayLike,
        orientation_cost: ArrayLike,
        lm_damping: float = 0.0,
        gain: float = 1.0,
    ) -> None:
        """Set the frame and the two costs, each one number or one for each axis of the frame.

        Raises:
            ParameterError: The frame is not a name, or a cost, damping or gain is not valid.
        """
        halves = [_three(orientation_cost, "orientation_cost"), _three(position_cost, "position_cost")]
        super().__init__(np.concatenate(halves), gain, lm_damping)
        self.frame = arguments.frame_name(frame)
        self._target: Array | None = None

    @property
    def cost(self) -> Array:
        """The six costs (orientation, position), read-only; setting a number sets all six, None sets 1."""
        return self._costs

    @cost.setter
    def cost(self, cost: ArrayLike | None) -> None:
        costs = arguments.costs(1.0 if cost is None else cost, "cost", self._cost_sizes())
        self._costs = np.broadcast_to(costs, (6,))
        self.cost_range = cost_range(costs)

    def _cost_sizes(self) -> tuple[int, ...]:
        return (6,)

    def set_position_cost(self, position_cost: ArrayLike) -> None:
        """Set the cost of a metre, [cost]/m: one number, or one for each axis of the frame."""
        self.cost = np.concatenate([self._costs[:3], _three(position_cost, "position_cost")])

    def set_orientation_cost(self, orientation_cost: ArrayLike) -> None:
        """Set the cost of a radian, [cost]/rad: one number, or one for each axis of the frame."""
        self.cost = np.concatenate([_three(orientation_cost, "orientation_cost"), self._costs[3:]])

    @property
    def position_cost(self) -> Array:
        """Cost of a metre along each axis of the frame, shape (3,), [cost]/m."""
        return self._costs[3:]

    @property
    def orientation_cost(self) -> Array:
        """Cost of a radian about each axis of the frame, shape (3,), [cost]/rad."""
        return self._costs[:3]

    def set_target(self, target: ArrayLike) -> None:
        """Set the target pose, shape (4, 4); the task keeps a copy.

        Raises:
            TransformError: Not a pose.
        """
        self._target = check_transform(target, f"the target of frame {self.frame!r}")

    def target(self) -> Array:
        """Return the target pose itself, shape (4, 4), not a copy."""
        if self._target is None:
            raise TargetNotSet(self)
        return self._target

    def checked_target(self) -> Array:
        """Return a copy of the target pose, shape (4, 4)."""
        return check_transform(self.target(), f"the target of frame {self.frame!r}")

    def check_added(self, added: bool) -> None:
        """Raise an error if compiled code could not add the objective: an invalid target, or a value not finite."""
        if not added:
            self.checked_target()
        checks.check_finite(added, self)

    def __repr__(self) -> str:
        """Return the task with its frame, costs, gain and damping."""
        return (
            f"{type(self).__name__}({self.frame!r}, position_cost={self.position_cost.tolist()}, "
            f"orientation_cost={self.orientation_cost.tolist()}, lm_damping={self.lm_damping:g}, gain={self.gain:g})"
        )


def _three(cost: ArrayLike, name: str) -> Array:
    return np.broadcast_to(arguments.costs(cost, name, (1, 3)), (3,))


class FrameTask(PoseTask):
    """Bring a frame {b} of the robot to a target pose {d} in the world {s}.

    >>> from lessons_lib import differential_ik as dik, lie, robots
    >>> at = dik.Configuration(robots.load_urdf(robots.urdf_file("ur10")), [0.3, -1.2, 1.5, -0.6, 1.1, 0.4])
    >>> up = lie.exp_se3([0, 0, 0, 0, 0, 0.01]) @ at.get_transform_frame_to_world("tool0")  # 1 cm
    >>> task = dik.FrameTask("tool0", position_cost=1.0, orientation_cost=0.1)
    >>> task.set_target(up)
    >>> round(float(abs(task.compute_error(at)).max()), 4), task.compute_jacobian(at).shape
    (0.0093, (6, 6))

    Attributes:
        frame: Name of the frame.
        position_cost: Cost of an error of one metre, [cost]/m.
        orientation_cost: Cost of an error of one radian, [cost]/rad.
    """

    @property
    def transform_target_to_world(self) -> Array | None:
        """The target T_sd, shape (4, 4), writable; None before it is set."""
        return self._target

    def set_target_from_configuration(self, configuration: Configuration) -> None:
        """Set the target to the pose that the frame has in a configuration."""
        check_configuration(configuration)
        self.set_target(configuration.get_transform_frame_to_world(self.frame))

    def compute_error(self, configuration: Configuration) -> Array:
        """Return V_b = log(T_sb⁻¹ T_sd), shape (6,), (ω, v) in the frame, rad and m: the twist to the target."""
        target = self.checked_target()
        T_sb = configuration.get_transform_frame_to_world(self.frame)
        return lie.log_se3(lie.inverse(T_sb) @ target)

    def compute_jacobian(self, configuration: Configuration) -> Array:
        """Return ∂V_b/∂q = −J_l⁻¹(V_b) J_b, shape (6, nv)."""
        return self._jacobian(configuration, self.compute_error(configuration))

    def _jacobian(self, configuration: Configuration, error: Array) -> Array:
        return -lie.left_jacobian_inverse_se3(error) @ configuration.get_frame_jacobian(self.frame)

    @equivalent_to("compute_error", "compute_jacobian")
    def linearize(self, configuration: Configuration) -> tuple[Array, Array]:
        """Return J, shape (6, nv), and e, shape (6,); the error is computed once."""
        error = self.compute_error(configuration)
        return self._jacobian(configuration, error), error

    @equivalent_to("compute_error", "compute_jacobian", "compute_qp_objective")
    def add_objective(self, configuration: Configuration, H: Array, c: Array) -> None:
        """Add what `compute_qp_objective` returns to H and c, in one compiled call."""
        frame = configuration.frame_arrays(self.frame)
        numbers = (*configuration.kinematic_arrays, self.target(), self.costs_for(6), self.gain, self.lm_damping)
        self.check_added(kernels.module().add_frame_objective(*frame, *numbers, H, c))


class FrameIntervalTask(FrameTask):
    """Keep a frame {b} of the robot within intervals around a target pose {d} in the world.

    The error is zero inside, and otherwise the displacement to the nearest allowed pose: e − clip(e), with e = (ω, r),
    the rotation vector ω = log(RᵀR_d) and r = R_dᵀ(p_d − p), the position in the axes of the target. With intervals of
    zero width it requires the same pose as a `FrameTask`; while the orientation is wrong, their steps differ, because
    the v of a `FrameTask` is that of the twist.

    >>> from lessons_lib import differential_ik as dik, lie, robots
    >>> at = dik.Configuration(robots.load_urdf(robots.urdf_file("ur10")), [0.3, -1.2, 1.5, -0.6, 1.1, 0.4])
    >>> up = lie.exp_se3([0, 0, 0, 0, 0, 0.01]) @ at.get_transform_frame_to_world("tool0")  # 1 cm
    >>> intervals = (0.1, 0.1, None, 0.02, 0.02, 0.02)  # rad and m
    >>> task = dik.FrameIntervalTask("tool0", intervals, position_cost=1.0, orientation_cost=1.0)
    >>> task.set_target(up)
    >>> bool(abs(task.compute_error(at)).max() == 0.0)  # the centimetre is within its interval
    True

    Attributes:
        frame: Name of the frame.
        intervals: The allowed displacements (ω, r) of the frame from the target.
        position_cost: Cost of a metre outside, [cost]/m, along the axes of the target.
        orientation_cost: Cost of a radian outside, [cost]/rad.
    """

    def __init__(
        self,
        frame: str,
        intervals: Any,
        position_cost: ArrayLike,
        orientation_cost: ArrayLike,
        lm_damping: float = 0.0,
        gain: float = 1.0,
    ) -> None:
        """Set the frame, the intervals and the two costs.

        Args:
            frame: Name of the frame.
            intervals: Six, (ω, r) in rad and m, along the axes of the target: each t for ±t, (lower, upper), or None if
                the component is free.
            position_cost: One number, or one for each axis of the target.
            orientation_cost: One number, or one for each axis of the target.
            lm_damping: As in `Task`.
            gain: As in `Task`.

        Raises:
            ParameterError: An interval is not valid or empty, or as in `FrameTask`.
        """
        super().__init__(frame, position_cost, orientation_cost, lm_damping, gain)
        self.intervals = Intervals.of(intervals)

    def compute_error(self, configuration: Configuration) -> Array:
        """Return the error outside the intervals, shape (6,), (ω, r) along the axes of the target, rad and m."""
        return self._error_and_slope(configuration)[0]

    def compute_jacobian(self, configuration: Configuration) -> Array:
        """Return the derivative of the error, shape (6, nv); rows of components inside their intervals are zero."""
        return -self._error_and_slope(configuration)[1] @ configuration.get_frame_jacobian(self.frame)

    def _error_and_slope(self, configuration: Configuration) -> tuple[Array, Array]:
        T_bd = lie.inverse(configuration.get_transform_frame_to_world(self.frame)) @ self.checked_target()
        return self.intervals.error(lie.log_so3(T_bd[:3, :3]), T_bd)

    @equivalent_to("compute_error", "compute_jacobian")
    def linearize(self, configuration: Configuration) -> tuple[Array, Array]:
        """Return J, shape (6, nv), and e, shape (6,); the error is computed once."""
        error, slope = self._error_and_slope(configuration)
        return -slope @ configuration.get_frame_jacobian(self.frame), error

    @equivalent_to("compute_error", "compute_jacobian", "compute_qp_objective")
    def add_objective(self, configuration: Configuration, H: Array, c: Array) -> None:
        """Add what `compute_qp_objective` returns to H and c, in one compiled call."""
        frame, ends = configuration.frame_arrays(self.frame), self.intervals.error_bounds
        numbers = (*configuration.kinematic_arrays, self.target(), ends, self.costs_for(6), self.gain, self.lm_damping)
        self.check_added(kernels.module().add_interval_objective(*frame, *numbers, H, c))

    def __repr__(self) -> str:
        """Return the task with its intervals."""
        return f"{super().__repr__()[:-1]}, intervals={self.intervals})"


class RelativeFrameTask(PoseTask):
    """Bring a frame {b} to a target pose {d} in a frame {r} that may itself move, such as the other hand.

    >>> from lessons_lib import differential_ik as dik, robots
    >>> at = dik.Configuration(robots.load_urdf(robots.urdf_file("two_arms")))
    >>> task = dik.RelativeFrameTask("left_hand", "right_hand", position_cost=1.0, orientation_cost=1.0)
    >>> task.set_target_from_configuration(at)
    >>> bool(abs(task.compute_error(at)).max() < 1e-12)
    True

    Attributes:
        frame: Name of the frame {b}.
        root: Name of the frame {r} in which the target is given.
        position_cost: Cost of an error of one metre, [cost]/m.
        orientation_cost: Cost of an error of one radian, [cost]/rad.
    """

    def __init__(
        self,
        frame: str,
        root: str,
        position_cost: ArrayLike,
        orientation_cost: ArrayLike,
        lm_damping: float = 0.0,
        gain: float = 1.0,
    ) -> None:
        """Set the two frames and the two costs, each one number or one for each axis of the frame.

        Raises:
            ParameterError: A frame is not a name, or a cost, damping or gain is not valid.
        """
        super().__init__(frame, position_cost, orientation_cost, lm_damping, gain)
        self.root = arguments.frame_name(root, "root")

    @property
    def transform_target_to_root(self) -> Array | None:
        """The target T_rd, shape (4, 4), writable; None before it is set."""
        return self._target

    def set_target_from_configuration(self, configuration: Configuration) -> None:
        """Set the target to the relative pose that the two frames have in a configuration."""
        check_configuration(configuration)
        self.set_target(configuration.get_transform(self.frame, self.root))

    def compute_error(self, configuration: Configuration) -> Array:
        """Return log(T_rd⁻¹ T_rb), shape (6,), (ω, v), rad and m.

        As in Pink it points away from the target, unlike that of `FrameTask`, and the Jacobian has the opposite sign.
        """
        target = self.checked_target()
        return lie.log_se3(lie.inverse(target) @ configuration.get_transform(self.frame, self.root))

    def compute_jacobian(self, configuration: Configuration) -> Array:
        """Return J_r⁻¹(e) (J_b − Ad(T_br) J_r), shape (6, nv): the motion of {b} relative to {r}."""
        return self._jacobian(configuration, self.compute_error(configuration))

    def _jacobian(self, configuration: Configuration, error: Array) -> Array:
        relative = relative_jacobian(configuration, self.frame, self.root)
        return lie.left_jacobian_inverse_se3(-error) @ relative

    @equivalent_to("compute_error", "compute_jacobian")
    def linearize(self, configuration: Configuration) -> tuple[Array, Array]:
        """Return J, shape (6, nv), and e, shape (6,); the error is computed once."""
        error = self.compute_error(configuration)
        return self._jacobian(configuration, error), error

    @equivalent_to("compute_error", "compute_jacobian", "compute_qp_objective")
    def add_objective(self, configuration: Configuration, H: Array, c: Array) -> None:
        """Add what `compute_qp_objective` returns to H and c, in one compiled call."""
        frames = (*configuration.frame_arrays(self.frame), *configuration.frame_arrays(self.root))
        numbers = (*configuration.kinematic_arrays, self.target(), self.costs_for(6), self.gain, self.lm_damping)
        self.check_added(kernels.module().add_relative_objective(*frames, *numbers, H, c))


def relative_jacobian(configuration: Configuration, frame: str, root: str) -> Array:
    """Return J_b − Ad(T_br) J_r, shape (6, nv): the motion of {b} relative to {r}, in {b}."""
    T_br = configuration.get_transform(root, frame)
    return configuration.get_frame_jacobian(frame) - lie.adjoint(T_br) @ configuration.get_frame_jacobian(root)


@compiled
def product(A: Array, B: Array, C: Array) -> None:
    """Write A B into C for a 6×6 A; skip columns of zeros."""
    for j in range(B.shape[1]):
        for i in range(6):
            C[i, j] = 0.0
        for k in range(6):
            if B[k, j] != 0.0:
                for i in range(6):
                    C[i, j] += A[i, k] * B[k, j]


@compiled
def add_frame_objective(
    carrier: int,
    offset: Array,
    joints: Integers,
    poses: Array,
    twists: Array,
    target: Array,
    costs: Array,
    gain: float,
    lm_damping: float,
    H: Array,
    c: Array,
) -> bool:
    """Add the objective of a frame's pose: e = log(T_sb⁻¹ T_sd) and J = −J_l⁻¹(e) J_b."""
    if not pose_deviation(target, 0) <= ORTHOGONALITY:
        return False
    nv = H.shape[0]
    between, e, inverse = np.empty((4, 4)), np.empty(6), np.empty((6, 6))
    J_b, J = np.empty((6, nv)), np.empty((6, nv))
    frame_jacobian(carrier, offset, joints, poses, twists, J_b)
    between_kernel(poses[-1], target, between)  # frame_jacobian writes the frame's pose there
    log_se3_kernel(between, e)
    left_jacobian_inverse_se3_kernel(e, inverse)
    product(-inverse, J_b, J)
    return add_objective(J, e, costs, gain, lm_damping, H, c)


@compiled
def add_interval_objective(
    carrier: int,
    offset: Array,
    joints: Integers,
    poses: Array,
    twists: Array,
    target: Array,
    ends: Array,
    costs: Array,
    gain: float,
    lm_damping: float,
    H: Array,
    c: Array,
) -> bool:
    """Add the objective of a frame's pose within intervals: e − clip(e) along the axes of the target, and −L J_b."""
    if not pose_deviation(target, 0) <= ORTHOGONALITY:
        return False
    nv = H.shape[0]
    between, V, e, L = np.empty((4, 4)), np.empty(6), np.empty(6), np.empty((6, 6))
    J_b, J = np.empty((6, nv)), np.empty((6, nv))
    frame_jacobian(carrier, offset, joints, poses, twists, J_b)
    between_kernel(poses[-1], target, between)  # frame_jacobian writes the frame's pose there
    log_se3_kernel(between, V)
    interval_error_kernel(V[0:3], between, ends[0:6], ends[6:12], e, L)
    product(-L, J_b, J)
    return add_objective(J, e, costs, gain, lm_damping, H, c)


@compiled
def add_relative_objective(
    carrier: int,
    offset: Array,
    root_carrier: int,
    root_offset: Array,
    joints: Integers,
    poses: Array,
    twists: Array,
    target: Array,
    costs: Array,
    gain: float,
    lm_damping: float,
    H: Array,
    c: Array,
) -> bool:
    """Add the objective of a pose in a moving frame: e = log(T_rd⁻¹ T_rb) and J = J_r⁻¹(e) (J_b − Ad(T_br) J_r)."""
    if not pose_deviation(target, 0) <= ORTHOGONALITY:
        return False
    nv = H.shape[0]
    relative, between, e, six = np.empty((4, 4)), np.empty((4, 4)), np.empty(6), np.empty((6, 6))
    J_b, J_root, J = np.empty((6, nv)), np.empty((6, nv)), np.empty((6, nv))
    frame_jacobian(carrier, offset, joints, poses, twists, J_b)
    T = poses[-1].copy()  # the next call overwrites the frame's pose
    frame_jacobian(root_carrier, root_offset, joints, poses, twists, J_root)
    T_root = poses[-1]
    between_kernel(T, T_root, relative)  # T_br
    adjoint_kernel(relative, six)
    product(six, J_root, J)
    for i in range(6):
        for j in range(nv):
            J_b[i, j] -= J[i, j]
    between_kernel(T_root, T, relative)  # T_rb
    between_kernel(target, relative, between)
    log_se3_kernel(between, e)
    left_jacobian_inverse_se3_kernel(-e, six)
    product(six, J_b, J)
    return add_objective(J, e, costs, gain, lm_damping, H, c)
