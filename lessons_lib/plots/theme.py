"""Style of all figures of the course: colours, fonts and lines."""
# The colours are Okabe and Ito's, which people with any form of colour blindness can distinguish, darkened where needed
# to a contrast of 3:1 on white. Fonts are large enough for a figure 7.2 inches wide on a telephone.

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
"""Colours of curves, in order."""

AXIS_COLOURS = (VERMILION, GREEN, BLUE)
"""Colours of a frame's x, y and z axis: red, green, blue as everywhere in robotics, in shades that all can see."""

DASHES = ("-", (0, (5, 2)), (0, (1, 1.5)), (0, (6, 2, 1, 2)), (0, (3, 1, 1, 1, 1, 1)))
"""Line styles, which distinguish curves together with the colours."""


def look(i: int) -> dict[str, Any]:
    """Return colour and dashes of curve i, counted from zero; the first 35 differ."""
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
    "font.sans-serif": ["DejaVu Sans"],  # part of matplotlib, so that pictures are the same on every machine
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
    """Return the style of the course as a context manager, which also works as a decorator.

    Example:
        >>> from lessons_lib import plots
        >>> import matplotlib.pyplot as plt
        >>> with plots.style():
        ...     figure, ax = plt.subplots()
    """
    return mpl.rc_context(RC)


def as_text(name: str) -> str:
    """Escape a name for matplotlib: "$" begins no formula, and a leading "_" does not hide it from a legend."""
    escaped = name.replace("$", r"\$")
    return f" {escaped}" if escaped.startswith("_") else escaped
