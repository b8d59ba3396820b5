"""The joints on the line as JavaScript under Node agree with the library's, and limit curves with their definition."""

import numpy as np
from node import in_front

from lessons_lib import robots
from lessons_lib.course import joints_on_line
from lessons_lib.course.live import TimingFigure

PROGRAM = """
import { loadKernels } from "front/kernels";
const kernels = loadKernels(told.source);
return told.cases.map((inputs) => kernels.motion_kernel(...inputs));
"""
SPEED, ACCELERATION = 2.0, 6.0


def test_the_page_moves_the_joints_as_python_does_and_its_borders_are_limits() -> None:
    low, high = [-1.2, 0.05, 0, -9], [1.2, 1.0, 6, 9]
    drawn = np.random.default_rng(22).uniform(low, high, (300, 4))
    cases = [[[s], [d], [x, u]] for s, d, x, u in drawn.tolist()]
    found = in_front(PROGRAM, {"source": TimingFigure().specification["source"], "cases": cases})
    for ((s,), (d,), (x, u)), page in zip(cases, found, strict=True):
        q, first, second = (row[0] for row in joints_on_line([s], d))
        np.testing.assert_allclose(page["q"], q, atol=1e-12)
        np.testing.assert_allclose(page["rates"], first * np.sqrt(x), atol=1e-9)
        np.testing.assert_allclose(page["accelerations"], first * u + second * x, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(page["corners"][1], [s, d], atol=1e-12)
        np.testing.assert_allclose(robots.planar_2r().forward_kinematics(q)[:2, 3], [s, d], atol=1e-12)
        *slow, both = page["ceilings"]
        np.testing.assert_allclose(slow * np.abs(first), SPEED, rtol=1e-12)
        ends = [(sign * ACCELERATION - second * both**2) / first for sign in (1, -1)]  # of s̈, for each joint
        gap = np.min(np.maximum(*ends)) - np.max(np.minimum(*ends))
        assert abs(gap) < 1e-9 * np.abs(ends).max()  # the two intervals touch
