"""An arm among bodies: distances compared with coal's, derivatives, moves compared with samples, errors."""

from unittest import mock

import coal
import numpy as np
import pytest

from lessons_lib import collisions, lie, robots
from lessons_lib.collisions import collision_model
from lessons_lib.errors import ArgumentError
from lessons_lib.extras import MissingExtra
from lessons_lib.robots.stick_figure import prefixes, skeleton

RADII = [0.06, 0.06, 0.055, 0.05, 0.045, 0.045, 0.04]
POST = collisions.Capsule((0.6, 0.3, 0.0), (0.6, 0.3, 0.8), 0.05, "post")


def ur10_links():
    arm = robots.ur10()
    return arm, collisions.fitted_links(arm, RADII, {1: 0.175, 2: -0.126})


def odd_arm():
    """Return an arm of revolute, prismatic and helical joints about arbitrary unit axes."""
    rng, screws = np.random.default_rng(5), []
    for kind in ("turn", "slide", "screw", "turn", "turn"):
        omega, point = rng.normal(size=3), rng.uniform(-0.5, 0.5, 3)
        omega /= np.linalg.norm(omega)
        if kind == "slide":
            screws.append([0, 0, 0, *omega])
        else:
            screws.append([*omega, *(np.cross(point, omega) + (0.2 * omega if kind == "screw" else 0.0))])
    home = lie.pose(np.eye(3), (0.4, 0.5, 0.6))
    return robots.from_screws(np.array(screws).T, home, name="odd")


def scenes():
    """Return scenes by a name: an arm among obstacles; the same holding a rod; an odd arm."""
    rng = np.random.default_rng(6)
    arm, links = ur10_links()
    some = [collisions.sphere(rng.uniform(-1, 1, 3), 0.1) for _ in range(3)]
    some += [collisions.Capsule(*rng.uniform(-1, 1, (2, 3)), 0.05) for _ in range(3)]
    plain = collisions.Scene(arm, links, (POST, *some))
    odd = odd_arm()
    bodies = [(k, collisions.Capsule(*rng.uniform(-0.6, 0.6, (2, 3)), 0.03, f"link {k}")) for k in range(6)]
    rod = plain.grasping(collisions.Capsule((0, 0, 0), (0.1, 0.0, 0.5), 0.02))
    return {"UR10": plain, "UR10 with a rod": rod, "odd": collisions.Scene(odd, tuple(bodies), tuple(some))}


SCENES = scenes()
each_scene = pytest.mark.parametrize("scene", SCENES.values(), ids=SCENES)


@each_scene
def test_distances_are_those_of_coal_at_poses_of_the_exponentials(scene, coal_distance):
    rng = np.random.default_rng(7)
    bodies = [*scene.links, *((0, one) for one in scene.obstacles)]
    names = [one.name for _, one in bodies]
    for q in rng.uniform(-2, 2, (20, scene.chain.dof)):
        poses, found = prefixes(scene.chain, q), scene.distances(q)
        placed = [one.moved(poses[count]) for count, one in bodies]
        for k, (i, j) in enumerate(zip(*scene.ends, strict=True)):
            assert scene.pairs[k] == (names[i], names[j])
            expected = coal_distance(placed[i], placed[j])
            assert found.distance[k] == pytest.approx(expected, abs=1e-7)  # coal's determinant
        apart = found.points[:, 1] - found.points[:, 0]
        assert np.abs(apart - found.distance[:, None] * found.normals).max() < 1e-13
        assert scene.clearance(q) == found.distance.min()
    Q = rng.uniform(-2, 2, (5, scene.chain.dof))
    assert scene.clearance(Q).tolist() == [scene.clearance(q) for q in Q]
    assert scene.is_free(Q).tolist() == [scene.is_free(q) for q in Q]


@each_scene
def test_gradients_are_differences_of_the_distances(scene):
    rng, h, seen = np.random.default_rng(8), 1e-6, 0
    for q in rng.uniform(-2, 2, (40, scene.chain.dof)):
        steps = h * np.eye(scene.chain.dof)
        ahead, behind = (np.array([scene.distances(q + s * e).distance for e in steps]).T for s in (1, -1))
        numeric, middle = (ahead - behind) / (2 * h), scene.distances(q).distance[:, None]
        bent = np.abs(ahead + behind - 2 * middle).max(axis=1) > 1e-9  # a kink: the nearest points swap within a step
        seen += np.count_nonzero(~bent)
        assert np.abs(numeric - scene.gradients(q))[~bent].max() < 1e-7
        assert np.array_equal(scene.gradients([q, q + h])[0], scene.gradients(q))
    assert seen > 0.97 * 40 * len(scene.pairs)


