"""Python's own text as a tree, one thread at a time.

The parser of CPython counts its depth of recursion once for all threads: two that parse at once may end in a
`SystemError` ("AST constructor recursion depth mismatch", https://github.com/python/cpython/issues/106905).
"""

import ast
import inspect
import linecache
import textwrap
import threading
from collections.abc import Callable
from functools import lru_cache
from types import CodeType
from typing import Any

parsing = threading.RLock()
"""Held while a text is parsed, and nothing else is waited for meanwhile; forks.py has it held while a process forks."""


def parsed(text: str) -> ast.Module:
    """Return the tree of a module's text.

    Raises:
        SyntaxError: The text is no Python.
    """
    with parsing:
        return ast.parse(text)


def definition(function: Callable[..., Any]) -> ast.FunctionDef:
    """Return the tree of a function's own text, which nobody may change."""
    return _definition(getattr(function, "py_func", function).__code__)


@lru_cache(maxsize=512)
def _definition(code: CodeType) -> ast.FunctionDef:
    lines = linecache.getlines(code.co_filename)[code.co_firstlineno - 1 :]
    text = textwrap.dedent("".join(inspect.getblock(lines)))  # not getsource, which asks every loaded module for it
    return next(node for node in parsed(text).body if isinstance(node, ast.FunctionDef))


def as_read(target: ast.expr) -> ast.expr:
    """Return what is assigned to, as an expression that reads it."""
    (line,) = parsed(ast.unparse(target)).body
    assert isinstance(line, ast.Expr)
    return line.value
