"""Constraints are met up to rounding, or an error names a smallest contradicting set of rows."""

import numpy as np
import pytest
import qpsolvers
from row_tasks import RowLimit, RowTask

from lessons_lib import differential_ik as dik
from lessons_lib import lie, robots


def move_hand(at, twist):
    """Return the task that moves the hand along a twist."""
    task = dik.FrameTask("tool0", 1.0, 1.0)
    task.set_target(at.get_transform_frame_to_world("tool0") @ lie.exp_se3(twist))
    return task


def residual(task, at, dq):
    """Return the residual of a constraint for a step."""
    return float(np.abs(task.compute_jacobian(at) @ dq + task.gain * task.compute_error(at)).max())


@pytest.mark.parametrize("damping", [0.0, 1e-12])
@pytest.mark.parametrize("limits", [None, []])
def test_redundant_constraints_are_met(ur10, damping, limits):
    rng = np.random.default_rng(1)
    for _ in range(50):
        first = move_hand(ur10, 1e-3 * rng.normal(size=6))
        second = RowTask(-3.0 * first.compute_jacobian(ur10), 3.0 * first.compute_error(ur10))
        nothing = RowTask(np.zeros((2, 6)), np.zeros(2))
        constraints = [first, second, nothing]
        options = {"damping": damping, "limits": limits, "constraints": constraints}
        dq = 0.05 * dik.solve_ik(ur10, [dik.DampingTask(1.0)], 0.05, **options)
        for task in constraints:
            assert residual(task, ur10, dq) < 1e-14


@pytest.mark.parametrize("by", [1e-6, 1e-3, 1.0])
def test_contradicting_constraints_are_an_error(ur10, by):
    """DAQP alone reports a step as optimal that misses such rows by more than a metre."""
    rng = np.random.default_rng(2)
    for _ in range(50):
        first = move_hand(ur10, 1e-3 * rng.normal(size=6))
        J, e = first.compute_jacobian(ur10), first.compute_error(ur10)
        other = RowTask(J[:1] + J[1:2], -e[:1] - e[1:2] + by)
        with pytest.raises(dik.NoSolutionFound, match="no step meets all constraints: the nearest one misses") as at:
            dik.solve_ik(ur10, [dik.DampingTask(1.0)], 0.05, constraints=[first, other])
        assert at.value.results is None
        assert at.value.problem.A.shape == (7, 6)


def test_error_names_the_limits_that_exclude_a_step(ur10):
    far = move_hand(ur10, np.array([0.0, 0.0, 0.0, 0.5, 0.0, 0.0]))
    with pytest.raises(dik.NoSolutionFound, match="6 unknowns, 24 inequalities and 6 equalities: the constraints"):
        dik.solve_ik(ur10, [dik.DampingTask(1.0)], 1e-3, constraints=[far])
    with pytest.raises(dik.NoSolutionFound, match="misses row .*, of the directions at a scale of zero, by"):
        dik.solve_scaled(ur10, [move_hand(ur10, np.full(6, 1e-3))], 1e-3, constraints=[move_hand(ur10, -np.ones(6))])
    wall = dik.PositionBarrier("tool0", [0], p_max=[-5.0], gain=100.0)
    with pytest.raises(dik.NoSolutionFound, match=r"these contradict each other: .*'tool0'\), the .* bound"):
        dik.solve_ik(ur10, [dik.DampingTask(1.0)], 1e-3, barriers=[wall])
    base = dik.PositionBarrier("base_link", [0], p_max=[-5.0], gain=100.0)
    with pytest.raises(dik.NoSolutionFound, match=r"no step helps where PositionBarrier\('base_link'\) allows at most"):
        dik.solve_ik(ur10, [dik.DampingTask(1.0)], 1e-3, barriers=[base])
    limit = dik.AccelerationLimit(ur10.model, np.full(6, 1.0))
    limit.set_last_integration(np.full(6, 9.0), 1e-3)
    with pytest.raises(dik.NoSolutionFound, match="limits contradict each other for 'elbow_joint': its step must be"):
        dik.solve_ik(ur10, [dik.DampingTask(1.0)], 1e-3, limits=[limit, dik.VelocityLimit(ur10.model)])


