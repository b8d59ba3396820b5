"""Expressions → source code → loaded modules.

SymPy is loaded with the first kernel, not with this package: a warm cache needs none of it.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lessons_lib.codegen.account import account_of
    from lessons_lib.codegen.kernel import Kernel, Program
    from lessons_lib.codegen.printers import source

__all__ = ["Kernel", "Program", "account_of", "source"]

_HOME = {"Kernel": "kernel", "Program": "kernel", "account_of": "account", "source": "printers"}


def __getattr__(name: str) -> Any:
    """Import what needs SymPy on first use (PEP 562)."""
    if name in _HOME:
        return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it has {', '.join(__all__)}")
