"""The velocity is the optimum by independent solvers, and keeps hard constraints."""

import numpy as np
import pink
import pytest
from pink_robots import Q, robot
from scipy.optimize import lsq_linear, minimize
from task_pairs import FOR_ALL, PointTask, random_pairs

from lessons_lib import differential_ik as dik


@pytest.mark.parametrize("name", ["UR10", "Panda", "Kinova", "Go2"])
@pytest.mark.parametrize("dt", [2e-3, 0.05])
def test_the_optimum_is_scipys(name: str, dt: float) -> None:
    """Bounded least squares by SciPy: ‖L(Δq − Δq₀)‖ with H = LᵀL, within the box."""
    pair, rng = robot(name), np.random.default_rng(1)
    for _ in range(5):
        at = dik.Configuration(pair.tree, pair.inside(rng))
        tasks = [mine for mine, _ in random_pairs(pair, at, rng, 2)] + [dik.FrameTask(pair.frames(rng, 1)[0], 1.0, 1.0)]
        tasks[-1].set_target_from_configuration(at)  # type: ignore[attr-defined]
        damping = 1e-3
        problem = dik.build_ik(at, tasks, dt, damping)
        L = np.linalg.cholesky(problem.P).T
        bounds = np.full((2, pair.tree.nv), np.inf)
        for row, bound in zip(problem.G, problem.h, strict=True):
            (k,) = np.flatnonzero(row)
            bounds[int(row[k] > 0), k] = min(bounds[int(row[k] > 0), k], bound)
        found = lsq_linear(L, -np.linalg.solve(L.T, problem.q), (-bounds[0], bounds[1]), method="bvls", tol=1e-14)
        v = dik.solve_ik(at, tasks, dt, damping=damping)
        assert np.linalg.norm(v * dt - found.x) <= 1e-6 * np.linalg.norm(found.x)


def test_with_a_wall_it_is_scipys_too(ur10: dik.Configuration) -> None:
    task, posture, dt = dik.FrameTask("tool0", 1.0, 0.1), dik.PostureTask(1e-2), 0.05
    T = ur10.get_transform_frame_to_world("tool0")
    T[1, 3] += 0.2
    task.set_target(T)
    posture.set_target(Q)
    wall = dik.PositionBarrier("tool0", [1], p_max=[T[1, 3] - 0.19], gain=5.0)
    problem = dik.build_ik(ur10, [task, posture], dt, barriers=[wall])
    v = dik.solve_ik(ur10, [task, posture], dt, barriers=[wall])
    found = minimize(
        lambda x: 0.5 * x @ problem.P @ x + problem.q @ x,
        np.zeros(6),
        jac=lambda x: problem.P @ x + problem.q,
        constraints={"type": "ineq", "fun": lambda x: problem.h - problem.G @ x, "jac": lambda x: -problem.G},
        method="SLSQP",
        options={"ftol": 1e-15},
    )
    assert np.abs(v * dt - found.x).max() < 1e-6
    assert (problem.G @ v)[-1] * dt == pytest.approx(problem.h[-1], abs=1e-9)  # the wall is what holds the hand


@pytest.mark.parametrize("name", ["UR10", "Panda", "Go2", "TALOS"])
def test_hard_constraints_are_pinks(name: str) -> None:
    pair, rng = robot(name), np.random.default_rng(2)
    for _ in range(5):
        ours_at, theirs_at = pair.both(pair.inside(rng))
        tasks, held = random_pairs(pair, ours_at, rng, 2), FOR_ALL[4](pair, ours_at, rng)  # the centre of mass
        held[0].gain = held[1].gain = 1e-3
        ours, theirs = [mine for mine, _ in tasks], [other for _, other in tasks]
        problem = dik.build_ik(ours_at, ours, 0.01, constraints=[held[0]])
        expected = pink.build_ik(theirs_at, theirs, 0.01, constraints=[held[1]])
        assert np.abs(problem.A - expected.A[:, pair.order]).max() < 1e-10
        assert np.abs(problem.b - expected.b).max() < 1e-10
        v = dik.solve_ik(ours_at, ours, 0.01, constraints=[held[0]], limits=[])
        w = pink.solve_ik(theirs_at, theirs, 0.01, solver="daqp", constraints=[held[1]], limits=[])[pair.order]
        assert np.linalg.norm(v - w) <= 1e-6 * np.linalg.norm(w)
        assert np.abs(problem.A @ v * 0.01 - problem.b).max() < 1e-9


def test_a_foot_held_by_a_constraint_does_not_move_while_the_body_does() -> None:
    tree = robot("Go2").tree
    q = np.concatenate([[0, 0, 0.3, 0, 0, 0, 1], np.tile([0.0, 0.8, -1.6], 4)])
    at = dik.Configuration(tree, q)
    body, posture = dik.FrameTask("base", 1.0, 1.0, gain=0.1), dik.PostureTask(1e-3)
    T = at.get_transform_frame_to_world("base")
    T[:3, 3] += [0.03, 0.02, -0.08]
    body.set_target(T)
    posture.set_target(q)
    feet = [f"{leg}_foot" for leg in ("FL", "FR", "RL", "RR")]
    rows = [PointTask(foot, at.get_transform_frame_to_world(foot)[:3, 3]) for foot in feet]
    for _ in range(150):
        v = dik.solve_ik(at, [body, posture], 0.02, constraints=rows)
        at.integrate_inplace(v, 0.02)
        for row in rows:
            assert np.abs(row.compute_error(at)).max() < 2e-4  # of second order in a step of 1 cm, mended by the next
    assert np.abs(body.compute_error(at)).max() < 1e-3
