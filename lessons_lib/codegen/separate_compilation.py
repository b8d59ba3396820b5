"""Separate compilation: one object file with all functions that a caller needs from a module, and their callees."""
# by default, a caller's object file contains copies of its callees, so that LLVM can inline them; SIMD loops never are

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

from lessons_lib.codegen import machine
from lessons_lib.codegen.cache import load_or_build
from lessons_lib.codegen.ir import symbol_of
from lessons_lib.codegen.machine import LoadedCode

if TYPE_CHECKING:
    from lessons_lib.codegen.translate import Unit

External = tuple[Any, tuple[Any, ...]]
"""A `Native` function and the types of its arguments."""

separate: WeakValueDictionary[tuple[str, str], Any] = WeakValueDictionary()
"""Separately compiled functions, by module and name."""

_loaded: WeakValueDictionary[tuple[str, str], LoadedCode] = WeakValueDictionary()


def group_by_module(externals: Iterable[External]) -> dict[str, list[list[Any]]]:
    """Group functions by module, as names and argument types that JSON can store."""
    groups: dict[str, list[list[Any]]] = {}
    for native, types in sorted(externals, key=lambda one: (one[0].__module__, one[0].__name__, repr(one[1]))):
        groups.setdefault(native.__module__, []).append([native.__name__, list(types)])
    return groups


def load_libraries(externals: dict[str, list[list[Any]]]) -> list[LoadedCode]:
    """Load one object file for each module of `group_by_module`, cached or compiled now."""
    return [_load_library(module, functions) for module, functions in externals.items()]


def _load_library(module: str, functions: list[list[Any]]) -> LoadedCode:
    about = repr(functions)
    library = _loaded.get((module, about))
    if library is None:
        externals = [(separate[module, name], _to_tuples(types)) for name, types in functions]
        code = load_or_build(externals[0][0].folder, f"{module}.separate", about, lambda: _compile(externals))
        library = _loaded[module, about] = LoadedCode(code, [symbol_of(*one) for one in externals])
    return library


def _to_tuples(types: list[Any]) -> tuple[Any, ...]:
    return tuple(_to_tuples(one) if isinstance(one, list) else one for one in types)


def _compile(externals: Iterable[External]) -> bytes:
    """Compile functions and everything they call."""
    from lessons_lib.codegen.binding import ALLOCATION
    from lessons_lib.codegen.translate import separate_function

    units: dict[External, Unit] = {}
    left = list(externals)
    while left:
        one = left.pop()
        if one not in units:
            units[one] = separate_function(*one).unit
            left += sorted(units[one].externals, key=repr)
    texts = [text for unit in units.values() for text in unit.texts]
    outside = set().union(*(unit.declared for unit in units.values())) - {
        separate_function(*one).declaration for one in units
    }
    return machine.object_code("\n\n".join([*texts, *(f"declare {line}" for line in sorted(outside)), ALLOCATION]))
