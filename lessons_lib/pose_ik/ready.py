"""What the search over lanes needs for one arm and question, found once; and arguments as it takes them."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.pose_ik import lanes, own_length
from lessons_lib.pose_ik.arguments import check_problem
from lessons_lib.pose_ik.goal import Goal
from lessons_lib.pose_ik.layout import EVALUATIONS_TIMES_JOINTS, JOINTS
from lessons_lib.pose_ik.methods import Stepping
from lessons_lib.pose_ik.problem import Problem
from lessons_lib.pose_ik.result import place_of_q
from lessons_lib.pose_ik.starts import Starts
from lessons_lib.pose_ik.stop import Stop
from lessons_lib.pose_ik.variants import is_compiled
from lessons_lib.robots import Chain

P = ParamSpec("P")
R = TypeVar("R")


def one_at_a_time(function: Callable[P, R]) -> Callable[P, R]:
    """Return what calls a compiled function that keeps the GIL and works in an array of its own, one caller at a time.

    With the GIL that is the function itself. A free-threaded Python has none, and each call takes a lock instead.
    """
    enabled: Any = getattr(sys, "_is_gil_enabled", None)  # since Python 3.13
    if enabled is None or enabled():
        return function
    lock = threading.Lock()

    @wraps(function)
    def alone(*arguments: P.args, **named: P.kwargs) -> R:
        with lock:
            return function(*arguments, **named)

    return alone


REAL = np.dtype(np.float64)
"""NumPy's own dtype of a double in this machine's byte order: an array's dtype is this very object."""

NUMBERS = frozenset({float, int, np.float64})
"""What a row of a list holds, mostly."""

PLAIN = np.ndarray
"""No masked array, which the compiled search would read without its mask."""


@dataclass(frozen=True, slots=True)
class Ready:
    """What the lanes need for one chain, method and stopping rule, found once.

    Attributes:
        problem: How to solve.
        names: The arguments that it stands for, kept so that no other object can take their place in memory.
        solve_pose: The compiled search over lanes, or None where the lanes do not know the method.
        room: What it is told, and where it works.
        size: Of a report.
        place: Of q in a report.
    """

    problem: Problem
    names: tuple[object, ...]
    solve_pose: Any
    room: Array
    size: int
    place: slice


def doubles(numbers: Any) -> Array:
    """Return numbers as an array of doubles, in rows, where it is quickly told that they are numbers.

    Raises:
        TypeError: It is not, and whoever looks at it longer has to say.
        ValueError: Its rows have unequal lengths.
    """
    if numbers.__class__ is not PLAIN:
        listed = numbers.__class__ in (list, tuple) and numbers
        rows = numbers if listed and numbers[0].__class__ in (list, tuple) else (numbers,)
        for row in rows:
            if not (row.__class__ in (list, tuple) and NUMBERS.issuperset(map(type, row))):
                raise TypeError
        return np.array(numbers, dtype=np.float64)
    if numbers.dtype.kind not in "fiu":
        raise TypeError
    return np.ascontiguousarray(numbers, dtype=np.float64)


def prepare(
    arm: Chain,
    method: Stepping | None,
    stop: Stop | None,
    goal: Goal | None,
    starts: Starts | None,
    timed: bool,
    key: Hashable,
) -> Ready:
    """Return what the lanes need, and remember it under `key`; equal arguments need the same."""
    names, value = (method, stop, goal, starts), (method, stop, goal, starts, timed)
    has_value = method is None or is_compiled(method)  # one of the reader's own may change, and still be equal
    found: Ready | None = arm.prepared.get(value) if has_value else None
    if found is None:
        problem = check_problem(arm, method, stop, starts, goal)
        search, room, own = None, np.empty(0), own_length.in_own_length(problem)
        if lanes.can_solve(own):
            search = one_at_a_time(lanes.entry_for(own, "solve_pose"))
            search = search if own is problem else own_length.search_in(problem, search)
            room = lanes.room_for(own, lanes.TIMED_SLICE if timed else EVALUATIONS_TIMES_JOINTS)
        found = Ready(problem, names, search, room, JOINTS + 2 * arm.dof, place_of_q(arm.dof))
    else:
        found = replace(found, names=names)
    if has_value:
        arm.prepare(value, found)  # the newest once more
    arm.prepare(key, found)
    return found
