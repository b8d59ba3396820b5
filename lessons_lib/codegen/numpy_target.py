"""The target "numpy": vectorised functions, whose inputs may carry leading batch dimensions."""

import sympy as sp
from sympy.printing.numpy import NumPyPrinter

from lessons_lib.codegen.expressions import SERIES_TERMS, STUMPFF_PROVENANCE, OurPrinting, floats, places
from lessons_lib.codegen.kernel import Kernel
from lessons_lib.symbolic.stumpff_functions import closed_form, crossover, series


class _NumpyPrinter(OurPrinting, NumPyPrinter):  # type: ignore[misc]
    """numpy.sin and friends."""


def module_text(kernels: list[Kernel], orders: list[int]) -> str:
    """Return the text of a module with the kernels, and with the Stumpff functions of the orders they use."""
    return "\n\n\n".join(["import numpy", *map(_stumpff, orders), *map(_function, kernels)]) + "\n"


def _stumpff(n: int) -> str:
    """Return stumpff_n, which evaluates the series and the recurrence each where it holds, and takes the right one."""
    x, theta = sp.symbols("x theta", positive=True)
    printer, switch = _NumpyPrinter(), crossover(n, SERIES_TERMS)
    return (
        f"def stumpff_{n}(x):\n"
        f'    """{STUMPFF_PROVENANCE}"""\n'
        f"    theta = numpy.sqrt(numpy.maximum(x, {switch!r}))\n"
        f"    large = {printer.doprint(closed_form(n, theta))}\n"
        f"    x = numpy.minimum(x, {switch!r})\n"
        f"    small = {printer.doprint(floats(series(n, x, SERIES_TERMS)))}\n"
        f"    return numpy.where(x < {switch!r}, small, large)"
    )


def _function(kernel: Kernel) -> str:
    printer = _NumpyPrinter()
    lines = [f"def {kernel.name}({', '.join(kernel.inputs)}):", f'    """{kernel.provenance}"""']
    batches = []
    for name in kernel.inputs:
        batches.append(f"{name}.shape[:-{1 if kernel.is_column(name) else 2}]")
        lines += [f"    {s} = {name}[..., {place}]" for place, s in places(kernel, name) if s.is_Symbol]
    lines += [f"    {s} = {printer.doprint(e)}" for s, e in kernel.program.assignments]
    lines.append(f"    batch = numpy.broadcast_shapes({', '.join(batches)})")
    results = iter(kernel.program.results)
    for name, matrix in kernel.outputs.items():
        shape = f"{matrix.rows}" if kernel.is_column(name) else f"{matrix.rows}, {matrix.cols}"
        lines.append(f"    {name} = numpy.zeros((*batch, {shape}))")
        for place, _ in places(kernel, name):
            entry = next(results)
            if entry != 0:
                lines.append(f"    {name}[..., {place}] = {printer.doprint(entry)}")
    lines.append(f"    return {', '.join(kernel.outputs)}")
    return "\n".join(lines)
