"""Lesson 11: success rate and median number of steps of each damping rule over the rule's number."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from lessons_lib.errors import ParameterError
from lessons_lib.plots.theme import CYCLE, GREY

__all__ = [
    "draw_sweep",
    "wilson_interval",
]

MARKERS = ("o", "s", "^", "D", "v")
NORMAL_975 = 1.959964
"""The 0.975 quantile of the standard normal distribution: the interval covers 95 %."""


def wilson_interval(successes: int, trials: int) -> tuple[float, float]:
    """Return the 95 % confidence interval of a probability, from the number of successes in independent trials.

    Args:
        successes: Number of successes, from 0 to trials.
        trials: Number of trials, positive.

    Returns:
        Lower and upper end, from 0 to 1.

    Raises:
        ParameterError: There is no trial, or successes is outside its range.

    Source: Wilson, Probable Inference, the Law of Succession, and Statistical Inference (1927).
    """
    if trials < 1 or not 0 <= successes <= trials:
        raise ParameterError(f"trials must be positive and successes between 0 and trials, got {successes} of {trials}")
    rate, z2 = successes / trials, NORMAL_975**2
    middle = (rate + z2 / (2 * trials)) / (1 + z2 / trials)
    half = math.sqrt(NORMAL_975**2 * (rate * (1 - rate) + z2 / (4 * trials)) / trials) / (1 + z2 / trials)
    return max(0.0, middle - half), min(1.0, middle + half)


def draw_sweep(
    axes: Sequence[Axes],
    numbers: Sequence[float],
    solved: Mapping[str, Sequence[int]],
    steps: Mapping[str, Sequence[float]],
    poses: int,
    newton: tuple[int, float],
) -> list[Line2D]:
    """Draw the solved poses with their confidence intervals, and the median number of steps, over each rule's number.

    Args:
        axes: Axes for the solved poses, and for the steps.
        numbers: Numbers of the rules, positive, in increasing order.
        solved: For each rule, the number of poses that it solves with each number.
        steps: For each rule, the median number of steps of the solved poses; nan is omitted.
        poses: Number of poses.
        newton: Solved poses and median number of steps without damping.

    Returns:
        One curve of solved poses per rule, in order.
    """
    left, right = axes
    lines = []
    for (rule, counts), colour, marker in zip(solved.items(), CYCLE, MARKERS, strict=False):
        rates = 100.0 * np.asarray(counts, dtype=np.float64) / poses
        ends = 100.0 * np.array([wilson_interval(count, poses) for count in counts])
        look: dict[str, Any] = {"color": colour, "marker": marker, "markersize": 5.0, "linewidth": 1.8}
        drawn = left.errorbar(numbers, rates, np.abs(ends.T - rates), label=rule, capsize=2.5, **look)
        right.plot(numbers, steps[rule], label=rule, **look)
        lines.append(drawn.lines[0])
    for ax, level in zip(axes, (100.0 * newton[0] / poses, newton[1]), strict=True):
        ax.axhline(level, color=GREY, linewidth=1.4, linestyle=(0, (6, 3)), label="Newton")
        ax.set(xscale="log", xlabel="parameter of the rule")
    left.set(ylim=(0.0, 103.0), ylabel="solved from one start [%]")
    right.set(yscale="log", ylabel="median steps")
    left.legend(loc="lower left")
    return lines
