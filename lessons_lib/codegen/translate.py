"""Translation of a subset of Python, in which the engine's loops are written, to LLVM IR."""
# A function is translated once for each list of argument types; each of its names has one type: "f" (a double), "i" (a
# 64-bit integer), "b" (a truth value), arrays by entry and dimensions ("f2" for a matrix of doubles in row-major order,
# "f2x8" for one with eight columns), and tuples of types. If an argument is a double-double ("d", double_double.py) or
# an array of them, all real numbers of the function are; from Python, the array has another axis for their two parts.
# The subset contains assignments, if, while, for … in range(…), break, continue, return; numbers and constants of the
# module; + − * / // % ** and comparisons; and, or, not, a if c else b; abs, min, max, int, float, bool, len; the
# functions of math and NumPy in values.py (of double-doubles, sqrt); entries, rows and leading slices of arrays, −A,
# shape, size, reshape and copy; np.empty, np.zeros and np.arange; calls of other such functions. Anything else raises
# CodegenError with file and line. Indices are not checked, and an unset name is zero.

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from lessons_lib.codegen.ir import Value, constant, flat_types, flatten, make_value, struct_of, symbol_of
from lessons_lib.codegen.syntax import definition, to_expression
from lessons_lib.codegen.values import Values
from lessons_lib.errors import CodegenError

MAX_INLINE_LINES = 60
"""Lines of the longest function that is always inlined."""

SCALARS = {"float": "f", "int": "i", "bool": "b", "None": "v"}


class Unit:
    """A function and its callees, once for each list of argument types: the content of one object file."""

    def __init__(self, symbol: str = "entry") -> None:
        self.symbol = symbol
        self.texts: list[str] = []
        self.declared: set[str] = set()
        self.externals: set[tuple[Any, tuple[Any, ...]]] = set()
        self._known: dict[Any, Function] = {}

    def function(self, native: Any, types: tuple[Any, ...]) -> Function | SeparateFunction:
        """Return a function for arguments of these types; translate it at the first request."""
        key = (native, types)
        if key not in self._known:
            if native.is_separate and self._known:
                return self._declare_separate(native, types)
            symbol = f"{self.symbol}.{native.__name__}.{len(self._known)}" if self._known else self.symbol
            if native.is_simd_loop:
                from lessons_lib.codegen.vectors import Loop

                translated: Any = Loop(self, native, types, symbol)
            else:
                translated = Function(self, native, types, symbol)
            self._known[key] = translated
            self.texts.append(translated.translate())
        return self._known[key]

    def _declare_separate(self, native: Any, types: tuple[Any, ...]) -> SeparateFunction:
        function = separate_function(native, types)
        self.externals.add((native, types))
        self.declared.add(function.declaration)
        return function

    def text(self) -> str:
        """Return the text of the unit, with its external declarations."""
        return "\n\n".join([*self.texts, *(f"declare {line}" for line in sorted(self.declared))]) + "\n"


@dataclass(frozen=True)
class SeparateFunction:
    """A separately compiled function: symbol, types, result, written arguments, and its unit."""

    symbol: str
    types: tuple[Any, ...]
    result: Any
    writes: frozenset[int]
    unit: Unit

    @property
    def declaration(self) -> str:
        parts = ["ptr", *(part for type_ in self.types for part in flat_types(type_))]
        return f"{struct_of(self.result)} @{self.symbol}({', '.join(parts)})"


def separate_function(native: Any, types: tuple[Any, ...]) -> SeparateFunction:
    """Return a separately compiled function for arguments of these types; translate it at the first request."""
    functions: dict[tuple[Any, ...], SeparateFunction] = native.separate_functions
    if types not in functions:
        unit = Unit(symbol_of(native, types))
        translated = unit.function(native, types)
        functions[types] = SeparateFunction(
            translated.symbol, translated.types, translated.result, frozenset(translated.writes), unit
        )
    return functions[types]


