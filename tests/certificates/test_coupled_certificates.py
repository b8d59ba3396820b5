"""Certificates of arms with coupled joints contain the exact solution, in 50 digits."""

import numpy as np
import pytest
from exact_solution import distance, on_a_rail, refine

from lessons_lib import pose_ik, robots
from lessons_lib.certificates.scaled_arm import bound_norm, scale_arm
from lessons_lib.robots import Chain, Coupling


def wrist() -> Chain:
    """Return a UR10 whose last two joints rotate by half the sum and half the difference of two motors."""
    ur10, A = robots.ur10(), np.eye(6)
    A[4:, 4:] = [[0.5, 0.5], [0.5, -0.5]]
    return robots.from_screws(ur10.screws, ur10.home, name="differential wrist", coupling=Coupling(A))


def rail() -> Chain:
    """Return a UR10 whose first joint also drives it along a rail: seven joints, six coordinates."""
    arm = on_a_rail()
    A = np.vstack([[0.1, 0, 0, 0, 0, 0], np.eye(6)])
    return robots.from_screws(arm.screws, arm.home, name="rack and pinion", coupling=Coupling(A, [0.3, *[0.0] * 6]))


def in_millimetres(arm: Chain) -> Chain:
    """Return the arm on a rail with all lengths in mm."""
    screws, home, A = arm.screws.copy(), arm.home.copy(), np.array(arm.matrix)
    screws[3:, 1:], home[:3, 3], A[0] = 1e3 * screws[3:, 1:], 1e3 * home[:3, 3], 1e3 * A[0]
    return robots.from_screws(screws, home, name=f"{arm.name} in mm", coupling=Coupling(A))


@pytest.mark.parametrize("arm", [wrist(), rail(), in_millimetres(rail())], ids=lambda arm: arm.name)
def test_the_exact_solution_is_in_the_ball_and_outside_a_third_of_it(arm: Chain) -> None:
    rng, shares = np.random.default_rng(1), []
    for size in (0.0, 1e-13, 1e-9, 1e-6, 1e-4):
        q = rng.uniform(-2.0, 2.0, arm.dof)
        off = q + size * rng.normal(size=arm.dof)
        T = arm.forward_kinematics(q)
        found = pose_ik.certificate(arm, T, off)
        assert found, found.reason
        exact = refine(arm, T, off)
        assert exact is not None
        shares.append(distance(arm, exact, off) / found.radius)
    assert max(shares) <= 1.0
    assert max(shares) > 1 / 3


def test_solve_with_certify_returns_a_certificate_for_a_coupled_arm() -> None:
    arm = wrist()
    found = pose_ik.solve(arm, arm.forward_kinematics([0.3, -1.2, 1.5, -0.6, 1.9, 0.4]), certify=True)
    assert found.certificate
    assert found.position_error < 1e-14


def test_bound_stretch_bounds_the_largest_singular_value() -> None:
    rng = np.random.default_rng(3)
    for A in (wrist().matrix, *rng.normal(size=(5, 7, 6)), *rng.normal(size=(5, 3, 3))):
        assert A is not None
        assert np.linalg.norm(A, 2) <= bound_norm(A) <= np.linalg.norm(A) * (1 + 1e-5)
    assert scale_arm(robots.ur10()).A_norm == 1.0


def test_coordinates_with_twice_the_motion_have_half_the_radius() -> None:
    ur10 = robots.ur10()
    double = robots.from_screws(ur10.screws, ur10.home, coupling=Coupling(2.0 * np.eye(6)))
    q = np.array([0.3, -1.2, 1.5, -0.6, 1.1, 0.4])
    T = ur10.forward_kinematics(q)
    one, other = pose_ik.certificate(ur10, T, q + 1e-5), pose_ik.certificate(double, T, 0.5 * (q + 1e-5))
    for name, factor in (("h", 1.0), ("radius", 0.5), ("alone", 0.5), ("smallest_singular_value", 2.0)):
        assert getattr(other, name) == pytest.approx(factor * getattr(one, name), rel=1e-4), name
