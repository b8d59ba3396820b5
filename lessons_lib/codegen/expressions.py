"""What the targets share: how SymPy's printers write Stumpff functions and numbers, and where an entry stands."""

from typing import Any

import sympy as sp

from lessons_lib.codegen.kernel import Kernel
from lessons_lib.codegen.provenance import Provenance
from lessons_lib.symbolic.formulas import name_of
from lessons_lib.symbolic.stumpff_functions import closed_form, series

STUMPFF_PROVENANCE = Provenance(
    "A Stumpff function, by its series or by the recurrence.", (name_of(closed_form), name_of(series))
)

SERIES_TERMS = 12
"""Terms of the Stumpff series. With 12 the two error bounds meet below 1e-15 for n ≤ 7 (`crossover`)."""


class OurPrinting:
    """What SymPy's printers are taught: Stumpff functions as calls, numbers that read back as the same double."""

    def _print_stumpff(self, expression: sp.Expr) -> str:
        n, x = expression.args
        printer: Any = self
        return f"stumpff_{int(n)}({printer._print(x)})"

    def _print_Float(self, number: sp.Float) -> str:  # noqa: N802 (SymPy finds the method by this name)
        return repr(float(number))


def floats(expression: sp.Expr) -> sp.Expr:
    """Return `expression` with its fractions as the nearest doubles, so that none is divided at run time."""
    return expression.xreplace({r: sp.Float(r, 17) for r in expression.atoms(sp.Rational) if not r.is_Integer})


def places(kernel: Kernel, name: str) -> list[tuple[str, sp.Expr]]:
    """Return (index text, entry) for each entry of an array, row by row; a column has one index."""
    matrix = {**kernel.inputs, **kernel.outputs}[name]
    if kernel.is_column(name):
        return [(str(i), matrix[i]) for i in range(matrix.rows)]
    return [(f"{i}, {j}", matrix[i, j]) for i in range(matrix.rows) for j in range(matrix.cols)]


def all_expressions(kernel: Kernel) -> list[sp.Expr]:
    """Return every expression of a kernel's program, in order."""
    return [e for _, e in kernel.program.assignments] + list(kernel.program.results)
