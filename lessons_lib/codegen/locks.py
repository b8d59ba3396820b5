"""Locks that a fork acquires first: otherwise a child could inherit a lock without the thread that releases it."""
# a thread that holds `loading` may acquire the parser's lock and then llvmlite's, always in this order

import contextlib
import gc
import logging  # noqa: F401 (before our own hook is registered: see below)
import os
import sys
import threading
from collections.abc import Iterator
from typing import Any

loading = threading.RLock()
"""Held while a generated module is derived, loaded or compiled."""

parsing = threading.RLock()
"""Held while a text is parsed: CPython's parser counts its recursion depth in all threads together, so that concurrent
calls may raise SystemError (https://github.com/python/cpython/issues/106905)."""

_held = contextlib.ExitStack()


def _before_fork() -> None:
    _held.enter_context(loading)
    llvm: Any = getattr(getattr(sys.modules.get("llvmlite.binding.ffi"), "lib", None), "_lock", None)
    if llvm is not None:
        _held.enter_context(llvm)
    _held.enter_context(parsing)


# Before a fork, hooks run in reverse order of registration. Ours waits for threads that load, so it must run before the
# hook of `logging`, whose lock such a thread may still need.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_parent=_held.close, after_in_child=_held.close)


@contextlib.contextmanager
def gc_paused() -> Iterator[None]:
    """Pause the garbage collector: deriving and compiling create millions of objects that stay alive."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
