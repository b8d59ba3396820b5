"""The look of the course: legible, and told apart by everybody."""

from itertools import combinations

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from lessons_lib import plots
from lessons_lib.plots import theme


def luminance(colour):
    """Relative luminance as WCAG 2 defines it."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour)]
    return float(np.dot([0.2126, 0.7152, 0.0722], linear))


def contrast(first, second):
    high, low = sorted([luminance(first), luminance(second)], reverse=True)
    return (high + 0.05) / (low + 0.05)


def seen_without(cone, colour):
    """Colour seen without the long (0) or middle (1) cones; Viénot, Brettel & Mollon (1999)."""
    matrix = np.array([[17.8824, 43.5161, 4.11935], [3.45565, 27.1554, 3.86714], [0.0299566, 0.184309, 1.46709]])
    linear = np.array([c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour)])
    cones = matrix @ linear
    cones[cone] = 2.02344 * cones[1] - 2.52581 * cones[2] if cone == 0 else 0.494207 * cones[0] + 1.24827 * cones[2]
    return np.linalg.solve(matrix, cones)


def test_curves_and_text_stand_out_from_the_paper():
    assert min(contrast(colour, theme.PAPER) for colour in theme.CYCLE) >= 3.0  # WCAG 2.1, 1.4.11: graphical objects
    assert contrast(theme.INK, theme.PAPER) >= 7.0  # WCAG 2.1, 1.4.6


@pytest.mark.parametrize("cone", [0, 1])
@pytest.mark.parametrize("pair", list(combinations(theme.AXIS_COLOURS, 2)))
def test_the_axes_of_a_frame_differ_to_the_colour_blind(cone, pair):
    first, second = (seen_without(cone, colour) for colour in pair)
    assert np.linalg.norm(first - second) > 0.1  # two greys a tenth apart are told apart side by side


def test_the_style_ends_with_its_block_and_works_as_a_decorator():
    before = mpl.rcParams["figure.dpi"]

    @plots.style()
    def inside():
        return float(mpl.rcParams["figure.dpi"])

    assert inside() == theme.RC["figure.dpi"]
    assert mpl.rcParams["figure.dpi"] == before


@pytest.mark.parametrize("name", ["$arm^", "a$b$", "_hidden", "$\\frac{$", "50 $ or 60 $", "plain"])
def test_special_characters_of_a_name_are_escaped(name):
    # matplotlib reads "$" as a formula, and hides what begins with "_"
    figure = Figure()
    text = figure.text(0.5, 0.5, theme.as_text(name))
    figure.draw_without_rendering()
    drawn, formula = text._preprocess_math(text.get_text())
    assert not formula and drawn.strip() == name
