"""A kinematic tree: every link a named frame, one configuration space, kinematics that are compiled once for all."""

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
from lessons_lib.robots.sampling import finite_limits
from lessons_lib.robots.tree_state import TreeArrays, TreeState

UNIT_TOLERANCE = 1e-6
"""How far the length of a quaternion may be from 1: what is left of one that was typed with seven digits."""


UNIVERSE, WORLD_FRAME = "universe", -1
"""Name of {s} as a frame, and what stands for its place."""


@dataclass(frozen=True, eq=False)
class Tree:
    """A robot as a tree of joints. Make one with `load_urdf`.

    A configuration q has nq coordinates: an angle [rad] or a displacement [m] for each joint, and seven for a free
    joint, its position [m] and unit quaternion (x, y, z, w). A tangent v has nv rates: one for each joint, and six for
    a free joint, its body twist (ω, v). A base that rolls in the plane has x, y and an angle, and the rates of its body
    twist, (ω, v_x, v_y). So nq and nv differ, and a step from q along v is `integrate`, not a sum.

    Attributes:
        name: For people.
        joint_names: The moving joints in the order of q, those left out that mimic another.
        frame_names: Every link, the root first, and what `with_frame` added.
        joint_frames: Each joint of the file, fixed ones too, and the link that it moves, whose frame is the joint's.
        q_names: A name for each coordinate.
        v_names: A name for each rate.
        q0: The neutral configuration: zeros, and the quaternion (0, 0, 0, 1). It may lie outside the limits.
        lower: Lower limit of each coordinate, −inf where there is none, shape (nq,).
        upper: Upper limit of each coordinate; equal to the lower one where a joint is held.
        velocity_limits: Bound on each rate's size, inf where there is none, shape (nv,).
        q_of_v: The coordinate that each rate moves; −1 − k for the six rates of a free joint whose seven begin at k,
            and for the three of a base in the plane.
        is_angle: Whether each coordinate is an angle; else it is a displacement, or part of a quaternion.
        link_masses: Mass of each frame's link, kg.
        link_centres: Its centre of mass in its own frame, m, shape (frames, 3).
        arrays: What the compiled loops read.
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
        """Return the fields alone: the rest is worked out again where it is needed."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take the fields, read-only as before."""
        self.__dict__.update(state)
        self.__post_init__()

    def __deepcopy__(self, memo: dict[int, Any]) -> Tree:
        """Return the tree itself, for nothing in it changes: so a limit made for it suits a copied configuration."""
        return self

    def __repr__(self) -> str:
        """Return a line with the name and the sizes."""
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
        """Mass of all that moves, kg; what is fixed to the world does not count, as in Pinocchio."""
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
        """Return the joint that carries a frame, counted from 1 (0 is {s}), and the frame's pose there, shape (4, 4).

        Args:
            frame: Its name, or what `frame` returns for it.

        Raises:
            FrameNotFound: There is no such frame; the message lists the near ones.
        """
        try:
            return self._frame_placements[frame]
        except (KeyError, TypeError):
            raise FrameNotFound(frame, self.frame_names, self.name) from None

    def frame(self, name: str) -> int:
        """Return the place of a frame in `frame_names`; −1 for {s} itself, whose name is "universe" as in Pinocchio.

        A joint is a frame, too, that of the link it moves. Where a joint and a link share a name, the link is meant.

        Raises:
            FrameNotFound: There is none of that name; the message lists the near ones.
        """
        try:
            return self._frames[name]
        except (KeyError, TypeError):
            raise FrameNotFound(name, self.frame_names, self.name) from None

    def with_frame(self, name: str, parent: str, placement: ArrayLike) -> Tree:
        """Return the robot with one more frame, fixed to another one.

        Args:
            name: Of the new frame.
            parent: Name of the frame that it is fixed to.
            placement: Its pose there, shape (4, 4), position in m.

        Raises:
            ParameterError: There is a frame of that name.
            FrameNotFound: There is no frame `parent`.
            TransformError: The placement is no pose.
        """
        if name in self._frames:
            raise ParameterError(f"{self.name} has a frame {name!r}; a new one needs another name")
        carrier, offset = self.frame_placement(parent)
        seat = offset @ check_transform(placement, f"the placement of frame {name!r}")
        carriers, offsets = np.append(self.arrays.carriers, carrier), np.concatenate([self.arrays.offsets, seat[None]])
        return replace(
            self,
            frame_names=(*self.frame_names, name),
            link_masses=np.append(self.link_masses, 0.0),
            link_centres=np.vstack([self.link_centres, np.zeros(3)]),
            arrays=replace(self.arrays, carriers=carriers, offsets=offsets),
        )

    def joint_slices(self, name: str) -> tuple[slice, slice]:
        """Return where the coordinates of a moving joint stand in q, and its rates in v.

        Raises:
            ParameterError: There is no moving joint of that name; the message lists the near ones.
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
        """Return the kinematics at q, or at `q0` when left out, in arrays of its own.

        Raises:
            ConfigurationError: As `check_configuration`.
        """
        own = self.q0 if q is None else self.check_configuration(q)
        own.setflags(write=False)  # as where a configuration is kept
        return TreeState(self.name, self.arrays, self.frame_placement, own)

    def forward_kinematics(self, q: ArrayLike, frame: str) -> Array:
        """Return the pose of a frame in {s}, shape (4, 4), position in m."""
        return self.state(q).forward_kinematics(frame)

    def body_jacobian(self, q: ArrayLike, frame: str) -> Array:
        """Return J_b of a frame, shape (6, nv): its body twist (ω, v) per unit of each rate."""
        return self.state(q).body_jacobian(frame)

    def centre_of_mass(self, q: ArrayLike) -> Array:
        """Return the centre of mass of all that moves, in {s}, shape (3,), m."""
        return self.state(q).centre_of_mass()

    def centre_of_mass_jacobian(self, q: ArrayLike) -> Array:
        """Return the Jacobian of the centre of mass in {s}, shape (3, nv), m per unit of each rate."""
        return self.state(q).centre_of_mass_jacobian()

    def integrate(self, q: ArrayLike, v: ArrayLike) -> Array:
        """Return the configuration that is reached from q along the tangent v in unit time, shape (nq,).

        A free joint goes from T to T exp [v]; every other coordinate is added to.

        Raises:
            ConfigurationError: As `check_configuration` and `check_tangent`.
        """
        ahead = np.empty(self.nq)
        tree_kernels.module().integrate(self.q_of_v, self.check_configuration(q), self.check_tangent(v), ahead)
        return ahead

    def difference(self, q_0: ArrayLike, q_1: ArrayLike) -> Array:
        """Return the tangent v that leads from q_0 to q_1 in unit time, shape (nv,): the inverse of `integrate`.

        A free joint gives log(T_0⁻¹ T_1), a continuous joint the short way round, in [−π, π).

        Raises:
            ConfigurationError: As `check_configuration`.
        """
        v, start, end = np.empty(self.nv), self.check_configuration(q_0), self.check_configuration(q_1)
        tree_kernels.module().difference(self.q_of_v, self.arrays.periods, start, end, v)
        return v

    def random_configuration(self, rng: np.random.Generator) -> Array:
        """Return a configuration drawn uniformly from the limits, shape (nq,).

        Where there is no limit, or one beyond 100 turns or 1 km, an angle is drawn from [−π, π] and a way from [−1, 1]
        m; a free joint's position from the cube [−1, 1]³ m and its rotation uniformly from all.

        Raises:
            ParameterError: rng is not a generator.
        """
        if not isinstance(rng, np.random.Generator):
            raise ParameterError(f"rng is {rng!r}; it is a generator, such as numpy.random.default_rng(7)")
        lower, upper = self._sampling_limits.T
        q: Array = rng.uniform(lower, upper)
        for start in self.free_starts:
            quaternion = rng.standard_normal(4)
            q[start + 3 : start + 7] = quaternion / math.sqrt(float(quaternion @ quaternion))
        return q

    @cached_property
    def free_starts(self) -> tuple[int, ...]:
        """Where the seven coordinates of each free joint begin in q."""
        moving = self.q_of_v[self.q_of_v < 0].tolist()
        return tuple(sorted({-1 - i for i in moving if moving.count(i) == 6}))

    @cached_property
    def _sampling_limits(self) -> Array:
        kinds = ["revolute" if is_angle else "prismatic" for is_angle in self.is_angle]
        return finite_limits(self.lower, self.upper, kinds)

    def check_configuration(self, q: ArrayLike) -> Array:
        """Return q as a float64 copy of shape (nq,).

        Raises:
            ConfigurationError: Wrong shape, not finite, or a quaternion that is not of length one.
        """
        array = self._check_vector("q", q, self.nq)
        for start in self.free_starts:
            length = float(np.linalg.norm(array[start + 3 : start + 7]))
            if abs(length - 1.0) > UNIT_TOLERANCE:
                raise ConfigurationError(
                    f"q[{start + 3}:{start + 7}] of {self.name} is a quaternion of length {length:.9g}; it must be 1"
                )
        return array

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
