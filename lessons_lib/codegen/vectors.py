"""A loop over lanes, compiled by hand: each of its operations is one vector instruction for all lanes.

Numba would find the type of every name, and LLVM would have to see that eight passes of the loop may go side by side.
Both are known beforehand: every number is a double, and no pass looks at another. So the operations are written as
LLVM's instructions at once, which takes a tenth of the time: a third of what a first solve takes with an empty cache.

That stands on interfaces of Numba and llvmlite that change. So the instructions are written into a module of their
own, and LLVM looks at them there. Whatever fails, a notice says so, and Numba compiles the same operations by itself.
Without the compiler (NUMBA_DISABLE_JIT) a loop stays what it is: plain Python, which can be stepped through.
"""

import math
import sys
import weakref
from collections.abc import Callable
from functools import lru_cache
from types import FunctionType, SimpleNamespace
from typing import Any

import numba
import numpy
from llvmlite import binding, ir
from numba.core import types
from numba.extending import intrinsic

from lessons_lib.codegen import notice
from lessons_lib.codegen.loader import names_of
from lessons_lib.codegen.operations import Loop, plain_text, read
from lessons_lib.codegen.select import IS_PLAIN, select

_DOUBLE, _WHOLE = ir.DoubleType(), ir.IntType(32)
_CONTRACT = ("contract",)  # a product and a sum may be rounded once, as with Numba's fastmath={"contract"}
_LIBRARY = {"abs": "fabs", "numpy.rint": "rint", "power": "pow"} | {
    f"math.{name}": name for name in ("sqrt", "exp", "log", "sin", "cos")
}
_ARITHMETIC = {"+": "fadd", "-": "fsub", "*": "fmul", "/": "fdiv"}
_COMPARISONS = ("<", "<=", ">", ">=", "==")


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
    if IS_PLAIN:
        return FunctionType(function.__code__, function.__globals__ | {"math": _AS_A_MACHINE}, function.__name__)
    name, loop = function.__name__, _kept_by_its_module(function)

    def kernel(typingctx: Any, w: Any) -> Any:
        def written(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            operations = read(loop())
            try:
                array = context.make_array(signature.args[0])(context, builder, arguments[0])
                builder.call(_in_module(builder.module, operations), [array.data])
            except Exception as fault:  # noqa: BLE001 (of whatever kind: another version's interface)
                _say_why(f"{type(fault).__name__}: {fault}")
                return context.compile_internal(builder, _compiled_by_numba(operations), signature, arguments)
            return context.get_dummy_value()

        return types.none(w), written

    kernel.__name__, kernel.__doc__ = name, function.__doc__
    return intrinsic(kernel)


@lru_cache(maxsize=8)
def _say_why(fault: str) -> None:
    notice.warn(f"loops over lanes are left to Numba, which takes longer to compile them: {fault}")


def _kept_by_its_module(function: Callable[[Any], None]) -> Callable[[], Any]:
    """Return what gives the function back, and does not keep it where a module does.

    Numba never forgets an intrinsic, and a function keeps its module.
    """
    home = sys.modules.get(function.__module__)
    if home is None or vars(home) is not function.__globals__:
        return lambda: function
    function.__globals__.setdefault("_loops_over_lanes", []).append(function)
    return weakref.ref(function)


def _in_module(module: Any, loop: Loop) -> Any:
    """Return the function of a loop in LLVM's module, written when it is first asked for."""
    name = f"lanes.{loop.name}"
    if name not in module.globals:
        apart = ir.Module(loop.name)
        _write(apart, name, loop)
        binding.parse_assembly(str(apart)).verify()
        for written in apart.globals.values():
            if written.name not in module.globals:
                module.add_global(written)
    return module.globals[name]


def _write(module: Any, name: str, loop: Loop) -> None:
    found = ir.Function(module, ir.FunctionType(ir.VoidType(), [_DOUBLE.as_pointer()]), name)
    found.linkage = "internal"
    found.attributes.add("noinline")  # registers are given out better to one kernel at a time
    builder = ir.IRBuilder(found.append_basic_block())
    writer = _Writer(builder, found.args[0], loop.width)
    values: list[Any] = []
    for operation in loop.operations:
        values.append(writer.written(operation.kind, operation.operands, values))
    builder.ret_void()


def _compiled_by_numba(loop: Loop) -> Callable[[Any], None]:
    """Return a function that does what the loop does, for Numba to compile without our instructions."""
    space = names_of(plain_text(loop), f"<{loop.name}>", {"math": math, "numpy": numpy, "select": select})
    options: dict[str, Any] = {"error_model": "numpy", "fastmath": set(_CONTRACT), "_nrt": False}
    options |= {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}  # compiled code alone calls it
    plain: Any = numba.njit(**options)(space[loop.name])
    return lambda w: plain(w)


class _Writer:
    """Writes the instruction of an operation, for all lanes at once."""

    def __init__(self, builder: Any, rows: Any, width: int) -> None:
        self.builder, self.rows, self.width = builder, rows, width
        self.doubles, self.wholes = ir.VectorType(_DOUBLE, width), ir.VectorType(_WHOLE, width)

    def written(self, kind: str, operands: tuple[Any, ...], values: list[Any]) -> Any:
        """Return the value of an operation; `values` are those of the operations before it."""
        builder = self.builder
        if kind == "row":
            return builder.load(self.place(operands[0]), align=8, typ=self.doubles)
        if kind == "put":
            return builder.store(values[operands[1]], self.place(operands[0]), align=8)
        if kind == "number":
            return ir.Constant(self.doubles, [operands[0]] * self.width)
        first = values[operands[0]]
        if kind == "whole +":
            return builder.add(first, self.whole(operands[1]))
        if kind == "whole &":
            return builder.and_(first, self.whole(operands[1]))
        if kind == "is not zero":
            return builder.icmp_signed("!=", first, self.whole(0))
        if kind == "numpy.int32":
            return builder.fptosi(first, self.wholes)
        if kind == "negative":
            return builder.fneg(first, flags=_CONTRACT)
        rest = [values[k] for k in operands[1:]]
        if kind in _LIBRARY:
            return builder.call(self.library(_LIBRARY[kind], 1 + len(rest)), [first, *rest])
        if kind in ("and", "or"):
            return {"and": builder.and_, "or": builder.or_}[kind](first, *rest)
        if kind == "select":
            return builder.select(first, *rest)
        if kind in _COMPARISONS:
            return builder.fcmp_ordered(kind, first, *rest)
        return getattr(builder, _ARITHMETIC[kind])(first, *rest, flags=_CONTRACT)

    def place(self, number: int) -> Any:
        """Return the address of w[number + lane] for all lanes."""
        address = self.builder.gep(self.rows, [ir.Constant(_WHOLE, number)], source_etype=_DOUBLE)
        return self.builder.bitcast(address, self.doubles.as_pointer())

    def whole(self, number: int) -> Any:
        """Return a whole number in all lanes."""
        return ir.Constant(self.wholes, [number] * self.width)

    def library(self, name: str, arguments: int) -> Any:
        """Return LLVM's own function of this name, of one argument or two, over lanes."""
        module, full = self.builder.module, f"llvm.{name}.v{self.width}f64"
        if full in module.globals:
            return module.globals[full]
        return ir.Function(module, ir.FunctionType(self.doubles, [self.doubles] * arguments), full)
