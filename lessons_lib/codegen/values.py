"""Expressions of plain Python as LLVM's text; see translate.py for what may stand in them."""

from __future__ import annotations

import ast
import math
from types import ModuleType
from typing import Any

from lessons_lib.codegen.ir import Value, constant, flat, flat_types, formed, struct_of

FLOATS = {ast.Add: "fadd", ast.Sub: "fsub", ast.Mult: "fmul", ast.Div: "fdiv"}
WHOLES = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor"}
COMPARISONS = {
    ast.Lt: ("olt", "slt"),
    ast.LtE: ("ole", "sle"),
    ast.Gt: ("ogt", "sgt"),
    ast.GtE: ("oge", "sge"),
    ast.Eq: ("oeq", "eq"),
    ast.NotEq: ("une", "ne"),
}
INTRINSICS = {"sqrt": "sqrt", "fabs": "fabs", "rint": "rint", "floor": "floor", "ceil": "ceil", "copysign": "copysign"}
LIBRARY = {"sin": 1, "cos": 1, "tan": 1, "exp": 1, "log": 1, "atan": 1, "acos": 1, "asin": 1, "atan2": 2, "hypot": 2}
"""Functions of the C library, with how many arguments they have."""

INFINITY = constant(math.inf).text


class Values:
    """What a function's writer knows of expressions."""

    unit: Any
    names: dict[str, Any]
    places: dict[str, Value]
    flags: str
    writes: set[int]
    emit: Any
    fail: Any
    fresh: Any
    jump: Any
    label: Any
    load: Any
    store: Any
    array: Any

    def value(self, node: ast.expr) -> Value:
        """Write an expression, and return its value."""
        match node:
            case ast.Constant(value=bool() | int() | float() as number):
                return constant(number)
            case ast.Name(id=name) if name in self.places:
                found: Value = self.load(name)
                return found
            case ast.Name() | ast.Attribute() if (known := self.outside(node)) is not None:
                return constant(float(known) if isinstance(known, float) else known)
            case ast.Tuple(elts=parts):
                return self.tuple_of([one for part in parts for one in self.part(part)])
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
                return constant(-number)
            case ast.UnaryOp(op=op, operand=operand):
                return self.unary(op, self.value(operand), node)
            case ast.BinOp(left=left, op=ast.Pow(), right=right):
                return self.power(self.value(left), right, node)
            case ast.BinOp(left=left, op=op, right=right):
                return self.binary(op, self.value(left), self.value(right), node)
            case ast.BoolOp(op=op, values=values):
                return self.either(isinstance(op, ast.And), values, node)
            case ast.Compare(left=left, ops=ops, comparators=others):
                return self.compared(self.value(left), ops, [self.value(other) for other in others], node)
            case ast.IfExp(test=test, body=yes, orelse=no):
                return self.chosen(self.truth(self.value(test), test), yes, no, node)
            case ast.Subscript():
                return self.taken(node)
            case ast.Attribute(value=array, attr="shape" | "size" as what):
                return self.extent(self.value(array), what, node)
            case ast.Call():
                return self.call(node)
        return self.fail(node)  # type: ignore[no-any-return]

    def part(self, node: ast.expr) -> tuple[Value, ...]:
        """Return what a part of a tuple's text stands for: a value, or with a star those of another tuple."""
        return self.value(node.value).parts if isinstance(node, ast.Starred) else (self.value(node),)

    def outside(self, node: ast.expr) -> Any:
        """Return the number that a name of the module stands for, or math.pi and the like; None for all else."""
        if isinstance(node, ast.Name):
            found = self.names.get(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            found = getattr(self.names.get(node.value.id), node.attr, None) if self.is_module(node.value) else None
        else:
            return None
        return found if isinstance(found, bool | int | float) else None

    def is_module(self, node: ast.expr) -> bool:
        """Return whether a name is math or NumPy."""
        return isinstance(node, ast.Name) and isinstance(self.names.get(node.id), ModuleType)

    def tuple_of(self, parts: list[Value]) -> Value:
        """Return a tuple."""
        return Value(tuple(part.type for part in parts), parts=tuple(parts))

    # numbers

    def as_type(self, value: Value, type_: Any, node: ast.AST) -> Value:
        """Return a value as one of another type: a whole number as a double, a truth value as a number."""
        if value.type == type_:
            return value
        if isinstance(type_, tuple) and isinstance(value.type, tuple) and len(type_) == len(value.type):
            parts = tuple(self.as_type(part, t, node) for part, t in zip(value.parts, type_, strict=True))
            return Value(type_, parts=parts, origin=value.origin)
        if type_ == "f" and value.type == "i":
            if value.text.lstrip("-").isdigit():
                return constant(float(value.text))
            return self.typed(self.emit(f"sitofp i64 {value.text} to double", "f"))
        if type_ == "i" and value.type == "b":
            return self.typed(self.emit(f"zext i1 {value.text} to i64", "i"))
        if type_ == "f" and value.type == "b":
            return self.typed(self.emit(f"uitofp i1 {value.text} to double", "f"))
        found: Value = self.fail(node, f"{value.type} where {type_} is wanted")
        return found

    def typed(self, value: Any) -> Value:
        """Return what was emitted."""
        return value  # type: ignore[no-any-return]

    def whole(self, kind: str, a: Value, b: Value) -> Value:
        """Return + − * of whole numbers, worked out here where both are known."""
        if a.text.lstrip("-").isdigit() and b.text.lstrip("-").isdigit():
            x, y = int(a.text), int(b.text)
            known = {"add": x + y, "sub": x - y, "mul": x * y}.get(kind.split()[0])
            if known is not None:
                return constant(known)
        if kind.startswith("mul") and "1" in (a.text, b.text):
            return b if a.text == "1" else a
        if kind.startswith("add") and "0" in (a.text, b.text):
            return b if a.text == "0" else a
        return self.typed(self.emit(f"{kind} i64 {a.text}, {b.text}", "i"))

    def truth(self, value: Value, node: ast.AST) -> Value:
        """Return whether a number is not zero."""
        if value.type == "b":
            return value
        if value.type == "f":
            return self.typed(self.emit(f"fcmp une double {value.text}, 0.0", "b"))
        if value.type != "i":
            self.fail(node, "the truth of what is no number")
        return self.typed(self.emit(f"icmp ne i64 {value.text}, 0", "b"))

    def unary(self, op: ast.unaryop, value: Value, node: ast.AST) -> Value:
        """Return −x or not x."""
        if isinstance(op, ast.Not):
            return self.typed(self.emit(f"xor i1 {self.truth(value, node).text}, true", "b"))
        if isinstance(op, ast.USub) and value.is_array:
            return self.negative(value, node)
        if isinstance(op, ast.USub) and value.type == "f":
            return self.typed(self.emit(f"fneg {self.flags}double {value.text}", "f"))
        if isinstance(op, ast.USub):
            return self.whole("sub", constant(0), self.as_type(value, "i", node))
        return value if isinstance(op, ast.UAdd) else self.fail(node)  # type: ignore[no-any-return]

    def binary(self, op: ast.operator, a: Value, b: Value, node: ast.AST) -> Value:
        """Return a sum, a product and the like."""
        if {a.type, b.type} == {"b"} and type(op) in (ast.BitAnd, ast.BitOr, ast.BitXor):
            return self.typed(self.emit(f"{WHOLES[type(op)]} i1 {a.text}, {b.text}", "b"))
        if "f" in (a.type, b.type) or isinstance(op, ast.Div):
            if type(op) not in FLOATS:
                return self.fail(node)  # type: ignore[no-any-return]
            a, b = self.as_type(a, "f", node), self.as_type(b, "f", node)
            return self.typed(self.emit(f"{FLOATS[type(op)]} {self.flags}double {a.text}, {b.text}", "f"))
        a, b = self.as_type(a, "i", node), self.as_type(b, "i", node)
        if isinstance(op, ast.FloorDiv | ast.Mod):
            return self.divided(isinstance(op, ast.FloorDiv), a, b)
        if type(op) not in WHOLES:
            self.fail(node)
        return self.whole(WHOLES[type(op)], a, b)

    def divided(self, quotient: bool, a: Value, b: Value) -> Value:
        """Return a // b or a % b as Python has them: the remainder has the sign of b."""
        rest = self.emit(f"srem i64 {a.text}, {b.text}", "i").text
        apart = self.emit(f"xor i64 {rest}, {b.text}", "i").text
        below = self.emit(f"icmp slt i64 {apart}, 0", "b").text
        some = self.emit(f"icmp ne i64 {rest}, 0", "b").text
        off = self.emit(f"and i1 {below}, {some}", "b").text
        if quotient:
            down = self.emit(f"sdiv i64 {a.text}, {b.text}", "i").text
            return self.typed(self.emit(f"sub i64 {down}, {self.emit(f'zext i1 {off} to i64', 'i').text}", "i"))
        more = self.emit(f"select i1 {off}, i64 {b.text}, i64 0", "i").text
        return self.typed(self.emit(f"add i64 {rest}, {more}", "i"))

    def power(self, base: Value, exponent: ast.expr, node: ast.AST) -> Value:
        """Return a power: products by squaring where the exponent is a known whole number."""
        number = self.value(exponent)
        if number.type == "i" and number.text.lstrip("-").isdigit() and int(number.text) != 0:
            left, found = abs(int(number.text)), None
            square = base
            while left:
                if left & 1:
                    found = square if found is None else self.binary(ast.Mult(), found, square, node)
                left >>= 1
                square = self.binary(ast.Mult(), square, square, node) if left else square
            assert found is not None
            return self.binary(ast.Div(), constant(1.0), found, node) if number.text.startswith("-") else found
        return self.outer("pow", [self.as_type(base, "f", node), self.as_type(number, "f", node)])

    def either(self, both: bool, nodes: list[ast.expr], node: ast.AST) -> Value:
        """Return `and` or `or`: what stands behind is not looked at where what stands before decides."""
        name, end = self.fresh("both"), self.fresh("known")
        self.store(name, constant(not both), node)
        for k, one in enumerate(nodes):
            found = self.truth(self.value(one), one)
            self.store(name, found, node)
            if k + 1 < len(nodes):
                more = self.fresh("more")
                self.jump(*((more, found, end) if both else (end, found, more)))
                self.label(more)
        self.label(end)
        loaded: Value = self.load(name)
        return loaded

    def compared(self, left: Value, ops: list[ast.cmpop], others: list[Value], node: ast.AST) -> Value:
        """Return a comparison, or a chain of them."""
        found: Value | None = None
        for op, right in zip(ops, others, strict=True):
            if type(op) not in COMPARISONS:
                self.fail(node)
            one = self.comparison(type(op), left, right, node)
            found = one if found is None else self.typed(self.emit(f"and i1 {found.text}, {one.text}", "b"))
            left = right
        assert found is not None
        return found

    def comparison(self, op: type[ast.cmpop], a: Value, b: Value, node: ast.AST) -> Value:
        """Return whether two numbers compare so; two tuples are equal where their entries are."""
        if isinstance(a.type, tuple):
            equal = [self.comparison(ast.Eq, x, y, node) for x, y in zip(a.parts, b.parts, strict=True)]
            found = constant(True)
            for one in equal:
                found = self.typed(self.emit(f"and i1 {found.text}, {one.text}", "b"))
            return self.unary(ast.Not(), found, node) if op is ast.NotEq else found
        kind = "f" if "f" in (a.type, b.type) else "i"
        a, b = self.as_type(a, kind, node), self.as_type(b, kind, node)
        if kind == "f":
            return self.typed(self.emit(f"fcmp {COMPARISONS[op][0]} double {a.text}, {b.text}", "b"))
        return self.typed(self.emit(f"icmp {COMPARISONS[op][1]} i64 {a.text}, {b.text}", "b"))

    def chosen(self, condition: Value, yes: ast.expr, no: ast.expr, node: ast.AST) -> Value:
        """Return one of two values, of which only one is worked out."""
        first, second, end = (self.fresh(word) for word in ("yes", "no", "chosen"))
        found: list[tuple[Value, str]] = []
        self.jump(first, condition, second)
        for name, side in ((first, yes), (second, no)):
            self.label(name)
            value = self.value(side)
            here = self.fresh("side")
            self.label(here)
            found.append((value, here))
            self.closed = True
            self.lines.append(f"  br label %{end}")  # type: ignore[attr-defined]
        type_ = self.common(found[0][0].type, found[1][0].type, node)
        sides = [self.turned(value, type_, here, node) for value, here in found]
        self.lines.append(f"{end}:")  # type: ignore[attr-defined]
        self.closed = False
        names = []
        for (t, a), (_, b) in zip(flat(sides[0]), flat(sides[1]), strict=True):
            names.append(self.emit(f"phi {t} [ {a}, %{found[0][1]} ], [ {b}, %{found[1][1]} ]", "i").text)
        return formed(type_, iter(names), sides[0].origin | sides[1].origin)

    def turned(self, value: Value, type_: Any, block: str, node: ast.AST) -> Value:
        """Return a side of a choice as the type of both, converted at the end of its block."""
        if value.type == type_:
            return value
        lines: list[str] = self.lines  # type: ignore[attr-defined]
        at = next(k for k in range(len(lines) - 1, -1, -1) if lines[k] == f"{block}:") + 1
        behind = lines[at:]
        del lines[at:]
        made = self.as_type(value, type_, node)
        lines.extend(behind)
        return made

    def common(self, a: Any, b: Any, node: ast.AST) -> Any:
        """Return the type of a choice between values of two types."""
        if a == b:
            return a
        if isinstance(a, tuple) and isinstance(b, tuple) and len(a) == len(b):
            return tuple(self.common(x, y, node) for x, y in zip(a, b, strict=True))
        if {a, b} <= {"f", "i", "b"}:
            return "f" if "f" in (a, b) else "i"
        return self.fail(node, f"a choice between {a} and {b}")

    # arrays

    def extent(self, array: Value, what: str, node: ast.AST) -> Value:
        """Return an array's shape or size."""
        if not array.is_array:
            self.fail(node)
        sizes = [Value("i", size) for size in array.sizes]
        if what == "shape":
            return self.tuple_of(sizes)
        total = constant(1)
        for size in sizes:
            total = self.whole("mul nsw", total, size)
        return total

    def taken(self, node: ast.Subscript) -> Value:
        """Return an entry of an array or a tuple, a row, or a leading slice."""
        array = self.value(node.value)
        if isinstance(array.type, tuple):
            return self.of_tuple(array, node)
        found = self.view(array, node)
        if found.is_array:
            return found
        return self.typed(
            self.emit(f"load {'double' if array.entry == 'f' else 'i64'}, ptr {found.text}, align 8", array.entry)
        )

    def of_tuple(self, whole: Value, node: ast.Subscript) -> Value:
        """Return some parts of a tuple, by numbers that are known."""
        where = node.slice
        if isinstance(where, ast.Slice):
            ends = [self.number(end) if end else None for end in (where.lower, where.upper)]
            return self.tuple_of(list(whole.parts[slice(*ends)]))
        return whole.parts[self.number(where)]

    def number(self, node: ast.expr) -> int:
        """Return a whole number that is known."""
        found = self.value(node)
        if found.type != "i" or not found.text.lstrip("-").isdigit():
            self.fail(node, "a number that is not known beforehand")
        return int(found.text)

    def view(self, array: Value, node: ast.Subscript) -> Value:
        """Return a part of an array: with all indices given a number's place, its text where that lies."""
        if not array.is_array:
            self.fail(node, "an index of what is no array")
        where = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if len(where) > len(array.sizes):
            self.fail(node, f"{len(where)} indices of {len(array.sizes)}")
        offset, sizes = constant(0), [Value("i", size) for size in array.sizes]
        if isinstance(where[0], ast.Slice):
            return self.sliced(array, where, sizes, node)
        for k, one in enumerate(where):
            if isinstance(one, ast.Slice):
                self.fail(node, "a slice behind an index")
            index = self.as_type(self.value(one), "i", one)
            if index.text.startswith("-"):
                index = self.whole("add nsw", sizes[k], index)
            offset = index if k == 0 else self.whole("add nsw", self.whole("mul nsw", offset, sizes[k]), index)
        rest = sizes[len(where) :]
        for size in rest:
            offset = self.whole("mul nsw", offset, size)
        place = self.moved(array, offset)
        kind = f"{array.entry}{len(rest)}" if rest else "p"
        return Value(kind, place, tuple(size.text for size in rest), origin=array.origin) if rest else Value("p", place)

    def sliced(self, array: Value, where: list[ast.expr], sizes: list[Value], node: ast.AST) -> Value:
        """Return a[i:j], of which the ends are trusted."""
        one = where[0]
        assert isinstance(one, ast.Slice)
        if len(where) > 1 or one.step is not None:
            self.fail(node, "a slice with steps, or behind or before an index")
        first = self.as_type(self.value(one.lower), "i", node) if one.lower else constant(0)
        last = self.as_type(self.value(one.upper), "i", node) if one.upper else sizes[0]
        offset, count = first, self.whole("sub nsw", last, first)
        for size in sizes[1:]:
            offset = self.whole("mul nsw", offset, size)
        return Value(array.type, self.moved(array, offset), (count.text, *array.sizes[1:]), origin=array.origin)

    def moved(self, array: Value, offset: Value) -> str:
        """Return the address so many entries on."""
        if offset.text == "0":
            return array.text
        entry = "double" if array.entry == "f" else "i64"
        return self.typed(self.emit(f"getelementptr inbounds {entry}, ptr {array.text}, i64 {offset.text}", "i")).text

    def put(self, target: ast.Subscript, value: Value) -> None:
        """Write an entry, or all of a row or slice."""
        array = self.value(target.value)
        self.writes |= array.origin
        found = self.view(array, target)
        if not found.is_array:
            value = self.as_type(value, array.entry, target)
            entry = "double" if array.entry == "f" else "i64"
            self.emit(f"store {entry} {value.text}, ptr {found.text}, align 8")
        elif value.is_array:
            self.copied(value, found, target)
        else:
            self.fill(found, self.as_type(value, array.entry, target), target)

    def fill(self, array: Value, value: Value, node: ast.AST) -> None:
        """Write a number into all entries."""
        entry = "double" if array.entry == "f" else "i64"

        def written(at: Value) -> None:
            place = self.moved(array, at)
            self.emit(f"store {entry} {value.text}, ptr {place}, align 8")

        self.each(self.extent(array, "size", node), written, node)

    def copied(self, source: Value, to: Value, node: ast.AST) -> None:
        """Write the entries of an array into another one of the same size."""
        entry = "double" if to.entry == "f" else "i64"
        if source.entry != to.entry:
            self.fail(node, f"{source.type} where {to.type} is wanted")

        def written(at: Value) -> None:
            found = self.emit(f"load {entry}, ptr {self.moved(source, at)}, align 8", to.entry)
            self.emit(f"store {entry} {found.text}, ptr {self.moved(to, at)}, align 8")

        self.each(self.extent(to, "size", node), written, node)

    def negative(self, array: Value, node: ast.AST) -> Value:
        """Return a new array, −A."""
        made: Value = self.array(array.entry, [Value("i", size) for size in array.sizes], node, False)
        entry = "double" if array.entry == "f" else "i64"

        def written(at: Value) -> None:
            found = self.emit(f"load {entry}, ptr {self.moved(array, at)}, align 8", array.entry)
            turned = self.unary(ast.USub(), found, node)
            self.emit(f"store {entry} {turned.text}, ptr {self.moved(made, at)}, align 8")

        self.each(self.extent(made, "size", node), written, node)
        return made

    def each(self, count: Value, written: Any, node: ast.AST) -> None:
        """Write a loop over so many entries."""
        name, top, inside, end = self.fresh("each"), self.fresh("top"), self.fresh("inside"), self.fresh("after")
        self.store(name, constant(0), node)
        self.label(top)
        at = self.load(name)
        self.jump(inside, self.emit(f"icmp slt i64 {at.text}, {count.text}", "b"), end)
        self.label(inside)
        written(at)
        self.store(name, self.emit(f"add nsw i64 {at.text}, 1", "i"), node)
        self.jump(top)
        self.label(end)

    # calls

    def call(self, node: ast.Call) -> Value:
        """Write a call, of a library's function or of one of ours."""
        function = node.func
        if isinstance(function, ast.Attribute) and not self.is_module(function.value):
            return self.method(self.value(function.value), function.attr, node)
        name = function.attr if isinstance(function, ast.Attribute) else ast.unparse(function)
        ours = self.names.get(name) if isinstance(function, ast.Name) else None
        if ours is not None and hasattr(ours, "py_func"):
            return self.call_of(ours, [self.value(argument) for argument in node.args], node)
        if getattr(ours, "calls_at", False):
            return self.call_at([self.value(argument) for argument in node.args], node)
        if name in ("empty", "zeros", "arange"):
            return self.new(name, node)
        given = [self.value(argument) for argument in node.args]
        if name in ("min", "max", "abs", "int", "int32", "float", "bool", "len"):
            return self.basic(name, given, node)
        if name in ("isfinite", "isinf", "isnan"):
            return self.kind_of_number(name, self.as_type(given[0], "f", node))
        if name in INTRINSICS or name in LIBRARY or name == "pow":
            found = self.outer(name, [self.as_type(one, "f", node) for one in given])
            whole = name in ("floor", "ceil") and self.names.get(ast.unparse(function).split(".")[0]) is math
            return self.basic("int", [found], node) if whole else found
        return self.fail(node)  # type: ignore[no-any-return]

    def outer(self, name: str, given: list[Value]) -> Value:
        """Write the call of a mathematical function."""
        types = ", ".join(["double"] * len(given))
        full = f"llvm.{INTRINSICS[name]}.f64" if name in INTRINSICS else name
        self.unit.declared.add(f"double @{full}({types})")
        arguments = ", ".join(f"double {one.text}" for one in given)
        return self.typed(self.emit(f"call {self.flags}double @{full}({arguments})", "f"))

    def basic(self, name: str, given: list[Value], node: ast.AST) -> Value:
        """Write the call of a function that Python brings along."""
        first = given[0]
        if name == "len":
            return Value("i", first.sizes[0]) if first.is_array else constant(len(first.parts))
        if name == "float":
            return self.as_type(first, "f", node)
        if name == "bool":
            return self.truth(first, node)
        if name in ("int", "int32"):
            if first.type == "f":
                return self.typed(self.emit(f"fptosi double {first.text} to i64", "i"))
            return self.as_type(first, "i", node)
        if name == "abs":
            if first.type == "f":
                return self.outer("fabs", [first])
            return self.smallest(ast.Gt, [first, self.unary(ast.USub(), first, node)], node)
        return self.smallest(ast.Lt if name == "min" else ast.Gt, given, node)

    def smallest(self, op: type[ast.cmpop], given: list[Value], node: ast.AST) -> Value:
        """Return min or max as Python has them: a later one takes the place of an earlier one that it is beyond."""
        type_ = "f" if any(one.type == "f" for one in given) else "i"
        best, *others = (self.as_type(one, type_, node) for one in given)
        entry = "double" if type_ == "f" else "i64"
        for one in others:
            beyond = self.comparison(op, one, best, node)
            best = self.typed(self.emit(f"select i1 {beyond.text}, {entry} {one.text}, {entry} {best.text}", type_))
        return best

    def kind_of_number(self, name: str, value: Value) -> Value:
        """Return whether a number is finite, infinite or none."""
        if name == "isnan":
            return self.typed(self.emit(f"fcmp uno double {value.text}, 0.0", "b"))
        size = self.outer("fabs", [value])
        return self.typed(
            self.emit(f"fcmp {'olt' if name == 'isfinite' else 'oeq'} double {size.text}, {INFINITY}", "b")
        )

    def new(self, name: str, node: ast.Call) -> Value:
        """Write np.empty, np.zeros or np.arange."""
        shape = self.value(node.args[0])
        sizes = list(shape.parts) if isinstance(shape.type, tuple) else [shape]
        wholes = name == "arange" or any("int" in ast.unparse(word.value) for word in node.keywords)
        found: Value = self.array("i" if wholes else "f", sizes, node, name == "zeros")
        if name == "arange":
            self.each(
                Value("i", sizes[0].text),
                lambda at: self.emit(f"store i64 {at.text}, ptr {self.moved(found, at)}, align 8"),
                node,
            )
        return found

    def method(self, array: Value, name: str, node: ast.Call) -> Value:
        """Write a.copy() or a.reshape(…)."""
        if name == "copy" and array.is_array:
            made: Value = self.array(array.entry, [Value("i", size) for size in array.sizes], node, False)
            self.copied(array, made, node)
            return made
        if name == "reshape" and array.is_array:
            given = [
                part
                for a in node.args
                for part in (lambda v: v.parts if isinstance(v.type, tuple) else (v,))(self.value(a))
            ]
            known, total = constant(1), self.extent(array, "size", node)
            for one in given:
                known = known if one.text == "-1" else self.whole("mul nsw", known, one)
            rest = total if known.text == "1" else self.typed(self.emit(f"sdiv i64 {total.text}, {known.text}", "i"))
            sizes = tuple(rest.text if one.text == "-1" else one.text for one in given)
            return Value(f"{array.entry}{len(sizes)}", array.text, sizes, origin=array.origin)
        return self.fail(node)  # type: ignore[no-any-return]

    def call_of(self, ours: Any, given: list[Value], node: ast.AST) -> Value:
        """Write the call of another function, which is written for these types if it was not."""
        called = self.unit.function(ours, tuple(one.type for one in given))
        given = [self.as_type(one, type_, node) for one, type_ in zip(given, called.types, strict=True)]
        for k in called.writes:
            self.writes |= given[k].origin
        arguments = ", ".join(["ptr %room", *(f"{t} {text}" for one in given for t, text in flat(one))])
        kind = struct_of(called.result)
        if kind == "void":
            self.emit(f"call void @{called.symbol}({arguments})")
            return Value("v")
        found = self.emit(f"call {kind} @{called.symbol}({arguments})", "i")
        parts = flat_types(called.result)
        if len(parts) == 1:
            return formed(called.result, iter([found.text]))
        names = [self.emit(f"extractvalue {kind} {found.text}, {k}", "i").text for k in range(len(parts))]
        return formed(called.result, iter(names))

    def call_at(self, given: list[Value], node: ast.AST) -> Value:
        """Write the call of a kernel by its address; see addresses.py."""
        address, w, which = given
        self.writes |= w.origin
        at = self.emit(f"inttoptr i64 {address.text} to ptr", "i")
        self.emit(
            f"call void {at.text}(ptr %room, ptr {w.text}, i64 {w.sizes[0]}, i64 {self.as_type(which, 'i', node).text})"
        )
        return Value("v")
