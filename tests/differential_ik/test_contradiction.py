"""Which limits, barriers and constraints contradict each other: planted sets are named, and nothing else."""

import numpy as np
import pytest

from lessons_lib import differential_ik as dik
from lessons_lib import robots

PANDA = robots.load_urdf(robots.urdf_file("panda"))
HAND = PANDA.frame_names[-1]


def failure(limits, barriers=(), constraints=(), **options):
    """Return the error of a step that does not exist."""
    configuration = dik.Configuration(PANDA, np.array([0.1, -0.4, 0.2, -1.9, 0.3, 1.6, 0.5]))
    for task in constraints:
        far = configuration.get_transform_frame_to_world(HAND).copy()
        far[:3, 3] += task.by
        task.set_target(far)
    asked = {"limits": limits, "barriers": barriers, "constraints": constraints}
    with pytest.raises(dik.NoSolutionFound) as caught:
        dik.solve_ik(configuration, [], 0.01, **asked, **options)
    return caught.value


def reaching(by):
    """Return a constraint that the hand be somewhere else at once."""
    task = dik.FrameTask(HAND, 1.0, 1.0)
    task.by = by
    return task


@pytest.mark.parametrize("options", [{}, {"primal_tol": 1e-9}], ids=["proven", "by the solver"])
def test_a_constraint_beyond_the_rates_is_named_with_the_limit_that_forbids_it(options):
    slow, wide, task = dik.VelocityLimit(PANDA), dik.ConfigurationLimit(PANDA), reaching([0.3, 0.0, 0.0])
    found = failure([wide, slow], constraints=[task], **options)
    assert found.contradiction == (slow, task)


def test_of_many_none_can_be_left_out():
    limits = [dik.VelocityLimit(PANDA) for _ in range(6)] + [dik.ConfigurationLimit(PANDA) for _ in range(4)]
    task = reaching([0.3, 0.0, 0.0])
    found = failure(limits, constraints=[task]).contradiction
    assert task in found and len(found) == 2
    assert sum(isinstance(one, dik.VelocityLimit) for one in found) == 1


class Side(dik.Limit):
    """A row of one's own: sign · Δq₁ is at most a bound."""

    def __init__(self, sign, bound):
        self.row, self.bound = np.eye(7)[:1] * sign, np.array([bound])

    def compute_qp_inequalities(self, configuration, dt):
        return self.row, self.bound


def test_rows_that_contradict_each_other_are_named():
    below, above = Side(1.0, -0.01), Side(-1.0, -0.02)
    assert failure([below, above]).contradiction == (below, above)


def test_a_limit_whose_bounds_cross_contradicts_itself():
    """An acceleration limit that asks to brake harder than it allows."""
    arm = robots.load_urdf(robots.urdf_file("planar_2r"))
    limit = dik.AccelerationLimit(arm, [2.0, 2.0])
    limit.set_last_integration(np.array([2.5, 0.0]), 0.1)
    at = dik.Configuration(arm, np.array([np.pi - 1.3, 0.0]))
    with pytest.raises(dik.NoSolutionFound) as caught:
        dik.solve_ik(at, [], 0.1, limits=[limit])
    assert caught.value.contradiction == (limit,)
