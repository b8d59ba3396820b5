"""Solvers by name, what reaches them, and what is refused."""

import numpy as np
import pytest
import qpsolvers
from pink_robots import Q, robot
from task_pairs import PointTask, random_pairs

from lessons_lib import differential_ik as dik
from lessons_lib.course.tasks import two_hands
from lessons_lib.errors import ParameterError


def test_numbers_that_are_none_are_no_solution() -> None:
    """DAQP calls a step of this loop optimal and returns NaN for every joint."""
    at = two_hands.settle([two_hands.posture_task(1.0)], steps=1)[0]
    promises = two_hands.hand_tasks((1.0, 0.0, 1.1), gain=0.05)  # 0.4 m beyond the reach of the arms
    with pytest.raises(dik.NoSolutionFound, match="15 unknowns, 60 inequalities and 6 equalities"):
        for _ in range(50):
            at.integrate_inplace(dik.solve_ik(at, [two_hands.posture_task(1.0)], 1.0, constraints=promises), 1.0)


@pytest.mark.parametrize("solver", ["nosuch", "", 3])
def test_an_unknown_solver_lists_those_that_are_installed(ur10: dik.Configuration, solver: object) -> None:
    with pytest.raises(dik.UnknownSolver, match="no QP solver .* is installed; installed are .*'daqp'") as raised:
        dik.solve_ik(ur10, [dik.DampingTask(1.0)], 0.01, solver=solver)  # type: ignore[arg-type]
    assert raised.value.solver == solver
    assert raised.value.available == tuple(qpsolvers.available_solvers)


@pytest.mark.filterwarnings("ignore")  # other solvers warn of what is theirs: sparse matrices, names to come
def test_every_installed_solver_finds_the_same(ur10: dik.Configuration) -> None:
    pair = robot("UR10")
    tasks = [mine for mine, _ in random_pairs(pair, ur10, np.random.default_rng(5), 3)]
    expected = dik.solve_ik(ur10, tasks, 0.01)
    for solver in qpsolvers.available_solvers:
        v = dik.solve_ik(ur10, tasks, 0.01, solver=solver)
        tolerance = 1e-9 if solver in ("daqp", "quadprog") else 1e-2  # the iterative ones stop early
        assert np.linalg.norm(v - expected) <= tolerance * np.linalg.norm(expected)


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
        ({"tasks": dik.DampingTask(1.0)}, r"tasks must be a list of Task; put it in a list: \[DampingTask\(cost=1"),
        ({"tasks": ["posture"]}, "tasks must hold Task objects, got 'posture'"),
        ({"tasks": 7}, "tasks must be a list of Task, got 7"),
        ({"tasks": [], "limits": [3]}, "limits must hold Limit objects, got 3"),
        ({"tasks": [], "barriers": [None]}, "barriers must hold Barrier objects, got None"),
        ({"tasks": [], "constraints": 1.0}, "constraints must be a list of Task, got 1.0"),
        ({"tasks": [], "configuration": Q}, r"configuration must be a Configuration\(model, q\), got a ndarray"),
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
    for error, jacobian in (([np.nan], np.ones((1, 6))), ([1.0], np.full((1, 6), -np.inf)), ([1.0], [[1e200] * 6])):
        with pytest.raises(ParameterError, match=r"Broken\(cost=1.* an error or a Jacobian that is not finite"):
            dik.solve_ik(ur10, [Broken(error, jacobian)], 0.01)
    with pytest.raises(ParameterError, match=r"shapes \(1,\) and \(1, 5\), ur10 needs \(k,\) and \(k, 6\)"):
        dik.solve_ik(ur10, [Broken([1.0], np.ones((1, 5)))], 0.01)
    for error, jacobian in (([np.nan], np.ones((1, 6))), ([1.0], np.ones((1, 5)))):
        with pytest.raises(ParameterError, match="Broken.* returned"):
            dik.solve_ik(ur10, [dik.DampingTask(1.0)], 0.01, constraints=[Broken(error, jacobian)])


def test_an_objective_of_the_callers_own_that_makes_no_sense_is_named(ur10: dik.Configuration) -> None:
    class BrokenObjective(PointTask):
        def compute_qp_objective(self, configuration: dik.Configuration) -> tuple[np.ndarray, np.ndarray]:
            return self.given  # type: ignore[attr-defined, no-any-return]

    task = BrokenObjective("tool0", np.zeros(3))
    for given, message in (
        ((np.eye(6), np.full(6, np.nan)), r"returned an H or c that is not finite"),
        ((np.eye(5), np.zeros(6)), r"shapes \(5, 5\) and \(6,\), ur10 needs \(6, 6\) and \(6,\)"),
    ):
        task.given = given  # type: ignore[attr-defined]
        with pytest.raises(ParameterError, match=message):
            dik.solve_ik(ur10, [task], 0.01)


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


def test_nothing_that_is_given_is_changed(ur10: dik.Configuration) -> None:
    pair, rng = robot("UR10"), np.random.default_rng(4)
    tasks = [mine for mine, _ in random_pairs(pair, ur10, rng, 5)]
    shown = [repr(task) for task in tasks]
    first, second = dik.solve_ik(ur10, tasks, 0.01), dik.solve_ik(ur10, tasks, 0.01)
    assert np.array_equal(first, second)
    assert np.array_equal(ur10.q, Q)
    assert [repr(task) for task in tasks] == shown
