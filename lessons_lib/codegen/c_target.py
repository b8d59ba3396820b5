"""The target "c": C99 functions that write into arrays of the caller, for a controller or for another language.

A column becomes an array of n doubles, a matrix one of rows times columns, row by row. Nothing but <math.h> is needed.
"""

from __future__ import annotations

import sympy as sp
from sympy.printing.c import C99CodePrinter

from lessons_lib.codegen.expressions import SERIES_TERMS, STUMPFF_PROVENANCE, OurPrinting, floats
from lessons_lib.codegen.kernel import Kernel
from lessons_lib.errors import CodegenError
from lessons_lib.symbolic.stumpff_functions import closed_form, crossover, series

_KEYWORDS = frozenset(
    "auto break case char const continue default do double else enum extern float for goto if inline int long register "
    "restrict return short signed sizeof static struct switch typedef union unsigned void volatile while main".split()
)


class _CPrinter(OurPrinting, C99CodePrinter):  # type: ignore[misc]
    """sin and friends of <math.h>."""


def module_text(kernels: list[Kernel], orders: list[int]) -> str:
    """Return the text of a file with the kernels, and with the Stumpff functions of the orders they use."""
    for kernel in kernels:
        for name in sorted({kernel.name, *kernel.names} & _KEYWORDS):
            raise CodegenError(f"kernel {kernel.name!r}: {name!r} is a word of C; rename it")
    return "\n\n".join(["#include <math.h>", *map(_stumpff, orders), *map(_function, kernels)]) + "\n"


def _text(expression: sp.Expr) -> str:
    """Return an expression as C, π and e as numbers: strict C99 has no M_PI."""
    constants = {number: sp.Float(number, 17) for number in expression.atoms(sp.NumberSymbol)}
    text: str = _CPrinter().doprint(floats(expression).xreplace(constants))
    return text


def _stumpff(n: int) -> str:
    """Return stumpff_n with its switch: the series below the crossover, the recurrence above."""
    x, theta = sp.symbols("x theta", positive=True)
    return (
        f"/* {STUMPFF_PROVENANCE} */\n"
        f"static double stumpff_{n}(double x) {{\n"
        f"  if (x < {crossover(n, SERIES_TERMS)!r}) return {_text(series(n, x, SERIES_TERMS))};\n"
        f"  const double theta = sqrt(x);\n"
        f"  return {_text(closed_form(n, theta))};\n"
        f"}}"
    )


def _function(kernel: Kernel) -> str:
    given = [f"const double {name}[{len(matrix)}]" for name, matrix in kernel.inputs.items()]
    written = [f"double {name}[{len(matrix)}]" for name, matrix in kernel.outputs.items()]
    lines = [f"/* {kernel.provenance} */"] if str(kernel.provenance) else []
    lines.append(f"void {kernel.name}({', '.join(given + written)}) {{")
    for name, matrix in kernel.inputs.items():
        lines += [f"  const double {s} = {name}[{i}];" for i, s in enumerate(matrix) if s.is_Symbol]
    lines += [f"  const double {symbol} = {_text(e)};" for symbol, e in kernel.program.assignments]
    results = iter(kernel.program.results)
    for name, matrix in kernel.outputs.items():
        lines += [f"  {name}[{i}] = {_text(next(results))};" for i in range(len(matrix))]
    return "\n".join([*lines, "}"])
