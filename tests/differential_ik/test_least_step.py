"""The step is the least one, and of several the shortest, whatever the costs, the damping and the time step."""

import numpy as np
import pytest
from given_rows import Rows
from pink_robots import FIXED, robot
from scipy.optimize import lsq_linear

from lessons_lib import differential_ik as dik
from lessons_lib import lie
from lessons_lib.differential_ik.limits.velocity_limit import default_limits
from lessons_lib.differential_ik.solver import daqp_step
from lessons_lib.differential_ik.solver.feasibility import Infeasible, reduce_rows, tighten
from lessons_lib.differential_ik.solver.problem import FeasibleRegion, Step
from lessons_lib.differential_ik.solver.refinement import LeastSquares, refine

REDUNDANT = {"Panda": "panda_link8", "xArm": "link7", "Baxter": "left_gripper_base_link"}


class Box(dik.Limit):
    """The same bounds for all rates, as rows of a limit of the caller's own."""

    def __init__(self, lower: object, upper: object, nv: int) -> None:
        bounds = np.concatenate([np.broadcast_to(upper, nv), -np.broadcast_to(lower, nv)])
        self.pair = np.vstack([np.eye(nv), -np.eye(nv)]), bounds

    def compute_qp_inequalities(self, configuration: dik.Configuration, dt: float) -> tuple[np.ndarray, np.ndarray]:
        return self.pair


def reach(at: dik.Configuration, frame: str, rng: np.random.Generator, way: float) -> dik.FrameTask:
    """Return the task of bringing a frame about so far."""
    task = dik.FrameTask(frame, 1.0, 1.0)
    task.set_target(at.get_transform_frame_to_world(frame) @ lie.exp_se3(way * rng.normal(size=6)))
    return task


