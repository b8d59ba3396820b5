"""Following a target within the limits: jumps, singular poses, invalid targets, noise and moving starts."""

import modern_robotics
import numpy as np
import pytest
import ruckig

from lessons_lib import lie, pose_ik, robots
from lessons_lib.errors import ParameterError
from lessons_lib.trajectories import Follower, Following

ARMS = {
    "ur10": (robots.ur10(), np.array([0.3, -1.2, 1.5, -0.6, 1.1, 0.4])),
    "panda": (robots.panda(), np.array([0.0, -0.3, 0.0, -2.2, 0.0, 2.0, 0.8])),
}
SPEED, ACCELERATION = 2.0, 10.0  # rad/s, rad/s²
RATE = 200  # Hz, by default; a tick takes some 0.1 ms to compute


@pytest.fixture(params=ARMS)
def arm(request):
    return ARMS[request.param]


def follow(chain, q, targets, rate=RATE):
    """Return the follower after these ticks and q of each; check that all limits are kept."""
    follower = Follower(chain, q, rate, velocity=SPEED, acceleration=ACCELERATION)
    qs = [follower.q, *(follower.step(target) for target in targets)]
    rates = np.diff(qs, axis=0) * rate
    accelerations = np.diff(np.vstack([np.zeros(chain.dof), rates]), axis=0) * rate
    assert np.isfinite(qs).all()
    assert np.abs(rates).max(initial=0.0) <= SPEED * (1 + 1e-9)  # differences of q, rounded at 1e-16 times the rate
    assert np.abs(accelerations).max(initial=0.0) <= ACCELERATION * (1 + 1e-6)
    assert (qs >= chain.limits[:, 0]).all() and (qs <= chain.limits[:, 1]).all()
    return follower, np.array(qs)


def tip_error(chain, q, target):
    """Return the error of the tip, rad or m, by modern_robotics."""
    T = modern_robotics.FKinSpace(chain.home, chain.screws, np.where(np.abs(q) < 1e-6, q + 2 * np.pi, q))
    D = np.linalg.inv(T) @ target
    return max(np.linalg.norm(D[:3, :3] - np.eye(3)), np.linalg.norm(D[:3, 3]))


def error(chain, q, target):
    return np.linalg.norm(lie.log_se3(np.linalg.inv(chain.forward_kinematics(q)) @ target))


def shift(T, *by):
    there = T.copy()
    there[:3, 3] += by
    return there


def test_follower_stops_out_of_reach_and_returns(arm):
    chain, q = arm
    T = chain.forward_kinematics(q)
    far = shift(T, *(4.0 * T[:3, 3]))
    follower, qs = follow(chain, q, [far] * 2000)
    assert follower.status is Following.STOPPED and not follower.velocity.any()
    assert np.ptp(qs[-100:], axis=0).max() == 0.0  # no oscillation
    beside = pose_ik.solve(chain, far, follower.q, starts=pose_ik.Near()).q
    assert error(chain, beside, far) > 0.998 * error(chain, follower.q, far)
    back, _ = follow(chain, follower.q, [T] * 1600)
    assert back.status is Following.REACHED and tip_error(chain, back.q, T) < 1e-9


def wrist(chain, q):
    """Return q with the wrist singular: joint 5 of the UR10, or 6 of the Panda, at zero."""
    there = q.copy()
    there[4 if chain.dof == 6 else 5] = 0.0
    return there


def straight(chain, q):
    """Return q with the elbow straight, or as straight as its limit allows."""
    there = q.copy()
    there[2 if chain.dof == 6 else 3] = 0.0 if chain.dof == 6 else chain.limits[3, 1]
    return there


def shoulder(chain, q):
    """Return q with the wrist above the first axis."""
    there = q.copy()
    there[1:4] = (-1.9, 2.2, -0.6) if chain.dof == 6 else (0.0, 0.0, -2.4)
    return there


@pytest.mark.parametrize("pose", [wrist, straight, shoulder])
def test_follower_passes_a_singular_pose(arm, pose):
    chain, q = arm
    middle = pose(chain, q)
    T = chain.forward_kinematics(middle)
    begin = pose_ik.solve(chain, T, np.clip(middle + 0.1, *chain.limits.T), starts=pose_ik.Near()).q
    for twist in np.diag([0.4, 0.4, 0.4, 0.15, 0.15, 0.15])[:: 2 if chain.dof == 6 else 3]:
        way = [T @ lie.exp_se3(s * twist) for s in np.sin(np.linspace(0.0, 2 * np.pi, 600))]
        follower, _ = follow(chain, begin, [*way, *[T] * 400])
        assert follower.status is Following.REACHED and tip_error(chain, follower.q, T) < 1e-6


