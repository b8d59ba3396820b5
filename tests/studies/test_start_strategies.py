"""Strategies for the first guess: counts that must hold for any machine, and the bound on sampling."""

import numpy as np
import pytest

from lessons_lib import pose_ik, robots
from lessons_lib.errors import ParameterError
from lessons_lib.studies.starts import StartRow, compare_starts, misses, starts_as_text, strategies

FIRST = "up to 100 restarts"


@pytest.fixture(scope="module")
def rows() -> dict[str, StartRow]:
    return {row.strategy: row for row in compare_starts(robots.panda(), poses=200)}


def test_every_strategy_is_in_the_table(rows: dict[str, StartRow]) -> None:
    assert list(rows) == list(strategies())
    assert {row.poses for row in rows.values()} == {200}


def test_more_restarts_solve_more_and_never_more_than_they_may(rows: dict[str, StartRow]) -> None:
    names = ["one start", "up to 10 restarts", "up to 100 restarts", "up to 1000 restarts"]
    solved = [rows[name].solved for name in names]
    assert solved == sorted(solved) and solved[0] < solved[-1] == 200
    assert [rows[name].most_starts <= most for name, most in zip(names, (1, 11, 101, 1001), strict=True)] == [True] * 4


def test_restarts_are_counted_as_solve_counts_them(rows: dict[str, StartRow]) -> None:
    arm, rng = robots.panda(), np.random.default_rng(12)
    targets = [arm.forward_kinematics(arm.random_configuration(rng)) for _ in range(200)]
    guess, draw = arm.sampling_limits.mean(axis=1), np.random.default_rng(12)
    stop = strategies()["up to 10 restarts"].stop
    answers = [pose_ik.solve(arm, target, guess, stop=stop, rng=draw) for target in targets]
    row = rows["up to 10 restarts"]
    assert row.solved == sum(answer.converged for answer in answers)
    assert row.mean_starts == pytest.approx(1.0 + np.mean([answer.restarts for answer in answers]))
    assert row.distance == pytest.approx(
        np.mean([np.linalg.norm(answer.q - guess) for answer in answers if answer.converged])
    )


def test_multi_start_makes_every_start_and_comes_nearer(rows: dict[str, StartRow]) -> None:
    ten, hundred, first = (
        rows[name] for name in ("nearest of 10 starts", "nearest of 100 starts", "up to 100 restarts")
    )
    assert (ten.mean_starts, hundred.mean_starts) == (10.0, 100.0)
    assert hundred.distance < first.distance


def test_samples_are_counted_and_are_no_starts(rows: dict[str, StartRow]) -> None:
    row = rows["best of 100 samples"]
    assert (row.samples, row.mean_starts, row.most_starts) == (100, 1.0, 1)
    assert rows["one start"].samples == 0


def test_sampling_costs_more_than_it_brings(rows: dict[str, StartRow]) -> None:
    """Told as it is: the best of a hundred samples is a worse start for the Panda than the middle of its ranges."""
    assert rows["best of 100 samples"].solved < rows["one start"].solved


def test_the_text_has_a_line_for_each(rows: dict[str, StartRow]) -> None:
    lines = starts_as_text(robots.panda(), list(rows.values())).splitlines()
    assert lines[0] == "Panda: 200 random reachable poses from one guess, at most 30 steps"
    assert len(lines) == 2 + len(rows)
    assert lines[2].startswith("one start  ") and " % " in lines[2]
    unsolved = StartRow("none", 4, 0, 1.0, 1, 0, None, 3.0)
    assert starts_as_text(robots.panda(), [unsolved]).splitlines()[-1].split() == "none 0.0 % 1.00 1 0 -".split()


@pytest.mark.parametrize(
    ("chance", "samples", "expected"),
    [(0.0, 10**9, 1.0), (1.0, 1, 0.0), (1.0, 0, 1.0), (0.5, 3, 0.125), (1e-12, 10**12, np.exp(-1.0)), (0.3, 0, 1.0)],
)
def test_the_chance_that_every_sample_misses(chance: float, samples: int, expected: float) -> None:
    assert misses(chance, samples) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: compare_starts(robots.planar_2r(), poses=0), "poses is 0; at least one pose is needed"),
        (lambda: misses(1.1, 3), r"chance is 1.1; it is in \[0, 1\]"),
        (lambda: misses(float("nan"), 3), "chance is nan"),
        (lambda: misses(0.1, -1), "samples is -1; it is a whole number, 0 or more"),
    ],
)
def test_what_cannot_be_compared_is_refused(call, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        call()
