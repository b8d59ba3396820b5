"""What tasks take, keep and refuse."""

import numpy as np
import pytest
from pink_robots import Q, robot

from lessons_lib import differential_ik as dik
from lessons_lib.differential_ik.solver.problem import sum_objectives
from lessons_lib.errors import ConfigurationError, FrameNotFound, ParameterError, TransformError


def tasks_without_target() -> list[dik.Task]:
    return [
        dik.FrameTask("tool0", 1.0, 1.0),
        dik.RelativeFrameTask("tool0", "forearm_link", 1.0, 1.0),
        dik.PostureTask(1.0),
        dik.ComTask(1.0),
    ]


@pytest.mark.parametrize("task", tasks_without_target(), ids=lambda task: type(task).__name__)
def test_a_task_without_target_says_so(ur10: dik.Configuration, task: dik.Task) -> None:
    asks = [task.compute_error, task.compute_qp_objective]
    asks += [] if isinstance(task, dik.PostureTask) else [task.compute_jacobian]
    for ask in asks:
        with pytest.raises(dik.TargetNotSet) as raised:
            ask(ur10)
        assert raised.value.task is task
    with pytest.raises(dik.TargetNotSet, match=rf"{type(task).__name__}\(.* has no target; call set_target"):
        dik.solve_ik(ur10, [task], 0.01)


@pytest.mark.parametrize("task", tasks_without_target(), ids=lambda task: type(task).__name__)
def test_a_target_taken_from_a_configuration_leaves_no_error(ur10: dik.Configuration, task: dik.Task) -> None:
    task.set_target_from_configuration(ur10)  # type: ignore[attr-defined]
    assert np.abs(task.compute_error(ur10)).max() < 1e-15
    assert np.abs(dik.solve_ik(ur10, [task, dik.DampingTask(1e-3)], 0.01)).max() < 1e-9


def test_an_unknown_frame_is_found_when_it_is_needed(ur10: dik.Configuration) -> None:
    task = dik.FrameTask("tool", 1.0, 1.0)
    task.set_target(np.eye(4))
    relative = dik.RelativeFrameTask("tool0", "elbow", 1.0, 1.0)
    relative.set_target(np.eye(4))
    for asked, near in ((task, "'tool0'"), (relative, "no frame 'elbow'")):
        for ask in (asked.compute_error, asked.compute_jacobian, lambda at, t=asked: dik.build_ik(at, [t], 0.01)):
            with pytest.raises(FrameNotFound, match=near):
                ask(ur10)


@pytest.mark.parametrize("gain", [-0.1, 1.0001, np.nan, np.inf, "all", None, [0.5]])
def test_a_gain_outside_zero_to_one_is_refused(gain: object) -> None:
    task = dik.PostureTask(1.0)
    with pytest.raises(ParameterError, match="gain must be"):
        task.gain = gain  # type: ignore[assignment]
    with pytest.raises(ParameterError, match="gain must be"):
        dik.FrameTask("tool0", 1.0, 1.0, gain=gain)  # type: ignore[arg-type]
    assert task.gain == 1.0


def test_the_ends_of_the_gain_are_allowed(ur10: dik.Configuration) -> None:
    task = dik.PostureTask(1.0, gain=0)
    task.set_target(np.zeros(6))
    assert np.abs(dik.solve_ik(ur10, [task], 0.01)).max() == 0.0
    task.gain = 1
    assert task.gain == 1.0


@pytest.mark.parametrize("damping", [-1e-9, np.nan, np.inf, "some"])
def test_a_negative_damping_is_refused(ur10: dik.Configuration, damping: object) -> None:
    with pytest.raises(ParameterError, match="lm_damping must be"):
        dik.ComTask(1.0, lm_damping=damping)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="damping must be"):
        dik.solve_ik(ur10, [dik.DampingTask(1.0)], 0.01, damping=damping)  # type: ignore[arg-type]


