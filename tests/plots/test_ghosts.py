"""The ghosts of a solve: a line for each iterate, the arm at its end, the target's axes."""

import numpy as np
from matplotlib.figure import Figure

from lessons_lib import plots, pose_ik, robots


def test_every_iterate_is_drawn_once_and_the_last_one_black() -> None:
    arm, start = robots.planar_2r(), np.radians([0, 30])
    target = arm.forward_kinematics(np.radians([30, 90]))
    once = pose_ik.Restarts(0)
    trace = pose_ik.solve(arm, target, start, method=pose_ik.NewtonRaphson(), starts=once, trace=True).trace
    assert trace is not None
    ax = Figure().add_subplot()
    last = plots.draw_ghosts(ax, arm, trace, target)
    tips = [line.get_xydata()[-1] for line in ax.lines if len(line.get_xdata()) == 3]
    expected = [arm.forward_kinematics(q)[:2, 3] for q in trace.q]
    np.testing.assert_allclose(tips, expected, atol=1e-12)
    np.testing.assert_allclose(last.links.get_xydata()[-1], target[:2, 3], atol=1e-5)
