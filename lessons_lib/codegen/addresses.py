"""Kernels called by their address: a loop that is compiled once runs the kernels of every arm.

A kernel is a function (w, which) of an array and of a number that says what to do.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lessons_lib.codegen.native import Native

KERNEL = ("f1", "i")
"""The types of what a kernel is given; it gives nothing back."""


class Address(int):
    """The address of a compiled kernel, which plain Python can call, too; it keeps the kernel in memory."""

    kernel: Native

    def __call__(self, w: Any, which: int) -> None:
        """Run the kernel."""
        self.kernel(w, which)


def address_of(kernel: Native) -> Any:
    """Return the address of a kernel, or the kernel itself if there is no machine code."""
    overload = kernel.compile(KERNEL)
    if overload is None:
        return kernel
    address = Address(overload.address)
    address.kernel = kernel
    return address


def loop_with(loop: Native, kernel: Any) -> Callable[..., Any]:
    """Return a loop that calls a kernel: compiled if the kernel is compiled, otherwise plain Python.

    LLVM may fail after the loop was compiled; a compiled loop can only jump to an address.
    """
    return loop if isinstance(kernel, int) else loop.otherwise


def call_at(kernel: Any, w: Any, which: int) -> None:
    """Run a kernel: from machine code by its address, which translate.py writes as a jump."""
    kernel(w, which)


call_at.calls_at = True  # type: ignore[attr-defined]