def box(at: dik.Configuration, dt: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the bounds of Δq that the limits of a robot's single rates leave."""
    lower, upper = np.full(at.model.nv, -np.inf), np.full(at.model.nv, np.inf)
    for limit in default_limits(at.model):
        low, high = limit.compute_bounds(at, dt)  # type: ignore[attr-defined]
        lower[limit.indices] = np.maximum(lower[limit.indices], low)  # type: ignore[attr-defined]
        upper[limit.indices] = np.minimum(upper[limit.indices], high)  # type: ignore[attr-defined]
    return lower, upper


@pytest.mark.parametrize("name", REDUNDANT)
@pytest.mark.parametrize(("way", "dt"), [(1.0, 1e-3), (0.01, 1e-3), (0.3, 0.05)])
def test_a_redundant_arm_that_may_stand_still_gets_a_step(name: str, way: float, dt: float) -> None:
    """A pose task alone; NumPy's lstsq gives the shortest least step of the rates that are not at a bound."""
    pair, rng = robot(name), np.random.default_rng(7)
    for _ in range(30):
        at = dik.Configuration(pair.tree, pair.inside(rng))
        task = reach(at, REDUNDANT[name], rng, way)
        dq = dik.solve_ik(at, [task], dt) * dt
        lower, upper = box(at, dt)
        assert (dq >= lower - 1e-15 * abs(lower)).all()
        assert (dq <= upper + 1e-15 * abs(upper)).all()
        J, r = task.compute_jacobian(at), -task.compute_error(at)
        slope = J.T @ (J @ dq - r)
        felt = 1e-11 * (np.abs(J.T) @ np.abs(r)).max()
        low, high = (
            (dq <= lower + 1e-13 * abs(lower)) & (slope > felt),
            (dq >= upper - 1e-13 * abs(upper)) & (slope < -felt),
        )
        free = ~(low | high)
        assert np.abs(slope[free]).max(initial=0.0) <= felt
        shortest = np.linalg.lstsq(J[:, free], J @ dq - J[:, ~free] @ dq[~free], rcond=1e-11)[0]
        if (shortest > lower[free]).all() and (shortest < upper[free]).all():
            assert np.linalg.norm(dq[free] - shortest) <= 1e-6 * np.linalg.norm(dq)


@pytest.mark.parametrize("name", FIXED)
def test_both_forms_of_the_program_have_the_same_solution(name: str) -> None:
    """Where DAQP solves the program in H, the refinement in M finds the same step."""
    pair, rng = robot(name), np.random.default_rng(3)
    for dt in (1e-3, 0.1):
        at = dik.Configuration(pair.tree, pair.inside(rng))
        posture = dik.PostureTask(0.1)
        posture.set_target(pair.inside(rng))
        tasks = [reach(at, pair.frames(rng, 1)[0], rng, 0.3), posture]
        step = Step.read(at, tasks, dt, 1e-12, None, None, None)
        region = FeasibleRegion.of(step)
        reduced = reduce_rows(region, np.zeros(pair.tree.nv), np.eye(pair.tree.nv))
        found = daqp_step._solve_refined(*step.objective(), step, reduced)
        assert np.linalg.norm(dik.solve_ik(at, tasks, dt) * dt - found) <= 1e-9 * np.linalg.norm(found)


@pytest.mark.parametrize("size", [1e-6, 1.0, 1e6])
def test_bounds_that_cross_by_rounding_become_one_and_others_contradict(ur10: dik.Configuration, size: float) -> None:
    """Rounding is a share of the bounds: a billionth of them."""
    step = Step.read(ur10, [], 1e-3, 1e-12, None, None, None)
    upper, more = size * np.ones(6), size * np.array([1e-10, -1.0, 0, 0, 0, 0])
    lower, raised = tighten(FeasibleRegion(step, upper + more, upper, None, None, None, None))
    np.testing.assert_allclose(lower, size * np.array([1, 0, 1, 1, 1, 1]), rtol=1e-10)
    assert lower[0] == raised[0] and (raised[1:] == upper[1:]).all()
    with pytest.raises(Infeasible, match="contradict each other for"):
        tighten(FeasibleRegion(step, upper + 100 * more, upper, None, None, None, None))


@pytest.mark.parametrize("damping", [0.0, 1e-12, 1e-9])
@pytest.mark.parametrize("limits", [[], None])
def test_a_wall_that_only_the_length_feels(ur10: dik.Configuration, damping: float, limits: object) -> None:
    """Three rates share a way of 0.9; one of them may go 0.1. What is shortest then: 0.1 + 0.4 + 0.4."""
    row = [1.0, 1.0, 1.0, 0.0, 0.0, 0.0]
    upper = [0.1, 1.0, 1.0, 1.0, 1.0, 1.0]
    wall = Box(-1.0, upper, 6)
    given = [wall] if limits == [] else [*default_limits(ur10.model), wall]
    v = dik.solve_ik(ur10, [Rows(row, 0.9)], 1.0, damping=damping, limits=given)
    assert np.abs(v - [0.1, 0.4, 0.4, 0.0, 0.0, 0.0]).max() < 1e-8


def test_without_damping_the_shortest_step_is_the_limit_of_little() -> None:
    pair, rng = robot("Panda"), np.random.default_rng(2)
    at = dik.Configuration(pair.tree, pair.inside(rng))
    task = reach(at, "panda_link8", rng, 0.1)
    pseudoinverse = -np.linalg.pinv(task.compute_jacobian(at)) @ task.compute_error(at)
    for damping in (0.0, 1e-14, 1e-12):
        v = dik.solve_ik(at, [task], 1.0, damping=damping, limits=[])
        assert np.linalg.norm(v - pseudoinverse) <= 1e-8 * np.linalg.norm(pseudoinverse)


def test_no_cost_and_no_jacobian_no_motion(ur10: dik.Configuration) -> None:
    for tasks in ([Rows(np.zeros((3, 6)), np.ones(3))], [Rows(np.eye(6), np.ones(6), cost=0.0)]):
        for damping in (0.0, 1e-12, 1.0):
            assert not dik.solve_ik(ur10, tasks, 0.01, damping=damping).any()


@pytest.mark.parametrize("dt", [1e-7, 1e-5, 1e-3, 1.0, 1e3])
def test_no_velocity_above_its_limit_however_short_the_step(ur10: dik.Configuration, dt: float) -> None:
    rng = np.random.default_rng(4)
    most = ur10.model.velocity_limits
    for _ in range(20):
        v = dik.solve_ik(ur10, [reach(ur10, "tool0", rng, 1.0)], dt)
        assert (np.abs(v) <= most * (1.0 + 1e-14)).all()


def test_a_cheap_task_is_not_lost_beside_a_dear_one() -> None:
    """Costs 1e4 : 1e-4, squared 1e16 : 1. The oracle takes the dear one first, and the cheap one in what it leaves."""
    pair, rng = robot("Panda"), np.random.default_rng(5)
    for _ in range(20):
        at = dik.Configuration(pair.tree, pair.inside(rng))
        task = reach(at, "panda_link8", rng, 0.05)
        J, e = task.compute_jacobian(at), task.compute_error(at)
        if np.linalg.cond(J) > 50.0:
            continue
        task.cost, posture = 1e4, dik.PostureTask(1e-4)
        posture.set_target(pair.inside(rng))
        expected = dik.prioritized_rates([(J, -e), (np.eye(at.model.nv), -posture.compute_error(at))])
        v = dik.solve_ik(at, [task, posture], 1.0, limits=[])
        assert np.linalg.norm(v - expected) <= 1e-3 * np.linalg.norm(expected)  # the default damping adds 1e-12 : 1e-8


@pytest.mark.parametrize("ratio", [1.0, 1e2, 1e4, 1e6])
def test_costs_far_apart_within_a_box(ur10: dik.Configuration, ratio: float) -> None:
    rng, wall = np.random.default_rng(6), Box(-0.05, 0.05, 6)
    for _ in range(10):
        J, b = rng.normal(size=(3, 6)), 0.1 * rng.normal(size=3)
        tasks = [Rows(J, b, cost=ratio), Rows(np.eye(6), np.full(6, 0.2), cost=1.0 / ratio)]
        M = np.vstack([ratio * J, np.eye(6) / ratio, 1e-6 * np.eye(6)])
        r = np.concatenate([ratio * b, np.full(6, 0.2) / ratio, np.zeros(6)])
        expected = lsq_linear(M, r, (-0.05, 0.05), method="bvls", tol=1e-15).x
        v = dik.solve_ik(ur10, tasks, 1.0, limits=[wall])
        assert np.linalg.norm(M @ v - r) <= np.linalg.norm(M @ expected - r) * (
            1.0 + 1e-7
        )  # of 16 digits costs 1e12 apart leave four


class Downhill(dik.Task):
    """A task that is no least squares: a slope without an end."""

    def __init__(self, slope: np.ndarray) -> None:
        super().__init__(1.0)
        self.slope = slope

    def compute_error(self, configuration: dik.Configuration) -> np.ndarray:
        return np.zeros(1)

    def compute_jacobian(self, configuration: dik.Configuration) -> np.ndarray:
        return np.zeros((1, 6))

    def compute_qp_objective(self, configuration: dik.Configuration) -> tuple[np.ndarray, np.ndarray]:
        return np.zeros((6, 6)), self.slope


def test_a_slope_without_an_end_goes_to_the_wall_or_is_refused(ur10: dik.Configuration) -> None:
    slope = np.array([1.0, -1.0, 0.5, -0.5, 0.2, 0.0])
    v = dik.solve_ik(ur10, [Downhill(slope)], 0.01, damping=0.0)
    assert np.abs(v[:5] + np.sign(slope[:5]) * ur10.model.velocity_limits[:5]).max() < 1e-12
    assert v[5] == 0.0
    with pytest.raises(dik.NoSolutionFound, match="the objective decreases without bound"):
        dik.solve_ik(ur10, [Downhill(slope)], 0.01, damping=0.0, limits=[])
    assert np.abs(dik.solve_ik(ur10, [Downhill(slope)], 1.0, damping=0.5, limits=[]) + 2.0 * slope).max() < 1e-12


def test_the_refinement_finds_the_minimum_from_any_feasible_start_and_active_set() -> None:
    rng, C = np.random.default_rng(8), np.vstack([np.eye(5), -np.eye(5)])
    for _ in range(30):
        M, r = rng.normal(size=(int(rng.integers(3, 8)), 5)), rng.normal(size=5)
        r = np.resize(r, len(M))
        lower, upper = -rng.uniform(0.05, 0.5, 5), rng.uniform(0.05, 0.5, 5)
        at_upper = rng.random(5) < 0.5
        start, active = np.where(at_upper, upper, lower), [k if up else 5 + k for k, up in enumerate(at_upper)]
        d, objective = np.concatenate([upper, -lower]), LeastSquares(M, r, np.zeros(5), 1e-6)
        augmented = np.vstack([M, 1e-3 * np.eye(5)]), np.concatenate([r, np.zeros(5)])
        expected = lsq_linear(*augmented, (lower, upper), method="bvls", tol=1e-15).x
        assert np.abs(refine(objective, C, d, start, active) - expected).max() < 1e-7
        assert np.abs(refine(objective, C, d, np.zeros(5), []) - expected).max() < 1e-7
