"""Separate compilation: functions compiled once for all callers, which link to them.

By default a caller's object file holds a copy of each function it calls, so that LLVM can inline it. Loops over lanes
are never inlined, so their recipes are compiled separately: one object file for all functions that a caller needs of a
module, together with everything these call.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

from lessons_lib.codegen import machine
from lessons_lib.codegen.cache import load_or_build
from lessons_lib.codegen.ir import symbol_of
from lessons_lib.codegen.machine import Loaded

if TYPE_CHECKING:
    from lessons_lib.codegen.translate import Unit

External = tuple[Any, tuple[Any, ...]]
"""A function, see native.py, and the types of its arguments."""

separate: WeakValueDictionary[tuple[str, str], Any] = WeakValueDictionary()
"""Separately compiled functions, by module and name."""

_loaded: WeakValueDictionary[tuple[str, str], Loaded] = WeakValueDictionary()


def by_module(wanted: Iterable[External]) -> dict[str, list[list[Any]]]:
    """Return names and types of functions by their modules, in the form of JSON."""
    found: dict[str, list[list[Any]]] = {}
    for native, types in sorted(wanted, key=lambda one: (one[0].__module__, one[0].__name__, repr(one[1]))):
        found.setdefault(native.__module__, []).append([native.__name__, list(types)])
    return found


def libraries(wanted: dict[str, list[list[Any]]]) -> list[Loaded]:
    """Load one object file for each module of `by_module`, compiled now if the cache does not have it."""
    return [_library(module, functions) for module, functions in wanted.items()]


def _library(module: str, functions: list[list[Any]]) -> Loaded:
    about = repr(functions)
    found = _loaded.get((module, about))
    if found is None:
        wanted = [(separate[module, name], _in_tuples(types)) for name, types in functions]
        code = load_or_build(wanted[0][0].folder, f"{module}.apart", about, lambda: _compile(wanted))
        found = _loaded[module, about] = Loaded(code, [symbol_of(*one) for one in wanted])
    return found


def _in_tuples(types: list[Any]) -> tuple[Any, ...]:
    return tuple(_in_tuples(one) if isinstance(one, list) else one for one in types)


def _compile(wanted: Iterable[External]) -> bytes:
    """Return the object code of some functions and everything they call."""
    from lessons_lib.codegen.binding import ROOM
    from lessons_lib.codegen.translate import apart

    units: dict[External, Unit] = {}
    left = list(wanted)
    while left:
        one = left.pop()
        if one not in units:
            units[one] = apart(*one).unit
            left += sorted(units[one].wanted, key=repr)
    texts = [text for unit in units.values() for text in unit.texts]
    outside = set().union(*(unit.declared for unit in units.values())) - {apart(*one).declaration for one in units}
    return machine.object_code("\n\n".join([*texts, *(f"declare {line}" for line in sorted(outside)), ROOM]))
