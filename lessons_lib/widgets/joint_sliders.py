"""A slider for a joint: degrees for people, rad and metres for the library."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.robots import Chain
from lessons_lib.widgets.sliders import GridSlider


def joint_slider(chain: Chain, joint: int, value: float) -> GridSlider:
    """Return the slider of one joint, in degrees or m, over the range in which random configurations are drawn.

    Args:
        chain: Whose joint.
        joint: Index of the joint, from 0.
        value: Where the slider stands at first, rad or m; the nearest whole degree or centimetre is taken.
    """
    turns = chain.joint_types[joint] != "prismatic"
    unit, symbol, step = (180.0 / np.pi, "°", 1.0) if turns else (1.0, "m", 0.01)
    lower, upper = np.round(unit * chain.sampling_limits[joint], 6)
    return GridSlider(unit * value, lower, upper, step, description=f"q{joint + 1} [{symbol}]")


def configuration_of(chain: Chain, sliders: Sequence[Any]) -> Array:
    """Return the configuration that the sliders show, within the chain's limits, shape (n,), rad or m."""
    unit = np.where(np.array(chain.joint_types) == "prismatic", 1.0, np.pi / 180.0)
    shown = unit * np.array([slider.value for slider in sliders])
    within: Array = np.clip(shown, *chain.limits.T)  # a slider's end may lie one rounding beyond the limit
    return within
