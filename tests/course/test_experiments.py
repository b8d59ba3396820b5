"""The experiments of the lessons: maps of dampings and starts, strategies, a published table."""

import numpy as np
import pytest
from numpy.random import PCG64, Generator, SeedSequence

from lessons_lib import lie, pose_ik, robots, studies
from lessons_lib.course import haviland_corke, misses, strategies
from lessons_lib.course.in_one_sitting.live import DAMPINGS, ConvergenceMapFigure
from lessons_lib.course.starts.basins import ASKED, NEGATIVE, NOWHERE, POSITIVE, basins, methods
from lessons_lib.pose_ik import Stop


@pytest.fixture(scope="module")
def counts():
    return ConvergenceMapFigure().counts()


def test_the_answer_says_what_the_map_shows(counts):
    figure = ConvergenceMapFigure(shifted=True)
    shifted = figure.counts()
    changed = ~np.isclose(counts, shifted, rtol=0.0, atol=0.0, equal_nan=True)
    assert f"{np.count_nonzero(counts <= 10)} of the {counts.size} pairs" in figure.answer
    assert changed.mean() > 0.2
    large = np.array(DAMPINGS) > 0.4
    assert not changed[:, large].any() and np.nanmin(counts[:, large]) == 12 and "at least twelve" in figure.answer


STUDY = studies.Study([robots.panda()], strategies=strategies(), poses=200, seed=12)


@pytest.fixture(scope="module")
def answers():
    return studies.run(STUDY)


@pytest.fixture(scope="module")
def rows(answers):
    return {row["strategy"]: row for row in answers.table().rows}


def test_more_restarts_solve_more_and_never_more_than_they_may(rows):
    names = ["one start", "up to 10 restarts", "up to 100 restarts", "up to 1000 restarts"]
    solved = [rows[name]["solved"] for name in names]
    assert solved == sorted(solved) and solved[0] < solved[-1] == 200
    assert all(rows[name]["most_starts"] <= most for name, most in zip(names, (1, 11, 101, 1001), strict=True))


def test_restarts_are_counted_as_solve_counts_them(answers):
    """Ten of the poses, one after the other, with the seeds that the study gives them."""
    found, arm = answers.case(strategy="up to 10 restarts"), robots.panda()
    asked, targets = strategies()["up to 10 restarts"], STUDY.problems()[0]
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
def test_the_chance_that_every_sample_misses(chance, samples, expected):
    assert misses(chance, samples) == pytest.approx(expected, rel=1e-9)


NAMES = list(methods())


@pytest.fixture(scope="module")
def found():
    return {name: basins(method, size=60) for name, method in methods().items()}


@pytest.mark.parametrize("name", NAMES)
def test_each_start_has_the_result_of_solve(found, name):
    seen, arm = found[name], robots.planar_2r()
    target = lie.pose(np.eye(3), [*seen.tip, 0.0])
    outward = np.arctan2(*seen.tip[::-1])
    target[:2, :2] = [[np.cos(outward), -np.sin(outward)], [np.sin(outward), np.cos(outward)]]
    for i, j in np.random.default_rng(1).integers(60, size=(60, 2)):
        start = [seen.angles[i], seen.angles[j]]
        answer = pose_ik.solve(arm, target, start, method=methods()[name], **ASKED)
        assert seen.iterations[j, i] == answer.iterations
        if not answer.converged:
            assert seen.led_to[j, i] == NOWHERE
            continue
        assert seen.led_to[j, i] == (POSITIVE if np.sin(answer.q[1]) > 0 else NEGATIVE)
        tip = arm.forward_kinematics(answer.q)[:2, 3]
        assert np.linalg.norm(tip - seen.tip) <= 1e-6  # the tolerance


def test_newton_and_damped_steps_have_different_basins(found):
    """The border of Newton's basins is everywhere, that of the damped ones is a line."""

    def border(seen):
        return float((np.diff(seen.led_to, axis=0) != 0).mean())

    assert border(found["Newton-Raphson"]) > 2.0 * border(found["LM, Chan"])
    assert max(found["Newton-Raphson"].mean_steps, found["LM, Chan"].mean_steps) < 6.0
    assert all(seen.shares[NOWHERE] == 0.0 for seen in found.values())


@pytest.mark.parametrize("name", NAMES)
def test_shares_add_up_and_neither_elbow_is_preferred(found, name):
    nowhere, positive, negative = found[name].shares
    assert nowhere + positive + negative == pytest.approx(1.0)
    assert positive == pytest.approx(negative, abs=0.03)  # a border a start wide, around 3600 of them
    assert 0.5 < found[name].nearest <= 1.0


def test_the_solutions_are_the_closed_form(found):
    seen = found["Newton-Raphson"]
    np.testing.assert_array_equal(seen.solutions, robots.planar_2r_solutions(seen.tip))
    j, i = (np.argmin(np.abs(seen.angles - value)) for value in seen.solutions[0][::-1])
    assert seen.led_to[j, i] == POSITIVE and seen.iterations[j, i] <= 3


def test_means_are_nan_without_solved_starts():
    seen = basins(methods()["LM, Chan"], size=3, stop=Stop(orientation=1e-12, position=1e-12, max_iterations=1))
    assert seen.shares == (1.0, 0.0, 0.0)
    assert np.isnan(seen.mean_steps) and np.isnan(seen.nearest)


def test_the_ur5_at_home_is_where_its_denavit_hartenberg_rows_say():
    """At q = 0 the arm lies along −x: x = a₂ + a₃, y = −d₄ − d₆, z = d₁ − d₅."""
    home = haviland_corke.ur5().home[:3, 3]
    assert home == pytest.approx([-0.425 - 0.39225, -0.10915 - 0.0823, 0.089159 - 0.09465], abs=1e-12)


@pytest.mark.check
def test_our_run_agrees_with_theirs():
    poses = 1000
    for row in haviland_corke.repeat(poses):
        published = row.published
        assert abs(row.median - published.median) <= 2, published
        # counts with a long tail: the mean of a thousand moves by a tenth from one draw of poses and start to another
        assert row.evaluations == pytest.approx(published.mean, rel=0.2), published
        part = published.failures / haviland_corke.PUBLISHED_POSES
        # four standard deviations of a count of 1,000, and three hundredths because the one start is not theirs
        assert abs(row.failed - part) < 4.0 * np.sqrt(part * (1.0 - part) / poses) + 0.03, published
