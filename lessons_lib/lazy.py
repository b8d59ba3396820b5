"""Attributes of an object or a package that are computed at their first use."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path
from typing import Any, Generic, Self, TypeVar, overload

from lessons_lib.extras import need

T = TypeVar("T")


class cached_property(Generic[T]):  # noqa: N801 (it replaces functools.cached_property)
    """Cache a property without a lock, as functools.cached_property does since Python 3.12; the first value is kept."""

    # with a lock per class, a child forked while another thread computes a value would hang

    def __init__(self, compute: Callable[[Any], T]) -> None:
        self._compute, self._name = compute, compute.__name__
        self.__doc__ = compute.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type | None = None) -> Self: ...

    @overload
    def __get__(self, instance: object, owner: type | None = None) -> T: ...

    def __get__(self, instance: object, owner: type | None = None) -> Self | T:
        """Return the value, and store it as an attribute of the instance."""
        if instance is None:
            return self
        value: T = vars(instance).setdefault(self._name, self._compute(instance))
        return value


def exports(
    package: str, init: str, extra: str = "", beside: Iterable[Path] = ()
) -> tuple[list[str], Callable[[str], Any]]:
    """Return `__all__` and `__getattr__` (PEP 562) for a package of its modules' names, imported when used."""
    # The `__all__` of each module, and of files `beside`, is read as text. If an import fails, the error names the
    # `extra` that installs optional dependencies.
    homes: dict[str, str] = {}
    folder, library = Path(init).parent, Path(__file__).parent
    for path in sorted([*folder.glob("*.py"), *beside]):
        module = ".".join((library.name, *path.relative_to(library).with_suffix("").parts))
        listed = re.search(r"^__all__ = \[(.*?)\]", path.read_text("utf-8"), re.DOTALL | re.MULTILINE)
        for name in re.findall(r'"(\w+)"', listed[1]) if listed else ():
            if name in homes:
                raise ImportError(f"{homes[name]} and {module} both export {name}; rename one of them")
            homes[name] = module
    names = sorted(homes)

    def attribute(name: str) -> Any:
        if name in homes:
            try:
                return getattr(import_module(homes[name]), name)
            except ModuleNotFoundError:
                if extra:
                    need(extra, package)
                raise
        raise AttributeError(f"module {package!r} has no attribute {name!r}; it has {', '.join(names)}")

    return names, attribute
