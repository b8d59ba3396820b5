"""Which compiled form of a task or limit may stand for its readable one.

A class gives its compiled form as a method, and names the readable methods that this form stands for. A derived class
that gives one of them anew is not what the form says any more: then the form of the next base counts.
"""

from collections.abc import Callable
from typing import Any, TypeVar

_Method = TypeVar("_Method", bound=Callable[..., Any])


def stands_for(*readable: str) -> Callable[[_Method], _Method]:
    """Mark a method as the compiled form of the readable methods with these names."""

    def mark(method: _Method) -> _Method:
        method.stands_for = readable  # type: ignore[attr-defined]
        return method

    return mark


def choose_form(kind: type, name: str, otherwise: Callable[..., Any]) -> None:
    """Give a class, as its method `name`, the most derived form that says what its readable methods say.

    Args:
        kind: The class.
        name: Of the method.
        otherwise: The method for a class of which no form says this.
    """
    order = kind.__mro__
    for depth, owner in enumerate(order):
        form = vars(owner).get(name)
        replaced = getattr(form, "stands_for", ())
        if form is not None and not any(method in vars(newer) for newer in order[:depth] for method in replaced):
            setattr(kind, name, form)
            return
    setattr(kind, name, otherwise)