class Function(Values):
    """Translator of one function for one list of argument types; `result` is "v" if it returns nothing."""

    def __init__(self, unit: Unit, native: Any, types: tuple[Any, ...], symbol: str) -> None:
        """Read the argument types; `translate` does the rest."""
        super().__init__(unit, native)
        self.symbol, self.node = symbol, definition(native.py_func)
        self.loops: list[tuple[str, str]] = []
        arguments = self.node.args.args
        if len(arguments) != len(types):
            raise CodegenError(f"{native.__name__} takes {len(arguments)} arguments, got {len(types)}")
        self.real = "d" if "d" in str(types) else "f"
        self.types = tuple(
            self.annotated_type(a.annotation) if t in ("f", "i", "b", "d") and self.annotated_type(a.annotation) else t
            for a, t in zip(arguments, types, strict=True)
        )
        self.result: Any = self.annotated_type(self.node.returns)
        self.returns_arrays = self.node.returns is not None and self.result is None

    def annotated_type(self, node: ast.expr | None) -> Any:
        """Return the type of an annotation; None if it is not made of numbers."""
        if node is None:
            return None
        if isinstance(node, ast.Subscript) and ast.unparse(node.value) == "tuple":
            parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            types = tuple(self.annotated_type(part) for part in parts)
            return types if all(types) else None
        type_ = SCALARS.get(ast.unparse(node))
        return self.real if type_ == "f" else type_

    def translate(self) -> str:
        parameters = []
        for k, (argument, type_) in enumerate(zip(self.node.args.args, self.types, strict=True)):
            names = [f"%a{k}.{j}" for j in range(len(flat_types(type_)))]
            parameters += [f"{t} {n}" for t, n in zip(flat_types(type_), names, strict=True)]
            self.store(argument.arg, make_value(type_, iter(names), frozenset([k])), argument)
        self.block(self.node.body)
        if self.result is None:
            self.result = "v"
        if not self.closed:
            self.terminate("ret void" if self.result == "v" else "unreachable")
        releases = self.allocates and not any(t == "ptr" for t in flat_types(self.result))
        if releases:
            self.head.insert(0, "  %before = load ptr, ptr %heap")
        release = "  call void @release(ptr %heap, ptr %before)"
        lines = [release if line == "RELEASE" else line for line in self.lines if line != "RELEASE" or releases]
        kept = "" if self.symbol == self.unit.symbol else "internal "
        inline = self.native.inline or (self.native.inline is None and bool(kept) and len(lines) <= MAX_INLINE_LINES)
        mark = " alwaysinline" if inline else " noinline"
        head = f"define {kept}{struct_of(self.result)} @{self.symbol}({', '.join(['ptr %heap', *parameters])})"
        return "\n".join([f"{head} nounwind{mark} {{", "entry:", *self.head, *lines, "}"])

    # statements

    def block(self, statements: Iterable[ast.stmt]) -> None:
        """Translate statements, up to one that terminates the block."""
        for statement in statements:
            if self.closed:
                return
            self.statement(statement)

    def statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                pass
            case ast.Expr(value=ast.Call() as call):
                self.value(call)
            case ast.Return(value=None):
                self.return_value(Value("v"), node)
            case ast.Return(value=ast.expr() as value):
                self.return_value(self.value(value), node)
            case ast.Assign(targets=[*targets], value=value):
                result = self.value(value)
                for target in targets:
                    self.assign(target, result)
            case ast.AnnAssign(target=target, value=value) if value is not None:
                self.assign(target, self.value(value))
            case ast.AugAssign(target=target, op=op, value=value):
                before = to_expression(target)
                self.assign(target, self.value(ast.copy_location(ast.BinOp(before, op, value), node)))
            case ast.If(test=test, body=body, orelse=other):
                yes, no, end = (self.fresh(word) for word in ("then", "else", "end"))
                self.jump(yes, self.to_bool(self.value(test), test), no)
                for name, part in ((yes, body), (no, other)):
                    self.label(name)
                    self.block(part)
                    self.jump(end)
                self.label(end)
            case ast.While(test=test, body=body, orelse=[]):
                top, inside, end = (self.fresh(word) for word in ("while", "inside", "after"))
                self.label(top)
                self.jump(inside, self.to_bool(self.value(test), test), end)
                self.label(inside)
                self.loop_body(body, top, end)
                self.jump(top)
                self.label(end)
            case ast.For(target=ast.Name(id=name), iter=ast.Call(func=ast.Name(id="range"), args=operands), orelse=[]):
                self.range_loop(name, [self.convert(self.value(a), "i", a) for a in operands], node)
            case ast.Break() | ast.Continue():
                self.jump(self.loops[-1][isinstance(node, ast.Break)])
            case _:
                self.fail(node)

    def loop_body(self, body: Iterable[ast.stmt], next_: str, end: str) -> None:
        self.loops.append((next_, end))
        self.block(body)
        self.loops.pop()

    def range_loop(self, name: str, operands: list[Value], node: ast.For) -> None:
        """Translate a loop over range(…), with a separate counter."""
        start, stop, step = ([constant(0), *operands] if len(operands) == 1 else operands)[:2] + [constant(1)]
        step = operands[2] if len(operands) == 3 else step
        top, inside, more, end = (self.fresh(word) for word in ("for", "inside", "next", "after"))
        counter = f"{name}.{top}"
        self.store(counter, start, node)
        self.label(top)
        at = self.load(counter)
        sign = "sgt" if step.text.startswith("-") else "slt"
        self.jump(inside, self.emit(f"icmp {sign} i64 {at.text}, {stop.text}", "b"), end)
        self.label(inside)
        self.store(name, at, node)
        self.loop_body(node.body, more, end)
        self.label(more)
        self.store(counter, self.emit(f"add nsw i64 {at.text}, {step.text}", "i"), node)
        self.jump(top)
        self.label(end)

    def return_value(self, value: Value, node: ast.AST) -> None:
        """Translate a return; without an annotation, the first one defines the result's type."""
        value = self.promote(value)
        if self.result is None:
            self.result = value.type
        value = self.convert(value, self.result, node)
        parts = flatten(value)
        if len(parts) < 2:
            self.terminate(f"ret {parts[0][0]} {parts[0][1]}" if parts else "ret void")
            return
        whole = "poison"
        for k, (type_, text) in enumerate(parts):
            whole = self.emit(f"insertvalue {struct_of(value.type)} {whole}, {type_} {text}, {k}", "i").text
        self.terminate(f"ret {struct_of(value.type)} {whole}")

    def terminate(self, text: str) -> None:
        """Write the terminator of a function, after the release of its arrays."""
        self.lines.append("RELEASE")
        self.emit(text)
        self.closed = True

    def assign(self, target: ast.expr, value: Value) -> None:
        match target:
            case ast.Tuple(elts=targets):
                if not isinstance(value.type, tuple) or len(value.type) != len(targets):
                    self.fail(target, "the number of values differs from the number of names")
                for one, part in zip(targets, value.parts, strict=True):
                    self.assign(one, part)
            case ast.Name(id=name):
                self.store(name, value, target)
            case ast.Subscript():
                self.assign_item(target, value)
            case _:
                self.fail(target)