def test_pairs_exclude_neighbours_and_skipped_bodies():
    arm, links = ur10_links()
    scene = collisions.Scene(arm, links)
    assert ("link 1", "link 3") in scene.pairs and ("link 1", "link 2") not in scene.pairs
    folded = [0.0, 0.0, 2.9, 0.0, 0.0, 0.0]
    assert scene.clearance(folded) < 0.0 and not scene.is_free(folded)
    assert ("link 2", "link 5") in scene.touching(folded)
    spared = collisions.Scene(arm, links, skip=scene.touching(folded))
    assert spared.is_free(folded) and spared.touching(folded) == ()
    rod = collisions.Capsule((0, 0, 0), (0, 0, 0.9), 0.02)
    up = [0.0, -1.2, 1.6, -1.9, -1.57, 0.0]
    assert scene.is_free(up) and not scene.grasping(rod).is_free([0.0, -1.2, 1.6, 0.1, -1.6, 1.9])
    held = collisions.Scene(arm, links).grasping(rod)
    assert {pair for pair in held.pairs if "grasped" in pair} >= {("link 1", "grasped"), ("link 4", "grasped")}
    assert ("link 6", "grasped") not in held.pairs and ("link 5", "grasped") not in held.pairs
    reached = arm.forward_kinematics(up) @ np.array([0, 0, 0.9, 1])
    ball = collisions.sphere(reached[:3], 0.05)
    assert scene.with_obstacles([ball]).is_free(up) and not held.with_obstacles([ball]).is_free(up)
    assert held.with_obstacles([ball]).touching(up) == (("obstacle 1", "grasped"),)
    assert collisions.Scene(arm, ()).clearance(up) == np.inf


def test_fitted_links_stay_on_the_drawn_arm_wherever_it_is():
    arm, q = odd_arm(), np.array([0.4, 0.3, -0.9, 1.1, 0.7])
    corners, poses = skeleton(arm).at(arm, q), prefixes(arm, q)
    fitted = collisions.fitted_links(arm, 0.1)
    for link, one in fitted:
        there = one.moved(poses[link])
        off = [np.abs(corners[k : k + 2] - [there.a, there.b]).max() for k in range(len(corners) - 1)]
        assert min(off) < 1e-12
    assert len(fitted) == len(corners) - 3  # segments that a joint extends have no body


def samples(scene, begin, end):
    """Return the least distance at many places of a move."""
    parts = np.linspace(0, 1, 10_000)[:, None]
    return scene.clearance(begin + parts * (end - begin)).min()


@each_scene
def test_free_moves_have_no_sample_in_contact(scene):
    rng, told = np.random.default_rng(9), {"free": 0, "touches": 0, "undecided": 0}
    small = scene.with_obstacles(scene.obstacles[:3])
    lower, upper = (-1.0, 1.0) if scene.chain.name == "odd" else (-2.0, 2.0)
    if scene.chain.name == "odd":
        small = collisions.Scene(scene.chain, scene.links[-2:], scene.obstacles[:2])
    while sum(told.values()) < 50:
        begin, end = rng.uniform(lower, upper, (2, scene.chain.dof))
        end = begin + rng.choice([0.1, 0.3, 1.0]) * (end - begin)
        if small.clearance(begin) <= 0 or small.clearance(end) <= 0:
            continue
        found = collisions.moves_free(small, begin, end)
        told[found.status] += 1
        least = samples(small, begin, end)
        if found.free:
            assert 0 <= found.clearance <= least
        else:
            assert found.status == "touches" and small.clearance(found.q) <= 1e-11
            assert found.pair in small.touching(found.q)
    assert told["free"] > 5 and told["touches"] > 2


@each_scene
def test_motion_bounds_are_never_exceeded(scene):
    """Between two configurations no distance changes by more than the bound says, however far they are apart."""
    rng = np.random.default_rng(10)
    for size in (0.01, 0.3, 2.0):
        for _ in range(30):
            begin = rng.uniform(-2, 2, scene.chain.dof)
            change = size * rng.uniform(-1, 1, scene.chain.dof)
            distance, motion = scene.distances_and_motion(begin[None], np.abs(change))
            there = scene.distances_and_motion(begin + rng.uniform(0, 1, (50, 1)) * change)[0]
            assert (np.abs(there - distance) <= motion + scene.rounding).all()


