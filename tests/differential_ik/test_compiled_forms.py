"""A class derived from one of ours keeps the compiled form as long as that form says what the class says."""

import numpy as np
import pytest
from pink_robots import robot

from lessons_lib import differential_ik as dik
from lessons_lib.differential_ik import checked
from lessons_lib.differential_ik.configuration import Configuration
from lessons_lib.differential_ik.limits.limit import Limit, RateLimit
from lessons_lib.differential_ik.solver.problem import box_and_rows, sum_objectives
from lessons_lib.differential_ik.tasks.joint_tasks import JointTask
from lessons_lib.errors import ParameterError

OWN_FORM = {  # which class the compiled form of each task comes from
    dik.AngleTask: dik.Task,
    dik.AxisTask: dik.Task,
    dik.ComTask: dik.Task,
    dik.DampingTask: JointTask,
    dik.FrameIntervalTask: dik.FrameIntervalTask,
    dik.FrameTask: dik.FrameTask,
    dik.FrameVelocityTask: dik.Task,
    dik.JointCouplingTask: dik.Task,
    dik.JointVelocityTask: JointTask,
    dik.LinearHolonomicTask: dik.Task,
    dik.LowAccelerationTask: JointTask,
    dik.ManipulabilityTask: dik.Task,
    dik.OmniwheelTask: dik.Task,
    dik.PointTask: dik.Task,
    dik.PostureTask: dik.PostureTask,
    dik.RelativeFrameTask: dik.RelativeFrameTask,
    dik.RollingTask: dik.Task,
}


def derived(base: type, *readable: str) -> type:
    """Return a class derived from `base` that gives methods with these names anew."""
    return type("Derived", (base,), {name: lambda self, *given: None for name in readable})


@pytest.mark.parametrize("task", OWN_FORM, ids=lambda task: task.__name__)
def test_a_class_that_changes_no_mathematics_keeps_the_form(task: type[dik.Task]) -> None:
    assert task.add_objective is OWN_FORM[task].add_objective
    assert derived(task, "__repr__", "set_target").add_objective is task.add_objective
    assert derived(derived(task)).add_objective is task.add_objective


def test_every_task_of_the_library_is_looked_at() -> None:
    assert {getattr(dik, name) for name in dik.__all__ if name.endswith("Task")} - {dik.Task} == set(OWN_FORM)


@pytest.mark.parametrize(
    ("task", "readable", "base"),
    [
        (dik.FrameTask, "compute_error", dik.Task),
        (dik.FrameTask, "compute_jacobian", dik.Task),
        (dik.RelativeFrameTask, "compute_error", dik.Task),
        (dik.PostureTask, "compute_error", JointTask),
        (dik.PostureTask, "compute_jacobian", dik.Task),
        (dik.DampingTask, "compute_error", JointTask),
        (dik.DampingTask, "compute_jacobian", dik.Task),
        (dik.ComTask, "compute_error", dik.Task),
    ],
)
def test_a_class_with_mathematics_of_its_own_takes_the_next_form(
    task: type[dik.Task], readable: str, base: type[dik.Task]
) -> None:
    kind = derived(task, readable)
    assert kind.add_objective is base.add_objective
    assert derived(kind, "set_target").add_objective is base.add_objective
    mixed = type("Mixed", (type("Mixin", (), {readable: lambda self, at: None}), task), {})
    assert mixed.add_objective is base.add_objective


def configuration() -> Configuration:
    """Return a UR10 somewhere."""
    return Configuration(robot("UR10").tree, [0.3, -1.2, 1.5, -0.6, 1.1, 0.4])


class TwiceAsFar(dik.PostureTask):
    def compute_error(self, configuration: Configuration) -> np.ndarray:
        return 2.0 * super().compute_error(configuration)


class Sideways(dik.FrameTask):
    def compute_jacobian(self, configuration: Configuration) -> np.ndarray:
        return np.asfortranarray(super().compute_jacobian(configuration)[::-1])


