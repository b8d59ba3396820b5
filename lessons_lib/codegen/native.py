"""Plain Python that runs as machine code: what a generated module's functions are marked with.

    @native
    def half_square(e: Array) -> float: …

A function is compiled when it is first called with arguments of some types, with all that it calls, into an object file
beside its module's; the next start finds it there. It is what it is in Python, but that a division by zero gives an
infinity, as NumPy's does. Where LLVM is missing or does not do what it should, the functions run as plain Python: slow,
and right.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import json
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any

import numpy as np

from lessons_lib.codegen.apart import by_module, libraries, named
from lessons_lib.codegen.availability import available, give_up
from lessons_lib.codegen.forks import loading
from lessons_lib.codegen.notice import notify_of_compiling
from lessons_lib.codegen.trust import kept

_SCALARS = {"float": "f", "int": "i", "bool": "b"}
_DTYPES = {"f": np.dtype(np.float64), "i": np.dtype(np.int64)}
_told: set[str] = set()  # a module holds several functions, each compiled when it is first needed


class Overload:
    """What a function was compiled to for some types of arguments.

    Attributes:
        function: For Python, which goes back to the `Native` where the arguments are of other types.
        address: Where the machine code begins, for other machine code.
        writes: Which arguments are arrays that are written.
    """

    def __init__(self, native: Native, content: bytes) -> None:
        """Load what `_made` returned."""
        from lessons_lib.codegen.machine import Builtin, Loaded

        head, _, code = content.partition(b"\n")
        self.writes: list[int] = json.loads(head)["writes"]
        loaded = Loaded(code, ["door", "known", "entry"], libraries(json.loads(head)["wanted"]))
        known = (ctypes.c_void_p * 4).from_address(loaded.addresses["known"])
        known[:] = [id(np.ndarray), id(_DTYPES["f"]), id(_DTYPES["i"]), id(None)]
        self.address = loaded.addresses["entry"]
        self._builtin = Builtin(loaded.addresses["door"], native.__name__, native.otherwise, loaded)
        self.function: Callable[..., Any] = self._builtin.function


class Native:
    """A function of plain Python, and what it was compiled to.

    Attributes:
        py_func: The function.
        contract: Whether a product and a sum may be rounded once.
        keeps_gil: Whether no other thread of Python runs meanwhile.
        inline: Whether it is always written into whatever calls it, or never; None where only a short one is.
        over_lanes: Whether it is a single loop over lanes, see vectors.py.
        is_apart: Whether machine code that calls it holds no copy of it; see apart.py.
        apart: Its text for such callers, by the types of the arguments.
        overloads: What it was compiled to for Python, by the types of the arguments.
        what: What its module holds, for the message that it is being compiled.
        folder: Where its object files lie; None where no folder can be written.
    """

    def __init__(self, function: Any, contract: bool, keeps_gil: bool, inline: bool | None, over_lanes: bool) -> None:
        """Take the function, which is compiled when it is first called."""
        self.py_func, self.contract, self.keeps_gil, self.inline = function, contract, keeps_gil, inline
        self.over_lanes = over_lanes
        self.__name__, self.__doc__, self.__module__ = function.__name__, function.__doc__, function.__module__
        self.is_apart = bool(function.__globals__.get("_APART", False)) and inline is not True
        self.apart: dict[tuple[Any, ...], Any] = {}
        self.overloads: dict[tuple[str, ...], Overload] = {}
        self.what = f"{function.__module__}.{function.__name__}" if function.__module__ else str(function.__name__)
        self.folder: Path | None = None
        self._is_closed, self._entry = False, self.otherwise
        annotations = function.__annotations__
        names = function.__code__.co_varnames[: function.__code__.co_argcount]
        self._scalars = [_SCALARS.get(str(annotations.get(name))) for name in names]

    def __repr__(self) -> str:
        """Return the name."""
        return f"<native {self.__module__}.{self.__name__}>"

    def __call__(self, *arguments: Any) -> Any:
        """Run it."""
        return self._entry(*arguments)

    def compile(self, types: tuple[str, ...]) -> Overload | None:
        """Return what it is compiled to for arguments of these types; see translate.py for their names.

        None where LLVM fails, as one of another version may, or of another system: from then on there is no machine
        code.
        """
        if types not in self.overloads:
            with loading:
                if types not in self.overloads and available():
                    try:
                        self.overloads[types] = Overload(self, self._content(types))
                    except (ImportError, AttributeError, OSError, RuntimeError) as fault:
                        give_up(f"{type(fault).__name__}: {fault}")
        return self.overloads.get(types)

    def only_for(self, *types: str) -> Callable[..., Any]:
        """Return what it is compiled to for these types, for Python; all other arguments are refused from here on.

        Where there is no machine code, that is the function itself.
        """
        overload = self.compile(types)
        if overload is None:
            return self
        self._is_closed, self._entry = True, overload.function
        return self._entry

    def otherwise(self, *arguments: Any) -> Any:
        """Run it with arguments for which it is not compiled, or that are not laid out as machine code needs them.

        Raises:
            TypeError: There is no machine code for such arguments.
            ValueError: An array that it writes is read-only.
        """
        if not available():
            return self._in_python(arguments)
        types = self._types(arguments)
        if self._is_closed and types not in self.overloads:
            kinds = ", ".join(type(one).__name__ for one in arguments)
            raise TypeError(f"{self.__name__} is not made for ({kinds})")
        overload = self.compile(types)
        if overload is None:
            return self._in_python(arguments)
        given = [self._laid_out(k, one, types[k], overload) for k, one in enumerate(arguments)]
        self._entry = overload.function
        found = overload.function(*given)
        for k in overload.writes:
            if given[k] is not arguments[k]:
                arguments[k][...] = given[k]
        return found

    def _types(self, arguments: tuple[Any, ...]) -> tuple[str, ...]:
        if len(arguments) != len(self._scalars):
            raise TypeError(f"{self.__name__} takes {len(self._scalars)} arguments, got {len(arguments)}")
        return tuple(self._type(k, one) for k, one in enumerate(arguments))

    def _type(self, k: int, one: Any) -> str:
        if type(one) is np.ndarray:  # no masked array, which would be read without its mask
            if self.over_lanes and one.ndim == 2:
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
        raise TypeError(f"argument {k} of {self.__name__} is {type(one).__name__}; give it a number or an array")

    def _laid_out(self, k: int, one: Any, type_: str, overload: Overload) -> Any:
        """Return an argument as machine code takes it: an array in rows, of doubles or whole numbers."""
        if len(type_) == 1:
            return one
        dtype = _DTYPES[type_[0]]
        if k in overload.writes and not one.flags.writeable:
            raise ValueError(f"argument {k} of {self.__name__} is read-only, and is written")
        if one.dtype is dtype and one.flags.c_contiguous and one.flags.aligned:
            return one
        copy = np.empty(one.shape, dtype)
        copy[...] = one
        return copy

    def _in_python(self, arguments: tuple[Any, ...]) -> Any:
        """Run it as plain Python, now and from here on, with the numbers of a machine: no overflow is an error."""
        function = self.py_func
        if self.over_lanes:
            function = FunctionType(function.__code__, function.__globals__ | {"math": _AS_A_MACHINE}, self.__name__)
        self._entry = np.errstate(all="ignore")(function)
        return self._entry(*arguments)

    def _content(self, types: tuple[str, ...]) -> bytes:
        """Return which arguments are written, and the object file: from its file if that is there, else made now."""

        def made() -> bytes:
            self._tell()
            return self._made(types)

        return kept(self.folder, f"{self.__module__}.{self.__name__}", "_".join(types), made)

    def _tell(self) -> None:
        """Tell of a compilation once a module."""
        prospect = ", at every start: no folder can be written, see LESSONS_CACHE_DIR"
        if not self.__module__:  # a kernel of `printers.compiled`, which is in no file
            prospect = ", for this process only"
        elif self.folder is not None:
            prospect = f", once; the next start finds it in {self.folder}"
        sentence = f"compiling {self.what}{prospect}"
        if sentence not in _told:
            _told.add(sentence)
            notify_of_compiling(sentence)

    def _made(self, types: tuple[str, ...]) -> bytes:
        from lessons_lib.codegen.door import door
        from lessons_lib.codegen.machine import object_code
        from lessons_lib.codegen.translate import Unit

        with uncollected():
            unit = Unit()
            function = unit.function(self, types)
            text = f"{unit.text()}\n{door(function, self.keeps_gil)}"
            head = {"writes": sorted(function.writes), "wanted": by_module(unit.wanted)}
            return json.dumps(head).encode() + b"\n" + object_code(text)


_AS_A_MACHINE = SimpleNamespace(
    inf=math.inf, **{name: getattr(np, name) for name in ("sqrt", "exp", "log", "sin", "cos")}
)
"""`math` for plain Python: numbers whose division by zero is no error, because of two choices both are worked out."""


def native(function: Any = None, *, contract: bool = False, keeps_gil: bool = False, inline: bool | None = None) -> Any:
    """Mark a function, which then runs as machine code.

    Args:
        function: Plain Python, of the subset that translate.py names.
        contract: Whether a product and a sum may be rounded once.
        keeps_gil: Whether no other thread of Python may run meanwhile.
        inline: Whether it is always written into whatever calls it; never with False, so that it rounds alike for all
            callers.
    """
    if function is None:
        return lambda one: Native(one, contract, keeps_gil, inline, False)
    return Native(function, contract, keeps_gil, inline, False)


def vectorized(function: Any = None, *, contract: bool = True) -> Any:
    """Mark a function of one array that is a single loop over lanes: each operation becomes one for all lanes.

    The loop may hold assignments of names and of w[number, lane]; + − * / and powers; comparisons, joined by `and` and
    `or`, choices between numbers or tuples of them; abs, numpy.rint, the functions of `math` that stand in vectors.py,
    numpy.int32 with + and &; and calls of functions made of such assignments and a return.

    Args:
        function: Plain Python.
        contract: Whether a product and a sum may be rounded once; if not, each lane is what `native` makes of the text.
    """
    if function is None:
        return lambda one: Native(one, contract, False, False, True)
    return Native(function, contract, keeps_gil=False, inline=False, over_lanes=True)


def natives(module: ModuleType) -> Iterator[Native]:
    """Yield the functions of a module that are its own."""
    for function in list(vars(module).values()):
        if isinstance(function, Native) and function.__module__ == module.__name__:
            yield function


def settle(module: ModuleType, what: str, folder: Path | None) -> None:
    """Tell the functions of a generated module what they are part of, and where their object files lie."""
    for function in natives(module):
        function.what, function.folder = what, folder
        if function.is_apart:
            named[module.__name__, function.__name__] = function


@contextlib.contextmanager
def uncollected() -> Iterator[None]:
    """Let Python's collector rest meanwhile: whoever derives or compiles makes millions of objects that live on."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()
