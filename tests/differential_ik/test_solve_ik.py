"""Configurations and steps: other solvers, derived tasks, targets, limits, and unmodified arguments."""

import logging
from dataclasses import replace

import numpy as np
import pink
import pink.tasks
import pytest
import qpsolvers
from pink_robots import Q, robot
from task_pairs import random_pairs

from lessons_lib import differential_ik as dik
from lessons_lib.course.tasks import two_hands
from lessons_lib.differential_ik.configuration import Configuration
from lessons_lib.differential_ik.solver.problem import sum_objectives
from lessons_lib.errors import ConfigurationError, LessonsError
from lessons_lib.lie import exp_se3


def test_nan_from_daqp_is_not_a_solution():
    """DAQP reports a step of this loop as optimal and returns NaN for all joints."""
    at = two_hands.settle([two_hands.posture_task(1.0)], steps=1)[0]
    promises = two_hands.hand_tasks((1.0, 0.0, 1.1), gain=0.05)  # 0.4 m beyond the reach of the arms
    with pytest.raises(dik.NoSolutionFound, match="15 unknowns, 60 inequalities and 6 equalities"):
        for _ in range(50):
            at.integrate_inplace(dik.solve_ik(at, [two_hands.posture_task(1.0)], 1.0, constraints=promises), 1.0)


@pytest.mark.filterwarnings("ignore")  # other solvers warn of sparse matrices and deprecated names
def test_installed_solvers_agree(ur10):
    pair = robot("UR10")
    tasks = [mine for mine, _ in random_pairs(pair, ur10, np.random.default_rng(5), 3)]
    expected = dik.solve_ik(ur10, tasks, 0.01)
    for solver in qpsolvers.available_solvers:
        v = dik.solve_ik(ur10, tasks, 0.01, solver=solver)
        tolerance = 1e-9 if solver in ("daqp", "quadprog") else 1e-2  # the iterative ones stop early
        assert np.linalg.norm(v - expected) <= tolerance * np.linalg.norm(expected)


def test_steps_from_outside_the_limits(ur10, caplog):
    outside = Q.copy()
    outside[2] = ur10.model.upper[2] + 0.01
    ur10.update(outside)
    with pytest.raises(dik.NotWithinConfigurationLimits, match=r"'elbow_joint' is outside its limits: q\[2\] = 3.15"):
        dik.solve_ik(ur10, [dik.DampingTask(1.0)], 0.1)
    v = dik.solve_ik(ur10, [dik.DampingTask(1.0)], 0.1, safety_break=False)
    assert v[2] < -0.04  # the way back in
    assert "elbow_joint" in caplog.text
    with pytest.raises(dik.NoSolutionFound):  # too far for the velocity limit in 1 ms
        dik.solve_ik(ur10, [dik.DampingTask(1.0)], 1e-3, safety_break=False)


def test_arguments_are_not_modified(ur10):
    pair, rng = robot("UR10"), np.random.default_rng(4)
    tasks = [mine for mine, _ in random_pairs(pair, ur10, rng, 5)]
    shown = [repr(task) for task in tasks]
    first, second = dik.solve_ik(ur10, tasks, 0.01), dik.solve_ik(ur10, tasks, 0.01)
    assert np.array_equal(first, second)
    assert np.array_equal(ur10.q, Q)
    assert [repr(task) for task in tasks] == shown


def configuration():
    """Return a UR10 at an arbitrary configuration."""
    return Configuration(robot("UR10").tree, [0.3, -1.2, 1.5, -0.6, 1.1, 0.4])


class DoubledPostureTask(dik.PostureTask):
    def compute_error(self, configuration):
        return 2.0 * super().compute_error(configuration)


class ScaledJacobianTask(dik.FrameTask):
    def compute_jacobian(self, configuration):
        return np.asfortranarray(super().compute_jacobian(configuration)[::-1])


class ScaledObjectiveTask(dik.FrameTask):
    def compute_qp_objective(self, configuration):
        H, c = super().compute_qp_objective(configuration)
        return 3.0 * H, 3.0 * c


def test_an_overridden_objective_with_singular_H_has_the_same_step():
    pair = robot("Panda")  # redundant: H has no inverse
    at = Configuration(pair.tree, pair.inside(np.random.default_rng(3)))
    steps = []
    for task in (ScaledObjectiveTask("panda_link8", 1.0, 2.0), dik.FrameTask("panda_link8", 1.0, 2.0)):
        task.set_target(at.get_transform_frame_to_world("panda_link8") @ exp_se3(1e-3 * np.arange(1.0, 7.0)))
        steps.append(dik.solve_ik(at, [task], 0.1, damping=0.0))
    assert np.abs(steps[0] - steps[1]).max() <= 1e-6 * np.abs(steps[1]).max() > 0.0


@pytest.mark.parametrize("kind", [DoubledPostureTask, ScaledJacobianTask, ScaledObjectiveTask])
def test_compiled_objectives_respect_overridden_methods(kind):
    at = configuration()
    costs = [0.7, 0.2, 1.0, 0.5, 2.0, 0.3]
    task = kind(costs, gain=0.5, lm_damping=0.1) if kind is DoubledPostureTask else kind("tool0", 1.0, 2.0, 0.1, 0.5)
    task.set_target(np.full(6, 0.1) if kind is DoubledPostureTask else np.eye(4))
    (H, c), (H_readable, c_readable) = sum_objectives(at, [task], 0.0), task.compute_qp_objective(at)
    assert np.abs(H - H_readable).max() <= 1e-13 * np.abs(H_readable).max()
    assert np.abs(c - c_readable).max() <= 1e-13 * np.abs(c_readable).max()


