"""Each joint of a solution is unwrapped to the revolution nearest to the first start, within the limits."""

import itertools

import numpy as np
import pytest

from lessons_lib import pose_ik, robots

FULL = 2.0 * np.pi
UR10, PANDA, TWO = robots.ur10(), robots.panda(), robots.planar_2r()
ARMS = {
    "UR10": UR10,
    "Panda": PANDA,
    "six revolutions": UR10.with_limits(position=np.tile([-3 * FULL, 3 * FULL], (6, 1))),
    "one side": UR10.with_limits(position=np.tile([-1.0, np.inf], (6, 1))),
    "no limits": UR10.with_limits(position=np.tile([-np.inf, np.inf], (6, 1))),
    "a revolution and a bit": UR10.with_limits(position=np.tile([-0.7, FULL - 0.5], (6, 1))),
}


def nearest(arm, q, start):
    """Return the configuration nearest to a start that differs from q by whole revolutions, within the limits."""
    candidates = q + FULL * np.arange(-12, 13)[:, None]
    tolerance = 1e-9  # for rounding at a limit
    inside = (arm.limits[:, 0] - tolerance <= candidates) & (candidates <= arm.limits[:, 1] + tolerance)
    nearest_row = np.argmin(np.where(inside, np.abs(candidates - start), np.inf), axis=0)
    return np.take_along_axis(candidates, nearest_row[None], 0)[0]


@pytest.mark.parametrize("name", ARMS)
def test_no_revolution_brings_a_solution_nearer_to_q0(name):
    arm, rng = ARMS[name], np.random.default_rng(4)
    q, starts = (np.array([arm.random_configuration(rng) for _ in range(40)]) for _ in range(2))
    targets = np.array([arm.forward_kinematics(one) for one in q])
    batch = pose_ik.solve_batch(arm, targets, starts)
    assert batch.converged.all()
    for row, (target, start) in enumerate(zip(targets, starts, strict=True)):
        found = pose_ik.solve(arm, target, start)
        np.testing.assert_allclose(found.q, nearest(arm, found.q, start), atol=1e-9)
        np.testing.assert_array_equal(found.q, batch.q[row])
        assert (arm.limits[:, 0] <= found.q).all() and (found.q <= arm.limits[:, 1]).all()
        assert found.position_error == batch.position_error[row] <= 1e-6


OPTIONS = [
    {"trace": True},
    {"goal": pose_ik.position_only()},
    {"method": pose_ik.LevenbergMarquardt(pose_ik.TrustRegion())},
    {"certify": True},
    {"max_time": 10.0},
    {"starts": pose_ik.Restarts(3)},
    {"starts": pose_ik.Nearest(12)},
    {"starts": pose_ik.Near()},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_every_search_returns_the_nearest_revolution(options):
    rng, changed = np.random.default_rng(6), 0
    for _ in range(12):
        target, start = UR10.forward_kinematics(UR10.random_configuration(rng)), UR10.random_configuration(rng)
        found = pose_ik.solve(UR10, target, start, **options)
        if found.converged:
            np.testing.assert_allclose(found.q, nearest(UR10, found.q, start), atol=1e-9)
            changed += not np.allclose(found.q, np.remainder(found.q + np.pi, FULL) - np.pi)
    assert changed > 0


def test_an_unreachable_pose_is_reported_near_q0():
    # the elbow stops at zero, which must not be a limit
    arm = UR10.with_limits(position=np.tile([-7.0, 7.0], (6, 1)))
    target = arm.forward_kinematics(np.zeros(6))
    target[:3, 3] *= 3.0
    for signs in itertools.islice(itertools.product([-1.0, 1.0], repeat=6), 0, 64, 9):
        start = 1.9 * np.pi * np.array(signs)
        found = pose_ik.solve(arm, target, start)
        assert found.status is pose_ik.Status.UNREACHABLE
        np.testing.assert_allclose(found.q, nearest(arm, found.q, start), atol=1e-9)
        np.testing.assert_array_equal(pose_ik.solve_batch(arm, [target] * 2, start).q[1], found.q)
