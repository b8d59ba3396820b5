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

from lessons_lib.errors import CodegenError


def load_module(module_name: str, found: Path | str) -> None:
    """Import the module from its file; where Numba has no place for its own files, from its text."""
    if isinstance(found, str):
        _run(module_name, found, f"<{module_name}>")
        return
    try:
        _import_file(module_name, found)
    except Exception:  # Numba has no place for its files
        _run(module_name, found.read_text(encoding="utf-8"), str(found))


class _WithoutBytecode(SourceFileLoader):
    """Loads a module from its text, whose seal was looked at; Python's own bytecode beside it bears none."""

    def get_code(self, fullname: str) -> CodeType:
        """Return the text, compiled."""
        code: CodeType = self.source_to_code(self.get_data(self.path), self.path)
        return code


def _import_file(module_name: str, path: Path) -> None:
    spec = importlib.util.spec_from_file_location(module_name, path, loader=_WithoutBytecode(module_name, str(path)))
    if spec is None or spec.loader is None:
        raise CodegenError(f"cannot import the generated file {path}")
    _remember(path.read_text(encoding="utf-8"), str(path))
    with _registered(importlib.util.module_from_spec(spec)) as module:
        spec.loader.exec_module(module)


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
