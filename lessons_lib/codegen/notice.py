"""Telling a person why nothing happens for some seconds: something is being derived or compiled.

The line goes to stderr where that is a terminal, or where a notebook's front end could also be asked a question: a
person is there to read it. Elsewhere nobody would see why the program waits, so the logger "lessons_lib" gets a
warning when a compilation starts; in a program that has not set up its log, Python writes that to stderr.

Tools that run a notebook on their own (nbclient, nbval, nbgrader) allow no questions, and what they store must be the
same with a cold cache and a warm one: there the warning goes to those who listen to the log, and nowhere else.
"""

import contextlib
import logging
import sys
from collections.abc import Iterator
from typing import Any

_logger = logging.getLogger("lessons_lib")
_expecting: list[str] = []
"""Who has asked for something to be made; a compilation may run in a thread of its own, so this is for all threads."""


def notify(sentence: str) -> None:
    """Write a line to the log, and to stderr if a person may read it there."""
    _logger.info(sentence)
    if not _expecting:
        show(sentence)


def notify_of_compiling(sentence: str) -> None:
    """Write a line as `notify` does; where no person may read it, write a warning to the log."""
    if _expecting or has_reader():
        notify(sentence)
    elif _kernel() is None or _logger.hasHandlers():
        warn(sentence)


def warn(sentence: str) -> None:
    """Write a warning to the log, which shows it on stderr unless the program has set it up otherwise."""
    _logger.warning("lessons_lib: %s", sentence)


def show(sentence: str) -> None:
    """Write a line to stderr if a person may read it there."""
    if has_reader():
        with contextlib.suppress(OSError, ValueError):  # a message is not worth failing for
            print(f"lessons_lib: {sentence}", file=sys.stderr, flush=True)


@contextlib.contextmanager
def expected(by: str) -> Iterator[None]:
    """Take what is made meanwhile as asked for: whoever asked says what goes on, and the log gets it as information."""
    _expecting.append(by)
    try:
        yield
    finally:
        _expecting.remove(by)


def has_reader() -> bool:
    """Return whether a person may read stderr: in a terminal, or in a notebook that somebody runs by hand."""
    stderr: Any = sys.stderr  # None where a program has no console
    if stderr is None or getattr(stderr, "closed", False):
        return False
    return bool(stderr.isatty()) or bool(getattr(_kernel(), "_allow_stdin", False))


def _kernel() -> Any:
    """Return the Jupyter kernel that this is, or None. Its `_allow_stdin` says whether a front end takes questions."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return getattr(shell, "kernel", None)
