"""Tasks for points, axes, intervals, wheels and manipulability: compared with Pink, MuJoCo and differences."""

import mujoco
import numpy as np
import pink.tasks
import pytest
from pink_robots import pair_of, robot, urdf
from scipy.spatial.transform import Rotation

from lessons_lib import differential_ik as dik
from lessons_lib import lie, robots

STEP = 1e-6
"""Step of central differences: its square and the rounding error over the step are both about 1e-10."""


def difference(function, at):
    """Return the derivative of a function of the configuration along each coordinate of the tangent."""
    columns = []
    for i in range(at.model.nv):
        v = np.zeros(at.model.nv)
        v[i] = 1.0
        ends = [function(dik.Configuration(at.model, at.integrate(v, s))) for s in (STEP, -STEP)]
        columns.append((ends[0] - ends[1]) / (2 * STEP))
    return np.stack(columns, axis=-1)


# the Jacobian of a damping task maps the step itself, and two rows of a rolling task the velocity of the contact point


@pytest.mark.parametrize("name", ["UR10", "Panda", "Tiago", "Solo"])
@pytest.mark.parametrize("reference_frame", ["local", "world"])
@pytest.mark.parametrize("mask", [None, "position", "orientation", "planar_xy", [1, 0, 0, 0, 1, 1]])
def test_manipulability(name, reference_frame, mask):
    pair, rng = robot(name), np.random.default_rng(11)
    at = dik.Configuration(pair.tree, pair.inside(rng))
    frame = pair.frames(rng, 1)[0]
    task = dik.ManipulabilityTask(frame, pair.tree, reference_frame=reference_frame, mask=mask)

    def jacobian(where):
        J = where.get_frame_jacobian(frame)
        if reference_frame == "world":
            J = lie.adjoint(where.get_transform_frame_to_world(frame)) @ J
        return J[task.mask]

    hessian = difference(jacobian, at)  # rows, columns, coordinate
    assert np.abs(task.compute_kinematic_hessian(at) - np.moveaxis(hessian, -1, 0)).max() < 1e-7
    gradient = difference(lambda where: np.array([task.compute_manipulability(where)]), at)
    assert np.abs(task.compute_jacobian(at) - gradient).max() < 1e-7


ARMS = {"UR10": "tool0", "SO-100": "jaw", "xArm": "link7"}


@pytest.fixture(params=ARMS)
def arm(request):
    pair = robot(request.param)
    tip = ARMS[request.param] if ARMS[request.param] in pair.tree.frame_names else pair.tree.frame_names[-1]
    return pair, tip


@pytest.mark.parametrize("mask", [None, "position", "orientation"])
def test_manipulability_gradient_and_objective_match_pink(arm, mask):
    pair, frame = arm
    rng = np.random.default_rng(1)
    for _ in range(5):
        ours_at, theirs_at = pair.both(pair.inside(rng))
        choices = {"cost": 0.7, "gain": 0.4, "lm_damping": 0.2, "manipulability_rate": 0.3, "mask": mask}
        ours = dik.ManipulabilityTask(frame, pair.tree, **choices)
        theirs = pink.tasks.ManipulabilityTask(frame, pair.model, **choices)
        m = theirs.compute_manipulability(theirs_at)
        # Pink takes the root of a determinant, which loses half of the digits of small values
        assert ours.compute_manipulability(ours_at) == pytest.approx(m, rel=1e-8, abs=1e-9)
        assert np.abs(ours.compute_jacobian(ours_at) - theirs.compute_jacobian(theirs_at)).max() < 1e-9
        assert np.array_equal(ours.compute_error(ours_at), theirs.compute_error(theirs_at))
        for mine, other in zip(ours.compute_qp_objective(ours_at), theirs.compute_qp_objective(theirs_at), strict=True):
            assert np.abs(mine - other).max() < 1e-9


def test_manipulability_of_a_planar_arm_in_space_is_zero():
    tree = robots.load_urdf(robots.urdf_file("planar_2r"))
    task = dik.ManipulabilityTask(tree.frame_names[-1], tree)
    at = dik.Configuration(tree, [0.3, 0.8])
    assert task.compute_manipulability(at) == 0.0
    assert not task.compute_jacobian(at).any()


BODY = robots.load_urdf(robots.urdf_file("two_arms"))
QUADRUPED = robots.load_urdf(robots.urdf_file("quadruped"), floating_base=True)
BASE = QUADRUPED.frame_names[0]
COUNTS = pytest.mark.parametrize("count", [40, pytest.param(300, marks=pytest.mark.release)])
KINDS = ["point", "line", "plane", "axis", "angle"]