def test_error_of_a_failed_solver_claims_no_contradiction(ur10, monkeypatch):
    def give_up(problem, **keywords):
        return qpsolvers.Solution(problem, found=False)

    monkeypatch.setattr(qpsolvers, "solve_problem", give_up)
    message = "the solver 'daqp' gave up, though limits, barriers and constraints do not"
    with pytest.raises(dik.NoSolutionFound, match=message) as raised:
        dik.solve_ik(ur10, [dik.DampingTask(1.0)], 1e-3, primal_tol=1e-8)
    assert raised.value.results is not None and not raised.value.results.found


@pytest.mark.parametrize("kind", ["wide", "touching", "no width", "contradictory"])
def test_feasible_point_is_found_or_a_contradiction_proven(ur10, kind):
    """Rows with slack at a point, many without slack, pairs that allow only the point, or a contradiction."""
    rng, tree, contradicted = np.random.default_rng(11), ur10.model, 0
    for _ in range(100):
        n, m = tree.nv, int(rng.integers(1, 12))
        C, y = rng.normal(size=(m, n)), rng.normal(size=n)
        slack = rng.exponential(size=m) + 0.01
        if kind == "touching":
            still = rng.random(n) < 0.5
            y = np.where(still, 0.0, y)
            slack = np.append(np.where([*still, *(still & (rng.random(n) < 0.5))], 0.0, 1.0), 0.01 * slack)
            C = np.vstack([np.eye(n), -np.eye(n), C])  # bounds of 0, from one side or from both
        elif kind == "no width":
            C, slack = np.vstack([C, -C]), np.zeros(2 * m)
        elif kind == "contradictory":
            weights = rng.uniform(0.1, 1.0, m)
            C, slack = np.vstack([C, -weights @ C]), np.append(slack, -weights @ slack - 1e-6)
        d = C @ y + slack
        if kind == "contradictory":
            with pytest.raises(dik.NoSolutionFound, match="these contradict|no step helps"):
                dik.solve_ik(ur10, [dik.DampingTask(1.0)], 1.0, limits=[RowLimit(C, d)])
            continue
        try:
            x = dik.solve_ik(ur10, [dik.DampingTask(1.0)], 1.0, limits=[RowLimit(C, d)])
        except dik.NoSolutionFound as error:  # more equalities than rates: exact rows cross due to rounding
            assert kind == "no width" and m > n and "contradict" in str(error)
            contradicted += 1
            continue
        off = C @ x - d
        assert (off <= 1e-9 * np.abs(d) + 1e-12 * np.linalg.norm(C, axis=1) * (1.0 + np.linalg.norm(y))).all()
    assert contradicted == 0


def make_constraint(at, kind):
    """Return a constraint with some zero costs, away from its target, and its rows with positive costs."""
    pose = at.get_transform_frame_to_world("tool0") @ lie.exp_se3(1e-3 * np.arange(1.0, 7.0))
    other = at.get_transform("tool0", "base_link") @ lie.exp_se3(1e-3 * np.arange(1.0, 7.0))
    match kind:
        case "frame position":
            task = dik.FrameTask("tool0", position_cost=1.0, orientation_cost=0.0)
            task.set_target(pose)
            return task, [3, 4, 5]
        case "frame orientation":
            task = dik.FrameTask("tool0", position_cost=0.0, orientation_cost=[1e-9, 0.0, 1e3])
            task.set_target(pose)
            return task, [0, 2]
        case "relative frame":
            task = dik.RelativeFrameTask("tool0", "base_link", position_cost=[0.0, 2.0, 0.0], orientation_cost=0.0)
            task.set_target(other)
            return task, [4]
        case "centre of mass":
            task = dik.ComTask([1.0, 0.0, 1.0])
            task.set_target(at.get_center_of_mass() + [1e-3, -2e-3, 3e-3])
            return task, [0, 2]
        case "posture":
            task = dik.PostureTask([0.0, 1.0, 0.0, 0.0, 1.0, 0.0])
            task.set_target(at.q + 1e-3 * np.arange(1.0, 7.0))
            return task, [1, 4]
        case "frame velocity":
            task = dik.FrameVelocityTask("tool0", cost=[0.0, 0.0, 0.0, 1.0, 1.0, 0.0])
            task.set_target(1e-2 * np.arange(1.0, 7.0), 0.1)
            return task, [3, 4]
    return dik.PostureTask(0.0), []


KINDS = ["frame position", "frame orientation", "relative frame", "centre of mass", "posture", "frame velocity"]


