"""Export of expressions of plain Python to another language; plain_text.py exports statements."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, NoReturn

from lessons_lib.codegen.ir import columns_of
from lessons_lib.codegen.syntax import definition
from lessons_lib.errors import CodegenError

_SIGNS: dict[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Mod: "", ast.FloorDiv: "", ast.BitAnd: "&",
    ast.BitOr: "|", ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip
_TEMPORARY = re.compile(r"(now|whole|made)\d+")  # names of intermediate values
_HINTS = {"float": "f", "int": "i", "bool": "b"}

Type = Any
"""Type of a value: as in translate.py, "k" for a kernel, or "v" for none."""

Typed = tuple[str, Type]
"""Text of an expression and type of its value."""


class Expressions:
    """Printer of the expressions of one function for one list of argument types."""

    language: ClassVar[str]
    functions: ClassVar[Mapping[str, str]]  # names of the functions of math and NumPy
    reserved: ClassVar[frozenset[str]]  # reserved names
    number: Callable[[float], str]  # print a number other than a truth value
    convert: Callable[[str, Typed], str]  # convert a value to type "f", "i" or "b"
    entry: Callable[[Typed, list[str]], str]  # an entry of an array
    size: Callable[[Typed, int], str]  # the size of an array along an axis
    slice: Callable[[Typed, str, str], str]  # the part of a row between two indices
    matrix: Callable[[str, list[str]], str]  # a row as a matrix of these sizes
    row: Callable[[Typed, str], str]  # a row of a matrix
    new_array: Callable[[list[str], Type, bool, ast.Call], str]  # a new array of these sizes, with zeros or not
    make_tuple: Callable[[list[Typed]], str]
    tuple_part: Callable[[str, int], str]

    def __init__(self, unit: Any, function: Any, types: tuple[Type, ...]) -> None:
        self.unit, self.node = unit, definition(function)
        self.names = function.__globals__
        self.name = self.node.name
        arguments = self.node.args.args
        if len(arguments) != len(types):
            raise CodegenError(f"{self.name} takes {len(arguments)} arguments, got {len(types)}")
        self.arguments: dict[str, Type] = {one.arg: type_ for one, type_ in zip(arguments, types, strict=True)}
        self.local_types: dict[str, Type] = {}
        names = [node for node in ast.walk(self.node) if isinstance(node, ast.Name)]
        self.read = {node.id for node in names if isinstance(node.ctx, ast.Load)}
        counters = {id(node.target) for node in ast.walk(self.node) if isinstance(node, ast.For)}
        self.stored = {node.id for node in names if isinstance(node.ctx, ast.Store) and id(node) not in counters}
        self.counters: dict[str, Type] = {}
        used = {self.name, *self.arguments} | {one.id for one in names if isinstance(one.ctx, ast.Store)}
        if elsewhere := [one for one in sorted(used) if one in self.reserved or _TEMPORARY.fullmatch(one)]:
            self.fail(self.node, f"the reserved name {elsewhere[0]}")
        self.result: Type = "v"

    def type_of(self, name: str) -> Type:
        """Return the type of a local name; None if it is unset."""
        return self.arguments.get(name) or self.local_types.get(name) or self.counters.get(name)

    def row_major_index(self, array: Typed, places: list[str]) -> str:
        """Return the index of an entry in row-major order."""
        if len(places) == 1:
            return places[0]
        row, column = places
        columns = columns_of(array[1]) or f"{array[0]}.columns"
        before = row if columns == "1" else f"{row} * {columns}"
        return before if column == "0" else f"{before} + {column}"

    def reshape_parts(self, node: ast.Call) -> tuple[Typed, list[str], Type]:
        """Return array, sizes and type of a.reshape((rows, columns))."""
        array = self.expression(node.func.value)  # type: ignore[attr-defined]
        sizes = [self.expression(one)[0] for one in getattr(node.args[0], "elts", node.args)]
        if array[1] != "f1" or len(sizes) != 2:
            self.fail(node, "a reshape other than from one to two dimensions")
        length = self.size(array, 0)
        rows = sizes[0] if sizes[0] != "(-1)" else length if sizes[1] == "1" else f"{length} / {sizes[1]}"
        return array, [rows, sizes[1]], f"f2x{sizes[1]}" if sizes[1].isdigit() else "f2"

    def expression(self, node: ast.expr) -> Typed:
        """Print an expression, in brackets if it has operands, and return its type."""
        match node:
            case ast.Constant(value=bool() | int() | float() as number):
                return self._number(number)
            case ast.Name(id=name) if self.type_of(name) is not None:
                return name, self.type_of(name)
            case ast.Name() | ast.Attribute(value=ast.Name(id="math" | "np")) if (
                number := self._module_number(node)
            ) is not None:
                return self._number(number)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                text, type_ = self.expression(operand)
                return f"(-{text})", type_
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return f"(!{self.expression(operand)[0]})", "b"
            case ast.BinOp(left=left, op=ast.Pow(), right=right):
                (text, _), (exponent, type_) = self.expression(left), self.expression(right)
                return f"{'power' if type_ == 'i' else self.functions['pow']}({text}, {exponent})", "f"
            case ast.BinOp(left=left, op=op, right=right):
                return self._binary(op, self.expression(left), self.expression(right), node)
            case ast.BoolOp(op=op, values=values):
                word = " && " if isinstance(op, ast.And) else " || "
                return f"({word.join(self.expression(one)[0] for one in values)})", "b"
            case ast.Compare(left=left, ops=ops, comparators=others):
                return self._compare([left, *others], ops, node), "b"
            case ast.IfExp(test=test, body=yes, orelse=no):
                (first, type_), (second, other) = self.expression(yes), self.expression(no)
                return f"({self.expression(test)[0]} ? {first} : {second})", common_type(type_, other)
            case ast.Tuple(elts=parts):
                items = [one for part in parts for one in self._parts(part)]
                return self.make_tuple(items), tuple(type_ for _, type_ in items)
            case ast.Subscript(value=ast.Attribute(value=array, attr="shape"), slice=ast.Constant(value=int(axis))):
                return self.size(self.expression(array), axis), "i"
            case ast.Subscript(value=array):
                return self._item(self.expression(array), node)
            case ast.Call():
                return self._call(node)
        return self.fail(node)

    def _module_number(self, node: ast.expr) -> Any:
        """Return a number of the module, math.pi or the like; None for anything else."""
        if isinstance(node, ast.Name):
            number = self.names.get(node.id)
        else:
            assert isinstance(node, ast.Attribute)
            number = getattr(math, node.attr, None) if ast.unparse(node.value) in ("math", "np", "numpy") else None
        return number if isinstance(number, bool | int | float) else None

    def _number(self, number: float) -> Typed:
        if isinstance(number, bool):
            return str(int(number)), "b"
        text = self.number(abs(number))
        return text if number >= 0 else f"(-{text})", "i" if isinstance(number, int) else "f"

    def _binary(self, op: ast.operator, left: Typed, right: Typed, node: ast.AST) -> Typed:
        if type(op) not in _SIGNS:
            self.fail(node, type(op).__name__)
        type_ = common_type(left[1], right[1])
        if isinstance(op, ast.Div):
            first = left[0] if "f" in (left[1], right[1]) else self.convert("f", left)
            return f"({first} / {right[0]})", "f"
        if isinstance(op, ast.Mod | ast.FloorDiv):
            if type_ != "i":
                self.fail(node, "a remainder of doubles")
            return f"{'modulo' if isinstance(op, ast.Mod) else 'quotient'}({left[0]}, {right[0]})", "i"
        return f"({left[0]} {_SIGNS[type(op)]} {right[0]})", "i" if type_ == "b" and isinstance(op, ast.Add) else type_

    def _compare(self, parts: list[ast.expr], ops: list[ast.cmpop], node: ast.AST) -> str:
        if isinstance(parts[0], ast.Attribute) and parts[0].attr == "shape" and isinstance(parts[1], ast.Tuple):
            array, sizes = self.expression(parts[0].value), [self.expression(one)[0] for one in parts[1].elts]
            same = " && ".join(f"{self.size(array, axis)} == {size}" for axis, size in enumerate(sizes))
            return f"(!({same}))" if isinstance(ops[0], ast.NotEq) else f"({same})"
        if any(type(op) not in _SIGNS for op in ops):
            self.fail(node)
        texts = [self.expression(one)[0] for one in parts]
        pairs = [f"{a} {_SIGNS[type(op)]} {b}" for a, op, b in zip(texts, ops, texts[1:], strict=False)]
        return f"({' && '.join(pairs)})"

    def _parts(self, node: ast.expr) -> list[Typed]:
        """Print an element of a tuple, or all parts of a starred tuple."""
        if not isinstance(node, ast.Starred):
            return [self.expression(node)]
        text, types = self.expression(node.value)
        if not isinstance(node.value, ast.Name) or not isinstance(types, tuple):
            self.fail(node)
        return [(self.tuple_part(text, k), type_) for k, type_ in enumerate(types)]

    def _item(self, array: Typed, node: ast.Subscript) -> Typed:
        """Print a part of a tuple, a slice of a row, a row of a matrix, or an entry."""
        (text, type_), place = array, node.slice
        if isinstance(type_, tuple):
            if not (isinstance(place, ast.Constant) and isinstance(place.value, int)):
                self.fail(node, "a tuple index that is not constant")
            return self.tuple_part(text, place.value), type_[place.value]
        if isinstance(place, ast.Slice) and type_ in ("f1", "i1") and place.step is None:
            first = "0" if place.lower is None else self.expression(place.lower)[0]
            last = self.size(array, 0) if place.upper is None else self.expression(place.upper)[0]
            return self.slice(array, first, last), type_
        if type_[:2] == "f2" and not isinstance(place, ast.Slice | ast.Tuple):
            return self.row(array, self.expression(place)[0]), "f1"
        return self.entry_of(node), type_[0]

    def entry_of(self, node: ast.Subscript) -> str:
        array, places = self.expression(node.value), indices(node)
        if array[1][:2] not in ("f1", "f2", "i1") or len(places) != int(array[1][1]):
            self.fail(node)
        return self.entry(array, [self.expression(one)[0] for one in places])

    def _call(self, node: ast.Call) -> Typed:
        function = node.func
        name = function.attr if isinstance(function, ast.Attribute) else ast.unparse(function)
        ours = self.names.get(name) if isinstance(function, ast.Name) else None
        if hasattr(ours, "py_func"):
            return self._call_native(ours, [self.expression(one) for one in node.args])
        if name in ("float", "int", "int32", "bool"):
            to = _HINTS.get(name, "i")
            return self.convert(to, self.expression(node.args[0])), to
        if name == "abs" and self.expression(node.args[0])[1] != "f":
            return f"{self.functions['llabs']}({self.expression(node.args[0])[0]})", "i"
        if name in ("min", "max"):
            return self._min_or_max(name == "min", [self.expression(one) for one in node.args])
        if name in self.functions:
            type_ = "b" if name in ("isfinite", "isinf") else "f"
            return f"{self.functions[name]}({', '.join(self.expression(one)[0] for one in node.args)})", type_
        if getattr(self.names.get(name), "calls_at", False):
            kernel, *operands = (self.expression(one)[0] for one in node.args)
            return f"{kernel}({', '.join(operands)})", "v"
        if name in ("zeros", "empty"):
            sizes = [self.expression(one)[0] for one in getattr(node.args[0], "elts", node.args[:1])]
            result_type = "i1" if node.keywords else f"f{len(sizes)}"
            return self.new_array(sizes, result_type, name == "zeros", node), result_type
        if name == "reshape" and isinstance(function, ast.Attribute):
            (text, _), sizes, type_ = self.reshape_parts(node)
            return self.matrix(text, sizes), type_
        return self.fail(node, name)

    def _min_or_max(self, least: bool, operands: list[Typed]) -> Typed:
        """Print min or max with Python's semantics: a later value replaces an earlier one only if it compares true."""
        extreme, type_ = operands[0]
        for text, other in operands[1:]:
            type_ = common_type(type_, other)
            choice = f"({text} {'<' if least else '>'} {extreme} ? {text} : {extreme})"
            extreme = choice if type_ == "i" else f"{'smaller' if least else 'larger'}({extreme}, {text})"
        return extreme, type_

    def _call_native(self, ours: Any, operands: list[Typed]) -> Typed:
        hints = ours.py_func.__annotations__
        names = ours.py_func.__code__.co_varnames[: ours.py_func.__code__.co_argcount]
        types = tuple(_HINTS.get(str(hints.get(n)), type_) for n, (_, type_) in zip(names, operands, strict=True))
        called = self.unit.function(ours, types)
        return f"{called.name}({', '.join(text for text, _ in operands)})", called.result

    def fail(self, node: ast.AST, name: str = "") -> NoReturn:
        """Raise CodegenError for an unsupported node."""
        line = getattr(node, "lineno", 0)
        raise CodegenError(
            f"{self.name}, line {line}: {name or type(node).__name__} cannot be printed in {self.language}"
        )


def common_type(one: Type, other: Type) -> Type:
    return one if one == other else "f" if "f" in (one, other) else "i"


def indices(node: ast.Subscript) -> list[ast.expr]:
    return node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]


def strip_brackets(text: str) -> str:
    if not text.startswith("("):
        return text
    deep = 0
    for k, letter in enumerate(text):
        deep += (letter == "(") - (letter == ")")
        if deep == 0:
            return text[1:-1] if k == len(text) - 1 else text
    return text
