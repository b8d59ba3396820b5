"""Values and types as LLVM writes them."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

NAMES = {"f": "double", "i": "i64", "b": "i1", "v": "void"}


def is_array(type_: Any) -> bool:
    """Return whether a type is that of an array."""
    return isinstance(type_, str) and len(type_) > 1


def columns_of(type_: str) -> str:
    """Return how many columns all arrays of a type have; nothing where each has its own number."""
    return type_.partition("x")[2]


@dataclass(frozen=True)
class Value:
    """A number, an array, or a tuple of values.

    Attributes:
        type: "f", "i", "b", "v" for none, an array's entry and dimensions ("f2"), behind which the number of columns
            may stand ("f2x8"), or a tuple of types.
        text: A number's name, or where an array begins.
        sizes: Of an array, a name each.
        parts: Of a tuple.
        origin: From which arguments of the function an array may come.
    """

    type: Any
    text: str = ""
    sizes: tuple[str, ...] = ()
    parts: tuple[Value, ...] = ()
    origin: frozenset[int] = frozenset()

    @property
    def is_array(self) -> bool:
        """Whether it is an array."""
        return is_array(self.type)

    @property
    def entry(self) -> str:
        """The type of an array's entries."""
        return str(self.type[0])


def constant(number: Any) -> Value:
    """Return a number as a value; a double bit by bit."""
    if isinstance(number, bool):
        return Value("b", "true" if number else "false")
    if isinstance(number, int):
        return Value("i", str(number))
    bits = struct.unpack("<Q", struct.pack("<d", float(number)))[0]
    return Value("f", f"0x{bits:016X}")


def flat_types(type_: Any) -> list[str]:
    """Return what a value of a type is made of: of an array where it begins, and the sizes that its type has not."""
    if isinstance(type_, tuple):
        return [part for one in type_ for part in flat_types(one)]
    if type_ == "v":
        return []
    return ["ptr", *["i64"] * (int(type_[1]) - bool(columns_of(type_)))] if is_array(type_) else [NAMES[type_]]


def flat(value: Value) -> list[tuple[str, str]]:
    """Return the parts of a value, each with its type."""
    if isinstance(value.type, tuple):
        return [part for one in value.parts for part in flat(one)]
    if value.type == "v":
        return []
    types = flat_types(value.type)
    return list(zip(types, (value.text, *value.sizes)[: len(types)], strict=True))


def formed(type_: Any, names: Iterator[str], origin: frozenset[int] = frozenset()) -> Value:
    """Return the value that some parts make."""
    if isinstance(type_, tuple):
        return Value(type_, parts=tuple(formed(one, names, origin) for one in type_), origin=origin)
    if type_ == "v":
        return Value("v")
    text, *sizes = (next(names) for _ in flat_types(type_))
    sizes += [columns_of(type_)] if columns_of(type_) else []
    return Value(type_, text, tuple(sizes), origin=origin if sizes else frozenset())


def struct_of(type_: Any) -> str:
    """Return how a function returns a value of a type."""
    parts = flat_types(type_)
    return "void" if not parts else parts[0] if len(parts) == 1 else "{" + ", ".join(parts) + "}"


def symbol_of(native: Any, types: tuple[Any, ...]) -> str:
    """Return the name of a function that is compiled apart, for arguments of these types: one for all object files."""
    return f"{native.__module__}.{native.__name__}.{hashlib.sha256(repr(types).encode()).hexdigest()[:12]}"
