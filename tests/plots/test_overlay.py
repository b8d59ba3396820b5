"""Two arms on one picture: where they are drawn, and what the picture says of their tips."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.figure import Figure

from lessons_lib import plots, robots
from lessons_lib.studies import matlab_library

Q = np.array([0.4, -1.1, 1.3, -0.5, 0.7, 0.2])


def axes_of(dimensions: int) -> plt.Axes:
    return Figure().add_subplot(projection="3d" if dimensions == 3 else None)


def test_the_line_joins_the_tips_and_the_legend_says_its_length() -> None:
    arm, model = robots.ur10(), matlab_library.wrong_ur10()
    overlay = plots.draw_overlay(axes_of(3), arm, model, Q)
    ends = np.array(overlay.line.get_data_3d()).T
    tips = [chain.forward_kinematics(Q)[:3, 3] for chain in (arm, model)]
    assert np.allclose(ends, tips, rtol=0, atol=1e-15)
    for drawn, tip in zip((overlay.right, overlay.wrong), tips, strict=True):
        assert np.allclose(np.array(drawn.links.get_data_3d()).T[-1], tip, rtol=0, atol=1e-13)
    assert overlay.gap == pytest.approx(0.3, abs=1e-13)
    assert overlay.text == "gap 0.300 m"


def test_there_is_room_for_both_arms_in_equal_scales() -> None:
    ax = axes_of(3)
    panda, wrong = robots.panda(), matlab_library.wrong_panda()
    overlay = plots.draw_overlay(ax, panda, wrong, np.zeros(7))
    for links in (overlay.right.links, overlay.wrong.links):
        for points, (low, high) in zip(links.get_data_3d(), (ax.get_xlim(), ax.get_ylim(), ax.get_zlim()), strict=True):
            assert low - 1e-12 <= np.min(points)
            assert np.max(points) <= high + 1e-12
    ranges = [np.ptp(limits) for limits in (ax.get_xlim(), ax.get_ylim(), ax.get_zlim())]
    assert np.ptp(np.array(ranges) / ax._box_aspect) < 1e-12  # matplotlib has no public way to read it
