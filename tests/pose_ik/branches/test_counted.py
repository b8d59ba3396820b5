"""How many answers six hinges have at most: numbers with radii, zeros of a function, and what a lost answer does."""

import math
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from lessons_lib import pose_ik
from lessons_lib.errors import TransformError
from lessons_lib.pose_ik.branches.counted import ASIDE, PLACES, Counted, Near, determinants, motion, near, pose, zeros

sys.path.append(str(Path(__file__).parent))
from arms import drawn
from test_any_hinges import at_random

mpmath = pytest.importorskip("mpmath")


def exact(x):
    """Return an array of fractions."""
    return np.vectorize(Fraction, otypes=[object])(x)


def test_radii_hold_what_exact_numbers_give():
    rng = np.random.default_rng(1)
    for k in range(50):  # every other time the numbers are exact, and all is rounding
        a, b, c = (
            Near(rng.normal(size=(4, 4)) * 10.0 ** rng.uniform(-3, 3), k % 2 * 10.0 ** rng.uniform(-17, -3))
            for _ in "abc"
        )
        A, B, C = (exact(x.middle) + exact(x.radius * rng.uniform(-1.0, 1.0, x.middle.shape)) for x in (a, b, c))
        for found, true in (
            (a @ b, A @ B),
            (a * b - c, A * B - C),
            ((1.5 + a) @ (b @ c), (Fraction(3, 2) + A) @ (B @ C)),
            (-a[1:] @ np.eye(4), -A[1:]),
        ):
            assert (abs(exact(found.middle) - true) <= exact(found.radius)).all()
            assert (abs(true) <= exact(found.largest)).all()


def test_a_determinant_is_within_its_radius():
    arm, rng = at_random(1), np.random.default_rng(2)
    road = pose_ik.all_solutions(arm, arm.home).road
    backwards, counted = road.counted[0]
    for _ in range(3):
        T = arm.forward_kinematics(rng.uniform(-math.pi, math.pi, 6))
        right = counted.right(motion(T, arm.home, arm.length, backwards))
        free = near(right.middle[:6, :1] + counted.left.middle[:6].reshape(6, 27)).apply(lambda x: x.reshape(6, 3, 9))
        values, off = determinants(free)
        assert off.max() < 1e-9 * np.abs(values).max()
        with mpmath.workdps(50):
            for k in (0, 7, 24):
                angle = ASIDE + 2 * mpmath.pi * k / PLACES
                wave = (mpmath.sin(angle), mpmath.cos(angle), 1)
                A = mpmath.zeros(12)
                for i in range(6):
                    for m in range(9):
                        x = sum(wave[a] * mpmath.mpf(float(free.middle[i, a, m])) for a in range(3))
                        A[i, m] = A[6 + i, 3 + m] = x
                difference = abs(mpmath.det(A) - mpmath.mpf(float(values[k])))
                assert difference <= off[k] and difference < 1e-11 * np.abs(values).max()


@pytest.mark.parametrize(
    ("count", "function"),
    [
        (6, lambda x: np.cos(3 * x) - 0.2),
        (24, lambda x: np.sin(12 * x + 0.3)),
        (0, lambda x: 1.01 + np.cos(x)),
        (2, lambda x: 0.999 + np.cos(x)),
        (None, lambda x: 1.0 + np.cos(x)),
        (None, lambda x: 1.0 - 1e-12 + np.cos(x)),
    ],
)
def test_zeros_are_counted_or_it_is_said_that_they_cannot_be(count, function):
    values = function(2 * np.pi * np.arange(PLACES) / PLACES)
    assert zeros(values, np.full(PLACES, 1e-14)) == count
    assert zeros(values, np.full(PLACES, 3.0)) is None


def test_an_answer_that_is_lost_is_noticed(monkeypatch):
    arm, rng = at_random(1), np.random.default_rng(3)
    for _ in range(5):
        solutions = pose_ik.all_solutions(arm, arm.forward_kinematics(rng.uniform(-math.pi, math.pi, 6)))
        assert solutions.complete
    road = solutions.road
    q, codes, count = road.answers(solutions.target, solutions.limits)
    with monkeypatch.context() as patch:
        patch.setattr(type(road), "answers", lambda *_: (q[1:], codes[1:], count - 1))
        assert f"may be {count} answers" in road.reason(solutions)
        patch.setattr(type(road), "answers", lambda *_: (np.vstack([q, q[:1]]), codes, count + 1))
        assert "are two" in road.reason(solutions)
        patch.setattr(type(road), "answers", lambda *_: (q + 0.1, codes, count))
        assert "not certified" in road.reason(solutions)
    narrow = arm.with_limits(position=[(-math.pi, float(q[0, 0])), *[(-math.pi, math.pi)] * 5])
    assert "limit" in pose_ik.all_solutions(narrow, solutions.target).reason


def test_the_motion_holds_the_exact_one():
    arm = at_random(1)
    T = arm.forward_kinematics(np.full(6, 0.3))
    found, back = (motion(T, arm.home, arm.length, backwards) for backwards in (False, True))
    whole = found @ back
    assert (np.abs(whole.middle - np.eye(4)) <= whole.radius + 1e-15).all() and whole.radius.max() < 1e-13
    assert pose(T, arm.length)[0].radius.max() < 1e-14


def test_a_reading_that_tells_nothing_is_not_believed():
    arm = drawn(0, np.random.default_rng(1))  # three parallel axes: their angles are not told apart
    road = pose_ik.all_solutions(at_random(1), arm.home).road
    scaled = arm.screws / np.repeat([1.0, arm.length], 3)[:, None]
    counted = Counted(type(road.readings[0][1])(scaled, 2, 0))
    T = arm.forward_kinematics(np.array([0.3, -0.4, 0.7, 0.2, 0.9, -1.1]))
    assert counted.most(motion(T, arm.home, arm.length, False)) in (None, len(pose_ik.all_solutions(arm, T)))


def test_what_is_no_pose_is_refused_by_all_roads():
    arm = at_random(1)
    for bad in (2.0 * arm.home, np.full((4, 4), np.nan)):
        with pytest.raises(TransformError, match="target"):
            pose_ik.all_solutions(arm, bad)
