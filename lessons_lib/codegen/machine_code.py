"""Numba's machine code on disk, kept from doing harm: a file that cannot be read or written costs a compilation.

Numba by itself lets such faults through to whoever calls the function: a truncated index, a foreign file, a full disk.
"""

import contextlib
import gc
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from io import BytesIO
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from lessons_lib.codegen.notice import notify_of_compiling
from lessons_lib.codegen.trust import is_sealed, seal

_compiling: list[tuple[int, Any]] = []  # outermost first; Numba compiles in one thread at a time
_told: set[str] = set()  # a module holds several functions, each compiled when it is first needed


def guard(module: ModuleType, what: str) -> None:
    """Put a guard before the cache of each compiled function of a generated module.

    With NUMBA_DISABLE_JIT the functions are plain Python, slow and right: they are only made as silent as machine code,
    where an overflow gives inf and no warning.

    Args:
        module: A module that was just loaded; one without Numba in it stays as it is.
        what: What the module holds, for the message that it is being compiled.
    """
    numba: Any = getattr(module, "numba", None)
    for name, function in list(vars(module).items()):
        if getattr(function, "__module__", None) != module.__name__:  # it is another module's
            continue
        if hasattr(function, "py_func") and hasattr(function, "_cache"):
            function._cache = GuardedCache(function._cache, what)
            function.compile = partial(_compile, function.compile)
        elif isinstance(function, FunctionType) and numba is not None and numba.config.DISABLE_JIT:
            setattr(module, name, np.errstate(all="ignore")(function))


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


def _compile(compile_: Callable[[Any], Any], signature: Any) -> Any:
    """Compile for the types of arguments, and not once more for each constant among them; LLVM sees those anyhow."""
    if isinstance(signature, tuple):
        from numba.core.types import unliteral

        signature = tuple(unliteral(argument) for argument in signature)  # type: ignore[no-untyped-call]
    with uncollected():
        return compile_(signature)


@lru_cache(maxsize=1)
def _sealed_files() -> type:
    """Return Numba's index and data files, each written with a seal; one without counts as not there.

    A bit that flipped in machine code would end the process, at every start, or change an answer.
    """
    from numba.core.caching import IndexDataCacheFile

    numba_files: Any = IndexDataCacheFile

    class SealedFiles(numba_files):  # type: ignore[misc]
        @contextlib.contextmanager
        def _open_for_write(self, filepath: str) -> Iterator[BytesIO]:
            content = BytesIO()
            yield content
            with super()._open_for_write(filepath) as file:
                file.write(content.getvalue() + seal(filepath, content.getvalue()))

        def _load_index(self) -> Any:
            return super()._load_index() if is_sealed(self._index_path) else {}

        def _load_data(self, name: str) -> Any:
            path = self._data_path(name)
            if not is_sealed(path):
                raise FileNotFoundError(path)
            return super()._load_data(name)

    return SealedFiles


class GuardedCache:
    """A cache of one compiled function that may forget, but never fails."""

    def __init__(self, cache: Any, what: str) -> None:
        """Stand before Numba's cache of a function, whose files are sealed from here on."""
        self._cache, self._what = cache, what
        if hasattr(cache, "_cache_file"):
            cache._cache_file.__class__ = _sealed_files()

    def __getattr__(self, name: str) -> Any:
        """Return what else Numba's cache has."""
        return getattr(self._cache, name)

    def load_overload(self, signature: Any, target: Any) -> Any:
        """Return the code for a signature, or None where there is none that can be used: then Numba compiles."""
        try:
            found = self._cache.load_overload(signature, target)
        except Exception:  # noqa: BLE001 (unpickling foreign bytes may raise anything at all)
            self._start_anew()
            found = None
        # Two processes that save different signatures at the same time may number both files alike.
        if found is not None and isinstance(signature, tuple) and found.signature.args != signature:
            found = None
        if found is None:
            self._note_start(signature)
        return found

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Save the code, if that is possible."""
        with contextlib.suppress(Exception):  # a full disk; or another's index between our reading and writing
            self._cache.save_overload(signature, compiled)
        if (id(self), signature) in _compiling:
            del _compiling[_compiling.index((id(self), signature)) :]

    def _start_anew(self) -> None:
        """Replace an index that cannot be read by an empty one."""
        with contextlib.suppress(OSError):
            self._cache.flush()

    def _note_start(self, signature: Any) -> None:
        """Tell of a compilation once a module, and not of those that it needs itself."""
        if not _compiling:
            sentence = f"compiling {self._what}{self._prospect()}"
            if sentence not in _told:
                _told.add(sentence)
                notify_of_compiling(sentence)
        _compiling.append((id(self), signature))

    def _prospect(self) -> str:
        if self._cache.cache_path is None:
            return ", at every start: no folder can be written, see LESSONS_CACHE_DIR"
        return f", once; the next start finds it in {self._cache.cache_path}"
