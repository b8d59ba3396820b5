"""Strategies for the initial guess: restarts are counted as `solve` counts them."""

from typing import Any

import numpy as np
import pytest
from numpy.random import PCG64, Generator, SeedSequence

from lessons_lib import pose_ik, robots, studies
from lessons_lib.course import misses, strategies

ASKED = studies.Study([robots.panda()], strategies=strategies(), poses=200, seed=12)


@pytest.fixture(scope="module")
def answers() -> studies.StudyResults:
    return studies.run(ASKED)


@pytest.fixture(scope="module")
def rows(answers: studies.StudyResults) -> dict[Any, Any]:
    return {row["strategy"]: row for row in answers.table().rows}


def test_more_restarts_solve_more_and_never_more_than_they_may(rows: dict[Any, Any]) -> None:
    names = ["one start", "up to 10 restarts", "up to 100 restarts", "up to 1000 restarts"]
    solved = [rows[name]["solved"] for name in names]
    assert solved == sorted(solved) and solved[0] < solved[-1] == 200
    assert [rows[name]["most_starts"] <= most for name, most in zip(names, (1, 11, 101, 1001), strict=True)] == [
        True
    ] * 4


def test_restarts_are_counted_as_solve_counts_them(answers: studies.StudyResults) -> None:
    """Ten of the poses, one after the other, with the seeds that the study gives them."""
    found, arm = answers.case(strategy="up to 10 restarts"), robots.panda()
    asked, targets = strategies()["up to 10 restarts"], ASKED.problems()[0]
    middle, draw = arm.sampling_limits.mean(axis=1), Generator(PCG64(SeedSequence(12, spawn_key=(1, 1))))
    for row in range(10):
        answer = pose_ik.solve(arm, targets[row], middle, starts=asked.starts, stop=asked.stop, rng=draw)
        assert (answer.converged, answer.restarts) == (found.converged[row], found.restarts[row])
        assert found.distance[row] == pytest.approx(np.linalg.norm(answer.q - middle))
    assert found.restarts[:10].any()


@pytest.mark.parametrize(
    ("chance", "samples", "expected"),
    [(0.0, 10**9, 1.0), (1.0, 1, 0.0), (1.0, 0, 1.0), (0.5, 3, 0.125), (1e-12, 10**12, np.exp(-1.0)), (0.3, 0, 1.0)],
)
def test_the_chance_that_every_sample_misses(chance: float, samples: int, expected: float) -> None:
    assert misses(chance, samples) == pytest.approx(expected, rel=1e-9)
