"""Names out of a file are drawn as they are: matplotlib would read "$" as a formula, and hide what begins with "_"."""

import matplotlib.pyplot as plt
import pytest

from lessons_lib.plots.theme import as_text

NAMES = ["$arm^", "a$b$", "_hidden", "$\\frac{$", "50 $ or 60 $", "plain"]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_drawn_letter_by_letter(name: str) -> None:
    figure = plt.figure()
    text = figure.text(0.5, 0.5, as_text(name))
    figure.canvas.draw()
    drawn, formula = text._preprocess_math(text.get_text())
    assert not formula and drawn.strip() == name
