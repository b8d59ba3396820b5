"""What writes a function as LLVM's text line by line: instructions, blocks, and the names that hold values."""

from __future__ import annotations

import ast
from typing import Any, NoReturn

from lessons_lib.codegen.ir import Value, flat, flat_types, formed
from lessons_lib.errors import CodegenError


class Writer:
    """The text of one function as it grows.

    Attributes:
        native: The function.
        unit: Into which object file it goes.
        names: What the names of its module stand for.
        flags: Of each operation on doubles: "contract " where a product and a sum may be rounded once.
        head: The lines that make room for names, at the beginning.
        lines: The others.
        places: Of each name its type, and where its parts lie.
        closed: Whether the block at hand has its end.
        writes: Which of its arguments are arrays that it, or what it calls, may write into.
    """

    def __init__(self, unit: Any, native: Any) -> None:
        """Begin with nothing."""
        self.unit, self.native = unit, native
        self.names: dict[str, Any] = native.py_func.__globals__
        self.flags = "contract " if native.contract else ""
        self.head: list[str] = []
        self.lines: list[str] = []
        self.places: dict[str, Value] = {}
        self.writes: set[int] = set()
        self.count, self.closed, self.uses_room = 0, False, False

    def value(self, node: ast.expr) -> Value:
        """Write an expression, and return its value."""
        raise NotImplementedError

    def as_type(self, value: Value, type_: Any, node: ast.AST) -> Value:
        """Return a value as one of another type."""
        raise NotImplementedError

    def fail(self, node: ast.AST, what: str = "") -> NoReturn:
        """Refuse what cannot be written.

        Raises:
            CodegenError: Always.
        """
        function = self.native.py_func
        line = function.__code__.co_firstlineno + getattr(node, "lineno", 1) - 1
        shown = ast.unparse(node)[:80]
        where = f"{function.__code__.co_filename}:{line}, in {function.__name__}"
        raise CodegenError(f"{where}: {what or 'no counterpart in machine code'}: {shown}")

    def fresh(self, word: str = "x") -> str:
        """Return a name that is not taken."""
        self.count += 1
        return f"{word}{self.count}"

    def emit(self, text: str, type_: Any = None) -> Value:
        """Write an instruction; with a type, return its value."""
        if type_ is None:
            self.lines.append(f"  {text}")
            return Value("v")
        name = f"%{self.fresh()}"
        self.lines.append(f"  {name} = {text}")
        return Value(type_, name)

    def label(self, name: str) -> None:
        """Begin a block, into which what stands before it runs."""
        if not self.closed:
            self.lines.append(f"  br label %{name}")
        self.lines.append(f"{name}:")
        self.closed = False

    def jump(self, name: str, condition: Value | None = None, other: str = "") -> None:
        """End a block."""
        if not self.closed:
            self.emit(
                f"br label %{name}" if condition is None else f"br i1 {condition.text}, label %{name}, label %{other}"
            )
        self.closed = True

    def store(self, name: str, value: Value, node: ast.AST) -> None:
        """Give a name a value; its first one settles its type."""
        if name not in self.places:
            parts = [f"%v.{name}.{j}" for j in range(len(flat_types(value.type)))]
            for type_, part in zip(flat_types(value.type), parts, strict=True):
                self.head += [f"  {part} = alloca {type_}", f"  store {type_} zeroinitializer, ptr {part}"]
            self.places[name] = Value(value.type, "", tuple(parts), origin=value.origin)
        place = self.places[name]
        value = self.as_type(value, place.type, node)
        if value.origin - place.origin:
            self.places[name] = place = Value(place.type, "", place.sizes, origin=place.origin | value.origin)
        for (type_, text), part in zip(flat(value), place.sizes, strict=True):
            self.emit(f"store {type_} {text}, ptr {part}")

    def load(self, name: str) -> Value:
        """Return the value of a name."""
        place = self.places[name]
        parts = zip(flat_types(place.type), place.sizes, strict=True)
        names = [self.emit(f"load {type_}, ptr {part}", "i").text for type_, part in parts]
        return formed(place.type, iter(names), place.origin)
