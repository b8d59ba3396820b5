"""Lesson 18: the quadruped as it stands and as it walks, in stills and as a film."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from numpy.typing import ArrayLike, NDArray
from PIL import Image

from lessons_lib.arrays import Array, Integers, floats, is_real
from lessons_lib.course.quadruped_parts import LEGS
from lessons_lib.course.stance_picture import StanceArtist
from lessons_lib.course.support_picture import SupportArtist
from lessons_lib.errors import ConfigurationError, ParameterError
from lessons_lib.extras import need
from lessons_lib.plots.theme import BLUE, GREY, VERMILION, WIDTH, style
from lessons_lib.robots import Tree

if TYPE_CHECKING:
    from scipy.spatial import KDTree

__all__ = [
    "StancePicture",
    "animate_stance",
    "draw_stances",
    "draw_walk",
]

Pixels = NDArray[np.uint8]

HEIGHT = 3.5
"""Height of the picture, inches."""

COLOURS = 80
"""Colours of a film: it is stored in a notebook, and has to be small."""


class StancePicture:
    """The quadruped in space on the left, its support polygon from above on the right; `update(q)` moves both."""

    def __init__(self, figure: Figure, tree: Tree) -> None:
        """Add both to a figure about twice as wide as high; the tree is the quadruped, with a floating base."""
        space, above = figure.subplots(1, 2, width_ratios=(2.75, 1.0))
        self.body = StanceArtist(space, tree)
        self.above = SupportArtist(above, tree)
        self.words: Any = space.text(0.015, 0.99, "", transform=space.transAxes, fontsize=12, va="top", linespacing=1.5)
        self.words.set_in_layout(False)

    @property
    def artists(self) -> list[Any]:
        """What moves."""
        return [*self.body.artists, *self.above.artists, self.words]

    def update(self, q: ArrayLike, words: str = "", legs: Sequence[str] = LEGS) -> None:
        """Move the robot to a configuration, shape (nq,), with some legs on the ground, and write into the corner."""
        self.body.update(q, legs)
        self.above.update(q, legs)
        self.words.set_text(words)


def draw_stances(figure: Figure, tree: Tree, stances: Mapping[str, ArrayLike]) -> list[StanceArtist]:
    """Draw the quadruped in several configurations side by side, two in a row.

    Args:
        figure: Where to draw.
        tree: The quadruped, with a floating base.
        stances: Configurations, shape (nq,), by the names that are written over them.

    Returns:
        The pictures, in order.

    Raises:
        ParameterError: There are none.
        ConfigurationError: One has another shape or is not finite.
    """
    if not stances:
        raise ParameterError("no stance to draw; give one or more by name")
    rows = -(-len(stances) // 2)
    artists = []
    for i, (name, q) in enumerate(stances.items()):
        ax = figure.add_subplot(rows, min(2, len(stances)), i + 1)
        artists.append(StanceArtist(ax, tree, mark=11.0))
        artists[-1].update(q)
        ax.set_title(name, fontsize=12, loc="center", y=0.96)
    return artists


def animate_stance(
    tree: Tree, configurations: ArrayLike, words: list[str] | None = None, *, rate: float = 12.5, dpi: int = 90
) -> bytes:
    """Return a film of the quadruped as an animated PNG, which repeats for ever and begins with its first picture.

    What cannot play it shows that first picture: paper, for one.

    Args:
        tree: The quadruped, with a floating base.
        configurations: One for each picture, shape (m, nq), m ≥ 2.
        words: What stands in the corner of each picture; nothing when left out.
        rate: Pictures a second, Hz.
        dpi: Pixels an inch; the film is 7.2 inches wide.

    Raises:
        ConfigurationError: The configurations have another shape or are not finite.
        ParameterError: There are not as many words as configurations, or the rate is not above zero.
        MissingExtra: SciPy is not installed.
    """
    need("tasks", "course.animate_stance", "scipy")
    rows = floats(configurations, f"configurations must be numbers, shape (m, {tree.nq})", ConfigurationError)
    if rows.ndim != 2 or len(rows) < 2:
        raise ConfigurationError(f"a film needs two or more configurations, shape (m, {tree.nq}), got {rows.shape}")
    texts = [""] * len(rows) if words is None else words
    if len(texts) != len(rows):
        raise ParameterError(f"{len(texts)} words for {len(rows)} configurations; give one for each")
    if not (is_real(rate) and 0.0 < rate < np.inf):
        raise ParameterError(f"rate is {rate!r}; it is positive and finite, in Hz")
    with style():
        figure = Figure(figsize=(WIDTH, HEIGHT), dpi=dpi)
        picture = StancePicture(figure, tree)
        figure.draw_without_rendering()
        figure.set_layout_engine("none")  # the places are found once, and nothing twitches
        picture.above.follow(rows)
        pictures = [_painted(figure, picture, q, text) for q, text in zip(rows, texts, strict=True)]
    return _film(pictures, round(1000.0 / rate))


def _painted(figure: Figure, picture: StancePicture, q: Array, words: str) -> Pixels:
    picture.update(q, words)
    canvas: Any = FigureCanvasAgg(figure)
    canvas.draw()
    return np.array(canvas.buffer_rgba())[:, :, :3]


def _film(pictures: list[Pixels], milliseconds: int) -> bytes:
    """Return pictures, shape (height, width, 3), as one animated PNG of few colours."""
    from scipy.spatial import KDTree

    colours = _common_colours(pictures[:: max(1, len(pictures) // 6)])
    nearest = KDTree(colours)
    first, *others = (_indexed(picture, nearest, colours) for picture in pictures)
    stream = BytesIO()
    looks: Any = {"duration": milliseconds, "loop": 0, "compress_level": 9}
    first.save(stream, format="png", save_all=True, append_images=others, **looks)
    return stream.getvalue()


def _common_colours(pictures: list[Pixels]) -> Pixels:
    """Return the commonest colours, shape (COLOURS, 3): the body's tones are few, and what lies between is a rim."""
    codes, counts = np.unique(np.concatenate([_codes(picture) for picture in pictures]), return_counts=True)
    return _colours_of(codes[np.argsort(-counts, kind="stable")[:COLOURS]])


