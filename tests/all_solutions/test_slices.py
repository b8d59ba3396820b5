"""Slices of a joint range lose no solution, and prove that no solution is within the limits."""

from fractions import Fraction
from functools import reduce

import mpmath
import numpy as np
import pytest
from arms import from_axes, random_arm

from lessons_lib import pose_ik, robots
from lessons_lib.all_solutions import affine_arithmetic as affine
from lessons_lib.all_solutions import slices as slices_file
from lessons_lib.all_solutions.module import affine_module
from lessons_lib.all_solutions.slices import search_slices
from lessons_lib.lie import exp_se3

PANDA, UNLIMITED = robots.panda(), np.tile([-np.inf, np.inf], (7, 1))


def iiwa():
    """Return KUKA's LBR iiwa 14 R820, with spherical shoulder and wrist. Source: its data sheet."""
    up, aside = [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]
    axes = [up, aside, up, np.negative(aside), up, aside, up]
    points = np.outer([0.0, 0.36, 0.36, 0.78, 0.78, 1.18, 1.18], up)
    turn = np.radians([170, 120, 170, 120, 170, 120, 175])
    return from_axes(axes, points, (0.0, 0.0, 1.306), np.column_stack([-turn, turn]), "iiwa 14")


def extend_arm(kind, at_the_base):
    """Return an arm with a random joint before or after six joints with a closed form."""
    rng = np.random.default_rng(10 + kind)
    six, k, o, turn = random_arm(kind, rng), rng.normal(size=3), rng.uniform(-1, 1, 3), rng.uniform(0.5, 3, 7)
    k /= np.linalg.norm(k)
    one = np.concatenate([k, np.cross(o, k)])[:, None]
    screws = np.hstack([one, six.screws] if at_the_base else [six.screws, one])
    return robots.from_screws(screws, six.home, limits=np.column_stack([-turn, turn]), name=f"{kind} {at_the_base}")


IIWA = iiwa()
ARMS = [PANDA, IIWA, *(extend_arm(kind, base) for kind in range(5) for base in (False, True))]


def pose_of(arm, q):
    """Return the pose of a configuration by the product of exponentials, without compiling the arm."""
    return reduce(np.matmul, [exp_se3(screw * x) for screw, x in zip(arm.screws.T, q, strict=True)]) @ arm.home


def numbers(rng, count):
    """Yield affine numbers with a place in the slice and a number that they contain there."""
    for _ in range(count):
        sizes = 10.0 ** rng.uniform(-12, 1, 3) * (rng.random(3) < 0.7)
        x = (float(rng.normal()), float(sizes[1] * rng.normal()), float(sizes[2]))
        place, off = Fraction(rng.choice([-1.0, 1.0, rng.uniform(-1, 1)])), rng.choice([-1, 1])
        yield x, place, Fraction(x[0]) + Fraction(x[1]) * place + Fraction(x[2]) * int(off)


def test_affine_operations_contain_exact_results():
    rng = np.random.default_rng(0)
    for (x, place, exact), (y, _, _) in zip(numbers(rng, 500), numbers(rng, 500), strict=True):
        other = Fraction(y[0]) + Fraction(y[1]) * place - Fraction(y[2])

        def contains(found, result, at=place):
            miss = abs(result - Fraction(found[0]) - Fraction(found[1]) * at)
            return miss <= Fraction(found[2]) or found[2] >= affine.UNBOUNDED

        assert contains(affine.add(x, y), exact + other)
        assert contains(affine.multiply(x, y), exact * other)
        assert contains(affine.negate(x), -exact)
        assert contains(affine.absolute(x), abs(exact))
        assert affine.lower_bound(x) <= exact <= affine.upper_bound(x)
        if exact != 0:
            assert contains(affine.inverse(x), 1 / exact)
        if exact >= 0:
            with mpmath.workdps(60):
                root = mpmath.sqrt(mpmath.mpf(exact.numerator) / exact.denominator)
                assert contains(affine.square_root(x), Fraction(int(mpmath.floor(root * 2**180)), 2**180))


def test_locked_angle_contains_cosine_and_sine_on_the_slice():
    rng, X = np.random.default_rng(8), np.empty((2, 3))
    for width in [6.3, 1.0, 1e-2, 1e-9] * 25:
        middle, sign = rng.uniform(-3, 3), float(rng.choice([-1.0, 1.0]))
        begin, end = middle - width / 2, middle + width / 2
        affine_module().write_locked_angle(begin, end, sign, X)
        assert max(X[:, 2]) < 0.5 * width**2 + width**3 + 1e-14
        for place in (-1.0, -0.3, 0.0, 0.5, 1.0):
            with mpmath.workdps(40):
                turn = sign * (mpmath.mpf(begin) * (1 - place) + mpmath.mpf(end) * (1 + place)) / 2
                exact = [mpmath.cos(turn), mpmath.sin(turn)]
                ends = [mpmath.mpf(a) + mpmath.mpf(b) * place for a, b, _ in X]
                assert all(abs(x - end) <= r for x, end, (_, _, r) in zip(exact, ends, X, strict=True))


