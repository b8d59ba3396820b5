"""The target "numpy": vectorized functions whose inputs may have leading batch dimensions."""

from collections.abc import Iterator

import sympy as sp
from sympy.printing.numpy import NumPyPrinter

from lessons_lib.codegen.expressions import StumpffPrinter, Target
from lessons_lib.codegen.kernel import Kernel


class _NumpyPrinter(StumpffPrinter, NumPyPrinter):  # type: ignore[misc]
    """Prints the functions of NumPy."""


class NumpyTarget(Target):
    """Prints NumPy functions; both branches of a Stumpff function are evaluated within their range."""

    head = ("import numpy",)
    read = "    {name} = {array}[..., {place}]"
    stumpff = '''def stumpff_{n}(x):
    """{provenance}"""
    theta = numpy.sqrt(numpy.maximum(x, {switch}))
    large = {recurrence}
    x = numpy.minimum(x, {switch})
    small = {series}
    return numpy.where(x < {switch}, small, large)'''

    def _text(self, expression: sp.Expr) -> str:
        return str(_NumpyPrinter().doprint(expression))

    def _closing(self, kernel: Kernel, results: Iterator[str]) -> list[str]:
        batches = (f"{name}.shape[:-{1 if kernel.is_column(name) else 2}]" for name in kernel.inputs)
        lines = [f"    batch = numpy.broadcast_shapes({', '.join(batches)})"]
        for name, matrix in kernel.outputs.items():
            shape = f"{matrix.rows}" if kernel.is_column(name) else f"{matrix.rows}, {matrix.cols}"
            lines.append(f"    {name} = numpy.zeros((*batch, {shape}))")
            entries = [(place, next(results)) for place, _ in self._places(kernel, name)]
            lines += [f"    {name}[..., {place}] = {text}" for place, text in entries if text != "0"]
        return [*lines, f"    return {', '.join(kernel.outputs)}"]
