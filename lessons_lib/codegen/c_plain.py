"""Functions of plain Python as C99: those of a generated module, with all that they call, printed from the one text.

What translate.py writes as LLVM's text for a desk, this prints for a controller: the same functions, for arguments of
the same types. An array is a pointer with its rows and columns; whole numbers have 64 bits; a tuple is a struct. There
is no allocation: what makes an array is refused.

By hand: the counterparts.
Held by: tests/codegen/test_c_plain.py.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterable, Sequence
from typing import Any

from lessons_lib.codegen.translate import definition
from lessons_lib.errors import CodegenError

HEAD = """\
#include <math.h>
#include <stdint.h>

typedef struct { double *at; int64_t rows, columns; } array;

/* What a has beyond a multiple of b > 0, zero or more, and how many times b goes into a, as Python has them. */
static inline int64_t rest(int64_t a, int64_t b) { return a % b < 0 ? a % b + b : a % b; }
static inline int64_t times(int64_t a, int64_t b) { return (a - rest(a, b)) / b; }

/* x to a whole power, by squaring. */
static inline double power(double x, int n) {
  double found = 1.0;
  for (int left = n < 0 ? -n : n; left; left >>= 1, x = left ? x * x : x) found = left & 1 ? found * x : found;
  return n < 0 ? 1.0 / found : found;
}
"""

_TYPES = {"f": "double", "i": "int64_t", "b": "int", "v": "void"}
_MATH = {"sqrt": "sqrt", "sin": "sin", "cos": "cos", "exp": "exp", "log": "log", "rint": "rint", "ceil": "ceil"}
_MATH |= {"floor": "floor", "fabs": "fabs", "pow": "pow"}
_SIGNS: dict[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Mod: "", ast.FloorDiv: "", ast.BitAnd: "&",
    ast.BitOr: "|", ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip

Type = Any
"""Of a value: "f", "i", "b", an array "f1" or "f2", a tuple of types, or "v" for none."""


def source(entry: Any, types: Sequence[Type]) -> str:
    """Return the text of a function and of all that it calls, each static, those that are called first.

    Args:
        entry: A function of a generated module; see native.py.
        types: Of its arguments: "f", "i" and "b" for numbers, "f1" and "f2" for arrays of doubles.

    Raises:
        CodegenError: It holds what has no counterpart here.
    """
    unit = Unit()
    unit.function(entry, tuple(types))
    structs = [unit.structs[name] for name in sorted(unit.structs)]
    return "\n".join([HEAD, *structs, *([""] if structs else []), "\n\n".join(unit.texts)]) + "\n"


class Unit:
    """The functions of one text.

    Attributes:
        texts: What was printed, in the order in which C wants it.
        structs: The definitions of the tuples that functions return, by name.
    """

    def __init__(self) -> None:
        """Begin with none."""
        self.texts: list[str] = []
        self.structs: dict[str, str] = {}
        self._known: dict[Any, _Printer] = {}

    def function(self, native: Any, types: tuple[Type, ...]) -> _Printer:
        """Return a function for arguments of these types, printed when it is first asked for."""
        key = native.py_func, types
        if key not in self._known:
            made = _Printer(self, native.py_func, types)
            self._known[key] = made
            self.texts.append(made.text())
        return self._known[key]

    def struct(self, types: tuple[Type, ...]) -> str:
        """Return the name of a tuple's struct."""
        name = f"tuple_{''.join(types)}"
        members = " ".join(f"{_TYPES[one]} _{k};" for k, one in enumerate(types))
        self.structs[name] = f"typedef struct {{ {members} }} {name};"
        return name


