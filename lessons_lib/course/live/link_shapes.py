"""Arms that the page draws with their published shapes, packed by `front/shapes.py`, and where their lines go."""

from functools import cache

import numpy as np

from lessons_lib.robots import ROBOTS, Chain
from lessons_lib.robots.stick_figure import Skeleton, skeleton

SHAPES = ("ur10", "panda")
"""Names of the arms that have a published shape, out of `ROBOTS`."""

ASIDE = {"ur10": {1: 0.175, 2: -0.126}}
"""How far a line through the middle of the shape goes along the axis of a joint, counted from zero, m.

A table of Denavit-Hartenberg rows knows no such lengths: along parallel axes they may be anywhere."""

SAME = 1e-12
"""Of a screw's entry: an arm with these screws is the published one."""


def shape_of(chain: Chain) -> str | None:
    """Return the name of the shape that a chain has, if it has one."""
    for name, screws in _screws().items():
        if chain.screws.shape == screws.shape and np.abs(chain.screws - screws).max() <= SAME:
            return name
    return None


def skeleton_of(chain: Chain, like: Chain | None = None) -> Skeleton:
    """Return where to draw the links of a chain: through its published shape, or that of an arm that it is like."""
    return skeleton(chain, ASIDE.get(shape_of(like or chain) or "", {}))


@cache
def _screws() -> dict[str, np.ndarray]:
    return {name: ROBOTS[name]().screws for name in SHAPES}
