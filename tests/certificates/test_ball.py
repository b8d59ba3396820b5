"""A certificate contains the exact solution or states a reason, and its bounds are tight."""

import math
import pickle

import mpmath
import numpy as np
import pytest
from exact_solution import arms, coupled_arms, distance, refine
from hypothesis import given, settings
from hypothesis import strategies as st
from six_r_arms import differential_wrist

from lessons_lib import lie, pose_ik, robots
from lessons_lib.certificates import scaled_arm
from lessons_lib.certificates.module import module
from lessons_lib.certificates.scaled_arm import bound_norm, extend_planar_arm
from lessons_lib.errors import ConfigurationError, ParameterError, TransformError

UR10 = robots.ur10()


@pytest.mark.parametrize("arm", [*arms(), *coupled_arms()], ids=lambda arm: arm.name)
def test_the_exact_solution_is_in_the_ball_and_outside_half_of_it(arm):
    """Outside a third of it if joints are coupled."""
    rng, shares = np.random.default_rng(1), []
    for size in (0.0, 1e-13, 1e-9, 1e-6, 1e-4):
        q = rng.uniform(-2.0, 2.0, arm.dof)
        off = q + size * rng.normal(size=arm.dof)
        T = arm.forward_kinematics(q)
        found = pose_ik.certificate(arm, T, off)
        assert found, found.reason
        shares.append(distance(arm, refine(arm, T, off), off) / found.radius)
        assert size or found.radius < 1e-11
    assert max(shares) <= 1.0
    assert max(shares) > (1 / 2 if arm.coupling is None else 1 / 3)


@pytest.mark.release
@pytest.mark.parametrize("arm", arms(), ids=lambda arm: arm.name)
@settings(max_examples=400)
@given(seed=st.integers(0, 2**32 - 1))
def test_any_certificate_contains_exactly_one_exact_solution(arm, seed):
    """At configurations exact to rounding or with errors up to 0.01 rad, some nearly singular."""
    rng = np.random.default_rng(seed)
    q = rng.uniform(-3.0, 3.0, arm.dof)
    if rng.random() < 0.4:
        q[rng.integers(arm.dof)] = rng.choice([-1, 1]) * 10.0 ** rng.uniform(-12, -1)
    T = arm.forward_kinematics(q)
    q = q + rng.normal(size=arm.dof) * (0.0 if rng.random() < 0.5 else 10.0 ** rng.uniform(-14, -2))
    found = pose_ik.certificate(arm, T, q)
    if not found:
        return
    exact = refine(arm, T, q)
    assert exact is not None and distance(arm, exact, q) <= found.radius
    if arm.name == "UR10":
        others = pose_ik.all_solutions(arm, T, limits=False).q
        gaps = np.linalg.norm(np.remainder(others - q + math.pi, 2 * math.pi) - math.pi, axis=1)
        assert (gaps <= found.alone * (1 - 1e-6)).sum() <= 1


def test_solve_with_certify_returns_a_certificate():
    T = UR10.forward_kinematics([0.3, -1.2, 1.5, -0.6, 1.1, 0.4])
    plain, sure = pose_ik.solve(UR10, T), pose_ik.solve(UR10, T, certify=True)
    assert plain.certificate is None
    assert sure.certificate
    assert sure.certificate.reason == ""
    assert sure.position_error < 1e-14 and sure.orientation_error < 1e-14
    assert pickle.loads(pickle.dumps(sure)).certificate == sure.certificate
    assert "certificate" not in repr(sure)
    start = pose_ik.solve(UR10, T, starts=pose_ik.AllBranches(), certify=True)
    assert start.certificate and start.branch is not None
    arm = differential_wrist()
    coupled = pose_ik.solve(arm, arm.forward_kinematics([0.3, -1.2, 1.5, -0.6, 1.9, 0.4]), certify=True)
    assert coupled.certificate and coupled.position_error < 1e-14


