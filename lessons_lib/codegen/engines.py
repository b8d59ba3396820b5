"""Machine code that goes when its chain does.

Numba puts all that it compiles into one engine of LLVM's, and takes nothing out of it again; its tables hold on to each
compiled function, and the function to its module. Some modules are made anew for each chain. Theirs is compiled into an
engine of the module's own, and once the last chain is gone they are taken out of the tables: then Python's collector
finds them, and the engine goes with the last function that lies in it.

All this stands on Numba's inner names. Where a version of Numba has others, nothing breaks and nothing is freed.
"""

import contextlib
from collections.abc import Callable, Iterator
from functools import partial
from types import ModuleType
from typing import Any


def give_engine(module: ModuleType) -> None:
    """Let what a module's functions are compiled to lie in an engine of the module's own."""
    engine = _Engine()
    for function in compiled_functions(module):
        function.compile = partial(engine.compile, function.compile)


def forget(module: ModuleType) -> None:
    """Take a module's functions out of Numba's tables; whoever holds one may go on to call it."""
    for function in compiled_functions(module):
        with contextlib.suppress(AttributeError):
            function._make_finalizer()()  # Numba would wait for the function to go, which the table itself holds
        function.overloads.clear()


def compiled_functions(module: ModuleType) -> Iterator[Any]:
    """Yield the compiled functions that are a module's own."""
    for function in list(vars(module).values()):
        if hasattr(function, "py_func") and getattr(function, "__module__", None) == module.__name__:
            yield function


class _Engine:
    """An engine of LLVM's, made when something is first compiled or loaded into it."""

    def __init__(self) -> None:
        self._codegen: Any = None

    def compile(self, compile_: Callable[[Any], Any], signature: Any) -> Any:
        """Compile a function, or load it from the cache, into this engine."""
        from numba.core.compiler_lock import global_compiler_lock
        from numba.core.registry import cpu_target

        with global_compiler_lock:  # held while the engine is another one: nobody else compiles
            context: Any = cpu_target.target_context
            if not hasattr(context, "_internal_codegen"):
                return compile_(signature)
            others = context._internal_codegen
            self._codegen = self._codegen or _code_generator()
            context._internal_codegen = self._codegen
            try:
                return compile_(signature)
            finally:
                context._internal_codegen = others


def _code_generator() -> Any:
    """Return a code generator of Numba's with an engine of its own, whose pass managers are freed after use."""
    from numba.core.codegen import JITCPUCodegen

    class CodeGenerator(JITCPUCodegen):
        def _module_pass_manager(self, **options: Any) -> Any:
            return _freed(super()._module_pass_manager(**options))  # type: ignore[no-untyped-call]

        def _function_pass_manager(self, **options: Any) -> Any:
            return _freed(super()._function_pass_manager(**options))  # type: ignore[no-untyped-call]

    return CodeGenerator("lessons_lib")  # type: ignore[no-untyped-call]


def _freed(managers: Any) -> Any:
    """Return a pass manager, and what made it, so that the manager is disposed of when it goes.

    In llvmlite 0.50 ObjectRef._dispose, which does nothing, comes before the one that is meant, and a chain leaves
    8 MB behind.
    """
    with contextlib.suppress(ImportError, AttributeError, TypeError, ValueError):
        from llvmlite.binding.ffi import ObjectRef
        from llvmlite.binding.newpassmanagers import NewPassManager

        manager, _ = managers
        if type(manager)._dispose is ObjectRef._dispose:
            manager.__class__ = _disposing(type(manager), NewPassManager._dispose)
    return managers


_disposing_classes: dict[type, type] = {}


def _disposing(kind: type, dispose: Any) -> type:
    return _disposing_classes.setdefault(kind, type(kind.__name__, (kind,), {"_dispose": dispose}))
