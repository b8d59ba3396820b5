"""Arrays of a tree for compiled code, and its kinematics at one q, read frame by frame."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from lessons_lib.arrays import Array, Integers
from lessons_lib.errors import ParameterError
from lessons_lib.robots import tree_kernels


@dataclass(frozen=True)
class TreeArrays:
    """Read-only arrays for the compiled loops of tree_loops.py."""

    joints: Integers  # a row per moving joint, parents first; columns in tree_layout.py, (n, 5)
    placements: Array  # pose of each joint in the frame of its parent joint, its axis along z, (n, 4, 4)
    ratios: Array  # multiplier and offset of each joint's coordinate, (n, 2); (1, 0) unless it mimics another
    bodies: Array  # mass [kg] and first moment [kg m] of the links fixed to {s} and to each joint, (1 + n, 4)
    carriers: Integers  # number of the joint that carries each frame, from 1; 0 is {s}
    offsets: Array  # pose of each frame in the frame of the joint that carries it, (frames, 4, 4)
    periods: Array  # 2π for a rate whose joint is periodic by a revolution, else 0, (nv,)

    def __post_init__(self) -> None:
        for field in fields(self):
            getattr(self, field.name).setflags(write=False)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.__post_init__()


class TreeState:
    """Poses and twists of all joints at one q, in arrays that `update` overwrites. Created by `Tree.state`.

    >>> from lessons_lib import robots
    >>> state = robots.load_urdf(robots.urdf_file("panda")).state([0.0, -0.3, 0.0, -2.2, 0.0, 2.0, 0.8])
    >>> state.forward_kinematics("panda_link8")[:3, 3].round(3).tolist()
    [0.474, 0.0, 0.516]

    Attributes:
        poses: Pose of {s} (the identity) and of each joint, its axis along z, and a scratch entry, shape (1 + n + 1, 4,
            4).
        twists: Space twist (ω, v) per unit of each rate, a row for every rate of every joint, and a scratch row, shape
            (rows + 1, 6).
    """

    def __init__(
        self, name: str, arrays: TreeArrays, placement_of: Callable[[str | int], tuple[int, Array]], q: Array
    ) -> None:
        """Compute the kinematics at q.

        Args:
            name: Name of the robot, for messages.
            arrays: Arrays of the robot.
            placement_of: Returns the number of the joint that carries a frame, from 1, and the frame's pose there.
            q: Configuration, shape (nq,); not checked.
        """
        self._name, self._placement_of = name, placement_of
        self._loops = tree_kernels.module()
        self._update = self._loops.update_tree.specialize("i2", "f3", "f2", "f1", "f3", "f2")
        self._joints, self._placements, self._ratios = arrays.joints, arrays.placements, arrays.ratios
        self._bodies, self._nv = arrays.bodies, len(arrays.periods)
        self._has_mass = bool(arrays.bodies[1:, 0].sum() > 0.0)
        self.poses = np.tile(np.eye(4), (1 + len(arrays.joints) + 1, 1, 1))
        self.twists = np.empty((tree_kernels.rows(arrays.joints) + 1, 6))
        self._below = np.empty_like(arrays.bodies)
        self.update(q)

    def update(self, q: Array) -> None:
        """Compute the kinematics at q in one compiled call.

        Args:
            q: Configuration, float64, C-ordered, shape (nq,); not checked, use `Tree.check_configuration`.
        """
        self._update(self._joints, self._placements, self._ratios, q, self.poses, self.twists)

    def forward_kinematics(self, frame: str | int) -> Array:
        """Return the pose of a frame in {s}, shape (4, 4), position in m.

        Args:
            frame: Its name, or its index in `Tree.frame_names`.

        Raises:
            FrameNotFound: There is no such frame.
        """
        carrier, offset = self._placement_of(frame)
        T = np.empty((4, 4))
        self._loops.frame_pose(carrier, offset, self.poses, T)
        return T

    def body_jacobian(self, frame: str | int) -> Array:
        """Return J_b of a frame, shape (6, nv): its body twist (ω, v) per unit of each rate.

        Args:
            frame: Its name, or its index in `Tree.frame_names`.

        Raises:
            FrameNotFound: There is no such frame.

        Source: Lynch & Park (2017), Def. 5.2.
        """
        carrier, offset = self._placement_of(frame)
        J = np.empty((6, self._nv))
        self._loops.frame_jacobian(carrier, offset, self._joints, self.poses, self.twists, J)
        return J

    def centre_of_mass(self) -> Array:
        """Return the centre of mass of all moving links in {s}, shape (3,), m.

        Raises:
            ParameterError: No moving link has mass.
        """
        self._check_mass()
        centre = np.empty(3)
        self._loops.centre_of_mass(self._joints, self._bodies, self.poses, self._below, centre)
        return centre

    def centre_of_mass_jacobian(self) -> Array:
        """Return the Jacobian of the centre of mass in {s}, shape (3, nv), m per unit of each rate.

        Raises:
            ParameterError: No moving link has mass.
        """
        self._check_mass()
        J = np.empty((3, self._nv))
        self._loops.centre_of_mass_jacobian(self._joints, self._bodies, self.poses, self.twists, self._below, J)
        return J

    def _check_mass(self) -> None:
        if not self._has_mass:
            raise ParameterError(
                f"{self._name} has no centre of mass; at least one moving link must have an <inertial> with mass"
            )
