"""LLVM IR as text: types, values, and the writer of a function's instructions, blocks and names."""

from __future__ import annotations

import ast
import hashlib
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

from lessons_lib.errors import CodegenError

LLVM_TYPES = {"f": "double", "i": "i64", "b": "i1", "v": "void"}
REALS = "fd"  # doubles, double-doubles


def is_array(type_: Any) -> bool:
    return isinstance(type_, str) and len(type_) > 1


def columns_of(type_: str) -> str:
    """Return the fixed number of columns of an array type; empty if it has none."""
    return type_.partition("x")[2]


@dataclass(frozen=True)
class Value:
    """A number, an array, or a tuple of values; types are those of translate.py, and "v" for no value."""

    type: Any
    text: str = ""  # a number or the address of an array
    sizes: tuple[str, ...] = ()
    parts: tuple[Value, ...] = ()
    origin: frozenset[int] = frozenset()  # indices of arguments that an array may be part of

    @property
    def is_array(self) -> bool:
        return is_array(self.type)

    @property
    def entry(self) -> str:
        return str(self.type[0])


def constant(number: Any) -> Value:
    """Return a constant; a double is written bit by bit."""
    if isinstance(number, bool):
        return Value("b", "true" if number else "false")
    if isinstance(number, int):
        return Value("i", str(number))
    bits = struct.unpack("<Q", struct.pack("<d", float(number)))[0]
    return Value("f", f"0x{bits:016X}")


def flat_types(type_: Any) -> list[str]:
    """Return the LLVM types that represent a type: for an array, its address and the sizes that are not fixed."""
    if isinstance(type_, tuple):
        return [part for one in type_ for part in flat_types(one)]
    if type_ == "v":
        return []
    if type_ == "d":
        return ["double", "double"]
    return ["ptr", *["i64"] * (int(type_[1]) - bool(columns_of(type_)))] if is_array(type_) else [LLVM_TYPES[type_]]


def flatten(value: Value) -> list[tuple[str, str]]:
    """Return the LLVM values that represent a value, as (type, text)."""
    if isinstance(value.type, tuple) or value.type == "d":
        return [part for one in value.parts for part in flatten(one)]
    if value.type == "v":
        return []
    types = flat_types(value.type)
    return list(zip(types, (value.text, *value.sizes)[: len(types)], strict=True))


def make_value(type_: Any, names: Iterator[str], origin: frozenset[int] = frozenset()) -> Value:
    """Return a value of a type, given the names of its parts."""
    if isinstance(type_, tuple):
        return Value(type_, parts=tuple(make_value(one, names, origin) for one in type_), origin=origin)
    if type_ == "v":
        return Value("v")
    if type_ == "d":
        return Value("d", parts=(Value("f", next(names)), Value("f", next(names))))
    text, *sizes = (next(names) for _ in flat_types(type_))
    sizes += [columns_of(type_)] if columns_of(type_) else []
    return Value(type_, text, tuple(sizes), origin=origin if sizes else frozenset())


def struct_of(type_: Any) -> str:
    """Return the LLVM type of a result."""
    parts = flat_types(type_)
    return "void" if not parts else parts[0] if len(parts) == 1 else "{" + ", ".join(parts) + "}"


def symbol_of(native: Any, types: tuple[Any, ...]) -> str:
    """Return the symbol of a separately compiled function, the same in all object files."""
    return f"{native.__module__}.{native.__name__}.{hashlib.sha256(repr(types).encode()).hexdigest()[:12]}"


class Writer:
    """Writer of one function; its translators are subclasses."""

    # `real` is the type of its real numbers, "f" or "d"; `places` maps local names to types and stack slots; `closed`:
    # the block has its terminator; `writes`: indices of array arguments that the function or its callees may write

    def __init__(self, unit: Any, native: Any) -> None:
        self.unit, self.native = unit, native
        self.names: dict[str, Any] = native.py_func.__globals__
        self.flags, self.real = "contract " if native.contract else "", "f"
        self.head: list[str] = []
        self.lines: list[str] = []
        self.places: dict[str, Value] = {}
        self.writes: set[int] = set()
        self.count, self.closed, self.allocates = 0, False, False

    def value(self, node: ast.expr) -> Value:
        raise NotImplementedError

    def convert(self, value: Value, type_: Any, node: ast.AST) -> Value:
        raise NotImplementedError

    def promote(self, value: Value) -> Value:
        """Return a value whose doubles are of the function's real type."""
        if self.real == "d" and value.type == "f":
            return Value("d", parts=(value, constant(0.0)))
        if isinstance(value.type, tuple):
            parts = tuple(map(self.promote, value.parts))
            return Value(tuple(one.type for one in parts), parts=parts, origin=value.origin)
        return value

    def fail(self, node: ast.AST, what: str = "") -> NoReturn:
        """Raise CodegenError with the file and line of a node."""
        function = self.native.py_func
        line = function.__code__.co_firstlineno + getattr(node, "lineno", 1) - 1
        source = ast.unparse(node)[:80]
        where = f"{function.__code__.co_filename}:{line}, in {function.__name__}"
        raise CodegenError(f"{where}: {what or 'not supported in machine code'}: {source}")

    def fresh(self, word: str = "x") -> str:
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
        """Start a block; the previous one continues in it."""
        if not self.closed:
            self.lines.append(f"  br label %{name}")
        self.lines.append(f"{name}:")
        self.closed = False

    def jump(self, name: str, condition: Value | None = None, other: str = "") -> None:
        """End a block with a branch."""
        if not self.closed:
            self.emit(
                f"br label %{name}" if condition is None else f"br i1 {condition.text}, label %{name}, label %{other}"
            )
        self.closed = True

    def store(self, name: str, value: Value, node: ast.AST) -> None:
        """Store a value under a name; the first value determines the type."""
        value = self.promote(value)
        if name not in self.places:
            parts = [f"%v.{name}.{j}" for j in range(len(flat_types(value.type)))]
            for type_, part in zip(flat_types(value.type), parts, strict=True):
                self.head += [f"  {part} = alloca {type_}", f"  store {type_} zeroinitializer, ptr {part}"]
            self.places[name] = Value(value.type, "", tuple(parts), origin=value.origin)
        place = self.places[name]
        value = self.convert(value, place.type, node)
        if value.origin - place.origin:
            self.places[name] = place = Value(place.type, "", place.sizes, origin=place.origin | value.origin)
        for (type_, text), part in zip(flatten(value), place.sizes, strict=True):
            self.emit(f"store {type_} {text}, ptr {part}")

    def load(self, name: str) -> Value:
        place = self.places[name]
        parts = zip(flat_types(place.type), place.sizes, strict=True)
        names = [self.emit(f"load {type_}, ptr {part}", "i").text for type_, part in parts]
        return make_value(place.type, iter(names), place.origin)
