"""Telling a person why nothing happens for some seconds: something is being derived or compiled.

Nothing is told to machines. The line goes to stderr where that is a terminal, or where a notebook's front end could
also be asked a question: a person is there to read it. Tools that run a notebook on their own (nbclient, nbval,
nbgrader) allow no questions, so stored outputs are the same with a cold cache and a warm one. In a pipe nothing is
said. The logger "lessons_lib" gets everything, as information.
"""

import contextlib
import logging
import sys
from typing import Any

_logger = logging.getLogger("lessons_lib")


def tell(sentence: str) -> None:
    """Write a line to the log, and to stderr if a person may read it there."""
    _logger.info(sentence)
    if has_reader():
        with contextlib.suppress(OSError, ValueError):  # a message is not worth failing for
            print(f"lessons_lib: {sentence}", file=sys.stderr, flush=True)


def warn(sentence: str) -> None:
    """Write a warning to the log, which shows it on stderr unless the program has set it up otherwise."""
    _logger.warning("lessons_lib: %s", sentence)


def has_reader() -> bool:
    """Return whether a person may read stderr: in a terminal, or in a notebook that somebody runs by hand."""
    stderr: Any = sys.stderr  # None where a program has no console
    if stderr is None or getattr(stderr, "closed", False):
        return False
    return bool(stderr.isatty()) or _front_end_takes_questions()


def _front_end_takes_questions() -> bool:
    """Return whether the request that a Jupyter kernel is running came from a front end that could answer `input()`."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return bool(getattr(getattr(shell, "kernel", None), "_allow_stdin", False))
