"""Translation of expressions to LLVM IR; translate.py lists the supported ones."""

from __future__ import annotations

import ast
import math
from types import ModuleType
from typing import Any

from lessons_lib.codegen import double_double, machine
from lessons_lib.codegen.array_text import Arrays
from lessons_lib.codegen.ir import Value, constant, flat_types, flatten, make_value, struct_of
from lessons_lib.codegen.numbers import INTRINSICS

LIBRARY = {"sin": 1, "cos": 1, "tan": 1, "exp": 1, "log": 1, "atan": 1, "acos": 1, "asin": 1, "atan2": 2, "hypot": 2}
"""Functions of the C library and their numbers of arguments."""

INFINITY = constant(math.inf).text


class Values(Arrays):
    def value(self, node: ast.expr) -> Value:
        match node:
            case ast.Constant(value=bool() | int() | float() as number):
                return constant(number)
            case ast.Name(id=name) if name in self.places:
                return self.load(name)
            case ast.Name() | ast.Attribute() if (known := self.module_number(node)) is not None:
                return constant(float(known) if isinstance(known, float) else known)
            case ast.Tuple(elts=parts):
                return self.tuple_of([one for part in parts for one in self.expand_star(part)])
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
                return constant(-number)
            case ast.UnaryOp(op=op, operand=operand):
                return self.unary(op, self.value(operand), node)
            case ast.BinOp(left=left, op=ast.Pow(), right=right):
                return self.power(self.value(left), right, node)
            case ast.BinOp(left=left, op=op, right=right):
                return self.binary(op, self.value(left), self.value(right), node)
            case ast.BoolOp(op=op, values=values):
                return self.short_circuit(isinstance(op, ast.And), values, node)
            case ast.Compare(left=left, ops=ops, comparators=others):
                return self.compare(self.value(left), ops, [self.value(other) for other in others], node)
            case ast.IfExp(test=test, body=yes, orelse=no):
                return self.choose(self.to_bool(self.value(test), test), yes, no, node)
            case ast.Subscript():
                return self.item(node)
            case ast.Attribute(value=array, attr="shape" | "size" as what):
                return self.shape_or_size(self.value(array), what, node)
            case ast.Call():
                return self.call(node)
        return self.fail(node)

    def expand_star(self, node: ast.expr) -> tuple[Value, ...]:
        """Return the value of an element of a tuple, or the values of a starred one."""
        return self.value(node.value).parts if isinstance(node, ast.Starred) else (self.value(node),)

    def module_number(self, node: ast.expr) -> Any:
        """Return a number of the module, math.pi or the like; None for anything else."""
        if isinstance(node, ast.Name):
            number = self.names.get(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            number = getattr(self.names.get(node.value.id), node.attr, None) if self.is_module(node.value) else None
        else:
            return None
        return number if isinstance(number, bool | int | float) else None

    def is_module(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Name) and isinstance(self.names.get(node.id), ModuleType)

    def call(self, node: ast.Call) -> Value:
        function = node.func
        if isinstance(function, ast.Attribute) and not self.is_module(function.value):
            return self.method(self.value(function.value), function.attr, node)
        name = function.attr if isinstance(function, ast.Attribute) else ast.unparse(function)
        ours = self.names.get(name) if isinstance(function, ast.Name) else None
        if ours is not None and hasattr(ours, "py_func"):
            return self.call_native(ours, [self.value(argument) for argument in node.args], node)
        if getattr(ours, "calls_at", False):
            return self.call_at([self.value(argument) for argument in node.args], node)
        if name in ("empty", "zeros", "arange"):
            return self.new_array(name, node)
        operands = [self.value(argument) for argument in node.args]
        if name == "sqrt" and operands[0].type == "d":
            return self.double_double(double_double.root, list(operands[0].parts), node)
        if name in ("min", "max", "abs", "int", "int32", "float", "bool", "len"):
            return self.call_builtin(name, operands, node)
        if name in ("isfinite", "isinf", "isnan"):
            return self.classify(name, self.convert(operands[0], "f", node))
        if name in INTRINSICS or name in LIBRARY or name == "pow":
            result = self.call_library(name, [self.convert(one, "f", node) for one in operands])
            whole = name in ("floor", "ceil") and self.names.get(ast.unparse(function).split(".")[0]) is math
            return self.call_builtin("int", [result], node) if whole else result
        return self.fail(node)

    def call_builtin(self, name: str, operands: list[Value], node: ast.AST) -> Value:
        first = operands[0]
        if name == "len":
            return Value("i", first.sizes[0]) if first.is_array else constant(len(first.parts))
        if name == "float":
            return self.convert(first, self.real, node)
        if name == "bool":
            return self.to_bool(first, node)
        if name in ("int", "int32"):
            if first.type == "f":
                return self.emit(f"fptosi double {first.text} to i64", "i")
            return self.convert(first, "i", node)
        if name == "abs":
            if first.type == "f":
                return self.call_library("fabs", [first])
            return self.min_or_max(ast.Gt, [first, self.unary(ast.USub(), first, node)], node)
        return self.min_or_max(ast.Lt if name == "min" else ast.Gt, operands, node)

    def classify(self, name: str, value: Value) -> Value:
        """Translate isfinite, isinf or isnan."""
        if name == "isnan":
            return self.emit(f"fcmp uno double {value.text}, 0.0", "b")
        size = self.call_library("fabs", [value])
        return self.emit(f"fcmp {'olt' if name == 'isfinite' else 'oeq'} double {size.text}, {INFINITY}", "b")

    def call_native(self, ours: Any, operands: list[Value], node: ast.AST) -> Value:
        """Call another native function; translate it for these types if necessary."""
        if ours is double_double.two_product and machine.has_fused_multiply_add():
            product = self.binary(ast.Mult(), operands[0], operands[1], node)
            minus = self.unary(ast.USub(), product, node)
            return self.tuple_of([product, self.call_library("llvm.fma.f64", [*operands, minus])])
        if not isinstance(ours, double_double.Operation):
            operands = [self.promote(one) for one in operands]
        called = self.unit.function(ours, tuple(one.type for one in operands))
        operands = [self.convert(one, type_, node) for one, type_ in zip(operands, called.types, strict=True)]
        for k in called.writes:
            self.writes |= operands[k].origin
        arguments = ", ".join(["ptr %heap", *(f"{t} {text}" for one in operands for t, text in flatten(one))])
        kind = struct_of(called.result)
        if kind == "void":
            self.emit(f"call void @{called.symbol}({arguments})")
            return Value("v")
        result = self.emit(f"call {kind} @{called.symbol}({arguments})", "i")
        parts = flat_types(called.result)
        if len(parts) == 1:
            return make_value(called.result, iter([result.text]))
        names = [self.emit(f"extractvalue {kind} {result.text}, {k}", "i").text for k in range(len(parts))]
        return make_value(called.result, iter(names))

    def call_at(self, operands: list[Value], node: ast.AST) -> Value:
        """Call a kernel by its address; see addresses.py."""
        address, w, which = operands
        self.writes |= w.origin
        at = self.emit(f"inttoptr i64 {address.text} to ptr", "i")
        self.emit(
            f"call void {at.text}(ptr %heap, ptr {w.text}, i64 {w.sizes[0]}, i64 {self.convert(which, 'i', node).text})"
        )
        return Value("v")
