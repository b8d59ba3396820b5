"""Syntax trees of Python text, parsed by one thread at a time (see locks.py)."""

import ast
import inspect
import linecache
import math
import textwrap
from collections.abc import Callable
from functools import lru_cache
from types import CodeType
from typing import Any

import numpy

from lessons_lib.codegen.locks import parsing


def parse(text: str) -> ast.Module:
    with parsing:
        return ast.parse(text)


def definition(function: Callable[..., Any]) -> ast.FunctionDef:
    """Return the syntax tree of a function; callers must not change it."""
    return _definition(getattr(function, "py_func", function).__code__)


@lru_cache(maxsize=512)
def _definition(code: CodeType) -> ast.FunctionDef:
    lines = linecache.getlines(code.co_filename)[code.co_firstlineno - 1 :]
    text = textwrap.dedent("".join(inspect.getblock(lines)))  # not inspect.getsource, which searches all loaded modules
    return next(node for node in parse(text).body if isinstance(node, ast.FunctionDef))


def functions_of(text: str) -> dict[str, Any]:
    """Return the functions of a generated module by name, as plain Python; they may use only `math` and `numpy`."""
    functions = [node for node in parse(text).body if isinstance(node, ast.FunctionDef)]
    for function in functions:
        function.decorator_list = []
    space: dict[str, Any] = {"math": math, "numpy": numpy}
    exec(compile(ast.Module(list[ast.stmt](functions), []), "<generated text>", "exec"), space)
    return space


def to_expression(target: ast.expr) -> ast.expr:
    """Convert the target of an assignment to an expression that reads it."""
    (line,) = parse(ast.unparse(target)).body
    assert isinstance(line, ast.Expr)
    return line.value
