"""Code shared by all targets: how numbers and Stumpff functions are printed, and the skeleton of a module."""

from collections.abc import Iterator
from typing import Any

import sympy as sp

from lessons_lib.codegen.kernel import Kernel
from lessons_lib.codegen.provenance import Provenance
from lessons_lib.errors import CodegenError
from lessons_lib.symbolic.formulas import name_of
from lessons_lib.symbolic.stumpff_functions import closed_form, crossover, series

SERIES_TERMS = 12
"""Terms of the Stumpff series; with 12, the two error bounds meet below 1e-15 for n ≤ 7 (`crossover`)."""

STUMPFF_PROVENANCE = Provenance(
    "A Stumpff function, by its series or by the recurrence.", (name_of(closed_form), name_of(series))
)


class StumpffPrinter:
    """Mixin for SymPy's printers: Stumpff functions as calls, and numbers that read back as the same double."""

    def _print_stumpff(self, expression: sp.Expr) -> str:
        n, x = expression.args
        printer: Any = self
        return f"stumpff_{int(n)}({printer._print(x)})"

    def _print_Float(self, number: sp.Float) -> str:  # noqa: N802 (SymPy finds the method by this name)
        return repr(float(number))


def floats(expression: sp.Expr) -> sp.Expr:
    """Replace fractions by the nearest doubles, so that no division is left for run time."""
    return expression.xreplace({r: sp.Float(r, 17) for r in expression.atoms(sp.Rational) if not r.is_Integer})


def places(kernel: Kernel, name: str) -> list[tuple[str, sp.Expr]]:
    """Return (index text, entry) for each entry of an array, row by row; a column has one index."""
    matrix = {**kernel.inputs, **kernel.outputs}[name]
    if kernel.is_column(name):
        return [(str(i), entry) for i, entry in enumerate(matrix)]
    return [(f"{i}, {j}", matrix[i, j]) for i in range(matrix.rows) for j in range(matrix.cols)]


def all_expressions(kernel: Kernel) -> list[sp.Expr]:
    return [e for _, e in kernel.program.assignments] + list(kernel.program.results)


class Target:
    """Skeleton of a module's text: templates of a language, and methods for what templates cannot express.

    The template of stumpff_n contains {series} and {recurrence}; `keywords` are the reserved words of the language.
    """

    head: tuple[str, ...] = ()
    between = "\n\n\n"
    stumpff = read = ""
    assign, write = "    {name} = {value}", "    {array}[{place}] = {value}"
    end: tuple[str, ...] = ()
    language, keywords = "", frozenset[str]()

    def module_text(self, kernels: list[Kernel], orders: list[int]) -> str:
        """Return the text of a module with the kernels and the Stumpff functions of these orders."""
        for kernel in kernels:
            for name in sorted({kernel.name, *kernel.names} & self.keywords):
                raise CodegenError(f"kernel {kernel.name!r}: {name!r} is a reserved word of {self.language}; rename it")
        parts = [*self._head(kernels), *map(self._stumpff, orders), *map(self._function, kernels)]
        return self.between.join(parts) + "\n"

    def _stumpff(self, n: int) -> str:
        """Print stumpff_n: the series below the crossover, the recurrence above."""
        x, theta = sp.symbols("x theta", positive=True)
        texts = self._text(floats(series(n, x, SERIES_TERMS))), self._text(closed_form(n, theta))
        switch = repr(crossover(n, SERIES_TERMS))
        about = {"n": n, "provenance": STUMPFF_PROVENANCE, "switch": switch, "series": texts[0]}
        return self.stumpff.format(**about, recurrence=texts[1])

    def _function(self, kernel: Kernel) -> str:
        lines = self._opening(kernel)
        for array in kernel.inputs:
            entries = ((place, entry) for place, entry in self._places(kernel, array) if entry.is_Symbol)
            lines += [self.read.format(name=entry, array=array, place=place) for place, entry in entries]
        steps, results = self._program(kernel)
        return "\n".join([*lines, *steps, *self._closing(kernel, results), *self.end])

    def _head(self, kernels: list[Kernel]) -> tuple[str, ...]:
        return self.head

    def _text(self, expression: sp.Expr) -> str:
        raise NotImplementedError

    def _places(self, kernel: Kernel, name: str) -> list[tuple[str, sp.Expr]]:
        return places(kernel, name)

    def _opening(self, kernel: Kernel) -> list[str]:
        return [f"def {kernel.name}({', '.join(kernel.inputs)}):", f'    """{kernel.provenance}"""']

    def _program(self, kernel: Kernel) -> tuple[list[str], Iterator[str]]:
        steps = [self.assign.format(name=s, value=self._text(e)) for s, e in kernel.program.assignments]
        return steps, map(self._text, kernel.program.results)

    def _closing(self, kernel: Kernel, results: Iterator[str]) -> list[str]:
        entries = [(array, place) for array in kernel.outputs for place, _ in self._places(kernel, array)]
        return [self.write.format(array=array, place=place, value=next(results)) for array, place in entries]
