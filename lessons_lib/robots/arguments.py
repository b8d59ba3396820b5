"""A robot that a caller gives is one, or the message says how to make one."""

from __future__ import annotations

from lessons_lib.errors import ParameterError
from lessons_lib.robots.chain import Chain
from lessons_lib.robots.tree import Tree


def check_chain(given: object, name: str = "chain") -> None:
    """Raise ParameterError unless something is a chain; `name` is what a caller calls it."""
    if not isinstance(given, Chain):
        raise ParameterError(
            f"{name} is a {type(given).__name__}; make one with robots.ur10(), robots.from_screws(), …"
        )


def check_tree(given: object, name: str = "model") -> None:
    """Raise ParameterError unless something is a tree; `name` is what a caller calls it."""
    if not isinstance(given, Tree):
        raise ParameterError(f"{name} is a {type(given).__name__}; make a tree with robots.load_urdf(…)")
