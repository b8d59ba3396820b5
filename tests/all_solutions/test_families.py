"""Families with small margins: narrow intervals and narrow gaps are found."""

import math

import numpy as np
import pytest
from arms import largest_difference, ur10, ur10_on_a_turntable
from six_r_arms import ALL_AROUND

from lessons_lib import pose_ik, robots
from lessons_lib.all_solutions.families import find_intervals, limit_margins

DISTANCES = [1e-3, 1e-6, 1e-7, 1e-12]


def check_families(solutions, q, apart):
    """Check that q is in a family, that its members reach the pose, and that the list is not called complete."""
    arm = solutions.arm
    assert min(largest_difference(family.nearest(q), q) for family in solutions.families) < apart
    for family in solutions.families:
        for low, high in family.intervals:
            for value in (low, 0.5 * (low + high), high):
                assert np.abs(arm.forward_kinematics(family.at(value)) - solutions.target).max() < 1e-12
    assert len({(family.joint, family.names) for family in solutions.families}) == len(solutions.families)
    assert not solutions.complete and "free" in solutions.reason


@pytest.mark.check
@pytest.mark.parametrize("distance", DISTANCES)
@pytest.mark.parametrize("turn", [0.0, math.pi, 2 * math.pi])
def test_families_of_a_wrist_with_a_nearly_straight_elbow(turn, distance):
    """The elbow of a UR10 is nearly straight, and rotating the free wrist straightens it."""
    arm, rng = robots.ur10(), np.random.default_rng(1)
    for _ in range(4):
        q = rng.uniform(-math.pi, math.pi, 6)
        q[2:5] = rng.choice([-1, 1]) * distance, -0.5 * math.pi, turn
        solutions = pose_ik.all_solutions(arm, arm.forward_kinematics(q))
        check_families(solutions, q, 1e-6)
        widest = max(high - low for family in solutions.families for low, high in family.intervals)
        assert widest < 100.0 * distance + 1e-5
        assert len({family.names[1] for family in solutions.families}) == 2 or distance < 1e-6


def test_families_in_narrow_limits():
    q = np.array([0.3, -1.2, 1.4, 0.5, 0.0, 0.7])
    for width in (1e-3, 1e-6, 1e-9):
        arm = ur10().with_limits(position=[*ALL_AROUND[:1], (q[1] - width, q[1] + 0.3 * width), *ALL_AROUND[2:]])
        solutions = pose_ik.all_solutions(arm, arm.forward_kinematics(q))
        check_families(solutions, q, 1e-7)
        assert all(family.at(low)[1] >= q[1] - width for family in solutions.families for low, _ in family.intervals)


@pytest.mark.parametrize("width", [1e-1, 1e-4, 1e-7])
def test_find_intervals_finds_narrow_intervals_and_gaps(width):
    for sign in (1.0, -1.0):
        found = find_intervals(lambda x, sign=sign: sign * (width - abs(x - 0.7123) ** 1.5), -math.pi, math.pi)
        ends = [end for part in found for end in part if abs(end) < 3.0]
        assert len(found) == (1 if sign > 0.0 else 2)
        assert np.allclose(ends, [0.7123 - width ** (2 / 3), 0.7123 + width ** (2 / 3)], atol=1e-8, rtol=0.0)
    assert find_intervals(lambda x: -1.0 - math.cos(x), -3.0, 3.0) == ()
    assert find_intervals(lambda x: math.cos(x) + 2.0, -3.0, 3.0) == ((-3.0, 3.0),)


def test_limit_margin_is_the_distance_to_the_nearer_limit_modulo_revolutions():
    rng = np.random.default_rng(3)
    low = rng.uniform(-4.0, 1.0, (40, 2))
    high, q = low + rng.uniform(0.1, 6.0, (40, 2)), rng.uniform(-9.0, 9.0, (40, 2))
    shifted = q[..., None] + 2 * np.pi * np.arange(-4, 5)
    margins = np.minimum(shifted - low[..., None], high[..., None] - shifted).max(axis=2)
    for row, limits, margin in zip(q, np.stack([low, high], axis=2), margins, strict=True):
        assert limit_margins(row[None], limits) == pytest.approx(margin.min(), abs=1e-12)


@pytest.mark.parametrize("arm", [robots.panda(), ur10_on_a_turntable()], ids=["Panda", "turntable"])
def test_branches_with_a_margin_are_the_solutions_of_the_slice(arm):
    rng = np.random.default_rng(4)
    for _ in range(4):
        solutions = pose_ik.all_solutions(arm, arm.forward_kinematics(rng.uniform(*arm.limits.T)))
        assert solutions.families
        joint = solutions.families[0].joint
        for value in rng.uniform(*arm.limits[joint], 20):
            sliced = solutions.slice(value).q
            members = [one.chart(value) for one in solutions.families if any(a <= value <= b for a, b in one.intervals)]
            assert len(members) == len(sliced)
            assert all(min(np.abs(one - q).max() for q in sliced) == 0.0 for one in members)
            assert all(np.abs(arm.forward_kinematics(one) - solutions.target).max() < 1e-12 for one in members)
