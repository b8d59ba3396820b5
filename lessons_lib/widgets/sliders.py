"""The sliders of every explorer. What a slider holds is what it shows, and showing it changes nothing.

A browser puts a slider on the nearest place `min + k·step` as soon as it appears, with an error of rounding, and writes
that back. From an end that is no multiple of the step, such as −2π, the place nearest to 0 is not 0.
"""

from decimal import Decimal
from math import ceil, floor, log10
from typing import Any

import ipywidgets as widgets
from traitlets import validate

HAIR = 1e-6
"""Part of a step by which an end may miss its place and still be meant: the rounding of degrees from radians."""

FINEST = 1e-6
"""No step becomes finer: the ends of a joint that cannot move are one."""

PREFERRED = (
    1.0, 1.12, 1.25, 1.4, 1.6, 1.8, 2.0, 2.24, 2.5, 2.8, 3.15, 3.55, 4.0, 4.5, 5.0, 5.6, 6.3, 7.1, 8.0, 9.0,
)  # fmt: skip
"""Twenty numbers a decade, each about 12 % above the last (ISO 3, series R 20): powers of ten in round numbers."""


class GridSlider(widgets.FloatSlider):  # type: ignore[misc]
    """A slider whose ends and value are whole multiples of its step, whoever sets them.

    Attributes:
        value: A multiple of the step to the last bit, though a browser sends it with its rounding.
    """

    def __init__(self, value: float, lower: float, upper: float, step: float, **looks: Any) -> None:
        """Make the slider.

        Args:
            value: Where it stands at first; the nearest place is taken.
            lower: Its least value; the first place from here on is taken.
            upper: Its largest value; the last place up to here is taken.
            step: From place to place; a tenth of it, and again, where the ends hold fewer than three places. The
                readout shows as many decimals as it has.
            **looks: What else a `FloatSlider` takes.
        """
        while upper - lower < 2.0 * step and step > FINEST:
            step = round(step / 10.0, 12)
        first = ceil(lower / step - HAIR)
        self._step, self._places = step, (first, max(first, floor(upper / step + HAIR)))
        ends = {"min": self._at(self._places[0]), "max": self._at(self._places[1])}
        looks.setdefault("readout_format", f".{_decimals(step)}f")
        super().__init__(value=self.nearest(value), step=step, **ends, **looks)

    def nearest(self, value: float) -> float:
        """Return the value of the place nearest to this one, as the slider shows it."""
        first, last = self._places
        return self._at(min(max(round(value / self._step), first), last))

    def set_state(self, sync_data: dict[str, Any]) -> None:
        """Take what a browser sends, its value without the rounding."""
        if "value" in sync_data:
            sync_data = {**sync_data, "value": self.nearest(sync_data["value"])}
        super().set_state(sync_data)

    @validate("value")
    def _validate_value(self, proposal: dict[str, Any]) -> float:
        return self.nearest(proposal["value"])

    def _at(self, place: int) -> float:
        return round(place * self._step, 12) + 0.0


def log_slider(value: float, lower: float, upper: float, **looks: Any) -> Any:
    """Return a slider of the preferred numbers from `lower` to `upper`, so that a factor is everywhere as far.

    Its value may be set to any number: the nearest of its own is taken.

    Args:
        value: Where it stands at first.
        lower: Its least value, positive.
        upper: Its largest value.
        **looks: What else a `SelectionSlider` takes.
    """
    first, last = _place(lower), _place(upper)
    numbers = [_preferred(place) for place in range(first, last + 1)]

    def is_nearest(own: float, given: float) -> bool:
        return _place(own) == min(max(_place(given), first), last)

    options = [(f"{number:g}", number) for number in numbers]
    return widgets.SelectionSlider(options=options, value=value, equals=is_nearest, **looks)


def _preferred(place: int) -> float:
    decade, rest = divmod(place, len(PREFERRED))
    return float(f"{PREFERRED[rest]}e{decade}")


def _place(value: float) -> int:
    return round(len(PREFERRED) * log10(value))


def _decimals(step: float) -> int:
    exponent = Decimal(str(step)).normalize().as_tuple().exponent
    return max(0, -int(exponent))