def random_task(kind, tree, at, rng):
    """Return a task between two random frames, or a frame and the world, that another configuration meets."""
    frame = tree.frame_names[rng.integers(len(tree.frame_names))]
    others = [name for name in tree.frame_names if name != frame]
    root = "universe" if rng.random() < 0.4 else others[rng.integers(len(others))]
    direction, other, gain = rng.normal(size=3), rng.normal(size=3), float(rng.uniform(0.1, 1.0))
    if kind in ("point", "line", "plane"):
        surface = {} if kind == "point" else {kind: other}
        task = dik.PointTask(frame, root, point=0.1 * direction, **surface, gain=gain)
    elif kind == "axis":
        task = dik.AxisTask(frame, direction, root, gain=gain)
    else:
        task = dik.AngleTask(frame, direction, root, root_axis=other, gain=gain)
    task.set_target_from_configuration(at)
    return task


def residual(task, at):
    """Return the remaining distance or angle, from the poses of the two frames by textbook geometry."""
    T_b, T_r = (at.get_transform_frame_to_world(name) for name in (task.frame, task.root))
    if isinstance(task, dik.PointTask):
        gap = T_b[:3, :3] @ task.point + T_b[:3, 3] - T_r[:3, :3] @ task.target() - T_r[:3, 3]
        axes = T_r[:3, :3] @ task.normals.T  # three for a point, two for a line, one for a plane
        if len(task.normals) == 3:
            return float(np.linalg.norm(gap))
        if len(task.normals) == 2:
            return float(np.linalg.norm(np.cross(np.cross(axes[:, 0], axes[:, 1]), gap)))
        return abs(float(axes[:, 0] @ gap))
    a = T_b[:3, :3] @ task.axis
    c = T_r[:3, :3] @ (task.target() if isinstance(task, dik.AxisTask) else task.root_axis)
    angle = 2.0 * np.arctan2(np.linalg.norm(a - c), np.linalg.norm(a + c))  # Kahan
    return float(angle if isinstance(task, dik.AxisTask) else abs(angle - task.target()))


@COUNTS
@pytest.mark.parametrize("kind", KINDS)
def test_errors_are_distances_and_jacobians_their_derivatives(kind, count):
    rng, h = np.random.default_rng(KINDS.index(kind)), 1e-6
    for i in range(count):
        tree = (BODY, QUADRUPED)[i % 2]
        target, at = (dik.Configuration(tree, tree.random_configuration(rng)) for _ in range(2))
        task = random_task(kind, tree, target, rng)
        e, J = task.compute_error(at), task.compute_jacobian(at)
        assert np.linalg.norm(e) == pytest.approx(residual(task, at), abs=1e-13)
        v = rng.normal(size=tree.nv)
        ends = [task.compute_error(dik.Configuration(tree, at.integrate(v, s))) for s in (h, -h)]
        size = 1.0 + float(np.abs(J @ v).max())
        curvature = (
            1.0 / max(np.pi - np.linalg.norm(e), 1e-3) if kind == "axis" else 1.0
        )  # the rows of opposite axes are long
        assert np.abs(J @ v - (ends[0] - ends[1]) / (2 * h)).max() < 1e-8 * size * curvature**2


def test_point_task_has_the_rows_of_mujocos_connect():
    """At a closed configuration; MuJoCo's rows are in the axes of the world."""
    text = """<mujoco><compiler angle="radian"/><worldbody>
      <body name="a" pos="0.1 0.2 0.3"><joint name="q1" axis="0 0 1"/><geom size="0.1"/>
        <body name="b" pos="0.5 0 0.1"><joint name="q2" axis="1 1 0"/><geom size="0.1"/></body></body>
      <body name="c" pos="-0.2 0 0.5"><joint name="q3" axis="0 1 0"/><geom size="0.1"/></body>
    </worldbody><equality><connect body1="b" body2="c" anchor="0.1 0.2 0.3"/></equality></mujoco>"""
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    n = np.sqrt(0.5)
    urdf = f"""<robot name="same"><link name="w"/><link name="a"/><link name="b"/><link name="c"/>
      <joint name="q1" type="continuous"><parent link="w"/><child link="a"/><origin xyz="0.1 0.2 0.3"/>
        <axis xyz="0 0 1"/></joint>
      <joint name="q2" type="continuous"><parent link="a"/><child link="b"/><origin xyz="0.5 0 0.1"/>
        <axis xyz="{n} {n} 0"/></joint>
      <joint name="q3" type="continuous"><parent link="w"/><child link="c"/><origin xyz="-0.2 0 0.5"/>
        <axis xyz="0 1 0"/></joint></robot>"""
    at = dik.Configuration(robots.load_urdf(urdf))
    task = dik.PointTask("b", "c", point=[0.1, 0.2, 0.3])
    task.set_target_from_configuration(at)
    R = at.get_transform_frame_to_world("c")[:3, :3]
    theirs = data.efc_J[: 3 * model.nv].reshape(3, model.nv)
    assert np.abs(R @ task.compute_jacobian(at) - theirs).max() < 1e-12


