"""The target "scalar": plain Python over numbers, for a compiler, which writes into arrays that the caller owns.

An inner loop allocates nothing. Sine and cosine of one angle are taken together, from `symbolic.sine_cosine`: two calls
into the mathematical library cost more than all the rest of an arm's kinematics.
"""

from collections.abc import Iterator
from functools import cache

import sympy as sp
from sympy.printing.precedence import PRECEDENCE
from sympy.printing.pycode import PythonCodePrinter

from lessons_lib.codegen.expressions import (
    SERIES_TERMS,
    STUMPFF_PROVENANCE,
    OurPrinting,
    all_expressions,
    floats,
    places,
)
from lessons_lib.codegen.kernel import Kernel
from lessons_lib.codegen.provenance import Provenance
from lessons_lib.symbolic import sine_cosine
from lessons_lib.symbolic.formulas import name_of
from lessons_lib.symbolic.stumpff_functions import closed_form, crossover, series


class _ScalarPrinter(OurPrinting, PythonCodePrinter):  # type: ignore[misc]
    """math.sin and friends; a whole power as products: x**2 and x*x differ at times, and all targets round alike."""

    def _print_Pow(self, expression: sp.Expr, rational: bool = False) -> str:  # noqa: N802 (SymPy finds it by this name)
        base, exponent = expression.args
        if not (exponent.is_Integer and abs(exponent) > 1 and (base.is_Symbol or abs(exponent) <= 3)):
            text: str = super()._print_Pow(expression, rational=rational)
            return text
        square, left, factors = self.parenthesize(base, PRECEDENCE["Pow"]), abs(int(exponent)), list[str]()
        while left:
            factors += [square] if left & 1 else []
            square, left = f"({square}*{square})", left >> 1
        product = factors[0] if len(factors) == 1 else f"({'*'.join(factors)})"
        return f"(1.0/{product})" if exponent < 0 else product


def module_text(kernels: list[Kernel], orders: list[int]) -> str:
    """Return the text of a module with the kernels, and with the Stumpff functions of the orders they use."""
    paired = any(_pairs(kernel) for kernel in kernels)
    parts = ["import math" + "\n\nimport numpy" * paired]
    parts += [near_text(), _sine_cosine_text()] if paired else []
    return "\n\n\n".join([*parts, *map(_stumpff, orders), *map(_function, kernels)]) + "\n"


def _stumpff(n: int) -> str:
    """Return stumpff_n with its switch: the series below the crossover, the recurrence above."""
    x, theta = sp.symbols("x theta", positive=True)
    return (
        f"def stumpff_{n}(x):\n"
        f'    """{STUMPFF_PROVENANCE}"""\n'
        f"    if x < {crossover(n, SERIES_TERMS)!r}:\n"
        f"        return {expression_text(floats(series(n, x, SERIES_TERMS)))}\n"
        f"    theta = math.sqrt(x)\n"
        f"    return {expression_text(closed_form(n, theta))}"
    )


def expression_text(expression: sp.Expr) -> str:
    """Return an expression as Python's text."""
    text: str = _ScalarPrinter({"standard": "python3"}).doprint(expression)
    return text


@cache
def near_text() -> str:
    """Return sine_cosine_near: no branch, so that a loop over many angles becomes vector instructions."""
    r, x = sp.symbols("r x", real=True)
    first, second, third = sine_cosine.half_pi_parts()
    by = [sine_cosine.half_pi_parts, sine_cosine.sine, sine_cosine.cosine]
    account = Provenance("Sine and cosine of an angle of fewer than 2**23 quarter turns.", tuple(map(name_of, by)))
    return (
        f"def sine_cosine_near(angle):\n"
        f'    """{account}"""\n'
        f"    quarters = numpy.rint({float(2 / sp.pi)!r}*angle)\n"
        f"    r = ((angle - {first!r}*quarters) - {second!r}*quarters) - {third!r}*quarters\n"
        f"    x = r*r\n"
        f"    sine = {expression_text(sine_cosine.sine(r, x))}\n"
        f"    cosine = {expression_text(floats(sine_cosine.cosine(x)))}\n"
        f"    quadrant = numpy.int32(quarters)\n"
        f"    sine, cosine = (cosine, sine) if quadrant & 1 else (sine, cosine)\n"
        f"    sine = -sine if quadrant & 2 else sine\n"
        f"    cosine = -cosine if (quadrant + 1) & 2 else cosine\n"
        f"    return sine, cosine"
    )


def _sine_cosine_text() -> str:
    return (
        f"def sine_cosine(angle):\n"
        f'    """Sine and cosine; those of huge angles, infinity and NaN from the mathematical library."""\n'
        f"    if abs(angle) < {sine_cosine.LARGEST_ANGLE!r}:\n"
        f"        return sine_cosine_near(angle)\n"
        f"    return math.sin(angle), math.cos(angle)"
    )


def _pairs(kernel: Kernel) -> list[sp.Expr]:
    """Return the angles of which a kernel takes both sine and cosine, in the order in which they appear."""
    taken = [f for e in all_expressions(kernel) for f in sorted(e.atoms(sp.sin, sp.cos), key=str)]
    angles = dict.fromkeys(f.args[0] for f in taken)
    return [a for a in angles if sp.sin(a) in taken and sp.cos(a) in taken]


def body(kernel: Kernel, call: str) -> tuple[list[str], Iterator[str]]:
    """Return the kernel's assignments and its results as text, sine and cosine taken in pairs by `call`."""
    if call not in kernel.written:
        kernel.written[call] = _body(kernel, call)
    lines, results = kernel.written[call]
    return lines, iter(results)


def _body(kernel: Kernel, call: str) -> tuple[list[str], list[str]]:
    angles = _pairs(kernel)
    tail = "" if not any(name.startswith(("sine", "cosine")) for name in kernel.names) else "_of_angle"
    names = {a: sp.symbols(f"sine{i}{tail} cosine{i}{tail}", real=True) for i, a in enumerate(angles)}
    short = {f(a): name for a in angles for f, name in zip((sp.sin, sp.cos), names[a], strict=True)}
    lines: list[str] = []

    def written(expression: sp.Expr) -> str:
        for f in sorted(expression.atoms(sp.sin, sp.cos), key=str):
            if f in short and f.args[0] in angles:
                angles.remove(f.args[0])
                sine, cosine = names[f.args[0]]
                lines.append(f"{sine}, {cosine} = {call}({expression_text(f.args[0])})")
        return expression_text(expression.xreplace(short))

    for symbol, expression in kernel.program.assignments:
        text = written(expression)
        alone = expression.xreplace(short)
        if alone.is_Symbol:  # a sine or cosine, which has its name from the pair
            short[symbol] = alone
        else:
            lines.append(f"{symbol} = {text}")
    results = [written(e) for e in kernel.program.results]
    return lines, results


def _function(kernel: Kernel) -> str:
    names = [*kernel.inputs, *kernel.outputs]
    arguments = ", ".join(f"{name}, {name}_at" if name in kernel.stacked else name for name in names)
    entry = {name: f"{name}[{name}_at, " if name in kernel.stacked else f"{name}[" for name in names}
    lines = [f"def {kernel.name}({arguments}):", f'    """{kernel.provenance}"""']
    for name in kernel.inputs:
        lines += [f"    {s} = {entry[name]}{place}]" for place, s in places(kernel, name) if s.is_Symbol]
    assignments, results = body(kernel, "sine_cosine")
    lines += [f"    {line}" for line in assignments]
    for name in kernel.outputs:
        lines += [f"    {entry[name]}{place}] = {next(results)}" for place, _ in places(kernel, name)]
    return "\n".join(lines)
