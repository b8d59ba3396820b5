"""Each solver's row, curve or outline is where its numbers say, and who was missing has a row that says so."""

from matplotlib.figure import Figure

from lessons_lib import plots


def test_rates_are_curves_on_two_logarithmic_scales() -> None:
    ax = Figure().add_subplot()
    one, two = plots.draw_rates(
        ax, {"UR10": ([1, 10], [1e4, 2e5]), "Panda": ([1, 10], [9e3, 1e5])}, xlabel="poses", ylabel="poses a second"
    )
    assert two.get_xydata().tolist() == [[1.0, 9e3], [10.0, 1e5]]
    assert one.get_linestyle() != two.get_linestyle()  # colour is not the only difference
    assert (ax.get_xscale(), ax.get_yscale(), ax.get_ylabel()) == ("log", "log", "poses a second")
    assert ax.get_legend() is not None
