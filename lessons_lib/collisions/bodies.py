"""Collision bodies: capsules and spheres with distances in closed form; boxes and meshes as obstacles, by coal."""

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
from lessons_lib.other_libraries import suggest_arguments
from lessons_lib.paths import input_file
from lessons_lib.robots.arguments import check_chain
from lessons_lib.robots.chain import Chain
from lessons_lib.robots.stick_figure import skeleton


@suggest_arguments
@dataclass(frozen=True, eq=False)
class Capsule:
    """All points within a radius of a segment.

    >>> from lessons_lib import collisions
    >>> collisions.Capsule([0, 0, 0], [0, 0, 1], 0.05, "pole").radius
    0.05

    Attributes:
        a: One end of the segment, shape (3,), m, read-only.
        b: The other end, shape (3,), m, read-only; equal to a for a sphere.
        radius: Zero or more, m.
        name: Name in texts and in `Scene.skip`.
    """

    a: Array
    b: Array
    radius: float
    name: str = ""

    def __post_init__(self) -> None:
        """Check and store the fields.

        Raises:
            ParameterError: An end is not three finite numbers, or the radius is negative or not finite.
        """
        for end in ("a", "b"):
            object.__setattr__(self, end, _numbers(getattr(self, end), f"{end} of {_label('capsule', self.name)}", 3))
        radius = float(_numbers([self.radius], f"the radius of {_label('capsule', self.name)}", 1)[0])
        if radius < 0.0:
            raise ParameterError(f"the radius of {_label('capsule', self.name)} must be zero or more, got {radius!r}")
        object.__setattr__(self, "radius", radius)

    @property
    def row(self) -> Array:
        """First end, vector to the second end, and radius, shape (7,)."""
        return np.array([*self.a, *(self.b - self.a), self.radius])

    def moved(self, T: ArrayLike) -> Capsule:
        """Return the capsule, given in a frame with pose T, shape (4, 4), in the frame of T."""
        pose = check_transform(T, "T")
        a, b = (pose[:3, :3] @ end + pose[:3, 3] for end in (self.a, self.b))
        return Capsule(a, b, self.radius, self.name)

    def body(self, frame: str) -> CollisionBody:
        """Return the capsule as a body of a `CollisionModel`, its ends given in a frame of the robot."""
        u = self.b - self.a
        sizes = (self.radius, float(np.linalg.norm(u)))
        return CollisionBody(self.name, frame, pose_along(self.a, u), "capsule", sizes)


@suggest_arguments
def sphere(centre: ArrayLike, radius: float, name: str = "") -> Capsule:
    """Return a sphere, which is a capsule of length zero.

    >>> from lessons_lib import collisions
    >>> collisions.sphere([0.5, 0, 0.4], 0.1, "ball").radius
    0.1

    Args:
        centre: Shape (3,), m.
        radius: Zero or more, m.
        name: Name of the body.

    Raises:
        ParameterError: As `Capsule`.
    """
    check_string("name", name)
    at = _numbers(centre, f"the centre of {_label('sphere', name)}", 3)
    return Capsule(at, at, radius, name)


@suggest_arguments
def box(size: ArrayLike, pose: ArrayLike, name: str = "") -> CollisionBody:
    """Return a fixed box; coal computes its distances.

    >>> from lessons_lib import collisions, lie
    >>> collisions.box([0.2, 0.1, 0.3], lie.exp_se3([0, 0, 0, 0.5, 0, 0]), "parcel").name
    'parcel'

    Args:
        size: Lengths of its edges along x, y and z, shape (3,), m.
        pose: Pose of its centre in {s}, shape (4, 4), position in m.
        name: Name of the body.

    Raises:
        ParameterError: An edge is not positive.
        TransformError: `pose` is not a pose.
    """
    check_string("name", name)
    edges = _numbers(size, f"the size of {_label('box', name)}", 3)
    if not (edges > 0.0).all():
        raise ParameterError(f"each edge of {_label('box', name)} must be positive, got {edges.tolist()}")
    return CollisionBody(name, WORLD, check_transform(pose, "pose"), "box", tuple(edges.tolist()))


