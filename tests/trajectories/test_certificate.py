"""Certificates of motions: no sample exceeds the bounds, samples attain them, and they fail beyond a limit."""

import mpmath
import numpy as np
import pytest
from scipy.interpolate import PPoly

from lessons_lib import robots
from lessons_lib.trajectories import certificate, retime
from lessons_lib.trajectories.trajectory import fit_spline

ARM = robots.ur10().with_limits(acceleration=[3, 3, 4, 6, 6, 8])
FLAT = robots.planar_2r().with_limits([(-1e6, 1e6)] * 2, velocity=1.0, acceleration=2.0)
RATE = 20_000.0
"""Sampling rate, Hz."""


def check_certificate(motion):
    """Compare the certificate with samples of the motion at 20 kHz, with 100,001 to 400,001 of them."""
    times = np.linspace(0.0, motion.duration, int(np.clip(motion.duration * RATE, 100_001, 400_001)))
    q, v, a = motion.at(times)
    proven = motion.certificate
    assert proven.holds
    speeds = proven.speeds, motion.velocity_limits, v
    for most, limits, samples in (speeds, (proven.accelerations, motion.acceleration_limits, a)):
        assert (np.abs(samples) <= most).all() and (most <= limits).all()
        reached = np.abs(samples).max(axis=0)
        assert (reached >= 0.99 * most).all()  # samples miss the ends of pieces
    assert (q >= proven.lowest).all() and (q <= proven.highest).all()


@pytest.mark.parametrize("seed", range(12))
def test_random_paths_keep_all_limits_at_all_times(seed):
    rng = np.random.default_rng(seed)
    check_certificate(retime(rng.uniform(-2, 2, (rng.integers(2, 12), 6)), ARM))


INPUTS = {
    "nearly repeated waypoints": [[0, 0], [1, 0], [1, 1e-3], [1, 1.1e-3], [2, 1]],  # moveit2 2600, toppra 150
    "a joint at rest": [[0, 0.3], [1, 0.3], [2, 0.3], [2.5, 0.3]],  # moveit 1665, toppra 16
    "a joint at rest except for noise": [[0, 0.3], [1, 0.3 + 1e-12], [2, 0.3], [2.5, 0.3 - 1e-12]],
    "a piece without length": [[0, 0], [1, 1], [1, 1], [1, 1], [2, 0]],  # moveit 3565
    "a reversal": [[0, 0], [1, 1], [0, 0], [1, 1]],  # toppra 17
    "a reversal of one joint": [[0, 0], [1, 0.5], [0, 1.0]],
    "a reversal by a little": [[0, 0], [1, 0], [0.999, 0], [2, 0]],
    "uneven waypoints": [[0, 0], [1e-6, 0], [1, 0], [1, 1e-4], [3, 2]],  # drake 20619
    "a very short path": [[0, 0], [1e-7, 1e-8], [2e-7, 0]],
    "the shortest path": [[0, 0], [2e-9, 0]],
    "a very long path": [[0, 0], [1e5, 2e4], [2e5, 0]],
}
"""Inputs on which public retimers violate limits, with the reports."""

LIMITS = {
    "usual": {},
    "tiny": {"velocity": 1e-6, "acceleration": 1e-8},
    "huge": {"velocity": 1e9, "acceleration": 1e12},
    "none on the speed": {"velocity": np.inf},
    "of all sizes": {"velocity": [1e-9, 1], "acceleration": [1, 1e-6]},
}


@pytest.mark.parametrize("limits", LIMITS.values(), ids=LIMITS)
@pytest.mark.parametrize("rows", INPUTS.values(), ids=INPUTS)
def test_inputs_on_which_public_retimers_violate_limits_keep_them(rows, limits):
    check_certificate(retime(rows, FLAT, **limits))


