"""Decorators `native` and `vectorized`: plain Python functions of generated modules, compiled at their first call."""
# semantics match Python, except that a division by zero returns infinity; without LLVM, functions run as plain Python

from __future__ import annotations

import ctypes
import json
import math
from collections.abc import Callable
from pathlib import Path
from types import FunctionType, SimpleNamespace
from typing import Any

import numpy as np

from lessons_lib.codegen import machine
from lessons_lib.codegen.cache import load_or_build
from lessons_lib.codegen.compile_log import notify_of_compiling
from lessons_lib.codegen.locks import gc_paused, loading
from lessons_lib.codegen.machine import available, disable
from lessons_lib.codegen.separate_compilation import group_by_module, load_libraries, separate

_SCALARS = {"float": "f", "int": "i", "bool": "b"}
_DTYPES = {"f": np.dtype(np.float64), "i": np.dtype(np.int64)}
_logged: set[str] = set()  # each message once, although a module has several functions


class Overload:
    """A function compiled for some argument types: built-in function, address, and indices of written arguments."""

    def __init__(self, native: Native, content: bytes) -> None:
        head, _, code = content.partition(b"\n")
        self.writes: list[int] = json.loads(head)["writes"]
        loaded = machine.LoadedCode(code, ["binding", "known", "entry"], load_libraries(json.loads(head)["externals"]))
        known = (ctypes.c_void_p * 4).from_address(loaded.addresses["known"])
        known[:] = [id(np.ndarray), id(_DTYPES["f"]), id(_DTYPES["i"]), id(None)]
        self.address = loaded.addresses["entry"]
        self._builtin = machine.Builtin(loaded.addresses["binding"], native.__name__, native.fall_back, loaded)
        self.function: Callable[..., Any] = self._builtin.function


