"""Drawings of methods show the given numbers."""

import numpy as np
import pytest
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure

from lessons_lib import course, robots
from lessons_lib.course.code_generation.figures import format_time
from lessons_lib.course.damping.figures import HIGHEST, format_damping
from lessons_lib.course.levenberg_marquardt.figures import NORMAL_975
from lessons_lib.course.starts.figures import COLOURS
from lessons_lib.pose_ik import Constant, LevenbergMarquardt

SIGMAS = np.array([0.0, 1e-12, 1e-3, 0.084, 0.5, 2.2])


@pytest.mark.parametrize("damping", [1e-6, 0.125, 1.0, 10.0])
def test_the_gain_equals_the_solvers_step_for_a_diagonal_jacobian(damping):
    method = LevenbergMarquardt(Constant(damping))
    expected = method.step(np.diag(SIGMAS), np.ones(6))
    gains = course.damped_gain(SIGMAS, damping)
    # below λ = 1e-6 the solver's product loses σ² against λ² in rounding no earlier than the formula: 1e-12 relative
    assert gains == pytest.approx(expected, rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("damping", [1e-3, 0.125, 2.0])
def test_no_gain_is_above_the_bound_and_the_bound_is_met_at_the_damping(damping):
    gains = course.damped_gain(np.geomspace(1e-6, 1e3, 999), damping)
    assert gains.max() <= 0.5 / damping
    assert course.damped_gain(damping, damping) == pytest.approx(0.5 / damping, rel=1e-15)  # one rounding


def test_the_curves_peak_at_their_damping(ax):
    newton, *curves = course.draw_gain(ax, [0.0625, 0.5])
    for curve, damping in zip(curves, (0.0625, 0.5), strict=True):
        sigma, gain = curve.get_xydata().T
        assert sigma[np.argmax(gain)] == pytest.approx(damping, rel=0.02)  # the grid's spacing there
    assert newton.get_ydata().max() > HIGHEST  # it leaves the page


@pytest.mark.parametrize(("damping", "expected"), [(0.125, "1/8"), (1.0, "1"), (0.75, "3/4"), (0.3, "0.3")])
def test_a_damping_is_written_as_a_short_fraction_or_a_decimal(damping, expected):
    assert format_damping(damping) == expected


def test_newtons_points_beyond_the_page_are_left_out(ax):
    course.draw_gain(ax, [0.125], [0.0, 0.01, 0.5])
    newtons, damped = (line for line in ax.lines if line.get_marker() == "o")
    assert newtons.get_xdata().tolist() == [0.0, 0.5]  # 1/0.01 is off the page
    assert damped.get_xdata().tolist() == [0.0, 0.01, 0.5]


@pytest.mark.parametrize(("successes", "trials"), [(0, 10), (1, 10), (5, 10), (951, 1000), (1000, 1000)])
def test_at_the_ends_of_the_interval_the_count_is_just_plausible(successes, trials):
    rate = successes / trials
    low, high = course.wilson_interval(successes, trials)
    assert low <= rate <= high
    for end in (low, high):  # the normal test of a probability p: (rate − p)² = z² p (1 − p) / trials
        assert (rate - end) ** 2 == pytest.approx(NORMAL_975**2 * end * (1 - end) / trials, abs=1e-12)


def test_each_rule_is_a_curve_with_error_bars_and_newton_is_a_line():
    left, right = Figure().subplots(1, 2)
    solved, steps = {"Chan": [900, 950], "constant": [800, 100]}, {"Chan": [9, 8], "constant": [15, np.nan]}
    chan, constant = course.draw_sweep((left, right), [0.1, 1.0], solved, steps, 1000, (890, 16.0))
    assert chan.get_xydata().tolist() == [[0.1, 90.0], [1.0, 95.0]]
    assert constant.get_xydata().tolist() == [[0.1, 80.0], [1.0, 10.0]]
    bars = left.containers[0].lines[2][0].get_segments()
    ends = np.array([course.wilson_interval(count, 1000) for count in (900, 950)])
    np.testing.assert_allclose(np.asarray(bars)[:, :, 1] / 100, ends)
    assert (left.get_xscale(), right.get_yscale()) == ("log", "log")
    assert [line.get_ydata()[0] for line in (left.lines[-1], right.lines[-1])] == [89.0, 16.0]


TARGET = np.array([[1.0, 0, 0, 1.5], [0, 1, 0, 0.5], [0, 0, 1, 0], [0, 0, 0, 1]])


def test_each_arm_ends_where_its_kinematics_say_and_all_of_it_is_in_sight(ax):
    chain = robots.planar_2r()
    compromises = {"near": [0.9, -1.0], "level": np.radians([45.0, -45.0])}
    arms = course.draw_compromises(ax, chain, TARGET, compromises)
    (left, right), (low, high) = ax.get_xlim(), ax.get_ylim()
    for arm, q in zip(arms, compromises.values(), strict=True):
        points = arm.links.get_xydata()
        assert np.abs(points[-1] - chain.forward_kinematics(q)[:2, 3]).max() < 1e-12
        assert (points > (left, low)).all() and (points < (right, high)).all()
    for q, marker in zip(compromises.values(), "os", strict=True):
        tips = [line.get_xydata()[0] for line in ax.lines if line.get_marker() == marker]
        assert min(np.abs(tip - chain.forward_kinematics(q)[:2, 3]).max() for tip in tips) < 1e-12
    for arrow, q in zip(ax.texts, compromises.values(), strict=True):
        T_sb = chain.forward_kinematics(q)
        along = np.array(arrow.xy) - T_sb[:2, 3]
        assert np.abs(along / np.linalg.norm(along) - T_sb[:2, 0]).max() < 1e-12


def test_the_curve_is_in_millimetres_and_degrees_and_the_marks_lie_on_it(ax):
    curve, first, last = course.draw_exchange(ax, [0.0, 0.1, 0.3], np.radians([20, 15, 0]), {"a": 0, "b": 2})
    assert np.abs(curve.get_xydata() - [[0, 20], [100, 15], [300, 0]]).max() < 1e-9
    assert np.abs(np.vstack([first.get_xydata(), last.get_xydata()]) - [[0, 20], [300, 0]]).max() < 1e-9


SOLUTIONS = np.array([[0.5, 1.5], [2.0, -1.5]])
FATES = np.array([[0, 1, 2, 1], [1, 1, 2, 2], [2, 2, 1, 1], [1, 2, 0, 1]])


def test_every_start_has_the_colour_of_its_fate():
    image = course.draw_basins(Figure().add_subplot(), FATES, SOLUTIONS)
    drawn = image.to_rgba(image.get_array())
    for fate, colour in enumerate(COLOURS):
        np.testing.assert_allclose(drawn[FATES == fate], np.tile(to_rgba(colour), ((FATES == fate).sum(), 1)))


@pytest.mark.parametrize("draw", [course.draw_basins, course.draw_steps])
def test_a_start_is_the_middle_of_its_square(ax, draw):
    image = draw(ax, FATES, SOLUTIONS)
    left, right, bottom, top = image.get_extent()
    edges = np.linspace(left, right, 5)
    np.testing.assert_allclose((edges[1:] + edges[:-1]) / 2, [-np.pi, -np.pi / 2, 0.0, np.pi / 2], atol=1e-12)
    assert (bottom, top, image.origin) == (left, right, "lower")
    marks = np.array([line.get_xydata()[0] for line in ax.lines])
    np.testing.assert_array_equal(marks, SOLUTIONS)
    assert len({line.get_marker() for line in ax.lines}) == 2


def test_the_scale_of_steps_ends_at_most():
    steps = np.array([[0, 3], [7, 20]])
    assert course.draw_steps(Figure().add_subplot(), steps, SOLUTIONS).get_clim() == (0.0, 20.0)
    assert course.draw_steps(Figure().add_subplot(), steps, SOLUTIONS, most=10).get_clim() == (0.0, 10.0)


CENTERS = np.array([[0.0, 0.0], [1.0, 0.5], [1.1, 0.6]])


def test_each_finite_ball_is_a_disc_around_its_iterate(ax):
    discs = course.draw_enclosures(ax, CENTERS, [np.inf, 0.3, 0.01], [0.0, 0.5, 0.6], [1.11, 0.61])
    assert [(disc.center, disc.radius) for disc in discs] == [((1.0, 0.5), 0.3), ((1.1, 0.6), 0.01)]
    shade = ax.patches[0]
    assert (shade.center, shade.radius) == ((1.1, 0.6), 0.6)
    way, answer = ax.lines
    np.testing.assert_array_equal(way.get_xydata(), CENTERS)
    np.testing.assert_array_equal(answer.get_xydata(), [[1.11, 0.61]])


def test_the_radii_of_each_step_are_lines_on_a_logarithmic_scale(ax):
    lines = course.draw_radii(ax, [np.inf, 1e-3], [0.0, 1e-2], [0.1, 0.0])
    np.testing.assert_array_equal([line.get_ydata() for line in lines], [[np.nan, 1e-2], [np.nan, 1e-3], [0.1, np.nan]])


TIMES = {"first": 2.0, "second": 4e-3, "third": 2e-3, "last": 5e-8}


def test_each_bar_ends_at_its_time(ax):
    bars = course.draw_stages(ax, TIMES)
    assert [bar.get_x() + bar.get_width() for bar in bars] == pytest.approx(list(TIMES.values()))
    assert ax.get_xscale() == "log"
    assert ax.get_xlim()[0] < 5e-8
    assert ax.get_ylim()[0] > ax.get_ylim()[1], "the first stage stands on top"


def test_numbers_and_gains(ax):
    course.draw_stages(ax, TIMES)
    texts = [text.get_text() for text in ax.texts]
    assert texts[:4] == ["2.0 s", "4.0 ms", "2.0 ms", "50 ns"]
    assert texts[4:] == ["÷ 500", "÷ 2.0", "÷ 40,000"]


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(1.0, "1 s"), (12.0, "12 s"), (0.9999, "1.0 s"), (1e-3, "1 ms"), (2.34e-5, "23 µs"), (9.96e-9, "10 ns")],
)  # fmt: skip
def test_times_in_words(seconds, text):
    assert format_time(seconds) == text


@pytest.mark.parametrize("share", [0.0, 1e-3, 0.5, 1.0])
def test_the_time_of_the_serial_and_of_the_shared_part_add_up(share):
    cores = np.array([1.0, 2.0, 16.0, 1e6])
    gained = course.speed_up(share, cores)
    assert 1.0 / gained == pytest.approx(share + (1.0 - share) / cores, rel=1e-14)  # some roundings
    assert gained[0] == 1.0
    assert (np.diff(gained) >= 0.0).all()
    assert (gained * share <= 1.0 + 1e-15).all()  # the ceiling 1/s, and a rounding


def test_a_place_of_the_map_has_the_colour_of_its_share(ax):
    drawn = course.draw_map_of_reach(ax, [0.0, 0.5], [1.0, 0.0, -1.0], [[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]])
    assert np.ravel(drawn.get_array()).tolist() == [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
    left, right = drawn.get_coordinates()[0, [0, -1], 0]
    assert (left, right) == (-0.25, 0.75) and ax.get_aspect() == 1.0
    assert drawn.get_coordinates()[0, 0, 1] > drawn.get_coordinates()[-1, 0, 1]  # the first row stands on top