@each_scene
def test_the_motion_of_a_pair_is_how_far_its_joints_move_an_end_of_the_second_body(scene):
    """One joint at a time: those that carry both bodies of the pair, or none, count for nothing."""
    q, step = np.random.default_rng(12).uniform(-2, 2, scene.chain.dof), 1e-5
    counts = [count for count, _ in scene.links] + [0] * len(scene.obstacles)
    for i, unit in enumerate(np.eye(scene.chain.dof)):
        motion = scene.distances_and_motion(q[None], unit)[1][0]
        poses, there = prefixes(scene.chain, q), prefixes(scene.chain, q + step * unit)
        for k, (first, second) in enumerate(zip(*scene.ends, strict=True)):
            count, one = scene.links[second]
            before, after = one.moved(poses[count]), one.moved(there[count])
            moved = max(np.linalg.norm(after.a - before.a), np.linalg.norm(after.b - before.b))
            counted = moved / step if i >= counts[first] else 0.0
            assert motion[k] == pytest.approx(counted, rel=1e-4, abs=1e-7)


def test_a_thin_post_between_samples_is_found_and_a_margin_is_kept():
    arm, links = ur10_links()
    begin, end = np.array([-0.6, -0.9, 1.2, -0.3, 1.57, 0.0]), np.array([0.8, -0.9, 1.2, -0.3, 1.57, 0.0])
    hand = arm.forward_kinematics(0.5 * (begin + end))[:3, 3]
    wire = collisions.Capsule(hand - [0, 0, 0.4], hand + [0, 0, 0.4], 1e-4, "wire")
    thin = collisions.Scene(arm, links[-1:], (wire,))
    ends = np.linspace(0, 1, 8)[:, None]
    assert thin.clearance(begin + ends * (end - begin)).min() > 0.0
    hit = collisions.moves_free(thin, begin, end)
    assert hit.status == "touches" and hit.pair == ("wire", "link 6") and abs(hit.at - 0.5) < 0.1
    aside = collisions.Scene(arm, links[-1:], (collisions.Capsule(hand + [0, 0, 0.2], hand + [0, 0, 0.6], 0.02),))
    least = samples(aside, begin, end)
    kept = collisions.moves_free(aside, begin, end, margin=0.9 * least)
    assert kept.free and 0.9 * least <= kept.clearance <= least and kept.evaluations > 3
    assert collisions.moves_free(aside, begin, end, margin=1.01 * least).status == "touches"
    grazing = collisions.moves_free(aside, begin, end, margin=0.9999 * least, budget=12)
    assert grazing.status == "undecided" and grazing.evaluations <= 12
    still = collisions.moves_free(aside, begin, begin)
    assert still.free and still.clearance == pytest.approx(aside.clearance(begin))
    assert collisions.moves_free(collisions.Scene(arm, ()), begin, end).clearance == np.inf


@pytest.fixture
def block(tmp_path):
    """Return a mesh of a cube with edges of 0.4 m about the origin."""
    corners = [f"v {x} {y} {z}" for x in (-0.2, 0.2) for y in (-0.2, 0.2) for z in (-0.2, 0.2)]
    sides = ["1 2 4", "1 4 3", "5 7 8", "5 8 6", "1 5 6", "1 6 2", "3 4 8", "3 8 7", "1 3 7", "1 7 5", "2 6 8", "2 8 4"]
    file = tmp_path / "block.obj"
    file.write_text("\n".join([*corners, *(f"f {side}" for side in sides)]) + "\n", "utf8")
    return file


def test_boxes_and_meshes_use_coal_and_a_mesh_in_contact_gives_nan(block):
    arm, links = ur10_links()
    pose = lie.exp_se3([0.0, 0.0, 0.3, 0.0, 0.0, 0.0])
    pose[:3, 3] = -0.7, 0.1, 0.4
    boxes = collisions.Scene(arm, links, (collisions.box((0.4, 0.4, 0.4), pose, "box"),))
    meshes = collisions.Scene(arm, links, (collisions.mesh(block, pose, name="mesh"),))
    rng, h, touched = np.random.default_rng(11), 1e-5, 0
    for q in rng.uniform(-2, 2, (60, 6)):
        ours, theirs = boxes.distances(q), meshes.distances(q)
        outside = theirs.distance > 0.0
        known = [k for k, pair in enumerate(boxes.pairs) if "box" in pair]
        assert np.abs(ours.distance - theirs.distance)[outside].max() < boxes.rounding[known[0]]
        assert np.isfinite(ours.normals).all() and (np.isnan(theirs.normals).all(axis=1) == ~outside)[known].all()
        assert (ours.distance[known] < 1e-5)[~outside[known]].all()
        touched += np.count_nonzero(~outside[known])
        ends = [[boxes.distances(q + s * e).distance for s in (h, -h)] for e in np.eye(6)]
        numeric = [(ahead - behind) / (2 * h) for ahead, behind in ends]
        apart = np.abs(np.array(numeric).T - boxes.gradients(q))
        assert np.quantile(apart[:, :], 0.9) < 1e-2  # coal iterates, to 1e-6
    assert touched > 10
    far, beyond, beside = ([turn, -0.8, 1.2, -0.3, 1.57, 0.0] for turn in (1.0, -1.0, 1.3))
    for scene in (boxes, meshes):
        assert scene.is_free(far) and scene.is_free(beyond)
        through, free = collisions.moves_free(scene, far, beyond), collisions.moves_free(scene, far, beside)
        assert through.status == "touches" and through.pair is not None and through.pair[0] in ("box", "mesh")
        assert free.free and 0.0 < free.clearance <= scene.clearance(np.linspace(far, beside, 500)).min()


