"""In the kernel of the checks, forward calls of a student's functions to the process that holds them."""

import contextlib
import dataclasses
import inspect
import os
import signal
import subprocess
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from classroom.grading import confine, sandbox, usage
from classroom.grading.formula import formula_of
from classroom.grading.rpc import ConnectionLost, Endpoint
from classroom.grading.worker import MOST_PRINTED, TOO_MUCH

REMOTE_NAMES = {
    "Printer": "doprint _print parenthesize",
    "Counting": "name dof limits screws home joint_types forward_kinematics body_jacobian space_jacobian "
    "random_configuration",
    "Generator": "uniform normal standard_normal integers random choice permutation",
    "Configuration": "q model get_transform_frame_to_world get_frame_jacobian get_velocity_jacobian "
    "get_center_of_mass get_center_of_mass_jacobian get_transform integrate",
    "Tree": "name nq nv",
    "function": "",
    "method": "",
}
"""Class of an object that the checks pass to a solution: the attributes that the solution may use."""
COPIED = ("Chain", "TaskAt")
"""Dataclasses that are passed as copies."""
LONGEST = 1800
"""Limit for all cells of a submission together, s: a thousand cells could otherwise delay the grading for hours."""


class NotChecked(BaseException):
    """There is nothing to check; a BaseException, so that no `except Exception` of a check catches it."""


class BeyondLimit(Exception):
    """A student's process was killed because of its time or its threads."""


