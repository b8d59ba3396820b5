"""Tasks for points on points, lines and planes, axes along directions and at angles, frames within intervals."""

import mujoco
import numpy as np
import pytest
from pink_robots import robot
from scipy.spatial.transform import Rotation
from test_task_jacobians import difference

from lessons_lib import differential_ik as dik
from lessons_lib import lie, robots

BODY = robots.load_urdf(robots.urdf_file("two_arms"))
QUADRUPED = robots.load_urdf(robots.urdf_file("quadruped"), floating_base=True)
BASE = QUADRUPED.frame_names[0]
COUNTS = pytest.mark.parametrize("count", [40, pytest.param(300, marks=pytest.mark.release)])
KINDS = ["point", "line", "plane", "axis", "angle"]


def random_task(kind: str, tree: robots.Tree, at: dik.Configuration, rng: np.random.Generator) -> dik.Task:
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


def residual(task: dik.Task, at: dik.Configuration) -> float:
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
def test_errors_are_distances_and_jacobians_their_derivatives(kind: str, count: int) -> None:
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


def test_point_task_has_the_rows_of_mujocos_connect() -> None:
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
def test_parallel_axes_have_finite_rows(flipped: bool, exact: bool) -> None:
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


def test_a_direction_of_any_length_is_a_unit_vector() -> None:
    for length in (1e-300, 1.0, 1e300):
        task = dik.PointTask("a", line=[0.0, 0.0, length])
        assert np.abs(task.normals @ task.normals.T - np.eye(2)).max() < 1e-15
        assert np.abs(dik.AxisTask("a", [length, 0.0, length]).axis - [np.sqrt(0.5), 0, np.sqrt(0.5)]).max() < 1e-15


INTERVALS = (0.1, (None, 0.2), None, 0.01, (-0.05, 0.02), (0.0, None))
DT = 0.05


def displacement(at: dik.Configuration, frame: str, target: np.ndarray) -> np.ndarray:
    T, R_d = at.get_transform_frame_to_world(frame), target[:3, :3]
    omega = Rotation.from_matrix(R_d.T @ T[:3, :3]).as_rotvec()
    return np.concatenate([omega, R_d.T @ (T[:3, 3] - target[:3, 3])])


@pytest.fixture
def arm() -> dik.Configuration:
    return dik.Configuration(robot("UR10").tree, np.array([0.3, -1.2, 1.5, -0.6, 1.1, 0.4]))


def task_around(target: np.ndarray, intervals: object = INTERVALS, **options: float) -> dik.FrameIntervalTask:
    task = dik.FrameIntervalTask("tool0", intervals, 1.0, 1.0, **options)
    task.set_target(target)
    return task


@pytest.mark.parametrize("name", ["UR10", "Solo"])
def test_error_and_jacobian(name: str) -> None:
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


def test_zero_width_is_a_frame_task(arm: dik.Configuration) -> None:
    """Steps are equal if the orientation is correct, final poses always."""
    here, zero = arm.get_transform_frame_to_world("tool0"), (0,) * 6
    plain = dik.FrameTask("tool0", 1.0, 1.0, gain=0.7)
    for motion in ((0, 0, 0, 0.05, -0.02, 0.03), (0.3, -0.2, 0.1, 0.05, -0.02, 0.03)):
        target = here @ lie.exp_se3(np.array(motion))
        plain.set_target(target)
        exact = task_around(target, zero, gain=0.7)
        velocities = [dik.solve_ik(arm, [task], DT, limits=[]) for task in (exact, plain)]
        if not any(motion[:3]):
            np.testing.assert_allclose(*velocities, rtol=1e-7)
        else:
            assert 1e-6 < np.linalg.norm(velocities[0] - velocities[1]) < 0.1 * np.linalg.norm(velocities[1])
        for task in (exact, plain):
            at = dik.Configuration(arm.model, arm.q)
            for _ in range(40):
                at.integrate_inplace(dik.solve_ik(at, [task], DT, limits=[]), DT)
            np.testing.assert_allclose(at.get_transform_frame_to_world("tool0"), target, atol=1e-8)
