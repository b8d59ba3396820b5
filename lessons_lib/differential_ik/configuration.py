"""A robot at a configuration, with its kinematics computed."""

import logging
import math
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib import lie
from lessons_lib.arrays import Array, Integers, check_flag, floats
from lessons_lib.codegen.plain_files import compiled
from lessons_lib.collisions import CollisionModel, Distances
from lessons_lib.differential_ik import arguments, kernels
from lessons_lib.differential_ik.errors import NotWithinConfigurationLimits
from lessons_lib.errors import ConfigurationError, ParameterError
from lessons_lib.other_libraries import suggest_arguments
from lessons_lib.robots import Tree
from lessons_lib.robots.arguments import check_tree

if TYPE_CHECKING:
    from lessons_lib.robots.tree_loops import integrate


@suggest_arguments
class Configuration:
    """A robot at a configuration q, with its kinematics computed.

    q and velocities belong to different spaces. A floating base has seven numbers in q, position (m) and unit
    quaternion (x, y, z, w), and six in the tangent space, its twist (ω, v) in its own frame. Velocities are therefore
    integrated by `integrate`, not added to q.

    >>> from lessons_lib import differential_ik as dik, robots
    >>> at = dik.Configuration(robots.load_urdf(robots.urdf_file("ur10")), [0.3, -1.2, 1.5, -0.6, 1.1, 0.4])
    >>> at.get_transform_frame_to_world("tool0")[:3, 3].round(3).tolist()
    [-0.781, -0.457, 0.442]

    Attributes:
        model: The robot.
        root_nv: Number of tangent coordinates of the base: 6 if it floats, 3 if it moves in the plane, 0 if it is
            fixed. They come first.
        collision_model: Bodies that must not touch, from `collisions.load_collisions`, or None.
        identity: The identity of the tangent space, shape (nv, nv), read-only.
        kinematic_arrays: Joints, their poses and their twists for compiled code; see `robots.tree_loops`.
    """

    def __init__(
        self, model: Tree, q: ArrayLike | None = None, *, collision_model: CollisionModel | None = None
    ) -> None:
        """Set the robot, the configuration (by default the neutral one), and the bodies for a `SelfCollisionBarrier`.

        Raises:
            ParameterError: model is not a tree, or collision_model is not a collision model.
            ConfigurationError: q has another shape or is not finite.
        """
        check_tree(model)
        if not (collision_model is None or isinstance(collision_model, CollisionModel)):
            raise ParameterError(
                f"collision_model must come from collisions.load_collisions(…), got {collision_model!r}"
            )
        self.model = model
        self.collision_model = collision_model
        self._set_up(model.q0.copy() if q is None else model.check_configuration(q))

    def _set_up(self, q: Array) -> None:
        """Make the arrays for compiled code and set a checked configuration."""
        model = self.model
        moves = model.joint_names[:1] == ("root_joint",) and model.q_of_v[0] < 0
        self.root_nv = int(np.count_nonzero(model.q_of_v == model.q_of_v[0])) if moves else 0
        self.identity = np.eye(model.nv)
        self.identity.setflags(write=False)
        self._state = model.state(q)
        self.kinematic_arrays = (model.arrays.joints, self._state.poses, self._state.twists)
        self._set_q(q)

    def __getstate__(self) -> dict[str, Any]:
        """Return the state without arrays for compiled code."""
        state = dict(self.__dict__)
        for name in ("root_nv", "identity", "kinematic_arrays", "_state", "_distances"):
            del state[name]
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore a state and make the arrays for compiled code."""
        self.__dict__.update(state)
        self._set_up(self._q)

    @property
    def q(self) -> Array:
        """The configuration, shape (nq,), read-only; `update` and `integrate_inplace` replace it."""
        return self._q

    def update(self, q: ArrayLike | None = None) -> None:
        """Move the robot to another configuration, shape (nq,), and compute its kinematics.

        Raises:
            ConfigurationError: q has another shape or is not finite.
        """
        if q is not None:
            self._set_q(self.model.check_configuration(q))

    def _set_q(self, q: Array) -> None:
        """Set a checked configuration."""
        q.setflags(write=False)
        self._q = q
        self._distances: Distances | None = None
        self._state.update(q)

    def check_limits(self, tol: float = 1e-6, safety_break: bool = True) -> None:
        """Check that the joints are within their limits, also those of zero width; a floating base has none.

        Args:
            tol: Largest allowed excess over a limit, rad or m.
            safety_break: Whether to raise an error for the first joint outside, or to log a warning for each.

        Raises:
            NotWithinConfigurationLimits: A joint is outside, and safety_break is set.
        """
        if safety_break is not True and safety_break is not False:
            safety_break = check_flag("safety_break", safety_break)
        lower, upper = self.model.lower, self.model.upper
        if kernels.module().is_within(self._q, lower, upper, arguments.between(tol, "tol", 0.0, math.inf)):
            return
        outside = (self._q < lower - tol) | (self._q > upper + tol)
        for i in np.flatnonzero(outside).tolist():
            value, bounds = float(self._q[i]), (float(lower[i]), float(upper[i]))
            error = NotWithinConfigurationLimits(i, self.model.q_names[i], value, *bounds)
            if safety_break:
                raise error
            logging.getLogger(__name__).warning("%s", error)

    def get_frame_jacobian(self, frame: str) -> Array:
        """Return J_b, shape (6, nv), rows (ω, v) in the frame itself: V_b = J_b v.

        Raises:
            FrameNotFound: The robot has no such frame.
        """
        return self._state.body_jacobian(self.model.frame(frame))

    def get_velocity_jacobian(self, frame: str) -> Array:
        """Return R_sb times the lower half of J_b, shape (3, nv): the velocity of the frame's origin in the world.

        Raises:
            FrameNotFound: The robot has no such frame.
        """
        return self.get_transform_frame_to_world(frame)[:3, :3] @ self.get_frame_jacobian(frame)[3:]

    def get_transform_frame_to_world(self, frame: str) -> Array:
        """Return T_sb, the pose of a frame in the world, shape (4, 4), m.

        Raises:
            FrameNotFound: The robot has no such frame.
        """
        return self._state.forward_kinematics(self.model.frame(frame))

    def get_transform(self, source: str, dest: str) -> Array:
        """Return the pose of the frame `source` in the frame `dest`, shape (4, 4), m.

        Raises:
            FrameNotFound: The robot lacks one of the frames.
        """
        T_dest, T_source = (self.get_transform_frame_to_world(frame) for frame in (dest, source))
        return lie.inverse(T_dest) @ T_source

    def frame_arrays(self, frame: str) -> tuple[int, Array]:
        """Return the joint that carries a frame and the frame's pose in it, for compiled code."""
        return self.model.frame_placement(frame if type(frame) is str else self.model.frame(frame))

    def distances(self) -> Distances:
        """Return the distances between the bodies of the collision model, computed at the first call.

        Raises:
            ParameterError: There is no collision model.
        """
        if self.collision_model is None:
            raise ParameterError(
                f"this configuration of {self.model.name} has no collision model; make it with "
                "Configuration(model, q, collision_model=collisions.load_collisions(…))"
            )
        if self._distances is None:
            self._distances = self.collision_model.distances(self.get_transform_frame_to_world)
        return self._distances

    def get_center_of_mass(self) -> Array:
        """Return the centre of mass in the world, shape (3,), m."""
        return self._state.centre_of_mass()

    def get_center_of_mass_jacobian(self) -> Array:
        """Return the Jacobian of the centre of mass, shape (3, nv), m per rad or m, along the world's axes."""
        return self._state.centre_of_mass_jacobian()

    def integrate(self, velocity: ArrayLike, dt: float) -> Array:
        """Return the configuration after moving at a velocity, shape (nq,).

        Args:
            velocity: In the tangent space, shape (nv,): rad/s or m/s; of a floating base (ω, v) in its own frame.
            dt: Duration, s; negative to go back.

        Raises:
            ParameterError: The velocity has another shape, or the velocity or the duration is not finite.
        """
        q_of_v, ahead = self.model.q_of_v, np.empty(len(self._q))
        duration = dt if type(dt) is float else arguments.number(dt, "dt")
        v = velocity if type(velocity) is np.ndarray else arguments.vector(velocity, "velocity", len(q_of_v)).copy()
        if v.dtype != np.float64 or v.shape != q_of_v.shape or not v.flags.c_contiguous:
            v = arguments.vector(velocity, "velocity", len(q_of_v)).copy()  # writable for compiled code
        if kernels.module().advance(q_of_v, self._q, v, duration, ahead):
            return ahead
        arguments.number(dt, "dt")
        arguments.vector(velocity, "velocity", len(q_of_v))
        raise ParameterError(f"velocity * dt must be finite, got {np.abs(v).max():g} * {duration:g}")

    def integrate_inplace(self, velocity: ArrayLike, dt: float) -> None:
        """Move the robot at a velocity.

        Raises:
            ParameterError: The velocity has another shape, or the velocity or the duration is not finite.
        """
        self._set_q(self.integrate(velocity, dt))

    def __repr__(self) -> str:
        """Return the robot's name and the configuration."""
        return f"Configuration({self.model.name!r}, q={np.array2string(self._q, precision=4, separator=', ')})"


