"""Each solver's row, curve or outline is where its numbers say, and who was missing has a row that says so."""

from typing import Any

from matplotlib.figure import Figure

from lessons_lib import plots
from lessons_lib.plots.theme import BLUE, VERMILION

TIMES: dict[str, dict[str, Any]] = {
    "ours": {"median": 2.5, "mean": 4.0, "p99": 30.0, "solved": "100"},
    "theirs": {"median": 29.0, "mean": 46.0, "p99": 400.0},
    "others (missing)": {"median": None},
    "slow": {"median": 11_000.0},
}


def test_a_dot_at_each_median_from_the_top_and_ours_in_another_colour() -> None:
    ax = Figure().add_subplot()
    dots = plots.draw_timings(ax, TIMES)
    assert [dot.get_xydata().tolist() for dot in dots] == [[[2.5, 0.0]], [[29.0, 1.0]], [[11_000.0, 3.0]]]
    assert [dot.get_color() for dot in dots] == [VERMILION, BLUE, BLUE]
    assert [label.get_text() for label in ax.get_yticklabels()] == list(TIMES)
    assert ax.yaxis_inverted()
    assert ax.get_xscale() == "log"
    assert ax.get_xlabel() == "time of one solve [µs]"


def test_numbers_ticks_and_lines_tell_the_three_statistics() -> None:
    ax = Figure().add_subplot()
    plots.draw_timings(ax, TIMES)
    assert [text.get_text() for text in ax.texts] == ["2.5", "29", "missing", "11,000"]
    drawn = [line.get_xydata().tolist() for line in ax.lines]
    ours, theirs, slow = drawn[:3], drawn[3:6], drawn[6:]
    assert ours == [[[2.5, 0.0], [30.0, 0.0]], [[4.0, 0.0]], [[2.5, 0.0]]]
    assert theirs == [[[29.0, 1.0], [400.0, 1.0]], [[46.0, 1.0]], [[29.0, 1.0]]]
    assert slow == [[[11_000.0, 3.0]]]  # a median alone has neither tick nor line


def test_rates_are_curves_on_two_logarithmic_scales() -> None:
    ax = Figure().add_subplot()
    one, two = plots.draw_rates(
        ax, {"UR10": ([1, 10], [1e4, 2e5]), "Panda": ([1, 10], [9e3, 1e5])}, xlabel="poses", ylabel="poses a second"
    )
    assert two.get_xydata().tolist() == [[1.0, 9e3], [10.0, 1e5]]
    assert one.get_linestyle() != two.get_linestyle()  # colour is not the only difference
    assert (ax.get_xscale(), ax.get_yscale(), ax.get_ylabel()) == ("log", "log", "poses a second")
    assert ax.get_legend() is not None
