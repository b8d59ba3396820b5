"""From the text of a generated module to a module in memory."""

import linecache
import sys
from pathlib import Path
from types import ModuleType
from typing import Any


def load_module(module_name: str, text: str, path: Path | None) -> None:
    """Run a module's text as that of its file, which another process may have removed meanwhile; None: it has none."""
    module = ModuleType(module_name)
    origin = f"<{module_name}>" if path is None else str(path)
    if path is not None:
        module.__file__ = origin
    sys.modules[module_name] = module
    try:
        run(text, origin, vars(module))
    except BaseException:
        del sys.modules[module_name]
        raise


def run(text: str, origin: str, space: dict[str, Any] | None = None) -> dict[str, Any]:
    """Run a module's text in a namespace, and return that; the text is kept for `inspect`: see translate.py."""
    space = {} if space is None else space
    linecache.cache[origin] = (len(text), None, text.splitlines(keepends=True), origin)
    exec(compile(text, origin, "exec", dont_inherit=True), space)
    return space
