"""Translation of loops over SIMD lanes to LLVM IR: a straight line with one vector instruction per operation."""
# A loop may contain assignments of names and of w[number, lane]; + − * / and powers; comparisons joined by `and` and
# `or`; choices between numbers or tuples; abs, numpy.rint, functions of `math` in `_LIBRARY`; numpy.int32 with + and &;
# and calls of functions made of such assignments and a return. Calls are inlined, choices between tuples become choices
# between numbers, and integer powers become products.

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import partial, reduce
from typing import Any

from lessons_lib.codegen.ir import Value, constant
from lessons_lib.codegen.syntax import definition, to_expression
from lessons_lib.errors import CodegenError

_SIGNS: dict[type, str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
    ast.Eq: "==", ast.NotEq: "!=",
}  # fmt: skip
_LIBRARY = {"abs": "fabs", "numpy.rint": "rint", "**": "pow"} | {
    f"math.{name}": name for name in ("sqrt", "exp", "log", "sin", "cos")
}
_ARITHMETIC = {"+": "fadd", "-": "fsub", "*": "fmul", "/": "fdiv"}
_COMPARISONS = {"<": "olt", "<=": "ole", ">": "ogt", ">=": "oge", "==": "oeq", "!=": "une"}
_BOOLEANS = {*_COMPARISONS, "and", "or", "not", "is not zero"}
_INTEGERS = {"numpy.int32": "fptosi", "integer +": "add", "integer &": "and"}