class Thrice(dik.FrameTask):
    def compute_qp_objective(self, configuration: Configuration) -> tuple[np.ndarray, np.ndarray]:
        H, c = super().compute_qp_objective(configuration)
        return 3.0 * H, 3.0 * c


@pytest.mark.parametrize("kind", [TwiceAsFar, Sideways, Thrice])
def test_each_form_says_what_the_class_says(kind: type[dik.Task]) -> None:
    at = configuration()
    costs = [0.7, 0.2, 1.0, 0.5, 2.0, 0.3]
    task = kind(costs, gain=0.5, lm_damping=0.1) if kind is TwiceAsFar else kind("tool0", 1.0, 2.0, 0.1, 0.5)  # type: ignore[call-arg]
    task.set_target(np.full(6, 0.1) if kind is TwiceAsFar else np.eye(4))  # type: ignore[attr-defined]
    (H, c), (H_readable, c_readable) = sum_objectives(at, [task], 0.0), task.compute_qp_objective(at)
    assert np.abs(H - H_readable).max() <= 1e-13 * np.abs(H_readable).max()
    assert np.abs(c - c_readable).max() <= 1e-13 * np.abs(c_readable).max()


def test_a_derived_task_of_joints_with_an_error_of_another_size_is_named() -> None:
    class TooLong(dik.DampingTask):
        def compute_error(self, configuration: Configuration) -> np.ndarray:
            return np.zeros(7)

    with pytest.raises(ParameterError, match=r"TooLong.*\(7,\)"):
        sum_objectives(configuration(), [TooLong(1.0)], 0.0)


class Slower(dik.VelocityLimit):
    def compute_bounds(self, configuration: Configuration, dt: float) -> tuple[np.ndarray, np.ndarray]:
        low, high = super().compute_bounds(configuration, dt)
        return 0.5 * low, 0.5 * high


class SlowerRows(dik.VelocityLimit):
    def compute_qp_inequalities(self, configuration: Configuration, dt: float) -> tuple[np.ndarray, np.ndarray]:
        G, h = super().compute_qp_inequalities(configuration, dt)  # type: ignore[misc]
        return G, 0.5 * h


def test_a_derived_limit_is_a_box_unless_it_gives_its_rows_anew() -> None:
    at = configuration()
    assert derived(dik.VelocityLimit, "__repr__").narrow_box is dik.VelocityLimit.narrow_box
    assert Slower.narrow_box is RateLimit.narrow_box is dik.AccelerationLimit.narrow_box
    assert SlowerRows.narrow_box is Limit.narrow_box
    lower, upper, (G, h) = box_and_rows(at, [Slower(at.model)], 0.01)
    assert np.array_equal(upper, 0.005 * at.model.velocity_limits) and np.array_equal(lower, -upper)
    assert G is None and h is None
    lower, upper, (G, h) = box_and_rows(at, [SlowerRows(at.model)], 0.01)
    assert np.isinf(lower).all() and np.isinf(upper).all()
    assert h is not None and np.array_equal(h[:6], 0.005 * at.model.velocity_limits)


@pytest.mark.parametrize(
    ("bounds", "message"),
    [(np.ones(5), r"shapes \(5,\) and \(5,\) for 6 limited rates"), (np.full(6, np.nan), "not a number")],
)
def test_bounds_of_a_derived_limit_that_make_no_sense_are_named(bounds: np.ndarray, message: str) -> None:
    class Broken(dik.VelocityLimit):
        def compute_bounds(self, configuration: Configuration, dt: float) -> tuple[np.ndarray, np.ndarray]:
            return -bounds, bounds

    at = configuration()
    with pytest.raises(ParameterError, match=message):
        checked.bounds_of(Broken(at.model), at, 0.01)
    with pytest.raises(ParameterError, match=message):
        box_and_rows(at, [Broken(at.model)], 0.01)