def _indexed(picture: Pixels, nearest: KDTree, colours: Pixels) -> Any:
    """Return a picture in which every pixel has the nearest of the colours."""
    own, which = np.unique(_codes(picture), return_inverse=True)
    indices = nearest.query(_colours_of(own))[1][which].reshape(picture.shape[:2])
    indexed = Image.fromarray(indices.astype(np.uint8))
    indexed.putpalette(colours.tobytes())
    return indexed


def _codes(picture: Pixels) -> Integers:
    """Return each pixel as one number, so that colours are quickly sorted."""
    codes: Integers = picture.reshape(-1, 3).astype(np.int64) @ np.array([1 << 16, 1 << 8, 1])
    return codes


def _colours_of(codes: Integers) -> Pixels:
    return np.column_stack([codes >> 16, codes >> 8 & 255, codes & 255]).astype(np.uint8)


WAY_COLOURS, WAY_MARKERS = (VERMILION, BLUE), ("o", "D")
"""Looks of the ways, in order."""

HEADING = 0.16
"""Length of the stroke that shows where the base faces, as a part of the circle's radius."""


def draw_walk(ax: Axes, radius: float, ways: Mapping[str, ArrayLike]) -> list[Line2D]:
    """Draw ways of a base over the circle that they should follow.

    Args:
        ax: Where to draw.
        radius: Of the circle, m; it touches the x-axis at the origin and lies to its left.
        ways: Up to two by their names in the legend, each in rows (x, y, heading), shape (m, 3), m and rad.

    Returns:
        The ways, in order.

    Raises:
        ParameterError: There is none or more than two, or one has another shape.
    """
    if not 1 <= len(ways) <= len(WAY_COLOURS):
        raise ParameterError(f"{len(ways)} ways; one or two can be told apart")
    angles = np.linspace(0.0, 2.0 * np.pi, 181)
    ax.plot(radius * np.sin(angles), radius * (1.0 - np.cos(angles)), color=GREY, linewidth=1.4, label="circle")
    lines = []
    for (name, way), colour, marker in zip(ways.items(), WAY_COLOURS, WAY_MARKERS, strict=False):
        rows = np.asarray(way, dtype=np.float64)
        if rows.ndim != 2 or rows.shape[1] != 3:
            raise ParameterError(f"way {name!r} has shape {rows.shape}; it must be (m, 3): x, y and heading")
        ends = rows[:, :2] + HEADING * radius * np.column_stack([np.cos(rows[:, 2]), np.sin(rows[:, 2])])
        for start, end in zip(rows[:, :2], ends, strict=True):
            ax.plot(*zip(start, end, strict=True), color=colour, linewidth=1.8)
        look: dict[str, Any] = {"color": colour, "marker": marker, "linestyle": (0, (1, 2)), "linewidth": 1.0}
        lines += ax.plot(rows[:, 0], rows[:, 1], label=name, markersize=5.5, **look)
    ax.set(xlabel="x [m]", ylabel="y [m]")
    ax.set_aspect("equal", adjustable="datalim")
    return lines
