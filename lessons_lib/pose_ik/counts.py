"""Numbers of steps, starts and samples: checked once, and never more than a person would wait for."""

from __future__ import annotations

import numpy as np

from lessons_lib.errors import ParameterError

MOST = 1_000_000
"""The largest count: compiled, a million failing starts take about half a minute."""


def check_count(name: str, value: object, least: int) -> None:
    """Raise ParameterError unless `value` is a whole number from `least` to MOST."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not least <= value <= MOST:
        raise ParameterError(f"{name} is {value!r}; it counts, so it is a whole number from {least} to {MOST:,}")
