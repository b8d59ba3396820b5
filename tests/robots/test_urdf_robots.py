"""Every robot of example-robot-data: it loads and agrees with Pinocchio, or it is refused for what is wrong with it."""

import numpy as np
import pinocchio
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from pinocchio_trees import BROKEN, ROBOTS, URDFS, Twin, build, mimics

from lessons_lib import robots

SOUND = [urdf for urdf in URDFS if urdf not in BROKEN]
READ = [(urdf, True) for urdf in SOUND] + [(urdf, False) for urdf in SOUND if b"<mimic" in (ROBOTS / urdf).read_bytes()]
"""Files, and whether what mimics follows: where nothing does that is the same."""
pytestmark = pytest.mark.filterwarnings("ignore:joint .* cannot move")  # in four files limits are left out
ROUNDING = 1e-13
"""A few hundred operations on numbers near 1; measured is 5e-15 over all robots. The issue asks for 1e-10."""


def twin(urdf, floating_base, mimic):
    path = ROBOTS / urdf
    tree = robots.load_urdf(path, floating_base, mimic)
    return Twin(tree, build(path, floating_base), mimics(path) if mimic else {})


@pytest.mark.parametrize("floating_base", [False, True], ids=["fixed", "floating"])
@pytest.mark.parametrize(("urdf", "mimic"), READ)
def test_poses_jacobians_and_centre_of_mass_are_pinocchios(urdf, floating_base, mimic):
    other = twin(urdf, floating_base, mimic)
    tree, rng = other.tree, np.random.default_rng(5)
    if tree.nv == 0:  # Pinocchio reads out of bounds where nothing moves
        assert_array_equal(tree.body_jacobian([], tree.frame_names[-1]), np.zeros((6, 0)))
        return
    for _ in range(2):
        other.check(tree.random_configuration(rng), ROUNDING)


@pytest.mark.parametrize("floating_base", [False, True], ids=["fixed", "floating"])
@pytest.mark.parametrize("urdf", SOUND)
def test_order_names_limits_and_masses_are_pinocchios(urdf, floating_base):
    other = twin(urdf, floating_base, mimic=False)
    tree, model = other.tree, other.model
    assert tree.joint_names == tuple(model.names)[1:]
    bodies = {frame.name for frame in model.frames if frame.type == pinocchio.FrameType.BODY}
    assert set(tree.frame_names) == bodies
    assert tree.mass == pytest.approx(sum(inertia.mass for inertia in model.inertias[1:]), rel=1e-12)
    for name, joint in zip(model.names[1:], model.joints[1:], strict=True):
        if joint.nq == 7:
            continue  # Pinocchio's numbers for a free joint are conventions of its own
        i, k = tree.q_names.index(name), tree.v_names.index(name)
        assert tree.velocity_limits[k] == model.velocityLimit[joint.idx_v]
        if joint.nq == 1:
            assert tree.lower[i] == model.lowerPositionLimit[joint.idx_q]
            assert tree.upper[i] == model.upperPositionLimit[joint.idx_q]
        else:
            assert (tree.lower[i], tree.upper[i]) == (-np.inf, np.inf)


@pytest.mark.parametrize("urdf", ["go2_description/urdf/go2.urdf", "talos_data/robots/talos_reduced.urdf"])
@pytest.mark.parametrize("size", [0.0, 1e-9, 1e-3, 1.0, 10.0, 100.0])
def test_integrate_and_difference_are_pinocchios(urdf, size):
    other = twin(urdf, floating_base=True, mimic=True)
    tree, rng = other.tree, np.random.default_rng(7)
    for _ in range(20):
        q, q_1 = tree.random_configuration(rng), tree.random_configuration(rng)
        v = size * rng.standard_normal(tree.nv)
        ahead = pinocchio.integrate(other.model, other.q(q), other.v_map @ v)
        # rounding of an angle of the size of v; the issue asks for 1e-12
        assert_allclose(other.q(tree.integrate(q, v)), ahead, atol=1e-14 * (1.0 + size), rtol=0)
        back = pinocchio.difference(other.model, other.q(q), other.q(q_1))
        # near an angle of π the logarithm loses digits: 1e-12 leaves room for an angle within 1e-3 of π
        assert_allclose(other.v_map @ tree.difference(q, q_1), back, atol=1e-12, rtol=0)