@pytest.mark.parametrize("solver", [None, "daqp"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_constraint_fixes_the_rows_with_a_positive_cost(ur10, kind, solver):
    constraint, rows = make_constraint(ur10, kind)
    J, e = constraint.compute_jacobian(ur10)[rows], constraint.compute_error(ur10)[rows]
    desired = np.array([0.02, -0.01, 0.03, 0.02, -0.03, 0.01])
    posture = dik.PostureTask(1.0)
    posture.set_target(ur10.q + desired)
    dq = 0.1 * dik.solve_ik(ur10, [posture], 0.1, solver, damping=0.0, limits=[], constraints=[constraint])
    nearest = desired + np.linalg.pinv(J) @ (-e - J @ desired)  # the step with J Δq = −e nearest to the desired one
    assert np.abs(dq - nearest).max() < 1e-9
    assert np.abs(J @ dq + e).max() < 1e-9


def test_a_constraint_without_positive_costs_has_no_effect(ur10):
    posture, none = dik.PostureTask(1.0), dik.FrameTask("tool0", 0.0, 0.0)
    posture.set_target(ur10.q + 0.01)
    none.set_target_from_configuration(ur10)
    free = dik.solve_ik(ur10, [posture], 0.1)
    assert np.array_equal(dik.solve_ik(ur10, [posture], 0.1, constraints=[none]), free)
    assert dik.build_ik(ur10, [posture], 0.1, constraints=[none]).A is None


PANDA = robots.load_urdf(robots.urdf_file("panda"))
HAND = PANDA.frame_names[-1]


def failure(limits, barriers=(), constraints=(), **options):
    """Return the error of an infeasible step."""
    configuration = dik.Configuration(PANDA, np.array([0.1, -0.4, 0.2, -1.9, 0.3, 1.6, 0.5]))
    for task in constraints:
        far = configuration.get_transform_frame_to_world(HAND).copy()
        far[:3, 3] += task.by
        task.set_target(far)
    rows = {"limits": limits, "barriers": barriers, "constraints": constraints}
    with pytest.raises(dik.NoSolutionFound) as caught:
        dik.solve_ik(configuration, [], 0.01, **rows, **options)
    return caught.value


def reach(by):
    """Return a constraint that moves the hand at once."""
    task = dik.FrameTask(HAND, 1.0, 1.0)
    task.by = by
    return task


@pytest.mark.parametrize("options", [{}, {"primal_tol": 1e-9}], ids=["proven", "by the solver"])
def test_contradiction_is_the_constraint_and_the_limit_that_excludes_it(options):
    slow, wide, task = dik.VelocityLimit(PANDA), dik.ConfigurationLimit(PANDA), reach([0.3, 0.0, 0.0])
    found = failure([wide, slow], constraints=[task], **options)
    assert found.contradiction == (slow, task)


def test_contradiction_among_many_sources_has_no_unnecessary_member():
    limits = [dik.VelocityLimit(PANDA) for _ in range(6)] + [dik.ConfigurationLimit(PANDA) for _ in range(4)]
    task = reach([0.3, 0.0, 0.0])
    found = failure(limits, constraints=[task]).contradiction
    assert task in found and len(found) == 2
    assert sum(isinstance(one, dik.VelocityLimit) for one in found) == 1


class FirstRateLimit(dik.Limit):
    """A limit sign · Δq₁ ≤ bound."""

    def __init__(self, sign, bound):
        self.row, self.bound = np.eye(7)[:1] * sign, np.array([bound])

    def compute_qp_inequalities(self, configuration, dt):
        return self.row, self.bound


def test_contradiction_of_two_limits():
    below, above = FirstRateLimit(1.0, -0.01), FirstRateLimit(-1.0, -0.02)
    assert failure([below, above]).contradiction == (below, above)


def test_contradiction_of_one_limit_whose_bounds_cross():
    """An acceleration limit that requires more braking than it allows."""
    arm = robots.load_urdf(robots.urdf_file("planar_2r"))
    limit = dik.AccelerationLimit(arm, [2.0, 2.0])
    limit.set_last_integration(np.array([2.5, 0.0]), 0.1)
    at = dik.Configuration(arm, np.array([np.pi - 1.3, 0.0]))
    with pytest.raises(dik.NoSolutionFound) as caught:
        dik.solve_ik(at, [], 0.1, limits=[limit])
    assert caught.value.contradiction == (limit,)
