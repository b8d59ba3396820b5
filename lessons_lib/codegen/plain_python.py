"""Generated text run as plain Python, so that it can be checked before it is compiled."""

import ast
import math
from typing import Any

import numpy

from lessons_lib.codegen.syntax import parsed


def functions_of(text: str) -> dict[str, Any]:
    """Return the functions of a generated module by name, uncompiled; they may use `math` and `numpy` alone."""
    functions = [node for node in parsed(text).body if isinstance(node, ast.FunctionDef)]
    for function in functions:
        function.decorator_list = []
    space: dict[str, Any] = {"math": math, "numpy": numpy}
    exec(compile(ast.Module(list[ast.stmt](functions), []), "<generated text>", "exec"), space)
    return space
