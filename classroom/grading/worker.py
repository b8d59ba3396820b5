"""Holds a student's functions, and nothing else: no check, no solution, no marks. `python -m classroom.grading.worker`.

It runs the cells that it is sent, calls the functions that it is asked for, and asks back for what it was lent.
"""

import ast
import builtins
import contextlib
import importlib
import io
import json
import linecache
import os
import re
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator
from typing import IO, Any

import numpy as np

from classroom.grading import confine
from classroom.grading.wire import PLAIN, End, Refused

YOURS = "your cell"
OTHER_LANGUAGES = tuple(
    f"%%{name}" for name in "bash sh html javascript js latex markdown script svg writefile".split()
)
"""How a cell begins that holds no Python."""
ASSIGNED = re.compile(r"(\s*[\w., ]+=\s*)[!%]\S")
"""How a line begins that gives a name to what a command of the notebook returns: files = !ls."""
MOST_PRINTED = 100_000
"""Characters that may be printed between a request and its answer."""


LIBRARIES = 1024
"""MB that the libraries take, with room."""


class TooMuchOutput(Exception):
    """More is printed than anybody reads."""


class Printed(io.StringIO):
    """Keeps what is printed, up to a limit."""

    full = False

    def write(self, text: str) -> int:
        """Keep a text, or refuse it."""
        if self.tell() + len(text) > MOST_PRINTED:
            self.full = True
            raise TooMuchOutput(f"your code printed more than {MOST_PRINTED:,} characters in this cell")
        return super().write(text)


class Shell:
    """Stands for the notebook's shell: every command is taken, and none does anything."""

    def __getattr__(self, name: str) -> Any:
        """Return a method that does nothing."""
        return lambda *_, **__: None


class Lent:
    """A thing of the checks: what it is asked for comes from there, by the names that are lent."""

    def __init__(self, end: "Worker", number: int, values: list[str], methods: list[str]) -> None:
        """Remember what it stands for."""
        self.__dict__.update(_end=end, _number=number, _values=values, _methods=methods)

    def __getattr__(self, name: str) -> Any:
        """Return one of the values, or a method that asks."""
        if name in self._methods:
            return lambda *given, **named: self._end.of_the_checks("do", self._number, name, given, named)
        if name in self._values:
            return self._end.of_the_checks("get", self._number, name, (), {})
        known = ", ".join(self._values + self._methods) or "it can only be called"
        raise AttributeError(f"a solution may not use {name}; allowed: {known}")

    def __setattr__(self, name: str, value: object) -> None:
        """Refuse."""
        raise AttributeError(f"a solution cannot change {name}")

    def __dir__(self) -> list[str]:
        """Return the names that are lent."""
        return [*self._values, *self._methods]

    def __call__(self, *given: Any, **named: Any) -> Any:
        """Call it where it is."""
        return self._end.of_the_checks("do", self._number, "", given, named)


class Worker(End):
    """The student's end of the line."""

    def __init__(self, incoming: IO[bytes], outgoing: IO[bytes]) -> None:
        """Begin with an empty space."""
        super().__init__(incoming, outgoing)
        self.space: dict[str, Any] = {"__name__": "__main__", "display": print, "get_ipython": Shell}
        self.copies: dict[str, Any] = {}

    def special(self, value: Any, writes: Callable[[Any], Any]) -> dict[str, Any]:
        """Write a thing that was lent, or a damping policy as its formula."""
        if type(value) is Lent:
            return {"lent": value._number}
        if type(value).__name__ == "Damping" and type(value).__module__.startswith("lessons_lib."):
            return {"damping": [writes(value.expression), value.parameters]}
        return super().special(value, writes)

    def made(self, kind: str, of: Any, reads: Callable[[Any], Any]) -> Any:
        """Make what stands for a thing of the checks, or a copy of it."""
        if kind == "lent":
            return Lent(self, *of)
        if kind == "copy":
            module, name, fields = of
            if module == "__main__":
                return self.space[name](**{key: reads(field) for key, field in fields.items()})
            text = json.dumps(of)
            if text not in self.copies:  # the same thing again has all its code compiled
                owner = vars(importlib.import_module(module))
                self.copies[text] = owner[name](**{key: self.read(field) for key, field in fields.items()})
            return self.copies[text]
        return super().made(kind, of, reads)

    def of_the_checks(self, verb: str, number: int, name: str, given: tuple[Any, ...], named: dict[str, Any]) -> Any:
        """Ask a thing of the checks, and raise here what was raised there."""
        taken = [self.written(part) for part in given], {key: self.written(part) for key, part in named.items()}
        kind, *answer = self.ask(verb, number, name, *taken)
        if kind == "done":
            return self.read(answer[0])
        raise error_of(answer[0])(answer[1])

    def serve(self, request: list[Any]) -> tuple[Any, ...]:
        """Run a cell, or call a function; return what came of it, what it changed, and what it printed."""
        verb, what, *rest = request
        with heard() as printed:
            if verb == "cell":
                text = python_of(what)
                linecache.cache[YOURS] = (len(text), None, text.splitlines(keepends=True), YOURS)
                exec(compile(text, YOURS, "exec"), self.space)
                return None, [], self.said(printed)
            if verb == "define":
                self.define(what)
                return None, [], ""
            noted: list[Any] = []
            given, named = self.read(rest[0], noted), self.read(rest[1], noted)
            before = [part.copy() for part in noted]
            value = self.space[what](*given, **dict(named))
            changed = [(at, part) for at, part in enumerate(noted) if differs(before[at], part)]
            return self.written(value), [[at, self.written(part)] for at, part in changed], self.said(printed)

    def define(self, texts: list[str]) -> None:
        """Run definitions whose names nothing has, until no more of them can be run."""
        while texts:
            left = [text for text in texts if not self.defines(text)]
            if len(left) == len(texts):
                return
            texts = left

    def defines(self, text: str) -> bool:
        """Run a definition, and keep of it what had no name before; return whether it runs."""
        before = dict(self.space)
        try:
            exec(compile(text, YOURS, "exec"), self.space)
        except Exception:  # noqa: BLE001 (it may need what is defined later; where it stands, its error is told)
            return False
        finally:
            for name in self.space.keys() - before.keys():
                if hasattr(builtins, name):
                    del self.space[name]
            self.space.update(before)
        return True

    def said(self, printed: Printed) -> str:
        """Return what was printed."""
        if printed.full:
            raise TooMuchOutput(f"your code printed more than {MOST_PRINTED:,} characters in this cell")
        return printed.getvalue()

    def work(self) -> None:
        """Serve until the other end is gone."""
        while True:
            verb, *request = self.receive()
            try:
                answer = self.serve([verb, *request])
            except BaseException as problem:  # noqa: BLE001 (whatever a student's code raises)
                self.send("failed", type(problem).__name__, text_of(problem, verb == "cell"))
            else:
                try:
                    self.send("done", *answer)
                except (Refused, RecursionError, ValueError) as problem:
                    self.send("failed", "TypeError", f"your function returned {problem}")


