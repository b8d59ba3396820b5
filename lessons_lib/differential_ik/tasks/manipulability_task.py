"""Keep away from singularities."""

from functools import lru_cache
from types import ModuleType
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib import lie
from lessons_lib.arrays import Array, Integers
from lessons_lib.codegen import linker
from lessons_lib.codegen.linker import Derived, Recipe
from lessons_lib.differential_ik import arguments, derivations
from lessons_lib.differential_ik.configuration import Configuration
from lessons_lib.differential_ik.tasks.frame_velocity_task import selected_rows
from lessons_lib.differential_ik.tasks.task import Task
from lessons_lib.errors import ParameterError
from lessons_lib.robots import Tree, tree_layout
from lessons_lib.robots.arguments import check_tree

RATES = {tree_layout.FREE: 6, tree_layout.PLANAR: 3}
"""Number of rates of the joints that have several; a planar base is one joint with three."""

RECIPE = Recipe("kinematic_hessian", (Derived(derivations.kinematic_hessian, "numpy"),))


class ManipulabilityTask(Task):
    """Increase the manipulability m = √det(J Jᵀ) of a frame at a given rate.

    >>> from lessons_lib import differential_ik as dik, robots
    >>> at = dik.Configuration(robots.load_urdf(robots.urdf_file("ur10")), [0.3, -1.2, 1.5, -0.6, 1.1, 0.4])
    >>> task = dik.ManipulabilityTask("tool0", at.model, cost=0.1)
    >>> task.compute_jacobian(at).shape
    (1, 6)

    Attributes:
        frame: Name of the frame.
        cost: Cost of a unit of m.
        reference_frame: "local", for the body Jacobian, or "world", for the space Jacobian.
        manipulability_rate: Desired increase of m in a step; it may be negative.
    """

    def __init__(
        self,
        frame: str,
        model: Tree,
        cost: float = 1.0,
        lm_damping: float = 0.0,
        gain: float = 1.0,
        reference_frame: Literal["local", "world"] = "local",
        manipulability_rate: float = 0.1,
        mask: Literal["position", "orientation", "planar_xy"] | ArrayLike | None = None,
    ) -> None:
        """Set the frame and the desired rate.

        Args:
            frame: Name of the frame.
            model: The robot.
            cost: Cost of a unit of m.
            lm_damping: As in `Task`.
            gain: As in `Task`.
            reference_frame: "local" measures the body Jacobian, "world" the space Jacobian.
            manipulability_rate: Desired increase of m in a step.
            mask: Rows of the Jacobian: a name, six ones and zeros in the order (ω, v), or None for all.

        Raises:
            FrameNotFound: The robot has no such frame.
            ParameterError: Another reference frame or mask, a frame that is not a name, a joint on the path to the
                frame that mimics another one there, or an invalid cost, damping, gain or rate.
        """
        super().__init__(cost, gain, lm_damping)
        check_tree(model)
        self.frame = arguments.frame_name(frame)
        joints_on_path(model, frame)
        self.reference_frame = arguments.reference_frame(reference_frame)
        self.manipulability_rate = arguments.number(manipulability_rate, "manipulability_rate")
        self.mask = selected_rows(mask)

    def _cost_sizes(self) -> tuple[int, ...]:
        return (1,)

    def compute_manipulability(self, configuration: Configuration) -> float:
        """Return m = √det(J Jᵀ) of the selected rows, the product of the singular values."""
        return _volume(self._whole_jacobian(configuration)[self.mask])

    def compute_kinematic_hessian(self, configuration: Configuration) -> Array:
        """Return ∂J/∂q, shape (nv, k, nv), of the k selected rows; entry [j, :, i] is ∂J_i/∂q_j."""
        columns = self._whole_jacobian(configuration).T
        order = joints_on_path(configuration.model, self.frame)
        i, j = columns[None, :, :], columns[:, None, :]
        if self.reference_frame == "local":
            derivative, moved = _kernels().body_kernel(i, j), order[None, :] < order[:, None]
        else:
            derivative, moved = _kernels().space_kernel(i, j), order[:, None] <= order[None, :]
        return np.where(moved[:, :, None], derivative, 0.0).transpose(0, 2, 1)[:, self.mask]

    def compute_error(self, configuration: Configuration) -> Array:
        """Return minus the desired rate, shape (1,)."""
        return np.array([-self.manipulability_rate])

    def compute_jacobian(self, configuration: Configuration) -> Array:
        """Return ∂m/∂q, shape (1, nv): m tr(J⁺ ∂J/∂q_j) for each j, and zero if m = 0."""
        J = self._whole_jacobian(configuration)[self.mask]
        hessian = self.compute_kinematic_hessian(configuration)
        gradient: Array = _volume(J) * np.einsum("ik,jki->j", np.linalg.pinv(J), hessian)
        return gradient[None, :]

    def _whole_jacobian(self, configuration: Configuration) -> Array:
        J_b = configuration.get_frame_jacobian(self.frame)
        if self.reference_frame == "local":
            return J_b
        return lie.adjoint(configuration.get_transform_frame_to_world(self.frame)) @ J_b

    def __repr__(self) -> str:
        """Return the task with its frame, cost and rate."""
        return (
            f"ManipulabilityTask({self.frame!r}, cost={self.cost:g}, gain={self.gain:g}, "
            f"lm_damping={self.lm_damping:g}, manipulability_rate={self.manipulability_rate:g})"
        )


def joints_on_path(model: Tree, frame: str) -> Integers:
    """Return the joint that each rate moves on the path to a frame, shape (nv,), −1 for none."""
    joint_of_rate = np.full(model.nv, -1)
    joint = model.frame_placement(frame)[0] - 1
    while joint >= 0:
        row = model.arrays.joints[joint]
        rates = slice(row[tree_layout.V], row[tree_layout.V] + RATES.get(int(row[tree_layout.KIND]), 1))
        if (joint_of_rate[rates] >= 0).any():
            raise ParameterError(
                f"{model.v_names[rates.start]!r} moves two joints on the path to {frame!r}, one of which mimics the "
                "other; this task needs independent joints (load_urdf(…, mimic=False))"
            )
        joint_of_rate[rates] = joint
        joint = -1 if row[tree_layout.KIND] == tree_layout.PLANAR else int(row[tree_layout.PARENT]) - 1
    return joint_of_rate


def _volume(J: Array) -> float:
    """Return √det(J Jᵀ) as the product of singular values; zero if there are fewer columns than rows."""
    if J.shape[0] > J.shape[1]:
        return 0.0
    return float(np.prod(np.linalg.svd(J, compute_uv=False)))


@lru_cache(maxsize=1)
def _kernels() -> ModuleType:
    """Return the generated module with the derivatives of a Jacobian's columns."""
    return linker.load(RECIPE)
