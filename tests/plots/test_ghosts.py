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


def test_of_a_long_way_some_iterates_are_left_out() -> None:
    arm = robots.planar_2r()
    q = np.linspace([0.0, 0.1], [1.0, 1.5], 200)
    trace = pose_ik.Trace.of(q, np.zeros((200, 6)), np.zeros(199), np.ones(199, dtype=np.bool_))
    ax = Figure().add_subplot()
    plots.draw_ghosts(ax, arm, trace, np.eye(4))
    tips = [line.get_xydata()[-1] for line in ax.lines if len(line.get_xdata()) == 3]
    assert 25 < len(tips) < 40
    np.testing.assert_allclose(tips[0], arm.forward_kinematics(q[0])[:2, 3])
