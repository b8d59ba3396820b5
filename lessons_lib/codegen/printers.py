"""Kernels → source text, written by SymPy's own printers, which are taught the Stumpff functions."""

import hashlib
from collections.abc import Callable, Iterable
from functools import wraps
from types import SimpleNamespace
from typing import Any

import numpy as np
from sympy.printing.codeprinter import PrintMethodNotImplementedError

from lessons_lib.codegen.cache import run
from lessons_lib.codegen.export_targets import ArrayApiTarget, CTarget, JavascriptTarget
from lessons_lib.codegen.expressions import SERIES_TERMS, Target, all_expressions
from lessons_lib.codegen.kernel import Kernel
from lessons_lib.codegen.numpy_target import NumpyTarget
from lessons_lib.codegen.plain_files import add_decorators
from lessons_lib.codegen.scalar_target import ScalarTarget
from lessons_lib.errors import ArgumentError, CodegenError
from lessons_lib.symbolic.stumpff_functions import stumpff

__all__ = ["SERIES_TERMS", "compiled", "source"]

_TARGETS: dict[str, type[Target]] = {
    "numpy": NumpyTarget,
    "scalar": ScalarTarget,
    "javascript": JavascriptTarget,
    "c": CTarget,
    "array_api": ArrayApiTarget,
}


def source(kernels: Iterable[Kernel], target: str) -> str:
    """Return the text of a module with the kernels as functions.

    Args:
        kernels: What to generate.
        target: "numpy", "scalar", "javascript", "c" or "array_api".

    Raises:
        CodegenError: Unknown target, a function that the target does not have, or a name that is a word of the target's
            language.
    """
    kernels = list(kernels)
    if target not in _TARGETS:
        *others, last = (repr(name) for name in _TARGETS)
        raise CodegenError(f"unknown target {target!r}; valid targets are {', '.join(others)} and {last}")
    orders = sorted({int(f.args[0]) for k in kernels for e in all_expressions(k) for f in e.atoms(stumpff)})
    try:
        return _TARGETS[target]().module_text(kernels, orders)
    except PrintMethodNotImplementedError as error:
        raise CodegenError(f"target {target!r} cannot print this: {str(error).splitlines()[0]}") from error


def compiled(kernels: Iterable[Kernel]) -> SimpleNamespace:
    """Compile kernels for this process; `source(kernels, "scalar")` is their text.

    Args:
        kernels: The kernels.

    Returns:
        A namespace of functions by name, each compiled at its first call. A function takes the kernel's inputs, then
        its outputs, as arrays of float64, and writes the outputs. It raises ArgumentError if an array has another
        shape than its matrix, (n,) for a column, because machine code does not check indices.

    Raises:
        CodegenError: As `source`.
    """
    kernels = list(kernels)
    text = "from lessons_lib.codegen.native import native\n\n" + add_decorators(source(kernels, "scalar"))
    space: dict[str, Any] = {}
    run(text, f"<kernels {hashlib.sha256(text.encode()).hexdigest()[:12]}>", space)
    return SimpleNamespace(**{kernel.name: _with_checked_shapes(kernel, space[kernel.name]) for kernel in kernels})


def _with_checked_shapes(kernel: Kernel, function: Callable[..., None]) -> Callable[..., None]:
    arrays = {**kernel.inputs, **kernel.outputs}
    shapes = {name: (one.rows,) if kernel.is_column(name) else one.shape for name, one in arrays.items()}
    expected = tuple(shapes.values())
    if kernel.stacked:
        return function

    @wraps(function)
    def call_checked(*arguments: Any) -> None:
        if tuple([getattr(one, "shape", None) for one in arguments]) != expected:
            for (name, shape), one in zip(shapes.items(), arguments, strict=False):
                got = f"one of shape {one.shape}" if isinstance(one, np.ndarray) else f"a {type(one).__name__}"
                if getattr(one, "shape", None) != shape:
                    raise ArgumentError(f"{name} of kernel {kernel.name} must be an array of shape {shape}, got {got}")
        function(*arguments)

    return call_checked