@pytest.mark.parametrize("flipped", [False, True])
@pytest.mark.parametrize("exact", [False, True])
def test_parallel_axes_have_finite_rows(flipped, exact):
    """The rotation by π between opposite axes has an arbitrary direction."""
    at = dik.Configuration(QUADRUPED, None if exact else QUADRUPED.random_configuration(np.random.default_rng(5)))
    task = dik.AxisTask(BASE, [1, 0, 0])  # at q = 0 it is x to the last bit
    task.set_target_from_configuration(at)
    task.set_target(-task.target() if flipped else task.target())
    e, J = task.compute_error(at), task.compute_jacobian(at)
    assert np.linalg.norm(e) == pytest.approx(np.pi if flipped else 0.0, abs=1e-15)
    assert 0.1 < np.linalg.norm(J) < 10.0
    angle = dik.AngleTask(BASE, [1, 0, 0], root_axis=task.target())
    angle.set_target(1.0)
    assert np.abs(angle.compute_jacobian(at)).max() > 0.1


def test_a_direction_of_any_length_is_a_unit_vector():
    for length in (1e-300, 1.0, 1e300):
        task = dik.PointTask("a", line=[0.0, 0.0, length])
        assert np.abs(task.normals @ task.normals.T - np.eye(2)).max() < 1e-15
        assert np.abs(dik.AxisTask("a", [length, 0.0, length]).axis - [np.sqrt(0.5), 0, np.sqrt(0.5)]).max() < 1e-15


INTERVALS = (0.1, (None, 0.2), None, 0.01, (-0.05, 0.02), (0.0, None))


def displacement(at, frame, target):
    T, R_d = at.get_transform_frame_to_world(frame), target[:3, :3]
    omega = Rotation.from_matrix(R_d.T @ T[:3, :3]).as_rotvec()
    return np.concatenate([omega, R_d.T @ (T[:3, 3] - target[:3, 3])])


@pytest.mark.parametrize("name", ["UR10", "Solo"])
def test_error_and_jacobian(name):
    pair, rng = robot(name), np.random.default_rng(12)
    compared = 0
    while compared < 5:
        at = dik.Configuration(pair.tree, pair.inside(rng))
        (frame,) = pair.frames(rng, 1)
        target = at.get_transform_frame_to_world(frame) @ lie.exp_se3(rng.normal(0.0, 0.3, 6))
        task = dik.FrameIntervalTask(frame, INTERVALS, 2.0, [1.0, 3.0, 0.5], lm_damping=0.1, gain=0.4)
        task.set_target(target)
        x, (lower, upper) = displacement(at, frame, target), np.array(task.intervals.bounds).T
        if min(np.abs(x - lower).min(), np.abs(x - upper).min()) < 1e-4:
            continue  # differences must not straddle the end of an interval
        np.testing.assert_allclose(task.compute_error(at), np.clip(x, lower, upper) - x, atol=1e-12)
        J = task.compute_jacobian(at)
        assert np.abs(J - difference(task.compute_error, at)).max() < 1e-7 * max(1.0, np.abs(J).max())
        H, c = np.zeros((pair.tree.nv, pair.tree.nv)), np.zeros(pair.tree.nv)
        task.add_objective(at, H, c)
        expected = dik.Task.compute_qp_objective(task, at)
        np.testing.assert_allclose(H, expected[0], atol=1e-12)
        np.testing.assert_allclose(c, expected[1], atol=1e-12)
        for one, other in zip(task.linearize(at), (J, task.compute_error(at)), strict=True):
            np.testing.assert_array_equal(one, other)
        compared += 1


RADIUS, WHEELS = 0.0985, ("wheel_left_link", "wheel_right_link")
"""Radius of Tiago's wheels, m, from the <cylinder> in its file."""