def custom_configuration_vector(robot: Tree, /, **joints: ArrayLike) -> Array:
    """Return the neutral configuration with some joints set, shape (nq,).

    >>> from lessons_lib import differential_ik as dik, robots
    >>> tree = robots.load_urdf(robots.urdf_file("ur10"))
    >>> dik.custom_configuration_vector(tree, elbow_joint=0.5).tolist()
    [0.0, 0.0, 0.5, 0.0, 0.0, 0.0]

    Args:
        robot: The robot.
        **joints: Values by the names of the joints, rad or m: one number each, seven for a free joint and three for a
            planar one. A name that is not a Python identifier is passed as `**{"left-knee": 0.4}`.

    Raises:
        ParameterError: `robot` is not a tree, or has no moving joint of that name.
        ConfigurationError: A joint gets a wrong number of values, or the result is not a configuration.
    """
    check_tree(robot, "robot")
    q = robot.q0.copy()
    for name, value in joints.items():
        place = robot.joint_slices(name)[0]
        values = floats(value, f"{name} must be numbers", ConfigurationError).reshape(-1)
        size = place.stop - place.start
        if values.size != size:
            raise ConfigurationError(f"the number of values of joint {name!r} must be {size}, got {values.tolist()}")
        q[place] = values
    return robot.check_configuration(q)