@contextlib.contextmanager
def heard() -> Iterator[Printed]:
    """Keep what is printed meanwhile, warnings left out."""
    printed = Printed()
    with contextlib.ExitStack() as stack:
        for quiet in (warnings.catch_warnings(), np.errstate(all="ignore")):
            stack.enter_context(quiet)
        for told in (contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed)):
            stack.enter_context(told)
        warnings.simplefilter("ignore")
        yield printed


def python_of(cell: str) -> str:
    """Return a cell without the lines that only a notebook understands, such as %matplotlib inline."""
    try:
        ast.parse(cell)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        if cell.lstrip().startswith(OTHER_LANGUAGES):
            return ""
        return "\n".join(map(without_magic, cell.splitlines()))
    return cell


def without_magic(line: str) -> str:
    """Return a line, or one that does nothing in the place of a command of the notebook."""
    if assigned := ASSIGNED.match(line):
        return f"{assigned[1]}None"
    bare = line.strip()
    indent = line[: len(line) - len(line.lstrip())]
    return f"{indent}pass" if bare.startswith(("%", "!", "?")) or bare.endswith("?") and bare[:1] != "#" else line


def differs(before: Any, after: Any) -> bool:
    """Return whether an array or a list is no longer what it was."""
    if isinstance(before, np.ndarray):
        return bool(before.shape != after.shape or before.tobytes() != after.tobytes())
    same = (one is other or (type(one) in PLAIN and one == other) for one, other in zip(before, after, strict=False))
    return len(before) != len(after) or not all(same)


def text_of(problem: BaseException, with_line: bool) -> str:
    """Return what an error says, and in which line of the student's cell."""
    try:
        text = str(problem)[:4000]
    except BaseException:  # noqa: BLE001 (an error that cannot be printed)
        text = ""
    lines = [frame.lineno for frame in traceback.extract_tb(problem.__traceback__) if frame.filename == YOURS]
    return f"{text} (line {lines[-1]})" if with_line and lines else text


def error_of(name: str) -> type[Exception]:
    """Return the class of an error of the checks: Python's, the library's, or one that is made for it."""
    errors = sys.modules.get("lessons_lib.errors")
    found = getattr(builtins, name, None) or getattr(errors, name, None)
    simple = isinstance(found, type) and issubclass(found, Exception) and not hasattr(found, "fields")
    try:
        return found if simple and found("") is not None else type(name, (Exception,), {})  # type: ignore[misc,return-value]
    except TypeError:
        return type(name, (Exception,), {})


def main() -> None:
    """Keep the line for itself, give up what is not needed, and work."""
    confine.end_with_parent()
    incoming, outgoing = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)
    confine.limit_memory(LIBRARIES + int(os.environ.get("HAND_IN_MEMORY", "4096")))
    confine.limit_files_and_time()
    user = int(os.environ.get("HAND_IN_USER", "0"))
    confine.bound("RLIMIT_NPROC", confine.threads_of(user or confine.this_user()) + confine.MOST_THREADS)
    confine.refuse_files(os.environ["HAND_IN_READS"].split(os.pathsep), os.environ["TMPDIR"])
    confine.drop_rights(user, may_read=bool(os.environ.get("HAND_IN_MAY_READ")))
    confine.end_with_parent()  # which a change of the user undoes
    confine.refuse_system_calls()
    try:
        Worker(incoming, outgoing).work()
    finally:
        os._exit(0)  # whatever threads a student has started


if __name__ == "__main__":
    main()
