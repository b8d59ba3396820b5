"""How many answers come together in one, against the roots that Newton's method finds around it in many digits."""

import math

import mpmath
import numpy as np
import pytest
from scipy.optimize import brentq, fsolve

from lessons_lib import pose_ik, robots
from lessons_lib.all_solutions.multiple import multiplicity
from tools.fuzz.many_digits import kinematics, missing, nearest_pose
from tools.fuzz.six_hinges import at_random, ur10

NEAR = 2e-4
"""So near, rad, are the roots that are counted."""


def determinant(arm, q):
    """Return the determinant of the derivative."""
    return np.linalg.det(arm.body_jacobian(q))


def slope(arm, q):
    """Return how the determinant grows along what moves nothing."""
    along = np.linalg.svd(arm.body_jacobian(q))[2][-1]
    along = along * np.sign(along[np.abs(along).argmax()])
    return (determinant(arm, q + 1e-5 * along) - determinant(arm, q - 1e-5 * along)) / 2e-5


def at_a_fold(arm):
    """Return a configuration at which the determinant is zero."""
    q = np.array([0.3, -0.4, 0.7, 0.2, 0.9, -1.1])

    def at(x):
        return determinant(arm, np.append(q[:4], [x, q[5]]))

    places = np.linspace(-3.0, 3.0, 60)
    low = next(a for a, b in zip(places, places[1:], strict=False) if at(a) * at(b) < 0.0)
    return np.append(q[:4], [brentq(at, low, low + places[1] - places[0], xtol=1e-15), q[5]])


def at_a_cusp(arm):
    """Return a configuration at which the slope is zero as well."""
    begin = at_a_fold(arm)
    rng = np.random.default_rng(0)
    for _ in range(40):
        q = begin + rng.normal(0.0, 0.3, 6)

        def both(x, q=q):
            one = np.concatenate([q[:2], x, q[4:]])
            return determinant(arm, one), slope(arm, one)

        found, _, done, _ = fsolve(both, q[2:4], xtol=1e-13, full_output=True)
        one = np.concatenate([q[:2], found, q[4:]])
        if done == 1 and np.abs(both(found)).max() < 1e-9 and np.linalg.svd(arm.body_jacobian(one))[1][-2] > 0.05:
            return one
    raise AssertionError("no cusp")


def roots_near(arm, target, q):
    """Return how many roots, complex ones too, are near an answer: where Newton's method leads from around it."""
    rng, found = np.random.default_rng(1), []
    with mpmath.workdps(40):
        wanted, (home, _) = nearest_pose(target), nearest_pose(arm.home)
        for _ in range(8):
            beside = rng.normal(0.0, 1e-5, (2, 6))
            at = [mpmath.mpc(float(x), float(y)) for x, y in zip(q + beside[0], beside[1], strict=True)]
            for _ in range(40):
                R, p, columns = kinematics(arm, home, at)
                error = missing(R, p, wanted)
                if max(abs(e) for e in error) < 1e-36:
                    break
                at = [
                    x + d
                    for x, d in zip(at, mpmath.lu_solve(mpmath.matrix(columns).T, mpmath.matrix(error)), strict=True)
                ]
            else:
                continue
            far = [max(abs(x - y) for x, y in zip(at, other, strict=True)) for other in (q.tolist(), *found)]
            if far[0] < NEAR and all(apart > 1e-15 for apart in far[1:]):
                found.append(at)
    return len(found)


@pytest.mark.parametrize(("place", "count"), [(at_a_fold, 2), (at_a_cusp, 3)])
def test_as_many_answers_are_told_as_there_are_roots(place, count):
    arm = at_random(1)
    q = place(arm)
    solutions = pose_ik.all_solutions(arm, arm.forward_kinematics(q))
    far = [np.abs(np.remainder(one - q + math.pi, 2 * math.pi) - math.pi).max() for one in solutions.q]
    nearest = int(np.argmin(far))
    assert far[nearest] < NEAR and roots_near(arm, solutions.target, q) == count
    assert solutions.multiplicity[nearest] == count
    others = np.delete(solutions.multiplicity, nearest)
    assert len(others) and (others == 1).all()


def test_where_answers_are_told_apart_each_is_one():
    arm = at_random(1)
    q = at_a_fold(arm)
    along = np.linalg.svd(arm.body_jacobian(q))[2][-1]
    solutions = pose_ik.all_solutions(arm, arm.forward_kinematics(q + 1e-4 * along))
    assert len(solutions) % 2 == 0 and (solutions.multiplicity == 1).all()


@pytest.mark.parametrize(("q", "count"), [([0.3, -1.2, 0.0, -0.6, 1.1, 0.4], 2), ([0.3, -1.2, 1.5, -0.6, 0.0, 0.4], 0)])
def test_it_is_what_a_closed_form_tells_or_nothing(q, count):
    """The elbow of the UR10 stretched: two; its wrist locked: a curve of answers, and no circle is free of them."""
    arm, q = ur10(), np.array(q)
    T = arm.forward_kinematics(q)
    assert multiplicity(arm, T, q) == count
    assert count == 0 or pose_ik.all_solutions(arm, T).multiplicity.tolist() == [2] * len(pose_ik.all_solutions(arm, T))


def test_nothing_is_told_of_five_hinges_that_are_singular():
    six = robots.ur10()
    arm = robots.from_screws(six.screws[:, :5], six.home, name="five")
    for elbow, told in ((0.0, 0), (1.5, 1)):
        solutions = pose_ik.all_solutions(arm, arm.forward_kinematics([0.3, -1.2, elbow, -0.6, 1.1]))
        assert len(solutions) and (solutions.multiplicity == told).all()
