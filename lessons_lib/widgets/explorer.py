"""The base of every explorer: controls on top, one picture below, painted by Agg and nothing else.

A slider repaints a `widgets.Image` with no Output widget in between: the quickest way there is, and the same bytes each
time. A page without a kernel cannot repaint, so an explorer also shows itself as a still picture (`image/png`), which
stays in a stored notebook when its widget view is dropped. A book never shows a slider that is dead.
"""

import base64
from collections.abc import Sequence
from io import BytesIO
from textwrap import wrap
from typing import Any, ClassVar

import ipywidgets as widgets
import numpy as np
from matplotlib.artist import Artist
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from numpy.typing import NDArray
from PIL import Image

from lessons_lib.plots.theme import GREY, style

LIVE_DPI = 100
"""Dots per inch while a slider moves; 7.2 inches are then 720 pixels, as wide as a notebook's text."""

STILL_DPI = 144
"""Dots per inch of the still picture, which nobody waits for."""

CAPTION_WIDTH, LINE_HEIGHT = 78, 0.26
"""Characters a line below a still picture, and height of such a line, inches: large enough for a telephone."""


class Explorer(widgets.VBox):  # type: ignore[misc]
    """Controls over one picture.

    A subclass makes its artists in `__init__`, once, and moves them in `paint`:

        class Wheel(Explorer):
            def __init__(self):
                self.angle = GridSlider(0.0, 0.0, 6.28, 0.01, description="angle [rad]")
                super().__init__([self.angle], size=(4, 4))
                ax = self.figure.add_subplot()
                self.spoke, = ax.plot([], [])
                self.redraw()

            def paint(self):
                self.spoke.set_data([0, cos(self.angle.value)], [0, sin(self.angle.value)])

    Attributes:
        moving: Artists that `paint` changes. When a subclass names them all, everything else is drawn once and kept as
            a backdrop, which halves the time of a redraw; empty, and the whole figure is drawn each time.
        caption: The line under the still picture, which tells how to make it move.
        figure: The matplotlib figure, made in the look of the course; no window, no pyplot.
        image: The picture as a widget.
    """

    caption: ClassVar[str] = "A still picture: run this cell in JupyterLab, and the controls move it."

    def __init__(self, controls: Sequence[widgets.Widget], size: tuple[float, float] = (7.2, 4.2)) -> None:
        """Make the empty figure and listen to the controls.

        Args:
            controls: Widgets or boxes of widgets; everything in them that has a `value` repaints the picture.
            size: Width and height of the figure, inches.
        """
        with style():
            self.figure = Figure(figsize=size, dpi=LIVE_DPI)
        self.image = widgets.Image(format="png", layout=widgets.Layout(max_width="100%", object_fit="contain"))
        self.moving: Sequence[Artist] = ()
        self._holding, self._backdrop = False, _Backdrop(self.figure)
        super().__init__([*controls, self.image])
        for control in self.controls:
            control.observe(self._on_change, "value")

    @property
    def controls(self) -> list[widgets.Widget]:
        """Every widget with a value, in reading order, the picture itself left out."""
        found: list[widgets.Widget] = []
        waiting = list(self.children)
        while waiting:
            widget = waiting.pop(0)
            waiting = [*getattr(widget, "children", ()), *waiting]
            shown_only = widget is self.image or isinstance(widget, (widgets.HTML, widgets.Play))
            if widget.has_trait("value") and not shown_only:
                found.append(widget)
        return found

    def paint(self) -> None:
        """Move the artists to what the controls say. A subclass writes this."""
        raise NotImplementedError(f"{type(self).__name__} has no paint()")

    def redraw(self) -> None:
        """Paint, and show the new picture."""
        with style():
            self.paint()
            self.image.value = _png(self._backdrop.with_artists(self.moving))

    def change(self, **values: Any) -> None:
        """Set several controls, named by this object's attributes, and repaint once."""
        self._holding = True
        try:
            for name, value in values.items():
                getattr(self, name).value = value
        finally:
            self._holding = False
        self.redraw()

    def still(self) -> bytes:
        """Return the picture as PNG, sharper than the live one, with the caption below it."""
        self.redraw()
        with style():
            lines = wrap(self.caption, CAPTION_WIDTH)
            strip = Figure(figsize=(self.figure.get_figwidth(), LINE_HEIGHT * len(lines) + 0.1))
            strip.text(0.5, 0.5, "\n".join(lines), fontsize=12, color=GREY, ha="center", va="center")
            return _png(np.vstack([_pixels(self.figure, STILL_DPI), _pixels(strip, STILL_DPI)]))

    def _on_change(self, change: object) -> None:
        if not self._holding:
            self.redraw()

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        """Return the live view, and the still picture for every page that has no kernel."""
        bundle: dict[str, Any] = super()._repr_mimebundle_(**kwargs) or {}
        bundle["text/plain"] = repr(self)
        bundle["image/png"] = base64.b64encode(self.still()).decode("ascii")
        return bundle

    def __repr__(self) -> str:
        """Return the name only: the same text in every run, so that stored outputs can be compared."""
        return f"{type(self).__name__}()"


class _Backdrop:
    """What stays the same from one redraw to the next, painted once."""

    def __init__(self, figure: Figure) -> None:
        self._figure = figure
        self._canvas: Any = FigureCanvasAgg(figure)
        self._region: Any = None
        self._laid_out = False

    def with_artists(self, moving: Sequence[Artist]) -> NDArray[np.uint8]:
        """Return the figure's pixels, with the moving artists on top of what was painted before."""
        if not self._laid_out:
            self._lay_out()
        if not moving:
            return _pixels(self._figure, LIVE_DPI)
        self._figure.set_dpi(LIVE_DPI)
        if self._region is None:
            self._paint_without(moving)
        self._canvas.restore_region(self._region)
        for artist in moving:
            if artist.get_visible():
                artist.draw(self._canvas.renderer)
        return _rgb(self._canvas)

    def _lay_out(self) -> None:
        """Give every axes its place once: measuring all labels at each redraw would take longer than drawing them."""
        self._figure.set_layout_engine("constrained")
        self._figure.draw_without_rendering()
        self._figure.set_layout_engine("none")
        self._laid_out = True

    def _paint_without(self, moving: Sequence[Artist]) -> None:
        visible = [artist.get_visible() for artist in moving]
        for artist in moving:
            artist.set_visible(False)
        self._canvas.draw()
        self._region = self._canvas.copy_from_bbox(self._figure.bbox)
        for artist, shown in zip(moving, visible, strict=True):
            artist.set_visible(shown)


def _pixels(figure: Figure, dpi: int) -> NDArray[np.uint8]:
    """Return the figure as Agg paints it, shape (height, width, 3)."""
    figure.set_dpi(dpi)
    canvas: Any = FigureCanvasAgg(figure)
    canvas.draw()
    return _rgb(canvas)


def _rgb(canvas: Any) -> NDArray[np.uint8]:
    painted: NDArray[np.uint8] = np.asarray(canvas.buffer_rgba())[:, :, :3]
    return painted


def _png(pixels: NDArray[np.uint8]) -> bytes:
    """Return the pixels as PNG, packed in a hurry and without metadata: the same picture is the same bytes."""
    stream = BytesIO()
    Image.fromarray(np.ascontiguousarray(pixels)).save(stream, format="png", compress_level=1)
    return stream.getvalue()
