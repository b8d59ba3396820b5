"""Print kernels as source text, by SymPy's printers extended with Stumpff functions, and compile them."""

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
    """Print kernels as functions of one module.

    >>> import sympy as sp
    >>> from lessons_lib import codegen
    >>> t = sp.Symbol("t", real=True)
    >>> kernel = codegen.Kernel("square_kernel", {"x": sp.Matrix([t])}, {"y": sp.Matrix([t**2])})
    >>> "square_kernel" in codegen.source([kernel], "c")
    True

    Args:
        kernels: Kernels to print.
        target: "numpy", "scalar", "javascript", "c" or "array_api".

    Returns:
        The source text of the module.

    Raises:
        CodegenError: The target is unknown, it lacks a function, or a name is a reserved word of its language.
    """
    kernels = _check_kernels(kernels)
    if target not in _TARGETS:
        *others, last = (repr(name) for name in _TARGETS)
        raise CodegenError(f"target must be {', '.join(others)} or {last}, got {target!r}")
    orders = sorted({int(f.args[0]) for k in kernels for e in all_expressions(k) for f in e.atoms(stumpff)})
    try:
        return _TARGETS[target]().module_text(kernels, orders)
    except PrintMethodNotImplementedError as error:
        raise CodegenError(f"target {target!r} cannot print an expression: {str(error).splitlines()[0]}") from error


def compiled(kernels: Iterable[Kernel]) -> SimpleNamespace:
    """Compile kernels in memory; `source(kernels, "scalar")` is their text.

    >>> import numpy as np
    >>> import sympy as sp
    >>> from lessons_lib import codegen
    >>> t = sp.Symbol("t", real=True)
    >>> kernel = codegen.Kernel("square_kernel", {"x": sp.Matrix([t])}, {"y": sp.Matrix([t**2])})
    >>> y = np.empty(1)
    >>> codegen.compiled([kernel]).square_kernel(np.array([3.0]), y)
    >>> y.tolist()
    [9.0]

    Args:
        kernels: Kernels to compile.

    Returns:
        A namespace with one function per kernel, each compiled at its first call. A function takes the kernel's inputs
        and then its outputs as float64 arrays, and writes the outputs. Because machine code does not check indices, the
        function raises ArgumentError unless each array has the shape of its matrix, (n,) for a column.

    Raises:
        CodegenError: As `source`.
    """
    kernels = _check_kernels(kernels)
    text = "from lessons_lib.codegen.native import native\n\n" + add_decorators(source(kernels, "scalar"))
    space: dict[str, Any] = {}
    run(text, f"<kernels {hashlib.sha256(text.encode()).hexdigest()[:12]}>", space)
    return SimpleNamespace(**{kernel.name: _with_checked_shapes(kernel, space[kernel.name]) for kernel in kernels})


def _check_kernels(kernels: object) -> list[Kernel]:
    if not isinstance(kernels, Iterable):
        raise CodegenError(
            f"kernels must be a list of kernels, got a {type(kernels).__name__}; put it in a list: [kernel]"
        )
    listed = list(kernels)
    for one in listed:
        if not isinstance(one, Kernel):
            raise CodegenError(f"kernels must be Kernel(name, inputs, outputs), got {one!r}")
    return listed


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
