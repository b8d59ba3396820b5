"""Names of Pink other than tasks: errors, joints, frames, bases, and locked joints."""

import numpy as np
import pink
import pink.exceptions
import pink.limits
import pink.utils
import pinocchio
import pytest
from pink_robots import pair_of, pose, robot, rows_first_linear, urdf
from task_pairs import near

from lessons_lib import differential_ik as dik
from lessons_lib.errors import FrameNotFound, ParameterError


@pytest.fixture(scope="module")
def rover():
    return pair_of(urdf("tiago_no_hand"), "planar")


@pytest.mark.parametrize("name", ["UR10", "Kinova", "Go2"])
def test_a_configuration_with_some_joints_set(name):
    pair = robot(name)
    wrapper = pinocchio.RobotWrapper(pair.model)
    single = [joint for joint in pair.tree.joint_names if joint != "root_joint"][1:3]
    ends = [pair.model.joints[pair.model.getJointId(joint)].nq == 2 for joint in single]
    ours = {joint: 0.1 * (k + 1) for k, joint in enumerate(single)}
    pairs = zip(ours.items(), ends, strict=True)
    theirs = {joint: [np.cos(x), np.sin(x)] if endless else x for (joint, x), endless in pairs}
    expected = pink.utils.custom_configuration_vector(wrapper, **theirs)
    assert np.array_equal(pair.q(dik.custom_configuration_vector(pair.tree, **ours)), expected)
    for joint in pair.tree.joint_names:
        in_q, in_v = dik.get_joint_idx(pair.tree, joint)
        assert pair.tree.q_names[in_q].startswith(joint)
        assert in_v == pink.utils.get_joint_idx(pair.model, joint)[1]


def check_frames(pair, ours, theirs, frames):
    """Compare poses and Jacobians of frames with Pink's."""
    for frame in frames:
        T = theirs.get_transform_frame_to_world(frame).homogeneous
        assert np.abs(ours.get_transform_frame_to_world(frame) - T).max() < 1e-10
        J = rows_first_linear(theirs.get_frame_jacobian(frame))[:, pair.order]
        assert np.abs(ours.get_frame_jacobian(frame) - J).max() < 1e-10


@pytest.mark.parametrize("name", ["UR10", "Tiago", "Go2"])
def test_joints_and_the_universe_are_frames(name):
    pair = robot(name)
    ours, theirs = pair.both(pair.inside(np.random.default_rng(1)))
    names = [frame.name for frame in pair.model.frames]
    frames = [frame for frame in names if names.count(frame) == 1]
    assert {"universe", *pair.tree.joint_names} <= set(frames)
    check_frames(pair, ours, theirs, frames)


def test_user_defined_frames():
    pair, rng = robot("UR10"), np.random.default_rng(2)
    at = pair.inside(rng)
    placement = near(np.eye(4), rng)
    tree = pair.tree.with_frame("pencil", "wrist_3_link", placement)
    model = pair.model.copy()
    parent = model.frames[model.getFrameId("wrist_3_link")]
    seat = parent.placement * pose(placement)
    kind = pinocchio.FrameType.OP_FRAME
    model.addFrame(pinocchio.Frame("pencil", parent.parentJoint, model.getFrameId("wrist_3_link"), seat, kind))
    ours, theirs = dik.Configuration(tree, at), pink.Configuration(model, model.createData(), at)
    J = rows_first_linear(theirs.get_frame_jacobian("pencil"))
    assert np.abs(ours.get_frame_jacobian("pencil") - J).max() < 1e-12
    assert tree.mass == pair.tree.mass
    assert np.array_equal(ours.get_center_of_mass(), dik.Configuration(pair.tree, at).get_center_of_mass())
    for made in (tree, pair.tree.with_frame("mark", "universe", placement)):
        assert made.frame_names[:-1] == pair.tree.frame_names
    assert np.array_equal(made.forward_kinematics(at, "mark"), placement)
    with pytest.raises(ParameterError, match="name of a new frame must differ from those of ur10, got 'tool0'"):
        pair.tree.with_frame("tool0", "base_link", placement)
    with pytest.raises(FrameNotFound):
        pair.tree.with_frame("pencil", "wrist", placement)


def test_kinematics_and_integration_of_a_base_in_the_plane_match_pink(rover):
    rng = np.random.default_rng(3)
    assert rover.tree.q_names[:3] == ("root_joint.x", "root_joint.y", "root_joint.angle")
    assert rover.tree.v_names[:3] == ("root_joint.wz", "root_joint.vx", "root_joint.vy")
    for _ in range(3):
        ours, theirs = rover.both(rover.inside(rng))
        assert ours.root_nv == 3
        check_frames(rover, ours, theirs, rover.frames(rng, 3))
        J = pinocchio.jacobianCenterOfMass(rover.model, theirs.data, theirs.q)[:, rover.order]
        assert np.abs(ours.get_center_of_mass_jacobian() - J).max() < 1e-10
        v = rng.normal(size=rover.tree.nv)
        assert np.abs(rover.q(ours.integrate(v, 0.5)) - theirs.integrate(rover.v(v), 0.5)).max() < 1e-12
        other = rover.inside(rng)
        between = pinocchio.difference(rover.model, theirs.q, rover.q(other))[rover.order]
        assert np.abs(rover.tree.difference(ours.q, other) - between).max() < 1e-10


@pytest.mark.parametrize("base", ["fixed", "floating"])
def test_beside_locked_joints_the_others_move_as_in_pinocchio(base):
    locked = {"head_1_joint": 0.3, "torso_lift_joint": 0.1, "wheel_left_joint": 0.0, "wheel_right_joint": 0.0}
    pair, rng = pair_of(urdf("tiago_no_hand"), base, locked), np.random.default_rng(7)
    assert not set(locked) & set(pair.tree.joint_names)
    ours, theirs = pair.both(pair.inside(rng))
    check_frames(pair, ours, theirs, ("head_2_link", "arm_5_link", "wheel_left_link"))
    centre = pinocchio.centerOfMass(pair.model, theirs.data, theirs.q)
    assert np.abs(ours.get_center_of_mass() - centre).max() < 1e-10