def solutions_on_slice(arm, target, begin, end):
    """Return affine cosines and sines of each solution on a slice, shape (8, 6, 2, 3), in the arm's order."""
    prepared, X = slices_file.prepare_inputs(arm, target)
    affine_module().write_locked_angle(begin, end, 1.0 if prepared.joint == 6 else -1.0, X)
    affine_module().run_program(prepared.program.steps, X)
    turns = X[prepared.program.angle_rows].reshape(-1, 6, 2, 3)
    turns[:, :, 1, :2] *= prepared.form.signs[:, None]
    return prepared, turns[:, :: -1 if prepared.form.backwards else 1]


@pytest.mark.parametrize("arm", ARMS, ids=lambda arm: arm.name)
def test_a_slice_around_a_configuration_contains_it(arm):
    rng = np.random.default_rng(1)
    for width in [1.0, 0.1, 1e-3, 1e-6] * 2:
        q = rng.uniform(-np.pi, np.pi, 7)
        place = rng.uniform(-1, 1)
        middle = q[slices_file.prepare_inputs(arm, arm.home)[0].joint] - place * width / 2
        prepared, turns = solutions_on_slice(arm, pose_of(arm, q), middle - width / 2, middle + width / 2)
        others = np.delete(q, prepared.joint)
        exact = np.stack([np.cos(others), np.sin(others)], axis=-1)
        miss = np.abs(turns[..., 0] + place * turns[..., 1] - exact) - turns[..., 2]
        assert miss.max(axis=(1, 2)).min() < 1e-9
    assert turns[..., 2].min() < 1e-7  # not vacuous


def draw_near_limits(arm, rng):
    """Return a configuration with some joints near a limit, and limits that contain it, some of them barely."""
    q, limits = arm.random_configuration(rng), arm.limits
    for joint in rng.choice(7, rng.integers(0, 8), replace=False):
        side, inside = rng.integers(2), 10.0 ** rng.uniform(-9, -3)
        q[joint] = limits[joint, side] + (inside, -inside)[side]
    if rng.random() < 0.3:
        limits = np.column_stack([q - 10.0 ** rng.uniform(-9, -1, 7), q + 10.0 ** rng.uniform(-9, -1, 7)])
    return q, limits


@pytest.mark.parametrize("count", [40, pytest.param(2000, marks=pytest.mark.release)])
@pytest.mark.parametrize("arm", ARMS, ids=lambda arm: arm.name)
def test_slices_prove_nothing_if_a_solution_is_within_the_limits(arm, count):
    rng = np.random.default_rng(count)
    for _ in range(count):
        q, limits = draw_near_limits(arm, rng)
        assert not search_slices(arm, pose_of(arm, q), limits).empty, q.tolist()


def draw_excluded_pose(arm, rng):
    """Return a pose with a solution well outside the limits, and none within that a thousand restarts find."""
    while True:
        q = arm.random_configuration(rng)
        for joint in rng.choice(7, rng.integers(1, 4), replace=False):
            low, high = arm.limits[joint]
            q[joint] = high + rng.uniform(0.15, 0.85) * (2 * np.pi - high + low)
        target = pose_of(arm, q)
        if not pose_ik.solve(arm, target, starts=pose_ik.Restarts(1000)).converged:
            return target


@pytest.mark.parametrize("arm", [PANDA, IIWA], ids=lambda arm: arm.name)
def test_slices_prove_that_limits_exclude_a_pose(arm):
    rng = np.random.default_rng(4)
    for _ in range(40):
        target = draw_excluded_pose(arm, rng)
        found = search_slices(arm, target, arm.limits)
        assert found.empty and found.joint == 6, target.tolist()


def test_a_pose_without_solutions_has_a_complete_empty_list():
    turned = PANDA.home.copy()
    turned[:3, :3] = np.column_stack([[0, 0, 1.0], [0, 1, 0], [-1, 0, 0]])
    turned[:3, 3] = [0.9, 0.0, 0.333]
    assert search_slices(PANDA, turned, UNLIMITED).empty
    none = pose_ik.all_solutions(PANDA, turned, limits=False)
    assert none.complete and not len(none) and not none.families
    some = pose_ik.all_solutions(PANDA, PANDA.forward_kinematics(np.full(7, 0.4)), limits=False)
    assert not some.complete