@pytest.fixture(scope="module")
def tiago():
    return pair_of(urdf("tiago_no_hand"), "floating")


def place_on_floor(tiago, yaw=0.0):
    """Return the robot with its wheels on the floor at a yaw angle."""
    at = dik.Configuration(tiago.tree)
    q = at.q.copy()
    q[2] += RADIUS - at.get_transform_frame_to_world(WHEELS[0])[2, 3]
    q[5:7] = np.sin(yaw / 2), np.cos(yaw / 2)
    lower, upper = tiago.tree.lower[7:], tiago.tree.upper[7:]
    q[7:] = 0.5 * (np.where(np.isfinite(lower), lower, 0.3) + np.where(np.isfinite(upper), upper, 0.3))
    return dik.Configuration(tiago.tree, q)


@pytest.mark.parametrize("kind", ["RollingTask", "OmniwheelTask"])
def test_rows_and_error_match_pink_for_a_wheel_along_x(tiago, kind):
    at = place_on_floor(tiago)
    at.integrate_inplace(np.eye(at.model.nv)[5] + 0.7, 0.05)  # above the floor and slightly tilted
    q = at.q.copy()
    q[3:7] = 0.0, 0.0, 0.0, 1.0
    ours_at, theirs_at = tiago.both(q)
    ours = getattr(dik, kind)(WHEELS[0], "universe", RADIUS, 2.0)
    theirs = getattr(pink.tasks, kind)(WHEELS[0], "universe", RADIUS, 2.0)
    assert np.abs(ours.compute_error(ours_at) - theirs.compute_error(theirs_at)).max() < 1e-12
    J = theirs.compute_jacobian(theirs_at)[:, tiago.order]
    assert np.abs(ours.compute_jacobian(ours_at) - J).max() < 1e-12


@pytest.mark.parametrize("yaw", [0.0, 0.9, np.pi / 2])
def test_a_rolling_constraint_keeps_the_contact_point_at_rest(tiago, yaw):
    """The material point of the wheel at the contact has zero velocity."""
    at, dt = place_on_floor(tiago, yaw), 0.01
    wheels = [dik.RollingTask(wheel, "universe", RADIUS, 1.0) for wheel in WHEELS]
    base = dik.FrameTask("base_footprint", 1.0, 1.0)
    base.set_target_from_configuration(at)
    ahead = at.get_transform_frame_to_world("base_footprint")[:3, 0]
    base.target()[:3, 3] += 0.002 * ahead
    v = dik.solve_ik(at, [base, dik.DampingTask(1e-3)], dt, constraints=wheels, limits=[])
    for wheel in WHEELS:
        T = at.get_transform_frame_to_world(wheel)
        lowest = T[:3, 3] - [0.0, 0.0, RADIUS]
        twist = lie.adjoint(T) @ at.get_frame_jacobian(wheel) @ v  # in the world
        assert np.abs(twist[3:] + np.cross(twist[:3], lowest)).max() < 1e-9
        assert np.linalg.norm(twist[:3]) == pytest.approx(0.2 / RADIUS, rel=1e-3)
    moved = at.get_velocity_jacobian("base_footprint") @ v
    assert moved == pytest.approx(0.2 * ahead, abs=1e-4)


@pytest.mark.parametrize("yaw", [0.0, 0.9, np.pi / 2])
def test_an_omniwheel_moves_only_along_its_axle(tiago, yaw):
    """Pink 4.4 allows motion in the rolling direction unless this is the floor's x."""
    at = place_on_floor(tiago, yaw)
    T = at.get_transform_frame_to_world("base_footprint")
    ahead, aside = np.linalg.inv(at.get_frame_jacobian("base_footprint")[:, :6])[:, 3:5].T
    J = dik.OmniwheelTask(WHEELS[0], "universe", RADIUS, 1.0).compute_jacobian(at)[:, :6]
    assert np.abs(J @ aside).max() < 1e-9
    assert abs(J @ ahead)[0] == pytest.approx(1.0, abs=1e-9)
    theirs_at = tiago.both(at.q)[1]
    theirs = pink.tasks.OmniwheelTask(WHEELS[0], "universe", RADIUS, 1.0).compute_jacobian(theirs_at)[:, tiago.order]
    assert abs(theirs[:, :6] @ ahead)[0] == pytest.approx(abs(T[0, 0]), abs=1e-9)  # cos(yaw)
