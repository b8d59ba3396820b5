"""Kernels called by their address: a loop that is compiled once runs the kernels of every arm.

A kernel is a function (w, which) of an array and of a number that says what to do.
"""

from __future__ import annotations

from typing import Any

from lessons_lib.codegen.native import Native

KERNEL = ("f1", "i")
"""The types of what a kernel is given; it gives nothing back."""


def address_of(kernel: Native) -> Any:
    """Return where the machine code of a kernel begins, for as long as the kernel lives; without any, the kernel."""
    overload = kernel.compile(KERNEL)
    return kernel if overload is None else overload.address


def call_at(kernel: Any, w: Any, which: int) -> None:
    """Run a kernel: from machine code by its address, which translate.py writes as a jump."""
    kernel(w, which)


call_at.calls_at = True  # type: ignore[attr-defined]
