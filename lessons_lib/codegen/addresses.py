"""Addresses of kernels (w, opcode), so that a loop compiled once can run the kernels of any arm."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from lessons_lib.codegen.machine import has_llvm
from lessons_lib.codegen.native import Native

KERNEL = ("f1", "i")
"""Argument types of a kernel, which returns nothing."""

_KERNEL_TYPE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(ctypes.c_double), ctypes.c_int64, ctypes.c_int64)
"""A kernel in machine code: heap, address and size of the array, opcode."""


class KernelAddress(int):
    """Address of a kernel for machine code; plain Python calls the object itself."""

    kernel: Native
    callback: Any = None

    def __call__(self, w: Any, which: int) -> None:
        self.kernel(w, which)


def address_of(kernel: Native) -> KernelAddress:
    """Return the address of a kernel, valid while referenced; if LLVM fails, that of a callback to Python."""
    overload, callback = kernel.compile(KERNEL), None
    if overload is not None:
        place = overload.address
    elif has_llvm():
        callback = _KERNEL_TYPE(lambda _, w, size, which: kernel(np.ctypeslib.as_array(w, (size,)), which))
        place = ctypes.cast(callback, ctypes.c_void_p).value or 0
    else:
        place = 0
    address = KernelAddress(place)
    address.kernel, address.callback = kernel, callback
    return address


def call_at(kernel: Any, w: Any, which: int) -> None:
    """Run a kernel; translate.py writes a call to its address."""
    kernel(w, which)


call_at.calls_at = True  # type: ignore[attr-defined]
