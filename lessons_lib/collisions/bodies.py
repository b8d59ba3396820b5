"""Collision geometry: capsules and spheres, in closed form; boxes and meshes as obstacles, by coal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, check_string, floats, is_real, is_whole
from lessons_lib.collisions.urdf_bodies import WORLD, CollisionBody, pose_along
from lessons_lib.errors import ParameterError
from lessons_lib.lie import check_transform
from lessons_lib.paths import input_file
from lessons_lib.robots.arguments import check_chain
from lessons_lib.robots.chain import Chain
from lessons_lib.robots.stick_figure import skeleton


@dataclass(frozen=True, eq=False)
class Capsule:
    """All that is within a radius of a segment.

    Attributes:
        a: One end of the segment, shape (3,), m, read-only.
        b: The other end, shape (3,), m, read-only; of a sphere it is a.
        radius: Zero or more, m.
        name: For people, and for `skip` of a scene.
    """

    a: Array
    b: Array
    radius: float
    name: str = ""

    def __post_init__(self) -> None:
        """Refuse what is no capsule.

        Raises:
            ParameterError: An end is not three finite numbers, or the radius is negative or not finite.
        """
        for end in ("a", "b"):
            object.__setattr__(self, end, _numbers(getattr(self, end), f"{end} of capsule {self.name!r}", 3))
        radius = float(_numbers([self.radius], f"the radius of capsule {self.name!r}", 1)[0])
        if radius < 0.0:
            raise ParameterError(f"the radius of capsule {self.name!r} is {radius!r}; it must be zero or more")
        object.__setattr__(self, "radius", radius)

    @property
    def row(self) -> Array:
        """An end, the way to the other one, and the radius, shape (7,)."""
        return np.array([*self.a, *(self.b - self.a), self.radius])

    def moved(self, T: ArrayLike) -> Capsule:
        """Return the capsule, given in a frame whose pose is T, shape (4, 4), in the frame of T."""
        pose = check_transform(T, "T")
        a, b = (pose[:3, :3] @ end + pose[:3, 3] for end in (self.a, self.b))
        return Capsule(a, b, self.radius, self.name)

    def body(self, frame: str) -> CollisionBody:
        """Return it as a body of a `CollisionModel`, its ends given in a frame of the robot."""
        u = self.b - self.a
        sizes = (self.radius, float(np.linalg.norm(u)))
        return CollisionBody(self.name, frame, pose_along(self.a, u), "capsule", sizes)


def sphere(centre: ArrayLike, radius: float, name: str = "") -> Capsule:
    """Return a sphere: a capsule whose segment has no length.

    Args:
        centre: Shape (3,), m.
        radius: Zero or more, m.
        name: For people.

    Raises:
        ParameterError: As `Capsule`.
    """
    check_string("name", name)
    at = _numbers(centre, f"the centre of sphere {name!r}", 3)
    return Capsule(at, at, radius, name)


def box(size: ArrayLike, pose: ArrayLike, name: str = "") -> CollisionBody:
    """Return a box that stands still; its distances are coal's.

    Args:
        size: Its three edges, m.
        pose: Of its middle, in {s}, shape (4, 4).
        name: For people.

    Raises:
        ParameterError: An edge is not positive.
        TransformError: The pose is none.
    """
    check_string("name", name)
    edges = _numbers(size, f"the size of box {name!r}", 3)
    if not (edges > 0.0).all():
        raise ParameterError(f"the size of box {name!r} is {edges.tolist()}; each edge must be positive")
    return CollisionBody(name, WORLD, check_transform(pose, "pose"), "box", tuple(edges.tolist()))


def mesh(file: str | Path, pose: ArrayLike, scale: ArrayLike = (1.0, 1.0, 1.0), name: str = "") -> CollisionBody:
    """Return a mesh that stands still; its distances are coal's.

    Args:
        file: An STL, OBJ or DAE.
        pose: In {s}, shape (4, 4).
        scale: Along x, y and z.
        name: For people.

    Raises:
        ParameterError: There is no such file, it is a folder, or the scale is not three numbers.
        TransformError: The pose is none.
    """
    path = input_file(file, name="file")
    check_string("name", name)
    sizes = _numbers(scale, f"the scale of mesh {name!r}", 3)
    return CollisionBody(name, WORLD, check_transform(pose, "pose"), "mesh", tuple(sizes.tolist()), path)


def fitted_links(
    chain: Chain, radius: float | Sequence[float], aside: Mapping[int, float] | None = None
) -> tuple[tuple[int, Capsule], ...]:
    """Return a capsule for each straight piece of an arm between its axes, with the number of joints that move it.

    They run from axis to axis along their common normals, as `plots.draw_arm` draws the arm; a real arm is thicker in
    some places, so choose the radius such that its shape is inside. Bodies of the base, which no joint moves, have
    the number 0. What a joint that slides pulls out has no body.

    Args:
        chain: The arm.
        radius: One for all, or one for the base and each link, n + 1 of them, m.
        aside: How far a link goes along the axis of a joint, counted from zero, m, before it leaves it: along parallel
            axes that may be anywhere.

    Returns:
        Pairs (number of joints, capsule in {s} at q = 0), from the base to the tip; a capsule's name is "link 2".

    Raises:
        ParameterError: Another number of radii, or one that is negative; or `aside` is for no joint, or no length.
    """
    check_chain(chain)
    chain = chain.uncoupled
    if not isinstance(aside, Mapping | None) or not all(
        is_whole(joint) and joint in range(chain.dof) and is_real(far) and np.isfinite(far)
        for joint, far in (aside or {}).items()
    ):
        raise ParameterError(
            f"aside is {aside!r}; it needs a length for each joint that it names, 0 to {chain.dof - 1}: {{2: 0.1}}"
        )
    radii = floats(radius, "radius must be a number or a sequence of numbers", ParameterError)
    if radii.shape not in ((), (chain.dof + 1,)):
        raise ParameterError(f"radius has shape {radii.shape}; give one, or {chain.dof + 1} for the base and each link")
    radii, drawn = np.broadcast_to(radii, (chain.dof + 1,)), skeleton(chain, aside)
    slides = {k + 1 for k, kind in enumerate(chain.joint_types) if kind != "revolute"}
    found = []
    for k in range(len(drawn.corners) - 1):
        first, link = drawn.carriers[k : k + 2].tolist()
        a, b = drawn.corners[k : k + 2]
        if np.linalg.norm(b - a) > 0.0 and not slides.intersection(range(first + 1, link + 1)):
            found.append((link, Capsule(a, b, float(radii[link]), f"link {link}")))
    return tuple(found)


def _numbers(value: ArrayLike, what: str, count: int) -> Array:
    """Return finite numbers as a read-only array."""
    array = floats(value, f"{what} must be {count} numbers", ParameterError)
    if array.shape != (count,) or not np.isfinite(array).all():
        raise ParameterError(f"{what} must be {count} finite numbers, got {value!r}")
    array.setflags(write=False)
    return array