class Loop:
    """Translator of a function of w[row, lane] that is a single loop over SIMD lanes; "f", "i", "b" are vectors."""

    result, writes = "v", frozenset([0])

    def __init__(self, unit: Any, native: Any, types: tuple[Any, ...], symbol: str) -> None:
        """Read the function; its array has one column per lane."""
        self.unit, self.native, self.symbol, self.names = unit, native, symbol, native.py_func.__globals__
        over = definition(native.py_func).body[-1]
        assert isinstance(over, ast.For)
        self.body, self.width = over.body, int(_number(over.iter.args[0], self.names))  # type: ignore[attr-defined]
        self.types = (f"f2x{self.width}",)
        if types != self.types:
            raise CodegenError(f"{native.__name__} takes an array of {self.width} columns, one per lane; got {types}")
        self.flags = "contract " if native.contract else ""
        self.doubles, self.booleans, self.integers = (f"<{self.width} x {one}>" for one in ("double", "i1", "i32"))
        self.lines: list[str] = []

    def translate(self) -> str:
        self.run(self.body, {})
        kept = "" if self.symbol == self.unit.symbol else "internal "
        head = f"define {kept}void @{self.symbol}(ptr %heap, ptr noalias %w, i64 %rows) nounwind noinline {{"
        return "\n".join([head, "entry:", *self.lines, "  ret void", "}"])

    def add(self, kind: str, *operands: Any) -> Value:
        """Write an operation; the operands of "load", "store" and "number" begin with a row of w or a number."""
        other = operands[1].type if kind == "select" else "f"
        return Value(
            "b" if kind in _BOOLEANS else "i" if kind in _INTEGERS else other, self.instruction(kind, operands)
        )

    def run(self, body: list[ast.stmt], known: dict[str, Any]) -> Any:
        """Translate statements, store their names in `known`, and return the value of a `return`."""
        for statement in body:
            if isinstance(statement, ast.Return):
                return self.value(statement.value, known)
            if isinstance(statement, ast.AugAssign):
                changed = ast.BinOp(to_expression(statement.target), statement.op, statement.value)
                self.assign(statement.target, self.value(changed, known), known)
            elif isinstance(statement, ast.Assign):
                self.assign(statement.targets[0], self.value(statement.value, known), known)
            elif not isinstance(statement, ast.Pass) and not _is_docstring(statement):
                raise CodegenError(f"statement not supported in a SIMD loop: {ast.unparse(statement)}")
        return None

    def assign(self, target: ast.expr, value: Any, known: dict[str, Any]) -> None:
        if isinstance(target, ast.Tuple):
            for one, part in zip(target.elts, value, strict=True):
                self.assign(one, part, known)
        elif isinstance(target, ast.Name):
            known[target.id] = value
        else:
            self.add("store", self.row(target), value)

    def value(self, node: Any, known: dict[str, Any]) -> Any:
        if isinstance(node, ast.Name) and node.id in known:
            return known[node.id]
        if isinstance(node, ast.Tuple):
            return tuple(self.value(part, known) for part in node.elts)
        if isinstance(node, ast.Subscript):
            if isinstance(node.slice, ast.Constant):
                return self.value(node.value, known)[node.slice.value]
            return self.add("load", self.row(node))
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return self.add("not", self.value(node.operand, known))
        if isinstance(node, ast.UnaryOp) and not isinstance(node.operand, ast.Constant):
            return self.add("negative", self.value(node.operand, known))
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow) and not _is_constant(node):
            if _is_positive_integer(node.right):
                return self.power(self.value(node.left, known), ast.literal_eval(node.right))
            return self.add("**", self.value(node.left, known), self.value(node.right, known))
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

    def row(self, node: Any) -> int:
        return int(_number(node.slice.elts[0], self.names))

    def arithmetic(self, node: ast.BinOp, known: dict[str, Any]) -> Value:
        first = self.value(node.left, known)
        if first.type == "i":
            kind = {ast.Add: "integer +", ast.BitAnd: "integer &"}[type(node.op)]
            return self.add(kind, first, ast.literal_eval(node.right))
        return self.add(_SIGNS[type(node.op)], first, self.value(node.right, known))

    def power(self, base: Value, exponent: int) -> Value:
        """Write a power as products, by squaring."""
        result = None
        while exponent:
            if exponent & 1:
                result = base if result is None else self.add("*", result, base)
            exponent >>= 1
            base = self.add("*", base, base) if exponent else base
        assert result is not None
        return result

    def choice(self, condition: Value, first: Any, second: Any) -> Any:
        """Write a choice between values, or between the parts of two tuples."""
        if condition.type == "i":
            condition = self.add("is not zero", condition)
        if isinstance(first, tuple):
            return tuple(self.add("select", condition, a, b) for a, b in zip(first, second, strict=True))
        return self.add("select", condition, first, second)

    def call(self, name: str, arguments: list[Any]) -> Any:
        """Translate a call; functions of the module are inlined."""
        if name in _LIBRARY or name == "numpy.int32":
            return self.add(name, *arguments)
        called = definition(self.names[name])
        return self.run(called.body, {a.arg: value for a, value in zip(called.args.args, arguments, strict=True)})

    def emit(self, text: str) -> str:
        name = f"%x{len(self.lines)}"
        self.lines.append(f"  {name} = {text}")
        return name

    def address(self, row: int) -> str:
        return self.emit(f"getelementptr inbounds double, ptr %w, i64 {self.width * row}")

    def splat(self, kind: str, text: str) -> str:
        return "<" + ", ".join([f"{kind} {text}"] * self.width) + ">"

    def instruction(self, kind: str, operands: tuple[Any, ...]) -> str:
        """Write the instruction of an operation and return its value."""
        doubles = self.doubles
        if kind == "load":
            return self.emit(f"load {doubles}, ptr {self.address(operands[0])}, align 8")
        if kind == "store":
            self.lines.append(f"  store {doubles} {operands[1].text}, ptr {self.address(operands[0])}, align 8")
            return ""
        if kind == "number":
            return self.splat("double", constant(float(operands[0])).text)
        first = operands[0].text
        if kind in ("integer +", "integer &"):
            return self.emit(f"{_INTEGERS[kind]} {self.integers} {first}, {self.splat('i32', str(int(operands[1])))}")
        if kind == "is not zero":
            return self.emit(f"icmp ne {self.integers} {first}, zeroinitializer")
        if kind == "numpy.int32":
            return self.emit(f"fptosi {doubles} {first} to {self.integers}")
        if kind == "negative":
            return self.emit(f"fneg {self.flags}{doubles} {first}")
        if kind == "not":
            return self.emit(f"xor {self.booleans} {first}, {self.splat('i1', 'true')}")
        texts = [one.text for one in operands]
        if kind in _LIBRARY:
            return self.library(_LIBRARY[kind], texts)
        if kind in ("and", "or"):
            return self.emit(f"{kind} {self.booleans} {first}, {texts[1]}")
        if kind == "select":
            type_ = self.booleans if operands[1].type == "b" else doubles
            return self.emit(f"select {self.booleans} {first}, {type_} {texts[1]}, {type_} {texts[2]}")
        if kind in _COMPARISONS:
            return self.emit(f"fcmp {_COMPARISONS[kind]} {doubles} {first}, {texts[1]}")
        return self.emit(f"{_ARITHMETIC[kind]} {self.flags}{doubles} {first}, {texts[1]}")

    def library(self, name: str, given: list[str]) -> str:
        """Write the call of LLVM's vector function of this name."""
        full = f"llvm.{name}.v{self.width}f64"
        self.unit.declared.add(f"{self.doubles} @{full}({', '.join([self.doubles] * len(given))})")
        return self.emit(f"call {self.doubles} @{full}({', '.join(f'{self.doubles} {one}' for one in given)})")


def _number(node: Any, names: Mapping[str, Any]) -> Any:
    if isinstance(node, ast.Constant):
        return node.value
    return eval(compile(ast.Expression(node), "<lanes>", "eval"), dict(names))


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _is_positive_integer(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int) and node.value > 0


def _is_constant(node: ast.expr) -> bool:
    if isinstance(node, ast.BinOp):
        return _is_constant(node.right) and _is_constant(node.left)
    return isinstance(node, ast.Constant) or isinstance(node, ast.UnaryOp) and _is_constant(node.operand)
