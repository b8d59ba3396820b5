"""The committed picture of each live figure is what its view draws now."""

import pytest
from discovered import FIGURES
from PIL import Image

from tools.opening_pictures import difference, draw

MOST_BYTES = 60_000
TOLERANCE = 30.0
"""Bound on the third largest change of a square's mean colour: stored colours are off, and browsers differ at edges."""


@pytest.mark.parametrize("name", FIGURES)
def test_a_picture_shows_the_opening_state(browser_in_space, tmp_path, name):
    path = FIGURES[name].opening_path()
    assert path.stat().st_size < MOST_BYTES
    with Image.open(path) as kept:
        assert difference(kept, draw(browser_in_space, FIGURES[name](), tmp_path)) < TOLERANCE


def test_a_picture_of_another_state_differs(browser_in_space, tmp_path):
    figure = FIGURES["ElbowFigure"]
    with Image.open(figure.opening_path()) as kept:
        assert difference(kept, draw(browser_in_space, figure(y=0.5), tmp_path)) > 1.5 * TOLERANCE
