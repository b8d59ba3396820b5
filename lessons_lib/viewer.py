"""A robot in the browser, moved by your program, with targets that can be dragged there and read here.

It is drawn by viser (extra `[viewer]`). meshcat has no sliders and no frames that can be dragged and read back, and
needs IPython, ZeroMQ and a tunnel.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import redirect_stdout
from importlib import import_module
from pathlib import Path as File
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib import lie
from lessons_lib.arrays import Array, floats, is_whole
from lessons_lib.collisions.urdf_bodies import CollisionBody, read_bodies
from lessons_lib.differential_ik import Configuration
from lessons_lib.errors import ConfigurationError, ParameterError
from lessons_lib.extras import need
from lessons_lib.other_libraries import suggest_arguments
from lessons_lib.plots.solids import capsule, drum
from lessons_lib.robots import Chain, Tree
from lessons_lib.robots.stick_figure import prefixes, skeleton
from lessons_lib.robots.tree_layout import PARENT
from lessons_lib.trajectories import Follower, JerkLimited, Path, Trajectory

__all__ = ["Target", "Viewer", "show"]

ROD, MOTOR, SHELL = (217, 224, 230), (54, 68, 84), (191, 201, 210)
"""Colours of generated links and joints, and of shapes without a colour."""

THICKNESS = 0.025
"""Radius of a generated link relative to the robot's length."""

PICTURE = 0.02
"""Time between two pictures, s."""

Played = Path | Trajectory | JerkLimited
"""Motions with a slider."""

MAX_PORT = 65_535
"""Largest port of TCP."""

LAMP = 10.0
"""Height of the light above the origin, m, for vertical shadows."""


@suggest_arguments
def show(
    robot: Chain | Tree | Configuration | Path | Trajectory | JerkLimited,
    q: ArrayLike | Path | Trajectory | JerkLimited | None = None,
    *,
    urdf: str | File | None = None,
    package_dirs: Iterable[str | File] = (),
    port: int = 8080,
) -> Viewer:
    """Start a server for this machine alone, and draw a robot; a browser shows it at the viewer's `address`.

    >>> from lessons_lib import robots, viewer
    >>> view = viewer.show(robots.ur10(), [0.3, -1.2, 1.5, -0.6, 1.1, 0.4])
    >>> view.address.startswith("http://127.0.0.1:")
    True
    >>> view.stop()

    The server stops with your program; `Viewer.wait` keeps the program running.

    Args:
        robot: A chain or a tree, drawn at q; a configuration; a path, drawn at its first waypoint, with a slider for
            the waypoints; or a motion in time, drawn at its beginning, with a slider for the time.
        q: Configuration, shape (n,), rad or m; or a path or a motion of the robot; by default zeros, or the tree's
            neutral configuration.
        urdf: The file or string of the tree, for its shapes; without it rods and drums are drawn. A shape without a
            surface is skipped with a warning.
        package_dirs: Folders that contain the folder `name` of "package://name/…".
        port: Port of the address; if it is taken, the next free one.

    Raises:
        MissingExtra: viser is not installed, or pycollada for a mesh in *.dae.
        ParameterError: `robot` has another type, or `urdf` is given for a chain.
        ConfigurationError: q does not fit the robot.
        UrdfError: The shapes cannot be read.
    """
    need("viewer", "viewer.show", "viser")
    played = robot if isinstance(robot, Played) else q if isinstance(q, Played) else None
    if isinstance(robot, Played):
        robot = robot.chain
    if isinstance(robot, Configuration):
        q = robot.q if q is None else q
        robot = robot.model
    if not isinstance(robot, Chain | Tree):
        kind = type(robot).__name__
        raise ParameterError(f"robot must be a chain, tree, configuration, path or motion of an arm, got a {kind}")
    shapes: tuple[CollisionBody, ...] = ()
    if urdf is not None:
        if isinstance(robot, Chain):
            raise ParameterError("urdf needs a tree, got a chain; show the tree of robots.load_urdf(…)")
        shapes = tuple(read_bodies(urdf, robot, package_dirs, "visual"))
    if any(body.kind == "mesh" and str(body.mesh).lower().endswith(".dae") for body in shapes):
        need("viewer", "viewer.show with a mesh in *.dae", "collada")
    if not is_whole(port) or not 1 <= port <= MAX_PORT:
        raise ParameterError(f"port must be a whole number from 1 to {MAX_PORT}, got {port!r}")
    if played is None:
        return Viewer(robot, q, shapes, port)  # type: ignore[arg-type]
    viewer = Viewer(robot, played.q[0] if isinstance(played, Path) else played.at(0.0)[0], shapes, port)
    viewer.play(played)
    return viewer


