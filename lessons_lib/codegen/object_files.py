"""Object files on disk, beside the text of the module that they belong to."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable
from pathlib import Path

from lessons_lib.codegen.machine import processor
from lessons_lib.codegen.trust import unsealed, write_sealed


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
