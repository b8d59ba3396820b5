"""Generated text run as plain Python, without a compiler: what is about to be compiled can be tried out first."""

import ast
import math
from typing import Any

import numpy

from lessons_lib.codegen.syntax import parsed


def functions_of(text: str) -> dict[str, Any]:
    """Return the functions of a generated module by name, each as its text says it, nothing compiled.

    Args:
        text: Of the target "scalar", or of kernels over lanes: functions that use `math` and `numpy` alone.
    """
    tree = parsed(text)
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    for function in functions:
        function.decorator_list = []
    space: dict[str, Any] = {"math": math, "numpy": numpy}
    exec(compile(ast.Module(list[ast.stmt](functions), []), "<generated text>", "exec"), space)
    return space
