"""Things to move: explorers for a notebook, one class a file, each loaded on first use."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lessons_lib.widgets.explorer import Explorer

_HOME = {
    "Explorer": "explorer",
}
"""Where each name lives; a new explorer adds its line here."""

__all__ = [
    "Explorer",
]


def __getattr__(name: str) -> object:
    """Load the file of an explorer on first use (PEP 562)."""
    if name in _HOME:
        return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it has {', '.join(__all__)}")