@pytest.mark.parametrize("joint", [2, 4], ids=["elbow", "wrist"])
@pytest.mark.parametrize("offset", [1e-5, 1e-4, -1e-4, 1e-3])
def test_a_solution_near_a_singular_configuration_is_certified(joint, offset):
    """Newton's method is not yet quadratic there: three steps are not enough."""
    q = np.array([0.3, -1.2, 1.5, -0.6, 1.1, 0.4])
    q[joint] = offset
    found = pose_ik.solve(UR10, UR10.forward_kinematics(q), certify=True)
    assert found.certificate and found.certificate.radius < 1e-6
    assert max(found.position_error, found.orientation_error) < 1e-14


@pytest.mark.parametrize(
    ("q", "T", "word"),
    [
        (np.zeros(6), UR10.home, "singular up to rounding"),
        ([0.3, -1.2, 1.5, -0.6, 1e-9, 0.4], UR10.forward_kinematics([0.3, -1.2, 1.5, -0.6, 1e-9, 0.4]), "above ½"),
        ([0.3, -1.2, 1.5, -0.6, 1.1, 0.4], UR10.forward_kinematics([0.3, -1.2, 1.5, -0.6, 1.1, 0.6]), "above ½"),
        ([0.3, -1.2, 1.5, -0.6, 1.1, 0.4], UR10.forward_kinematics([0.3, -1.2, 1.5, -0.6, 1.1, 2.6]), "60°"),
        ([2e5, -1.2, 1.5, -0.6, 1.1, 0.4], UR10.home, "up to 100000 rad"),
    ],
    ids=["home", "beside a singular pose", "off by 0.2 rad", "turned away", "many turns"],
)
def test_a_certificate_that_does_not_hold_states_the_reason(q, T, word):
    found = pose_ik.certificate(UR10, T, q)
    assert not found
    assert found.radius == math.inf and found.alone == 0.0
    assert word in found.reason


def test_fewer_than_six_joints_have_no_certificate_and_invalid_arguments_raise():
    arm = robots.planar_2r()
    assert "2 joints" in pose_ik.certificate(arm, arm.home, [0, 0]).reason
    with pytest.raises(ConfigurationError, match="6 numbers|shape"):
        pose_ik.certificate(UR10, UR10.home, [0.0])
    with pytest.raises(TransformError):
        pose_ik.certificate(UR10, np.zeros((4, 4)), np.zeros(6))
    with pytest.raises(ParameterError, match="chain|Chain|str"):
        pose_ik.certificate("UR10", UR10.home, np.zeros(6))


def second_difference(scaled, q, T, along, h=1e-4):
    """Return the second derivative of the residual along a direction, by finite differences."""
    values = []
    for x in (q - h * along, q, q + h * along):
        F, J = np.empty(6), np.empty((6, len(q)))
        module().residual(scaled.joints, scaled.home, scaled.e_home, x, T, F, J, np.empty((len(q), 8)))
        values.append(F)
    return np.linalg.norm(values[0] - 2 * values[1] + values[2]) / h**2


@pytest.mark.parametrize("arm", arms(), ids=lambda arm: arm.name)
def test_second_derivatives_are_within_their_bound(arm):
    rng, scaled = np.random.default_rng(3), scaled_arm.scale_arm(arm)
    for _ in range(100):
        q, along = rng.uniform(-3.0, 3.0, arm.dof), rng.normal(size=arm.dof)
        T = arm.forward_kinematics(q * scaled.units)
        T[:3, 3] /= scaled.length
        bound = scaled.second_derivative_bound(q) * (1 + 1e-6)
        assert second_difference(scaled, q, T, along / np.linalg.norm(along)) <= bound


def distance_3r(T, near):
    """Return the distance of the solution of planar_3r(1.0, 0.8, 0.3) from q, by the cosine rule in 40 digits."""
    with mpmath.workdps(40):
        numbers = [[mpmath.mpf(float(x)) for x in row] for row in T]
        turn = mpmath.atan2(numbers[1][0] - numbers[0][1], numbers[0][0] + numbers[1][1])
        lengths = [mpmath.mpf(x) for x in (1.0, 0.8)]
        last = mpmath.mpf(float(robots.planar_3r(1.0, 0.8, 0.3).home[0, 3])) - mpmath.mpf(1.8)
        x, y = numbers[0][3] - last * mpmath.cos(turn), numbers[1][3] - last * mpmath.sin(turn)
        elbow = mpmath.acos((x * x + y * y - lengths[0] ** 2 - lengths[1] ** 2) / (2 * lengths[0] * lengths[1]))
        elbow = elbow if near[1] > 0 else -elbow
        reach = mpmath.atan2(lengths[1] * mpmath.sin(elbow), lengths[0] + lengths[1] * mpmath.cos(elbow))
        first = mpmath.atan2(y, x) - reach
        found = [first, elbow, turn - first - elbow]
        away = [a - float(b) for a, b in zip(found, near, strict=True)]
        return float(mpmath.norm([a - 2 * mpmath.pi * mpmath.nint(a / (2 * mpmath.pi)) for a in away]))


