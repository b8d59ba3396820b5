"""Python's own text as a tree, one thread at a time.

The parser of CPython counts its depth of recursion once for all threads: two that parse at once may end in a
`SystemError` ("AST constructor recursion depth mismatch", https://github.com/python/cpython/issues/106905).
"""

import ast
import inspect
import os
import textwrap
import threading
from collections.abc import Callable
from typing import Any

_parsing = threading.RLock()
"""Held while a text is parsed, and nothing else is waited for meanwhile."""

if hasattr(os, "register_at_fork"):  # a child would inherit it from a thread that it does not have
    os.register_at_fork(before=_parsing.acquire, after_in_parent=_parsing.release, after_in_child=_parsing.release)


def parsed(text: str) -> ast.Module:
    """Return the tree of a module's text.

    Raises:
        SyntaxError: The text is no Python.
    """
    with _parsing:
        return ast.parse(text)


def definition(function: Callable[..., Any]) -> ast.FunctionDef:
    """Return the tree of a function's own text."""
    text = textwrap.dedent(inspect.getsource(getattr(function, "py_func", function)))
    return next(node for node in parsed(text).body if isinstance(node, ast.FunctionDef))


def as_read(target: ast.expr) -> ast.expr:
    """Return what is assigned to, as an expression that reads it."""
    (line,) = parsed(ast.unparse(target)).body
    assert isinstance(line, ast.Expr)
    return line.value
