"""The map of lesson 00 agrees with its stated answer about the numbers of steps."""

import numpy as np
import pytest

from lessons_lib.arrays import Array
from lessons_lib.course.in_one_sitting.live import DAMPINGS, WEIGHTS, ConvergenceMapFigure


@pytest.fixture(scope="module")
def counts() -> Array:
    return ConvergenceMapFigure().counts()


def test_the_answer_says_what_the_map_shows(counts: Array) -> None:
    figure = ConvergenceMapFigure(shifted=True)
    shifted = figure.counts()
    changed = ~np.isclose(counts, shifted, rtol=0.0, atol=0.0, equal_nan=True)
    assert f"{np.count_nonzero(counts <= 10)} of the {counts.size} pairs" in figure.answer
    assert changed.mean() > 0.2
    assert np.array(DAMPINGS)[changed.any(axis=0)].max() < 0.4


def test_the_edge_of_the_empty_part_follows_the_ratio_then_a_constant_damping(counts: Array) -> None:
    figure = ConvergenceMapFigure()
    dampings, weights, empty = np.array(DAMPINGS), np.array(WEIGHTS), np.isnan(counts)
    edge = np.array([dampings[row].min() for row in empty])
    low, high = weights < 4.0, weights > 16.0
    ratios = edge[low] ** 2 / weights[low]
    assert ratios.max() / ratios.min() < 2.9  # a cell is a factor of 2 of λ², and of √2 of w
    assert edge[high].max() / edge[high].min() < 1.5  # a cell is a factor of √2
    for damping, weight, orientation in ((1.0, 0.25, False), (4.0, 64.0, True)):
        result = figure.solve(damping, weight)
        assert not result.converged
        assert (result.orientation_error > result.position_error) == orientation