@pytest.mark.parametrize("lost", [np.full((4, 4), np.nan), np.eye(3), np.zeros((4, 4)), "nowhere", None])
def test_follower_brakes_for_an_invalid_target_and_continues_with_a_valid_one(arm, lost):
    chain, q = arm
    T = chain.forward_kinematics(q)
    target = shift(T, 0.0, 0.0, -0.2)
    follower, qs = follow(chain, q, [*[target] * 30, *[lost] * 60])
    assert follower.status is Following.LOST and not follower.velocity.any()
    assert not np.array_equal(qs[30], q)
    for _ in range(600):
        follower.step(target)
    assert follower.status is Following.REACHED


def test_follower_brakes_before_a_position_limit(arm):
    chain, q = arm
    narrow = chain.with_limits(position=np.column_stack([q - 0.3, q + 0.3]))
    away = q.copy()
    away[0] += 1.5
    follower, qs = follow(narrow, q, [chain.forward_kinematics(away)] * 300)
    assert np.abs(np.diff(qs[:, 0])).max() * RATE > 1.0  # rad/s
    assert follower.q[0] == pytest.approx(q[0] + 0.3, abs=1e-6)


QUICK = {"velocity": 1e3, "acceleration": 1e6}  # the arm reaches the filtered target within a tick


@pytest.mark.parametrize("smoothing", [0.02, 0.2])
def test_filter_delays_a_target_of_constant_twist_by_smoothing(arm, smoothing):
    chain, q = arm
    T, twist, dt = chain.forward_kinematics(q), np.array([0.1, -0.05, 0.1, 0.02, 0.03, -0.04]), 1.0 / RATE
    follower, count = Follower(chain, q, RATE, smoothing=smoothing, **QUICK), 10 * round(smoothing * RATE)
    for i in range(count + 1):
        follower.step(T @ lie.exp_se3(i * dt * twist))
    late = T @ lie.exp_se3((count * dt - smoothing) * twist)
    assert follower.smoothing == smoothing
    assert error(chain, follower.q, late) < 2e-4 * smoothing  # e⁻¹⁰ of the delay is missing


def test_filter_waits_while_the_target_is_invalid():
    chain, q = ARMS["ur10"]
    T = chain.forward_kinematics(q)
    follower = Follower(chain, q, RATE, smoothing=0.1, **QUICK)
    follower.step(T)
    for _ in range(50):
        follower.step(np.full((4, 4), np.nan))
    follower.step(shift(T, 0.0, 0.0, 0.021))
    assert error(chain, follower.q, shift(T, 0.0, 0.0, 0.001)) < 1e-6  # k = dt / (0.1 s + dt) = 1/21


def follow_random_target(chain, seed, rate, noise=0.0):
    """Follow a random, noisy target from a random start for 12 s; return the target, the follower and each q."""
    rng = np.random.default_rng(seed)
    begin, target = chain.random_configuration(rng), chain.forward_kinematics(chain.random_configuration(rng))
    noisy = (target @ lie.exp_se3(rng.normal(scale=noise, size=6)) for _ in range(12 * rate))
    return target, *follow(chain, begin, noisy, rate)


UNLIMITED = robots.planar_3r().with_limits(position=np.tile([-np.inf, np.inf], (3, 1)))
TARGETS = {
    "ur10": (robots.ur10(), 6),
    "panda": (robots.panda(), 3),
    "planar": (robots.planar_3r(), 8),
    "endless": (UNLIMITED, 8),
}


@pytest.mark.parametrize(("chain", "least"), TARGETS.values(), ids=TARGETS)
def test_follower_stops_at_a_random_target_or_at_a_local_minimum(chain, least):
    """Joints reach their limits, where solutions a revolution apart are equally good."""
    reached = 0
    for seed in range(8):
        target, follower, qs = follow_random_target(chain, seed, 50)
        assert np.ptp(qs[-50:], axis=0).max() < 1e-9, seed
        if follower.status is Following.REACHED:
            reached += 1
            assert tip_error(chain, follower.q, target) < 1e-6
        else:
            assert follower.status is Following.STOPPED
            beside = pose_ik.solve(chain, target, follower.q, starts=pose_ik.Near()).q
            assert error(chain, beside, target) > 0.998 * error(chain, follower.q, target)
    assert reached >= least


