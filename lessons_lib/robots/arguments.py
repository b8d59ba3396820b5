"""A robot that a caller gives is one, or the message says how to make one."""

from __future__ import annotations

from os import PathLike

import numpy as np

from lessons_lib.errors import ParameterError
from lessons_lib.robots.chain import Chain
from lessons_lib.robots.tree import Tree


def check_chain(given: object, name: str = "chain") -> None:
    """Raise ParameterError unless something is a chain; `name` is what a caller calls it."""
    if not isinstance(given, Chain):
        how = "make one with robots.ur10(), robots.from_dh(rows), robots.from_urdf(file) or robots.from_screws(…)"
        if isinstance(given, Tree):
            how = "robots.from_urdf(file, base, tip) makes a serial chain of a path through a tree"
        elif isinstance(given, str | PathLike):
            how = "robots.from_urdf(file, base, tip) reads one from a URDF, robots.load_dh(file) from a table"
        elif isinstance(given, np.ndarray):
            how = "robots.from_screws(screws, home) makes one of screws, robots.from_dh(rows) of a table"
        raise ParameterError(f"{name} must be a robots.Chain, got a {type(given).__name__}; {how}")


def check_tree(given: object, name: str = "model") -> None:
    """Raise ParameterError unless something is a tree; `name` is what a caller calls it."""
    if not isinstance(given, Tree):
        raise ParameterError(f"{name} is a {type(given).__name__}; make a tree with robots.load_urdf(…)")
