"""Export of plain Python functions as C99, with everything they call, for a controller."""
# arrays are pointers with sizes, on the stack if of constant size; integers have 64 bits, tuples are structs

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterable, Sequence
from typing import Any

from lessons_lib.codegen.ir import is_array
from lessons_lib.codegen.plain_expressions import Type, Typed, strip_brackets
from lessons_lib.codegen.plain_text import NAME, Printer, Unit

HEAD = """\
#include <math.h>
#include <stdint.h>

typedef struct { double *at; int64_t rows, columns; } array;
typedef struct { int64_t *at; int64_t rows; } integers;
typedef void (*kernel)(array, int64_t);

/* a % b and a // b for b > 0, as in Python. */
static inline int64_t modulo(int64_t a, int64_t b) { return a % b < 0 ? a % b + b : a % b; }
static inline int64_t quotient(int64_t a, int64_t b) { return (a - modulo(a, b)) / b; }

/* min and max as in Python: the first number unless the second is smaller or larger. */
static inline double smaller(double a, double b) { return b < a ? b : a; }
static inline double larger(double a, double b) { return b > a ? b : a; }

/* Fill an array with zeros. */
static inline array zeros(array a) {
  for (int64_t k = 0; k < a.rows * a.columns; k++) a.at[k] = 0.0;
  return a;
}

/* x to an integer power, by squaring. */
static inline double power(double x, int n) {
  double found = 1.0;
  for (int left = n < 0 ? -n : n; left; left >>= 1, x = left ? x * x : x) found = left & 1 ? found * x : found;
  return n < 0 ? 1.0 / found : found;
}
"""

_RESERVED = """
auto case char const default do double enum extern float goto inline int long register restrict short signed sizeof
static struct switch typedef union unsigned void volatile array integers kernel modulo quotient smaller larger zeros
power int64_t main
"""
_TYPES = {"f": "double", "i": "int64_t", "b": "int", "v": "void", "k": "kernel", "i1": "integers"}
_SAME = "sqrt sin cos atan2 exp log rint ceil floor fabs pow llabs isfinite isinf copysign hypot".split()


def source(entries: Iterable[tuple[str, Any, Sequence[Type]]]) -> str:
    """Print functions and all their callees as static C functions, callees first; entries as in `js_plain.source`."""
    unit = Unit(_Printer)
    same = [f"#define {name} {printed}" for name, printed in unit.add(entries)]
    functions = "\n".join([unit.text(), *same])
    structs = dict.fromkeys(one for printer in unit.printers for one in printer.structs)
    return "\n".join([HEAD, *structs, *([""] if structs else []), functions]) + "\n"


class _Printer(Printer):
    """Prints one function; `structs` are the definitions of its tuples."""

    language, counter, reserved = "C", "int64_t", frozenset([*_RESERVED.split(), *_SAME])
    functions = {name: name for name in _SAME} | {"abs": "fabs"}  # noqa: RUF012 (never changed)

    def __init__(self, unit: Unit, function: Any, types: tuple[Type, ...]) -> None:
        super().__init__(unit, function, types)
        self.structs: dict[str, None] = {}
        self.made: list[tuple[str, str]] = []

    def head(self, summary: str) -> list[str]:
        if self.made and isinstance(self.result, str) and is_array(self.result):
            self.fail(self.node, "returning a new array")
        parameters = ", ".join(f"{self._c_type(type_)} {name}" for name, type_ in self.arguments.items()) or "void"
        own = [f"  {self._c_type(type_)} {name} = {self._zero(type_)};" for name, type_ in self.local_types.items()]
        own += [f"  {_TYPES[entry]} made{k}[{size}] = {{0}};" for k, (entry, size) in enumerate(self.made)]
        own += [f"  (void){name};" for name in self.arguments if name not in self.read]
        return [f"/* {summary} */", f"static {self._c_type(self.result)} {NAME}({parameters}) {{", *own]

    def _c_type(self, type_: Type) -> str:
        if not isinstance(type_, tuple):
            return _TYPES.get(type_, "array")
        parts = [self._c_type(one) for one in type_]
        name = "tuple_" + "".join(
            f"_{part}" if isinstance(one, tuple) else one for one, part in zip(type_, parts, strict=True)
        )
        members = " ".join(f"{part} _{k};" for k, part in enumerate(parts))
        self.structs[f"typedef struct {{ {members} }} {name};"] = None  # a nested one comes before the outer one
        return name

    @staticmethod
    def _zero(type_: Type) -> str:
        return "0" if type_ in ("f", "i", "b", "k") else "{0}"

    def number(self, number: float) -> str:
        if isinstance(number, int):
            return f"{number}" if number < 2**31 else f"INT64_C({number})"
        return "INFINITY" if math.isinf(number) else repr(number)

    def convert(self, to: str, value: Typed) -> str:
        return f"({value[0]} != 0)" if to == "b" else f"(({_TYPES[to]}){value[0]})"

    def entry(self, array: Typed, places: list[str]) -> str:
        return f"{array[0]}.at[{self.row_major_index(array, places)}]"

    def slice(self, array: Typed, first: str, last: str) -> str:
        text, type_ = array
        begin = text + f".at + {first}"
        return (
            f"((array){{{begin}, {last} - {first}, 1}})"
            if type_ == "f1"
            else f"((integers){{{begin}, {last} - {first}}})"
        )

    def row(self, array: Typed, place: str) -> str:
        text, _ = array
        return f"((array){{{text}.at + {place} * {text}.columns, {text}.columns, 1}})"

    def matrix(self, row: str, sizes: list[str]) -> str:
        return f"((array){{{row}.at, {', '.join(sizes)}}})"

    def new_array(self, sizes: list[str], type_: Type, zeros: bool, node: ast.Call) -> str:
        size = " * ".join(sizes)
        if not re.fullmatch(r"[\d ()+*-]+", size) or (zeros and type_ == "i1"):
            self.fail(node, ast.unparse(node.func).rpartition(".")[2])
        self.made.append((type_[0], size))
        name = f"made{len(self.made) - 1}"
        if type_ == "i1":
            return f"((integers){{{name}, {size}}})"
        literal = f"(array){{{name}, {sizes[0]}, {sizes[1] if len(sizes) == 2 else 1}}}"
        return f"zeros({literal})" if zeros else f"({literal})"

    def size(self, array: Typed, axis: int) -> str:
        return f"{array[0]}.{('rows', 'columns')[axis]}"

    def make_tuple(self, parts: list[Typed]) -> str:
        struct = self._c_type(tuple(type_ for _, type_ in parts))
        return f"(({struct}){{{', '.join(text for text, _ in parts)}}})"

    def declare(self, name: str, value: Typed) -> str:
        return f"{self._c_type(value[1])} {name} = {strip_brackets(value[0])};"

    def tuple_part(self, name: str, k: int) -> str:
        return f"{name}._{k}"
