"""Functions of plain Python as C99: those of a generated module, with all that they call, for a controller.

An array is a pointer with its rows and columns; whole numbers have 64 bits; a tuple is a struct. There is no
allocation: what makes an array is refused.

By hand: the counterparts.
Held by: tests/codegen/test_plain_text.py.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from lessons_lib.codegen.plain_expressions import Type, Typed, bare
from lessons_lib.codegen.plain_text import NAME, Printer, Unit

HEAD = """\
#include <math.h>
#include <stdint.h>

typedef struct { double *at; int64_t rows, columns; } array;

/* What a has beyond a multiple of b > 0, zero or more, and how many times b goes into a, as Python has them. */
static inline int64_t rest(int64_t a, int64_t b) { return a % b < 0 ? a % b + b : a % b; }
static inline int64_t times(int64_t a, int64_t b) { return (a - rest(a, b)) / b; }

/* The smaller and the larger of two numbers, the first where they are not compared, as Python has them. */
static inline double smaller(double a, double b) { return b < a ? b : a; }
static inline double larger(double a, double b) { return b > a ? b : a; }

/* x to a whole power, by squaring. */
static inline double power(double x, int n) {
  double found = 1.0;
  for (int left = n < 0 ? -n : n; left; left >>= 1, x = left ? x * x : x) found = left & 1 ? found * x : found;
  return n < 0 ? 1.0 / found : found;
}
"""

_TYPES = {"f": "double", "i": "int64_t", "b": "int", "v": "void"}
_SAME = "sqrt sin cos atan2 exp log rint ceil floor fabs pow llabs isfinite copysign hypot".split()


def source(entry: Any, types: Sequence[Type]) -> str:
    """Return the text of a function and of all that it calls, each static, those that are called first.

    Args:
        entry: A function of a generated module; see native.py.
        types: Of its arguments: "f", "i" and "b" for numbers, "f1" and "f2" for arrays of doubles.

    Raises:
        CodegenError: It holds what has no counterpart here.
    """
    unit = Unit(_Printer)
    unit.function(entry, tuple(types))
    functions = unit.text()
    structs = sorted({one for printed in unit.printed for one in printed.structs})
    return "\n".join([HEAD, *structs, *([""] if structs else []), functions]) + "\n"


class _Printer(Printer):
    """Prints one function; `structs` are the definitions of the tuples that it uses."""

    language, counter = "C", "int64_t"
    functions = {name: name for name in _SAME} | {"abs": "fabs"}  # noqa: RUF012 (never changed)

    def __init__(self, unit: Unit, function: Any, types: tuple[Type, ...]) -> None:
        super().__init__(unit, function, types)
        self.structs: set[str] = set()

    def head(self, summary: str) -> list[str]:
        given = ", ".join(f"{self._declared(type_)} {name}" for name, type_ in self.arguments.items()) or "void"
        own = [f"  {self._declared(type_)} {name} = {self._zero(type_)};" for name, type_ in self.own.items()]
        own += [f"  (void){name};" for name in self.arguments if name not in self.read]
        return [f"/* {summary} */", f"static {self._declared(self.result)} {NAME}({given}) {{", *own]

    def _declared(self, type_: Type) -> str:
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

    def converted(self, to: str, value: Typed) -> str:
        return f"({value[0]} != 0)" if to == "b" else f"(({_TYPES[to]}){value[0]})"

    def entry(self, array: Typed, places: list[str]) -> str:
        row, *columns = places
        return f"{array[0]}.at[{row}{f' * {array[0]}.columns + {columns[0]}' if columns else ''}]"

    def size(self, array: Typed, axis: int) -> str:
        return f"{array[0]}.{('rows', 'columns')[axis]}"

    def tupled(self, parts: list[Typed]) -> str:
        struct = self._declared(tuple(type_ for _, type_ in parts))
        return f"(({struct}){{{', '.join(text for text, _ in parts)}}})"

    def kept(self, name: str, value: Typed) -> str:
        return f"{self._declared(value[1])} {name} = {bare(value[0])};"

    def part(self, name: str, k: int) -> str:
        return f"{name}._{k}"
