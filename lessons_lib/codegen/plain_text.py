"""Export of plain Python functions, in the subset of translate.py, to another language: what C and JavaScript share."""
# integer powers are products, and no product and sum are fused, so that all languages round alike

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, count
from typing import Any, ClassVar

from lessons_lib.codegen.plain_expressions import Expressions, Type, Typed, strip_brackets
from lessons_lib.codegen.syntax import to_expression

NAME = "\0"  # placeholder of a function's name in its text


class Unit:
    """The functions of one text; `texts` maps their names to their texts, callees first."""

    def __init__(self, printer: Callable[..., Printer]) -> None:
        self.texts: dict[str, str] = {}
        self._printer = printer
        self._known: dict[Any, Printer] = {}

    def function(self, native: Any, types: tuple[Type, ...]) -> Printer:
        """Return the printer of a function for arguments of these types; print it at the first request."""
        key = native.py_func, types
        if key not in self._known:
            new_printer = self._known[key] = self._printer(self, native.py_func, types)
            text = new_printer.text()
            names = (new_printer.name if k == 1 else f"{new_printer.name}_{k}" for k in count(1))
            new_printer.name = next(name for name in names if self.texts.get(name, text) == text)
            self.texts[new_printer.name] = text
        return self._known[key]

    @property
    def printers(self) -> list[Any]:
        return list(self._known.values())

    def add(self, entries: Iterable[tuple[str, Any, Iterable[Type]]]) -> Iterator[tuple[str, str]]:
        """Print functions; yield (name of an entry, name of its function) if the two differ."""
        for name, entry, types in entries:
            printed = self.function(entry, tuple(types)).name
            if printed != name:
                yield name, printed

    def text(self) -> str:
        return "\n\n".join(text.replace(NAME, name) for name, text in self.texts.items())


class Printer(Expressions):
    """Printer of one function; a subclass defines the syntax of its language."""

    counter: ClassVar[str]  # declares a loop's counter
    head: Callable[[str], list[str]]  # comment, signature and declarations, given the summary
    declare: Callable[[str, Typed], str]  # declaration of a name with a value

    def text(self) -> str:
        """Print the function, with NAME as its name."""
        body = self.block(self.node.body)
        summary = (ast.get_docstring(self.node) or "").split("\n")[0].replace("*/", "* /")
        return "\n".join([*self.head(summary), *body, "}"])

    def block(self, statements: Iterable[ast.stmt]) -> list[str]:
        return [f"  {line}" for statement in statements for line in self._statement(statement)]

    def _statement(self, node: ast.stmt) -> list[str]:
        match node:
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                return []
            case ast.Expr(value=ast.Call() as call):
                return [f"{self.expression(call)[0]};"]
            case ast.Return(value=None):
                return ["return;"]
            case ast.Return(value=ast.expr() as value):
                text, type_ = self.expression(value)
                self.result = type_ if self.result == "v" else self.result
                return [f"return {strip_brackets(text)};"]
            case ast.Assign(targets=[target], value=value):
                return self._assign(target, value)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                return self._assign(target, value)
            case ast.AugAssign(target=target, op=op, value=value):
                before = to_expression(target)
                return self._assign(target, ast.copy_location(ast.BinOp(before, op, value), node))
            case ast.If(test=test, body=body, orelse=[ast.If() as other]):
                first, *more = self._statement(other)
                return [
                    f"if ({strip_brackets(self.expression(test)[0])}) {{",
                    *self.block(body),
                    f"}} else {first}",
                    *more,
                ]
            case ast.If(test=test, body=body, orelse=other):
                rest = ["} else {", *self.block(other)] if other else []
                return [f"if ({strip_brackets(self.expression(test)[0])}) {{", *self.block(body), *rest, "}"]
            case ast.While(test=test, body=body, orelse=[]):
                return [f"while ({strip_brackets(self.expression(test)[0])}) {{", *self.block(body), "}"]
            case ast.For(target=ast.Name(id=i), iter=ast.Call(func=ast.Name(id="range"), args=given), body=body):
                first, last = ["0", *(self.expression(one)[0] for one in given)][-2:]
                if len(given) > 2:
                    self.fail(node)
                counter = self.target(ast.Name(i), "i") if i in self.stored else f"{self.counter} {i}"
                self.counters[i] = "i"
                return [f"for ({counter} = {first}; {i} < {last}; {i}++) {{", *self.block(body), "}"]
            case ast.Break() | ast.Continue():
                return ["break;" if isinstance(node, ast.Break) else "continue;"]
        return self.fail(node)

    def _assign(self, target: ast.expr, value: ast.expr) -> list[str]:
        calls = any(isinstance(part, ast.Call) for part in ast.walk(value))
        if isinstance(target, ast.Name) and target.id not in self.read and not calls:
            return []  # C compilers warn of unused variables
        if isinstance(target, ast.Tuple):
            return self._unpack(target, value)
        text, type_ = self.expression(value)
        return [f"{self.target(target, type_)} = {strip_brackets(text)};"]

    def _unpack(self, target: ast.Tuple, value: ast.expr) -> list[str]:
        """Print the assignment of a tuple; all parts are evaluated before the first assignment."""
        targets = target.elts
        names = {one.id for one in targets if isinstance(one, ast.Name)}
        read = {part.id for part in ast.walk(value) if isinstance(part, ast.Name)}
        if isinstance(value, ast.Tuple) and len(names) == len(targets) == len(value.elts) and not names & read:
            return [line for pair in zip(targets, value.elts, strict=True) for line in self._assign(*pair)]
        if isinstance(value, ast.Tuple) and len(value.elts) == len(targets):
            parts = [self.expression(one) for one in value.elts]
            kept = [self.declare(f"now{k}", part) for k, part in enumerate(parts)]
            assignments = [
                self._assign_text(one, f"now{k}", type_)
                for k, (one, (_, type_)) in enumerate(zip(targets, parts, strict=True))
            ]
        else:
            whole = self.expression(value)
            kept, assignments = [self.declare("whole0", whole)], [self._assign_text(target, "whole0", whole[1])]
        return ["{", *(f"  {line}" for line in (*kept, *chain.from_iterable(assignments))), "}"]

    def _assign_text(self, target: ast.expr, text: str, type_: Type) -> list[str]:
        """Print the assignment of a named value to a target or a tuple of targets."""
        if isinstance(target, ast.Tuple):
            if not isinstance(type_, tuple) or len(type_) != len(target.elts):
                self.fail(target, "an assignment of a tuple to a different number of names")
            parts = enumerate(zip(target.elts, type_, strict=True))
            return [line for k, (one, part) in parts for line in self._assign_text(one, self.tuple_part(text, k), part)]
        if isinstance(target, ast.Name) and target.id not in self.read:
            return []
        return [f"{self.target(target, type_)} = {text};"]

    def target(self, target: ast.expr, type_: Type) -> str:
        if isinstance(target, ast.Name):
            if self.type_of(target.id) is None:
                self.local_types[target.id] = type_
            return target.id
        return self.entry_of(target) if isinstance(target, ast.Subscript) else self.fail(target)
