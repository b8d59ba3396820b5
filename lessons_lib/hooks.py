"""Hooks: functions of upper packages that a lower package calls; the root package registers their loaders."""

from collections.abc import Callable
from typing import Any

_loaders: dict[str, list[Callable[[], Any]]] = {}


def register(hook: str, *loaders: Callable[[], Any]) -> None:
    _loaders[hook] = list(loaders)


def implementations(hook: str) -> list[Any]:
    """Import and return the implementations of a hook, in the order of their registration."""
    return [load() for load in _loaders[hook]]
