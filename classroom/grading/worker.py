"""Process that holds a student's functions: no checks, solutions or marks. `python -m classroom.grading.worker`.

It runs the cells that it receives, calls functions on request, and asks the checks for attributes of remote objects.
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
from classroom.grading.rpc import PLAIN, Endpoint, NotSerializable

YOURS = "your cell"
OTHER_LANGUAGES = tuple(
    f"%%{name}" for name in "bash sh html javascript js latex markdown script svg writefile".split()
)
"""Prefixes of cells that are not Python."""
ASSIGNED = re.compile(r"(\s*[\w., ]+=\s*)[!%]\S")
"""Beginning of a line that assigns the result of a notebook command: files = !ls."""
MOST_PRINTED = 100_000
"""Largest number of characters printed in a cell, and between a request and its answer."""
TOO_MUCH = f"your code printed more than {MOST_PRINTED:,} characters in this cell"
LIBRARIES = 1024
"""Memory of the libraries with a margin, MB."""


class TooMuchOutput(Exception):
    """The code printed more than the limit."""


class Printed(io.StringIO):
    """Captured output, up to a limit."""

    full = False

    def write(self, text: str) -> int:
        """Append a text, or raise TooMuchOutput."""
        if self.tell() + len(text) > MOST_PRINTED:
            self.full = True
            raise TooMuchOutput(TOO_MUCH)
        return super().write(text)


class Shell:
    """Stand-in for the notebook's shell: every command is accepted and does nothing."""

    def __getattr__(self, name: str) -> Any:
        """Return a method that does nothing."""
        return lambda *_, **__: None


class RemoteObject:
    """Proxy of an object of the checks: allowed attributes are fetched from there."""

    def __init__(self, end: "Worker", number: int, values: list[str], methods: list[str]) -> None:
        """Store the connection, the object's number and its allowed attributes."""
        self.__dict__.update(_end=end, _number=number, _values=values, _methods=methods)

    def __getattr__(self, name: str) -> Any:
        """Return the value of an attribute, or a method that calls the remote one."""
        if name in self._methods:
            return lambda *arguments, **named: self._end.call_remote("do", self._number, name, arguments, named)
        if name in self._values:
            return self._end.call_remote("get", self._number, name, (), {})
        known = ", ".join(self._values + self._methods) or "it can only be called"
        raise AttributeError(f"a solution may not use {name}; allowed: {known}")

    def __setattr__(self, name: str, value: object) -> None:
        """Refuse."""
        raise AttributeError(f"a solution cannot change {name}")

    def __dir__(self) -> list[str]:
        """Return the allowed attributes."""
        return [*self._values, *self._methods]

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Call the remote object."""
        return self._end.call_remote("do", self._number, "", arguments, named)


class Worker(Endpoint):
    """The student's endpoint."""

    def __init__(self, incoming: IO[bytes], outgoing: IO[bytes]) -> None:
        """Begin with an empty namespace."""
        super().__init__(incoming, outgoing)
        self.space: dict[str, Any] = {"__name__": "__main__", "display": print, "get_ipython": Shell}
        self.copies: dict[str, Any] = {}

    def encode_special(self, value: Any, writes: Callable[[Any], Any]) -> dict[str, Any]:
        """Encode a remote object, or a damping policy as its formula."""
        if type(value) is RemoteObject:
            return {"lent": value._number}
        if type(value).__name__ == "Damping" and type(value).__module__.startswith("lessons_lib."):
            return {"damping": [writes(value.expression), value.parameters]}
        return super().encode_special(value, writes)

    def decode_special(self, kind: str, of: Any, reads: Callable[[Any], Any]) -> Any:
        """Decode a remote object, or a copy of an object."""
        if kind == "lent":
            return RemoteObject(self, *of)
        if kind == "copy":
            module, name, fields = of
            if module == "__main__":
                return self.space[name](**{key: reads(field) for key, field in fields.items()})
            text = json.dumps(of)
            if text not in self.copies:  # reuse the copy with its compiled code
                owner = vars(importlib.import_module(module))
                self.copies[text] = owner[name](**{key: self.decode(field) for key, field in fields.items()})
            return self.copies[text]
        return super().decode_special(kind, of, reads)

    def call_remote(self, verb: str, number: int, name: str, arguments: tuple[Any, ...], named: dict[str, Any]) -> Any:
        """Send a request to the checks, and raise here the error that was raised there."""
        encoded = [self.encode(part) for part in arguments], {key: self.encode(part) for key, part in named.items()}
        kind, *answer = self.ask(verb, number, name, *encoded)
        if kind == "done":
            return self.decode(answer[0])
        raise error_class(answer[0])(answer[1])

    def serve(self, request: list[Any]) -> tuple[Any, ...]:
        """Run a cell, or call a function; return its result, its changes to the arguments, and its output."""
        verb, what, *rest = request
        with capture_output() as printed:
            if verb == "cell":
                text = python_source(what)
                linecache.cache[YOURS] = (len(text), None, text.splitlines(keepends=True), YOURS)
                exec(compile(text, YOURS, "exec"), self.space)
                return None, [], self.take_output(printed)
            if verb == "define":
                self.define(what)
                return None, [], ""
            noted: list[Any] = []
            arguments, named = self.decode(rest[0], noted), self.decode(rest[1], noted)
            before = [part.copy() for part in noted]
            value = self.space[what](*arguments, **dict(named))
            changed = [(at, part) for at, part in enumerate(noted) if differs(before[at], part)]
            return self.encode(value), [[at, self.encode(part)] for at, part in changed], self.take_output(printed)

    def define(self, texts: list[str]) -> None:
        """Run definitions of unbound names until no more of them can run."""
        while texts:
            left = [text for text in texts if not self.run_definition(text)]
            if len(left) == len(texts):
                return
            texts = left

    def run_definition(self, text: str) -> bool:
        """Run a definition, keep only the new names, and return whether it ran."""
        before = dict(self.space)
        try:
            exec(compile(text, YOURS, "exec"), self.space)
        except Exception:  # noqa: BLE001 (it may need a later definition; its own cell reports the error)
            return False
        finally:
            for name in self.space.keys() - before.keys():
                if hasattr(builtins, name):
                    del self.space[name]
            self.space.update(before)
        return True

    def take_output(self, printed: Printed) -> str:
        """Return the captured output."""
        if printed.full:
            raise TooMuchOutput(TOO_MUCH)
        return printed.getvalue()

    def work(self) -> None:
        """Serve requests until the connection closes."""
        while True:
            verb, *request = self.receive()
            try:
                answer = self.serve([verb, *request])
            except BaseException as problem:  # noqa: BLE001 (any error of a student's code)
                self.send("failed", type(problem).__name__, error_text(problem, verb == "cell"))
            else:
                try:
                    self.send("done", *answer)
                except (NotSerializable, RecursionError, ValueError) as problem:
                    self.send("failed", "TypeError", f"your function returned {problem}")


