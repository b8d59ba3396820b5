"""Functions of plain Python as C99: those of a generated module, with everything they call, for a controller.

An array is a pointer with rows and columns; integers have 64 bits; a tuple is a struct. Nothing is allocated: an array
made by a function lies on the stack and has a constant size.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Sequence
from typing import Any

from lessons_lib.codegen.ir import is_array
from lessons_lib.codegen.plain_expressions import Type, Typed, strip_brackets
from lessons_lib.codegen.plain_text import NAME, Printer, Unit

HEAD = """\
#include <math.h>
#include <stdint.h>

typedef struct { double *at; int64_t rows, columns; } array;

/* What a has beyond a multiple of b > 0, zero or more, and how many times b goes into a, as Python has them. */
static inline int64_t modulo(int64_t a, int64_t b) { return a % b < 0 ? a % b + b : a % b; }
static inline int64_t quotient(int64_t a, int64_t b) { return (a - modulo(a, b)) / b; }

/* The smaller and the larger of two numbers, the first where they are not compared, as Python has them. */
static inline double smaller(double a, double b) { return b < a ? b : a; }
static inline double larger(double a, double b) { return b > a ? b : a; }

/* An array, with zeros in it. */
static inline array zeros(array a) {
  for (int64_t k = 0; k < a.rows * a.columns; k++) a.at[k] = 0.0;
  return a;
}

/* x to a whole power, by squaring. */
static inline double power(double x, int n) {
  double found = 1.0;
  for (int left = n < 0 ? -n : n; left; left >>= 1, x = left ? x * x : x) found = left & 1 ? found * x : found;
  return n < 0 ? 1.0 / found : found;
}
"""

_TAKEN = """
auto case char const default do double enum extern float goto inline int long register restrict short signed sizeof
static struct switch typedef union unsigned void volatile array modulo quotient smaller larger zeros power int64_t main
"""
_TYPES = {"f": "double", "i": "int64_t", "b": "int", "v": "void"}
_SAME = "sqrt sin cos atan2 exp log rint ceil floor fabs pow llabs isfinite copysign hypot".split()


def source(entry: Any, types: Sequence[Type]) -> str:
    """Return the text of a function and of everything it calls, static, callees first.

    Args:
        entry: A function of a generated module; see native.py.
        types: Types of its arguments: "f", "i" and "b" for numbers, "f1" and "f2" for arrays of doubles.

    Raises:
        CodegenError: The function contains something that is not supported.
    """
    unit = Unit(_Printer)
    unit.function(entry, tuple(types))
    functions = unit.text()
    structs = sorted({one for printed in unit.printed for one in printed.structs})
    return "\n".join([HEAD, *structs, *([""] if structs else []), functions]) + "\n"


class _Printer(Printer):
    """Prints one function; `structs` are the definitions of its tuples."""

    language, counter, taken = "C", "int64_t", frozenset([*_TAKEN.split(), *_SAME])
    functions = {name: name for name in _SAME} | {"abs": "fabs"}  # noqa: RUF012 (never changed)

    def __init__(self, unit: Unit, function: Any, types: tuple[Type, ...]) -> None:
        super().__init__(unit, function, types)
        self.structs: set[str] = set()
        self.made: list[str] = []

    def head(self, summary: str) -> list[str]:
        if self.made and isinstance(self.result, str) and is_array(self.result):
            self.fail(self.node, "an array that is made here and returned")
        given = ", ".join(f"{self._c_type(type_)} {name}" for name, type_ in self.arguments.items()) or "void"
        own = [f"  {self._c_type(type_)} {name} = {self._zero(type_)};" for name, type_ in self.own.items()]
        own += [f"  double made{k}[{size}] = {{0}};" for k, size in enumerate(self.made)]
        own += [f"  (void){name};" for name in self.arguments if name not in self.read]
        return [f"/* {summary} */", f"static {self._c_type(self.result)} {NAME}({given}) {{", *own]

    def _c_type(self, type_: Type) -> str:
        if not isinstance(type_, tuple):
            return _TYPES.get(type_, "array")
        name, members = f"tuple_{''.join(type_)}", " ".join(f"{_TYPES[one]} _{k};" for k, one in enumerate(type_))
        self.structs.add(f"typedef struct {{ {members} }} {name};")
        return name

    @staticmethod
    def _zero(type_: Type) -> str:
        return "{0}" if isinstance(type_, tuple) or type_ not in _TYPES else "0"

    def number(self, number: float) -> str:
        if isinstance(number, int):
            return f"{number}" if number < 2**31 else f"INT64_C({number})"
        return "INFINITY" if math.isinf(number) else repr(number)

    def convert(self, to: str, value: Typed) -> str:
        return f"({value[0]} != 0)" if to == "b" else f"(({_TYPES[to]}){value[0]})"

    def entry(self, array: Typed, places: list[str]) -> str:
        return f"{array[0]}.at[{self.row_major_index(array, places)}]"

    def of(self, node: ast.expr) -> Typed:
        match node:
            case ast.Subscript(value=array, slice=ast.Slice(lower=lower, upper=upper, step=None)):
                (text, type_), length = self.of(array), self.size(self.of(array), 0)
                first = "0" if lower is None else self.of(lower)[0]
                last = length if upper is None else self.of(upper)[0]
                if type_ == "f1":
                    return f"((array){{{text}.at + {first}, {last} - {first}, 1}})", type_
        return super().of(node)

    def other_call(self, name: str, node: ast.Call) -> Typed:
        if name in ("zeros", "empty") and not node.keywords:
            size = self.of(node.args[0])[0]
            if re.fullmatch(r"[\d ()+*-]+", size):
                self.made.append(size)
                made = f"(array){{made{len(self.made) - 1}, {size}, 1}}"
                return f"zeros({made})" if name == "zeros" else f"({made})", "f1"
        if name == "reshape" and isinstance(node.func, ast.Attribute):
            (text, _), (rows, columns), type_ = self.reshape_parts(node)
            return f"((array){{{text}.at, {rows}, {columns}}})", type_
        return self.fail(node, name)

    def size(self, array: Typed, axis: int) -> str:
        return f"{array[0]}.{('rows', 'columns')[axis]}"

    def make_tuple(self, parts: list[Typed]) -> str:
        struct = self._c_type(tuple(type_ for _, type_ in parts))
        return f"(({struct}){{{', '.join(text for text, _ in parts)}}})"

    def declare(self, name: str, value: Typed) -> str:
        return f"{self._c_type(value[1])} {name} = {strip_brackets(value[0])};"

    def tuple_part(self, name: str, k: int) -> str:
        return f"{name}._{k}"
