"""Translation of numbers to LLVM IR: operations, comparisons, choices."""

from __future__ import annotations

import ast
from typing import Any

from lessons_lib.codegen import double_double
from lessons_lib.codegen.ir import Value, Writer, constant, flatten, make_value

FLOATS = {ast.Add: "fadd", ast.Sub: "fsub", ast.Mult: "fmul", ast.Div: "fdiv"}
INTEGERS = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor"}
DOUBLE_DOUBLE = {
    ast.Add: double_double.add,
    ast.Sub: double_double.add,
    ast.Mult: double_double.multiply,
    ast.Div: double_double.divide,
}
COMPARISONS = {
    ast.Lt: ("olt", "slt"),
    ast.LtE: ("ole", "sle"),
    ast.Gt: ("ogt", "sgt"),
    ast.GtE: ("oge", "sge"),
    ast.Eq: ("oeq", "eq"),
    ast.NotEq: ("une", "ne"),
}
INTRINSICS = {"sqrt": "sqrt", "fabs": "fabs", "rint": "rint", "floor": "floor", "ceil": "ceil", "copysign": "copysign"}


class Numbers(Writer):
    def tuple_of(self, parts: list[Value]) -> Value:
        return Value(tuple(part.type for part in parts), parts=tuple(parts))

    def convert(self, value: Value, type_: Any, node: ast.AST) -> Value:
        """Convert an integer to a double, or a truth value to a number."""
        if value.type == type_:
            return value
        if isinstance(type_, tuple) and isinstance(value.type, tuple) and len(type_) == len(value.type):
            parts = tuple(self.convert(part, t, node) for part, t in zip(value.parts, type_, strict=True))
            return Value(type_, parts=parts, origin=value.origin)
        if type_ == "f" and value.type == "i":
            if value.text.lstrip("-").isdigit():
                return constant(float(value.text))
            return self.emit(f"sitofp i64 {value.text} to double", "f")
        if type_ == "d" and value.type in ("f", "i", "b"):
            return Value("d", parts=(self.convert(value, "f", node), constant(0.0)))
        if type_ == "i" and value.type == "b":
            return self.emit(f"zext i1 {value.text} to i64", "i")
        if type_ == "f" and value.type == "b":
            return self.emit(f"uitofp i1 {value.text} to double", "f")
        return self.fail(node, f"expected {type_}, got {value.type}")

    def integers(self, kind: str, a: Value, b: Value) -> Value:
        """Write an integer operation, folded if both operands are constant."""
        if a.text.lstrip("-").isdigit() and b.text.lstrip("-").isdigit():
            x, y = int(a.text), int(b.text)
            known = {"add": x + y, "sub": x - y, "mul": x * y}.get(kind.split()[0])
            if known is not None:
                return constant(known)
        if kind.startswith("mul") and "1" in (a.text, b.text):
            return b if a.text == "1" else a
        if kind.startswith("add") and "0" in (a.text, b.text):
            return b if a.text == "0" else a
        return self.emit(f"{kind} i64 {a.text}, {b.text}", "i")

    def to_bool(self, value: Value, node: ast.AST) -> Value:
        if value.type == "b":
            return value
        if value.type == "f":
            return self.emit(f"fcmp une double {value.text}, 0.0", "b")
        if value.type != "i":
            self.fail(node, "the truth value of something other than a number")
        return self.emit(f"icmp ne i64 {value.text}, 0", "b")

    def unary(self, op: ast.unaryop, value: Value, node: ast.AST) -> Value:
        if isinstance(op, ast.Not):
            return self.emit(f"xor i1 {self.to_bool(value, node).text}, true", "b")
        if isinstance(op, ast.USub) and value.type == "d":
            return Value("d", parts=tuple(self.unary(op, one, node) for one in value.parts))
        if isinstance(op, ast.USub) and value.type == "f":
            return self.emit(f"fneg {self.flags}double {value.text}", "f")
        if isinstance(op, ast.USub):
            return self.integers("sub", constant(0), self.convert(value, "i", node))
        return value if isinstance(op, ast.UAdd) else self.fail(node)

    def binary(self, op: ast.operator, a: Value, b: Value, node: ast.AST) -> Value:
        if {a.type, b.type} == {"b"} and type(op) in (ast.BitAnd, ast.BitOr, ast.BitXor):
            return self.emit(f"{INTEGERS[type(op)]} i1 {a.text}, {b.text}", "b")
        if "d" in (a.type, b.type) and type(op) in DOUBLE_DOUBLE:
            a, b = self.convert(a, "d", node), self.convert(b, "d", node)
            if isinstance(op, ast.Sub):
                b = self.unary(ast.USub(), b, node)
            return self.double_double(DOUBLE_DOUBLE[type(op)], [*a.parts, *b.parts], node)
        if "f" in (a.type, b.type) or isinstance(op, ast.Div):
            if type(op) not in FLOATS:
                return self.fail(node)
            a, b = self.convert(a, "f", node), self.convert(b, "f", node)
            return self.emit(f"{FLOATS[type(op)]} {self.flags}double {a.text}, {b.text}", "f")
        a, b = self.convert(a, "i", node), self.convert(b, "i", node)
        if isinstance(op, ast.FloorDiv | ast.Mod):
            return self.divide(isinstance(op, ast.FloorDiv), a, b)
        if type(op) not in INTEGERS:
            self.fail(node)
        return self.integers(INTEGERS[type(op)], a, b)

    def double_double(self, function: Any, operands: list[Value], node: ast.AST) -> Value:
        """Call a function of double_double.py."""
        return Value("d", parts=self.call_native(function, operands, node).parts)

    def call_native(self, ours: Any, operands: list[Value], node: ast.AST) -> Value:
        raise NotImplementedError

    def divide(self, quotient: bool, a: Value, b: Value) -> Value:
        """Write a // b or a % b with Python's semantics: the remainder has the sign of b."""
        rest = self.emit(f"srem i64 {a.text}, {b.text}", "i").text
        apart = self.emit(f"xor i64 {rest}, {b.text}", "i").text
        below = self.emit(f"icmp slt i64 {apart}, 0", "b").text
        some = self.emit(f"icmp ne i64 {rest}, 0", "b").text
        off = self.emit(f"and i1 {below}, {some}", "b").text
        if quotient:
            down = self.emit(f"sdiv i64 {a.text}, {b.text}", "i").text
            return self.emit(f"sub i64 {down}, {self.emit(f'zext i1 {off} to i64', 'i').text}", "i")
        more = self.emit(f"select i1 {off}, i64 {b.text}, i64 0", "i").text
        return self.emit(f"add i64 {rest}, {more}", "i")

    def power(self, base: Value, exponent: ast.expr, node: ast.AST) -> Value:
        """Write a power, by repeated squaring if the exponent is a constant integer."""
        number = self.value(exponent)
        if number.type == "i" and number.text.lstrip("-").isdigit() and int(number.text) != 0:
            left, product = abs(int(number.text)), None
            square = base
            while left:
                if left & 1:
                    product = square if product is None else self.binary(ast.Mult(), product, square, node)
                left >>= 1
                square = self.binary(ast.Mult(), square, square, node) if left else square
            assert product is not None
            return self.binary(ast.Div(), constant(1.0), product, node) if number.text.startswith("-") else product
        return self.call_library("pow", [self.convert(base, "f", node), self.convert(number, "f", node)])

    def short_circuit(self, both: bool, nodes: list[ast.expr], node: ast.AST) -> Value:
        """Write `and` or `or` with short-circuit evaluation."""
        name, end = self.fresh("both"), self.fresh("known")
        self.store(name, constant(not both), node)
        for k, one in enumerate(nodes):
            truth = self.to_bool(self.value(one), one)
            self.store(name, truth, node)
            if k + 1 < len(nodes):
                more = self.fresh("more")
                self.jump(*((more, truth, end) if both else (end, truth, more)))
                self.label(more)
        self.label(end)
        return self.load(name)

    def compare(self, left: Value, ops: list[ast.cmpop], others: list[Value], node: ast.AST) -> Value:
        truth: Value | None = None
        for op, right in zip(ops, others, strict=True):
            if type(op) not in COMPARISONS:
                self.fail(node)
            one = self.compare_pair(type(op), left, right, node)
            truth = one if truth is None else self.emit(f"and i1 {truth.text}, {one.text}", "b")
            left = right
        assert truth is not None
        return truth

    def compare_pair(self, op: type[ast.cmpop], a: Value, b: Value, node: ast.AST) -> Value:
        """Compare two numbers, or two tuples for equality."""
        if isinstance(a.type, tuple):
            equal = [self.compare_pair(ast.Eq, x, y, node) for x, y in zip(a.parts, b.parts, strict=True)]
            truth = constant(True)
            for one in equal:
                truth = self.emit(f"and i1 {truth.text}, {one.text}", "b")
            return self.unary(ast.Not(), truth, node) if op is ast.NotEq else truth
        if "d" in (a.type, b.type):
            a, b = self.binary(ast.Sub(), a, b, node).parts[0], constant(0.0)
        kind = "f" if "f" in (a.type, b.type) else "i"
        a, b = self.convert(a, kind, node), self.convert(b, kind, node)
        if kind == "f":
            return self.emit(f"fcmp {COMPARISONS[op][0]} double {a.text}, {b.text}", "b")
        return self.emit(f"icmp {COMPARISONS[op][1]} i64 {a.text}, {b.text}", "b")

    def choose(self, condition: Value, yes: ast.expr, no: ast.expr, node: ast.AST) -> Value:
        """Write `a if c else b`, which evaluates only one of the two."""
        first, second, end = (self.fresh(word) for word in ("yes", "no", "chosen"))
        choices: list[tuple[Value, str]] = []
        self.jump(first, condition, second)
        for name, side in ((first, yes), (second, no)):
            self.label(name)
            value = self.value(side)
            here = self.fresh("side")
            self.label(here)
            choices.append((value, here))
            self.closed = True
            self.lines.append(f"  br label %{end}")
        type_ = self.common_type(choices[0][0].type, choices[1][0].type, node)
        sides = [self.convert_side(value, type_, here, node) for value, here in choices]
        self.lines.append(f"{end}:")
        self.closed = False
        names = []
        for (t, a), (_, b) in zip(flatten(sides[0]), flatten(sides[1]), strict=True):
            names.append(self.emit(f"phi {t} [ {a}, %{choices[0][1]} ], [ {b}, %{choices[1][1]} ]", "i").text)
        return make_value(type_, iter(names), sides[0].origin | sides[1].origin)

    def convert_side(self, value: Value, type_: Any, block: str, node: ast.AST) -> Value:
        """Convert one side of a choice to the common type, in the block of that side."""
        if value.type == type_:
            return value
        lines = self.lines
        at = next(k for k in range(len(lines) - 1, -1, -1) if lines[k] == f"{block}:") + 1
        behind = lines[at:]
        del lines[at:]
        converted = self.convert(value, type_, node)
        lines.extend(behind)
        return converted

    def common_type(self, a: Any, b: Any, node: ast.AST) -> Any:
        if a == b:
            return a
        if isinstance(a, tuple) and isinstance(b, tuple) and len(a) == len(b):
            return tuple(self.common_type(x, y, node) for x, y in zip(a, b, strict=True))
        if "d" in (a, b) and {a, b} <= {"d", "f", "i", "b"}:
            return "d"
        if {a, b} <= {"f", "i", "b"}:
            return "f" if "f" in (a, b) else "i"
        return self.fail(node, f"a choice between {a} and {b}")

    def call_library(self, name: str, operands: list[Value]) -> Value:
        types = ", ".join(["double"] * len(operands))
        full = f"llvm.{INTRINSICS[name]}.f64" if name in INTRINSICS else name
        self.unit.declared.add(f"double @{full}({types})")
        arguments = ", ".join(f"double {one.text}" for one in operands)
        return self.emit(f"call {self.flags}double @{full}({arguments})", "f")

    def min_or_max(self, op: type[ast.cmpop], operands: list[Value], node: ast.AST) -> Value:
        """Write min or max with Python's semantics: a later value replaces an earlier one only if it compares true."""
        type_ = next((real for real in "df" if any(one.type == real for one in operands)), "i")
        best, *others = (self.convert(one, type_, node) for one in operands)
        for one in others:
            beyond, pairs = self.compare_pair(op, one, best, node), zip(flatten(one), flatten(best), strict=True)
            names = [self.emit(f"select i1 {beyond.text}, {t} {a}, {t} {b}", "i").text for (t, a), (_, b) in pairs]
            best = make_value(type_, iter(names))
        return best
