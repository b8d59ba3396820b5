"""Files of plain Python as JavaScript: what is written by hand around the kernels, printed from the one text there is.

A plain file (see linker.py) is loops and choices over numbers and arrays, so each of its statements has a counterpart
in JavaScript. Arrays are arrays of arrays of numbers. A kernel of the script, which in Python writes into its last
arguments, returns its outputs there; `write` carries them over.

By hand: the counterparts, and the helpers that they call.
Held by: tests/codegen/test_javascript_plain.py.
"""

import ast
from collections.abc import Iterable, Mapping
from importlib import import_module

from lessons_lib.codegen.dependencies import file_of
from lessons_lib.codegen.kernel import Kernel
from lessons_lib.errors import CodegenError

HELPERS = """\
/** Numbers of an array, or of the rows of one, all zero. */
function zeros(rows, columns) {
  return Array.from({length: rows}, () => (columns === undefined ? 0 : Array(columns).fill(0)));
}

/** Write what a kernel returns into arrays, one after the other. */
function write(found, ...into) {
  const copy = (from, to) => from.forEach((x, i) => { if (Array.isArray(x)) copy(x, to[i]); else to[i] = x; });
  Object.values(found).forEach((array, k) => copy(array, into[k]));
}

/** The size of x with the sign of y. */
function copysign(x, y) {
  return y < 0 || Object.is(y, -0) ? -Math.abs(x) : Math.abs(x);
}
"""
"""What the printed functions call."""

