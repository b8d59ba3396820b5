"""The step in the page, under Node, agrees with `solve_ik`: weighted tasks, limits and constraints."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from node import in_front

from lessons_lib import codegen
from lessons_lib.codegen import js_plain
from lessons_lib.course import PointTask
from lessons_lib.course.floating_base import standing
from lessons_lib.course.live.tree_data import tree_data
from lessons_lib.course.live.tree_kernel import bounded_least_squares, free_kernels
from lessons_lib.course.tasks import two_hands
from lessons_lib.differential_ik import Configuration, FrameTask, NoSolutionFound, Task, solve_ik
from lessons_lib.robots import Tree

SAME = 1e-9
PROGRAM = """
import { loadKernels } from "front/kernels";
import { integrate, taskStep } from "front/step";
const kernels = loadKernels(told.source);
return told.cases.map((given) => {
  const step = taskStep(kernels, told.tree, given.q, given.tasks, given.dt, given.constraints);
  return step ? { ...step, ahead: integrate(kernels, told.tree, given.q, step.x) } : null;
});
"""


Case = tuple[Configuration, Sequence[Task], float, Sequence[Task]]
"""Where the robot is, its tasks, the duration of the step, and its constraints."""


def steps(tree: Tree, cases: Sequence[Any]) -> list[Any]:
    """Return the page's result in each case: step, active limits, and next configuration; None if infeasible."""
    source = f"{codegen.source(free_kernels(), 'javascript')}\n{js_plain.source([bounded_least_squares()])}"
    return in_front(PROGRAM, {"source": source, "tree": tree_data(tree, []), "cases": cases})


def told(task: Task, at: Configuration) -> dict[str, Any]:
    """Return the page's data of a task, its rows in tangent coordinates."""
    J, e = task.compute_jacobian(at), task.compute_error(at)
    return {"J": J.tolist(), "e": e.tolist(), "cost": _cost(task), "gain": task.gain, "damping": task.lm_damping}


def _cost(task: Task) -> float:
    return float(np.atleast_1d(np.asarray(task.cost))[0])


def compare(tree: Tree, cases: Sequence[Case]) -> tuple[int, int]:
    """Compare all steps; return the number of active limits, and of infeasible cases."""
    given = [
        {
            "q": at.q.tolist(),
            "tasks": [told(task, at) for task in tasks],
            "dt": dt,
            "constraints": [told(task, at) for task in constraints],
        }
        for at, tasks, dt, constraints in cases
    ]
    active = refused = 0
    for found, (at, tasks, dt, constraints) in zip(steps(tree, given), cases, strict=True):
        try:
            expected = dt * solve_ik(at, tasks, dt, constraints=constraints)
        except NoSolutionFound:
            refused += 1
            assert found is None
            continue
        np.testing.assert_allclose(found["x"], expected, atol=SAME, rtol=0)
        np.testing.assert_allclose(found["ahead"], tree.integrate(at.q, expected), atol=SAME, rtol=0)
        active += sum(side != 0 for side in found["active"])
    return active, refused


def test_two_hands_step_as_solve_ik_does_with_many_limits_active() -> None:
    tree, rng, cases = two_hands.body(), np.random.default_rng(51), list[Case]()
    for _ in range(200):
        at = Configuration(tree, tree.random_configuration(rng))
        costs, gain, damping = (
            10.0 ** rng.uniform(-2, 1, 3),
            float(rng.uniform(0.05, 1)),
            float(rng.choice([0, 0.1, 3])),
        )
        hands = [PointTask(hand, cost, gain, damping) for hand, cost in zip(two_hands.HANDS, costs, strict=False)]
        for hand in hands:
            hand.set_target([0.5, 0.0, 1.1] + rng.uniform(-0.6, 0.6, 3))
        cases.append((at, [*hands, two_hands.posture_task(costs[2], gain)], float(rng.choice([0.02, 0.1, 1.0])), []))
    active, refused = compare(tree, cases)
    assert active > 400 and refused == 0


@pytest.mark.parametrize("near", [True, False])
def test_a_trunk_on_constrained_feet_steps_and_stops_like_solve_ik(near: bool) -> None:
    tree, rng, cases = standing.quadruped(), np.random.default_rng(52), list[Case]()
    for _ in range(100):
        at = Configuration(tree, standing.standing(float(rng.uniform(0.15, 0.36))))
        at.integrate_inplace(rng.uniform(-0.1, 0.1, tree.nv), 1.0)
        feet = standing.feet_down(at)
        for foot in feet:
            foot.set_target(np.asarray(foot.target) + rng.uniform(-1, 1, 3) * (0.002 if near else 0.2))
        trunk = FrameTask("trunk", position_cost=1.0, orientation_cost=1.0)
        shift = [*rng.uniform(-0.1, 0.1, 2), rng.uniform(-0.05, 0.05)]
        trunk.set_target(standing.trunk_pose(0.3 + shift[2], *shift[:2], *rng.uniform(-0.3, 0.3, 3)))
        cases.append((at, [trunk], 0.05, feet))
    active, refused = compare(tree, cases)
    assert (active > 0, refused > 0) == ((True, False) if near else (True, True))
