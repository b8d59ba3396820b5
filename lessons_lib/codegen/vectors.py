"""A loop over lanes, compiled by hand: its text is vector instructions already, one for each operation.

Numba would find the type of every name, and LLVM would have to see that eight passes of the loop may go side by side.
Both are known beforehand: every number is a double, and no pass looks at another. So the text is read here, and each of
its operations becomes the one of all lanes at once. That takes a tenth of the time.
"""

import ast
import inspect
import math
import sys
import textwrap
import weakref
from collections.abc import Callable, Mapping
from functools import reduce
from types import FunctionType, SimpleNamespace
from typing import Any

import numpy
from llvmlite import ir
from numba import config as numba_config
from numba.core import types
from numba.extending import intrinsic

config: Any = numba_config

_DOUBLE, _WHOLE = ir.DoubleType(), ir.IntType(32)
_CONTRACT = ("contract",)  # a product and a sum may be rounded once, as with Numba's fastmath={"contract"}
_LIBRARY = {"abs": "fabs", "numpy.rint": "rint"} | {
    f"math.{name}": name for name in ("sqrt", "exp", "log", "sin", "cos")
}


_AS_A_MACHINE = SimpleNamespace(
    inf=math.inf, **{name: getattr(numpy, name) for name in ("sqrt", "exp", "log", "sin", "cos")}
)
"""`math` for plain Python: numbers whose division by zero is no error, because of two choices both are worked out."""


def vectorized(function: Callable[[Any], None]) -> Any:
    """Return what Numba's functions call in place of `function`, which fills w in a single loop over lanes.

    The loop may hold assignments of names and of w[number + lane]; + − * / and powers; one comparison at a time, joined
    by `and` and `or`, choices between numbers or pairs of them; abs, numpy.rint, the functions of `math` that stand in
    _LIBRARY, numpy.int32 with + and &; and calls of functions made of such assignments and a return.
    """
    if config.DISABLE_JIT:
        return FunctionType(function.__code__, function.__globals__ | {"math": _AS_A_MACHINE}, function.__name__)
    name, loop = function.__name__, _kept_by_its_module(function)

    def kernel(typingctx: Any, w: Any) -> Any:
        def written(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            array = context.make_array(signature.args[0])(context, builder, arguments[0])
            text: Any = loop()
            builder.call(_in_module(builder.module, text), [array.data])
            return context.get_dummy_value()

        return types.none(w), written

    kernel.__name__ = name
    return intrinsic(kernel)


def _kept_by_its_module(function: Callable[[Any], None]) -> Callable[[], Any]:
    """Return what gives the function back, and does not keep it where a module does.

    Numba never forgets an intrinsic, and a function keeps its module.
    """
    home = sys.modules.get(function.__module__)
    if home is None or vars(home) is not function.__globals__:
        return lambda: function
    function.__globals__.setdefault("_loops_over_lanes", []).append(function)
    return weakref.ref(function)


def _in_module(module: Any, function: Callable[[Any], None]) -> Any:
    """Return the function in LLVM's module, written when it is first asked for."""
    name = f"lanes.{function.__name__}"
    if name in module.globals:
        return module.globals[name]
    loop = _definition(function).body[-1]
    assert isinstance(loop, ast.For)
    width = ast.literal_eval(loop.iter.args[0])  # type: ignore[attr-defined]
    found = ir.Function(module, ir.FunctionType(ir.VoidType(), [_DOUBLE.as_pointer()]), name)
    found.linkage = "internal"
    found.attributes.add("noinline")  # registers are given out better to one kernel at a time
    builder = ir.IRBuilder(found.append_basic_block())
    _Lanes(builder, found.args[0], width, function.__globals__).run(loop.body, {})
    builder.ret_void()
    return found


def _definition(function: Any) -> ast.FunctionDef:
    text = textwrap.dedent(inspect.getsource(getattr(function, "py_func", function)))
    return next(node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef))


