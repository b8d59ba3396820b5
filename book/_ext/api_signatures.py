"""Signatures as written in the source, with the names of type aliases."""

import ast
import inspect
import re
import sys
from pathlib import Path
from textwrap import dedent
from typing import Any

LIBRARY = "lessons_lib"
Function = ast.FunctionDef | ast.AsyncFunctionDef


def definition(thing: Any) -> ast.AST | None:
    """Return the parsed class or function of the library; None for other objects."""
    if not (getattr(thing, "__module__", None) or "").startswith(LIBRARY):
        return None
    try:
        return ast.parse(dedent(inspect.getsource(thing))).body[0]
    except (OSError, TypeError):
        return None


def signature(thing: Any, method: bool = False) -> tuple[str, str] | None:
    """Return the arguments in parentheses, and the return type, empty for a class.

    Args:
        thing: A function or a class.
        method: Whether the first argument is the object or the class.
    """
    if inspect.isclass(thing):
        maker = inspect.getattr_static(thing, "__init__")
        if "__dataclass_fields__" in vars(thing) and definition(maker) is None:
            return _of_fields(thing), ""
        text = signature(maker, method=True) or signature(inspect.getattr_static(thing, "__new__"), method=True)
        return (text[0], "") if text else ("()", "")
    node = definition(inspect.unwrap(getattr(thing, "__func__", thing)))
    if not isinstance(node, Function):
        return None
    if method:
        first = node.args.posonlyargs or node.args.args
        node = ast.parse(ast.unparse(node)).body[0]
        assert isinstance(node, Function)
        del (node.args.posonlyargs or node.args.args)[: bool(first)]
    back = ast.unparse(node.returns) if node.returns else ""
    return _qualify(f"({ast.unparse(node.args)})", thing), _qualify(back, thing)


def _of_fields(type_: type) -> str:
    """Return the arguments of a dataclass: its fields, from the first base class on."""
    text: dict[str, str] = {}
    for one in reversed(type_.__mro__):
        node = definition(one)
        for line in node.body if isinstance(node, ast.ClassDef) else ():
            if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name):
                default = "" if line.value is None else f" = {ast.unparse(line.value)}"
                text[line.target.id] = _qualify(f"{line.target.id}: {ast.unparse(line.annotation)}{default}", one)
    arguments = inspect.signature(type_).parameters
    return f"({', '.join(text.get(name, name) for name in arguments)})"


def _qualify(words: str, thing: Any) -> str:
    """Return types with the full name if the library has another class of that name."""
    path = getattr(sys.modules[thing.__module__], "Path", None)
    return re.sub(r"(?<![\w.])Path\b", "pathlib.Path", words) if path is Path else words
