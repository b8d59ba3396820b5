"""The meshes of the UR10 and the Panda: the page's poses agree with Pinocchio's for the same files."""

from dataclasses import replace
from importlib.metadata import distribution

import numpy as np
import pinocchio
import pytest
from node import in_front
from pinocchio_trees import ROBOTS
from scipy.spatial import cKDTree
from shapes import PACKAGE, SOURCES, link_meshes, shape_data, write_shapes

from lessons_lib import codegen, robots
from lessons_lib.course.live import front_end
from lessons_lib.course.live.arm_kernel import arm_kernel
from lessons_lib.course.live.link_shapes import SHAPES, shape_of

PLACED = """
import { loadKernels } from "front/kernels";
import { shapeFor } from "front/shape_data";
import { LinkShapes, linksOf } from "front/space/link_shapes";
globalThis.lessonsShapes = told.shapes;
const kernels = loadKernels(told.source);
let meshes = [];
const group = { add: (...made) => { meshes = made; } };
const shapes = new LinkShapes(group, linksOf(told.name), undefined);
const wearer = shapeFor(told.shapes[told.name].screws);
const other = shapeFor(told.shapes[told.name].screws.map((screw) => screw.map((entry) => 1.001 * entry)));
return { wearer, other, places: told.q.map((q) => {
  shapes.place(kernels.arm_kernel(q));
  return meshes.map(({ geometry, matrix }) => [[...geometry.attributes.position.array], [...matrix.elements]]);
})};
"""


@pytest.mark.parametrize("name", SOURCES)
def test_every_link_is_where_pinocchio_puts_its_mesh(name):
    arm, source = robots.ROBOTS[name](), SOURCES[name]
    shape = shape_data(source, distribution(PACKAGE))
    rng = np.random.default_rng(60)
    q = np.array([np.zeros(arm.dof), arm.random_configuration(rng), arm.random_configuration(rng)])
    script = codegen.source([arm_kernel(arm)], "javascript")
    found = in_front(PLACED, {"source": script, "shapes": {name: shape}, "name": name, "q": q.tolist()})
    assert (found["wearer"], found["other"]) == (name, None)
    for case, links in zip(q, found["places"], strict=True):
        expected = of_pinocchio(source, case)
        assert len(links) == len(expected) == arm.dof + 1
        for (positions, matrix), vertices in zip(links, expected, strict=True):
            T = np.reshape(matrix, (4, 4)).T
            placed = np.reshape(positions, (-1, 3)) @ T[:3, :3].T + T[:3, 3]
            for one, other in ((placed, vertices), (vertices, placed)):
                distances, _ = cKDTree(one).query(other)
                assert distances.max() <= shape["step"]  # half of it along each axis, and single precision
    assert shape["step"] < 3e-5  # m: no eye sees it


def of_pinocchio(source, q):
    """The vertices of each link in the frame of its base, m."""
    path = str(ROBOTS / source.urdf)
    model = pinocchio.buildModelFromUrdf(path)
    folders = [str(ROBOTS.parents[1])]
    shapes = pinocchio.buildGeomFromUrdf(model, path, pinocchio.GeometryType.COLLISION, package_dirs=folders)
    data, places = model.createData(), shapes.createData()
    whole = np.concatenate([q, np.zeros(model.nq - len(q))])  # the Panda's file has fingers
    pinocchio.updateGeometryPlacements(model, data, shapes, places, whole)
    pinocchio.framesForwardKinematics(model, data, whole)
    base = data.oMf[model.getFrameId(source.base)].inverse()
    found = []
    for link in source.links:
        k = shapes.getGeometryId(f"{link}_0")
        T = (base * places.oMg[k]).homogeneous
        found.append(shapes.geometryObjects[k].geometry.vertices() @ T[:3, :3].T + T[:3, 3])
    return found


def test_only_the_published_arm_wears_a_shape():
    assert [shape_of(robots.ROBOTS[name]()) for name in SOURCES] == list(SOURCES) == list(SHAPES)
    assert shape_of(robots.planar_2r()) is None
    screws = robots.ur10().screws.copy()
    screws[3, 2] += 1e-9
    assert shape_of(robots.from_screws(screws, robots.ur10().home)) is None


def test_an_arm_that_is_not_the_librarys_is_refused():
    source = SOURCES["ur10"]
    with pytest.raises(ValueError, match="are not those of"):
        link_meshes(replace(source, base="base_link"), distribution(PACKAGE))


def test_the_library_has_the_shapes_as_they_are_packed_with_their_licences(tmp_path):
    write_shapes(tmp_path)
    made, kept = ({path.name: path.read_text("utf-8") for path in f.iterdir()} for f in (tmp_path, front_end.SHAPES))
    assert made == kept


def test_a_shape_goes_with_its_licence_and_is_light(tmp_path, monkeypatch):
    for name, source in SOURCES.items():
        assert front_end.shape_script(name).stat().st_size < 80_000
        terms = (front_end.SHAPES / f"{name}.LICENSE.txt").read_text("utf-8")
        assert terms.startswith(source.credit) and "upstream: https://github.com/" in terms and len(terms) > 1500
    (tmp_path / "widget3d.js").write_text("export default {};", "utf-8")
    monkeypatch.setattr(front_end, "FOLDER", tmp_path)
    assert front_end.module("widget3d", ("panda",)).startswith("(globalThis.lessonsShapes??={}).panda={")
