"""Smallest contradicting sets of limits, barriers and constraints."""

import numpy as np
import pytest

from lessons_lib import differential_ik as dik
from lessons_lib import robots

PANDA = robots.load_urdf(robots.urdf_file("panda"))
HAND = PANDA.frame_names[-1]


def failure(limits, barriers=(), constraints=(), **options):
    """Return the error of an infeasible step."""
    configuration = dik.Configuration(PANDA, np.array([0.1, -0.4, 0.2, -1.9, 0.3, 1.6, 0.5]))
    for task in constraints:
        far = configuration.get_transform_frame_to_world(HAND).copy()
        far[:3, 3] += task.by
        task.set_target(far)
    rows = {"limits": limits, "barriers": barriers, "constraints": constraints}
    with pytest.raises(dik.NoSolutionFound) as caught:
        dik.solve_ik(configuration, [], 0.01, **rows, **options)
    return caught.value


def reach(by):
    """Return a constraint that moves the hand at once."""
    task = dik.FrameTask(HAND, 1.0, 1.0)
    task.by = by
    return task


@pytest.mark.parametrize("options", [{}, {"primal_tol": 1e-9}], ids=["proven", "by the solver"])
def test_contradiction_is_the_constraint_and_the_limit_that_excludes_it(options):
    slow, wide, task = dik.VelocityLimit(PANDA), dik.ConfigurationLimit(PANDA), reach([0.3, 0.0, 0.0])
    found = failure([wide, slow], constraints=[task], **options)
    assert found.contradiction == (slow, task)


def test_contradiction_among_many_sources_has_no_unnecessary_member():
    limits = [dik.VelocityLimit(PANDA) for _ in range(6)] + [dik.ConfigurationLimit(PANDA) for _ in range(4)]
    task = reach([0.3, 0.0, 0.0])
    found = failure(limits, constraints=[task]).contradiction
    assert task in found and len(found) == 2
    assert sum(isinstance(one, dik.VelocityLimit) for one in found) == 1


class FirstRateLimit(dik.Limit):
    """A limit sign · Δq₁ ≤ bound."""

    def __init__(self, sign, bound):
        self.row, self.bound = np.eye(7)[:1] * sign, np.array([bound])

    def compute_qp_inequalities(self, configuration, dt):
        return self.row, self.bound


def test_contradiction_of_two_limits():
    below, above = FirstRateLimit(1.0, -0.01), FirstRateLimit(-1.0, -0.02)
    assert failure([below, above]).contradiction == (below, above)


def test_contradiction_of_one_limit_whose_bounds_cross():
    """An acceleration limit that requires more braking than it allows."""
    arm = robots.load_urdf(robots.urdf_file("planar_2r"))
    limit = dik.AccelerationLimit(arm, [2.0, 2.0])
    limit.set_last_integration(np.array([2.5, 0.0]), 0.1)
    at = dik.Configuration(arm, np.array([np.pi - 1.3, 0.0]))
    with pytest.raises(dik.NoSolutionFound) as caught:
        dik.solve_ik(at, [], 0.1, limits=[limit])
    assert caught.value.contradiction == (limit,)
