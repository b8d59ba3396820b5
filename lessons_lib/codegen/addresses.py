"""Kernels called by their address: a loop that is compiled once runs the kernels of every arm.

A kernel is a function (w, which) of an array and of a number that says what to do. Numba compiles a function once more
into everything that calls it; what is called by its address it leaves alone.

By hand: a jump to an address, for which Numba has no name.
Held by: tests/pose_ik/test_two_loops.py.
"""

from typing import Any

from llvmlite import ir
from numba import config as numba_config
from numba.core import types
from numba.extending import intrinsic

config: Any = numba_config

KERNEL = types.void(types.Array(types.float64, 1, "C"), types.int64)
"""What a kernel is given, and that it gives nothing back."""


def address_of(kernel: Any) -> Any:
    """Return where the machine code of a compiled kernel begins; with NUMBA_DISABLE_JIT the function itself.

    It holds for as long as the kernel's module does.
    """
    if config.DISABLE_JIT:
        return kernel
    if not kernel.overloads:
        kernel.compile(KERNEL.args)
        kernel.disable_compile()
    compiled = next(iter(kernel.overloads.values()))
    return int(compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name))


@intrinsic
def _call_at(typingctx: Any, address: Any, w: Any, which: Any) -> Any:
    def written(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        given = list(KERNEL.args)
        kind = context.call_conv.get_function_type(types.void, given)
        function = builder.inttoptr(arguments[0], ir.PointerType(kind))
        values = [
            context.cast(builder, value, old, new)
            for value, old, new in zip(arguments[1:], signature.args[1:], given, strict=True)
        ]
        context.call_conv.call_function(builder, function, types.void, given, values)
        return context.get_dummy_value()

    return types.void(types.int64, KERNEL.args[0], types.int64), written


def _call(kernel: Any, w: Any, which: int) -> None:
    kernel(w, which)


call_at: Any = _call if config.DISABLE_JIT else _call_at
"""call_at(address, w, which): run a kernel, from compiled code."""
