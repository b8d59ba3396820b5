"""What tasks take, keep and refuse."""

import numpy as np
import pytest

from lessons_lib import differential_ik as dik
from lessons_lib.differential_ik.solver.problem import sum_objectives


def tasks_without_target() -> list[dik.Task]:
    return [
        dik.FrameTask("tool0", 1.0, 1.0),
        dik.RelativeFrameTask("tool0", "forearm_link", 1.0, 1.0),
        dik.PostureTask(1.0),
        dik.ComTask(1.0),
    ]


@pytest.mark.parametrize("task", tasks_without_target(), ids=lambda task: type(task).__name__)
def test_a_target_taken_from_a_configuration_leaves_no_error(ur10: dik.Configuration, task: dik.Task) -> None:
    task.set_target_from_configuration(ur10)  # type: ignore[attr-defined]
    assert np.abs(task.compute_error(ur10)).max() < 1e-15
    assert np.abs(dik.solve_ik(ur10, [task, dik.DampingTask(1e-3)], 0.01)).max() < 1e-9


def test_costs_are_in_the_order_of_our_twists() -> None:
    task = dik.FrameTask("tool0", [1.0, 2.0, 3.0], 4.0)
    assert task.cost.tolist() == [4.0, 4.0, 4.0, 1.0, 2.0, 3.0]  # type: ignore[union-attr]
    task.set_orientation_cost([7.0, 8.0, 9.0])
    task.set_position_cost(0.5)
    assert task.orientation_cost.tolist() == [7.0, 8.0, 9.0]
    assert task.position_cost.tolist() == [0.5, 0.5, 0.5]
    with pytest.raises(ValueError, match="read-only"):
        task.position_cost[0] = -1.0


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
