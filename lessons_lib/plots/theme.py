"""One look for every figure of the course: colours, fonts and lines.

The colours are Okabe and Ito's, which people with any form of colour blindness can tell apart, darkened where needed to
a contrast of 3:1 on white. Fonts are large enough that a figure 7.2 inches wide can be read on a telephone.
"""

from contextlib import AbstractContextManager
from typing import Any

import matplotlib as mpl
from cycler import cycler

__all__ = [
    "style",
]

INK = "#1f2a36"
BLUE = "#0072b2"
VERMILION = "#d55e00"
GREEN = "#00855f"
PURPLE = "#a6508a"
AMBER = "#c98600"
SKY = "#3f9bd1"
GREY = "#6b7682"
PALE = "#dfe4e9"
SHADOW = "#cbd2d9"
PAPER = "#ffffff"

CYCLE = (BLUE, VERMILION, GREEN, PURPLE, AMBER, INK, GREY)
"""Colours of curves, in the order in which they are taken; the last two begin the line styles anew."""

AXIS_COLOURS = (VERMILION, GREEN, BLUE)
"""Colours of a frame's x, y and z axis: red, green, blue as everywhere in robotics, in shades that all can see."""

DASHES = ("-", (0, (5, 2)), (0, (1, 1.5)), (0, (6, 2, 1, 2)), (0, (3, 1, 1, 1, 1, 1)))
"""Line styles for curves that colour alone should not have to tell apart."""


def look(i: int) -> dict[str, Any]:
    """Return the colour and the dashes of a curve, counted from zero: no two of 35 are alike."""
    return {"color": CYCLE[i % len(CYCLE)], "linestyle": DASHES[i % len(DASHES)]}


WIDTH = 7.2
"""Width of a figure, inches: the text column of the book."""

RC: Any = {
    "figure.figsize": (WIDTH, 4.2),
    "figure.dpi": 144,
    "savefig.dpi": "figure",
    "figure.facecolor": PAPER,
    "savefig.facecolor": PAPER,
    "figure.constrained_layout.use": True,
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],  # comes with matplotlib, so that the pictures are alike on every machine
    "mathtext.fontset": "dejavusans",
    "font.size": 12.0,
    "axes.titlesize": 13.0,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.labelsize": 12.0,
    "xtick.labelsize": 11.0,
    "ytick.labelsize": 11.0,
    "legend.fontsize": 11.0,
    "legend.frameon": False,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": GREY,
    "axes.titlecolor": INK,
    "xtick.color": GREY,
    "ytick.color": GREY,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "axes.facecolor": PAPER,
    "axes.linewidth": 0.8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": PALE,
    "grid.linewidth": 0.8,
    "lines.linewidth": 2.0,
    "lines.markersize": 6.0,
    "lines.solid_capstyle": "round",
    "axes.prop_cycle": cycler(color=CYCLE),
}


def style() -> AbstractContextManager[None]:
    """Return the look of the course as a context manager, which also works as a decorator.

    Example:
        >>> from lessons_lib import plots
        >>> import matplotlib.pyplot as plt
        >>> with plots.style():
        ...     figure, ax = plt.subplots()
    """
    return mpl.rc_context(RC)


def as_text(name: str) -> str:
    """Return what matplotlib draws as `name`: "$" begins no formula, and a leading "_" hides nothing from a legend."""
    shown = name.replace("$", r"\$")
    return f" {shown}" if shown.startswith("_") else shown
