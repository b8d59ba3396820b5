"""The shapes of the UR10 and the Panda, out of the meshes of the package example-robot-data: `python front/shapes.py`.

A page that is opened from a folder cannot fetch a file, so a shape is data in a script, 16 bits a coordinate. Vertices
are positions in {s} at q = 0; the product of exponentials of the joints before a link moves those of the link.
The scripts are data of the library, in `lessons_lib/course/live/shapes`, and committed with their licences.
"""

import base64
import json
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from importlib.metadata import Distribution, distribution
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lessons_lib import robots
from lessons_lib.course.live import front_end
from lessons_lib.robots import Chain

PACKAGE = "example-robot-data"
STL = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("spare", "<u2")])
"""One triangle of a binary STL file, m."""

SAME = 1e-9
"""Tolerance of a screw's entry: these files write π/2 with 10 digits."""


@dataclass(frozen=True)
class Source:
    """Source of a shape.

    Attributes:
        arm: The library's arm with this shape.
        urdf: URDF file, below the package's folder of robots.
        base: Frame at {s}.
        links: Links of the arm, from the fixed one to the last.
        licence: Licence files, relative to the same folder, or to the package's own metadata.
        credit: Author and licence, as pages print them.
    """

    arm: Chain
    urdf: str
    base: str
    links: tuple[str, ...]
    licence: tuple[str, ...]
    credit: str


SOURCES = {
    "ur10": Source(
        robots.ur10(),
        "ur_description/urdf/ur10_robot.urdf",
        "base",
        tuple(f"{part}_link" for part in ("base", "shoulder", "upper_arm", "forearm", "wrist_1", "wrist_2", "wrist_3")),
        ("ur_description/README.md", "licenses/LICENSE"),
        "Shape of the UR10: ROS-Industrial, universal_robot, BSD licence.",
    ),
    "panda": Source(
        robots.panda(),
        "panda_description/urdf/panda.urdf",
        "panda_link0",
        tuple(f"panda_link{k}" for k in range(8)),
        ("panda_description/README.md", "panda_description/LICENSE"),
        "Shape of the Panda: Franka Emika, franka_description, Apache licence 2.0.",
    ),
}


def write_shapes(folder: Path) -> None:
    """Write `shape_NAME.js` and `NAME.LICENSE.txt` of every shape."""
    package = distribution(PACKAGE)
    for name, source in SOURCES.items():
        text = json.dumps(shape_data(source, package), separators=(",", ":"), ensure_ascii=False)
        script = f"(globalThis.lessonsShapes??={{}}).{name}={text};\n"
        (folder / front_end.shape_script(name).name).write_text(script, "utf-8")
        terms = [_find_file(package, path).read_text("utf-8") for path in source.licence]
        (folder / f"{name}.LICENSE.txt").write_text("\n\n".join([source.credit, *terms]), "utf-8")


def shape_data(source: Source, package: Distribution) -> dict[str, object]:
    """Return the data of a shape for the front end.

    Returns:
        "credit"; "screws" of the arm that wears it, n lists of six; "low" and "step", m, by which a number k of a
        coordinate is low + k step; for the base and for each of the n moved links "vertices", unsigned 16-bit x, y, z,
        and "triangles", unsigned 16-bit, three vertices each, both in base64.

    Raises:
        ValueError: The file's arm is not the library's.
    """
    meshes = link_meshes(source, package)
    every = np.concatenate([vertices for vertices, _ in meshes])
    low, step = every.min(axis=0), float((every.max(axis=0) - every.min(axis=0)).max()) / 65535.0
    return {
        "credit": source.credit,
        "screws": source.arm.screws.T.tolist(),
        "low": low.tolist(),
        "step": step,
        "links": [
            {"vertices": _pack(np.round((vertices - low) / step)), "triangles": _pack(triangles)}
            for vertices, triangles in meshes
        ],
    }


def link_meshes(source: Source, package: Distribution) -> list[tuple[NDArray[np.float64], NDArray[np.int64]]]:
    """Return the vertices in {s} at q = 0, shape (m, 3), m, and the triangles, shape (k, 3), of the base and each link.

    Raises:
        ValueError: The file's arm is not the library's, or a mesh has a placement of its own.
    """
    path = _find_file(package, source.urdf)
    chain = robots.from_urdf(path, source.base, source.links[-1])
    if np.abs(chain.screws - source.arm.screws).max() > SAME:
        raise ValueError(f"the screws of {path.name} are not those of {source.arm.name}")
    root, moved = ElementTree.parse(path).getroot(), source.links[1]
    T_moved = robots.from_urdf(path, source.base, moved).home
    homes = [T_moved @ robots.from_urdf(path, moved, link).home if link != moved else T_moved for link in source.links]
    return [_mesh(root, link, path.parents[2], T) for link, T in zip(source.links, homes, strict=True)]


def _mesh(
    root: ElementTree.Element, link: str, folder: Path, place: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    (collision,) = (part.find("collision") for part in root.iter("link") if part.get("name") == link)
    mesh = None if collision is None else collision.find("geometry/mesh")
    if collision is None or mesh is None or collision.find("origin") is not None or mesh.get("scale") is not None:
        raise ValueError(f"link {link!r} must be one mesh in the link's own frame, in m")
    data = (folder / mesh.get("filename", "").partition("/robots/")[2]).read_bytes()
    corners = np.frombuffer(data, STL, offset=84)["corners"].reshape(-1, 3)
    vertices, index = np.unique(corners, axis=0, return_inverse=True)
    return vertices.astype(np.float64) @ place[:3, :3].T + place[:3, 3], index.reshape(-1, 3)


def _pack(numbers: NDArray[np.float64] | NDArray[np.int64]) -> str:
    return base64.b64encode(numbers.astype("<u2").tobytes()).decode("ascii")


def _find_file(package: Distribution, path: str) -> Path:
    """Return the file of the package with this end of its path."""
    found = next(file for file in package.files or () if file.as_posix().endswith(f"/{path}"))
    return Path(str(found.locate()))


if __name__ == "__main__":
    write_shapes(front_end.SHAPES)