class StudentProxy(Endpoint):
    """Proxy of a student's functions in another process."""

    def __init__(self, memory: int = 4096, timeout: float = 30.0, our_timeout: float = 300.0, why: str = "") -> None:
        """Start the process, without any cells.

        Args:
            memory: Memory limit of the student's process beyond its initial use, MB.
            timeout: Limit for a cell in that process, s of processor time or sleep.
            our_timeout: Limit for a cell in this process, s of processor time.
            why: Reason why there is nothing to check, if the submission could not be read.
        """
        confine.limit_memory(memory)
        os.environ["SUBMISSION_MEMORY"] = str(memory)
        self.watch, self.timeout, self.our_timeout = usage.Watch(timeout), timeout, our_timeout
        self.slow: set[str] = set()
        self.cells: list[tuple[str, Any, float]] = []
        self.objects: list[Any] = []
        self.numbers: dict[int, int] = {}
        self.process: subprocess.Popen[bytes] | None = None
        self.stack = contextlib.ExitStack()
        self.stopped, self.printed = why, 0
        self.waiting: list[float] = []
        self.start()

    def begin(self) -> None:
        """Reset the counters before a cell of the notebook, and replace a process that has ended.

        A process with threads left by an earlier cell is replaced too, so that their time is not charged to the next
        cell.
        """
        self.printed = 0
        if self.watch.problem or self.watch.has_threads():
            self.stop()
        self.watch.begin()
        if self.process is None and self.cells:
            self.start()
        limit_own_time(self.our_timeout)

    def start(self) -> None:
        """Start a process and run all earlier cells there."""
        self.process = self.stack.enter_context(sandbox.worker())
        assert self.process.stdin is not None and self.process.stdout is not None
        self.incoming, self.outgoing = self.process.stdout, self.process.stdin
        self.waiting = []
        for cell in [("cell", "", self.our_timeout), *self.cells]:  # the first answer arrives after the start
            self.prepare_there(*cell)

    def stop(self) -> None:
        """End the process."""
        self.process = None
        self.watch.follow(None)
        self.stack.close()

    def request_answer(self, *request: Any) -> list[Any]:
        """Return the process's answer to a request; any failure ends the process.

        Cells that run again in a new process have their own limit and are not charged to the current cell.

        Raises:
            ConnectionLost: It has ended by itself.
            BeyondLimit: It was ended, for its time or its threads.
        """
        if self.watch.total > LONGEST and not self.watch.problem:
            self.watch.problem = f"your code has computed or waited for {LONGEST} s in all cells together"
        if self.watch.problem:
            self.stop()
            raise BeyondLimit(self.watch.problem)
        if self.process is None:
            self.start()
        try:
            if self.waiting:
                self.await_pending()
            return self.ask(*request)
        except BaseException as problem:
            self.stop()
            if isinstance(problem, ConnectionLost) and self.watch.problem:
                raise BeyondLimit(self.watch.problem) from None
            raise

    def await_pending(self) -> None:
        """Wait for the pending answers."""
        spent, limit = self.watch.spent, self.watch.limit
        for its_limit in self.waiting:
            self.watch.spent, self.watch.limit = 0.0, its_limit
            self.receive()
            if self.watch.process is None:
                self.watch.follow(self.process)
        self.waiting, self.watch.spent, self.watch.limit = [], spent, limit

    def receive(self) -> list[Any]:
        """Wait for a message, and count the time that the student's process takes for it."""
        with self.watch.count_time():
            return super().receive()

    def prepare(self, cell: str) -> None:
        """Run a cell of the exercise in the student's process as well: a solution may use what precedes it."""
        if self.process is None:
            self.start()
        self.prepare_there("cell", cell, self.our_timeout)
        self.cells.append(("cell", cell, self.our_timeout))

    def define(self, texts: list[str]) -> None:
        """Run definitions of names that are unbound so far: a student may have run cells in another order.

        If one of them ends the process or does not terminate, all are skipped; answers that do not need them still
        count.
        """
        self.watch.limit = self.timeout
        with contextlib.suppress(ConnectionLost, BeyondLimit):
            self.request_answer("define", texts)
            self.cells.append(("define", texts, self.timeout))
        self.watch.begin()

    def prepare_there(self, verb: str, what: Any, limit: float) -> None:
        """Send a cell with a time limit without waiting for its answer."""
        with contextlib.suppress(ConnectionLost):  # the next request reports it
            self.send(verb, what)
            self.waiting.append(limit)

    def run(self, cell: str) -> None:
        """Run a cell of the student's."""
        self.watch.limit = self.timeout
        try:
            kind, *answer = self.request_answer("cell", cell)
        except BaseException as problem:  # noqa: BLE001 (an interrupt, too, ends the other process)
            error = describe_end(problem)
            self.stopped = self.stopped or f"your own cell above raised {type(error).__name__}: {error}"
            raise error from None
        self.cells.append(("cell", cell, self.timeout))  # the statements before the error have run
        if kind == "done":
            self.tell(answer[2])
            return
        self.stopped = self.stopped or f"your own cell above raised {answer[0]}: {answer[1]}"
        raise make_error(*answer[:2])

    def call(self, name: str, arguments: tuple[Any, ...], named: dict[str, Any]) -> Any:
        """Call a student's function; return its result and apply its changes to the arguments.

        A function that exceeded its limit in an earlier cell gets a third of the time.

        Raises:
            NotChecked: There is no such function.
        """
        noted: list[Any] = []
        self.watch.limit = self.timeout / 3 if name in self.slow else self.timeout
        sent = self.encode(list(arguments), noted), self.encode([list(pair) for pair in named.items()], noted)
        try:
            kind, *answer = self.request_answer("call", name, *sent)
            if kind == "done":
                value, changes = self.decode(answer[0]), [(int(at), self.decode(part)) for at, part in answer[1]]
        except Exception as problem:  # noqa: BLE001 (whatever comes from there)
            self.stop()
            if isinstance(problem, BeyondLimit):
                self.slow.add(name)
            raise describe_end(problem) from None
        if kind == "failed":
            if answer[0] == "KeyError" and answer[1] == repr(name):
                why = self.stopped or "no cell of yours defines it"
                raise NotChecked(f"{name} is not defined: {why}. There is nothing to check.")
            raise make_error(*answer[:2])
        for at, part in changes:
            apply_change(noted[at], part)
        self.tell(answer[2])
        return value

    def tell(self, text: str) -> None:
        """Print the output of the student's process.

        Raises:
            Exception: The cell has printed too much.
        """
        self.printed += len(text)
        if self.printed > MOST_PRINTED:
            raise make_error("TooMuchOutput", TOO_MUCH)
        print(text, end="")

    def function(self, name: str) -> Callable[..., Any]:
        """Return a proxy of a student's function."""

        def student_proxy(*arguments: Any, **named: Any) -> Any:
            return self.call(name, arguments, named)

        student_proxy.__name__ = student_proxy.__qualname__ = name
        return student_proxy

    def encode_special(self, value: Any, writes: Callable[[Any], Any]) -> dict[str, Any]:
        """Encode an object of the checks as a remote object or as a copy."""
        kind = type(value)
        if kind.__name__ in COPIED and dataclasses.is_dataclass(value):
            write = writes if kind.__module__ == "__main__" else self.encode
            fields = {field.name: write(getattr(value, field.name)) for field in dataclasses.fields(value)}
            return {"copy": [kind.__module__, kind.__name__, fields]}
        if kind.__name__ not in REMOTE_NAMES:
            return super().encode_special(value, writes)
        number = self.numbers.setdefault(id(value), len(self.objects))
        if number == len(self.objects):
            self.objects.append(value)
        names = [name for name in REMOTE_NAMES[kind.__name__].split() if hasattr(value, name)]
        methods = [name for name in names if callable(getattr(value, name))]
        return {"lent": [number, [name for name in names if name not in methods], methods]}

    def decode_special(self, kind: str, of: Any, reads: Callable[[Any], Any]) -> Any:
        """Decode a remote object, or a damping policy from its formula."""
        if kind == "lent" and type(of) is int:
            return self.objects[of]
        if kind == "damping":
            tree, numbers = of
            return make_damping(formula_of(tree["formula"]), {str(key): float(part) for key, part in numbers.items()})
        return super().decode_special(kind, of, reads)

    def serve(self, request: list[Any]) -> tuple[Any, ...]:
        """Answer a request for a value or a method call of a remote object."""
        verb, number, name, arguments, named = request
        thing = self.objects[number]
        if name and name not in REMOTE_NAMES[type(thing).__name__].split():
            raise AttributeError(f"{name} is not available")
        result = getattr(thing, name) if name else thing
        if verb == "do":
            result = result(*map(self.decode, arguments), **{key: self.decode(part) for key, part in named.items()})
        return self.encode(result), [], ""


