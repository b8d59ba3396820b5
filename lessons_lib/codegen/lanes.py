"""Kernels for SIMD lanes: one straight-line program that computes several poses side by side."""
# All numbers are in one array w[row, lane]. A loop has no branch and no call, so that it becomes vector instructions.

from collections.abc import Mapping, Sequence

import sympy as sp

from lessons_lib.codegen import scalar_target
from lessons_lib.codegen.expressions import floats
from lessons_lib.codegen.kernel import Kernel
from lessons_lib.symbolic.stumpff_functions import series, series_error, stumpff


def function(kernel: Kernel, rows: Mapping[str, int], width: int) -> str:
    """Print a kernel without Stumpff functions for SIMD lanes; `rows` are the first rows of its arrays in w."""
    head = f'@vectorized\ndef {kernel.name}(w):\n    """{kernel.provenance}"""'
    lines = [head, f"    for lane in range({width}):"]
    for name, matrix in kernel.inputs.items():
        lines += [f"        {s} = {place(rows[name] + i)}" for i, s in enumerate(matrix) if s.is_Symbol]
    assignments, results = scalar_target.body(kernel, "sine_cosine_bounded")
    lines += [f"        {line}" for line in assignments]
    for name, matrix in kernel.outputs.items():
        lines += [f"        {place(rows[name] + i)} = {next(results)}" for i in range(len(matrix))]
    return "\n".join(lines)


def place(row: int) -> str:
    return f"w[{row}, lane]"


def full_range_text() -> str:
    """Return the text of sine_cosine_full_range(angle), which calls the mathematical library, for any angle."""
    return (
        "def sine_cosine_full_range(angle):\n"
        '    """Return sine and cosine of any angle."""\n'
        "    return math.sin(angle), math.cos(angle)"
    )


def full_range(text: str) -> str:
    """Return the text of NAME_full_range: a printed kernel changed to accept any angle."""
    name = text.partition("def ")[2].partition("(")[0]
    return text.replace(f"def {name}(", f"def {name}_full_range(").replace(
        "sine_cosine_bounded(", "sine_cosine_full_range("
    )


def expand_stumpff_up_to_pi(
    definitions: Sequence[tuple[sp.Symbol, sp.Expr]], x: sp.Expr, name: str = "c"
) -> list[tuple[sp.Symbol, sp.Expr]]:
    """Replace Stumpff functions of x = θ² by polynomials, valid for θ up to a little more than π."""
    # the two highest orders are series; the others follow from cₙ = 1/n! − x cₙ₊₂, which does not amplify errors
    orders = sorted({int(f.args[0]) for _, e in definitions for f in e.atoms(stumpff)}, reverse=True)
    if not orders:
        return list(definitions)
    square, highest = sp.Symbol(f"{name}_x", real=True), orders[0]
    values = {n: sp.Symbol(f"{name}_{n}", real=True) for n in range(orders[-1], highest + 2)}
    named = [(square, x)]
    for n in range(highest + 1, orders[-1] - 1, -1):
        terms = next(k for k in range(1, 40) if series_error(n, 10.0, k) < 2.0**-55)  # 10 is just above π²
        above = 1 / sp.factorial(n) - square * values[n + 2] if n + 2 in values else series(n, square, terms)
        named.append((values[n], floats(above)))
    known = {stumpff(n, x): value for n, value in values.items()}
    return named + [(symbol, expression.xreplace(known)) for symbol, expression in definitions]