@contextlib.contextmanager
def capture_output() -> Iterator[Printed]:
    """Capture printed output, and suppress warnings."""
    printed = Printed()
    with contextlib.ExitStack() as stack:
        for quiet in (warnings.catch_warnings(), np.errstate(all="ignore")):
            stack.enter_context(quiet)
        for redirection in (contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed)):
            stack.enter_context(redirection)
        warnings.simplefilter("ignore")
        yield printed


def python_source(cell: str) -> str:
    """Return a cell without notebook commands such as %matplotlib inline."""
    try:
        ast.parse(cell)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        if cell.lstrip().startswith(OTHER_LANGUAGES):
            return ""
        return "\n".join(map(without_magic, cell.splitlines()))
    return cell


def without_magic(line: str) -> str:
    """Return a line, or a line without effect in place of a notebook command."""
    if assigned := ASSIGNED.match(line):
        return f"{assigned[1]}None"
    bare = line.strip()
    indent = line[: len(line) - len(line.lstrip())]
    return f"{indent}pass" if bare.startswith(("%", "!", "?")) or bare.endswith("?") and bare[:1] != "#" else line


def differs(before: Any, after: Any) -> bool:
    """Return whether an array or a list has changed."""
    if isinstance(before, np.ndarray):
        return bool(before.shape != after.shape or before.tobytes() != after.tobytes())
    same = (one is other or (type(one) in PLAIN and one == other) for one, other in zip(before, after, strict=False))
    return len(before) != len(after) or not all(same)


def error_text(problem: BaseException, with_line: bool) -> str:
    """Return the message of an error, with its line in the student's cell."""
    try:
        text = str(problem)[:4000]
    except BaseException:  # noqa: BLE001 (an error that cannot be printed)
        text = ""
    lines = [frame.lineno for frame in traceback.extract_tb(problem.__traceback__) if frame.filename == YOURS]
    return f"{text} (line {lines[-1]})" if with_line and lines else text


def error_class(name: str) -> type[Exception]:
    """Return the class of an error of the checks: Python's, the library's, or a new one."""
    errors = sys.modules.get("lessons_lib.errors")
    kind = getattr(builtins, name, None) or getattr(errors, name, None)
    simple = isinstance(kind, type) and issubclass(kind, Exception) and not hasattr(kind, "fields")
    try:
        return kind if simple and kind("") is not None else type(name, (Exception,), {})  # type: ignore[misc,return-value]
    except TypeError:
        return type(name, (Exception,), {})


def main() -> None:
    """Reserve the streams for the connection, drop all privileges, and serve."""
    confine.end_with_parent()
    incoming, outgoing = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)
    confine.limit_memory(LIBRARIES + int(os.environ.get("SUBMISSION_MEMORY", "4096")))
    confine.limit_files_and_time()
    user = int(os.environ.get("SUBMISSION_USER", "0"))
    confine.bound("RLIMIT_NPROC", confine.threads_of(user or confine.this_user()) + confine.MOST_THREADS)
    confine.refuse_files(os.environ["SUBMISSION_READS"].split(os.pathsep), os.environ["TMPDIR"])
    confine.drop_rights(user, may_read=bool(os.environ.get("SUBMISSION_MAY_READ")))
    confine.end_with_parent()  # a change of the user undoes it
    confine.refuse_system_calls()
    try:
        Worker(incoming, outgoing).work()
    finally:
        os._exit(0)  # ends the student's threads as well


if __name__ == "__main__":
    main()
