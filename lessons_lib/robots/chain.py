"""A serial chain: screws, home pose and limits; its kinematics are generated on first use."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, ReadOnly, check_flag, floats, is_real, is_whole
from lessons_lib.codegen.compile_log import show
from lessons_lib.errors import ConfigurationError, ParameterError, TransformError
from lessons_lib.lazy import cached_property
from lessons_lib.lie import adjoint, check_transform
from lessons_lib.other_libraries import no_attribute, suggest_arguments
from lessons_lib.robots import batched_kinematics, chain_module, chain_source, kinematics
from lessons_lib.robots.chain_source import Target
from lessons_lib.robots.coupling import Coupling, default_names, joint_type, row_ranges
from lessons_lib.robots.joint_limits import (
    LIMIT_TOLERANCE,
    characteristic_length,
    check_limits,
    check_rates,
    clip_into_limits,
    finite_limits,
)
from lessons_lib.robots.kernel_check import check_kernel, reference_products
from lessons_lib.robots.load_warnings import warn_about_degrees
from lessons_lib.robots.precompile import compile_all

MAX_LENGTH = 1e100
"""Largest length in a screw or in the home pose [m]; products of a few longer ones overflow."""

MAX_PREPARED = 64

MAX_TARGETS = 10_000_000
"""Largest count of `targets`: these poses take 1.3 GB."""

_UNSUITABLE = (TypeError, ValueError, AttributeError)
"""Raised by a checked kernel if q is not a float64 array of n finite numbers; `batched_kinematics` then reads q."""


@dataclass(frozen=True, eq=False)
class Chain(ReadOnly):
    """A serial open chain of revolute, prismatic and helical joints.

    Created by `from_screws`, `from_dh`, `from_urdf` and the functions of the library.

    >>> from lessons_lib import robots
    >>> robots.ur10()
    Chain('UR10', 6 joints: RRRRRR)
    >>> robots.ur10().joint_names[:2]
    ('shoulder pan', 'shoulder lift')

    Attributes:
        name: For texts; it is never part of generated code.
        screws: Screw axes (ω, v) in {s} at q = 0, shape (6, n), read-only; (6, m) if n coordinates move m joints.
        home: M, pose of {b} in {s} at q = 0, shape (4, 4), read-only.
        limits: Lower and upper bound of each joint, shape (n, 2), rad or m, ±inf for no limit, read-only. Equal
            bounds lock the joint.
        joint_names: n names, for texts.
        joint_types: n times "revolute", "prismatic", "helical" (a rotation with a translation along its axis), or
            "coupled" (a revolution of the coordinate does not bring all its joints back).
        velocity_limits: Bound on each joint's speed, shape (n,), rad/s or m/s, inf if unknown, read-only.
        acceleration_limits: The same for its acceleration, rad/s² or m/s².
        length_unit: Unit of all its lengths, "m" for the arms of the library and for those from a file; None if
            unknown. Only texts depend on it.
        base: Pose of the arm's base frame in {s}, shape (4, 4), set by `on_base`; else None.
        tool: Pose of {b} in the frame to which the tool is fixed, shape (4, 4), set by `with_tool`; else None.
        coupling: How the n coordinates move the m joints, see `Coupling`; None if each moves one joint.
    """

    name: str
    screws: Array
    home: Array
    limits: Array
    joint_names: tuple[str, ...]
    joint_types: tuple[str, ...]
    velocity_limits: Array
    acceleration_limits: Array
    length_unit: str | None = None
    base: Array | None = None
    tool: Array | None = None
    coupling: Coupling | None = None

    def __post_init__(self) -> None:
        """Make the arrays read-only; raise TransformError if the tip is more than MAX_LENGTH away from {s}."""
        if np.abs(self.home).max() > MAX_LENGTH:
            raise TransformError(
                f"home must be at most {MAX_LENGTH:g} {self.unit_in_words} away from {{s}}, got "
                f"{np.abs(self.home).max():g}"
            )
        super().__post_init__()

    @cached_property
    def prepared(self) -> dict[Any, Any]:
        """Data that other packages computed for this chain, by their keys; freed with the chain."""
        return {}

    def prepare(self, key: Any, value: Any) -> None:
        """Store an entry in `prepared` as the newest one, and evict the oldest beyond `MAX_PREPARED`."""
        self.prepared.pop(key, None)
        self.prepared[key] = value
        while len(self.prepared) > MAX_PREPARED:
            with suppress(KeyError, RuntimeError, StopIteration):  # another thread does the same
                del self.prepared[next(iter(self.prepared))]

    @cached_property
    def dof(self) -> int:
        """Number n of coordinates; equal to the number of joints unless they are coupled."""
        return int((self.screws if self.matrix is None else self.matrix).shape[1])

    @property
    def matrix(self) -> Array | None:
        """Matrix A of the coupling, shape (m, n); None without a coupling."""
        return None if self.coupling is None else self.coupling.matrix

    def joint_values(self, q: ArrayLike) -> Array:
        """Return the joint angles or displacements θ = A q + b, shape (m,), rad or m; q itself without a coupling.

        Raises:
            ConfigurationError: q has another shape or is not finite.
        """
        values = self.check_configuration(q)
        return values if self.coupling is None else self.coupling.matrix @ values + self.coupling.offset

    @cached_property
    def uncoupled(self) -> Chain:
        """The chain with one coordinate for each joint, counted from its value at q = 0; self without a coupling.

        The limits of each joint are the range that the limits of the coordinates allow.
        """
        if self.matrix is None:
            return self
        m, kinds = self.screws.shape[1], tuple(map(joint_type, self.screws.T))
        unknown, ranges = np.full(m, np.inf), row_ranges(self.matrix, self.limits)
        return replace(
            self,
            limits=ranges,
            joint_names=default_names(m),
            joint_types=kinds,
            velocity_limits=unknown,
            acceleration_limits=unknown.copy(),
            coupling=None,
        )

    @property
    def joint_units(self) -> tuple[str, ...]:
        """Unit of each coordinate: "rad", or the unit of length for a prismatic joint."""
        return tuple(self.unit_in_words if kind == "prismatic" else "rad" for kind in self.joint_types)

    @property
    def unit_in_words(self) -> str:
        """Unit of length in texts: "m" for instance, or "length units" if it is unknown."""
        return self.length_unit or "length units"

    @cached_property
    def _jacobian_shape(self) -> tuple[int, int]:
        return 6, self.dof

    if not TYPE_CHECKING:  # mypy knows the attributes
        __getattr__ = no_attribute

    def __repr__(self) -> str:
        """Return the name and the joint types, R for revolute, P for prismatic and H for helical."""
        letters = "".join(t[0].upper() for t in self.uncoupled.joint_types)
        moved = "" if self.coupling is None else f" moved by {self.dof} coordinates"
        return f"Chain({self.name!r}, {len(letters)} joints: {letters}{moved})"

    def forward_kinematics(self, q: ArrayLike) -> Array:
        """Return T_sb(q), the pose of {b} in {s}, shape (4, 4), position in m; of k configurations (k, 4, 4).

        >>> from lessons_lib import robots
        >>> robots.planar_2r().forward_kinematics([0, 0])[:3, 3].tolist()
        [2.0, 0.0, 0.0]

        Args:
            q: Configuration, shape (n,), rad or m, or k of them, shape (k, n). It may lie outside the limits.

        Raises:
            ConfigurationError: q has another shape or holds a value that is not finite.

        Source: Lynch & Park (2017), eq. (4.14).
        """
        T = np.empty((4, 4))
        try:
            known = self._checked_pose(q, T)
        except _UNSUITABLE:
            known = False
        return T if known else batched_kinematics.poses(self, q)

    def space_jacobian(self, q: ArrayLike) -> Array:
        """Return J_s(q), which maps joint rates to the space twist.

        Column i is Ad(e^[S_1]q_1 … e^[S_i-1]q_i-1) S_i.

        >>> from lessons_lib import robots
        >>> robots.planar_2r().space_jacobian([0, 0])[:, 1].tolist()
        [0.0, 0.0, 1.0, 0.0, -1.0, 0.0]

        Args:
            q: Configuration, shape (n,), rad or m, or k of them, shape (k, n).

        Returns:
            Shape (6, n), or (k, 6, n), rows (ω, v) in {s}; ω per rad, v in m per rad.

        Raises:
            ConfigurationError: q has another shape or holds a value that is not finite.

        Source: Lynch & Park (2017), Def. 5.1.
        """
        J_s = np.empty(self._jacobian_shape)
        try:
            known = self._checked_space(q, J_s)
        except _UNSUITABLE:
            known = False
        return J_s if known else batched_kinematics.space_jacobians(self, q)

    def body_jacobian(self, q: ArrayLike) -> Array:
        """Return J_b(q) = Ad(T_bs) J_s(q), which maps joint rates to the body twist.

        >>> from lessons_lib import robots
        >>> robots.planar_2r().body_jacobian([0, 0])[:, 1].tolist()
        [0.0, 0.0, 1.0, 0.0, 1.0, 0.0]

        Args:
            q: Configuration, shape (n,), rad or m, or k of them, shape (k, n).

        Returns:
            Shape (6, n), or (k, 6, n), rows (ω, v) in {b}; ω per rad, v in m per rad.

        Raises:
            ConfigurationError: q has another shape or holds a value that is not finite.

        Source: Lynch & Park (2017), Def. 5.2.
        """
        J_b = np.empty(self._jacobian_shape)
        try:
            known = self._checked_body(q, J_b)
        except _UNSUITABLE:
            known = False
        return J_b if known else batched_kinematics.poses_and_jacobians(self, q)[1]

    def pose_and_jacobian(self, q: ArrayLike) -> tuple[Array, Array]:
        """Return T_sb(q), shape (4, 4), and J_b(q), shape (6, n), in one evaluation.

        >>> from lessons_lib import robots
        >>> T, J_b = robots.ur10().pose_and_jacobian([0.3, -1.2, 1.5, -0.6, 1.1, 0.4])
        >>> T.shape, J_b.shape
        ((4, 4), (6, 6))

        Args:
            q: Configuration, shape (n,), rad or m, or k of them, shape (k, n); both results then have a leading k.

        Raises:
            ConfigurationError: q has another shape or holds a value that is not finite.
        """
        T, J_b = np.empty((4, 4)), np.empty(self._jacobian_shape)
        try:
            known = self._checked_chain(q, T, J_b)
        except _UNSUITABLE:
            known = False
        return (T, J_b) if known else batched_kinematics.poses_and_jacobians(self, q)

    def random_configuration(self, rng: np.random.Generator) -> Array:
        """Return a configuration drawn uniformly from the limits, shape (n,).

        A joint without limits is drawn from [−π, π] rad, a prismatic one from [−1, 1] m; see `sampling_limits`.

        >>> import numpy as np
        >>> from lessons_lib import robots
        >>> robots.ur10().random_configuration(np.random.default_rng(1)).shape
        (6,)

        Raises:
            ParameterError: rng is not a generator.
        """
        if not isinstance(rng, np.random.Generator):
            raise ParameterError(f"rng must be a generator, such as numpy.random.default_rng(7), got {rng!r}")
        lower, upper = self.sampling_limits.T
        drawn: Array = rng.uniform(lower, upper)
        return drawn

    def targets(self, count: int, rng: np.random.Generator | None = None) -> tuple[Array, Array]:
        """Return random reachable poses, shape (k, 4, 4), and the configurations that reach them, shape (k, n).

        >>> from lessons_lib import robots
        >>> poses, q = robots.ur10().targets(3)
        >>> poses.shape, q.shape
        ((3, 4, 4), (3, 6))

        Args:
            count: Number k of poses.
            rng: Generator for `random_configuration`; if None, each call returns the same poses.

        Raises:
            ParameterError: `count` is not an integer from 0 to MAX_TARGETS, or rng is not a generator.
        """
        if not is_whole(count) or not 0 <= count <= MAX_TARGETS:
            raise ParameterError(f"count must be an integer from 0 to {MAX_TARGETS:,}, got {count!r}")
        rng = np.random.default_rng(0) if rng is None else rng
        q = np.array([self.random_configuration(rng) for _ in range(count)]).reshape(-1, self.dof)
        return self.forward_kinematics(q), q

    def with_tool(self, tool: ArrayLike) -> Chain:
        """Return this chain with {b} moved to a frame that is fixed to the present {b}.

        >>> from lessons_lib import lie, robots
        >>> arm = robots.planar_2r().with_tool(lie.exp_se3([0, 0, 0, 0.5, 0, 0]))  # 0.5 m along x
        >>> arm.forward_kinematics([0, 0])[:3, 3].tolist()
        [2.5, 0.0, 0.0]

        Args:
            tool: T_bt, pose of the new {b} in the present one, shape (4, 4), position in m.

        Raises:
            TransformError: `tool` is not a pose.
        """
        T_bt = check_transform(tool, "tool")
        return replace(self, home=self.home @ T_bt, tool=T_bt if self.tool is None else self.tool @ T_bt)

    def on_base(self, base: ArrayLike) -> Chain:
        """Return this chain with {s} replaced by a frame of its surroundings.

        >>> from lessons_lib import lie, robots
        >>> arm = robots.planar_2r().on_base(lie.exp_se3([0, 0, 0, 0, 0, 0.7]))  # 0.7 m above the floor
        >>> arm.forward_kinematics([0, 0])[:3, 3].tolist()
        [2.0, 0.0, 0.7]

        Args:
            base: T_ws, pose of the present {s} in the new one, shape (4, 4), position in m.

        Raises:
            TransformError: `base` is not a pose.
        """
        T_ws = check_transform(base, "base")
        base_frame = T_ws if self.base is None else T_ws @ self.base
        return replace(self, screws=adjoint(T_ws) @ self.screws, home=T_ws @ self.home, base=base_frame)

    @suggest_arguments
    def with_limits(
        self,
        position: ArrayLike | None = None,
        velocity: ArrayLike | None = None,
        acceleration: ArrayLike | None = None,
    ) -> Chain:
        """Return this chain with other limits; those that are None do not change.

        >>> from lessons_lib import robots
        >>> robots.planar_2r().with_limits(position=[[-1, 1], [0, 2]]).limits.tolist()
        [[-1.0, 1.0], [0.0, 2.0]]

        Args:
            position: Shape (n, 2), rows (lower, upper), rad or m, ±inf for no limit. Equal bounds lock the joint. The
                limits of coupled joints are not checked again.
            velocity: Bound on each joint's speed, shape (n,) or one for all, rad/s or m/s, inf for no bound.
            acceleration: The same for its acceleration, rad/s² or m/s².

        Raises:
            LimitsError: Another shape, NaN, lower > upper, or a bound that is not positive; the message names the
                joint.
        """
        names, changes = self.joint_names, dict[str, Any]()
        if position is not None:
            changes["limits"] = check_limits(position, names)
            revolute = (kind == "revolute" for kind in self.joint_types)
            warn_about_degrees(self.name, names, changes["limits"], revolute)
        if velocity is not None:
            changes["velocity_limits"] = check_rates(velocity, names, "velocity")
        if acceleration is not None:
            changes["acceleration_limits"] = check_rates(acceleration, names, "acceleration")
        return replace(self, **changes)

    @cached_property
    def length(self) -> float:
        """Characteristic length of the arm, m, a power of 32: 1 from 0.25 to 8 m. It scales with the unit of length."""
        free = self.uncoupled
        return characteristic_length(free.screws, free.home, free.limits, free.joint_types)

    @cached_property
    def sampling_limits(self) -> Array:
        """The limits, shape (n, 2), each missing one replaced by a finite bound: π rad or one `length` from zero.

        If only one limit is missing, its substitute is at least one revolution or two lengths away from the other. A
        limit beyond 100 revolutions, 1000 lengths (prismatic) or 1e5 rad (helical) counts as missing.
        """
        bounds = finite_limits(self.limits[:, 0], self.limits[:, 1], self.joint_types, self.length)
        bounds.setflags(write=False)
        return bounds

    def check_configuration(self, q: ArrayLike) -> Array:
        """Return q as a float64 copy of shape (n,).

        >>> from lessons_lib import robots
        >>> robots.planar_2r().check_configuration([1, 2]).dtype
        dtype('float64')

        Raises:
            ConfigurationError: q has another shape or holds a value that is not finite.
        """
        array = floats(q, f"q of {self.name} must be {self.dof} numbers", ConfigurationError)
        if array.shape != (self.dof,):
            raise ConfigurationError(f"q of {self.name} must have shape ({self.dof},), got {array.shape}")
        if not all(map(math.isfinite, array.tolist())):
            raise ConfigurationError(f"q of {self.name} must be finite, got {array.tolist()}")
        return array

    def check_within_limits(self, q: ArrayLike, tolerance: float = LIMIT_TOLERANCE) -> Array:
        """Return q as a float64 copy of shape (n,), clipped into the limits.

        >>> from lessons_lib import robots
        >>> robots.panda().check_within_limits(robots.panda().limits[:, 1] + 1e-8)[0].item()
        2.8973

        Args:
            q: Configuration, shape (n,), rad or m.
            tolerance: Largest excess over a limit, rad or m, relative to a limit above 1. The default covers the
                rounding of a float32 value.

        Raises:
            ConfigurationError: As `check_configuration`, or a joint exceeds its limits by more; the message names the
                joint, its value, its limits and the excess.
            ParameterError: The tolerance is negative or not finite.
        """
        array = self.check_configuration(q)
        if not is_real(tolerance) or not 0.0 <= tolerance < math.inf:
            raise ParameterError(f"tolerance must be finite, zero or more, in rad or m, got {tolerance!r}")
        return clip_into_limits(array, self.limits, self.joint_names, self.name, tolerance, self.joint_types)

    def compile(self, report: Callable[[str], None] | None = None) -> None:
        """Compile kinematics, solves, batches, paths and the steps of differential IK, once for each user.

        The next process loads them from the cache. Without this call each is compiled on first use, as is code for
        rarer methods; pose_ik/precompile.py lists what is compiled here.

        Args:
            report: Called with a line before each compilation; None prints to stderr on a terminal.
        """
        compile_all(self, report or show)

    def source(self, target: Target, solver: bool = False, all_solutions: bool = False, **options: Any) -> str:
        """Return the generated code of this chain's kinematics; its header explains the functions.

        >>> from lessons_lib import robots
        >>> text = robots.planar_2r().source("c")
        >>> "void pose_kernel(" in text
        True

        Args:
            target: "numpy" (vectorised), "scalar" (scalar, for the compiler), "javascript" (for a browser), "c" (C99,
                which needs only <math.h>) or "array_api" (for any array library of that standard; JAX can trace,
                differentiate and compile it).
            solver: Whether to print a whole solver, in "c" for a controller, or in "javascript": no allocation, bounded
                time.
            all_solutions: Whether to print `pose_ik.all_solutions` instead, in the same languages: for six revolute
                joints with a closed form, and for seven, of which each call locks one to leave such a form.
            options: The problem of the solver, as in `pose_ik.solve`: goal, method, starts (not AllBranches), stop; and
                `evaluations`, the largest number of evaluations in a call.

        Raises:
            CodegenError: Unknown target; a solver or all solutions for another target than these two; a method in
                Python; an arm without a closed form.
            ParameterError: A part of the problem is invalid, or both a solver and all solutions are requested.
        """
        if check_flag("all_solutions", all_solutions):
            if solver or options:
                raise ParameterError("all_solutions=True takes no solver and no options of one; print them separately")
            return chain_source.all_solutions(self, target)
        if options and not check_flag("solver", solver):
            raise ParameterError(f"{', '.join(options)} needs solver=True; without it only the kinematics are printed")
        text = chain_source.solver if check_flag("solver", solver) else chain_source.source
        return text(self, target, **options)

    @property
    def recipe(self) -> str:
        """Key of the generated code: chains with equal recipes share one generated module."""
        return kinematics.recipe(self.screws, self.home, self.matrix)

    @cached_property
    def kernels(self) -> ModuleType:
        """The generated module with pose_kernel(q, T), chain_kernel(q, T, J_b) and space_kernel(q, T, J_s).

        space_kernel is derived on first use.

        Raises:
            KinematicsError: The derived kernels differ from the product of exponentials of this chain.
        """
        return chain_module.load(self.name, self.screws, self.home, self, self.prepared, self.matrix)

    @cached_property
    def _checked_pose(self) -> Any:
        return self._load_checked("checked_pose_kernel", T=(4, 4))

    @cached_property
    def _checked_space(self) -> Any:
        return self._load_checked("checked_space_kernel", J_s=self._jacobian_shape)

    @cached_property
    def _checked_body(self) -> Any:
        return self._load_checked("checked_body_kernel", J_b=self._jacobian_shape)

    @cached_property
    def _checked_chain(self) -> Any:
        return self._load_checked("checked_chain_kernel", T=(4, 4), J_b=self._jacobian_shape)

    def _load_checked(self, name: str, **shapes: tuple[int, int]) -> Any:
        """Return a kernel that checks q, after comparing it with `reference_products`."""
        kernel = getattr(self.kernels, name).specialize("f1", *["f2"] * len(shapes))
        for known in reference_products(self.screws, self.home, self.matrix):
            outputs = {what: np.empty(shape) for what, shape in shapes.items()}
            kernel(known.q, *outputs.values())
            check_kernel(known, **outputs, what=name)
        return kernel

    @property
    def kernel(self) -> Callable[[Array, Array, Array], None]:
        """The compiled chain_kernel(q, T, J_b): writes T_sb and J_b into the given arrays without checks."""
        kernel: Any = self.kernels.chain_kernel
        return kernel  # type: ignore[no-any-return]