FRAMES = [dik.FrameTask("tool0", 1.0, 1.0), dik.RelativeFrameTask("tool0", "forearm_link", 1.0, 1.0)]


@pytest.mark.parametrize("task", [*FRAMES, dik.PostureTask(1.0), dik.ComTask(1.0)], ids=lambda one: type(one).__name__)
def test_error_is_zero_at_a_target_from_the_configuration(ur10, task):
    task.set_target_from_configuration(ur10)
    assert np.abs(task.compute_error(ur10)).max() < 1e-15
    assert np.abs(dik.solve_ik(ur10, [task, dik.DampingTask(1e-3)], 0.01)).max() < 1e-9


def test_costs_are_ordered_as_twists():
    task = dik.FrameTask("tool0", [1.0, 2.0, 3.0], 4.0)
    assert task.cost.tolist() == [4.0, 4.0, 4.0, 1.0, 2.0, 3.0]
    task.set_orientation_cost([7.0, 8.0, 9.0])
    task.set_position_cost(0.5)
    assert task.orientation_cost.tolist() == [7.0, 8.0, 9.0]
    assert task.position_cost.tolist() == [0.5, 0.5, 0.5]
    with pytest.raises(ValueError, match="read-only"):
        task.position_cost[0] = -1.0


def test_targets_can_be_modified_in_place(ur10):
    """As in Pink, whose examples modify targets in place."""
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
                assert np.abs(mine - other).max() < 1e-12  # the base is at the origin
    posture, com = dik.PostureTask(1.0), dik.ComTask(1.0)
    posture.set_target_from_configuration(ur10)
    com.set_target_from_configuration(ur10)
    posture.target_q[2] += 0.5
    com.target_com[2] += 0.5
    assert posture.compute_error(ur10) == pytest.approx([0.0, 0.0, -0.5, 0.0, 0.0, 0.0])
    assert com.compute_error(ur10) == pytest.approx([0.0, 0.0, -0.5])


def test_a_range_of_zero_width_fixes_its_joint():
    """Pink treats it as no limit and moves the joint."""
    pair = robot("UR10")
    at, value = 2, 0.3
    bounds = pair.tree.lower.copy(), pair.tree.upper.copy()
    for bound in bounds:
        bound[at] = value
    tree = replace(pair.tree, lower=bounds[0], upper=bounds[1])
    model = pair.model.copy()
    model.lowerPositionLimit[at] = model.upperPositionLimit[at] = value
    q = np.array([0.1, -1.0, value, -0.4, 0.2, 0.0])
    ours_at, theirs_at = dik.Configuration(tree, q), pink.Configuration(model, model.createData(), q)
    ours, theirs = dik.PostureTask(1.0), pink.tasks.PostureTask(1.0)
    for task in (ours, theirs):
        task.set_target(q + 0.1)
    v, theirs_v = dik.solve_ik(ours_at, [ours], 0.1), pink.solve_ik(theirs_at, [theirs], 0.1, solver="daqp")
    others = np.arange(6) != at
    assert v[at] == 0.0 and theirs_v[at] == pytest.approx(1.0)
    assert v[others] == pytest.approx(theirs_v[others], abs=1e-6)
    held = dik.AccelerationLimit(tree, np.full(6, 5.0)).compute_bounds(ours_at, 0.1)
    assert held[0][at] == held[1][at] == 0.0
    aside = dik.Configuration(tree, q + 0.01)
    with pytest.raises(dik.NotWithinConfigurationLimits, match=r"q\[2\] = 0.31 is not in \[0.3, 0.3\]"):
        aside.check_limits()


def test_q_is_a_read_only_copy(ur10):
    q = Q.copy()
    at = dik.Configuration(ur10.model, q)
    q[0] = 9.0
    assert np.array_equal(at.q, Q)
    with pytest.raises(ValueError, match="read-only"):
        at.q[0] = 1.0
    with pytest.raises(AttributeError):
        at.q = q


def test_returned_arrays_are_writable_copies(ur10):
    first = ur10.get_transform_frame_to_world("tool0")
    first[:] = 0.0
    J = ur10.get_frame_jacobian("tool0")
    J[:] = 0.0
    assert ur10.get_transform_frame_to_world("tool0")[3, 3] == 1.0
    assert ur10.get_frame_jacobian("tool0").any()


def test_check_limits(ur10, caplog):
    ur10.check_limits()
    upper = ur10.model.upper[2]
    q = Q.copy()
    q[2] = upper + 1e-3
    ur10.update(q)
    ur10.check_limits(tol=2e-3)
    with pytest.raises(dik.NotWithinConfigurationLimits) as raised:
        ur10.check_limits()
    error = raised.value
    assert (error.joint, error.name, error.value, error.upper) == (2, "elbow_joint", q[2], upper)
    assert error.lower == ur10.model.lower[2]
    assert str(error).startswith("joint 'elbow_joint' is outside its limits: q[2] = 3.14259 is not in [-3.14159,")
    assert isinstance(error, ConfigurationError) and isinstance(error, LessonsError)
    with caplog.at_level(logging.WARNING):
        ur10.check_limits(safety_break=False)
    assert caplog.messages == [str(error)]


def test_bases_and_wheels_have_no_limits():
    go2 = robot("Go2")
    q = go2.inside(np.random.default_rng(6))
    q[:3] = 1e6
    dik.Configuration(go2.tree, q).check_limits()
    dik.Configuration(robot("double pendulum").tree, [1e3, -1e3]).check_limits()
    q[-1] = 1e6  # a knee has
    with pytest.raises(dik.NotWithinConfigurationLimits):
        dik.Configuration(go2.tree, q).check_limits()
