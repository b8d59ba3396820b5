"""Export of plain Python functions as JavaScript, with everything they call, for a page."""
# A row is a Float64Array, whose slices share its memory. All numbers are doubles: integers must stay below 2**53.

from __future__ import annotations

import ast
import math
from collections.abc import Iterable, Sequence
from typing import Any

from lessons_lib.codegen.plain_expressions import Type, Typed, strip_brackets
from lessons_lib.codegen.plain_text import NAME, Printer, Unit

HEAD = """\
/** A matrix in row-major order. */
function matrix(at, rows, columns) {
  return {at, rows, columns};
}

/** a % b for b > 0, as in Python. */
function modulo(a, b) {
  return a % b < 0 ? a % b + b : a % b;
}

/** a // b for b > 0, as in Python. */
function quotient(a, b) {
  return (a - modulo(a, b)) / b;
}

/** min as in Python: the first number unless the second is smaller. */
function smaller(a, b) {
  return b < a ? b : a;
}

/** max as in Python: the first number unless the second is larger. */
function larger(a, b) {
  return b > a ? b : a;
}

/** x to an integer power, by squaring. */
function power(x, n) {
  let found = 1;
  for (let left = n < 0 ? -n : n; left; left >>= 1, x = left ? x * x : x) found = left & 1 ? found * x : found;
  return n < 0 ? 1 / found : found;
}

/** x rounded to the nearest integer, ties to even. */
function rint(x) {
  const size = Math.abs(x);
  if (!(size < 2 ** 52) || size === 0) return x;
  return copysign(size + 2 ** 52 - 2 ** 52, x);
}

/** Whether x is infinite. */
function isinf(x) {
  return Math.abs(x) === Infinity;
}

/** |x| with the sign of y. */
function copysign(x, y) {
  return y < 0 || Object.is(y, -0) ? -Math.abs(x) : Math.abs(x);
}
"""

_RESERVED = """
arguments await case catch class const debugger default delete do enum eval export extends function implements import
in instanceof interface let new null package private protected public static super switch this throw typeof var void
yield Infinity Math Number Float64Array Object matrix modulo quotient smaller larger power rint copysign isinf
"""
_SAME = "sqrt sin cos atan2 exp log ceil floor abs pow".split()
_OF_NUMBERS = {"isfinite": "Number.isFinite", "fabs": "Math.abs", "llabs": "Math.abs"}


def source(entries: Iterable[tuple[str, Any, Sequence[Type]]]) -> str:
    """Print a prelude, functions, and everything they call, callees first; raise CodegenError for unsupported code.

    An entry is a name, a function, and argument types: "f", "i", "b", arrays "f1", "f2", "i1", and "k" for a kernel.
    """
    unit = Unit(_Printer)
    same = [
        f"/** Calls {printed}. */\nfunction {name}(...given) {{\n  return {printed}(...given);\n}}"
        for name, printed in unit.add(entries)
    ]
    return "\n\n".join([HEAD.rstrip(), unit.text(), *same]) + "\n"


class _Printer(Printer):
    language, counter, reserved = "JavaScript", "let", frozenset(_RESERVED.split())
    functions = {name: f"Math.{name}" for name in _SAME} | {n: n for n in ("rint", "copysign", "isinf")} | _OF_NUMBERS  # noqa: RUF012

    def head(self, summary: str) -> list[str]:
        own = [f"  let {', '.join(self.local_types)};"] if self.local_types else []
        return [f"/** {summary} */", f"function {NAME}({', '.join(self.arguments)}) {{", *own]

    def number(self, number: float) -> str:
        return "Infinity" if math.isinf(number) else repr(number)

    def convert(self, to: str, value: Typed) -> str:
        text, type_ = value
        if to == "i":
            return text if type_ == "i" else f"Math.trunc({text})"
        return f"({text} != 0)" if to == "b" else f"Number({text})" if type_ == "b" else text

    def entry(self, array: Typed, places: list[str]) -> str:
        text, type_ = array
        return f"{text}{'' if type_[1] == '1' else '.at'}[{self.row_major_index(array, places)}]"

    def size(self, array: Typed, axis: int) -> str:
        return f"{array[0]}.length" if array[1][1] == "1" else f"{array[0]}.{('rows', 'columns')[axis]}"

    def make_tuple(self, parts: list[Typed]) -> str:
        return f"[{', '.join(text for text, _ in parts)}]"

    def declare(self, name: str, value: Typed) -> str:
        return f"const {name} = {strip_brackets(value[0])};"

    def tuple_part(self, name: str, k: int) -> str:
        return f"{name}[{k}]"

    def slice(self, array: Typed, first: str, last: str) -> str:
        return f"{array[0]}.subarray({first}, {last})"

    def row(self, array: Typed, place: str) -> str:
        text, _ = array
        return f"{text}.at.subarray({place} * {text}.columns, ({place} + 1) * {text}.columns)"

    def matrix(self, row: str, sizes: list[str]) -> str:
        return f"matrix({row}, {', '.join(sizes)})"

    def new_array(self, sizes: list[str], type_: Type, zeros: bool, node: ast.Call) -> str:
        row = f"new Float64Array({' * '.join(sizes)})"
        return self.matrix(row, sizes) if type_ == "f2" else row