class _Lanes:
    """Writes the instructions of a loop's body, for all lanes at once."""

    def __init__(self, builder: Any, rows: Any, width: int, names: Mapping[str, Any]) -> None:
        self.builder, self.rows, self.width, self.names = builder, rows, width, names
        self.doubles = ir.VectorType(_DOUBLE, width)

    def run(self, body: list[ast.stmt], known: dict[str, Any]) -> Any:
        """Write some statements, whose names go into `known`; return what a return returns."""
        for statement in body:
            if isinstance(statement, ast.Return):
                return self.value(statement.value, known)
            if isinstance(statement, ast.AugAssign):
                changed = ast.BinOp(_as_read(statement.target), statement.op, statement.value)
                self.put(statement.target, self.value(changed, known), known)
            elif isinstance(statement, ast.Assign):
                self.put(statement.targets[0], self.value(statement.value, known), known)
            elif not isinstance(statement, ast.Pass) and not _is_docstring(statement):
                raise NotImplementedError(f"in a loop over lanes: {ast.unparse(statement)}")
        return None

    def put(self, target: ast.expr, value: Any, known: dict[str, Any]) -> None:
        """Write the assignment of a value, or of a tuple of them."""
        if isinstance(target, ast.Tuple):
            for one, part in zip(target.elts, value, strict=True):
                self.put(one, part, known)
        elif isinstance(target, ast.Name):
            known[target.id] = value
        else:
            self.builder.store(value, self.place(target), align=8)

    def place(self, node: ast.expr) -> Any:
        """Return the address of w[number + lane] for all lanes."""
        number = ast.literal_eval(node.slice.left)  # type: ignore[attr-defined]
        address = self.builder.gep(self.rows, [ir.Constant(_WHOLE, number)])
        return self.builder.bitcast(address, self.doubles.as_pointer())

    def value(self, node: Any, known: dict[str, Any]) -> Any:
        """Write an expression, and return its value: numbers in all lanes, or a tuple of such."""
        builder = self.builder
        if isinstance(node, ast.Name) and node.id in known:
            return known[node.id]
        if isinstance(node, ast.Tuple):
            return tuple(self.value(part, known) for part in node.elts)
        if isinstance(node, ast.Subscript):
            return builder.load(self.place(node), align=8)
        if isinstance(node, ast.UnaryOp) and not isinstance(node.operand, ast.Constant):
            return builder.fneg(self.value(node.operand, known), flags=_CONTRACT)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow) and not _is_constant(node):
            if _is_whole(node.right):
                return self.power(self.value(node.left, known), ast.literal_eval(node.right))
            return self.library("pow", [self.value(part, known) for part in (node.left, node.right)])
        if isinstance(node, ast.BoolOp):
            join = builder.and_ if isinstance(node.op, ast.And) else builder.or_
            return reduce(join, [self.value(part, known) for part in node.values])
        if isinstance(node, ast.BinOp) and not _is_constant(node):
            return self.operation(node.op, self.value(node.left, known), node.right, known)
        if isinstance(node, ast.Compare):
            first, second = self.value(node.left, known), self.value(node.comparators[0], known)
            sign = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "=="}[type(node.ops[0])]
            return builder.fcmp_ordered(sign, first, second)
        if isinstance(node, ast.IfExp):
            return self.choice(
                self.value(node.test, known), self.value(node.body, known), self.value(node.orelse, known)
            )
        if isinstance(node, ast.Call):
            return self.call(ast.unparse(node.func), [self.value(part, known) for part in node.args])
        number = float(eval(compile(ast.Expression(node), "<lanes>", "eval"), dict(self.names)))
        return ir.Constant(self.doubles, [number] * self.width)

    def operation(self, op: ast.operator, first: Any, right: ast.expr, known: dict[str, Any]) -> Any:
        """Write + − * / of numbers, or + and & of whole numbers with a constant."""
        builder = self.builder
        if first.type.element == _WHOLE:
            second = ir.Constant(first.type, [ast.literal_eval(right)] * self.width)
            return {ast.Add: builder.add, ast.BitAnd: builder.and_}[type(op)](first, second)
        write = {ast.Add: builder.fadd, ast.Sub: builder.fsub, ast.Mult: builder.fmul, ast.Div: builder.fdiv}[type(op)]
        return write(first, self.value(right, known), flags=_CONTRACT)

    def power(self, base: Any, exponent: int) -> Any:
        """Write a power by squaring."""
        result = None
        while exponent:
            if exponent & 1:
                result = base if result is None else self.builder.fmul(result, base, flags=_CONTRACT)
            exponent >>= 1
            base = self.builder.fmul(base, base, flags=_CONTRACT) if exponent else base
        return result

    def choice(self, condition: Any, first: Any, second: Any) -> Any:
        """Write the choice between two numbers, or two tuples of them; a whole number is true unless it is 0."""
        if condition.type.element == _WHOLE:
            condition = self.builder.icmp_signed("!=", condition, ir.Constant(condition.type, [0] * self.width))
        if isinstance(first, tuple):
            return tuple(self.builder.select(condition, a, b) for a, b in zip(first, second, strict=True))
        return self.builder.select(condition, first, second)

    def call(self, name: str, arguments: list[Any]) -> Any:
        """Write the call of a library's function, or in place of the call what another function does."""
        if name == "numpy.int32":
            return self.builder.fptosi(arguments[0], ir.VectorType(_WHOLE, self.width))
        if name in _LIBRARY:
            return self.library(_LIBRARY[name], arguments)
        called = _definition(self.names[name])
        return self.run(called.body, {a.arg: value for a, value in zip(called.args.args, arguments, strict=True)})

    def library(self, name: str, arguments: list[Any]) -> Any:
        """Write the call of one of LLVM's own functions."""
        full, kind = f"llvm.{name}.v{self.width}f64", ir.FunctionType(self.doubles, [self.doubles] * len(arguments))
        module = self.builder.module
        known = module.globals[full] if full in module.globals else ir.Function(module, kind, full)
        return self.builder.call(known, arguments)


def _as_read(target: ast.expr) -> ast.expr:
    return ast.parse(ast.unparse(target), mode="eval").body


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _is_whole(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int) and node.value > 0


def _is_constant(node: ast.AST) -> bool:
    return not any(isinstance(part, ast.Name | ast.Subscript | ast.Call) for part in ast.walk(node))
