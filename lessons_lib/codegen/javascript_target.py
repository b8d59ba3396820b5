"""The target "javascript": plain functions for a browser, which take and return nested arrays of numbers."""

import sympy as sp
from sympy.printing.jscode import JavascriptCodePrinter

from lessons_lib.codegen.expressions import SERIES_TERMS, STUMPFF_PROVENANCE, OurPrinting, floats
from lessons_lib.codegen.kernel import Kernel
from lessons_lib.errors import CodegenError
from lessons_lib.symbolic.stumpff_functions import closed_form, crossover, series

_KEYWORDS = frozenset(
    "arguments await break case catch class const continue debugger default delete do else enum eval export extends "
    "false finally for function if implements import in instanceof interface let new null package private protected "
    "public return static super switch this throw true try typeof undefined var void while with yield Math".split()
)


class _JavascriptPrinter(OurPrinting, JavascriptCodePrinter):  # type: ignore[misc]
    """Math.sin and friends."""


def module_text(kernels: list[Kernel], orders: list[int]) -> str:
    """Return the text of a script with the kernels, and with the Stumpff functions of the orders they use."""
    for kernel in kernels:
        for name in sorted({kernel.name, *kernel.names} & _KEYWORDS):
            raise CodegenError(f"kernel {kernel.name!r}: {name!r} is a word of JavaScript; rename it")
    return "\n\n".join(['"use strict";', *map(_stumpff, orders), *map(_function, kernels)]) + "\n"


def _text(expression: sp.Expr) -> str:
    text: str = _JavascriptPrinter().doprint(expression)
    return text


def _stumpff(n: int) -> str:
    """Return stumpff_n with its switch: the series below the crossover, the recurrence above."""
    x, theta = sp.symbols("x theta", positive=True)
    return (
        f"/** {STUMPFF_PROVENANCE} */\n"
        f"function stumpff_{n}(x) {{\n"
        f"  if (x < {crossover(n, SERIES_TERMS)!r}) return {_text(floats(series(n, x, SERIES_TERMS)))};\n"
        f"  const theta = Math.sqrt(x);\n"
        f"  return {_text(closed_form(n, theta))};\n"
        f"}}"
    )


def _function(kernel: Kernel) -> str:
    lines = [f"/** {kernel.provenance} */"] if str(kernel.provenance) else []
    lines.append(f"function {kernel.name}({', '.join(kernel.inputs)}) {{")
    for name, matrix in kernel.inputs.items():
        for i in range(matrix.rows):
            for j in range(matrix.cols):
                place = f"[{i}]" if kernel.is_column(name) else f"[{i}][{j}]"
                lines += [f"  const {matrix[i, j]} = {name}{place};"] if matrix[i, j].is_Symbol else []
    lines += [f"  const {symbol} = {_text(e)};" for symbol, e in kernel.program.assignments]
    results = iter(kernel.program.results)
    for name, matrix in kernel.outputs.items():
        rows = [[_text(next(results)) for _ in range(matrix.cols)] for _ in range(matrix.rows)]
        written = [row[0] if kernel.is_column(name) else f"[{', '.join(row)}]" for row in rows]
        lines += [f"  const {name} = [", *(f"    {row}," for row in written), "  ];"]
    return "\n".join([*lines, f"  return {{{', '.join(kernel.outputs)}}};", "}"])