@suggest_arguments
def mesh(file: str | Path, pose: ArrayLike, scale: ArrayLike = (1.0, 1.0, 1.0), name: str = "") -> CollisionBody:
    """Return a fixed mesh; coal computes its distances.

    >>> import numpy as np
    >>> from tempfile import NamedTemporaryFile
    >>> from lessons_lib import collisions
    >>> with NamedTemporaryFile(suffix=".obj") as file:
    ...     collisions.mesh(file.name, np.eye(4), scale=[0.001, 0.001, 0.001], name="table").kind
    'mesh'

    Args:
        file: Path of an STL, OBJ or DAE file.
        pose: Pose in {s}, shape (4, 4), position in m.
        scale: Factors along x, y and z, shape (3,).
        name: Name of the body.

    Raises:
        ParameterError: The file does not exist or is a folder, or the scale is not three numbers.
        TransformError: `pose` is not a pose.
    """
    path = input_file(file, name="file")
    check_string("name", name)
    sizes = _numbers(scale, f"the scale of mesh {name!r}", 3)
    return CollisionBody(name, WORLD, check_transform(pose, "pose"), "mesh", tuple(sizes.tolist()), path)


@suggest_arguments
def fitted_links(
    chain: Chain, radius: float | Sequence[float], aside: Mapping[int, float] | None = None
) -> tuple[tuple[int, Capsule], ...]:
    """Return a capsule for each straight segment of an arm's stick figure, with the number of joints that move it.

    The segments run from axis to axis along the common normals, as in `plots.draw_arm`. A real arm is thicker in
    places, so choose a radius that encloses it. Bodies of the base, which no joint moves, have the number 0. Segments
    that a prismatic joint extends have no body.

    >>> from lessons_lib import collisions, robots
    >>> [(joints, link.name) for joints, link in collisions.fitted_links(robots.planar_2r(), 0.05)]
    [(1, 'link 1'), (2, 'link 2')]

    Args:
        chain: The arm.
        radius: One radius for all links, or n + 1 of them, for the base and each link, m.
        aside: For joints by number from zero, the distance along their axis at which the link leaves it, m; along
            parallel axes it is arbitrary.

    Returns:
        Pairs (number of joints, capsule in {s} at q = 0), from the base to the tip; the names are "link 2" and so on.

    Raises:
        ParameterError: Another number of radii, a negative radius, or `aside` names no joint or has an invalid length.
    """
    check_chain(chain)
    chain = chain.uncoupled
    if not isinstance(aside, Mapping | None) or not all(
        is_whole(joint) and joint in range(chain.dof) and is_real(far) and np.isfinite(far)
        for joint, far in (aside or {}).items()
    ):
        raise ParameterError(
            f"aside must map joints from 0 to {chain.dof - 1} to lengths, as {{2: 0.1}}, got {aside!r}"
        )
    radii = floats(radius, "radius must be a number or a sequence of numbers", ParameterError)
    if radii.shape not in ((), (chain.dof + 1,)):
        raise ParameterError(
            f"radius must be one number, or {chain.dof + 1} for the base and each link, got shape {radii.shape}"
        )
    radii, drawn = np.broadcast_to(radii, (chain.dof + 1,)), skeleton(chain, aside)
    extending = {k + 1 for k, kind in enumerate(chain.joint_types) if kind != "revolute"}
    links = []
    for k in range(len(drawn.corners) - 1):
        first, link = drawn.carriers[k : k + 2].tolist()
        a, b = drawn.corners[k : k + 2]
        if np.linalg.norm(b - a) > 0.0 and not extending.intersection(range(first + 1, link + 1)):
            links.append((link, Capsule(a, b, float(radii[link]), f"link {link}")))
    return tuple(links)


def _label(kind: str, name: object) -> str:
    """Return "capsule 'pole'", or "the capsule" without a name."""
    return f"{kind} {name!r}" if name else f"the {kind}"


def _numbers(value: ArrayLike, what: str, count: int) -> Array:
    expected = "a finite number" if count == 1 else f"{count} finite numbers"
    array = floats(value, f"{what} must be {expected}", ParameterError)
    if array.shape != (count,) or not np.isfinite(array).all():
        raise ParameterError(f"{what} must be {expected}, got {value!r}")
    array.setflags(write=False)
    return array