class Viewer:
    """A robot in the browser. Created by `show`.

    >>> from lessons_lib import robots, viewer
    >>> view = viewer.show(robots.planar_2r())
    >>> view.draw([0.5, 0.8])
    >>> view.q.tolist()
    [0.5, 0.8]
    >>> view.stop()

    Attributes:
        address: Address for the browser.
        robot: The robot.
        q: Its configuration, read-only.
    """

    def __init__(self, robot: Chain | Tree, q: ArrayLike | None, shapes: Iterable[CollisionBody], port: int) -> None:
        """Start a server for this machine alone, and draw the robot."""
        import viser

        with redirect_stdout(None):  # it would print a table
            self._server: Any = viser.ViserServer(host="127.0.0.1", port=port, verbose=False)
        self.address = f"http://127.0.0.1:{self._server.get_port()}"
        self.robot, self._frames, self._following = robot, dict[str, Any](), list[threading.Event]()
        scene = self._server.scene
        scene.set_up_direction("+z")
        scene.add_grid("/floor", width=4.0, height=4.0, cell_size=0.1, section_size=0.5)
        scene.configure_default_lights(cast_shadow=False)  # it slants: its shadows would be far from the robot
        scene.add_light_directional("/lamp", intensity=0.4, cast_shadow=True, position=(0.0, 0.0, LAMP))
        bodies = _shapes(shapes) if shapes else _tree_bodies(robot) if isinstance(robot, Tree) else _arm_bodies(robot)
        for k, (frame, mesh) in enumerate(bodies):
            if frame not in self._frames:
                self._frames[frame] = scene.add_frame(f"/robot/{frame}", show_axes=False)
            _add(scene, f"/robot/{frame}/{k}", mesh)
        if isinstance(robot, Chain):
            self._frames["tip"] = scene.add_frame("/robot/tip", axes_length=0.1, axes_radius=0.004)
        neutral = np.zeros(robot.dof) if isinstance(robot, Chain) else robot.q0
        self.draw(neutral if q is None else q)
        places = np.array([handle.position for handle in self._frames.values()])
        centre, size = (places.min(axis=0) + places.max(axis=0)) / 2.0, max(float(np.ptp(places, axis=0).max()), 0.3)
        self._server.initial_camera.look_at = centre
        self._server.initial_camera.position = centre + size * np.array([1.1, -1.3, 0.8])

    def draw(self, q: ArrayLike) -> None:
        """Move the robot to a configuration, shape (n,), rad or m.

        Raises:
            ConfigurationError: q has another shape or is not finite.
        """
        poses = self.poses(q)
        with self._server.atomic():
            for frame, handle in self._frames.items():
                handle.position = poses[frame][:3, 3]
                handle.wxyz = lie.so3_to_quaternion(poses[frame][:3, :3], order="wxyz")
        self.q: Array = np.array(q, dtype=np.float64)
        self.q.setflags(write=False)

    def poses(self, q: ArrayLike) -> dict[str, Array]:
        """Return the poses in {s} of the drawn parts, shape (4, 4) each, position in m, by name.

        The parts of a tree have the names of their frames. Those of a chain are "link_0" (fixed) and "link_1" to
        "link_n", with their displacements from q = 0, and "tip" with T_sb.

        Args:
            q: Configuration, shape (n,), rad or m.

        Raises:
            ConfigurationError: q has another shape or is not finite.
        """
        if isinstance(self.robot, Tree):
            state = self.robot.state(q)
            return {frame: state.forward_kinematics(frame) for frame in self._frames}
        tip = self.robot.forward_kinematics(q)
        links = prefixes(self.robot, np.asarray(q, dtype=np.float64))
        return {**{f"link_{k}": pose for k, pose in enumerate(links)}, "tip": tip}

    def play(self, q: ArrayLike | Path | Trajectory | JerkLimited, seconds: float | None = None) -> None:
        """Add a slider for configurations, or for the time of a motion, and a button that plays it.

        Args:
            q: Configurations, shape (k, n), rad or m, or a path; at NaN, such as an untried waypoint, the robot does
                not move. Or a motion, whose slider is its time in s.
            seconds: Duration of playing, s; by default 5 s, or the duration of the motion.

        Raises:
            ConfigurationError: There is no configuration, or they are not rows of numbers.
        """
        if isinstance(q, Trajectory | JerkLimited):
            slider = self._server.gui.add_slider("time [s]", min=0.0, max=q.duration, step=1e-3, initial_value=0.0)
            self._connect(slider, lambda t: q.at(t)[0], q.duration if seconds is None else seconds)
            return
        configurations = q.q if isinstance(q, Path) else q
        rows = floats(configurations, "q must be configurations, shape (k, n)", ConfigurationError)
        if rows.ndim != 2 or len(rows) == 0:
            raise ConfigurationError(f"q must be configurations, shape (k, n) with k ≥ 1, got shape {rows.shape}")
        slider = self._server.gui.add_slider("waypoint", min=1, max=max(len(rows), 2), step=1, initial_value=1)
        self._connect(slider, lambda number: rows[min(number, len(rows)) - 1], 5.0 if seconds is None else seconds)

    def _connect(self, slider: Any, configuration_at: Callable[[Any], Array], seconds: float) -> None:
        """Draw the configuration at the slider's value, and add a button that moves it through its range."""

        @slider.on_update  # type: ignore[untyped-decorator]
        def _(event: Any) -> None:
            q = configuration_at(slider.value)
            if np.isfinite(q).all():
                self.draw(q)

        @self._server.gui.add_button("play").on_click  # type: ignore[untyped-decorator]
        def _(event: Any) -> None:
            begun, kind, width = time.monotonic(), type(slider.min), slider.max - slider.min
            while (passed := (time.monotonic() - begun) / seconds) < 1.0:
                slider.value = kind(slider.min + passed * (width + slider.step * (kind is int)))
                time.sleep(PICTURE)
            slider.value = slider.max

    def target(self, pose: ArrayLike, name: str = "target") -> Target:
        """Show a frame that can be dragged, and return it.

        Args:
            pose: Its initial pose, shape (4, 4), position in m.
            name: Name of the frame, different for each target.

        Raises:
            TransformError: `pose` is not a pose.
        """
        T = lie.check_transform(pose, "pose")
        wxyz = lie.so3_to_quaternion(T[:3, :3], order="wxyz")
        return Target(self._server.scene.add_transform_controls(f"/{name}", 0.25, position=T[:3, 3], wxyz=wxyz))

    def follow(self, target: Target, follower: Follower) -> threading.Event:
        """Let the robot follow a target in real time, within the limits of its joints, in a thread.

        Args:
            target: The target.
            follower: Follower of the robot; it makes as many steps as fit between two pictures.

        Returns:
            An event that stops the robot when it is set; stopping the viewer sets it.
        """
        ended, ticks = threading.Event(), max(1, round(PICTURE / follower.dt))
        self._following.append(ended)

        def run() -> None:
            while not ended.wait(ticks * follower.dt):
                pose, before = target.pose, follower.q
                for _ in range(ticks):
                    follower.step(pose)
                if not np.array_equal(follower.q, before):
                    self.draw(follower.q)

        threading.Thread(target=run, daemon=True).start()
        return ended

    def wait(self) -> None:
        """Wait until Ctrl-C, then stop; the last line of a script."""
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            self.stop()

    def stop(self) -> None:
        """Stop the server; browsers keep showing the last picture."""
        for ended in self._following:
            ended.set()
        with redirect_stdout(None):
            self._server.stop()