def test_follower_stays_at_rest_at_its_target(arm):
    chain, q = arm
    follower, qs = follow(chain, q, [chain.forward_kinematics(q)] * 100)
    assert follower.status is Following.REACHED and np.ptp(qs, axis=0).max() < 1e-12
    assert "target" in follower.status.sentence
    with pytest.raises(ValueError, match="read-only"):
        follower.q[0] = 1.0


def test_follower_starts_with_a_velocity_and_keeps_the_limits(arm):
    chain, q = arm
    v = np.array([0.5, -0.4, 0.3, -0.2, 0.6, -0.5, 0.1])[: chain.dof] * SPEED
    follower = Follower(chain, q, RATE, velocity=SPEED, acceleration=ACCELERATION, start_velocity=v)
    target = chain.forward_kinematics(q)
    np.testing.assert_array_equal(follower.velocity, v)
    qs = [q - v / RATE, q, *(follower.step(target) for _ in range(4 * RATE))]
    rates = np.diff(qs, axis=0) * RATE
    assert (np.abs(np.diff(rates, axis=0)) * RATE <= ACCELERATION * (1 + 1e-6)).all()
    assert (np.abs(rates) <= SPEED * (1 + 1e-9)).all()
    assert follower.status is Following.REACHED and tip_error(chain, follower.q, target) < 1e-6
    assert np.abs(qs[2] - q).max() > 0.9 * np.abs(v).max() / RATE, "the start velocity is used"


def test_a_start_velocity_without_room_to_stop_is_an_error():
    arm = robots.planar_2r().with_limits([(-1.0, 1.0)] * 2, 1.0, 2.0)
    words = r"start_velocity of joint 'joint 2' of planar 2R must be between -1 and 0\.632456, from which it can stop"
    with pytest.raises(ParameterError, match=words):  # √(2 a 0.1)
        Follower(arm, [0.0, 0.9], start_velocity=[0.0, 0.64])
    follower = Follower(arm, [0.0, 0.9], 100.0, start_velocity=[0.0, 0.632455])
    highest = max(follower.step(np.zeros((4, 4)))[1] for _ in range(100))
    assert 0.99 < highest <= 1.0


def test_motion_to_passes_the_target_with_its_twist():
    """Compare the twist with differences of forward kinematics, and the duration with Ruckig."""
    chain = robots.ur10().with_limits(acceleration=5.0)
    q, rng = np.array([0.3, -1.2, 1.4, 0.5, 0.3, 0.7]), np.random.default_rng(4)
    follower = Follower(chain, q, start_velocity=0.2 * rng.normal(size=6))
    target, V = chain.forward_kinematics(q) @ lie.exp_se3(0.2 * rng.normal(size=6)), 0.2 * rng.normal(size=6)
    motion = follower.motion_to(target, V, jerk=100.0)
    (q_0, v_0, _), (q_1, v_1, a_1) = (motion.at(t) for t in (0.0, motion.duration))
    assert np.array_equal(q_0, q) and np.array_equal(v_0, follower.velocity) and not a_1.any()
    assert tip_error(chain, q_1, target) < 1e-8
    h = 1e-4
    passed = chain.forward_kinematics(np.array([motion.at(motion.duration - k * h)[0] for k in (2, 1, 0)]))
    near = [lie.log_se3(lie.inverse(passed[2]) @ T) for T in passed]
    assert np.abs((near[0] - 4.0 * near[1]) / (2.0 * h) - V).max() < 1e-5
    problem, found = ruckig.InputParameter(6), ruckig.Trajectory(6)
    problem.current_position, problem.current_velocity = q.tolist(), follower.velocity.tolist()
    problem.target_position = q_1.tolist()
    problem.target_velocity = np.linalg.solve(chain.body_jacobian(q_1), V).tolist()
    problem.max_velocity, problem.max_acceleration = chain.velocity_limits.tolist(), [5.0] * 6
    problem.max_jerk = [100.0] * 6
    ruckig.Ruckig(6).calculate(problem, found)
    assert motion.duration == pytest.approx(found.duration, rel=1e-9)
    assert not follower.motion_to(target, jerk=100.0).at(10.0)[1].any()
    Follower(chain, q_1, start_velocity=v_1)