def test_two_separate_meshes_have_a_direction(block):
    """Of two meshes coal leaves the direction unset, and once they overlap the points as well (its issue 823)."""
    shape = coal.MeshLoader().load(str(block), np.ones(3))
    there = np.eye(4)
    for x, distance in ((0.5, 0.1), (0.3, None)):
        there[:3, 3] = x, 0.05, 0.0
        (row,) = collision_model.coal_distances([(shape, coal.Transform3s(), shape, collision_model.coal_pose(there))])
        if distance is None:
            assert row[0] <= 0.0 and np.isnan(row[1:]).all()
        else:
            assert row[0] == pytest.approx(distance) and row[7:] == pytest.approx([1, 0, 0], abs=1e-12)


ARM, LINKS = ur10_links()
SCENE, DISTANCES = collisions.Scene(ARM, LINKS), ("distances", "clearance", "gradients", "is_free", "touching")
REFUSED = [
    (lambda: collisions.Capsule((0, 0, 0), (0, 0, 1), -0.1, "p"), r"the radius of capsule 'p' must be zero or more,"),
    (lambda: collisions.Capsule((0, 0, np.nan), (0, 0, 1), 0.1, "p"), "a of capsule 'p' must be 3 finite numbers"),
    (lambda: collisions.sphere((0, 0), 0.1, "s"), "the centre of sphere 's' must be 3"),
    (lambda: collisions.sphere((0, 0, 0), "10cm"), "the radius of the capsule must be a finite number, got"),
    (lambda: collisions.box((1, 0, 1), np.eye(4)), "each edge of the box must be positive"),
    (lambda: collisions.box((1, 1, 1), 2 * np.eye(4)), "the last row must be"),
    (lambda: collisions.mesh("nowhere.stl", np.eye(4)), "file must be the path of a file .*, got 'nowhere.stl',"),
    (lambda: collisions.mesh(None, np.eye(4)), "file must be the path of a file, .*; got None"),
    (lambda: collisions.fitted_links(ARM, [0.1, 0.1]), "radius must be one number, or 7 for the base"),
    *(
        (lambda a=a: collisions.fitted_links(ARM, 0.1, a), "aside must map joints from 0 to 5 to lengths")
        for a in ({6: 0.1}, {True: 0.1}, {0: "far"}, {0: np.nan})
    ),
    (lambda: collisions.Scene(ARM, LINKS, ("post",)), "obstacle 0 must be a .*, got 'post'"),
    (lambda: collisions.Scene(ARM, ((7, POST),)), r"each of links must be a pair \(number of joints, 0 to 6,"),
    (lambda: collisions.Scene(ARM, LINKS, skip=(("link 1", "door"),)), "skip must name bodies, which are .*got 'door'"),
    (lambda: SCENE.with_obstacles(5), "obstacles must be a tuple, got 5"),
    (lambda: SCENE.grasping("cup"), "grasped bodies must be spheres or capsules, got 'cup'"),
    *((lambda ask=ask: getattr(SCENE, ask)([0.0] * 5), "must have shape") for ask in DISTANCES),
    *((lambda ask=ask: getattr(SCENE, ask)([np.nan] * 6), "must be finite") for ask in DISTANCES),
    (lambda: collisions.moves_free(SCENE, np.zeros(6), np.zeros(5)), "must have shape"),
    *(
        (lambda m=m: collisions.moves_free(SCENE, np.zeros(6), np.zeros(6), margin=m), "margin must be finite, zero")
        for m in (-1.0, np.nan, "much")
    ),
    *(
        (lambda b=b: collisions.moves_free(SCENE, np.zeros(6), np.zeros(6), budget=b), "budget must be an integer of")
        for b in (1, 2.5, True)
    ),
]


@pytest.mark.parametrize(("call", "words"), REFUSED)
def test_wrong_arguments_are_refused(call, words):
    with pytest.raises(ArgumentError, match=words):
        call()


def test_without_coal_a_box_names_the_extra_that_installs_it():
    missing = pytest.raises(MissingExtra, match=r"pip install 'lessons-lib\[collisions\]'")
    with mock.patch("lessons_lib.extras.find_spec", lambda name: None), missing:
        collisions.Scene(ARM, LINKS, (collisions.box((1, 1, 1), np.eye(4)),))
