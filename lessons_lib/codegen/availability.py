"""Whether there is machine code: LLVM is there, arrays lie where `door` looks for them, and nothing has failed yet."""

import ctypes
import os
from functools import lru_cache

import numpy as np

from lessons_lib.codegen.notice import warn

_faults: list[str] = []  # why there is no machine code, as soon as that is known


def available() -> bool:
    """Return whether there is machine code, as far as is known: LLVM is there, and has not failed yet."""
    return not _faults and has_llvm()


def give_up(fault: str) -> None:
    """Go on without machine code; a warning says why, once."""
    if not _faults:
        warn(f"no machine code, everything runs as plain Python, which is slow: {fault}")
        _faults.append(fault)


@lru_cache(maxsize=1)
def has_llvm() -> bool:
    """Return whether LLVM is there, and arrays lie where `door` looks for them."""
    if os.environ.get("LESSONS_PLAIN", "0") not in ("", "0"):
        return False
    try:
        from lessons_lib.codegen.machine import HEAD, llvm

        llvm()
        array = np.arange(6.0).reshape(2, 3)
        head, pointer = id(array) + HEAD, ctypes.c_void_p.from_address
        found = (pointer(head).value, pointer(head + 40).value, ctypes.c_int.from_address(head + 8).value)
        dims = (ctypes.c_ssize_t * 2).from_address(int(pointer(head + 16).value or 0))
        bits = ctypes.c_int.from_address(head + 48).value
        expected = (array.ctypes.data, id(array.dtype), 2)
        fits = found == expected and tuple(dims) == (2, 3) and bits & 0x501 == 0x501
    except Exception as fault:  # noqa: BLE001 (of whatever kind: no LLVM, or one of another version)
        give_up(f"{type(fault).__name__}: {fault}")
        return False
    if not fits:
        give_up("NumPy's arrays lie otherwise in memory")
    return fits
