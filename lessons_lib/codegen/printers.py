"""Kernels → source text. The expressions are printed by SymPy's own printers, which are taught the Stumpff functions.

Two targets. "numpy" is vectorised: inputs may carry leading batch dimensions. "numba" is scalar code for the
compiler: results are written into arrays that the caller owns, so that an inner loop allocates nothing.
"""

from collections.abc import Iterable
from typing import Any

import sympy as sp
from sympy.printing.codeprinter import PrintMethodNotImplementedError
from sympy.printing.numpy import NumPyPrinter
from sympy.printing.pycode import PythonCodePrinter

from lessons_lib.codegen.kernel import Kernel
from lessons_lib.errors import CodegenError
from lessons_lib.symbolic.stumpff import closed_form, crossover, series, stumpff

SERIES_TERMS = 12
"""Terms of the Stumpff series. With 12 the two error bounds meet below 1e-15 for n ≤ 7 (see `stumpff.crossover`)."""

_JIT = '@numba.njit(cache=True, nogil=True, error_model="numpy", fastmath={"contract"})'


class _OurPrinting:
    """What SymPy's printers are taught: Stumpff functions as calls, numbers that read back as the same double."""

    def _print_stumpff(self, expression: sp.Expr) -> str:
        n, x = expression.args
        printer: Any = self
        return f"stumpff_{int(n)}({printer._print(x)})"

    def _print_Float(self, number: sp.Float) -> str:  # noqa: N802 (SymPy finds the method by this name)
        return repr(float(number))


class _NumbaPrinter(_OurPrinting, PythonCodePrinter):  # type: ignore[misc]
    """math.sin and friends."""


class _NumpyPrinter(_OurPrinting, NumPyPrinter):  # type: ignore[misc]
    """numpy.sin and friends."""


def source(kernels: Iterable[Kernel], target: str) -> str:
    """Return the text of a module with the kernels as functions.

    Args:
        kernels: What to generate.
        target: "numpy" or "numba".

    Raises:
        CodegenError: Unknown target, or an expression with a function that the target does not have.
    """
    kernels = list(kernels)
    if target not in ("numpy", "numba"):
        raise CodegenError(f"unknown target {target!r}; valid targets are 'numpy' and 'numba'")
    orders = sorted({int(f.args[0]) for k in kernels for e in _expressions(k) for f in e.atoms(stumpff)})
    try:
        if target == "numpy":
            parts = ["import numpy", *(_numpy_stumpff(n) for n in orders), *(_numpy_function(k) for k in kernels)]
        else:
            parts = ["import math\n\nimport numba"]
            parts += [*(_numba_stumpff(n) for n in orders), *(_numba_function(k) for k in kernels)]
    except PrintMethodNotImplementedError as error:
        raise CodegenError(f"target {target!r} cannot print this: {str(error).splitlines()[0]}") from error
    return "\n\n\n".join(parts) + "\n"


def _expressions(kernel: Kernel) -> list[sp.Expr]:
    return [e for _, e in kernel.program.assignments] + list(kernel.program.results)


def _numba_stumpff(n: int) -> str:
    """Return stumpff_n with its switch: the series below the crossover, the recurrence above."""
    x, theta = sp.symbols("x theta", positive=True)
    printer = _NumbaPrinter({"standard": "python3"})
    return (
        f"{_JIT}\ndef stumpff_{n}(x):\n"
        f"    if x < {crossover(n, SERIES_TERMS)!r}:\n"
        f"        return {printer.doprint(_floats(series(n, x, SERIES_TERMS)))}\n"
        f"    theta = math.sqrt(x)\n"
        f"    return {printer.doprint(closed_form(n, theta))}"
    )


def _numpy_stumpff(n: int) -> str:
    x, theta = sp.symbols("x theta", positive=True)
    printer, switch = _NumpyPrinter(), crossover(n, SERIES_TERMS)
    return (
        f"def stumpff_{n}(x):\n"
        f"    theta = numpy.sqrt(numpy.maximum(x, {switch!r}))\n"
        f"    large = {printer.doprint(closed_form(n, theta))}\n"
        f"    x = numpy.minimum(x, {switch!r})\n"
        f"    small = {printer.doprint(_floats(series(n, x, SERIES_TERMS)))}\n"
        f"    return numpy.where(x < {switch!r}, small, large)"
    )


def _floats(expression: sp.Expr) -> sp.Expr:
    """Return `expression` with its fractions as the nearest doubles, so that none is divided at run time."""
    return expression.xreplace({r: sp.Float(r, 17) for r in expression.atoms(sp.Rational) if not r.is_Integer})


def _numba_function(kernel: Kernel) -> str:
    printer = _NumbaPrinter({"standard": "python3"})
    arguments = ", ".join([*kernel.inputs, *kernel.outputs])
    lines = [f"{_JIT}\ndef {kernel.name}({arguments}):", f'    """{kernel.summary}"""']
    for name in kernel.inputs:
        lines += [f"    {s} = {name}[{place}]" for place, s in _places(kernel, name) if s.is_Symbol]
    lines += [f"    {s} = {printer.doprint(e)}" for s, e in kernel.program.assignments]
    results = iter(kernel.program.results)
    for name in kernel.outputs:
        lines += [f"    {name}[{place}] = {printer.doprint(next(results))}" for place, _ in _places(kernel, name)]
    return "\n".join(lines)


def _numpy_function(kernel: Kernel) -> str:
    printer = _NumpyPrinter()
    lines = [f"def {kernel.name}({', '.join(kernel.inputs)}):", f'    """{kernel.summary}"""']
    batches = []
    for name in kernel.inputs:
        batches.append(f"{name}.shape[:-{1 if kernel.is_column(name) else 2}]")
        lines += [f"    {s} = {name}[..., {place}]" for place, s in _places(kernel, name) if s.is_Symbol]
    lines += [f"    {s} = {printer.doprint(e)}" for s, e in kernel.program.assignments]
    lines.append(f"    batch = numpy.broadcast_shapes({', '.join(batches)})")
    results = iter(kernel.program.results)
    for name, matrix in kernel.outputs.items():
        shape = f"{matrix.rows}" if kernel.is_column(name) else f"{matrix.rows}, {matrix.cols}"
        lines.append(f"    {name} = numpy.zeros((*batch, {shape}))")
        for place, _ in _places(kernel, name):
            entry = next(results)
            if entry != 0:
                lines.append(f"    {name}[..., {place}] = {printer.doprint(entry)}")
    lines.append(f"    return {', '.join(kernel.outputs)}")
    return "\n".join(lines)


def _places(kernel: Kernel, name: str) -> list[tuple[str, sp.Expr]]:
    """Return (index text, entry) for each entry of an array, row by row; a column has one index."""
    matrix = {**kernel.inputs, **kernel.outputs}[name]
    if kernel.is_column(name):
        return [(str(i), matrix[i]) for i in range(matrix.rows)]
    return [(f"{i}, {j}", matrix[i, j]) for i in range(matrix.rows) for j in range(matrix.cols)]
