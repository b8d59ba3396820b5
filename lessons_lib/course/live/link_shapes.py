"""Arms that the page draws with published meshes, packed by `front/shapes.py`, and the centre lines of the meshes."""

from functools import cache

import numpy as np

from lessons_lib.robots import ROBOTS, Chain
from lessons_lib.robots.stick_figure import Skeleton, skeleton

SHAPES = ("ur10", "panda")
"""The names in `ROBOTS` of the arms with published meshes."""

ASIDE = {"ur10": {1: 0.175, 2: -0.126}}
"""The offsets of the centre line along each joint axis, in m.

A Denavit-Hartenberg table does not contain them: along parallel axes they are arbitrary."""

SAME = 1e-12
"""An arm whose screw entries differ by at most this from the published ones is drawn in the published shape."""


def shape_of(chain: Chain) -> str | None:
    """Return the name of a chain's published shape, or None."""
    for name, screws in _screws().items():
        if chain.screws.shape == screws.shape and np.abs(chain.screws - screws).max() <= SAME:
            return name
    return None


def skeleton_of(chain: Chain, like: Chain | None = None) -> Skeleton:
    """Return the corners of the drawn links: through the published shape of the chain, or of an arm that it is like."""
    return skeleton(chain, ASIDE.get(shape_of(like or chain) or "", {}))


@cache
def _screws() -> dict[str, np.ndarray]:
    return {name: ROBOTS[name]().screws for name in SHAPES}
