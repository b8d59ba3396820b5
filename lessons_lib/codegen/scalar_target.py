"""The target "scalar": plain Python for the compiler; functions write to the caller's arrays."""
# Sine and cosine of an angle are computed together, from `symbolic.sine_cosine`: two calls of the C library take longer
# than the rest of an arm's kinematics.

from collections.abc import Iterator
from functools import cache

import sympy as sp
from sympy.printing.precedence import PRECEDENCE
from sympy.printing.pycode import PythonCodePrinter

from lessons_lib.codegen.expressions import StumpffPrinter, Target, all_expressions, floats
from lessons_lib.codegen.kernel import Kernel
from lessons_lib.codegen.provenance import Provenance
from lessons_lib.symbolic import sine_cosine
from lessons_lib.symbolic.formulas import name_of


class _ScalarPrinter(StumpffPrinter, PythonCodePrinter):  # type: ignore[misc]
    """Prints the functions of math; integer powers are products, because x**2 and x*x may round differently."""

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


def expression_text(expression: sp.Expr) -> str:
    text: str = _ScalarPrinter({"standard": "python3"}).doprint(expression)
    return text


class ScalarTarget(Target):
    """Prints functions that read and write arrays, or entries of stacked arrays."""

    stumpff = '''def stumpff_{n}(x):
    """{provenance}"""
    if x < {switch}:
        return {series}
    theta = math.sqrt(x)
    return {recurrence}'''

    read = "    {name} = {array}[{place}]"

    def _head(self, kernels: list[Kernel]) -> tuple[str, ...]:
        paired = any(_paired_angles(kernel) for kernel in kernels)
        return ("import math\n\nimport numpy", bounded_sine_cosine_text(), _SINE_COSINE) if paired else ("import math",)

    def _text(self, expression: sp.Expr) -> str:
        return expression_text(expression)

    def _places(self, kernel: Kernel, name: str) -> list[tuple[str, sp.Expr]]:
        head = f"{name}_at, " if name in kernel.stacked else ""
        return [(head + place, entry) for place, entry in super()._places(kernel, name)]

    def _opening(self, kernel: Kernel) -> list[str]:
        names = [*kernel.inputs, *kernel.outputs]
        arguments = ", ".join(f"{name}, {name}_at" if name in kernel.stacked else name for name in names)
        return [f"def {kernel.name}({arguments}):", f'    """{kernel.provenance}"""']

    def _program(self, kernel: Kernel) -> tuple[list[str], Iterator[str]]:
        lines, results = body(kernel, "sine_cosine")
        return [f"    {line}" for line in lines], results


@cache
def bounded_sine_cosine_text() -> str:
    """Return the text of sine_cosine_bounded, which has no branch, so that SIMD loops can inline it."""
    r, x = sp.symbols("r x", real=True)
    first, second, third = sine_cosine.half_pi_parts()
    by = [sine_cosine.half_pi_parts, sine_cosine.sine, sine_cosine.cosine]
    origin = Provenance("Sine and cosine of an angle of fewer than 2**23 quarter turns.", tuple(map(name_of, by)))
    return f'''def sine_cosine_bounded(angle):
    """{origin}"""
    quarters = numpy.rint({float(2 / sp.pi)!r}*angle)
    r = ((angle - {first!r}*quarters) - {second!r}*quarters) - {third!r}*quarters
    x = r*r
    sine = {expression_text(sine_cosine.sine(r, x))}
    cosine = {expression_text(floats(sine_cosine.cosine(x)))}
    quadrant = numpy.int32(quarters)
    sine, cosine = (cosine, sine) if quadrant & 1 else (sine, cosine)
    sine = -sine if quadrant & 2 else sine
    cosine = -cosine if (quadrant + 1) & 2 else cosine
    return sine, cosine'''


_SINE_COSINE = f'''def sine_cosine(angle):
    """Sine and cosine; those of huge angles, infinity and NaN from the mathematical library."""
    if abs(angle) < {sine_cosine.LARGEST_ANGLE!r}:
        return sine_cosine_bounded(angle)
    return math.sin(angle), math.cos(angle)'''


def _paired_angles(kernel: Kernel) -> list[sp.Expr]:
    """Return the angles of which a kernel needs both sine and cosine, in order of appearance."""
    functions = [f for e in all_expressions(kernel) for f in sorted(e.atoms(sp.sin, sp.cos), key=str)]
    angles = dict.fromkeys(f.args[0] for f in functions)
    return [a for a in angles if sp.sin(a) in functions and sp.cos(a) in functions]


def body(kernel: Kernel, call: str) -> tuple[list[str], Iterator[str]]:
    """Print a kernel's assignments and results; `call` computes sine and cosine in pairs."""
    if call not in kernel.printed_forms:
        kernel.printed_forms[call] = _body(kernel, call)
    lines, results = kernel.printed_forms[call]
    return lines, iter(results)


def _body(kernel: Kernel, call: str) -> tuple[list[str], list[str]]:
    angles = _paired_angles(kernel)
    tail = "" if not any(name.startswith(("sine", "cosine")) for name in kernel.names) else "_of_angle"
    names = {a: sp.symbols(f"sine{i}{tail} cosine{i}{tail}", real=True) for i, a in enumerate(angles)}
    short = {f(a): name for a in angles for f, name in zip((sp.sin, sp.cos), names[a], strict=True)}
    lines: list[str] = []

    def print_in_pairs(expression: sp.Expr) -> str:
        for f in sorted(expression.atoms(sp.sin, sp.cos), key=str):
            if f in short and f.args[0] in angles:
                angles.remove(f.args[0])
                sine, cosine = names[f.args[0]]
                lines.append(f"{sine}, {cosine} = {call}({expression_text(f.args[0])})")
        return expression_text(expression.xreplace(short))

    for symbol, expression in kernel.program.assignments:
        text = print_in_pairs(expression)
        alone = expression.xreplace(short)
        if alone.is_Symbol:  # a sine or cosine, which the pair names
            short[symbol] = alone
        else:
            lines.append(f"{symbol} = {text}")
    results = [print_in_pairs(e) for e in kernel.program.results]
    return lines, results
