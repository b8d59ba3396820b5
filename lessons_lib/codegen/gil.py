"""What holds Python's global lock has its arrays to itself; a Python without that lock needs another one."""

import sys
import threading
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

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
