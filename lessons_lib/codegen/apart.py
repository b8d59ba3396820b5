"""Functions that are compiled apart from what calls them: once, for all callers.

A function's callers hold a copy of it each, which LLVM may work into them. Where it would not, as among loops over
lanes, a copy is nothing but time: so a recipe may have its functions compiled apart. What calls them names them, and
takes their addresses when it is loaded. All that one caller wants of such a module is one object file, with what they
call in their turn; whoever wants the same finds it there.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

from lessons_lib.codegen.ir import symbol_of
from lessons_lib.codegen.machine import Loaded
from lessons_lib.codegen.trust import kept

if TYPE_CHECKING:
    from lessons_lib.codegen.translate import Unit

Wanted = tuple[Any, tuple[Any, ...]]
"""A function, see native.py, and the types of its arguments."""

named: WeakValueDictionary[tuple[str, str], Any] = WeakValueDictionary()
"""The functions that are compiled apart, by module and name."""

_loaded: WeakValueDictionary[tuple[str, str], Loaded] = WeakValueDictionary()


def by_module(wanted: Iterable[Wanted]) -> dict[str, list[list[Any]]]:
    """Return names and types of functions, by the names of their modules, as JSON can hold them."""
    found: dict[str, list[list[Any]]] = {}
    for native, types in sorted(wanted, key=lambda one: (one[0].__module__, one[0].__name__, repr(one[1]))):
        found.setdefault(native.__module__, []).append([native.__name__, list(types)])
    return found


def libraries(wanted: dict[str, list[list[Any]]]) -> list[Loaded]:
    """Return what `by_module` told of in memory: an object file for each module, compiled now if it is not there."""
    return [_library(module, functions) for module, functions in wanted.items()]


def _library(module: str, functions: list[list[Any]]) -> Loaded:
    about = repr(functions)
    found = _loaded.get((module, about))
    if found is None:
        wanted = [(named[module, name], _in_tuples(types)) for name, types in functions]
        code = kept(wanted[0][0].folder, f"{module}.apart", about, lambda: _compiled(wanted))
        found = _loaded[module, about] = Loaded(code, [symbol_of(*one) for one in wanted])
    return found


def _in_tuples(types: list[Any]) -> tuple[Any, ...]:
    return tuple(_in_tuples(one) if isinstance(one, list) else one for one in types)


def _compiled(wanted: Iterable[Wanted]) -> bytes:
    """Return the object file with some functions, and with those that they call."""
    from lessons_lib.codegen.door import ROOM
    from lessons_lib.codegen.machine import object_code
    from lessons_lib.codegen.translate import apart

    units: dict[Wanted, Unit] = {}
    left = list(wanted)
    while left:
        one = left.pop()
        if one not in units:
            units[one] = apart(*one).unit
            left += sorted(units[one].wanted, key=repr)
    texts = [text for unit in units.values() for text in unit.texts]
    outside = set().union(*(unit.declared for unit in units.values())) - {apart(*one).declaration for one in units}
    text = "\n\n".join([*texts, *(f"declare {line}" for line in sorted(outside)), ROOM])
    return object_code(text)