def test_a_planar_arm_has_certificates_in_its_plane():
    arm, rng, shares = robots.planar_3r(1.0, 0.8, 0.3), np.random.default_rng(3), []
    for size in (0.0, 1e-13, 1e-9, 1e-6, 1e-4):
        q = rng.uniform(0.4, 2.0, 3)
        off = q + size * rng.normal(size=3)
        T = arm.forward_kinematics(q)
        found = pose_ik.certificate(arm, T, off)
        assert found, found.reason
        assert size or found.radius < 1e-12
        shares.append(distance_3r(T, off) / found.radius)
    assert 0.3 < max(shares) <= 1.0
    straight = arm.forward_kinematics([0.3, 0.0, 0.4])
    assert "singular" in pose_ik.certificate(arm, straight, [0.3, 0.0, 0.4]).reason
    other = next(one for one in pose_ik.all_solutions(arm, T) if one.q[1] < 0)
    assert other.certificate and np.linalg.norm(other.q - q) > other.certificate.alone


def test_a_prismatic_joint_perpendicular_to_the_plane_and_a_pose_out_of_it():
    ends = np.array([[0, 0, 1, 0, 0, 0], [0, 0, 1, 0, -0.5, 0], [0, 0, 1, 0, -0.9, 0], [0, 0, 0, 0, 0, 1.0]]).T
    arm = robots.from_screws(ends, lie.exp_se3([0, 0, 0, 1.1, 0, 0]))
    q = np.array([0.3, 1.2, -0.5, 0.25])
    T = arm.forward_kinematics(q)
    assert pose_ik.certificate(arm, T, q) and extend_planar_arm(arm, T).length == pytest.approx(arm.length)
    assert pose_ik.certificate(arm, T, q + [0, 0, 0, 1e-6]).radius > 0.5e-6 / arm.length
    for twist in ([1e-12, 0, 0, 0, 0, 0], [0, 1e-9, 0, 0, 0, 0]):
        assert "six equations" in pose_ik.certificate(arm, T @ lie.exp_se3(twist), q).reason
    three = robots.planar_3r()
    raised = three.forward_kinematics(q[:3]) + np.outer([0, 0, 1e-300, 0], [0, 0, 0, 1])
    assert "six equations" in pose_ik.certificate(three, raised, q[:3]).reason


def test_bound_stretch_bounds_the_largest_singular_value():
    rng = np.random.default_rng(3)
    for A in (differential_wrist().matrix, *rng.normal(size=(5, 7, 6)), *rng.normal(size=(5, 3, 3))):
        assert A is not None
        assert np.linalg.norm(A, 2) <= bound_norm(A) <= np.linalg.norm(A) * (1 + 1e-5)
    assert scaled_arm.scale_arm(UR10).A_norm == 1.0


def test_coordinates_with_twice_the_motion_have_half_the_radius():
    double = robots.from_screws(UR10.screws, UR10.home, coupling=robots.Coupling(2.0 * np.eye(6)))
    q = np.array([0.3, -1.2, 1.5, -0.6, 1.1, 0.4])
    T = UR10.forward_kinematics(q)
    one, other = pose_ik.certificate(UR10, T, q + 1e-5), pose_ik.certificate(double, T, 0.5 * (q + 1e-5))
    for name, factor in (("h", 1.0), ("radius", 0.5), ("alone", 0.5), ("smallest_singular_value", 2.0)):
        assert getattr(other, name) == pytest.approx(factor * getattr(one, name), rel=1e-4), name
