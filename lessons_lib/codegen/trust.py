"""What lies in the cache will be run: is it this user's, and is it as it was written?

A file belongs to whoever owns it, and to everybody who may write it or one of the folders above it. So a folder that is
not this user's alone is not used. That is no shield against a damaged disk: therefore every file ends in a seal, a hash
of its name and of all that stands before.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import tempfile
from collections.abc import Callable
from pathlib import Path

from lessons_lib.codegen.machine import processor

SEAL = hashlib.sha256().digest_size
"""Bytes at the end of a file."""


def why_not_ours(path: Path) -> str:
    """Return who else could write a folder or file, or what lies above it; empty where nobody but root can.

    On Windows, which keeps no owner in the mode, always empty: the user's folders are the user's own there.
    """
    if not hasattr(os, "getuid"):
        return ""
    place = path.resolve()
    return _others(place, 0o022) or next(filter(None, (_others(parent, 0o002) for parent in place.parents)), "")


def _others(path: Path, forbidden: int) -> str:
    found, ours = path.stat(), (0, os.getuid())
    if found.st_uid not in ours:
        return f"{path} belongs to the user with the number {found.st_uid}"
    if found.st_mode & forbidden and not (stat.S_ISDIR(found.st_mode) and found.st_mode & stat.S_ISVTX):
        return f"others may write {path}"
    shared = forbidden == 0o002 and found.st_mode & 0o020 and not found.st_mode & stat.S_ISVTX
    return f"its group may write {path}" if shared and found.st_gid not in (0, os.getgid()) else ""


def seal(path: str, content: bytes) -> bytes:
    """Return the seal of a file with this content: no other file's content passes for it."""
    return hashlib.sha256(Path(path).name.encode() + b"\0" + content).digest()


def is_sealed(path: str) -> bool:
    """Return whether a file is there, is this user's, and is to the last bit as it was written."""
    try:
        with Path(path).open("rb") as file:
            if hasattr(os, "getuid") and os.fstat(file.fileno()).st_uid not in (0, os.getuid()):
                return False
            whole = file.read()
    except OSError:
        return False
    return len(whole) > SEAL and whole[-SEAL:] == seal(path, whole[:-SEAL])


def unsealed(path: Path) -> bytes | None:
    """Return what a file holds before its seal; None where it is not there, not this user's, or was changed."""
    with contextlib.suppress(OSError):
        return path.read_bytes()[:-SEAL] if is_sealed(str(path)) else None
    return None


def write_sealed(path: Path, content: bytes) -> None:
    """Write a file with its seal.

    Raises:
        OSError: It cannot be written; then it is as it was before.
    """
    write_atomically(path, content + seal(path.name, content))


def write_atomically(path: Path, content: bytes) -> None:
    """Write beside the target and rename: another process sees the old file or the new one, never half of it."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def kept(folder: Path | None, name: str, about: str, make: Callable[[], bytes]) -> bytes:
    """Return what a file of a folder holds for this processor, made and written now if it is not there, or not whole.

    Args:
        folder: Where it lies; None where no folder can be written.
        name: How the file's name begins: with that of its module, behind a dot what it is.
        about: What else it hangs on.
        make: Makes it.
    """
    if folder is None:
        return make()
    about = hashlib.sha256(f"{about} {' '.join(processor())}".encode()).hexdigest()[:12]
    path = folder / f"{name}-{about}.o"
    content = unsealed(path)
    if content is None:
        content = make()
        with contextlib.suppress(OSError):  # the disk is full
            write_sealed(path, content)
    return content
