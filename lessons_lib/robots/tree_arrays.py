"""The numbers of a tree in flat arrays, for compiled code."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from lessons_lib.arrays import Array, Integers


@dataclass(frozen=True)
class TreeArrays:
    """What crosses into compiled code; tree_loops.py says what it does with each. All are read-only.

    Attributes:
        joints: A row for each moving joint, parents first; its places are named in tree_layout.py, shape (n, 5).
        placements: Where each joint sits in the frame of its parent joint, its own axis along z, shape (n, 4, 4).
        ratios: Multiplier and offset of each joint's coordinate, shape (n, 2).
        bodies: Mass [kg] and first moment [kg m] of what is fixed to each joint, after a row for {s}, shape (1 + n, 4).
        carriers: The joint that carries each frame, counted from 1; 0 is {s}; shape (frames,).
        offsets: Each frame in the frame of the joint that carries it, shape (frames, 4, 4).
        periods: 2π for a rate whose joint a whole revolution brings back, else 0, shape (nv,).
    """

    joints: Integers
    placements: Array
    ratios: Array
    bodies: Array
    carriers: Integers
    offsets: Array
    periods: Array

    def __post_init__(self) -> None:
        """Make the arrays read-only."""
        for field in fields(self):
            getattr(self, field.name).setflags(write=False)

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take the fields, read-only as before."""
        self.__dict__.update(state)
        self.__post_init__()
