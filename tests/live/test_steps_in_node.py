"""Steps of the live figures under Node agree with `solve_ik`, `stand_at` and DAQP."""

from collections.abc import Sequence
from pathlib import Path

import daqp
import nbformat
import numpy as np
import pytest
from node import FRONT, in_front

from lessons_lib import codegen
from lessons_lib.codegen import js_plain
from lessons_lib.course import PointTask
from lessons_lib.course.floating_base import standing
from lessons_lib.course.floating_base.live import NONE
from lessons_lib.course.limits.live import LIMITS, LimitFigure
from lessons_lib.course.live import HandsFigure, StanceFigure
from lessons_lib.course.live.figure import from_reference
from lessons_lib.course.live.saved import REFERENCE
from lessons_lib.course.live.tree_data import tree_data
from lessons_lib.course.live.tree_kernel import bounded_least_squares, free_kernels
from lessons_lib.course.tasks import two_hands
from lessons_lib.differential_ik import Configuration, FrameTask, NoSolutionFound, Task, solve_ik

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
"""A robot at a configuration, its tasks, the duration of the step, and its constraints."""


def steps(tree, cases):
    """Return the page's result in each case: step, active limits, and next configuration; None if infeasible."""
    source = f"{codegen.source(free_kernels(), 'javascript')}\n{js_plain.source([bounded_least_squares()])}"
    return in_front(PROGRAM, {"source": source, "tree": tree_data(tree, []), "cases": cases})


def page_data(task, at):
    """Return the page's data of a task, its rows in tangent coordinates."""
    J, e, cost = task.compute_jacobian(at), task.compute_error(at), float(np.atleast_1d(np.asarray(task.cost))[0])
    return {"J": J.tolist(), "e": e.tolist(), "cost": cost, "gain": task.gain, "damping": task.lm_damping}