@pytest.mark.parametrize("cost", [-1.0, [1.0, -1.0, 1.0], np.nan, [np.inf, 1.0, 1.0], 1e300, "dear", None, [[1.0]], []])
def test_a_cost_that_is_no_cost_is_refused(cost: object) -> None:
    for make in (
        lambda: dik.FrameTask("tool0", cost, 1.0),  # type: ignore[arg-type]
        lambda: dik.FrameTask("tool0", 1.0, cost),  # type: ignore[arg-type]
        lambda: dik.FrameTask("tool0", 1.0, 1.0).set_position_cost(cost),  # type: ignore[arg-type]
        lambda: dik.RelativeFrameTask("tool0", "base_link", 1.0, 1.0).set_orientation_cost(cost),  # type: ignore[arg-type]
    ):
        with pytest.raises(ParameterError, match="(position|orientation)_cost must be"):
            make()
    if cost is not None:  # which stands for 1
        for make in (dik.PostureTask, dik.DampingTask, dik.LowAccelerationTask, dik.ComTask):
            with pytest.raises(ParameterError, match="cost must be"):
                make(cost)  # type: ignore[arg-type]


def test_as_many_costs_as_coordinates(ur10: dik.Configuration) -> None:
    with pytest.raises(ParameterError, match=r"position_cost must be one number or 1 or 3, got shape \(2,\)"):
        dik.FrameTask("tool0", [1.0, 2.0], 1.0)
    with pytest.raises(ParameterError, match=r"cost must be one number or 1 or 3, got shape \(6,\)"):
        dik.ComTask(np.ones(6))
    task = dik.PostureTask(np.ones(5))
    task.set_target(Q)
    for ask in (task.compute_qp_objective, lambda at: dik.build_ik(at, [task], 0.01)):
        with pytest.raises(ParameterError, match="PostureTask has 5 costs for an error of 6 coordinates; give one"):
            ask(ur10)


def test_costs_are_in_the_order_of_our_twists() -> None:
    task = dik.FrameTask("tool0", [1.0, 2.0, 3.0], 4.0)
    assert task.cost.tolist() == [4.0, 4.0, 4.0, 1.0, 2.0, 3.0]  # type: ignore[union-attr]
    task.set_orientation_cost([7.0, 8.0, 9.0])
    task.set_position_cost(0.5)
    assert task.orientation_cost.tolist() == [7.0, 8.0, 9.0]
    assert task.position_cost.tolist() == [0.5, 0.5, 0.5]
    with pytest.raises(ValueError, match="read-only"):
        task.position_cost[0] = -1.0


def test_cost_reads_as_it_was_given() -> None:
    assert dik.PostureTask(2).cost == 2.0
    assert dik.PostureTask([1.0, 2.0]).cost.tolist() == [1.0, 2.0]  # type: ignore[union-attr]
    task = dik.ComTask(1.0)
    task.set_cost([1.0, 2.0, 3.0])
    assert task.cost.tolist() == [1.0, 2.0, 3.0]  # type: ignore[union-attr]
    assert dik.PostureTask(None).cost is None  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "target", [np.eye(3), np.diag([1.0, 1.0, -1.0, 1.0]), np.full((4, 4), np.nan), "here", 2 * np.eye(4)]
)
def test_a_target_that_is_no_pose_is_refused(target: object) -> None:
    for task in (dik.FrameTask("tool0", 1.0, 1.0), dik.RelativeFrameTask("tool0", "base_link", 1.0, 1.0)):
        with pytest.raises(TransformError, match="the target of frame 'tool0'"):
            task.set_target(target)  # type: ignore[arg-type]


def test_targets_are_copies(ur10: dik.Configuration) -> None:
    T, q, p = np.eye(4), Q.copy(), np.zeros(3)
    frame, posture, com = dik.FrameTask("tool0", 1.0, 1.0), dik.PostureTask(1.0), dik.ComTask(1.0)
    frame.set_target(T)
    posture.set_target(q)
    com.set_target(p)
    T[0, 3], q[0], p[0] = 9.0, 9.0, 9.0
    assert frame.transform_target_to_world[0, 3] == 0.0  # type: ignore[index]
    assert posture.target_q[0] == Q[0]  # type: ignore[index]
    assert com.target_com[0] == 0.0  # type: ignore[index]