def make_damping(formula: Any, numbers: dict[str, float]) -> Any:
    """Return the damping policy of a formula.

    Raises:
        TypeError: The formula contains an unknown symbol.
    """
    from lessons_lib.pose_ik import Damping

    letters = {symbol.name for symbol in formula.free_symbols}
    quantities = [
        name for name in "EVWJ" if any(one == name or one[:1] == name and one[1:].isdigit() for one in letters)
    ]

    def rule(**arguments: Any) -> Any:
        known = {part for name in quantities for part in getattr(arguments[name], "free_symbols", ())}
        known |= {part for name in numbers for part in getattr(arguments[name], "free_symbols", ())}
        if strange := formula.free_symbols - known:
            raise TypeError(f"unknown symbols {strange} in the formula")
        return formula

    named = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY) for name in [*quantities, *numbers]]
    rule.__signature__ = inspect.Signature(named)  # type: ignore[attr-defined]
    return Damping(rule, **numbers)


def apply_change(mine: Any, after: Any) -> None:
    """Copy a student's changes back to an array or a list of the checks."""
    if isinstance(mine, list) and isinstance(after, list):
        mine[:] = after
    elif isinstance(mine, np.ndarray) and getattr(after, "shape", None) == mine.shape and mine.flags.writeable:
        mine[...] = after


def make_error(name: str, text: str) -> Exception:
    """Return an error with this class name; NotImplementedError is Python's own."""
    if name == "NotImplementedError":
        return NotImplementedError(text)
    return type(name if name.isidentifier() else "Error", (Exception,), {})(text)  # type: ignore[no-any-return]


def limit_own_time(seconds: float) -> None:
    """Stop a check after some processor time of this process: simplifying a student's formula may not end."""

    def stop(*_: object) -> None:
        raise NotChecked(f"checking your answer takes more than {seconds:g} s of processor time")

    if hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGPROF, stop)
        signal.setitimer(signal.ITIMER_PROF, seconds)


def describe_end(problem: BaseException) -> BaseException:
    """Return the error that describes how a student's process ended, or its invalid answer."""
    if isinstance(problem, BeyondLimit):
        return make_error("BeyondLimit", str(problem))
    if isinstance(problem, ConnectionLost):
        return make_error(
            "Ended", "your code ended the process that it runs in: it exited, crashed or ran out of memory"
        )
    if isinstance(problem, Exception):
        return make_error("InvalidResult", f"your function returned {problem}")
    return problem
