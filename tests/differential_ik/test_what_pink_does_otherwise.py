"""Where Pink fails and we do not.

The gradient of a masked measure is in test_manipulability_task.py, a barrier between two frames of one axis in
test_barriers.py.
"""

from dataclasses import replace

import numpy as np
import pink
import pink.tasks
import pytest
from pink_robots import robot

from lessons_lib import differential_ik as dik


def test_a_range_of_no_width_holds_its_joint() -> None:
    """Pink takes it for no limit, and turns the joint."""
    pair = robot("UR10")
    at, value = 2, 0.3
    bounds = pair.tree.lower.copy(), pair.tree.upper.copy()
    for bound in bounds:
        bound[at] = value
    tree = replace(pair.tree, lower=bounds[0], upper=bounds[1])
    model = pair.model.copy()
    model.lowerPositionLimit[at] = model.upperPositionLimit[at] = value
    q = np.array([0.1, -1.0, value, -0.4, 0.2, 0.0])
    ours_at, theirs_at = dik.Configuration(tree, q), pink.Configuration(model, model.createData(), q)
    ours, theirs = dik.PostureTask(1.0), pink.tasks.PostureTask(1.0)
    for task in (ours, theirs):
        task.set_target(q + 0.1)
    v, theirs_v = dik.solve_ik(ours_at, [ours], 0.1), pink.solve_ik(theirs_at, [theirs], 0.1, solver="daqp")
    others = np.arange(6) != at
    assert v[at] == 0.0 and theirs_v[at] == pytest.approx(1.0)
    assert v[others] == pytest.approx(theirs_v[others], abs=1e-6)
    held = dik.AccelerationLimit(tree, np.full(6, 5.0)).compute_bounds(ours_at, 0.1)
    assert held[0][at] == held[1][at] == 0.0
    aside = dik.Configuration(tree, q + 0.01)
    with pytest.raises(dik.NotWithinConfigurationLimits, match=r"q\[2\] = 0.31 is not in \[0.3, 0.3\]"):
        aside.check_limits()
