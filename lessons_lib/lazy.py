"""Attributes that are worked out when they are first asked for, of an object and of a package."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path
from typing import Any, Generic, Self, TypeVar, overload

from lessons_lib.extras import need

T = TypeVar("T")


class cached_property(Generic[T]):  # noqa: N801 (it stands in the place of functools.cached_property)
    """Do what functools.cached_property does since Python 3.12: without a lock.

    Before, all instances of a class shared one lock for each such property. A child that is forked while another thread
    works one out, of whatever instance, would wait for that lock for ever. Without it two threads may both do the work;
    the value that is there first is the one for all.
    """

    def __init__(self, work_out: Callable[[Any], T]) -> None:
        """Take the method that works the value out."""
        self._work_out, self._name = work_out, work_out.__name__
        self.__doc__ = work_out.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        """Learn under which name the value is to be kept."""
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type | None = None) -> Self: ...

    @overload
    def __get__(self, instance: object, owner: type | None = None) -> T: ...

    def __get__(self, instance: object, owner: type | None = None) -> Self | T:
        """Return the value; from then on it is a plain attribute of the instance."""
        if instance is None:
            return self
        value: T = vars(instance).setdefault(self._name, self._work_out(instance))
        return value


def exports(
    package: str, init: str, extra: str = "", beside: Iterable[Path] = ()
) -> tuple[list[str], Callable[[str], Any]]:
    """Return `__all__` and `__getattr__` (PEP 562) for a package that hands out what its modules do.

    Each module names that in its own `__all__`, a list of strings, which is read as text: a module is loaded when a
    name of it is first asked for. A package that is to be typed imports `*` from each under TYPE_CHECKING.

    Args:
        package: The package's `__name__`.
        init: Its `__file__`.
        extra: The extra that installs what some of its modules import besides the core; see `extras`.
        beside: Files elsewhere in the library whose names this package also exports.

    Raises:
        ImportError: Two modules export the same name.
    """
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
