"""A loop over lanes as LLVM's text: each of its operations is one vector instruction for all lanes.

Every number in such a loop is a double, and no pass looks at another. So nothing has to be found out: the operations
are written one by one, with the number of lanes as their width.
"""

from __future__ import annotations

from typing import Any

from lessons_lib.codegen.ir import constant
from lessons_lib.codegen.operations import read
from lessons_lib.errors import CodegenError

_LIBRARY = {"abs": "fabs", "numpy.rint": "rint", "power": "pow"} | {
    f"math.{name}": name for name in ("sqrt", "exp", "log", "sin", "cos")
}
_ARITHMETIC = {"+": "fadd", "-": "fsub", "*": "fmul", "/": "fdiv"}
_COMPARISONS = {"<": "olt", "<=": "ole", ">": "ogt", ">=": "oge", "==": "oeq", "!=": "une"}


class Loop:
    """A function of w[row, lane] that is a single loop over lanes; what `translate.Function` is for any other.

    Attributes:
        symbol: Its name in LLVM's text.
        types: Of its argument.
        result: Of what it returns: nothing.
        writes: Its argument.
    """

    result, writes = "v", frozenset([0])

    def __init__(self, unit: Any, native: Any, types: tuple[Any, ...], symbol: str) -> None:
        """Take the function, which is not yet written, for an array whose rows are as long as it has lanes."""
        self.unit, self.native, self.symbol, self.loop = unit, native, symbol, read(native.py_func)
        self.width, self.types = self.loop.width, (f"f2x{self.loop.width}",)
        if types != self.types:
            raise CodegenError(f"{self.loop.name} takes an array of {self.width} columns, one a lane; got {types}")
        self.flags = "contract " if native.contract else ""
        self.lines: list[str] = []

    def written(self) -> str:
        """Write the function, and return its text."""
        self.doubles, self.truths, self.wholes = (f"<{self.width} x {one}>" for one in ("double", "i1", "i32"))
        values: list[str] = []
        for operation in self.loop.operations:
            values.append(self.instruction(operation.kind, operation.operands, values))
        kept = "" if self.symbol == self.unit.symbol else "internal "
        head = f"define {kept}void @{self.symbol}(ptr %room, ptr noalias %w, i64 %rows) nounwind noinline {{"
        return "\n".join([head, "entry:", *self.lines, "  ret void", "}"])

    def emit(self, text: str) -> str:
        """Write an instruction, and return the name of its value."""
        name = f"%x{len(self.lines)}"
        self.lines.append(f"  {name} = {text}")
        return name

    def place(self, number: int) -> str:
        """Return the address of row `number` of w."""
        return self.emit(f"getelementptr inbounds double, ptr %w, i64 {self.width * number}")

    def everywhere(self, kind: str, text: str) -> str:
        """Return a number in all lanes."""
        return "<" + ", ".join([f"{kind} {text}"] * self.width) + ">"

    def instruction(self, kind: str, operands: tuple[Any, ...], values: list[str]) -> str:
        """Write an operation, and return its value; `values` are those of the operations before it."""
        doubles = self.doubles
        if kind == "row":
            return self.emit(f"load {doubles}, ptr {self.place(operands[0])}, align 8")
        if kind == "put":
            self.lines.append(f"  store {doubles} {values[operands[1]]}, ptr {self.place(operands[0])}, align 8")
            return ""
        if kind == "number":
            return self.everywhere("double", constant(float(operands[0])).text)
        first = values[operands[0]]
        if kind in ("whole +", "whole &"):
            word = "add" if kind == "whole +" else "and"
            return self.emit(f"{word} {self.wholes} {first}, {self.everywhere('i32', str(int(operands[1])))}")
        if kind == "is not zero":
            return self.emit(f"icmp ne {self.wholes} {first}, zeroinitializer")
        if kind == "numpy.int32":
            return self.emit(f"fptosi {doubles} {first} to {self.wholes}")
        if kind == "negative":
            return self.emit(f"fneg {self.flags}{doubles} {first}")
        rest = [values[k] for k in operands[1:]]
        if kind in _LIBRARY:
            return self.library(_LIBRARY[kind], [first, *rest])
        if kind in ("and", "or"):
            return self.emit(f"{kind} {self.truths} {first}, {rest[0]}")
        if kind == "not":
            return self.emit(f"xor {self.truths} {first}, {self.everywhere('i1', 'true')}")
        if kind == "select":
            type_ = self.truths if self.is_truth(operands[1]) else doubles
            return self.emit(f"select {self.truths} {first}, {type_} {rest[0]}, {type_} {rest[1]}")
        if kind in _COMPARISONS:
            return self.emit(f"fcmp {_COMPARISONS[kind]} {doubles} {first}, {rest[0]}")
        return self.emit(f"{_ARITHMETIC[kind]} {self.flags}{doubles} {first}, {rest[0]}")

    def is_truth(self, place: int) -> bool:
        """Return whether an operation gives a condition instead of a number."""
        operation = self.loop.operations[place]
        if operation.kind == "select":
            return self.is_truth(operation.operands[1])
        return operation.kind in _COMPARISONS or operation.kind in ("and", "or", "not", "is not zero")

    def library(self, name: str, given: list[str]) -> str:
        """Write the call of LLVM's own function of this name over lanes."""
        full = f"llvm.{name}.v{self.width}f64"
        self.unit.declared.add(f"{self.doubles} @{full}({', '.join([self.doubles] * len(given))})")
        return self.emit(f"call {self.doubles} @{full}({', '.join(f'{self.doubles} {one}' for one in given)})")
