"""Expressions of plain Python as text of another language; plain_text.py has the statements."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Mapping
from typing import Any, ClassVar, NoReturn

from lessons_lib.codegen.ir import columns_of
from lessons_lib.codegen.syntax import definition
from lessons_lib.errors import CodegenError

_SIGNS: dict[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Mod: "", ast.FloorDiv: "", ast.BitAnd: "&",
    ast.BitOr: "|", ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip
_OWN = re.compile(r"(now|whole|made)\d+")
"""Names that a printer gives to values on their way."""
_HINTS = {"float": "f", "int": "i", "bool": "b"}

Type = Any
"""Of a value: "f", "i", "b", an array "f1", "f2" or "i1", one of eight columns "f2x8", a tuple of types, "k" for a
kernel, or "v" for none."""

Typed = tuple[str, Type]
"""A text and the type of its value."""


class Expressions:
    """What a printer of one function, for one list of argument types, knows of expressions.

    Attributes:
        name: Of the function.
        arguments: Their names and types.
        result: The type of what it returns.
        own: The names that it sets, with their types.
        read: The names that it reads.
        stored: Those that it sets, but for the counters of loops.
    """

    language: ClassVar[str]
    functions: ClassVar[Mapping[str, str]]
    """Those of math and NumPy, of numbers."""
    taken: ClassVar[frozenset[str]]
    """Names that mean something in the language, or before the functions."""

    def __init__(self, unit: Any, function: Any, types: tuple[Type, ...]) -> None:
        """Take the function, which is not yet printed."""
        self.unit, self.node = unit, definition(function)
        self.names = function.__globals__
        self.name = self.node.name
        arguments = self.node.args.args
        if len(arguments) != len(types):
            raise CodegenError(f"{self.name} takes {len(arguments)} arguments, got {len(types)}")
        self.arguments: dict[str, Type] = {one.arg: type_ for one, type_ in zip(arguments, types, strict=True)}
        self.own: dict[str, Type] = {}
        names = [node for node in ast.walk(self.node) if isinstance(node, ast.Name)]
        self.read = {node.id for node in names if isinstance(node.ctx, ast.Load)}
        counters = {id(node.target) for node in ast.walk(self.node) if isinstance(node, ast.For)}
        self.stored = {node.id for node in names if isinstance(node.ctx, ast.Store) and id(node) not in counters}
        self.counters: dict[str, Type] = {}
        used = {self.name, *self.arguments} | {one.id for one in names if isinstance(one.ctx, ast.Store)}
        if elsewhere := [one for one in sorted(used) if one in self.taken or _OWN.fullmatch(one)]:
            self.fail(self.node, f"the name {elsewhere[0]}, which means something else,")
        self.result: Type = "v"

    def type_of(self, name: str) -> Type:
        """Return the type of a name of the function; None for one that it has not set yet."""
        return self.arguments.get(name) or self.own.get(name) or self.counters.get(name)

    # what a subclass says

    def number(self, number: float) -> str:
        """Return a number that is no truth value."""
        raise NotImplementedError

    def converted(self, to: str, value: Typed) -> str:
        """Return a value as a number of the type "f", "i" or "b"."""
        raise NotImplementedError

    def entry(self, array: Typed, places: list[str]) -> str:
        """Return an entry of an array."""
        raise NotImplementedError

    def in_a_row(self, array: Typed, places: list[str]) -> str:
        """Return where an entry lies among all that follow each other, row after row."""
        if len(places) == 1:
            return places[0]
        row, column = places
        columns = columns_of(array[1]) or f"{array[0]}.columns"
        before = row if columns == "1" else f"{row} * {columns}"
        return before if column == "0" else f"{before} + {column}"

    def reshaped(self, node: ast.Call) -> tuple[Typed, list[str], Type]:
        """Return what a.reshape((rows, columns)) is made of: a row of numbers, both sizes, the type."""
        array = self.of(node.func.value)  # type: ignore[attr-defined]
        sizes = [self.of(one)[0] for one in getattr(node.args[0], "elts", node.args)]
        if array[1] != "f1" or len(sizes) != 2:
            self.fail(node, "another shape than that of a row in two sizes")
        length = self.size(array, 0)
        rows = sizes[0] if sizes[0] != "(-1)" else length if sizes[1] == "1" else f"{length} / {sizes[1]}"
        return array, [rows, sizes[1]], f"f2x{sizes[1]}" if sizes[1].isdigit() else "f2"

    def size(self, array: Typed, axis: int) -> str:
        """Return how long an array is along an axis."""
        raise NotImplementedError

    def tupled(self, parts: list[Typed]) -> str:
        """Return a tuple."""
        raise NotImplementedError

    def other_call(self, name: str, node: ast.Call) -> Typed:
        """Return the call of what is neither a number's function nor one of ours."""
        return self.fail(node, name)

    # expressions

    def of(self, node: ast.expr) -> Typed:
        """Return an expression, in brackets where it has parts."""
        match node:
            case ast.Constant(value=bool() | int() | float() as number):
                return self._number(number)
            case ast.Name(id=name) if self.type_of(name) is not None:
                return name, self.type_of(name)
            case ast.Name() | ast.Attribute(value=ast.Name(id="math" | "np")) if (
                found := self._outside(node)
            ) is not None:
                return self._number(found)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                text, type_ = self.of(operand)
                return f"(-{text})", type_
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return f"(!{self.of(operand)[0]})", "b"
            case ast.BinOp(left=left, op=ast.Pow(), right=right):
                (text, _), (exponent, type_) = self.of(left), self.of(right)
                return f"{'power' if type_ == 'i' else self.functions['pow']}({text}, {exponent})", "f"
            case ast.BinOp(left=left, op=op, right=right):
                return self._binary(op, self.of(left), self.of(right), node)
            case ast.BoolOp(op=op, values=values):
                word = " && " if isinstance(op, ast.And) else " || "
                return f"({word.join(self.of(one)[0] for one in values)})", "b"
            case ast.Compare(left=left, ops=ops, comparators=others):
                return self._compared([left, *others], ops, node), "b"
            case ast.IfExp(test=test, body=yes, orelse=no):
                (first, type_), (second, other) = self.of(yes), self.of(no)
                return f"({self.of(test)[0]} ? {first} : {second})", joint(type_, other)
            case ast.Tuple(elts=parts):
                found = [self.of(one) for one in parts]
                return self.tupled(found), tuple(type_ for _, type_ in found)
            case ast.Subscript(value=ast.Attribute(value=array, attr="shape"), slice=ast.Constant(value=int(axis))):
                return self.size(self.of(array), axis), "i"
            case ast.Subscript(value=array):
                return self._entry(node), self.of(array)[1][0]
            case ast.Call():
                return self._call(node)
        return self.fail(node)

    def _outside(self, node: ast.expr) -> Any:
        """Return the number that a name of the module, or math.pi and the like, stands for; None for all else."""
        if isinstance(node, ast.Name):
            found = self.names.get(node.id)
        else:
            assert isinstance(node, ast.Attribute)
            found = getattr(math, node.attr, None) if ast.unparse(node.value) in ("math", "np", "numpy") else None
        return found if isinstance(found, bool | int | float) else None

    def _number(self, number: float) -> Typed:
        if isinstance(number, bool):
            return str(int(number)), "b"
        text = self.number(abs(number))
        return text if number >= 0 else f"(-{text})", "i" if isinstance(number, int) else "f"

    def _binary(self, op: ast.operator, left: Typed, right: Typed, node: ast.AST) -> Typed:
        if type(op) not in _SIGNS:
            self.fail(node, type(op).__name__)
        type_ = joint(left[1], right[1])
        if isinstance(op, ast.Div):
            first = left[0] if "f" in (left[1], right[1]) else self.converted("f", left)
            return f"({first} / {right[0]})", "f"
        if isinstance(op, ast.Mod | ast.FloorDiv):
            if type_ != "i":
                self.fail(node, "a remainder of what is no whole number")
            return f"{'modulo' if isinstance(op, ast.Mod) else 'quotient'}({left[0]}, {right[0]})", "i"
        return f"({left[0]} {_SIGNS[type(op)]} {right[0]})", "i" if type_ == "b" and isinstance(op, ast.Add) else type_

    def _compared(self, parts: list[ast.expr], ops: list[ast.cmpop], node: ast.AST) -> str:
        if isinstance(parts[0], ast.Attribute) and parts[0].attr == "shape" and isinstance(parts[1], ast.Tuple):
            array, sizes = self.of(parts[0].value), [self.of(one)[0] for one in parts[1].elts]
            same = " && ".join(f"{self.size(array, axis)} == {size}" for axis, size in enumerate(sizes))
            return f"(!({same}))" if isinstance(ops[0], ast.NotEq) else f"({same})"
        if any(type(op) not in _SIGNS for op in ops):
            self.fail(node)
        texts = [self.of(one)[0] for one in parts]
        pairs = [f"{a} {_SIGNS[type(op)]} {b}" for a, op, b in zip(texts, ops, texts[1:], strict=False)]
        return f"({' && '.join(pairs)})"

    def _entry(self, node: ast.Subscript) -> str:
        array, places = self.of(node.value), indices(node)
        if array[1][:2] not in ("f1", "f2", "i1") or len(places) != int(array[1][1]):
            self.fail(node)
        return self.entry(array, [self.of(one)[0] for one in places])

    def _call(self, node: ast.Call) -> Typed:
        function = node.func
        name = function.attr if isinstance(function, ast.Attribute) else ast.unparse(function)
        ours = self.names.get(name) if isinstance(function, ast.Name) else None
        if hasattr(ours, "py_func"):
            return self._call_of(ours, [self.of(one) for one in node.args])
        if name in ("float", "int", "int32", "bool"):
            to = _HINTS.get(name, "i")
            return self.converted(to, self.of(node.args[0])), to
        if name == "abs" and self.of(node.args[0])[1] != "f":
            return f"{self.functions['llabs']}({self.of(node.args[0])[0]})", "i"
        if name in ("min", "max"):
            return self._smallest(name == "min", [self.of(one) for one in node.args])
        if name in self.functions:
            type_ = "b" if name == "isfinite" else "f"
            return f"{self.functions[name]}({', '.join(self.of(one)[0] for one in node.args)})", type_
        return self.other_call(name, node)

    def _smallest(self, least: bool, given: list[Typed]) -> Typed:
        """Return min or max as Python has them: a later one takes the place of an earlier one that it is beyond."""
        found, type_ = given[0]
        for text, other in given[1:]:
            type_ = joint(type_, other)
            choice = f"({text} {'<' if least else '>'} {found} ? {text} : {found})"
            found = choice if type_ == "i" else f"{'smaller' if least else 'larger'}({found}, {text})"
        return found, type_

    def _call_of(self, ours: Any, given: list[Typed]) -> Typed:
        hints = ours.py_func.__annotations__
        names = ours.py_func.__code__.co_varnames[: ours.py_func.__code__.co_argcount]
        types = tuple(_HINTS.get(str(hints.get(n)), type_) for n, (_, type_) in zip(names, given, strict=True))
        called = self.unit.function(ours, types)
        return f"{called.name}({', '.join(text for text, _ in given)})", called.result

    def fail(self, node: ast.AST, name: str = "") -> NoReturn:
        """Refuse what has no counterpart."""
        line = getattr(node, "lineno", 0)
        raise CodegenError(
            f"{self.name}, line {line}: {name or type(node).__name__} has no counterpart in {self.language}"
        )


def joint(one: Type, other: Type) -> Type:
    """Return the type of what is made of values of two types."""
    return one if one == other else "f" if "f" in (one, other) else "i"


def indices(node: ast.Subscript) -> list[ast.expr]:
    """Return what stands between the brackets of an entry."""
    return node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]


def bare(text: str) -> str:
    """Return an expression without the brackets around all of it."""
    if not text.startswith("("):
        return text
    deep = 0
    for k, letter in enumerate(text):
        deep += (letter == "(") - (letter == ")")
        if deep == 0:
            return text[1:-1] if k == len(text) - 1 else text
    return text
