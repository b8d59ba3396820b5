"""Barriers: comparison with Pink, derivatives of distances, bodies that stop."""

from unittest import mock

import numpy as np
import pink
import pink.barriers
import pink.tasks
import pink.utils
import pinocchio
import pytest
from pink_robots import pair_of, robot, urdf

from lessons_lib import collisions, robots
from lessons_lib import differential_ik as dik
from lessons_lib.errors import UrdfError

ROBOTS = ("UR10", "Tiago", "Go2", "TALOS")
PROGRAM = 1e-9  # as in test_against_pink.py


@pytest.mark.parametrize("name", ROBOTS)
@pytest.mark.parametrize("safe", [0.0, 3.0])
@pytest.mark.parametrize("kind", ["walls", "one wall", "balls"])
def test_rows_and_objective_match_pink(name, safe, kind):
    pair, rng, dt = robot(name), np.random.default_rng(1), 5e-3
    ours_at, theirs_at = pair.both(pair.inside(rng))
    (frame, other), gain = pair.frames(rng, 2), float(rng.uniform(1.0, 20.0))
    low, high = rng.uniform(-2.0, -1.0, 3), rng.uniform(1.0, 2.0, 3)
    if kind == "walls":
        gains = rng.uniform(1.0, 20.0, 3)
        arguments = {"frame": frame, "p_min": low, "p_max": high, "gain": gains, "safe_displacement_gain": safe}
        ours, theirs = dik.PositionBarrier(**arguments), pink.barriers.PositionBarrier(**arguments)
    elif kind == "one wall":
        arguments = {"frame": frame, "indices": [1], "p_max": high[1:2], "safe_displacement_gain": safe}
        ours, theirs = dik.PositionBarrier(**arguments), pink.barriers.PositionBarrier(**arguments)
    else:
        arguments = {"frames": (frame, other), "d_min": 0.1, "gain": gain, "safe_displacement_gain": safe}
        ours, theirs = dik.BodySphericalBarrier(**arguments), pink.barriers.BodySphericalBarrier(**arguments)
    G, h = theirs.compute_qp_inequalities(theirs_at, dt)
    our_G, our_h = ours.compute_qp_inequalities(ours_at, dt)
    assert np.abs(our_G - np.atleast_2d(G)[:, pair.order]).max() < PROGRAM * max(1.0, np.abs(G).max())
    assert np.abs(our_h - h).max() < PROGRAM * max(1.0, np.abs(h).max())
    H, c = theirs.compute_qp_objective(theirs_at)
    our_H, our_c = ours.compute_qp_objective(ours_at)
    assert np.abs(our_H - H).max() < PROGRAM * max(1.0, np.abs(H).max())
    assert np.abs(our_c - c).max() == 0.0


@pytest.mark.parametrize("name", ROBOTS)
def test_velocities_match_pink(name):
    pair, rng, dt = robot(name), np.random.default_rng(2), 5e-3
    for _ in range(5):
        ours_at, theirs_at = pair.both(pair.inside(rng))
        frame, other = pair.frames(rng, 2)
        while np.linalg.norm(dik.BodySphericalBarrier((frame, other), 0.0).compute_jacobian(ours_at)) < 1e-3:
            frame, other = pair.frames(rng, 2)  # the distance of two frames on one axis is constant
        position = ours_at.get_transform_frame_to_world(frame)[:3, 3]
        walls = {"p_min": position - 0.01, "p_max": position + 0.02, "gain": 5.0}
        balls = {"d_min": 0.02, "gain": 2.0}
        posture, theirs = dik.PostureTask(1.0), pink.tasks.PostureTask(1.0)
        target = pair.tree.random_configuration(rng)
        posture.set_target(target)
        theirs.set_target(pair.q(target))
        ours_barriers = [dik.PositionBarrier(frame, **walls), dik.BodySphericalBarrier((frame, other), **balls)]
        near = pink.barriers.BodySphericalBarrier((frame, other), **balls)
        barriers = [pink.barriers.PositionBarrier(frame, **walls), near]
        v = dik.solve_ik(ours_at, [posture], dt, damping=1e-6, barriers=ours_barriers)
        expected = pink.solve_ik(theirs_at, [theirs], dt, solver="daqp", damping=1e-6, barriers=barriers)[pair.order]
        assert np.linalg.norm(v - expected) <= 1e-6 * np.linalg.norm(expected)