def test_a_target_may_be_written_into(ur10: dik.Configuration) -> None:
    """As in Pink, where examples move the targets that they were given."""
    T = ur10.get_transform_frame_to_world("tool0")
    moved = T.copy()
    moved[1, 3] += 0.1
    tasks = [dik.FrameTask("tool0", 1.0, 1.0), dik.RelativeFrameTask("tool0", "base_link", 1.0, 1.0)]
    for task, name in zip(tasks, ("world", "root"), strict=True):
        task.set_target(T)
        getattr(task, f"transform_target_to_{name}")[1, 3] += 0.1
    anew = dik.FrameTask("tool0", 1.0, 1.0)
    anew.set_target(moved)
    for ask in (dik.Task.compute_qp_objective, lambda task, at: sum_objectives(at, [task], 0.0)):
        for task in tasks:
            for mine, other in zip(ask(task, ur10), ask(anew, ur10), strict=True):
                assert np.abs(mine - other).max() < 1e-12  # the base stands at the origin
    posture, com = dik.PostureTask(1.0), dik.ComTask(1.0)
    posture.set_target_from_configuration(ur10)
    com.set_target_from_configuration(ur10)
    posture.target_q[2] += 0.5  # type: ignore[index]
    com.target_com[2] += 0.5  # type: ignore[index]
    assert posture.compute_error(ur10) == pytest.approx([0.0, 0.0, -0.5, 0.0, 0.0, 0.0])
    assert com.compute_error(ur10) == pytest.approx([0.0, 0.0, -0.5])


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        ((0, 0), 2.0, "is not a rotation"),
        ((0, 3), np.nan, "must be finite"),
        ((3, 3), 2.0, "last row"),
        ((slice(0, 3), 0), 0.0, "is not a rotation"),
        ((slice(0, 3), slice(0, 3)), -np.eye(3), "is a reflection"),
    ],
)
def test_what_is_written_into_a_target_must_leave_a_pose(
    ur10: dik.Configuration, place: object, value: object, message: str
) -> None:
    for task in (dik.FrameTask("tool0", 1.0, 1.0), dik.RelativeFrameTask("tool0", "base_link", 1.0, 1.0)):
        task.set_target(np.eye(4))
        task.target()[place] = value  # type: ignore[index]
        for ask in (task.compute_error, lambda at, t=task: sum_objectives(at, [t], 0.0)):
            with pytest.raises(TransformError, match=f"the target of frame 'tool0'.*{message}"):
                ask(ur10)


def test_what_a_posture_must_be(ur10: dik.Configuration) -> None:
    task = dik.PostureTask(1.0)
    for target in (np.full(6, np.nan), np.zeros((2, 3)), 1.0):
        with pytest.raises(ConfigurationError, match="target_q must be a vector of finite numbers"):
            task.set_target(target)  # type: ignore[arg-type]
    with pytest.raises(ConfigurationError, match="target_q must be a vector of numbers"):
        task.set_target("home")  # type: ignore[arg-type]
    task.set_target(np.zeros(7))
    for ask in (task.compute_error, lambda at: dik.build_ik(at, [task], 0.01)):
        with pytest.raises(ConfigurationError, match=r"target_q has shape \(7,\), q of ur10 has shape \(6,\)"):
            ask(ur10)


def test_what_a_centre_of_mass_must_be() -> None:
    for target, message in (([0.0, 0.0], r"shape \(3,\)"), ([0, 0, np.nan], "finite"), ("low", "3 numbers")):
        with pytest.raises(ParameterError, match=f"target_com must .*{message}"):
            dik.ComTask(1.0).set_target(target)  # type: ignore[arg-type]


def test_what_a_last_step_must_be(ur10: dik.Configuration) -> None:
    task = dik.LowAccelerationTask(1.0)
    assert np.array_equal(task.compute_error(ur10), np.zeros(6))
    for v, dt, message in (
        (np.full(6, np.nan), 0.1, "v_prev must be finite"),
        (np.ones(6), 0.0, "dt must be above 0, got 0.0"),
        ("fast", 0.1, "v_prev must be a vector of numbers"),
    ):
        with pytest.raises(ParameterError, match=message):
            task.set_last_integration(v, dt)  # type: ignore[arg-type]
    task.set_last_integration(np.ones(5), 0.1)
    with pytest.raises(ParameterError, match=r"the last velocity must have shape \(6,\), got \(5,\)"):
        task.compute_error(ur10)


def test_what_a_coupling_must_be(ur10: dik.Configuration) -> None:
    for names, ratios, message in (
        (["elbow"], [1.0], "ur10 has no joint 'elbow' with one coordinate; did you mean 'elbow_joint'"),
        (["elbow_joint"], [1.0, 2.0], r"ratios must have shape \(1,\), got \(2,\)"),
        (["elbow_joint"], [np.nan], "ratios must be finite"),
    ):
        with pytest.raises(ParameterError, match=message):
            dik.JointCouplingTask(names, ratios, 1.0, ur10)
    with pytest.raises(ParameterError, match="go2_description has no joint 'root_joint.wx' with one coordinate"):
        dik.JointCouplingTask(["root_joint.wx"], [1.0], 1.0, dik.Configuration(robot("Go2").tree))
    task = dik.JointCouplingTask(["elbow_joint"], [1.0], 1.0, ur10)
    with pytest.raises(ParameterError, match="A has 6 columns, panda has 8 rates"):
        task.compute_error(dik.Configuration(robot("Panda").tree))