def compare(tree, cases):
    """Compare all steps; return the number of active limits, and of infeasible cases."""
    given = [
        {
            "q": at.q.tolist(),
            "tasks": [page_data(task, at) for task in tasks],
            "dt": dt,
            "constraints": [page_data(task, at) for task in constraints],
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


def test_two_hands_step_as_solve_ik_does_with_many_limits_active():
    tree, rng, cases = two_hands.body(), np.random.default_rng(51), list[Case]()
    for _ in range(200):
        at = Configuration(tree, tree.random_configuration(rng))
        costs, gain = 10.0 ** rng.uniform(-2, 1, 3), float(rng.uniform(0.05, 1))
        damping = float(rng.choice([0, 0.1, 3]))
        hands = [PointTask(hand, cost, gain, damping) for hand, cost in zip(two_hands.HANDS, costs, strict=False)]
        for hand in hands:
            hand.set_target([0.5, 0.0, 1.1] + rng.uniform(-0.6, 0.6, 3))
        cases.append((at, [*hands, two_hands.posture_task(costs[2], gain)], float(rng.choice([0.02, 0.1, 1.0])), []))
    active, refused = compare(tree, cases)
    assert active > 400 and refused == 0


@pytest.mark.parametrize("near", [True, False])
def test_a_trunk_on_constrained_feet_steps_and_stops_like_solve_ik(near):
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


FREE = np.array([np.inf, np.inf])


def solve(H, c, lower, upper, rows=None, ends=(), equalities=0):
    """Return x and the multipliers, or None."""
    n, rows = len(c), np.zeros((0, len(c))) if rows is None else np.asarray(rows, dtype=float)
    x, multipliers = np.empty(n), np.empty(n + len(rows))
    ends = np.concatenate([np.asarray(upper, dtype=float), ends])
    numbers = np.asarray(H, dtype=float), np.asarray(c, dtype=float), np.asarray(lower, dtype=float), ends
    return (x, multipliers) if bounded_least_squares()[1](*numbers, rows, equalities, x, multipliers) else None


@pytest.mark.parametrize("H", [[[1, 0], [0, 0]], [[1, np.nan], [np.nan, 1]]])
def test_a_singular_or_undefined_objective_has_no_single_solution(H):
    assert solve(H, [1, 0], -FREE, FREE) is None


def test_random_programs_have_daqps_solution():
    rng, refused, active = np.random.default_rng(1), 0, 0
    for _ in range(400):
        n = int(rng.integers(1, 12))
        equal, beside = int(rng.integers(0, min(n, 4))), int(rng.integers(0, 5))
        M, rows = rng.normal(size=(n + 1, n)), rng.normal(size=(beside + equal, n))
        ends = np.concatenate([rng.uniform(-0.3, 0.5, beside), rows[beside:] @ rng.uniform(-0.5, 0.5, n)])
        H, c, lower, upper = M.T @ M + 1e-6 * np.eye(n), rng.normal(size=n), -rng.uniform(0, 1, n), rng.uniform(0, 1, n)
        sense = np.array([0] * (n + beside) + [5] * equal, dtype=np.intc)
        low = np.concatenate([lower, np.full(beside, -np.inf), ends[beside:]])
        expected, _, status, _ = daqp.solve(H, c, rows, np.concatenate([upper, ends]), low, sense)
        found = solve(H, c, lower, upper, rows, ends, equal)
        assert (found is not None) == (status > 0)
        if found is None:
            refused += 1
            continue
        x, multipliers = found
        np.testing.assert_allclose(x, expected, atol=1e-9)
        slope = H @ x + c + multipliers[:n] + rows.T @ multipliers[n:]
        assert np.abs(slope).max() < 1e-9 and (multipliers[n : n + beside] >= 0).all()
        assert ((multipliers[:n] <= 0) | (x == upper)).all() and ((multipliers[:n] >= 0) | (x == lower)).all()
        active += np.count_nonzero(multipliers)
    assert refused > 30 and active > 800


SOLVED = 1e-6  # rad/s: DAQP's tolerances, over the least curvature


SOLVED_ROWS = """
import { loadKernels } from "front/kernels";
import { solve } from "course/limits/active_set";
const kernels = loadKernels(told.source);
return told.cases.map(({ inputs, rows }) => {
  const { H, c, G, h } = kernels.step_kernel(...inputs);
  const program = { H, c, G: rows.map((i) => G[i]), h: rows.map((i) => h[i]) };
  return { ...program, answer: solve(kernels, program) };
});
"""


def set_at_random(figure, rng):
    for control in figure.controls[1:]:
        setattr(figure, control.name, rng.uniform(control.low, control.high))
    figure.limits = LIMITS[int(rng.integers(2))]
    if rng.random() < 0.7:  # near the tip, where the wall matters
        tip = np.sin(figure.q[0]) + np.sin(figure.q.sum())
        figure.wall = float(np.clip(tip + rng.uniform(-0.3, 0.5), -2.2, 2.2))


def test_rows_and_solutions_are_pythons():
    figure = LimitFigure()
    rng, cases, expected = np.random.default_rng(61), [], []
    for _ in range(300):
        set_at_random(figure, rng)
        program = figure.program
        given = [figure.wall, figure.gain, program.dt, figure.acceleration]
        inputs = [figure.q.tolist(), program.velocity.tolist(), [figure.last1, figure.last2], given]
        rows = [i for i, name in enumerate(figure.specification["data"]["names"]) if name in program.names]
        cases.append({"inputs": inputs, "rows": rows})
        expected.append((program, figure.best))
    found = in_front(SOLVED_ROWS, {"source": figure.specification["source"], "cases": cases})
    empty, held = 0, set()
    for one, (program, best) in zip(found, expected, strict=True):
        (H, c), (G, h) = program.objective, program.rows
        for name, wanted in {"H": H, "c": c, "G": G, "h": h}.items():
            np.testing.assert_allclose(one[name], wanted, rtol=1e-10, atol=1e-10)  # P has a damping of 1e-12
        answer = one.get("answer")
        if best is None or answer is None:
            assert best is None and answer is None
            empty += 1
            continue
        x, mu = np.array(answer["x"]), np.zeros(len(h))
        mu[answer["active"]] = answer["mu"]
        assert np.abs(x - best[0]).max() <= SOLVED
        assert np.abs(H @ x + c + G.T @ mu).max() <= 1e-9 * max(1.0, np.abs(mu).max())
        held |= {(program.names[i].split() * 2)[1] for i in answer["active"]}  # the kind of limit, or the wall
    assert empty > 10
    assert held == {"position", "velocity", "acceleration", "wall"}


STANDS = """
import { loadKernels } from "front/kernels";
import { stand } from "course/floating_base/stance";
const kernels = loadKernels(told.specification.source);
return told.cases.map(([place, lifted]) => {
  const { T } = kernels.pose_kernel(place);
  return [T, stand(kernels, told.specification.data, T, lifted)];
});
"""


def in_the_page(cases):
    """Return the pose of the trunk and the configuration, for each (place, lifted leg or −1)."""
    return in_front(STANDS, {"specification": StanceFigure().specification, "cases": cases})


def test_the_page_has_the_stance_of_stand_at_within_and_out_of_reach():
    rng, figure, cases, expected = np.random.default_rng(61), StanceFigure(), [], []
    for k in range(60):
        part = 0.4 if k < 30 else 1.0  # of the way from the start to an end: all is within reach, or not
        for control in figure.controls[:6]:
            end = float(rng.uniform(control.low, control.high))
            setattr(figure, control.name, control.start + part * (end - control.start))
        lifted = k % 6 - 1 if k % 6 < 5 else -1
        figure.lifted = NONE if lifted < 0 else standing.LEGS[lifted].replace("_", " ")
        stance, place = figure.stance, [figure.forward, figure.left, figure.height]
        cases.append([[*place, *np.radians([figure.roll, figure.pitch, figure.yaw])], lifted])
        expected.append((figure.pose, stance.q, max(stance.short_of)))
    for (pose, q), (wanted, own, _) in zip(in_the_page(cases), expected, strict=True):
        np.testing.assert_allclose(pose, wanted, atol=1e-15)
        np.testing.assert_allclose(q, own, atol=SAME, rtol=0)
    assert sum(short > 1e-3 for *_, short in expected) > 10 > sum(short > 1e-3 for *_, short in expected[:30])


def test_the_lesson_opens_where_its_question_holds():
    """With a lifted rear foot the robot falls at the figure's initial state; with a front foot it does not."""
    (path,) = (Path(__file__).resolve().parents[2] / "notebooks").glob("18_*.ipynb")
    outputs = [output for cell in nbformat.read(path, as_version=4).cells for output in cell.get("outputs", [])]
    (reference,) = [output["data"][REFERENCE] for output in outputs if REFERENCE in output.get("data", {})]
    for leg in standing.LEGS:
        opened = from_reference({**reference, "arguments": {**reference["arguments"], "lifted": leg.replace("_", " ")}})
        assert isinstance(opened, StanceFigure)
        assert (opened.stance.margin < 0.0) is leg.startswith("rear")
    straight, turned = StanceFigure(height=0.12), StanceFigure(height=0.12, left=0.05, yaw=20)
    assert max(straight.stance.short_of) < 1e-3 < max(turned.stance.short_of)
    assert turned.stance.q[2] > straight.stance.q[2] + 0.01


def test_every_part_of_a_body_has_a_colour_of_the_style_sheet_and_a_pose_from_the_kernel():
    style = (FRONT / "style.css").read_text("utf8")
    for figure in (HandsFigure(), StanceFigure()):
        for part in figure.specification["data"]["tree"]["parts"]:
            assert style.count(f"--live-{part['colour']}:") == 2, "one for light and one for dark"
            assert f"const T_{part['frame']} = " in figure.specification["source"]