def exact_extremes(motion, joint):
    """Return the largest |q̇| and |q̈| of a joint in 40 digits: at the ends of pieces, and at roots that mpmath finds."""
    spline, speed, acceleration = fit_spline(motion.knots, motion.configurations), mpmath.mpf(0), mpmath.mpf(0)
    for i, (begin, end) in enumerate(zip(motion.places[:-1], motion.places[1:], strict=True)):
        k = int(np.searchsorted(spline.x, begin, side="right")) - 1
        c = [mpmath.mpf(float(number)) for number in spline.c[:, k, joint]]
        z_0, z_1 = (mpmath.mpf(float(s)) - mpmath.mpf(float(spline.x[k])) for s in (begin, end))
        x, y = (mpmath.mpf(float(speed)) ** 2 for speed in motion.speeds[i : i + 2])
        u = (y - x) / (2 * (z_1 - z_0))
        first = [3 * c[0], 2 * c[1], c[2]]
        second = [6 * c[0], 2 * c[1]]
        square = [2 * u, x - 2 * u * z_0]  # ṡ²
        push = [u * first[0] + second[0] * square[0], u * first[1] + second[0] * square[1] + second[1] * square[0]]
        push.append(u * first[2] + second[1] * square[1])
        roots = [-push[1] / (2 * push[0])] if push[0] else []
        discriminant = push[1] ** 2 - 4 * push[0] * push[2]
        if push[0] and discriminant >= 0:
            roots += [(-push[1] + sign * mpmath.sqrt(discriminant)) / (2 * push[0]) for sign in (1, -1)]
        for z in [z_0, z_1, *(root for root in roots if z_0 < root < z_1)]:
            acceleration = max(acceleration, abs(mpmath.polyval(push, z)))
            speed = max(speed, abs(mpmath.polyval(first, z)) * mpmath.sqrt(abs(mpmath.polyval(square, z))))
    return speed, acceleration


def test_bounds_exceed_the_extremes_in_forty_digits_by_less_than_1e_12():
    motion = retime(np.random.default_rng(5).uniform(-2, 2, (5, 6)), ARM).slowed(0.7)
    with mpmath.workdps(40):
        for joint in (0, 3):
            bounds = motion.certificate.speeds[joint], motion.certificate.accelerations[joint]
            for bound, exact in zip(bounds, exact_extremes(motion, joint), strict=True):
                assert 0 <= mpmath.mpf(float(bound)) / exact - 1 < 1e-12


def test_certificate_of_a_too_fast_motion_does_not_hold():
    motion = retime(np.random.default_rng(8).uniform(-2, 2, (5, 6)), ARM)
    assert motion.certificate.excess == pytest.approx(1.0, abs=1e-9)
    faster = motion.slowed(0.999)
    assert not faster.certificate.holds and faster.certificate.excess == pytest.approx(1 / 0.999, rel=1e-9)
    assert faster.slowed(1.00101).certificate.holds
    assert not retime([[0, 0], [3, 0]], FLAT).slowed(1 - 1e-9).certificate.holds  # too fast by a factor of 1 + 1e-9
    with pytest.raises(ValueError, match="read-only"):
        motion.certificate.speeds[0] = 0.0


PIECES = dict(zip(("c0", "c1", "c2", "c3"), 2.0 * np.eye(4), strict=True))
"""Coefficients of q(s) on one piece of length 3, all but one zero."""


@pytest.mark.parametrize("which", PIECES)
@pytest.mark.parametrize("speeds", [(0.5, 0.5), (0.5, 1.5)], ids=["steady", "faster"])
def test_each_rounding_term_adds_its_share_to_the_bounds(which, speeds, monkeypatch):
    """With a ROUNDING of 1e-7 these terms exceed all actual rounding."""
    c, length = np.array(PIECES[which]), 3.0
    spline = PPoly(c[:, None, None], np.array([0.0, length]))
    given = np.array(speeds), np.ones(1), np.ones(1)
    found = []
    for rounding in (0.0, 1e-7):
        monkeypatch.setattr(certificate, "ROUNDING", rounding)
        one = certificate.certify(certificate.Curve(spline, np.array([0.0, length])), *given)
        found.append(np.array([one.speeds[0], one.accelerations[0], one.highest[0], -one.lowest[0]]))
    slope, bend, speed = np.polyval(np.polyder(c), length), np.polyval(np.polyder(c, 2), length), max(speeds)
    push = (speeds[1] ** 2 - speeds[0] ** 2) / (2.0 * length)
    acceleration = push * (slope + length * bend) + 2.0 * bend * speed**2
    duration = 2.0 * length / sum(speeds)
    terms = [2.0 * slope * speed + acceleration * duration + found[0][0], acceleration + found[0][1]]
    terms += [np.polyval(c, length) + slope * length] * 2
    np.testing.assert_allclose((found[1] - found[0]) / 1e-7, terms, rtol=1e-6)
