"""Poses and Jacobians against Pinocchio, for every form of q."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pinocchio_models
import pytest
from scipy.spatial.transform import Rotation

from lessons_lib import lie, robots

TOLERANCE = 1e-14  # relative to lengths of a metre: some fifty roundings


def shift(x, y, z):
    return lie.pose(np.eye(3), (x, y, z))


def random_chain(rng, joints):
    """Return a chain of mixed joints, with screws (a, p × a + pitch a) or (0, a) from Pinocchio's placements."""
    members, screws, T = [], [], np.eye(4)
    for _ in range(joints):
        kind = str(rng.choice(["revolute", "revolute", "prismatic", "helical"]))
        placement = shift(*rng.uniform(-1, 1, 3))
        placement[:3, :3] = Rotation.random(None, rng).as_matrix()
        axis, pitch = np.eye(3)[rng.integers(3)], float(rng.uniform(-1, 1)) if kind == "helical" else 0.0
        members.append((pinocchio_models.joint(kind, axis, pitch), placement))
        T = T @ placement
        a, p = T[:3, :3] @ axis, T[:3, 3]
        screws.append([0, 0, 0, *a] if kind == "prismatic" else [*a, *(np.cross(p, a) + pitch * a)])
    tip = shift(*rng.uniform(-1, 1, 3))
    return robots.from_screws(np.array(screws).T, T @ tip), pinocchio_models.build(members, tip)


def run_interpreted(chain):
    """Return the chain's vectorised functions, run without a compiler: these chains live for one test."""
    space = {}
    exec(chain.source("numpy"), space)
    return space


def test_a_compiled_chain_of_mixed_joints_is_the_interpreted_one():
    rng = np.random.default_rng(13)
    chain, model = random_chain(rng, 4)
    for q in rng.uniform(-4, 4, (50, 4)):
        T, J_s, J_b = model.kinematics(q)
        assert np.abs(chain.forward_kinematics(q) - T).max() <= TOLERANCE * 10
        assert np.abs(chain.space_jacobian(q) - J_s).max() <= TOLERANCE * 10
        assert np.abs(chain.body_jacobian(q) - J_b).max() <= TOLERANCE * 10


def test_a_single_joint_has_a_jacobian_of_one_column():
    chain = robots.from_screws([[0], [0], [1], [0], [-1], [0]], shift(2, 0, 0))
    expected = np.array([[0], [0], [1], [0], [1], [0]])
    np.testing.assert_array_equal(chain.body_jacobian([0.0]), expected)
    assert run_interpreted(chain)["chain_kernel"](np.zeros((3, 1)))[1].shape == (3, 6, 1)
    np.testing.assert_array_equal(run_interpreted(chain)["space_kernel"](np.zeros(1))[1], chain.space_jacobian([0]))


PLAIN = np.array([0.25, -0.5, 1.0, 2.0, -1.5, 0.75])  # exact in single precision too


def spread(q):
    """Return q as every second entry of a longer array."""
    return np.repeat(q, 2)[::2]


def as_read_only(q):
    """Return q as a read-only array."""
    q = q.copy()
    q.setflags(write=False)
    return q


FORMS = {
    "list": list,
    "tuple": tuple,
    "spread": spread,
    "read-only": as_read_only,
    "single": lambda q: q.astype(np.float32),
    "objects": lambda q: q.astype(object),
    "big-endian": lambda q: q.astype(">f8"),
    "backwards": lambda q: q[::-1].copy()[::-1],
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_q_gives_the_same_numbers(form):
    chain, q = robots.ur10(), FORMS[form](PLAIN)
    np.testing.assert_array_equal(chain.forward_kinematics(q), chain.forward_kinematics(PLAIN))
    np.testing.assert_array_equal(chain.body_jacobian(q), chain.body_jacobian(PLAIN))
    np.testing.assert_array_equal(chain.space_jacobian(q), chain.space_jacobian(PLAIN))
    for found, expected in zip(chain.pose_and_jacobian(q), chain.pose_and_jacobian(PLAIN), strict=True):
        np.testing.assert_array_equal(found, expected)


def test_threads_may_call_a_fresh_chain_at_once():
    chain = robots.from_dh([(0.3, 0.4, 0.5, 0.0), (0.6, -0.7, 0.8, 0.1)])
    q = np.array([0.4, -0.9])
    with ThreadPoolExecutor(8) as pool:
        poses = list(pool.map(lambda _: chain.forward_kinematics(q), range(64)))
    for T in poses:
        np.testing.assert_array_equal(T, poses[0])
