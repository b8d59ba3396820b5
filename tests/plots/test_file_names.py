"""Names out of a file are drawn as they are: matplotlib would read "$" as a formula, and hide what begins with "_"."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from lessons_lib import robots
from lessons_lib.course.redundancy.figures import draw_ranges
from lessons_lib.plots import path
from lessons_lib.plots.theme import as_text

NAMES = ["$arm^", "a$b$", "_hidden", "$\\frac{$", "50 $ or 60 $", "plain"]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_drawn_letter_by_letter(name: str) -> None:
    figure = plt.figure()
    text = figure.text(0.5, 0.5, as_text(name))
    figure.canvas.draw()
    drawn, formula = text._preprocess_math(text.get_text())
    assert not formula and drawn.strip() == name


def test_every_joint_is_in_the_legend_whatever_its_name() -> None:
    arm = robots.ur10()
    chain = robots.from_screws(arm.screws, arm.home, arm.limits, joint_names=NAMES)
    configurations = np.linspace(np.zeros(6), np.ones(6), 3)
    targets = np.array([chain.forward_kinematics(q) for q in configurations])
    figure = plt.figure()
    path.draw_path(figure, chain, targets, configurations)
    figure.canvas.draw()
    (legend,) = (ax.get_legend() for ax in figure.axes if ax.get_legend())
    assert len(legend.get_texts()) == 6
    ax = plt.figure().gca()
    draw_ranges(ax, chain, np.arange(3.0), configurations)
    ax.legend()
    ax.figure.canvas.draw()
    assert len(ax.get_legend().get_texts()) == 6
