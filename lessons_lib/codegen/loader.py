"""From a generated file, or where there is none from its text, to a module in memory."""

import contextlib
import importlib.util
import linecache
import sys
from collections.abc import Iterator
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any


def load_module(module_name: str, text: str, path: Path | None) -> None:
    """Run a module's text as that of its file; where Numba has no place for its own files, in memory alone.

    The file is not read again: another process may have removed it.
    """
    if path is not None:
        with contextlib.suppress(Exception):  # Numba has no place for its files
            _import_as(module_name, text, path)
            return
    _run(module_name, text, f"<{module_name}>" if path is None else str(path))


class _FromText(SourceFileLoader):
    """Loads a module from its text, whose seal was looked at; Python's own bytecode beside the file bears none."""

    def __init__(self, fullname: str, path: str, text: str) -> None:
        """Take the text that the file holds."""
        super().__init__(fullname, path)
        self._text = text

    def get_code(self, fullname: str) -> CodeType:
        """Return the text, compiled."""
        code: CodeType = self.source_to_code(self._text, self.path)
        return code


def _import_as(module_name: str, text: str, path: Path) -> None:
    loader = _FromText(module_name, str(path), text)
    spec = importlib.util.spec_from_file_location(module_name, path, loader=loader)
    assert spec is not None
    _remember(text, str(path))
    with _registered(importlib.util.module_from_spec(spec)) as module:
        loader.exec_module(module)


def _run(module_name: str, text: str, origin: str) -> None:
    with _registered(ModuleType(module_name)) as module:
        names_of(text, origin, vars(module))


def names_of(text: str, origin: str, space: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return `space` with what a module's text defines; nothing is kept on disk, and `origin` stands for its file."""
    space = {} if space is None else space
    _remember(text, origin)
    exec(compile(text.replace("cache=True", "cache=False"), origin, "exec", dont_inherit=True), space)
    return space


def _remember(text: str, origin: str) -> None:
    """Keep the text where `inspect` looks for it: vectors.py may read it long after, when the file may be gone."""
    linecache.cache[origin] = (len(text), None, text.splitlines(keepends=True), origin)


@contextlib.contextmanager
def _registered(module: ModuleType) -> Iterator[ModuleType]:
    """Make the module known while its code runs, and for good if that succeeds."""
    sys.modules[module.__name__] = module
    try:
        yield module
    except BaseException:
        del sys.modules[module.__name__]
        raise