@suggest_arguments
def get_joint_idx(model: Tree, joint_name: str) -> tuple[int, int]:
    """Return the first index of a joint in q and in v.

    >>> from lessons_lib import differential_ik as dik, robots
    >>> dik.get_joint_idx(robots.load_urdf(robots.urdf_file("ur10")), "elbow_joint")
    (2, 2)

    Args:
        model: Tree of the robot.
        joint_name: Name of one of its moving joints.

    Raises:
        ParameterError: `model` is not a tree, or has no moving joint of that name.
    """
    check_tree(model)
    in_q, in_v = model.joint_slices(joint_name)
    return in_q.start, in_v.start


@compiled
def advance(q_of_v: Integers, q: Array, velocity: Array, dt: float, ahead: Array) -> bool:
    """Write the configuration reached from q in dt, and return whether the step is finite."""
    step = np.empty(velocity.size)
    finite = True
    for i in range(velocity.size):
        step[i] = velocity[i] * dt
        finite = finite and math.isfinite(step[i])
    if finite:
        integrate(q_of_v, q, step, ahead)
    return finite


@compiled
def is_within(q: Array, lower: Array, upper: Array, tolerance: float) -> bool:
    """Return whether every value is within its limits; NaN is not."""
    for i in range(q.size):
        if not lower[i] - tolerance <= q[i] <= upper[i] + tolerance:
            return False
    return True


def check_configuration(value: object) -> None:
    """Raise ParameterError unless the value is a `Configuration`."""
    if not isinstance(value, Configuration):
        raise ParameterError(f"configuration must be a Configuration(model, q), got a {type(value).__name__}")