class Target:
    """A frame in the browser that can be dragged. Created by `Viewer.target`."""

    def __init__(self, handle: Any) -> None:
        """Store the transform control of viser."""
        self._handle, self._busy, self._moved = handle, threading.Lock(), False

    @property
    def pose(self) -> Array:
        """Its current pose, shape (4, 4), position in m."""
        R = lie.quaternion_to_so3(self._handle.wxyz, order="wxyz")
        return lie.pose(R, self._handle.position)

    def moved(self, follow: Callable[[Array], object]) -> Callable[[Array], object]:
        """Call a function with the pose whenever the frame is dragged.

        It runs in a thread of the viewer, one call at a time: all moves during a call lead to one further call, with
        the last pose.

        Args:
            follow: Function of the pose, shape (4, 4), position in m. It is returned, so that `@target.moved` is a
                decorator.
        """

        @self._handle.on_update  # type: ignore[untyped-decorator]
        def _(event: Any) -> None:
            self._moved = True
            while self._moved and self._busy.acquire(blocking=False):
                self._moved = False
                try:
                    follow(self.pose)
                finally:
                    self._busy.release()

        return follow


def _arm_bodies(chain: Chain) -> Iterator[tuple[str, Any]]:
    """Yield rods between the corners of an arm and drums on its joints, in {s} at q = 0, with their carriers."""
    body = skeleton(chain)
    radius = THICKNESS * max(body.reach, 0.1)
    for k in range(1, len(body.corners)):
        start, end = body.corners[k - 1], body.corners[k]
        if np.linalg.norm(end - start) > 1e-6:
            yield f"link_{body.carriers[k]}", (capsule(start, end, (radius, radius)), ROD)
    for i, corner in enumerate(body.joints):
        axis = chain.screws[:3, i] if chain.screws[:3, i].any() else chain.screws[3:, i]
        yield f"link_{i + 1}", (drum(body.corners[corner], axis, 1.3 * radius, 3.2 * radius), MOTOR)


