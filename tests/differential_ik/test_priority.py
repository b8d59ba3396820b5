"""Prioritized rates compared with null-space bases, and the distance from the middle of the joint ranges."""

import numpy as np
import pytest
from scipy.linalg import null_space

from lessons_lib import differential_ik as dik
from lessons_lib import robots

READY = np.array([0, -0.3, 0, -2.2, 0, 2.0, np.pi / 4])


def lexicographic(tasks, secondary):
    """Solve each level in an orthonormal basis of the remaining null space, without projectors."""
    q_dot, free = np.zeros(len(secondary)), np.eye(len(secondary))
    for J, V in tasks:
        left = J @ free
        if left.size:
            q_dot = q_dot + free @ np.linalg.lstsq(left, V - J @ q_dot, rcond=1e-10)[0]
            free = free @ null_space(left, rcond=1e-10)
    return q_dot + free @ (free.T @ (secondary - q_dot))


@pytest.mark.parametrize("rows", [(1,), (6,), (3, 2), (2, 2, 2), (4, 5), (7, 3), (9, 2), (1, 1, 1, 1, 1, 1, 1)])
def test_rates_match_null_space_bases(rows):
    rng = np.random.default_rng(sum(rows))
    for _ in range(20):
        tasks, secondary = [(rng.normal(size=(m, 7)), rng.normal(size=m)) for m in rows], rng.normal(size=7)
        expected = lexicographic(tasks, secondary)
        # random matrices of this size have condition numbers up to some 1e4, so 1e-16 may become 1e-11
        assert np.allclose(dik.prioritized_rates(tasks, secondary), expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("size", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize(("left", "expected"), [(3e-10, 0.5), (3e-11, 0.0)])
def test_singular_values_below_1e_10_of_the_largest_are_ignored(size, left, expected):
    first = np.array([[1.0, 0.0, 0.0]]), [0.0]
    second = size * np.array([[1.0, left, 0.0]]), [size * left * 0.5]
    assert dik.prioritized_rates([first, second])[1] == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("rows", [slice(0, 6), slice(3, 6)])
def test_projector_maps_into_the_null_space(rows):
    J = robots.panda().body_jacobian(READY)[rows]
    basis = null_space(J)
    assert np.allclose(dik.null_space_projector(J), basis @ basis.T, rtol=0, atol=1e-14)


LIMITS = np.array([[-1.0, 3.0], [-np.inf, np.inf], [0.0, np.inf], [-2.0, -1.0]])


def test_middle_cost_is_zero_in_the_middle_and_half_at_a_limit():
    panda = robots.panda()
    assert dik.middle_cost(panda.limits.mean(axis=1), panda.limits) == 0.0
    assert dik.middle_cost(panda.limits[:, 0], panda.limits) == pytest.approx(3.5, rel=1e-14)
    assert dik.middle_cost([3.0, 50.0, -7.0, -1.5], LIMITS) == 0.5


def test_middle_gradient_matches_finite_differences():
    panda, rng = robots.panda(), np.random.default_rng(2)
    q = panda.random_configuration(rng)
    step = 1e-4  # H is quadratic: differences have only rounding errors, 1e-16/1e-4
    ends = [[dik.middle_cost(q + s * e, panda.limits) for s in (step, -step)] for e in np.eye(7)]
    slope = [(ahead - behind) / (2 * step) for ahead, behind in ends]
    assert np.allclose(dik.middle_gradient(q, panda.limits), slope, rtol=0, atol=1e-11)


def test_middle_cost_ignores_unlimited_joints():
    assert dik.middle_gradient([2.0, 9.0, 9.0, -1.5], LIMITS).tolist() == [0.25, 0.0, 0.0, 0.0]


def test_limits_of_1e20_mean_unlimited():
    assert dik.middle_cost([0.0, 5.0], [[0.0, 1e25], [-1e30, 1e30]]) == 0.0
