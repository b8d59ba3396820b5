"""A loop over lanes as a list of operations, of which `vectors` writes its vector instructions.

The text of a kernel over lanes is read once. What calls say is put in their place, choices between pairs become choices
between numbers, whole powers products, and names of the module's constants their numbers. What is left is a straight
line, in which each operation uses earlier ones.
"""

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial, reduce
from typing import Any

from lessons_lib.codegen.syntax import as_read, definition
from lessons_lib.errors import CodegenError

_SIGNS: dict[type, str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
}
_LIBRARY = ("abs", "numpy.rint", "numpy.int32", *(f"math.{name}" for name in ("sqrt", "exp", "log", "sin", "cos")))


@dataclass(frozen=True)
class Operation:
    """One operation of a straight line.

    Attributes:
        kind: "put", which writes a value into a row, or what vectors.py has an instruction for.
        operands: For "row" and "put" the row of w; for "number" the number; else, and for "put" after the row, the
            positions in the list of the operations whose values are used. The second operand of an
            operation on whole numbers is a constant.
    """

    kind: str
    operands: tuple[Any, ...]


@dataclass
class Loop:
    """A loop over lanes: how many there are, and what is done in each."""

    name: str
    width: int
    operations: list[Operation] = field(default_factory=list)


def read(function: Any) -> Loop:
    """Return the single loop over lanes that a function is, as a list of operations.

    Raises:
        CodegenError: It holds something that such a loop may not; see `vectors.vectorized`.
    """
    over = definition(function).body[-1]
    assert isinstance(over, ast.For)
    width = _number(over.iter.args[0], function.__globals__)  # type: ignore[attr-defined]
    loop = Loop(function.__name__, int(width))
    _Reader(loop, function.__globals__).run(over.body, {})
    return loop


class _Reader:
    """Reads the body of a loop. A value is the position of the operation that gives it, or a tuple of values."""

    def __init__(self, loop: Loop, names: Mapping[str, Any]) -> None:
        self.loop, self.names = loop, names

    def add(self, kind: str, *operands: Any) -> int:
        self.loop.operations.append(Operation(kind, operands))
        return len(self.loop.operations) - 1

    def kind(self, value: int) -> str:
        return self.loop.operations[value].kind

    def is_whole(self, value: int) -> bool:
        return self.kind(value) == "numpy.int32" or self.kind(value).startswith("whole")

    def run(self, body: list[ast.stmt], known: dict[str, Any]) -> Any:
        """Read some statements, whose names go into `known`; return what a return returns."""
        for statement in body:
            if isinstance(statement, ast.Return):
                return self.value(statement.value, known)
            if isinstance(statement, ast.AugAssign):
                changed = ast.BinOp(as_read(statement.target), statement.op, statement.value)
                self.put(statement.target, self.value(changed, known), known)
            elif isinstance(statement, ast.Assign):
                self.put(statement.targets[0], self.value(statement.value, known), known)
            elif not isinstance(statement, ast.Pass) and not _is_docstring(statement):
                raise CodegenError(f"in a loop over lanes: {ast.unparse(statement)}")
        return None

    def put(self, target: ast.expr, value: Any, known: dict[str, Any]) -> None:
        """Read the assignment of a value, or of a tuple of them."""
        if isinstance(target, ast.Tuple):
            for one, part in zip(target.elts, value, strict=True):
                self.put(one, part, known)
        elif isinstance(target, ast.Name):
            known[target.id] = value
        else:
            self.add("put", self.place(target), value)

    def value(self, node: Any, known: dict[str, Any]) -> Any:
        """Read an expression."""
        if isinstance(node, ast.Name) and node.id in known:
            return known[node.id]
        if isinstance(node, ast.Tuple):
            return tuple(self.value(part, known) for part in node.elts)
        if isinstance(node, ast.Subscript):
            if isinstance(node.slice, ast.Constant):
                return self.value(node.value, known)[node.slice.value]
            return self.add("row", self.place(node))
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return self.add("not", self.value(node.operand, known))
        if isinstance(node, ast.UnaryOp) and not isinstance(node.operand, ast.Constant):
            return self.add("negative", self.value(node.operand, known))
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow) and not _is_constant(node):
            if _is_whole(node.right):
                return self.power(self.value(node.left, known), ast.literal_eval(node.right))
            return self.add("power", self.value(node.left, known), self.value(node.right, known))
        if isinstance(node, ast.BoolOp):
            kind = "and" if isinstance(node.op, ast.And) else "or"
            return reduce(partial(self.add, kind), [self.value(part, known) for part in node.values])
        if isinstance(node, ast.BinOp) and not _is_constant(node):
            return self.arithmetic(node, known)
        if isinstance(node, ast.Compare):
            sides = [self.value(side, known) for side in (node.left, *node.comparators)]
            signs = [_SIGNS[type(op)] for op in node.ops]
            return reduce(partial(self.add, "and"), map(self.add, signs, sides, sides[1:]))
        if isinstance(node, ast.IfExp):
            parts = (self.value(part, known) for part in (node.test, node.body, node.orelse))
            return self.choice(*parts)
        if isinstance(node, ast.Call):
            return self.call(ast.unparse(node.func), [self.value(part, known) for part in node.args])
        return self.add("number", float(_number(node, self.names)))

    def place(self, node: Any) -> int:
        """Return the number in w[number, lane]."""
        return int(_number(node.slice.elts[0], self.names))

    def arithmetic(self, node: ast.BinOp, known: dict[str, Any]) -> int:
        """Read + − * / of numbers, or + and & of a whole number with a constant."""
        first = self.value(node.left, known)
        if self.is_whole(first):
            kind = {ast.Add: "whole +", ast.BitAnd: "whole &"}[type(node.op)]
            return self.add(kind, first, ast.literal_eval(node.right))
        return self.add(_SIGNS[type(node.op)], first, self.value(node.right, known))

    def power(self, base: int, exponent: int) -> int:
        """Read a power as products, by squaring."""
        result = None
        while exponent:
            if exponent & 1:
                result = base if result is None else self.add("*", result, base)
            exponent >>= 1
            base = self.add("*", base, base) if exponent else base
        assert result is not None
        return result

    def choice(self, condition: int, first: Any, second: Any) -> Any:
        """Read the choice between two numbers, conditions, or tuples of them; a whole number is true unless it is 0."""
        if self.is_whole(condition):
            condition = self.add("is not zero", condition)
        if isinstance(first, tuple):
            return tuple(self.add("select", condition, a, b) for a, b in zip(first, second, strict=True))
        return self.add("select", condition, first, second)

    def call(self, name: str, arguments: list[Any]) -> Any:
        """Read the call of a library's function, or in place of the call what another function does."""
        if name in _LIBRARY:
            return self.add(name, *arguments)
        called = definition(self.names[name])
        return self.run(called.body, {a.arg: value for a, value in zip(called.args.args, arguments, strict=True)})


def _number(node: Any, names: Mapping[str, Any]) -> Any:
    """Return the value of an expression of numbers and of a module's constants."""
    if isinstance(node, ast.Constant):
        return node.value
    return eval(compile(ast.Expression(node), "<lanes>", "eval"), dict(names))


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _is_whole(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int) and node.value > 0


def _is_constant(node: ast.expr) -> bool:
    """Return whether an expression is made of numbers alone."""
    if isinstance(node, ast.BinOp):
        return _is_constant(node.right) and _is_constant(node.left)
    return isinstance(node, ast.Constant) or isinstance(node, ast.UnaryOp) and _is_constant(node.operand)
