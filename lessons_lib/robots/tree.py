"""A kinematic tree: named frames on its links, one configuration space, kinematics compiled once for all robots."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lessons_lib.arrays import Array, Integers, floats
from lessons_lib.errors import ConfigurationError, FrameNotFound, ParameterError, near_matches
from lessons_lib.lazy import cached_property
from lessons_lib.lie import check_transform
from lessons_lib.robots import tree_kernels
from lessons_lib.robots import tree_layout as layout
from lessons_lib.robots.joint_limits import finite_limits
from lessons_lib.robots.tree_state import TreeArrays, TreeState

UNIVERSE, WORLD_FRAME = "universe", -1
"""Name and index of {s} as a frame."""


@dataclass(frozen=True, eq=False)
class Tree:
    """A robot as a tree of joints. Created by `load_urdf`.

    A configuration q has nq coordinates: an angle [rad] or a displacement [m] for each joint, and seven for a free
    joint, its position [m] and unit quaternion (x, y, z, w). A tangent v has nv rates: one for each joint, and six for
    a free joint, its body twist (ω, v). A planar base has x, y and an angle, and the rates of its body twist
    (ω, v_x, v_y). So nq and nv differ, and a step from q along v is `integrate`, not a sum.

    >>> from lessons_lib import robots
    >>> robots.load_urdf(robots.urdf_file("panda"))
    Tree('panda', nq=7, nv=7, 9 frames)

    Attributes:
        name: Name of the robot, for texts.
        joint_names: The moving joints in the order of q, without mimic joints.
        frame_names: Every link, the root first, and the frames added by `with_frame`.
        joint_frames: Each joint of the file, also fixed ones, and its child link, whose frame is the joint's.
        q_names: A name for each coordinate.
        v_names: A name for each rate.
        q0: The neutral configuration: zeros, and the quaternion (0, 0, 0, 1). It may be outside the limits.
        lower: Lower limit of each coordinate, −inf for no limit, shape (nq,).
        upper: Upper limit of each coordinate; equal to the lower one if the joint is locked.
        velocity_limits: Bound on each rate's size, inf for no bound, shape (nv,).
        q_of_v: The coordinate of each rate; −1 − k for the six rates of a free joint whose seven coordinates begin at
            k, and for the three of a planar base.
        is_angle: Whether each coordinate is an angle; else it is a displacement, or part of a quaternion.
        link_masses: Mass of each frame's link, kg.
        link_centres: Its centre of mass in its own frame, m, shape (frames, 3).
        arrays: Arrays of the compiled loops.
    """

    name: str
    joint_names: tuple[str, ...]
    frame_names: tuple[str, ...]
    joint_frames: tuple[tuple[str, str], ...]
    q_names: tuple[str, ...]
    v_names: tuple[str, ...]
    q0: Array
    lower: Array
    upper: Array
    velocity_limits: Array
    q_of_v: Integers
    is_angle: NDArray[np.bool_]
    link_masses: Array
    link_centres: Array
    arrays: TreeArrays

    def __post_init__(self) -> None:
        """Make the arrays read-only."""
        for name in ("q0", "lower", "upper", "velocity_limits", "q_of_v", "is_angle", "link_masses", "link_centres"):
            getattr(self, name).setflags(write=False)

    def __getstate__(self) -> dict[str, Any]:
        """Return the fields alone, without cached data."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore the fields, read-only."""
        self.__dict__.update(state)
        self.__post_init__()

    def __deepcopy__(self, memo: dict[int, Any]) -> Tree:
        """Return the tree itself, which is immutable; limits made for it also fit a copied configuration."""
        return self

    def __repr__(self) -> str:
        """Return the name and the sizes."""
        return f"Tree({self.name!r}, nq={self.nq}, nv={self.nv}, {len(self.frame_names)} frames)"

    @property
    def nq(self) -> int:
        """Number of coordinates."""
        return len(self.q0)

    @property
    def nv(self) -> int:
        """Number of rates."""
        return len(self.q_of_v)

    @cached_property
    def mass(self) -> float:
        """Mass of all moving links, kg; as in Pinocchio without those fixed to the world."""
        return float(self.arrays.bodies[1:, 0].sum())

    @cached_property
    def _frames(self) -> dict[str, int]:
        links = {name: i for i, name in enumerate(self.frame_names)}
        return {UNIVERSE: WORLD_FRAME, **{joint: links[link] for joint, link in self.joint_frames}, **links}

    @cached_property
    def _frame_placements(self) -> dict[str | int, tuple[int, Array]]:
        arrays, still = self.arrays, np.eye(4)
        still.setflags(write=False)
        placements = {k: (int(i), arrays.offsets[k]) for k, i in enumerate(arrays.carriers)}
        placements[WORLD_FRAME] = (layout.WORLD, still)
        named = {name: placements[k] for name, k in self._frames.items()}
        return dict[str | int, tuple[int, Array]]([*placements.items(), *named.items()])

    def frame_placement(self, frame: str | int) -> tuple[int, Array]:
        """Return the number of the joint that carries a frame, from 1 (0 is {s}), and its pose there, shape (4, 4).

        Args:
            frame: Its name, or its index as returned by `frame`.

        Raises:
            FrameNotFound: No frame has that name; the message lists similar names.
        """
        try:
            return self._frame_placements[frame]
        except (KeyError, TypeError):
            raise FrameNotFound(frame, self.frame_names, self.name) from None

    def frame(self, name: str) -> int:
        """Return the index of a frame in `frame_names`; −1 for {s} itself, named "universe" as in Pinocchio.

        The name of a joint stands for the frame of its child link. If a joint and a link share a name, the link is
        meant.

        Raises:
            FrameNotFound: No frame has that name; the message lists similar names.
        """
        try:
            return self._frames[name]
        except (KeyError, TypeError):
            raise FrameNotFound(name, self.frame_names, self.name) from None

    def with_frame(self, name: str, parent: str, placement: ArrayLike) -> Tree:
        """Return the robot with an additional frame, fixed to an existing one.

        Args:
            name: Name of the new frame.
            parent: Name of the existing frame.
            placement: Pose of the new frame in it, shape (4, 4), position in m.

        Raises:
            ParameterError: A frame has that name already.
            FrameNotFound: There is no frame `parent`.
            TransformError: The placement is not a pose.
        """
        if name in self._frames:
            raise ParameterError(f"the name of a new frame must differ from those of {self.name}, got {name!r}")
        carrier, offset = self.frame_placement(parent)
        pose = offset @ check_transform(placement, f"the placement of frame {name!r}")
        carriers, offsets = np.append(self.arrays.carriers, carrier), np.concatenate([self.arrays.offsets, pose[None]])
        return replace(
            self,
            frame_names=(*self.frame_names, name),
            link_masses=np.append(self.link_masses, 0.0),
            link_centres=np.vstack([self.link_centres, np.zeros(3)]),
            arrays=replace(self.arrays, carriers=carriers, offsets=offsets),
        )

    def joint_slices(self, name: str) -> tuple[slice, slice]:
        """Return the slice of q with a moving joint's coordinates, and the slice of v with its rates.

        Raises:
            ParameterError: No moving joint has that name; the message lists similar names.
        """
        try:
            return self._joint_slices[name]
        except (KeyError, TypeError):
            near = near_matches(name, self.joint_names)
            raise ParameterError(f"{self.name} has no moving joint {name!r}; {near}") from None

    @cached_property
    def _joint_slices(self) -> dict[str, tuple[slice, slice]]:
        places, in_q, in_v = {}, 0, 0
        for joint in self.joint_names:
            sizes = (1, 1) if self.q_names[in_q] == joint else (3, 3)
            if in_q in self.free_starts:
                sizes = (7, 6)
            places[joint] = slice(in_q, in_q + sizes[0]), slice(in_v, in_v + sizes[1])
            in_q, in_v = in_q + sizes[0], in_v + sizes[1]
        return places

    def state(self, q: ArrayLike | None = None) -> TreeState:
        """Return the kinematics at q, or at `q0` by default, in new arrays.

        Raises:
            ConfigurationError: As `check_configuration`.
        """
        own = self.q0 if q is None else self.check_configuration(q)
        own.setflags(write=False)
        return TreeState(self.name, self.arrays, self.frame_placement, own)

    def forward_kinematics(self, q: ArrayLike, frame: str) -> Array:
        """Return the pose of a frame in {s}, shape (4, 4), position in m."""
        return self.state(q).forward_kinematics(frame)

    def body_jacobian(self, q: ArrayLike, frame: str) -> Array:
        """Return J_b of a frame, shape (6, nv): its body twist (ω, v) per unit of each rate."""
        return self.state(q).body_jacobian(frame)

    def centre_of_mass(self, q: ArrayLike) -> Array:
        """Return the centre of mass of all moving links in {s}, shape (3,), m."""
        return self.state(q).centre_of_mass()

    def centre_of_mass_jacobian(self, q: ArrayLike) -> Array:
        """Return the Jacobian of the centre of mass in {s}, shape (3, nv), m per unit of each rate."""
        return self.state(q).centre_of_mass_jacobian()

    def integrate(self, q: ArrayLike, v: ArrayLike) -> Array:
        """Return the configuration after unit time along the tangent v from q, shape (nq,).

        A free joint moves from T to T exp [v]; rates are added to all other coordinates.

        Raises:
            ConfigurationError: As `check_configuration` and `check_tangent`.
        """
        ahead = np.empty(self.nq)
        tree_kernels.module().integrate(self.q_of_v, self.check_configuration(q), self.check_tangent(v), ahead)
        return ahead

    def difference(self, q_0: ArrayLike, q_1: ArrayLike) -> Array:
        """Return the tangent v from q_0 to q_1 in unit time, shape (nv,): the inverse of `integrate`.

        A free joint yields log(T_0⁻¹ T_1), a continuous joint the shorter way, in [−π, π).

        Raises:
            ConfigurationError: As `check_configuration`.
        """
        v, start, end = np.empty(self.nv), self.check_configuration(q_0), self.check_configuration(q_1)
        tree_kernels.module().difference(self.q_of_v, self.arrays.periods, start, end, v)
        return v

    def random_configuration(self, rng: np.random.Generator) -> Array:
        """Return a configuration drawn uniformly from the limits, shape (nq,).

        Without a limit, or with one beyond 100 revolutions or 1 km, an angle is drawn from [−π, π] and a displacement
        from [−1, 1] m; a free joint's position from the cube [−1, 1]³ m and its rotation uniformly from SO(3).

        Raises:
            ParameterError: rng is not a generator.
        """
        if not isinstance(rng, np.random.Generator):
            raise ParameterError(f"rng must be a generator, such as numpy.random.default_rng(7), got {rng!r}")
        lower, upper = self._sampling_limits.T
        q: Array = rng.uniform(lower, upper)
        for start in self.free_starts:
            quaternion = rng.standard_normal(4)
            q[start + 3 : start + 7] = quaternion / math.sqrt(float(quaternion @ quaternion))
        return q

    @cached_property
    def free_starts(self) -> tuple[int, ...]:
        """Index in q of the first of the seven coordinates of each free joint."""
        moving = self.q_of_v[self.q_of_v < 0].tolist()
        return tuple(sorted({-1 - i for i in moving if moving.count(i) == 6}))

    @cached_property
    def _sampling_limits(self) -> Array:
        kinds = ["revolute" if is_angle else "prismatic" for is_angle in self.is_angle]
        return finite_limits(self.lower, self.upper, kinds)

    def check_configuration(self, q: ArrayLike) -> Array:
        """Return q as a float64 copy of shape (nq,).

        Raises:
            ConfigurationError: Wrong shape, not finite, or a quaternion that does not have length one.
        """
        array = floats(q, self._what_q_must_be, ConfigurationError)
        if array.shape == self.q0.shape and tree_kernels.checker()(self.q_of_v, array):
            return array
        self._check_vector("q", array, self.nq)
        starts = [start + 3 for start in self.free_starts]
        lengths = [float(np.linalg.norm(array[start : start + 4])) for start in starts]
        worst = int(np.argmax(np.abs(np.array(lengths) - 1.0)))
        raise ConfigurationError(
            f"the quaternion q[{starts[worst]}:{starts[worst] + 4}] of {self.name} must have length 1, got "
            f"{lengths[worst]:.9g}"
        )

    @cached_property
    def _what_q_must_be(self) -> str:
        return f"q of {self.name} must be {self.nq} numbers"

    def check_tangent(self, v: ArrayLike) -> Array:
        """Return v as a float64 copy of shape (nv,).

        Raises:
            ConfigurationError: Wrong shape or not finite.
        """
        return self._check_vector("v", v, self.nv)

    def _check_vector(self, what: str, value: ArrayLike, size: int) -> Array:
        array = floats(value, f"{what} of {self.name} must be {size} numbers", ConfigurationError)
        if array.shape != (size,):
            raise ConfigurationError(f"{what} of {self.name} must have shape ({size},), got {array.shape}")
        if not np.isfinite(array).all():
            raise ConfigurationError(f"{what} of {self.name} must be finite, got {array.tolist()}")
        return array
