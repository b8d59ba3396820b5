"""Collision geometry of a URDF: boxes, spheres, cylinders, capsules and meshes on its links."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from xml.etree.ElementTree import Element

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.errors import ParameterError, UrdfError
from lessons_lib.paths import folder_path, kind_of, short_repr
from lessons_lib.robots import urdf_text
from lessons_lib.robots.tree import Tree
from lessons_lib.robots.urdf_reader import placement_of
from lessons_lib.robots.vec3 import cross

WORLD = "universe"
"""The frame of fixed bodies."""

SIZES = {"sphere": ("radius",), "cylinder": ("radius", "length"), "capsule": ("radius", "length")}


@dataclass(frozen=True)
class CollisionBody:
    """A body on a link."""

    name: str  # name of the link, and the number of the body: "forearm_0"
    frame: str  # name of the link
    placement: Array  # pose in the frame, (4, 4), m, read-only
    kind: str  # "box", "sphere", "cylinder", "capsule" or "mesh"
    sizes: tuple[float, ...]  # three edges of a box; a radius; a radius and a length along z, m; scale of a mesh
    mesh: Path | None = None


def pose_along(a: Array, u: Array) -> Array:
    """Return a pose at the middle of a segment with z along it, shape (4, 4), m; `u` is the vector from end `a`."""
    T, (x, y, z) = np.eye(4), u.tolist()
    length = math.hypot(x, y, z)
    if length > 0.0:
        k = x / length, y / length, z / length
        least = min(range(3), key=lambda i: abs(k[i]))
        side = cross(k, (float(least == 0), float(least == 1), float(least == 2)))
        size = math.hypot(*side)
        side = side[0] / size, side[1] / size, side[2] / size
        T[:3, :3] = tuple(zip(side, cross(k, side), k, strict=True))
    T[:3, 3] = a + 0.5 * u
    return T


def read_bodies(
    path: str | Path, tree: Tree, package_dirs: Iterable[str | Path] = (), kind: str = "collision"
) -> tuple[CollisionBody, ...]:
    """Return the bodies of a robot, in the order of its links, without those that have no surface (with a warning)."""
    # `package_dirs`: folders that contain the folder `name` of "package://name/…"; `kind`: "collision" or "visual"
    links = {link.get("name", ""): link for link in urdf_text.read_shapes(path, kind).findall("link")}
    file = None if urdf_text.is_text(path) else Path(path)
    folders = _read_folders(package_dirs)
    bodies = [
        _body(f"{frame}_{k}", frame, element, file, folders)
        for frame in tree.frame_names
        if frame in links
        for k, element in enumerate(links[frame].findall(kind))
    ]
    for body in bodies:
        if not _has_surface(body):
            what = f"the {body.kind} of body {body.name!r} ({kind}) with sizes {list(body.sizes)}"
            warnings.warn(f"{what} has no surface and is skipped", stacklevel=3)
    return tuple(filter(_has_surface, bodies))


def _has_surface(body: CollisionBody) -> bool:
    """Return whether a body is more than a point or a line."""
    if body.kind in ("box", "mesh"):
        return int(np.count_nonzero(body.sizes)) > 1
    return body.sizes[0] > 0.0


def _body(name: str, frame: str, collision: Element, file: Path | None, folders: list[Path]) -> CollisionBody:
    shapes = [shape for geometry in collision.findall("geometry") for shape in geometry]
    if len(shapes) != 1:
        raise UrdfError(f"body {name!r} must have one box, sphere, cylinder, capsule or mesh, got {len(shapes)} shapes")
    (shape,) = shapes
    placement = placement_of(collision.find("origin"))
    placement.setflags(write=False)
    if shape.tag == "mesh":
        scale = tuple(float(word) for word in shape.get("scale", "1 1 1").split())
        return CollisionBody(
            name, frame, placement, "mesh", scale, _find_mesh(shape.get("filename", ""), file, folders)
        )
    words = shape.get("size", "").split() if shape.tag == "box" else [shape.get(key, "") for key in SIZES[shape.tag]]
    sizes = tuple(float(word) for word in words if word)
    if len(sizes) != (3 if shape.tag == "box" else len(SIZES[shape.tag])) or not all(np.array(sizes) >= 0.0):
        raise UrdfError(f"sizes of the {shape.tag} of body {name!r} must be zero or more, in m, got {list(sizes)}")
    return CollisionBody(name, frame, placement, shape.tag, sizes)


def _read_folders(package_dirs: Iterable[str | Path]) -> list[Path]:
    if isinstance(package_dirs, str | Path):
        raise ParameterError(f"package_dirs must be a list of folders, got {short_repr(str(package_dirs))}")
    return [folder_path(folder, "each of package_dirs") for folder in package_dirs]


def _find_mesh(name: str, file: Path | None, folders: list[Path]) -> Path:
    """Return the file of a mesh: beside the URDF, in one of the folders, or at its absolute path."""
    prefix, _, rest = name.rpartition("://")
    if prefix == "package":
        tried = [folder / rest for folder in folders]
    else:
        tried = [Path(rest)] if Path(rest).is_absolute() or file is None else [file.parent / rest]
    for path in tried:
        if kind_of(path) == "a file":
            return path
    searched = ", ".join(map(str, tried)) or "no folder; give some in package_dirs"
    raise UrdfError(f"no mesh {name!r} found; searched {searched}")
