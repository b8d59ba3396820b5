"""Where Pink fails and we do not.

The gradient of a masked measure is in test_manipulability_task.py, a barrier between two frames of one axis in
test_barriers.py.
"""

import numpy as np
import pink.tasks
import pytest
from pink_robots import robot

from lessons_lib import differential_ik as dik
from lessons_lib.errors import ParameterError


def test_low_acceleration_with_a_floating_base() -> None:
    """Pink leaves the base out of the Jacobian and keeps it in the error, so that their rows do not fit."""
    pair, rng = robot("Go2"), np.random.default_rng(1)
    ours_at, theirs_at = pair.both(pair.inside(rng))
    v = rng.normal(size=pair.tree.nv)
    theirs = pink.tasks.LowAccelerationTask(0.5)
    theirs.set_last_integration(pair.v(v), 0.01)
    with pytest.raises(ValueError, match="mismatch"):
        theirs.compute_qp_objective(theirs_at)
    ours = dik.LowAccelerationTask(0.5)
    ours.set_last_integration(v, 0.01)
    assert np.abs(dik.solve_ik(ours_at, [ours], 0.01, limits=[])[6:] - v[6:]).max() < 1e-9  # the joints go on


def test_a_whole_number_is_a_cost() -> None:
    """Pink takes a cost of 1 for a sequence; 1.0 it takes for a number."""
    with pytest.raises(TypeError):
        pink.tasks.FrameTask("tool0", 1, 1)  # type: ignore[arg-type]
    assert dik.FrameTask("tool0", 1, 1).position_cost.tolist() == [1.0, 1.0, 1.0]


def test_a_gain_of_two_is_refused() -> None:
    """Pink takes it, and the hand overshoots by as much as it was away."""
    assert pink.tasks.FrameTask("tool0", 1.0, 1.0, gain=2.0).gain == 2.0
    with pytest.raises(ParameterError, match="gain must be at least 0 and at most 1, got 2.0"):
        dik.FrameTask("tool0", 1.0, 1.0, gain=2.0)
