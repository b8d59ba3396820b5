"""Locks, held during a fork: a child would inherit a lock without the thread that holds it.

A thread that makes, loads or compiles a module holds `loading`, and besides it at most the parser's lock and llvmlite's
own, always in this order.
"""

import contextlib
import gc
import logging  # noqa: F401 (before our own hook is registered: see below)
import os
import sys
import threading
from collections.abc import Iterator
from typing import Any

loading = threading.RLock()
"""Held while a generated module is made, loaded or compiled."""

parsing = threading.RLock()
"""Held while a text is parsed: the parser of CPython counts its depth of recursion once for all threads, so two that
parse at once may end in a `SystemError` (https://github.com/python/cpython/issues/106905)."""

_held = contextlib.ExitStack()


def _before_fork() -> None:
    _held.enter_context(loading)
    llvm: Any = getattr(getattr(sys.modules.get("llvmlite.binding.ffi"), "lib", None), "_lock", None)
    if llvm is not None:
        _held.enter_context(llvm)
    _held.enter_context(parsing)


# Hooks run before a fork in the reverse order of their registration: ours waits for threads that load, so it must run
# before that of `logging`, whose lock such a thread may still need.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_parent=_held.close, after_in_child=_held.close)


@contextlib.contextmanager
def gc_paused() -> Iterator[None]:
    """Pause the garbage collector: deriving and compiling make millions of objects that live on."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
