"""Log of derivations and compilations: on stderr if a person reads it, otherwise in the logger "lessons_lib"."""
# tools that execute notebooks (nbclient, nbval, nbgrader) must store the same output with a cold and a warm cache

import contextlib
import logging
import sys
from collections.abc import Iterator
from typing import Any

_logger = logging.getLogger("lessons_lib")
_expecting: list[str] = []  # callers that requested a compilation, in all threads


def notify(sentence: str) -> None:
    """Write a line to the log, and to stderr if a person reads it there."""
    _logger.info(sentence)
    if not _expecting:
        show(sentence)


def notify_of_compiling(sentence: str) -> None:
    """Call `notify`, or, if no person reads stderr, write a warning to the log."""
    if _expecting or has_reader():
        notify(sentence)
    elif _kernel() is None or _logger.hasHandlers():
        warn(sentence)


def warn(sentence: str) -> None:
    """Write a warning to the log, which shows it on stderr unless the program configures the log."""
    _logger.warning("lessons_lib: %s", sentence)


def show(sentence: str) -> None:
    """Write a line to stderr if a person reads it there."""
    if has_reader():
        with contextlib.suppress(OSError, ValueError):  # a message must not fail the program
            print(f"lessons_lib: {sentence}", file=sys.stderr, flush=True)


@contextlib.contextmanager
def expect_compiling(by: str) -> Iterator[None]:
    """Log compilations as information in this context: the caller requested them and reports them."""
    _expecting.append(by)
    try:
        yield
    finally:
        _expecting.remove(by)


def has_reader() -> bool:
    """Return whether a person reads stderr: in a terminal, or in an interactive notebook."""
    stderr: Any = sys.stderr  # None if a program has no console
    if stderr is None or getattr(stderr, "closed", False):
        return False
    return bool(stderr.isatty()) or bool(getattr(_kernel(), "_allow_stdin", False))


def _kernel() -> Any:
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return getattr(shell, "kernel", None)
