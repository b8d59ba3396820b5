"""One step: the optimum by an independent solver, hard constraints, other solvers, and what is refused."""

import numpy as np
import pink
import pytest
import qpsolvers
from pink_robots import robot, rows_first_linear
from scipy.optimize import lsq_linear, minimize
from wishes import FOR_ALL, wishes

from lessons_lib import differential_ik as dik
from lessons_lib.errors import ParameterError

Q = np.array([0.3, -1.2, 1.5, -0.6, 1.1, 0.4])


@pytest.fixture
def ur10() -> dik.Configuration:
    return dik.Configuration(robot("UR10").tree, Q)


@pytest.mark.parametrize("name", ["UR10", "Panda", "Kinova", "Go2"])
@pytest.mark.parametrize("dt", [2e-3, 0.05])
def test_the_optimum_is_scipys(name: str, dt: float) -> None:
    """Bounded least squares by SciPy: ‖L(Δq − Δq₀)‖ with H = LᵀL, within the box."""
    pair, rng = robot(name), np.random.default_rng(1)
    for _ in range(5):
        at = dik.Configuration(pair.tree, pair.inside(rng))
        tasks = [mine for mine, _ in wishes(pair, at, rng, 2)] + [dik.FrameTask(pair.frames(rng, 1)[0], 1.0, 1.0)]
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
        tasks, held = wishes(pair, ours_at, rng, 2), FOR_ALL[4](pair, ours_at, rng)  # the centre of mass
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


class PointTask(dik.Task):
    """A task of the caller's own: keep the origin of a frame at a point."""

    def __init__(self, frame: str, point: np.ndarray) -> None:
        super().__init__(1.0)
        self.frame, self.point = frame, point

    def compute_error(self, configuration: dik.Configuration) -> np.ndarray:
        return np.asarray(configuration.get_transform_frame_to_world(self.frame)[:3, 3] - self.point)

    def compute_jacobian(self, configuration: dik.Configuration) -> np.ndarray:
        return configuration.get_velocity_jacobian(self.frame)


def test_a_task_of_the_callers_own_reaches_its_point(ur10: dik.Configuration) -> None:
    point = ur10.get_transform_frame_to_world("tool0")[:3, 3] + [0.05, -0.05, 0.1]
    tasks = [PointTask("tool0", point), dik.DampingTask(1e-3)]
    for _ in range(50):
        ur10.integrate_inplace(dik.solve_ik(ur10, tasks, 0.05), 0.05)
    assert np.abs(ur10.get_transform_frame_to_world("tool0")[:3, 3] - point).max() < 1e-6


def test_the_jacobians_of_ours_and_pinks_are_one_after_the_halves_are_swapped(ur10: dik.Configuration) -> None:
    theirs = robot("UR10").both(Q)[1].get_frame_jacobian("tool0")
    assert np.abs(rows_first_linear(ur10.get_frame_jacobian("tool0")) - theirs).max() < 1e-12


def test_an_infeasible_problem_is_an_error_that_carries_it(ur10: dik.Configuration) -> None:
    far = dik.FrameTask("tool0", 1.0, 1.0)
    far.set_target(np.eye(4))
    for keywords in ({}, {"verbose": False}):
        with pytest.raises(dik.NoSolutionFound, match="6 unknowns, 24 inequalities and 6 equalities") as raised:
            dik.solve_ik(ur10, [dik.DampingTask(1.0)], 1e-3, constraints=[far], **keywords)  # type: ignore[arg-type]
        assert raised.value.problem.A.shape == (6, 6)
        assert not raised.value.results.found


def test_an_objective_without_cost_in_some_direction() -> None:
    """Seven joints, six rows, no damping: Pink's answer, whatever it is, is ours."""
    pair = robot("xArm")
    ours_at, theirs_at = pair.both(pair.inside(np.random.default_rng(3)))
    hand = pair.tree.frame_names[-1]
    ours, theirs = dik.FrameTask(hand, 1.0, 1.0), pink.tasks.FrameTask(hand, 1.0, 1.0)
    for task, at in ((ours, ours_at), (theirs, theirs_at)):
        task.set_target_from_configuration(at)
    v = dik.solve_ik(ours_at, [ours], 0.01, damping=1e-12)
    assert np.abs(v).max() < 1e-9
    assert np.abs(pink.solve_ik(theirs_at, [theirs], 0.01, solver="daqp", damping=1e-12)).max() < 1e-9


@pytest.mark.parametrize("solver", ["nosuch", "", None, 3])
def test_an_unknown_solver_lists_those_that_are_installed(ur10: dik.Configuration, solver: object) -> None:
    with pytest.raises(dik.UnknownSolver, match="no QP solver .* is installed; installed are .*'daqp'") as raised:
        dik.solve_ik(ur10, [dik.DampingTask(1.0)], 0.01, solver=solver)  # type: ignore[arg-type]
    assert raised.value.solver == solver
    assert raised.value.available == tuple(qpsolvers.available_solvers)


def test_every_installed_solver_finds_the_same(ur10: dik.Configuration) -> None:
    posture = dik.PostureTask(1.0)
    posture.set_target(np.zeros(6))
    expected = dik.solve_ik(ur10, [posture], 0.01)
    for solver in qpsolvers.available_solvers:
        v = dik.solve_ik(ur10, [posture], 0.01, solver=solver)
        assert np.abs(v - expected).max() < 1e-3  # some of them stop early


