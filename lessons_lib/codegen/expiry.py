"""Which generated files go. Any process may look at any time, and waits for no other.

A module's file and the machine code beside it go together, where nobody has used them for `UNUSED`; those of other
versions of the library are among them, for which nobody asks any more. Beyond `LARGEST` in all, the longest unused go
first, but none that was used within the last hour. What a process left that died while it was writing goes, too.

When a module was last used is the time of access of its file, set when it is loaded. A file that goes under the hands
of another process costs that one a derivation or a compilation at most: what it has loaded stays in its memory.
"""

import contextlib
import os
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

HOUR, DAY = 3600.0, 86400.0
UNUSED = 30 * DAY
LARGEST = 512 * 2**20
"""Bytes of a folder; an arm takes 8 MB with all its methods."""

PREFIX = "lessons_lib_generated_"

_looked: dict[Path, float] = {}


def note_use(path: Path) -> None:
    """Note that a module is used now, unless that was noted within the last day."""
    now = time.time()
    with contextlib.suppress(OSError):
        found = path.stat()
        if now - found.st_atime > DAY:
            os.utime(path, ns=(int(now * 1e9), found.st_mtime_ns))


def remove_old(folder: Path) -> None:
    """Remove what has expired in a folder; at most once an hour, for whoever asks because something was written."""
    now = time.time()
    if now - _looked.get(folder, 0.0) < HOUR:
        return
    _looked[folder] = now
    with contextlib.suppress(OSError):
        for path in expired(folder, now):
            path.unlink(missing_ok=True)


def expired(folder: Path, now: float) -> Iterator[Path]:
    """Yield the files of a folder that may go, machine code before the module that it belongs to."""
    modules: dict[str, list[tuple[Path, os.stat_result]]] = defaultdict(list)
    for path in (*folder.glob(f"{PREFIX}*"), *folder.glob("tmp*.tmp")):
        with contextlib.suppress(OSError):  # another process has removed it
            found = path.stat()
            if path.suffix in (".py", ".o"):
                modules[path.name.split(".")[0]].append((path, found))
            elif now - found.st_mtime > HOUR:
                yield path
    sizes = {name: sum(found.st_size for _, found in files) for name, files in modules.items()}
    used = {name: max(_last_use(*file) for file in files) for name, files in modules.items()}
    whole = sum(sizes.values())
    for name in sorted(modules, key=lambda name: used[name]):
        age = now - used[name]
        if age > UNUSED or (whole > LARGEST and age > HOUR):
            whole -= sizes[name]
            yield from sorted((path for path, _ in modules[name]), key=lambda path: path.suffix == ".py")


def _last_use(path: Path, found: os.stat_result) -> float:
    """Return when a file was written, or its module used; whoever reads machine code has read its module."""
    return max(found.st_mtime, found.st_atime) if path.suffix == ".py" else found.st_mtime
