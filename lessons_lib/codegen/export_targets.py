"""Targets for other programs: "array_api" (such as JAX), "c" and "javascript"."""

from __future__ import annotations

import math
from collections.abc import Iterator

import sympy as sp
from sympy.printing.c import C99CodePrinter
from sympy.printing.jscode import JavascriptCodePrinter
from sympy.printing.pycode import PythonCodePrinter

from lessons_lib.codegen.expressions import StumpffPrinter, Target, floats
from lessons_lib.codegen.kernel import Kernel

_SAME = "acos acosh asin asinh atan atan2 atanh cos cosh exp log sign sin sinh tan tanh".split()


class _ArrayApiPrinter(StumpffPrinter, PythonCodePrinter):  # type: ignore[misc]
    """Prints xp.sin and the other functions by the names of the standard."""

    _kf = {name: f"xp.{name}" for name in _SAME} | {"Abs": "xp.abs"}

    def _print_Pow(self, expression: sp.Expr, rational: bool = False) -> str:  # noqa: N802
        text: str = self._hprint_Pow(expression, rational=rational, sqrt="xp.sqrt")
        return text

    def _print_stumpff(self, expression: sp.Expr) -> str:
        n, x = expression.args
        return f"stumpff_{int(n)}({self._print(x)}, xp)"

    def _print_Pi(self, _: sp.Expr) -> str:  # noqa: N802
        return repr(math.pi)

    def _print_Exp1(self, _: sp.Expr) -> str:  # noqa: N802
        return repr(math.e)


class ArrayApiTarget(Target):
    """Prints functions of arrays of any library with the array API standard, with leading batch dimensions."""

    # The namespace comes from the first argument, so the text imports nothing. No entry is assigned in place, so JAX
    # can trace, differentiate and compile it. Source: https://data-apis.org/array-api/2023.12.

    read = "    {name} = {array}[..., {place}]"
    stumpff = '''def stumpff_{n}(x, xp):
    """{provenance}"""
    near = x < {switch}
    theta = xp.sqrt(xp.where(near, xp.full_like(x, {switch}), x))
    large = {recurrence}
    x = xp.where(near, x, xp.full_like(x, {switch}))
    small = {series}
    return xp.where(near, small, large)'''

    def _text(self, expression: sp.Expr) -> str:
        return str(_ArrayApiPrinter({"standard": "python3"}).doprint(floats(expression)))

    def _opening(self, kernel: Kernel) -> list[str]:
        zeros = (f"xp.zeros_like({n}[..., {'0' if kernel.is_column(n) else '0, 0'}])" for n in kernel.inputs)
        lines = [f"    xp = {next(iter(kernel.inputs))}.__array_namespace__()", f"    zero = {' + '.join(zeros)}"]
        return super()._opening(kernel) + lines

    def _closing(self, kernel: Kernel, results: Iterator[str]) -> list[str]:
        lines, entries = [], iter(kernel.program.results)
        for name, matrix in kernel.outputs.items():
            pairs = [(next(entries), next(results)) for _ in matrix]
            is_alone = len(kernel.inputs) == 1  # then an entry with a symbol has the whole batch
            texts = [text if entry.free_symbols and is_alone else f"zero + {text}" for entry, text in pairs]
            lines.append(f"    {name} = xp.stack([{', '.join(texts)}], axis=-1)")
            if not kernel.is_column(name):
                lines.append(f"    {name} = xp.reshape({name}, (*zero.shape, {matrix.rows}, {matrix.cols}))")
        return [*lines, f"    return {', '.join(kernel.outputs)}"]


class _CPrinter(StumpffPrinter, C99CodePrinter):  # type: ignore[misc]
    """Prints the functions of <math.h>."""


class CTarget(Target):
    """Prints C99 functions that need only <math.h> and write to the caller's arrays, in row-major order."""

    head, between, language = ("#include <math.h>",), "\n\n", "C"
    read, assign = "  const double {name} = {array}[{place}];", "  const double {name} = {value};"
    write, end = "  {array}[{place}] = {value};", ("}",)
    stumpff = """/* {provenance} */
static double stumpff_{n}(double x) {{
  if (x < {switch}) return {series};
  const double theta = sqrt(x);
  return {recurrence};
}}"""
    keywords = frozenset(
        "auto break case char const continue default do double else enum extern float for goto if inline int long "
        "register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while "
        "main".split()
    )

    def _text(self, expression: sp.Expr) -> str:
        constants = {number: sp.Float(number, 17) for number in expression.atoms(sp.NumberSymbol)}  # C99 has no M_PI
        return str(_CPrinter().doprint(floats(expression).xreplace(constants)))

    def _places(self, kernel: Kernel, name: str) -> list[tuple[str, sp.Expr]]:
        return [(str(i), entry) for i, entry in enumerate({**kernel.inputs, **kernel.outputs}[name])]

    def _opening(self, kernel: Kernel) -> list[str]:
        arguments = [f"const double {name}[{len(matrix)}]" for name, matrix in kernel.inputs.items()]
        arguments += [f"double {name}[{len(matrix)}]" for name, matrix in kernel.outputs.items()]
        comment = [f"/* {kernel.provenance} */"] if str(kernel.provenance) else []
        return [*comment, f"void {kernel.name}({', '.join(arguments)}) {{"]


class _JavascriptPrinter(StumpffPrinter, JavascriptCodePrinter):  # type: ignore[misc]
    """Prints the functions of Math."""


class JavascriptTarget(Target):
    """Prints JavaScript functions that take and return nested arrays of numbers."""

    head, between, language = ('"use strict";',), "\n\n", "JavaScript"
    read, assign, end = "  const {name} = {array}[{place}];", "  const {name} = {value};", ("}",)
    stumpff = """/** {provenance} */
function stumpff_{n}(x) {{
  if (x < {switch}) return {series};
  const theta = Math.sqrt(x);
  return {recurrence};
}}"""
    keywords = frozenset(
        "arguments await break case catch class const continue debugger default delete do else enum eval export "
        "extends false finally for function if implements import in instanceof interface let new null package private "
        "protected public return static super switch this throw true try typeof undefined var void while with yield "
        "Math".split()
    )

    def _text(self, expression: sp.Expr) -> str:
        return str(_JavascriptPrinter().doprint(expression))

    def _places(self, kernel: Kernel, name: str) -> list[tuple[str, sp.Expr]]:
        return [(place.replace(", ", "]["), entry) for place, entry in super()._places(kernel, name)]

    def _opening(self, kernel: Kernel) -> list[str]:
        comment = [f"/** {kernel.provenance} */"] if str(kernel.provenance) else []
        return [*comment, f"function {kernel.name}({', '.join(kernel.inputs)}) {{"]

    def _closing(self, kernel: Kernel, results: Iterator[str]) -> list[str]:
        lines = []
        for name, matrix in kernel.outputs.items():
            rows = [[next(results) for _ in range(matrix.cols)] for _ in range(matrix.rows)]
            written = [row[0] if kernel.is_column(name) else f"[{', '.join(row)}]" for row in rows]
            lines += [f"  const {name} = [", *(f"    {row}," for row in written), "  ];"]
        return [*lines, f"  return {{{', '.join(kernel.outputs)}}};"]
