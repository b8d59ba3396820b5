"""The error of a wrong answer, and calls of a student's function. This module needs no NumPy, which book pages lack."""

from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any


class CheckFailed(AssertionError):
    """An answer is wrong: the message with the measured error, and hints in order of usefulness, shown as folds."""

    def __init__(self, message: str, hints: Sequence[str] = ()) -> None:
        """Store the message (some lines) and the hints (one sentence each)."""
        super().__init__("\n".join([message, *hints]))
        self.message, self.hints, self.folded = message, hints, False

    def _render_traceback_(self) -> list[str]:
        """Return the lines that IPython prints instead of a traceback; the folded hints follow."""
        from IPython import get_ipython

        shell = get_ipython()
        if shell is not None and not self.folded:
            self.folded = True  # IPython renders twice

            def below() -> None:
                shell.events.unregister("post_execute", below)
                self.fold()

            shell.events.register("post_execute", below)
        return self.message.splitlines()

    def fold(self) -> None:
        """Display each hint in a fold."""
        from IPython.display import display

        for k, hint in enumerate(self.hints, start=1):
            folded = f"<details><summary>Hint {k}</summary>{escape(hint)}</details>"
            display({"text/html": folded, "text/plain": f"Hint {k}"}, raw=True)  # type: ignore[no-untyped-call]


def call_function(
    where: str,
    function: Callable[..., Any],
    arguments: Sequence[Any],
    hint: Mapping[type[Exception], str] | None = None,
) -> Any:
    """Call a student's function; CheckFailed if it raises (with a hint by exception type) or returns None."""
    # raises NotImplementedError if the function is still the stub
    try:
        answer = function(*arguments)
    except NotImplementedError:
        raise
    except Exception as problem:  # any exception of a student's code
        why = [words for kind, words in (hint or {}).items() if type(problem) is kind]
        said = f"{where}: your function raised {type(problem).__name__}: {problem}"
        raise CheckFailed(said if said.endswith((".", "?", "!")) else f"{said}.", why) from problem
    if answer is None:
        raise CheckFailed(f"{where}: your function returned None; is there a `return` in every branch?")
    return answer


def hint(words: str) -> str:
    """Format the hint for a common mistake: "[sign] it is flipped" becomes "Hint [sign]: it is flipped."."""
    code, _, rest = words.partition("] ")
    return f"Hint {code}]: {rest}."


def shorten(text: str) -> str:
    """Return a text on one line, truncated after 200 characters."""
    line = " ".join(text.split())
    return line if len(line) <= 200 else f"{line[:200]} …"
