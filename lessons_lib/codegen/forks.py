"""Forks wait until no thread loads or compiles: the child would inherit the lock of a thread that it does not have.

Whatever makes, loads or compiles a module holds `loading`, and no lock besides but that of the parser. llvmlite sees to
nothing of the kind for its own lock, so that is held here, too, once it is there: always in this order.
"""

import contextlib
import logging  # noqa: F401 (before our own hook is registered: see below)
import os
import sys
import threading
from typing import Any

from lessons_lib.codegen.syntax import parsing

loading = threading.RLock()
"""Held while a generated module is made, loaded or compiled; nobody may wait for it who compiles already."""

_held = contextlib.ExitStack()


def _before() -> None:
    _held.enter_context(loading)
    llvm: Any = getattr(getattr(sys.modules.get("llvmlite.binding.ffi"), "lib", None), "_lock", None)
    if llvm is not None:
        _held.enter_context(llvm)
    _held.enter_context(parsing)


def _after() -> None:
    _held.close()


# Hooks run before a fork in the reverse order of their registration. So ours, which waits for whoever loads, comes
# before that of `logging`, which takes a lock that whoever loads may still need.
if hasattr(os, "register_at_fork"):  # a process started anew (subprocess, spawn) is none of these
    os.register_at_fork(before=_before, after_in_parent=_after, after_in_child=_after)
