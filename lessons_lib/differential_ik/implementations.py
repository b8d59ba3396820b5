"""Select the fastest implementation of a task or limit that is equivalent to its readable methods."""
# A class marks a faster method with the readable methods that it is equivalent to. If a derived class overrides one of
# these, the faster method no longer applies to it, and that of the next base is selected.

from collections.abc import Callable
from typing import Any, TypeVar

_Method = TypeVar("_Method", bound=Callable[..., Any])


def equivalent_to(*readable: str) -> Callable[[_Method], _Method]:
    """Mark a method as equivalent to the readable methods with these names."""

    def mark(method: _Method) -> _Method:
        method.equivalent_to = readable  # type: ignore[attr-defined]
        return method

    return mark


def select_implementation(kind: type, name: str, default: Callable[..., Any]) -> None:
    """Set the method `name` of a class to the most derived one that is equivalent to its readable methods."""
    order = kind.__mro__
    for depth, owner in enumerate(order):
        method = vars(owner).get(name)
        readable = getattr(method, "equivalent_to", ())
        if method is not None and not any(each in vars(newer) for newer in order[:depth] for each in readable):
            setattr(kind, name, method)
            return
    setattr(kind, name, default)