def test_keywords_reach_the_solver(ur10: dik.Configuration, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: dict[str, object] = {}

    def solve_problem(problem: object, solver: str, **keywords: object) -> object:
        seen.update(keywords, solver=solver)
        return original(problem, solver, **keywords)

    original = qpsolvers.solve_problem
    monkeypatch.setattr(qpsolvers, "solve_problem", solve_problem)
    dik.solve_ik(ur10, [dik.DampingTask(1.0)], 0.01, primal_tol=1e-8)
    assert seen == {"solver": "daqp", "primal_tol": 1e-8}


@pytest.mark.parametrize("dt", [0.0, -0.01, np.nan, np.inf, "soon", None])
def test_a_time_step_that_is_none_is_refused(ur10: dik.Configuration, dt: object) -> None:
    for ask in (dik.solve_ik, dik.build_ik):
        with pytest.raises(ParameterError, match="dt must be"):
            ask(ur10, [dik.DampingTask(1.0)], dt)  # type: ignore[operator]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"tasks": dik.DampingTask(1.0)}, r"tasks is a single Task; put it in a list: \[DampingTask\(cost=1"),
        ({"tasks": ["posture"]}, "tasks must hold Task objects, got 'posture'"),
        ({"tasks": 7}, "tasks must be a list of Task, got 7"),
        ({"tasks": [], "limits": [3]}, "limits must hold Limit objects, got 3"),
        ({"tasks": [], "barriers": [None]}, "barriers must hold Barrier objects, got None"),
        ({"tasks": [], "constraints": 1.0}, "constraints must be a list of Task, got 1.0"),
        ({"tasks": [], "configuration": Q}, r"configuration is a ndarray; make a Configuration\(model, q\)"),
    ],
)
def test_what_a_step_is_made_of(ur10: dik.Configuration, arguments: dict[str, object], message: str) -> None:
    given = {"configuration": ur10, "dt": 0.01} | arguments
    for ask in (dik.solve_ik, dik.build_ik):
        with pytest.raises(ParameterError, match=message):
            ask(**given)  # type: ignore[operator]


def test_outside_the_limits(ur10: dik.Configuration, caplog: pytest.LogCaptureFixture) -> None:
    outside = Q.copy()
    outside[2] = ur10.model.upper[2] + 0.01
    ur10.update(outside)
    with pytest.raises(dik.NotWithinConfigurationLimits, match=r"'elbow_joint' is outside its limits: q\[2\] = 3.15"):
        dik.solve_ik(ur10, [dik.DampingTask(1.0)], 0.1)
    v = dik.solve_ik(ur10, [dik.DampingTask(1.0)], 0.1, safety_break=False)
    assert v[2] < -0.04  # the way back in
    assert "elbow_joint" in caplog.text
    with pytest.raises(dik.NoSolutionFound):  # too far for the velocity limit of a millisecond
        dik.solve_ik(ur10, [dik.DampingTask(1.0)], 1e-3, safety_break=False)


class Broken(PointTask):
    """A task that returns nonsense."""

    def __init__(self, error: object, jacobian: object) -> None:
        super().__init__("tool0", np.zeros(3))
        self.error, self.jacobian = error, jacobian

    def compute_error(self, configuration: dik.Configuration) -> np.ndarray:
        return np.asarray(self.error)

    def compute_jacobian(self, configuration: dik.Configuration) -> np.ndarray:
        return np.asarray(self.jacobian)


def test_a_task_of_the_callers_own_that_returns_nonsense_is_named(ur10: dik.Configuration) -> None:
    with pytest.raises(ParameterError, match=r"Broken\(cost=1.* returned an H or c that is not finite"):
        dik.solve_ik(ur10, [Broken([np.nan], np.ones((1, 6)))], 0.01)
    with pytest.raises(ParameterError, match=r"shapes \(5, 5\) and \(5,\), ur10 needs \(6, 6\) and \(6,\)"):
        dik.solve_ik(ur10, [Broken([1.0], np.ones((1, 5)))], 0.01)
    for error, jacobian in (([np.nan], np.ones((1, 6))), ([1.0], np.ones((1, 5)))):
        with pytest.raises(ParameterError, match="Broken.* returned"):
            dik.solve_ik(ur10, [dik.DampingTask(1.0)], 0.01, constraints=[Broken(error, jacobian)])


class BrokenLimit(dik.Limit):
    """A limit that returns what it is given."""

    def __init__(self, pair: object) -> None:
        self.pair = pair

    def compute_qp_inequalities(self, configuration: dik.Configuration, dt: float) -> object:  # type: ignore[override]
        return self.pair


def test_a_limit_of_the_callers_own(ur10: dik.Configuration) -> None:
    posture = dik.PostureTask(1.0)
    posture.set_target(np.zeros(6))
    row = np.eye(6)[2]  # a single row may come without its second axis
    v = dik.solve_ik(ur10, [posture], 0.01, limits=[BrokenLimit((-row, 1e-3))])
    assert v[2] == pytest.approx(-0.1)
    for pair, message in (
        ((np.ones((2, 6)), np.ones(3)), r"shapes \(2, 6\) and \(3,\), ur10 needs \(k, 6\) and \(k,\)"),
        ((np.ones((1, 6)), np.array([np.nan])), "returned a G or h that is not a number"),
    ):
        with pytest.raises(ParameterError, match=message):
            dik.solve_ik(ur10, [posture], 0.01, limits=[BrokenLimit(pair)])


def test_no_tasks_no_motion(ur10: dik.Configuration) -> None:
    assert not dik.solve_ik(ur10, [], 0.01).any()


def test_nothing_that_is_given_is_changed(ur10: dik.Configuration) -> None:
    pair, rng = robot("UR10"), np.random.default_rng(4)
    tasks = [mine for mine, _ in wishes(pair, ur10, rng, 5)]
    shown = [repr(task) for task in tasks]
    first, second = dik.solve_ik(ur10, tasks, 0.01), dik.solve_ik(ur10, tasks, 0.01)
    assert np.array_equal(first, second)
    assert np.array_equal(ur10.q, Q)
    assert [repr(task) for task in tasks] == shown
