"""Each solver's row, curve or outline is where its numbers say, and who was missing has a row that says so."""

from typing import Any

import pytest
from matplotlib.figure import Figure

from lessons_lib import plots
from lessons_lib.plots.timings import say

TIMES: dict[str, dict[str, Any]] = {
    "ours": {"median": 2.5, "mean": 4.0, "p99": 30.0, "solved": "100"},
    "theirs": {"median": 29.0, "mean": 46.0, "p99": 400.0},
    "others (missing)": {"median": None},
    "slow": {"median": 11_000.0},
}


def test_rates_are_curves_on_two_logarithmic_scales() -> None:
    ax = Figure().add_subplot()
    one, two = plots.draw_rates(
        ax, {"UR10": ([1, 10], [1e4, 2e5]), "Panda": ([1, 10], [9e3, 1e5])}, xlabel="poses", ylabel="poses a second"
    )
    assert two.get_xydata().tolist() == [[1.0, 9e3], [10.0, 1e5]]
    assert one.get_linestyle() != two.get_linestyle()  # colour is not the only difference
    assert (ax.get_xscale(), ax.get_yscale(), ax.get_ylabel()) == ("log", "log", "poses a second")
    assert ax.get_legend() is not None


@pytest.mark.parametrize(("time", "text"), [(0.094, "0.094"), (2.5, "2.5"), (28.84, "28.8"), (11_510.0, "11,510")])
def test_times_in_words(time: float, text: str) -> None:
    assert say(time) == text
