"""All solutions of arms with coupled joints: those of the joints that satisfy the coupling."""

import numpy as np
from numpy.testing import assert_allclose

from lessons_lib import pose_ik, robots
from lessons_lib.robots import Chain, Coupling

HALF = np.array([[0.5, 0.5], [0.5, -0.5]])
"""A differential: two joints rotate by half the sum and half the difference of two motors."""

WRIST = np.eye(6)
WRIST[4:, 4:] = HALF


def differential_wrist(limits: list[list[float]] | None = None) -> Chain:
    ur10 = robots.ur10()
    return robots.from_screws(
        ur10.screws, ur10.home, limits, "UR10 with a differential wrist", coupling=Coupling(WRIST)
    )


def test_differential_wrist_has_the_solutions_of_the_uncoupled_arm() -> None:
    arm, rng = differential_wrist(), np.random.default_rng(1)
    for _ in range(5):
        T = arm.forward_kinematics(arm.random_configuration(rng))
        found, free = pose_ik.all_solutions(arm, T), pose_ik.all_solutions(robots.ur10(), T, limits=False)
        assert found.complete and len(found) == len(free)
        assert_allclose(found.residual, 0.0, atol=1e-12)
        assert found.names == free.names
        turned = np.sin((found.q @ WRIST.T - free.q) / 2)
        assert_allclose(turned, 0.0, atol=1e-9)


def test_solutions_use_the_nearest_revolution_within_the_limits() -> None:
    limits = [[-3.0, 3.0]] * 4 + [[-6.0, 6.0]] * 2
    arm, rng = differential_wrist(limits), np.random.default_rng(2)
    for _ in range(5):
        q = arm.random_configuration(rng)
        found = pose_ik.all_solutions(arm, arm.forward_kinematics(q))
        assert_allclose(found.nearest(q), q, atol=1e-9)
        for one in found.q:
            arm.check_within_limits(one)
        assert pose_ik.solve(arm, found.target, q + 1e-3, starts=pose_ik.AllBranches()).converged


def test_solutions_that_violate_the_coupling_are_excluded() -> None:
    mimic = np.delete(np.eye(6), 3, axis=1)
    mimic[3] = [0, 0, -0.5, 0, 0]  # joint 4 follows joint 3
    ur10 = robots.ur10()
    arm = robots.from_screws(ur10.screws, ur10.home, coupling=Coupling(mimic))
    q = arm.random_configuration(np.random.default_rng(3))
    T = arm.forward_kinematics(q)
    found, free = pose_ik.all_solutions(arm, T), pose_ik.all_solutions(ur10, T, limits=False)
    assert 1 <= len(found) < len(free)
    assert_allclose(np.min(np.abs(np.sin((found.q - q) / 2)).max(axis=1)), 0.0, atol=1e-9)
    assert found.reason == "rounding decides whether the coupling allows a solution of the joints"
    assert not len(pose_ik.all_solutions(arm, ur10.forward_kinematics([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])))