_OPERATORS: Mapping[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.USub: "-", ast.BitOr: "|",
    ast.Not: "!", ast.And: "&&", ast.Or: "||",
    ast.Eq: "===", ast.NotEq: "!==", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip
_MATH = frozenset(("sqrt", "atan2", "hypot", "cos", "sin", "ceil"))
_PLAIN = {"abs": "Math.abs", "min": "Math.min", "max": "Math.max", "float": "Number"}
_WORDS = {True: "true", False: "false", None: "undefined"}


def text_of(modules: Iterable[str], kernels: Iterable[Kernel] = ()) -> str:
    """Return the text of a script with the functions of plain files, and the constants and helpers they use.

    Args:
        modules: Dotted names of the files.
        kernels: Those of the script that the functions call.

    Raises:
        CodegenError: A file holds what has no counterpart here.
    """
    known, constants, functions = {kernel.name: len(kernel.inputs) for kernel in kernels}, dict[str, float](), []
    for module in modules:
        nodes = ast.parse(file_of(module).read_text("utf-8")).body
        for function in (node for node in nodes if isinstance(node, ast.FunctionDef)):
            body = [node for statement in function.body for node in ast.walk(statement)]
            own = {node.id for node in body if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
            own |= {argument.arg for argument in function.args.args}
            names = {node.id for node in body if isinstance(node, ast.Name) and node.id.isupper()} - own
            constants |= {name: float(getattr(import_module(module), name)) for name in sorted(names)}
            functions.append(_Printer(module, known).function(function))
    numbers = "\n".join(f"const {name} = {value!r};" for name, value in constants.items())
    return "\n\n".join(part.strip("\n") for part in (numbers, HELPERS, *functions) if part) + "\n"


class _Printer:
    """Prints one function."""

    def __init__(self, module: str, kernels: Mapping[str, int]) -> None:
        self._module, self._kernels = module, kernels

    def function(self, node: ast.FunctionDef) -> str:
        arguments = [argument.arg for argument in node.args.args]
        stored = [n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
        own = [name for name in dict.fromkeys(stored) if name not in arguments]
        summary = (ast.get_docstring(node) or "").split("\n")[0]
        lines = [f"/** {summary} As {self._module}. */", f"function {node.name}({', '.join(arguments)}) {{"]
        lines += [f"  let {', '.join(own)};"] if own else []
        return "\n".join([*lines, *self._block(node.body, "  "), "}"])

    def _block(self, statements: list[ast.stmt], space: str) -> list[str]:
        return [f"{space}{line}" for statement in statements for line in self._statement(statement)]

    def _statement(self, node: ast.stmt) -> list[str]:
        match node:
            case ast.Expr(value=ast.Constant()):
                return []
            case ast.Expr(value=ast.Call(func=ast.Name(id=name), args=given)) if name in self._kernels:
                texts, count = [self._of(one) for one in given], self._kernels[name]
                return [f"write({name}({', '.join(texts[:count])}), {', '.join(texts[count:])});"]
            case ast.Expr(value=value):
                return [f"{self._of(value)};"]
            case ast.Return(value=value):
                return ["return;" if value is None else f"return {self._of(value)};"]
            case ast.Assign(targets=[target], value=value):
                return [f"{self._of(target)} = {self._of(value)};"]
            case ast.AugAssign(target=target, op=op, value=value):
                return [f"{self._of(target)} {self._sign(op, node)}= {self._of(value)};"]
            case ast.If(test=test, body=body, orelse=other):
                rest = [*self._otherwise(other)]
                return [f"if ({self._of(test)}) {{", *self._block(body, "  "), *rest, "}"]
            case ast.For(target=ast.Name(id=i), iter=ast.Call(func=ast.Name(id="range"), args=given), body=body):
                first, last = ["0", *map(self._of, given)][-2:]
                return [f"for ({i} = {first}; {i} < {last}; {i}++) {{", *self._block(body, "  "), "}"]
            case ast.Break():
                return ["break;"]
            case ast.Continue():
                return ["continue;"]
        raise self._strange(node)

    def _otherwise(self, statements: list[ast.stmt]) -> list[str]:
        return ["} else {", *self._block(statements, "  ")] if statements else []

    def _of(self, node: ast.expr) -> str:
        match node:
            case ast.Constant(value=bool() | None as value):
                return _WORDS[value]
            case ast.Constant(value=int() | float() as value):
                return repr(value)
            case ast.Name(id=name):
                return name
            case ast.Tuple(elts=entries):
                return f"[{', '.join(map(self._of, entries))}]"
            case ast.BinOp(left=left, op=op, right=right):
                return f"{self._within(left)} {self._sign(op, node)} {self._within(right)}"
            case ast.UnaryOp(op=op, operand=operand):
                return f"{self._sign(op, node)}{self._within(operand)}"
            case ast.BoolOp(op=op, values=values):
                return f" {self._sign(op, node)} ".join(map(self._within, values))
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return f"{self._within(left)} {self._sign(op, node)} {self._within(right)}"
            case ast.IfExp(test=test, body=body, orelse=other):
                return f"{self._within(test)} ? {self._within(body)} : {self._within(other)}"
            case ast.Subscript(value=ast.Attribute(value=array, attr="shape"), slice=ast.Constant(value=int(axis))):
                return f"{self._of(array)}{'[0]' * axis}.length"
            case ast.Subscript(value=array, slice=place):
                places = place.elts if isinstance(place, ast.Tuple) else [place]
                return self._of(array) + "".join(f"[{self._of(one)}]" for one in places)
            case ast.Call():
                return self._call(node)
        raise self._strange(node)

    def _call(self, node: ast.Call) -> str:
        given = ", ".join(map(self._of, node.args))
        match node.func:
            case ast.Attribute(value=ast.Name(id="math"), attr="copysign"):
                return f"copysign({given})"
            case ast.Attribute(value=ast.Name(id="math"), attr="isfinite"):
                return f"Number.isFinite({given})"
            case ast.Attribute(value=ast.Name(id="math"), attr=name) if name in _MATH:
                return f"Math.{name}({given})"
            case ast.Attribute(value=ast.Name(id="np"), attr="empty"):
                return f"zeros({given[1:-1] if isinstance(node.args[0], ast.Tuple) else given})"
            case ast.Name(id=name) if name not in self._kernels:
                return f"{_PLAIN.get(name, name)}({given})"
        raise self._strange(node)

    def _within(self, node: ast.expr) -> str:
        """Return an expression as a part of another one: in brackets where it is made of parts itself."""
        text = self._of(node)
        return f"({text})" if isinstance(node, (ast.BinOp, ast.BoolOp, ast.Compare, ast.IfExp)) else text

    def _sign(self, operator: ast.AST, node: ast.AST) -> str:
        if type(operator) not in _OPERATORS:
            raise self._strange(node, type(operator).__name__)
        return _OPERATORS[type(operator)]

    def _strange(self, node: ast.AST, name: str = "") -> CodegenError:
        line = getattr(node, "lineno", 0)
        return CodegenError(
            f"{self._module}, line {line}: {name or type(node).__name__} has no counterpart in JavaScript"
        )