def _tree_bodies(tree: Tree) -> Iterator[tuple[str, Any]]:
    """Yield rods from each joint to the next ones and to its frames, and balls on the joints."""
    first: dict[int, tuple[str, Array]] = {}
    ends: dict[int, list[Array]] = {}
    for frame in tree.frame_names:
        joint, placement = tree.frame_placement(frame)
        first.setdefault(joint, (frame, placement))
        ends.setdefault(joint, []).append(placement[:3, 3])
    for row, placement in zip(tree.arrays.joints, tree.arrays.placements, strict=True):
        ends.setdefault(int(row[PARENT]), []).append(placement[:3, 3])
    lengths = [float(np.linalg.norm(point)) for points in ends.values() for point in points]
    radius = THICKNESS * max(sum(lengths) / 3.0, 0.1)
    for joint, (frame, placement) in first.items():
        back = lie.inverse(placement)
        at, centre = (back[:3, :3] @ np.array(ends[joint]).T).T + back[:3, 3], back[:3, 3]
        yield frame, (capsule(centre, centre, (1.3 * radius, 1.3 * radius)), MOTOR)
        for point in at:
            if np.linalg.norm(point - centre) > radius:
                yield frame, (capsule(centre, point, (radius, radius)), ROD)


def _shapes(bodies: Iterable[CollisionBody]) -> Iterator[tuple[str, Any]]:
    """Yield the shapes of a URDF as trimesh objects in the frames of their links."""
    trimesh: Any = import_module("trimesh")  # its types are incomplete
    for body in bodies:
        if body.kind == "mesh":
            shape = trimesh.load_scene(str(body.mesh))
            shape.apply_transform(np.diag([*body.sizes, 1.0]))
            shape = shape.to_mesh()
        elif body.kind == "box":
            shape = trimesh.creation.box(extents=body.sizes)
        elif body.kind == "sphere":
            shape = trimesh.creation.icosphere(radius=body.sizes[0])
        else:
            radius, length = body.sizes
            up = np.array([0.0, 0.0, 1.0])
            end = length / 2.0 * up
            capped = body.kind == "capsule"
            quads = capsule(-end, end, (radius, radius)) if capped else drum(0.0 * up, up, radius, length)
            shape = trimesh.Trimesh(*_triangles(quads))
        yield body.frame, shape.apply_transform(body.placement)


def _triangles(quads: Array) -> tuple[Array, np.ndarray]:
    """Return the corners, shape (4 m, 3), and the triangles of quadrilaterals, shape (2 m, 3)."""
    first = 4 * np.arange(len(quads))[:, None]
    return quads.reshape(-1, 3), np.concatenate([first + [0, 1, 2], first + [0, 2, 3]])


def _add(scene: Any, name: str, mesh: Any) -> None:
    """Add a mesh of trimesh, or quadrilaterals with their colour."""
    if isinstance(mesh, tuple):
        corners, faces = _triangles(mesh[0])
        scene.add_mesh_simple(name, corners, faces, color=mesh[1], flat_shading=True)
    elif getattr(mesh.visual, "defined", False):
        scene.add_mesh_trimesh(name, mesh)
    else:
        scene.add_mesh_simple(name, mesh.vertices, mesh.faces, color=SHELL, flat_shading=True)
