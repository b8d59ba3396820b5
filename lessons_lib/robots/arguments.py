"""Checks of chains and trees that a caller passes."""

from __future__ import annotations

from os import PathLike

import numpy as np

from lessons_lib.errors import ParameterError
from lessons_lib.robots.chain import Chain
from lessons_lib.robots.tree import Tree


def check_chain(value: object, name: str = "chain") -> None:
    """Raise ParameterError with a hint unless the value is a chain; `name` is the argument's name."""
    if not isinstance(value, Chain):
        how = "make one with robots.ur10(), robots.from_dh(rows), robots.from_urdf(file) or robots.from_screws(…)"
        if isinstance(value, Tree):
            how = "robots.from_urdf(file, base, tip) reads a serial chain from a tree"
        elif isinstance(value, str | PathLike):
            how = "make one with robots.ur10(), robots.from_urdf(file, base, tip) or robots.load_dh(file)"
        elif isinstance(value, np.ndarray):
            how = "use robots.from_screws(screws, home) for screws, robots.from_dh(rows) for a DH table"
        raise ParameterError(f"{name} must be a chain, got a {type(value).__name__}; {how}")


def check_tree(value: object, name: str = "model") -> None:
    """Raise ParameterError unless the value is a tree; `name` is the argument's name."""
    if not isinstance(value, Tree):
        raise ParameterError(f"{name} must be a tree, got a {type(value).__name__}; make one with robots.load_urdf(…)")