class Native:
    """A plain Python function and its compiled forms, by argument types."""

    # With `contract`, a product and a sum may be rounded once. `inline` is whether callers always inline the function,
    # or never; None lets LLVM decide. A separate function is linked to its callers instead (separate_compilation.py).

    def __init__(self, function: Any, contract: bool, keeps_gil: bool, inline: bool | None, is_simd_loop: bool) -> None:
        self.py_func, self.contract, self.keeps_gil, self.inline = function, contract, keeps_gil, inline
        self.is_simd_loop, space = is_simd_loop, function.__globals__
        self.__name__, self.__doc__, self.__module__ = function.__name__, function.__doc__, function.__module__
        self.is_separate = bool(space.get("_SEPARATE", False)) and inline is not True
        if self.is_separate:
            separate[self.__module__, self.__name__] = self
        self.separate_functions: dict[tuple[Any, ...], Any] = {}
        self.overloads: dict[tuple[str, ...], Overload] = {}
        self.description = space.get("_DESCRIPTION") or ".".join(filter(None, (self.__module__, self.__name__)))
        self.folder: Path | None = space.get("_FOLDER")
        self._is_specialized, self._entry = False, self.fall_back
        annotations = function.__annotations__
        names = function.__code__.co_varnames[: function.__code__.co_argcount]
        self._scalars = [_SCALARS.get(str(annotations.get(name))) for name in names]

    def __repr__(self) -> str:
        return f"<native {self.__module__}.{self.__name__}>"

    def __call__(self, *arguments: Any) -> Any:
        return self._entry(*arguments)

    def compile(self, types: tuple[str, ...]) -> Overload | None:
        """Return the compiled form for argument types of translate.py; None if LLVM fails or has failed."""
        if types not in self.overloads:
            with loading:
                if types not in self.overloads and available():
                    try:
                        self.overloads[types] = Overload(self, self._content(types))
                    except (ImportError, AttributeError, OSError, RuntimeError) as fault:
                        disable(f"{type(fault).__name__}: {fault}")
        return self.overloads.get(types)

    def specialize(self, *types: str) -> Callable[..., Any]:
        """Return the compiled function for these types, and refuse others afterwards; without LLVM, return self."""
        overload = self.compile(types)
        if overload is None:
            return self
        self._is_specialized, self._entry = True, overload.function
        return self._entry

    def fall_back(self, *arguments: Any) -> Any:
        """Run the function with arguments of new types or another layout, or raise TypeError or ValueError."""
        if not available():
            return self._in_python(arguments)
        types = self._types(arguments)
        if self._is_specialized and types not in self.overloads:
            kinds = ", ".join(type(one).__name__ for one in arguments)
            raise TypeError(f"{self.__name__} does not accept arguments of types ({kinds})")
        overload = self.compile(types)
        if overload is None:
            return self._in_python(arguments)
        contiguous = [self._to_contiguous(k, one, types[k], overload) for k, one in enumerate(arguments)]
        self._entry = overload.function
        result = overload.function(*contiguous)
        for k in overload.writes:
            if contiguous[k] is not arguments[k]:
                arguments[k][...] = contiguous[k]
        return result

    def _types(self, arguments: tuple[Any, ...]) -> tuple[str, ...]:
        if len(arguments) != len(self._scalars):
            raise TypeError(f"{self.__name__} takes {len(self._scalars)} arguments, got {len(arguments)}")
        return tuple(self._type(k, one) for k, one in enumerate(arguments))

    def _type(self, k: int, one: Any) -> str:
        if type(one) is np.ndarray:  # not a masked array: its mask would be ignored
            if self.is_simd_loop and one.ndim == 2:
                return f"f2x{one.shape[1]}"
            if one.dtype.kind in "fiu" and 1 <= one.ndim <= 4:
                return f"{'f' if one.dtype.kind == 'f' else 'i'}{one.ndim}"
        elif self._scalars[k]:
            return str(self._scalars[k])
        elif isinstance(one, bool | np.bool_):
            return "b"
        elif isinstance(one, int | np.integer):
            return "i"
        elif isinstance(one, float | np.floating):
            return "f"
        raise TypeError(f"argument {k} of {self.__name__} must be a number or an array, got {type(one).__name__}")

    def _to_contiguous(self, k: int, one: Any, type_: str, overload: Overload) -> Any:
        """Convert an array argument to the layout that machine code reads: C-contiguous, float64 or int64."""
        if len(type_) == 1:
            return one
        dtype = _DTYPES[type_[0]]
        if k in overload.writes and not one.flags.writeable:
            raise ValueError(f"argument {k} of {self.__name__} must be writable, got a read-only array")
        if one.dtype is dtype and one.flags.c_contiguous and one.flags.aligned:
            return one
        copy = np.empty(one.shape, dtype)
        copy[...] = one
        return copy

    def _in_python(self, arguments: tuple[Any, ...]) -> Any:
        """Run the Python function, also in later calls; overflow and division by zero raise no error."""
        function = self.py_func
        if self.is_simd_loop:
            function = FunctionType(function.__code__, function.__globals__ | {"math": _AS_A_MACHINE}, self.__name__)
        self._entry = np.errstate(all="ignore")(function)
        return self._entry(*arguments)

    def _content(self, types: tuple[str, ...]) -> bytes:
        """Return the indices of written arguments and the object code, cached or built now."""

        def build() -> bytes:
            self._log()
            return self._build(types)

        return load_or_build(self.folder, f"{self.__module__}.{self.__name__}", "_".join(types), build)

    def _log(self) -> None:
        """Log the compilation, once per module."""
        prospect = ", at every start: no cache folder is writable, see LESSONS_CACHE_DIR"
        if not self.__module__:  # a kernel of `printers.compiled`, which has no file
            prospect = ", for this process only"
        elif self.folder is not None:
            prospect = f", once; the next start finds it in {self.folder}"
        sentence = f"compiling {self.description}{prospect}"
        if sentence not in _logged:
            _logged.add(sentence)
            notify_of_compiling(sentence)

    def _build(self, types: tuple[str, ...]) -> bytes:
        from lessons_lib.codegen.binding import binding
        from lessons_lib.codegen.translate import Unit

        with gc_paused():
            unit = Unit()
            function = unit.function(self, types)
            text = f"{unit.text()}\n{binding(function, self.keeps_gil)}"
            head = {"writes": sorted(function.writes), "externals": group_by_module(unit.externals)}
            return json.dumps(head).encode() + b"\n" + machine.object_code(text)


_AS_A_MACHINE = SimpleNamespace(
    inf=math.inf, **{name: getattr(np, name) for name in ("sqrt", "exp", "log", "sin", "cos")}
)
"""`math` for SIMD loops that run as plain Python: they evaluate both branches of a choice."""


def native(function: Any = None, *, contract: bool = False, keeps_gil: bool = False, inline: bool | None = None) -> Any:
    """Compile a function in the subset of Python of translate.py to machine code; see `Native` for the parameters."""
    if function is None:
        return lambda one: Native(one, contract, keeps_gil, inline, False)
    return Native(function, contract, keeps_gil, inline, False)


def vectorized(function: Any = None, *, contract: bool = True) -> Any:
    """Compile a function of one array that is a single loop over SIMD lanes, in the subset of Python of vectors.py."""
    if function is None:
        return lambda one: Native(one, contract, False, False, True)
    return Native(function, contract, keeps_gil=False, inline=False, is_simd_loop=True)
