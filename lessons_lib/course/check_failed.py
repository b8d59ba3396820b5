"""Errors that report a wrong answer of an exercise; without NumPy, which a page of the book does not have."""

from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any


class CheckFailed(AssertionError):
    """An answer is wrong. It holds what was measured and the hints, in the order in which they help.

    A notebook shows what was measured as an error without a traceback, and the hints in folds below.
    """

    def __init__(self, said: str, hints: Sequence[str] = ()) -> None:
        """Take what was measured, some lines, and the hints, a sentence each."""
        super().__init__("\n".join([said, *hints]))
        self.said, self.hints, self.folded = said, hints, False

    def _render_traceback_(self) -> list[str]:
        """Return the lines that IPython prints in the place of a traceback; the hints follow, folded."""
        from IPython import get_ipython

        shell = get_ipython()
        if shell is not None and not self.folded:
            self.folded = True  # a kernel asks twice

            def below() -> None:
                shell.events.unregister("post_execute", below)
                self.fold()

            shell.events.register("post_execute", below)
        return self.said.splitlines()

    def fold(self) -> None:
        """Show the hints, each in a fold."""
        from IPython.display import display

        for k, hint in enumerate(self.hints, start=1):
            folded = f"<details><summary>Hint {k}</summary>{escape(hint)}</details>"
            display({"text/html": folded, "text/plain": f"Hint {k}"}, raw=True)  # type: ignore[no-untyped-call]


def called(
    where: str, function: Callable[..., Any], given: Sequence[Any], hint: Mapping[type[Exception], str] | None = None
) -> Any:
    """Call a student's function; report an exception as a wrong answer.

    Args:
        where: Start of each message.
        function: The student's function.
        given: Its arguments.
        hint: Text for each type of exception that the arguments are known to provoke.

    Raises:
        CheckFailed: The function raises an exception, which is the cause, or returns None.
        NotImplementedError: The function is still the stub.
    """
    try:
        answer = function(*given)
    except NotImplementedError:
        raise
    except Exception as problem:  # whatever a reader's code raises
        why = [words for kind, words in (hint or {}).items() if type(problem) is kind]
        said = f"{where}: your function raised {type(problem).__name__}: {problem}"
        raise CheckFailed(said if said.endswith((".", "?", "!")) else f"{said}.", why) from problem
    if answer is None:
        raise CheckFailed(f"{where}: your function returned None; is there a `return` in every branch?")
    return answer


def hint(words: str) -> str:
    """Return the hint that names a likely mistake: "[sign] it is flipped" becomes "Hint [sign]: it is flipped."."""
    code, _, rest = words.partition("] ")
    return f"Hint {code}]: {rest}."


def short(text: str) -> str:
    """Return a text on one line, cut where it is long."""
    line = " ".join(text.split())
    return line if len(line) <= 200 else f"{line[:200]} …"
