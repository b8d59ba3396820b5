"""Who needs a generated module: it stays in memory until the last of its owners is gone.

An owner may go at any time and in any thread, in the middle of a collection. So its finalizer only notes that, and
clears up itself only where that needs no waiting; what is left is done when the next module is loaded.
"""

import linecache
import sys
import weakref
from collections import deque
from itertools import count
from types import ModuleType

from lessons_lib.codegen.forks import loading

_owners: dict[str, set[int]] = {}
_gone: deque[tuple[str, int]] = deque()
_numbers = count()
_FOR_GOOD = -1


def own(name: str, owner: object) -> None:
    """Keep the module of this name for as long as `owner` lives, for good if that is None; `loading` is held."""
    number = _FOR_GOOD if owner is None else next(_numbers)
    _owners.setdefault(name, set()).add(number)
    if owner is not None:
        weakref.finalize(owner, _note, name, number).atexit = False


def own_again(module: ModuleType, owner: object) -> None:
    """Keep a module that another one needs, too, and let it be found where its former owners are gone."""
    own(module.__name__, owner)
    sys.modules.setdefault(module.__name__, module)


def _note(name: str, number: int) -> None:
    _gone.append((name, number))
    if loading.acquire(blocking=False):
        try:
            clear_up()
        finally:
            loading.release()


def clear_up() -> None:
    """Let go of the modules whose owners are all gone; `loading` is held.

    A collection may begin anywhere in here and call this once more, so each step may be done twice.
    """
    while _gone:
        try:
            name, number = _gone.popleft()
        except IndexError:
            return
        left = _owners.get(name, set())
        left.discard(number)
        if not left and _owners.pop(name, None) is not None:
            module = sys.modules.pop(name, None)
            if module is not None:
                linecache.cache.pop(str(getattr(module, "__file__", f"<{name}>")), None)