class _Printer:
    """Prints one function, for one list of argument types.

    Attributes:
        name: Of the function.
        result: The type of what it returns.
    """

    def __init__(self, unit: Unit, function: Any, types: tuple[Type, ...]) -> None:
        self._unit, self._names, self._node = unit, function.__globals__, definition(function)
        self.name = self._node.name
        arguments = self._node.args.args
        if len(arguments) != len(types):
            raise CodegenError(f"{self.name} takes {len(arguments)} arguments, got {len(types)}")
        self._types: dict[str, Type] = {one.arg: type_ for one, type_ in zip(arguments, types, strict=True)}
        self._arguments = list(self._types)
        self._own: dict[str, Type] = {}
        names = [node for node in ast.walk(self._node) if isinstance(node, ast.Name)]
        self._read = {node.id for node in names if isinstance(node.ctx, ast.Load)}
        self.result: Type = "v"

    def text(self) -> str:
        """Return the text of the function."""
        body = self._block(self._node.body, "  ")
        arguments = ", ".join(f"{self._declared(self._types[name])} {name}" for name in self._arguments) or "void"
        summary = (ast.get_docstring(self._node) or "").split("\n")[0].replace("*/", "* /")
        own = [f"  {self._declared(type_)} {name} = {self._zero(type_)};" for name, type_ in self._own.items()]
        own += [f"  (void){name};" for name in self._arguments if name not in self._read]
        head = f"static {self._declared(self.result)} {self.name}({arguments})"
        return "\n".join([f"/* {summary} */", f"{head} {{", *own, *body, "}"])

    def _declared(self, type_: Type) -> str:
        if isinstance(type_, tuple):
            return self._unit.struct(type_)
        return _TYPES.get(type_, "array")

    @staticmethod
    def _zero(type_: Type) -> str:
        return "{0}" if isinstance(type_, tuple) or type_ not in _TYPES else "0"

    # statements

    def _block(self, statements: Iterable[ast.stmt], space: str) -> list[str]:
        return [f"{space}{line}" for statement in statements for line in self._statement(statement)]

    def _statement(self, node: ast.stmt) -> list[str]:
        match node:
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                return []
            case ast.Expr(value=ast.Call() as call):
                return [f"{self._of(call)[0]};"]
            case ast.Return(value=None):
                return ["return;"]
            case ast.Return(value=ast.expr() as value):
                text, type_ = self._of(value)
                self.result = type_ if self.result == "v" else self.result
                return [f"return {text};"]
            case ast.Assign(targets=[target], value=value):
                return self._assigned(target, value)
            case ast.AugAssign(target=target, op=op, value=value):
                before = ast.parse(ast.unparse(target), mode="eval").body
                return self._assigned(target, ast.copy_location(ast.BinOp(before, op, value), node))
            case ast.If(test=test, body=body, orelse=other):
                rest = ["} else {", *self._block(other, "  ")] if other else []
                return [f"if ({self._of(test)[0]}) {{", *self._block(body, "  "), *rest, "}"]
            case ast.While(test=test, body=body, orelse=[]):
                return [f"while ({self._of(test)[0]}) {{", *self._block(body, "  "), "}"]
            case ast.For(target=ast.Name(id=name), iter=ast.Call(func=ast.Name(id="range"), args=given), body=body):
                first, last = ["0", *(self._of(one)[0] for one in given)][-2:]
                if len(given) > 2:
                    raise self._strange(node)
                self._types[name] = "i"
                return [f"for (int64_t {name} = {first}; {name} < {last}; {name}++) {{", *self._block(body, "  "), "}"]
            case ast.Break():
                return ["break;"]
            case ast.Continue():
                return ["continue;"]
        raise self._strange(node)

    def _assigned(self, target: ast.expr, value: ast.expr) -> list[str]:
        calls = any(isinstance(part, ast.Call) for part in ast.walk(value))
        if isinstance(target, ast.Name) and target.id not in self._read and not calls:
            return []  # C's compilers warn of what nobody reads
        if not isinstance(target, ast.Tuple):
            text, type_ = self._of(value)
            return [f"{self._place(target, type_)} = {text};"]
        if isinstance(value, ast.Tuple):
            parts = [self._of(one) for one in value.elts]
        else:
            text, types = self._of(value)
            parts = [(f"found._{k}", type_) for k, type_ in enumerate(types)]
        if len(parts) != len(target.elts):
            raise self._strange(target, "as many values as names are wanted")
        places = [self._place(one, type_) for one, (_, type_) in zip(target.elts, parts, strict=True)]
        if isinstance(value, ast.Tuple):  # all are worked out before the first is written
            kept = [f"  {self._declared(type_)} now{k} = {part};" for k, (part, type_) in enumerate(parts)]
            return ["{", *kept, *(f"  {place} = now{k};" for k, place in enumerate(places)), "}"]
        kept = [f"  {self._declared(types)} found = {text};"]
        return ["{", *kept, *(f"  {place} = {part};" for place, (part, _) in zip(places, parts, strict=True)), "}"]

    def _place(self, target: ast.expr, type_: Type) -> str:
        if isinstance(target, ast.Name):
            if target.id not in self._types:
                self._types[target.id] = self._own[target.id] = type_
            return target.id
        if isinstance(target, ast.Subscript):
            return self._entry(target)
        raise self._strange(target)

    # expressions

    def _of(self, node: ast.expr) -> tuple[str, Type]:
        """Return the text of an expression, in brackets where it has parts, and its type."""
        match node:
            case ast.Constant(value=bool() | int() | float() as number):
                return self._number(number)
            case ast.Name(id=name) if name in self._types:
                return name, self._types[name]
            case ast.Name() | ast.Attribute(value=ast.Name(id="math" | "np")) if (
                found := self._outside(node)
            ) is not None:
                return self._number(found)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                text, type_ = self._of(operand)
                return f"(-{text})", type_
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return f"(!{self._of(operand)[0]})", "b"
            case ast.BinOp(left=left, op=ast.Pow(), right=right):
                (text, _), (exponent, type_) = self._of(left), self._of(right)
                return f"{'power' if type_ == 'i' else 'pow'}({text}, {exponent})", "f"
            case ast.BinOp(left=left, op=op, right=right):
                return self._binary(op, self._of(left), self._of(right), node)
            case ast.BoolOp(op=op, values=values):
                word = " && " if isinstance(op, ast.And) else " || "
                return f"({word.join(self._of(one)[0] for one in values)})", "b"
            case ast.Compare(left=left, ops=ops, comparators=others):
                return self._compared([left, *others], ops, node), "b"
            case ast.IfExp(test=test, body=yes, orelse=no):
                (first, type_), (second, other) = self._of(yes), self._of(no)
                return f"({self._of(test)[0]} ? {first} : {second})", self._joint(type_, other)
            case ast.Tuple(elts=parts):
                found = [self._of(one) for one in parts]
                types = tuple(type_ for _, type_ in found)
                return f"(({self._unit.struct(types)}){{{', '.join(text for text, _ in found)}}})", types
            case ast.Subscript(value=ast.Attribute(value=array, attr="shape"), slice=ast.Constant(value=int(axis))):
                return f"{self._of(array)[0]}.{('rows', 'columns')[axis]}", "i"
            case ast.Subscript():
                return self._entry(node), "f"
            case ast.Call():
                return self._call(node)
        raise self._strange(node)

    def _outside(self, node: ast.expr) -> Any:
        """Return the number that a name of the module, or math.pi and the like, stands for; None for all else."""
        if isinstance(node, ast.Name):
            found = self._names.get(node.id)
        else:
            assert isinstance(node, ast.Attribute)
            found = getattr(math, node.attr, None) if ast.unparse(node.value) in ("math", "np", "numpy") else None
        return found if isinstance(found, bool | int | float) else None

    @staticmethod
    def _number(number: float) -> tuple[str, Type]:
        if isinstance(number, bool):
            return str(int(number)), "b"
        if isinstance(number, int):
            return (f"{number}" if abs(number) < 2**31 else f"INT64_C({number})"), "i"
        if math.isinf(number):
            return ("INFINITY" if number > 0 else "(-INFINITY)"), "f"
        return (repr(number) if number >= 0 else f"({number!r})"), "f"

    @staticmethod
    def _joint(one: Type, other: Type) -> Type:
        return one if one == other else "f" if "f" in (one, other) else "i"

    def _binary(self, op: ast.operator, left: Any, right: Any, node: ast.AST) -> tuple[str, Type]:
        if type(op) not in _SIGNS:
            raise self._strange(node, type(op).__name__)
        type_ = self._joint(left[1], right[1])
        if isinstance(op, ast.Div):
            number = "" if "f" in (left[1], right[1]) else "(double)"
            return f"({number}{left[0]} / {right[0]})", "f"
        if isinstance(op, ast.Mod | ast.FloorDiv):
            if type_ != "i":
                raise self._strange(node, "a remainder of what is no whole number")
            return f"{'rest' if isinstance(op, ast.Mod) else 'times'}({left[0]}, {right[0]})", "i"
        return f"({left[0]} {_SIGNS[type(op)]} {right[0]})", "i" if type_ == "b" and isinstance(op, ast.Add) else type_

    def _compared(self, parts: list[ast.expr], ops: list[ast.cmpop], node: ast.AST) -> str:
        if isinstance(parts[0], ast.Attribute) and parts[0].attr == "shape" and isinstance(parts[1], ast.Tuple):
            array, sizes = self._of(parts[0].value)[0], [self._of(one)[0] for one in parts[1].elts]
            same = " && ".join(
                f"{array}.{name} == {size}" for name, size in zip(("rows", "columns"), sizes, strict=True)
            )
            return f"(!({same}))" if isinstance(ops[0], ast.NotEq) else f"({same})"
        if any(type(op) not in _SIGNS for op in ops):
            raise self._strange(node)
        texts = [self._of(one)[0] for one in parts]
        pairs = [f"{a} {_SIGNS[type(op)]} {b}" for a, op, b in zip(texts, ops, texts[1:], strict=False)]
        return f"({' && '.join(pairs)})"

    def _entry(self, node: ast.Subscript) -> str:
        text, type_ = self._of(node.value)
        places = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if type_ not in ("f1", "f2") or len(places) != int(type_[1]):
            raise self._strange(node)
        row, *columns = (self._of(one)[0] for one in places)
        return f"{text}.at[{row}]" if not columns else f"{text}.at[{row} * {text}.columns + {columns[0]}]"

    def _call(self, node: ast.Call) -> tuple[str, Type]:
        given = [self._of(one) for one in node.args]
        function = node.func
        name = function.attr if isinstance(function, ast.Attribute) else ast.unparse(function)
        ours = self._names.get(name) if isinstance(function, ast.Name) else None
        if ours is not None and hasattr(ours, "py_func"):
            return self._call_of(ours, given)
        texts = [text for text, _ in given]
        match name:
            case "float":
                return f"((double){texts[0]})", "f"
            case "int" | "int32":
                return f"((int64_t){texts[0]})", "i"
            case "bool":
                return f"({texts[0]} != 0)", "b"
            case "abs":
                return (f"fabs({texts[0]})", "f") if given[0][1] == "f" else (f"llabs({texts[0]})", "i")
            case "min" | "max":
                found, type_ = given[0]
                for text, other in given[1:]:
                    sign = "<" if name == "min" else ">"
                    found, type_ = f"({text} {sign} {found} ? {text} : {found})", self._joint(type_, other)
                return found, type_
        if name in _MATH:
            return f"{_MATH[name]}({', '.join(texts)})", "f"
        raise self._strange(node, name)

    def _call_of(self, ours: Any, given: list[tuple[str, Type]]) -> tuple[str, Type]:
        hints = ours.py_func.__annotations__
        names = ours.py_func.__code__.co_varnames[: ours.py_func.__code__.co_argcount]
        wanted = {"float": "f", "int": "i", "bool": "b"}
        types = tuple(wanted.get(str(hints.get(n)), type_) for n, (_, type_) in zip(names, given, strict=True))
        called = self._unit.function(ours, types)
        return f"{called.name}({', '.join(text for text, _ in given)})", called.result

    def _strange(self, node: ast.AST, name: str = "") -> CodegenError:
        line = getattr(node, "lineno", 0)
        return CodegenError(f"{self.name}, line {line}: {name or type(node).__name__} has no counterpart in C")
