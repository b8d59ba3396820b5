"""Limits against Pink's, against their own definition, and in a loop that pushes against them."""

from dataclasses import replace

import numpy as np
import pink.limits
import pytest
from pink_robots import FLOATING, ROBOTS, robot

from lessons_lib import differential_ik as dik


@pytest.mark.parametrize("name", ROBOTS)
@pytest.mark.parametrize("gain", [0.1, 1.0])
def test_configuration_limit_is_pinks(name, gain):
    pair, rng = robot(name), np.random.default_rng(1)
    ours_at, theirs_at = pair.both(pair.inside(rng))
    ours = dik.ConfigurationLimit(pair.tree, gain).compute_qp_inequalities(ours_at, 1e-2)
    theirs = pink.limits.ConfigurationLimit(pair.model, gain).compute_qp_inequalities(theirs_at, 1e-2)
    assert (ours is None) == (theirs is None)
    if ours is not None and theirs is not None:
        assert np.array_equal(ours[0], theirs[0][:, pair.order])
        assert np.abs(ours[1] - theirs[1]).max() < 1e-12


@pytest.mark.parametrize("name", ["UR10", "Kinova", "Tiago", "Go2", "TALOS"])
@pytest.mark.parametrize("base", [False, True])
def test_velocity_and_acceleration_limits_are_pinks(name, base):
    pair, rng = robot(name), np.random.default_rng(2)
    ours_at, theirs_at = pair.both(pair.inside(rng))
    bounds = rng.uniform(0.5, 20.0, pair.tree.nv)
    bounds[rng.integers(ours_at.root_nv, pair.tree.nv)] = np.inf
    bounds[rng.integers(ours_at.root_nv, pair.tree.nv)] = 0.0  # counts as none
    if not base:
        bounds[:1] = np.inf  # one of the base's six without a bound frees all of them
    dt, v = 5e-3, rng.uniform(-0.1, 0.1, pair.tree.nv)
    ours, theirs = dik.VelocityLimit(pair.tree, bounds), pink.limits.VelocityLimit(pair.model, pair.v(bounds))
    compare(ours.compute_qp_inequalities(ours_at, dt), theirs.compute_qp_inequalities(theirs_at, dt), pair.order)
    ours, theirs = dik.AccelerationLimit(pair.tree, bounds), pink.limits.AccelerationLimit(pair.model, pair.v(bounds))
    ours.set_last_integration(v, dt)
    theirs.set_last_integration(pair.v(v), dt)
    compare(ours.compute_qp_inequalities(ours_at, dt), theirs.compute_qp_inequalities(theirs_at, dt), pair.order)


def compare(ours, theirs, order):
    """Compare rows as a set, because Pink orders the twist of the base differently."""
    (G, h), (their_G, their_h) = ours, theirs
    ours_sorted = sorted(map(tuple, np.column_stack([G, h]).round(12).tolist()))
    theirs_sorted = sorted(map(tuple, np.column_stack([their_G[:, order], their_h]).round(12).tolist()))
    assert len(ours_sorted) == len(theirs_sorted) > 0
    assert np.abs(np.array(ours_sorted) - np.array(theirs_sorted)).max() < 1e-11


@pytest.mark.parametrize("name", FLOATING)
@pytest.mark.parametrize("angular", [0.7, [0.1, 0.2, np.inf]])
def test_floating_base_velocity_limit_matches_pink(name, angular):
    pair, rng = robot(name), np.random.default_rng(3)
    ours_at, theirs_at = pair.both(pair.inside(rng))
    frame = pair.tree.frame_names[0]
    ours = dik.FloatingBaseVelocityLimit(pair.tree, frame, [0.3, np.inf, 0.5], angular)
    theirs = pink.limits.FloatingBaseVelocityLimit(pair.model, frame, [0.3, np.inf, 0.5], angular)
    compare(ours.compute_qp_inequalities(ours_at, 0.01), theirs.compute_qp_inequalities(theirs_at, 0.01), pair.order)


@pytest.mark.parametrize("name", ["UR10", "Panda", "SO-100", "Go2"])
def test_a_loop_stays_within_the_limits(name):
    """Targets are far outside; each step keeps all limits of position and speed."""
    pair = robot(name)
    tree, dt = pair.tree, 0.02
    at = dik.Configuration(tree, pair.inside(np.random.default_rng(4)))
    posture = dik.PostureTask(1.0)
    far = at.q.copy()
    far[7 * (at.root_nv > 0) :] += 100.0
    posture.set_target(far)
    for _ in range(300):
        v = dik.solve_ik(at, [posture], dt)
        bounded = (tree.velocity_limits > 1e-10) & np.isfinite(tree.velocity_limits)
        assert (np.abs(v[bounded]) <= tree.velocity_limits[bounded] * (1 + 1e-9)).all()
        at.integrate_inplace(v, dt)
        at.check_limits(tol=1e-12)
    limited = np.isfinite(tree.upper)
    assert np.abs(at.q - tree.upper)[limited].max() < 1e-3  # each joint reaches its limit


@pytest.mark.parametrize("none", [np.inf, 1e25])
def test_one_sided_limits(none):
    """H of a posture is the identity, so that the optimal step is the desired one clipped to the box."""
    tree, dt = robot("UR10").tree, 0.02
    lower, upper = np.array([0.0, -none, -1.0, -none, -0.5, 0.0]), np.array([none, 0.0, none, 1.0, 0.5, none])
    tree = replace(tree, lower=lower, upper=upper)
    at, posture = dik.Configuration(tree, np.zeros(6)), dik.PostureTask(1.0)
    limit, speed = dik.ConfigurationLimit(tree), tree.velocity_limits * dt
    posture.set_target(np.array([-2.0, 2.0, -2.0, 2.0, 2.0, 3.0]))
    G, h = limit.compute_qp_inequalities(at, dt)
    assert G.shape == (7, 6)
    assert h.tolist() == [0.0, 0.5, 0.25, 0.0, 0.5, 0.25, 0.0]  # half of the distance to each limit
    for _ in range(200):
        q, desired = at.q, posture.target_q - at.q
        with np.errstate(invalid="ignore"):
            box = np.clip(desired, np.maximum(-speed, 0.5 * (lower - q)), np.minimum(speed, 0.5 * (upper - q)))
        v = dik.solve_ik(at, [posture], dt)
        assert np.abs(v * dt - box).max() < 1e-9
        at.integrate_inplace(v, dt)
        at.check_limits(tol=1e-12)
    assert np.abs(at.q - [0.0, 0.0, -1.0, 1.0, 0.5, 3.0]).max() < 1e-6
    bounds = dik.AccelerationLimit(tree, np.full(6, 5.0)).compute_bounds(dik.Configuration(tree, np.zeros(6)), 1.0)
    assert bounds[0].tolist() == pytest.approx([0.0, -5.0, -(10.0**0.5), -5.0, -(5.0**0.5), 0.0])
