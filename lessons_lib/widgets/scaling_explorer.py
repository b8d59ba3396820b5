"""Move the serial share and the number of cores: the curve of Amdahl's law, and what is left of the time."""

from collections.abc import Mapping

import ipywidgets as widgets

from lessons_lib.plots.lesson_19 import MOST_CORES, SpeedUpArtist, speed_up
from lessons_lib.plots.theme import AMBER, BLUE, style
from lessons_lib.widgets.explorer import Explorer
from lessons_lib.widgets.sliders import log_slider


class ScalingExplorer(Explorer):
    """Amdahl's law with two sliders, and measured speed-ups beside it.

    Attributes:
        share: The slider of the serial share s, logarithmic from a thousandth to 1.
        cores: The slider of the number of cores p, powers of two.
    """

    caption = "Left, the speed-up on p cores. Right, the time on one core and on p. Run this cell to move s and p."

    def __init__(self, measured: Mapping[int, float] | None = None, share: float = 0.05, cores: int = 16) -> None:
        """Make the sliders and the picture.

        Args:
            measured: Speed-ups that were measured, by the number of cores; drawn as points.
            share: Where the slider of s stands at first.
            cores: Where the slider of p stands at first, a power of two up to 1024.

        Raises:
            ParameterError: A measured speed-up that is not positive.
        """
        self.share = log_slider(share, 0.001, 1.0, description="share s")
        powers = [2**i for i in range(MOST_CORES.bit_length())]
        self.cores = widgets.SelectionSlider(options=powers, value=cores, description="cores p")
        super().__init__([widgets.HBox([self.share, self.cores])], size=(7.6, 4.0))
        with style():
            curve, bars = self.figure.subplots(1, 2, width_ratios=(1.0, 0.6))
            self._curve = SpeedUpArtist(curve, measured)
            self._serial = bars.bar([0, 1], [1.0, 1.0], width=0.6, color=AMBER, label="serial")
            self._shared = bars.bar([0, 1], [1.0, 1.0], width=0.6, color=BLUE, label="shared")
            bars.set(xticks=[0, 1], ylim=(0.0, 1.3), ylabel="time, of one core's")
            bars.set_xticklabels(["1 core", "p cores"])
            bars.grid(visible=False, axis="x")
            bars.legend(loc="upper right", ncols=2, fontsize=10)
            self._text = self.figure.suptitle(" ", x=0.01, ha="left", fontsize=12)
        self.moving = [*self._curve.artists, *self._serial, *self._shared, self._text]
        self.redraw()

    def paint(self) -> None:
        """Show the law with the share and the cores of the sliders."""
        share, cores = float(self.share.value), int(self.cores.value)
        self._curve.update(share, cores)
        for serial, shared, count in zip(self._serial, self._shared, (1, cores), strict=True):
            serial.set_height(share)
            shared.set(y=share, height=(1.0 - share) / count)
        self._text.set_text(self._sentence(share, cores))

    @property
    def message(self) -> str:
        """The line above the picture: speed-up, efficiency, and the ceiling."""
        return str(self._text.get_text())

    def _sentence(self, share: float, cores: int) -> str:
        gained = float(speed_up(share, cores))
        counted = "1 core" if cores == 1 else f"{cores:,} cores"
        return f"{counted}: speed-up {gained:.3g}, efficiency {100 * gained / cores:.0f} %; never above {1 / share:.3g}"
