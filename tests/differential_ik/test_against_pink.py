"""Comparison with Pink: sixteen robots, random configurations, tasks, gains, dampings, limits and constraints."""

import numpy as np
import pink
import pink.limits
import pytest
from pink_robots import ROBOTS, robot, rows_first_linear
from task_pairs import FIXED_BASE_TASKS, TASKS, random_pairs

from lessons_lib import differential_ik as dik

KINEMATICS = 1e-10
"""Tolerance for another order of summation; the largest difference is 4e-15 (iCub, 1 m to the longest finger)."""

PROGRAM = 1e-9
"""Tolerance relative to the largest entry, if that exceeds 1; the largest difference is 1e-13."""


@pytest.fixture(params=ROBOTS)
def pair(request):
    return robot(request.param)


def rng_for(pair):
    return np.random.default_rng([17, *pair.tree.name.encode()])


def close(ours, theirs):
    return bool(np.abs(ours - theirs).max(initial=0.0) <= PROGRAM * max(1.0, np.abs(theirs).max(initial=0.0)))


@pytest.mark.parametrize("dt", [0.5, -0.5])
def test_integration_matches_pink(pair, dt):
    rng = rng_for(pair)
    ours, theirs = pair.both(pair.tree.random_configuration(rng))
    v = rng.normal(size=pair.tree.nv)
    expected = theirs.integrate(pair.v(v), dt)
    assert np.abs(pair.q(ours.integrate(v, dt)) - expected).max() < 1e-12
    ours.integrate_inplace(v, dt)
    theirs.integrate_inplace(pair.v(v), dt)
    assert np.abs(pair.q(ours.q) - theirs.q).max() < 1e-12
    (frame,) = pair.frames(rng, 1)
    T = theirs.get_transform_frame_to_world(frame).homogeneous
    assert np.abs(ours.get_transform_frame_to_world(frame) - T).max() < KINEMATICS


@pytest.mark.parametrize("make", FIXED_BASE_TASKS, ids=lambda make: make.__name__)
def test_tasks_match_pink(pair, make):
    rng = rng_for(pair)
    for _ in range(3):
        ours_at, theirs_at = pair.both(pair.tree.random_configuration(rng))
        if ours_at.root_nv and make not in TASKS:
            continue
        ours, theirs = make(pair, ours_at, rng)
        e, J = theirs.compute_error(theirs_at), theirs.compute_jacobian(theirs_at)
        if len(e) == 6 and "Frame" in type(ours).__name__:
            e, J = np.roll(e, 3), rows_first_linear(J)
        assert close(ours.compute_error(ours_at), e)
        assert close(ours.compute_jacobian(ours_at), J[:, pair.order])
        H, c = theirs.compute_qp_objective(theirs_at)
        ours_H, ours_c = ours.compute_qp_objective(ours_at)
        assert close(ours_H, H[np.ix_(pair.order, pair.order)])
        assert close(ours_c, c[pair.order])


@pytest.mark.parametrize("damping", [1e-12, 1e-3])
@pytest.mark.parametrize("dt", [1e-3, 5e-3, 0.1])
def test_quadratic_program_and_velocity_match_pink(pair, dt, damping):
    rng = rng_for(pair)
    for count in range(4):
        ours_at, theirs_at = pair.both(pair.inside(rng))
        tasks = random_pairs(pair, ours_at, rng, count)
        ours, theirs = [mine for mine, _ in tasks], [other for _, other in tasks]
        P = dik.build_ik(ours_at, ours, dt, damping)
        Q = pink.build_ik(theirs_at, theirs, dt, damping)
        assert close(P.P, Q.P[np.ix_(pair.order, pair.order)])
        assert close(P.q, Q.q[pair.order])
        assert (P.G is None) == (Q.G is None)
        if P.G is not None:
            assert np.array_equal(P.G, Q.G[:, pair.order])
            assert close(P.h, Q.h)
        v = dik.solve_ik(ours_at, ours, dt, damping=damping)
        expected = pink.solve_ik(theirs_at, theirs, dt, solver="daqp", damping=damping)[pair.order]
        assert np.linalg.norm(v - expected) <= 1e-6 * np.linalg.norm(expected)


def test_limits_are_active_in_some_of_these_programs_only():
    """Otherwise the comparison above shows little."""
    pair, rng = robot("UR10"), np.random.default_rng(3)
    active = {1e-3: 0, 0.1: 0}
    for dt in active:
        for _ in range(20):
            at = dik.Configuration(pair.tree, pair.inside(rng))
            tasks = [mine for mine, _ in random_pairs(pair, at, rng, 2)]
            bound, free = dik.solve_ik(at, tasks, dt), dik.solve_ik(at, tasks, dt, limits=[])
            active[dt] += bool(np.linalg.norm(bound - free) > 1e-6 * np.linalg.norm(free))
    assert active[1e-3] == 20  # a step of 1 ms is at most 2 mrad
    assert 0 < active[0.1] < 20


@pytest.mark.parametrize("name", ["UR10", "Panda", "Go2", "TALOS"])
def test_constraints_match_pink(name):
    pair, rng = robot(name), np.random.default_rng(2)
    for _ in range(5):
        ours_at, theirs_at = pair.both(pair.inside(rng))
        tasks, constraint = random_pairs(pair, ours_at, rng, 2), TASKS[4](pair, ours_at, rng)  # the centre of mass
        constraint[0].gain = constraint[1].gain = 1e-3
        ours, theirs = [mine for mine, _ in tasks], [other for _, other in tasks]
        problem = dik.build_ik(ours_at, ours, 0.01, constraints=[constraint[0]])
        expected = pink.build_ik(theirs_at, theirs, 0.01, constraints=[constraint[1]])
        assert np.abs(problem.A - expected.A[:, pair.order]).max() < 1e-10
        assert np.abs(problem.b - expected.b).max() < 1e-10
        v = dik.solve_ik(ours_at, ours, 0.01, constraints=[constraint[0]], limits=[])
        w = pink.solve_ik(theirs_at, theirs, 0.01, solver="daqp", constraints=[constraint[1]], limits=[])[pair.order]
        assert np.linalg.norm(v - w) <= 1e-6 * np.linalg.norm(w)
        assert np.abs(problem.A @ v * 0.01 - problem.b).max() < 1e-9