def test_a_barrier_of_two_frames_at_a_constant_distance_has_no_effect():
    """Pink divides by the square of a Jacobian that is rounding, which stops the whole robot."""
    pair = robot("UR10")
    ours_at, theirs_at = pair.both(np.array([0.3, -1.2, 1.5, -0.6, 1.1, 0.4]))
    ours, theirs = dik.PostureTask(1.0), pink.tasks.PostureTask(1.0)
    for task in (ours, theirs):
        task.set_target(np.zeros(6))
    frames = ("wrist_3_link", "tool0")
    barriers = [dik.BodySphericalBarrier(frames, 0.0)]
    v = dik.solve_ik(ours_at, [ours], 5e-3, barriers=barriers)
    assert np.array_equal(v, dik.solve_ik(ours_at, [ours], 5e-3))
    barriers = [pink.barriers.BodySphericalBarrier(frames, 0.0)]
    stopped = pink.solve_ik(theirs_at, [theirs], 5e-3, solver="daqp", barriers=barriers)
    assert np.linalg.norm(stopped) < 1e-9 < np.linalg.norm(v)


PANDA = urdf("panda_collision")
SRDF = PANDA.parents[1] / "srdf" / "panda.srdf"


@pytest.fixture(scope="module")
def panda():
    return pair_of(PANDA)


@pytest.fixture(scope="module")
def bodies(panda):
    return collisions.load_collisions(PANDA, panda.tree, srdf=SRDF)


@pytest.fixture(scope="module")
def theirs(panda):
    found = pinocchio.buildGeomFromUrdf(panda.model, str(PANDA), pinocchio.GeometryType.COLLISION)
    pink.utils.process_collision_pairs(panda.model, found, str(SRDF))
    return found


def both(panda, bodies, theirs, q):
    data = pinocchio.GeometryData(theirs)
    data.enable_contact = True
    bodied = {"collision_model": theirs, "collision_data": data}
    other = pink.Configuration(panda.model, panda.model.createData(), panda.q(q), **bodied)
    return dik.Configuration(panda.tree, q, collision_model=bodies), other


def test_bodies_and_pairs_match_pinocchio(panda, bodies, theirs):
    assert [body.name for body in bodies.bodies] == [body.name for body in theirs.geometryObjects]
    pairs = [(pair.first, pair.second) for pair in theirs.collisionPairs]
    assert sorted(bodies.pairs) == sorted(pairs)
    assert 100 < len(pairs) < len(collisions.load_collisions(PANDA, panda.tree).pairs)


@pytest.mark.parametrize("count", [1, 5, 40])
def test_distances_and_rows_match_pink_without_contact(panda, bodies, theirs, count):
    rng = np.random.default_rng(1)
    ours_at, theirs_at = both(panda, bodies, theirs, panda.inside(rng))
    while ours_at.distances().distance.min() < 1e-3:
        ours_at, theirs_at = both(panda, bodies, theirs, panda.inside(rng))
    ours = dik.SelfCollisionBarrier(count, gain=20.0, d_min=0.05)
    other = pink.barriers.SelfCollisionBarrier(count, gain=20.0, d_min=0.05)
    h = other.compute_barrier(theirs_at)
    order = np.argsort(h, kind="stable")
    assert ours.compute_barrier(ours_at) == pytest.approx(h[order], abs=1e-7)
    J = other.compute_jacobian(theirs_at)[order][:, panda.order]
    assert np.abs(ours.compute_jacobian(ours_at) - J).max() < 1e-5
    (G, bound), (P, q) = ours.compute_qp_inequalities(ours_at, 0.01), ours.compute_qp_objective(ours_at)
    their_G, their_bound = other.compute_qp_inequalities(theirs_at, 0.01)
    assert np.abs(G - their_G[order]).max() < 1e-3  # J over dt
    assert bound == pytest.approx(their_bound[order], abs=1e-6)
    assert P == pytest.approx(other.compute_qp_objective(theirs_at)[0], rel=1e-5)
    assert not q.any()


def two_balls(distance, kind="sphere"):
    """Return a body on a prismatic joint along x and another body, each of half a metre."""
    size = {"sphere": 'radius="0.25"', "box": 'size="0.5 0.5 0.5"', "cylinder": 'radius="0.25" length="0.5"'}[kind]
    body = f"<collision><geometry><{kind} {size}/></geometry></collision>"
    text = f'<robot name="r"><link name="w"/><link name="a">{body}</link><link name="b">{body}</link>'
    for name, child, axis in (("slide", "a", "1 0 0"), ("lift", "b", "0.6 0 0.8")):
        text += f'<joint name="{name}" type="prismatic"><parent link="w"/><child link="{child}"/><axis xyz="{axis}"/>'
        text += '<limit lower="-2" upper="2" velocity="1" effort="1"/></joint>'
    text += "</robot>"
    tree = robots.load_urdf(text)
    model = collisions.load_collisions(text, tree)
    q = dik.custom_configuration_vector(tree, slide=0.5 + distance)
    return dik.Configuration(tree, q, collision_model=model), model, text


