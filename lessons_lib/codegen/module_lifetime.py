"""Lifetime of generated modules: each stays in memory until its last owner is freed."""
# finalizers may run in any thread, so they release modules only if the lock is free; otherwise the next load does

import linecache
import sys
import weakref
from collections import deque
from itertools import count
from types import ModuleType

from lessons_lib.codegen.locks import loading

_owners: dict[str, set[int]] = {}
_dead_owners: deque[tuple[str, int]] = deque()
_ids = count()
_FOREVER = -1


def retain(name: str, owner: object) -> None:
    """Keep a module while `owner` lives, or forever if that is None; the caller holds `loading`."""
    number = _FOREVER if owner is None else next(_ids)
    _owners.setdefault(name, set()).add(number)
    if owner is not None:
        weakref.finalize(owner, _record_dead_owner, name, number).atexit = False


def retain_again(module: ModuleType, owner: object) -> None:
    """Keep a module that another one needs; register it again if it was released."""
    retain(module.__name__, owner)
    sys.modules.setdefault(module.__name__, module)


def _record_dead_owner(name: str, number: int) -> None:
    _dead_owners.append((name, number))
    if loading.acquire(blocking=False):
        try:
            release_unowned()
        finally:
            loading.release()


def release_unowned() -> None:
    """Release modules without owners; the caller holds `loading`, and garbage collection may call this recursively."""
    while _dead_owners:
        try:
            name, number = _dead_owners.popleft()
        except IndexError:
            return
        left = _owners.get(name, set())
        left.discard(number)
        if not left and _owners.pop(name, None) is not None:
            module = sys.modules.pop(name, None)
            if module is not None:
                linecache.cache.pop(str(getattr(module, "__file__", f"<{name}>")), None)
