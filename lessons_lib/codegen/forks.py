"""Forks wait until no thread loads or compiles: the child would inherit the lock of a thread that it does not have.

Numba sees to nothing of the kind for its own lock, so that is held here, too, once Numba is there.
"""

import os
import sys
import threading
from typing import Any

loading = threading.RLock()
"""Held while a generated module is made and loaded."""

_held: list[Any] = []


def _before() -> None:
    loading.acquire()
    compiler: Any = getattr(sys.modules.get("numba.core.compiler_lock"), "global_compiler_lock", None)
    if compiler is not None:
        compiler.acquire()
        _held.append(compiler)
    _held.append(loading)


def _after() -> None:
    while _held:
        _held.pop(0).release()


if hasattr(os, "register_at_fork"):  # a process started anew (subprocess, spawn) is none of these
    os.register_at_fork(before=_before, after_in_parent=_after, after_in_child=_after)