@pytest.mark.parametrize("kind", ["sphere", "box", "cylinder"])
@pytest.mark.parametrize("distance", [0.3, 0.01, -0.05])
def test_rows_are_the_derivative_of_the_distance_also_with_overlap(kind, distance):
    at, model, _ = two_balls(distance, kind)
    barrier, h = dik.SelfCollisionBarrier(1, d_min=0.0), 1e-5
    assert barrier.compute_barrier(at) == pytest.approx([distance], abs=1e-6)
    columns = [
        [
            barrier.compute_barrier(dik.Configuration(at.model, at.integrate(v, s), collision_model=model))[0]
            for s in (h, -h)
        ]
        for v in np.eye(2)
    ]
    numeric = np.array([(ahead - behind) / (2 * h) for ahead, behind in columns])
    assert np.abs(barrier.compute_jacobian(at)[0] - numeric).max() < 1e-3
    assert np.abs(numeric).max() == pytest.approx(1.0, abs=1e-3)


def test_a_body_stops_before_another():
    at, model, _ = two_balls(0.3)
    barrier, push = dik.SelfCollisionBarrier(1, gain=20.0, d_min=0.02), dik.PostureTask(1.0, gain=0.2)
    push.set_target(np.zeros(2))
    for _ in range(100):
        at.integrate_inplace(dik.solve_ik(at, [push], 0.02, barriers=[barrier]), 0.02)
        assert at.distances().distance[0] >= 0.02 - 1e-6
    assert at.distances().distance[0] == pytest.approx(0.02, abs=1e-3)
    overlapping, _, _ = two_balls(-0.05)
    v = dik.solve_ik(overlapping, [dik.DampingTask(1.0)], 0.02, limits=[], barriers=[barrier])
    assert (barrier.compute_jacobian(overlapping) @ v)[0] == pytest.approx(20.0 * 0.07, rel=1e-3)  # outward


def test_meshes_are_found_by_relative_path_and_by_package(tmp_path):
    (tmp_path / "arm" / "meshes").mkdir(parents=True)
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=float)
    facets = "".join(
        "facet normal 0 0 0\nouter loop\n"
        + "".join("vertex {} {} {}\n".format(*corners[i]) for i in face)
        + "endloop\nendfacet\n"
        for face in ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3))
    )
    (tmp_path / "arm" / "meshes" / "corner.stl").write_text(f"solid corner\n{facets}endsolid corner\n", "utf8")
    at, _, text = two_balls(0.3)
    for name, folders in (("meshes/corner.stl", ()), ("package://arm/meshes/corner.stl", (tmp_path,))):
        mesh = f'<collision><geometry><mesh filename="{name}" scale="0.5 0.5 0.5"/></geometry></collision>'
        file = tmp_path / "arm" / "two.urdf"
        body = text[text.index("<collision>") : text.index("</link>")]
        file.write_text(text.replace(body, mesh, 1), "utf8")
        model = collisions.load_collisions(file, at.model, folders)
        q = dik.custom_configuration_vector(at.model, slide=-1.5)
        placed = dik.Configuration(at.model, q, collision_model=model)
        assert placed.distances().distance[0] == pytest.approx(0.75, abs=1e-6)  # from the corner at −1 to the ball
        file.write_text(text.replace(body, mesh.replace("corner", "edge"), 1), "utf8")
        with pytest.raises(UrdfError, match="no mesh '.*edge.stl' found; searched"):
            collisions.load_collisions(file, at.model, folders)


def test_obstacles_and_attached_bodies_work_without_coal():
    """Spheres and capsules have closed forms: the barrier of a hand with a rod next to a post."""
    at, _, text = two_balls(0.3)
    post = collisions.Capsule((2.0, -1.0, 0.0), (2.0, 1.0, 0.0), 0.1, "post")
    rod = collisions.Capsule((0.0, 0.0, 0.0), (0.9, 0.0, 0.0), 0.05, "rod")
    with mock.patch("lessons_lib.extras.find_spec", lambda name: None):
        model = collisions.load_collisions(text, at.model, obstacles=[post], carried=[("a", rod)], skip=[("a", "b")])
        pairs = [(model.bodies[i].name, model.bodies[j].name) for i, j in model.pairs]
        assert pairs == [("b_0", "post"), ("a_0", "post"), ("rod", "post")]
        here = dik.Configuration(at.model, at.q, collision_model=model)
        rows = dik.SelfCollisionBarrier(3, d_min=0.0)
        h = rows.compute_barrier(here)
        assert h[0] == pytest.approx(2.0 - 0.8 - 0.9 - 0.15) and h[1] == pytest.approx(2.0 - 0.8 - 0.35)
        assert rows.compute_jacobian(here)[0] == pytest.approx([0.0, -1.0], abs=1e-12)  # lift, slide: towards the post