def test_a_coupling_holds_two_joints_in_their_ratio(ur10: dik.Configuration) -> None:
    names = ["elbow_joint", "wrist_2_joint"]
    task = dik.JointCouplingTask(names, [1.0, -2.0], 100.0, ur10)
    away = dik.PostureTask(1e-2)
    away.set_target([0.0, 0.0, 1.0, 0.0, 0.0, 0.0])
    for _ in range(300):
        ur10.integrate_inplace(dik.solve_ik(ur10, [task, away], 0.02), 0.02)
    assert ur10.q[2] == pytest.approx(2.0 * ur10.q[4], abs=1e-6)
    assert ur10.q[2] > 0.5


def test_tasks_show_what_they_are() -> None:
    assert repr(dik.PostureTask(0.5)) == "PostureTask(cost=0.5, gain=1, lm_damping=0)"
    assert repr(dik.FrameTask("tool0", 1.0, [1, 2, 3])) == (
        "FrameTask('tool0', position_cost=[1.0, 1.0, 1.0], orientation_cost=[1.0, 2.0, 3.0], lm_damping=0, gain=1)"
    )
    assert repr(dik.ComTask([1, 2, 3])) == "ComTask(cost=[1., 2., 3.], gain=1, lm_damping=0)"


@pytest.mark.parametrize(
    "make",
    [
        lambda *costs: dik.FrameTask("tool0", *costs),
        lambda *costs: dik.RelativeFrameTask("tool0", "base_link", *costs),
    ],
)
def test_one_number_as_the_cost_of_a_pose_counts_for_all_six(ur10: dik.Configuration, make: object) -> None:
    task, same = make(0.5, 3.0), make(2.0, 2.0)  # type: ignore[operator]
    for each in (task, same):
        each.set_target(np.eye(4))
    task.cost = 2.0
    assert task.cost.tolist() == [2.0] * 6
    assert task.position_cost.tolist() == task.orientation_cost.tolist() == [2.0] * 3
    assert repr(task) == repr(same)
    for mine, other in zip(task.compute_qp_objective(ur10), same.compute_qp_objective(ur10), strict=True):
        assert np.array_equal(mine, other)
    assert np.array_equal(dik.solve_ik(ur10, [task], 0.01), dik.solve_ik(ur10, [same], 0.01))
    task.set_position_cost(1.0)
    assert task.cost.tolist() == [2.0] * 3 + [1.0] * 3
    task.cost = None
    assert task.cost.tolist() == [1.0] * 6
    with pytest.raises(ParameterError, match=r"cost must be one number or 6, got shape \(3,\)"):
        task.cost = [1.0, 2.0, 3.0]
    assert task.cost.tolist() == [1.0] * 6


@pytest.mark.parametrize("frame", [np.zeros(3), None, 7, ["tool0"]], ids=["array", "None", "number", "list"])
@pytest.mark.parametrize(
    "make",
    [
        lambda frame, at: dik.FrameTask(frame, 1.0, 1.0),
        lambda frame, at: dik.RelativeFrameTask("tool0", frame, 1.0, 1.0),
        lambda frame, at: dik.FrameVelocityTask(frame),
        lambda frame, at: dik.ManipulabilityTask(frame, at.model),
        lambda frame, at: dik.RollingTask(frame, "universe", 0.1, 1.0),
        lambda frame, at: dik.PositionBarrier(frame, p_min=0.0),
        lambda frame, at: dik.BodySphericalBarrier(("tool0", frame), 0.1),
        lambda frame, at: dik.FrameVelocityLimit(at.model, frame, 1.0, 1.0),
    ],
)
def test_a_frame_that_is_no_name_is_refused_at_once(ur10: dik.Configuration, make: object, frame: object) -> None:
    with pytest.raises(ParameterError, match=r"must be the name of a frame, got (ndarray|NoneType|int|list)"):
        make(frame, ur10)  # type: ignore[operator]
