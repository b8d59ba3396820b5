"""The planar 2R's closed form: against forward kinematics, against fifty digits, and on the edges of its ring."""

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lessons_lib import robots
from lessons_lib.robots.derivations import EDGE

UNIT = 2.0**-53
LENGTHS = [(1.0, 1.0), (1.0, 0.6), (0.6, 1.0), (0.3, 2.5), (1.0, 1e-6)]


def tips(q, lengths):
    """Return the tips by complex numbers: another route to forward kinematics, shape (k, 2)."""
    z = lengths[0] * np.exp(1j * q[:, 0]) + lengths[1] * np.exp(1j * q.sum(axis=1))
    return np.column_stack([z.real, z.imag])


def exact_elbow(point, lengths):
    """Return q₂ > 0 for the very numbers given, by the law of cosines to fifty digits."""
    a, b, x, y = (mpmath.mpf(float(value)) for value in (*lengths, *point))
    return mpmath.acos((x * x + y * y - a * a - b * b) / (2 * a * b))


length = st.floats(0.05, 20.0)
angle = st.floats(-np.pi, np.pi)


@settings(max_examples=300, deadline=None)
@given(one=length, two=length, q_1=angle, q_2=angle)
def test_every_solution_reaches_the_point(one, two, q_1, q_2):
    tip = tips(np.array([[q_1, q_2]]), (one, two))[0]
    found = robots.planar_2r_solutions(tip, one, two)
    assert 1 <= len(found) <= 2
    # 20 roundings of numbers of the size of the arm: seven operations in the formulas, a few in the tip itself
    assert np.abs(tips(found, (one, two)) - tip).max() <= 20 * UNIT * (one + two)


def test_example_6_1():
    # printed: x = 0.366, y = 1.366, θ_d = (30°, 90°); three decimals of a tip are 0.05° of an elbow at 90°
    found = np.degrees(robots.planar_2r_solutions((0.366, 1.366)))
    assert found[0] == pytest.approx([30, 90], abs=0.05)
    assert found[1] == pytest.approx([120, -90], abs=0.05)
    exact = np.degrees(robots.planar_2r_solutions(((3**0.5 - 1) / 2, (3**0.5 + 1) / 2)))
    assert exact == pytest.approx(np.array([[30, 90], [120, -90]]), abs=1e-13)


@pytest.mark.parametrize("lengths", LENGTHS)
@pytest.mark.parametrize("direction", [0.0, 0.7, np.pi / 2, 2.0, np.pi, -2.5])
def test_an_outstretched_arm_has_one_solution(lengths, direction):
    tip = tips(np.array([[direction, 0.0]]), lengths)[0]
    found = robots.planar_2r_solutions(tip, *lengths)
    assert found.shape == (1, 2)
    assert found[0, 1] == 0.0
    assert abs(np.remainder(found[0, 0] - direction + np.pi, 2 * np.pi) - np.pi) < 4 * UNIT * np.pi


@pytest.mark.parametrize("lengths", LENGTHS[:4])
def test_beside_the_edges_there_are_two_or_none(lengths):
    outer, inner = sum(lengths), abs(lengths[0] - lengths[1])
    blur = 2 * EDGE * outer
    count = [len(robots.planar_2r_solutions((radius, 0), *lengths)) for radius in (outer + blur, outer - blur)]
    assert count == [0, 2]
    if inner > 0:
        count = [len(robots.planar_2r_solutions((0, radius), *lengths)) for radius in (inner - blur, inner + blur)]
        assert count == [0, 2]


@pytest.mark.parametrize("point", [(0, 0), (0.0, -0.0), (1e-17, 0), (0, -1e-300)])
def test_at_the_base_of_equal_links_one_of_infinitely_many_comes_back(point):
    found = robots.planar_2r_solutions(point, 0.8, 0.8)
    assert found.tolist() == [[pytest.approx(found[0, 0]), np.pi]]
    free = np.column_stack([np.linspace(-3, 3, 13), np.full(13, np.pi)])
    assert np.abs(tips(free, (0.8, 0.8))).max() < 1e-15, "any q₁ would have done"
    assert robots.planar_2r_solutions((0, 0)).tolist() == [[0.0, np.pi]]


@pytest.mark.parametrize("lengths", [(1.0, 1.0), (1.0, 0.5), (0.7, 1.3)])
def test_no_digit_is_lost_where_the_distance_is_a_double(lengths):
    # On the x axis r is given exactly. 6 roundings: two factors and a product in each gap, two roots, the arc tangent.
    outer, inner = sum(lengths), abs(lengths[0] - lengths[1])
    radii = [edge + side * 10.0**-k for k in range(1, 14) for edge, side in ((outer, -1), (inner, 1))]
    with mpmath.workdps(50):
        for radius in radii:
            exact = exact_elbow((radius, 0.0), lengths)
            found = robots.planar_2r_solutions((radius, 0.0), *lengths)[0, 1]
            # L₁ + L₂ and L₁ − L₂ are rounded where they are no doubles: half a unit, over the gap of which it is a part
            a, b = map(mpmath.mpf, lengths)
            rounded = [abs(mpmath.mpf(outer) - (a + b)), abs(mpmath.mpf(lengths[0] - lengths[1]) - (a - b))]
            slack = max(float(e) / abs(radius - edge) for e, edge in zip(rounded, (outer, inner), strict=True))
            assert abs(found - exact) <= (6 * UNIT + slack) * abs(exact)


def test_corners_of_many_configurations():
    q = np.random.default_rng(3).uniform(-4, 4, (2, 5, 2))
    points = robots.planar_2r_corners(q, 0.7, 1.2)
    assert points.shape == (2, 5, 3, 2)
    assert not points[:, :, 0].any()
    assert np.abs(np.linalg.norm(np.diff(points, axis=2), axis=-1) - (0.7, 1.2)).max() < 4 * UNIT
    assert np.abs(points[..., 2, :].reshape(-1, 2) - tips(q.reshape(-1, 2), (0.7, 1.2))).max() < 1e-15
    assert np.abs(points[1, 2, 1] - 0.7 * np.array([np.cos(q[1, 2, 0]), np.sin(q[1, 2, 0])])).max() < 1e-15
