"""Kernels → source text, written by SymPy's own printers, which are taught the Stumpff functions."""

import hashlib
from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any

from sympy.printing.codeprinter import PrintMethodNotImplementedError

from lessons_lib.codegen import array_api_target, c_target, javascript_target, numpy_target, scalar_target
from lessons_lib.codegen.cache import run
from lessons_lib.codegen.expressions import SERIES_TERMS, all_expressions
from lessons_lib.codegen.kernel import Kernel
from lessons_lib.codegen.plain_files import marked
from lessons_lib.errors import CodegenError
from lessons_lib.symbolic.stumpff_functions import stumpff

__all__ = ["SERIES_TERMS", "compiled", "source"]

_TARGETS = {
    "numpy": numpy_target.module_text,
    "scalar": scalar_target.module_text,
    "javascript": javascript_target.module_text,
    "c": c_target.module_text,
    "array_api": array_api_target.module_text,
}


def source(kernels: Iterable[Kernel], target: str) -> str:
    """Return the text of a module with the kernels as functions.

    Args:
        kernels: What to generate.
        target: "numpy", "scalar", "javascript", "c" or "array_api".

    Raises:
        CodegenError: Unknown target, an expression with a function that the target does not have, or a name that is a
            word of the target's language.
    """
    kernels = list(kernels)
    if target not in _TARGETS:
        *others, last = (repr(name) for name in _TARGETS)
        raise CodegenError(f"unknown target {target!r}; valid targets are {', '.join(others)} and {last}")
    orders = sorted({int(f.args[0]) for k in kernels for e in all_expressions(k) for f in e.atoms(stumpff)})
    try:
        return _TARGETS[target](kernels, orders)
    except PrintMethodNotImplementedError as error:
        raise CodegenError(f"target {target!r} cannot print this: {str(error).splitlines()[0]}") from error


def compiled(kernels: Iterable[Kernel]) -> SimpleNamespace:
    """Return the kernels as machine code, by name: functions that write their results into the arrays they are given.

    Each is compiled at its first call, for this process alone; `source(kernels, "scalar")` is the text.

    Raises:
        CodegenError: As `source`.
    """
    kernels = list(kernels)
    text = "from lessons_lib.codegen.native import native\n\n" + marked(source(kernels, "scalar"))
    space: dict[str, Any] = {}
    run(text, f"<kernels {hashlib.sha256(text.encode()).hexdigest()[:12]}>", space)
    return SimpleNamespace(**{kernel.name: space[kernel.name] for kernel in kernels})
