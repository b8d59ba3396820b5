"""The target "array_api": functions of arrays of any library that keeps the array API standard, JAX among them.

What a function needs it asks the array that it is given for, so the text imports nothing. No entry is written in place,
which is what lets JAX trace, differentiate and compile it; inputs may carry leading batch dimensions.
Source: https://data-apis.org/array-api/2023.12.
"""

from __future__ import annotations

import math

import sympy as sp
from sympy.printing.pycode import PythonCodePrinter

from lessons_lib.codegen.expressions import SERIES_TERMS, STUMPFF_PROVENANCE, OurPrinting, floats, places
from lessons_lib.codegen.kernel import Kernel
from lessons_lib.symbolic.stumpff_functions import closed_form, crossover, series

_SAME = "acos acosh asin asinh atan atan2 atanh cos cosh exp log sign sin sinh tan tanh".split()


class _ArrayApiPrinter(OurPrinting, PythonCodePrinter):  # type: ignore[misc]
    """xp.sin and friends, by the names of the standard."""

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


def module_text(kernels: list[Kernel], orders: list[int]) -> str:
    """Return the text of a module with the kernels, and with the Stumpff functions of the orders they use."""
    return "\n\n\n".join([*map(_stumpff, orders), *map(_function, kernels)]) + "\n"


def _text(expression: sp.Expr) -> str:
    text: str = _ArrayApiPrinter({"standard": "python3"}).doprint(floats(expression))
    return text


def _stumpff(n: int) -> str:
    """Return stumpff_n, which evaluates the series and the recurrence each where it holds, and takes the right one."""
    x, theta = sp.symbols("x theta", positive=True)
    switch = crossover(n, SERIES_TERMS)
    return (
        f"def stumpff_{n}(x, xp):\n"
        f'    """{STUMPFF_PROVENANCE}"""\n'
        f"    near = x < {switch!r}\n"
        f"    theta = xp.sqrt(xp.where(near, xp.full_like(x, {switch!r}), x))\n"
        f"    large = {_text(closed_form(n, theta))}\n"
        f"    x = xp.where(near, x, xp.full_like(x, {switch!r}))\n"
        f"    small = {_text(series(n, x, SERIES_TERMS))}\n"
        f"    return xp.where(near, small, large)"
    )


def _function(kernel: Kernel) -> str:
    first, *others = kernel.inputs
    lines = [f"def {kernel.name}({', '.join(kernel.inputs)}):", f'    """{kernel.provenance}"""']
    lines.append(f"    xp = {first}.__array_namespace__()")
    rests = []
    for name in kernel.inputs:
        lines += [f"    {s} = {name}[..., {place}]" for place, s in places(kernel, name) if s.is_Symbol]
        rests.append(f"xp.zeros_like({name}[..., {'0' if kernel.is_column(name) else '0, 0'}])")
    lines.append(f"    zero = {' + '.join(rests)}")
    lines += [f"    {s} = {_text(e)}" for s, e in kernel.program.assignments]
    results = iter(kernel.program.results)
    for name, matrix in kernel.outputs.items():
        found = [next(results) for _ in range(len(matrix))]
        entries = ", ".join(_text(e) if e.free_symbols and not others else f"zero + {_text(e)}" for e in found)
        lines.append(f"    {name} = xp.stack([{entries}], axis=-1)")
        if not kernel.is_column(name):
            lines.append(f"    {name} = xp.reshape({name}, (*zero.shape, {matrix.rows}, {matrix.cols}))")
    return "\n".join([*lines, f"    return {', '.join(kernel.outputs)}"])
