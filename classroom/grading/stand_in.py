"""In the kernel of the checks, a name of the student's stands for a call into the process that has the function."""

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

from classroom.grading import apart, confine, usage
from classroom.grading.formula import formula_of
from classroom.grading.wire import End, Lost

LENT = {
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
"""Class of a thing that the checks hand to a solution, to the names that the solution may use of it."""
COPIED = ("Chain", "TaskAt")
"""Dataclasses of which a solution gets a copy."""
MOST_PRINTED = 100_000
"""Characters that a cell may print."""


class NotChecked(BaseException):
    """There is nothing to check; no `except Exception` of a check catches it."""


class BeyondLimit(Exception):
    """A student's process was ended, for its time or its threads."""


class Hand(End):
    """A student's functions, wherever they are."""

    def __init__(self, memory: int = 4096, timeout: float = 30.0, our_timeout: float = 300.0, why: str = "") -> None:
        """Begin without any cell.

        Args:
            memory: MB that the student's process may take, beyond what is in use.
            timeout: Seconds of processor time, or asleep, that a cell may take of that process.
            our_timeout: Seconds of processor time that a cell may take of this process.
            why: Why there is nothing to check, if the hand-in could not be read.
        """
        confine.limit_memory(memory)
        os.environ["HAND_IN_MEMORY"] = str(memory)
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
        """Before a cell of the notebook: count anew what it uses, and replace a process that has ended.

        One with threads that an earlier cell has left is replaced as well: their time is not that of the next cell.
        """
        self.printed = 0
        if self.watch.problem or self.watch.has_threads():
            self.stop()
        self.watch.begin()
        if self.process is None and self.cells:
            self.start()
        limit_own_time(self.our_timeout)

    def start(self) -> None:
        """Start a process, and run there what has run before."""
        self.process = self.stack.enter_context(apart.worker())
        assert self.process.stdin is not None and self.process.stdout is not None
        self.incoming, self.outgoing = self.process.stdout, self.process.stdin
        self.waiting = []
        for cell in [("cell", "", self.our_timeout), *self.cells]:  # the first answer comes when it has started
            self.prepare_there(*cell)

    def stop(self) -> None:
        """End the process."""
        self.process = None
        self.watch.follow(None)
        self.stack.close()

    def asked(self, *request: Any) -> list[Any]:
        """Return the answer of the student's process; whatever goes wrong on the way ends that process.

        What has run before and runs again in a new process has a limit of its own, and takes nothing of this cell's.

        Raises:
            Lost: It has ended by itself.
            BeyondLimit: It was ended, for its time or its threads.
        """
        if self.watch.problem:
            self.stop()
            raise BeyondLimit(self.watch.problem)
        if self.process is None:
            self.start()
        try:
            if self.waiting:
                self.prepared()
            return self.ask(*request)
        except BaseException as problem:
            self.stop()
            if isinstance(problem, Lost) and self.watch.problem:
                raise BeyondLimit(self.watch.problem) from None
            raise

    def prepared(self) -> None:
        """Wait for the answers that nobody has waited for."""
        spent, limit = self.watch.spent, self.watch.limit
        for its_limit in self.waiting:
            self.watch.spent, self.watch.limit = 0.0, its_limit
            self.receive()
            if self.watch.process is None:
                self.watch.follow(self.process)
        self.waiting, self.watch.spent, self.watch.limit = [], spent, limit

    def receive(self) -> list[Any]:
        """Wait for a message, and count the time that the student's process takes for it."""
        with self.watch.counted():
            return super().receive()

    def prepare(self, cell: str) -> None:
        """Run a cell of the exercise there, too, at the same time: what stands above a solution, it may use."""
        if self.process is None:
            self.start()
        self.prepare_there("cell", cell, self.our_timeout)
        self.cells.append(("cell", cell, self.our_timeout))

    def define(self, texts: list[str]) -> None:
        """Run definitions whose names nothing there has so far: a student may have run cells in another order.

        If one of them does not end or ends the process, all are left out: it costs no answer that does without.
        """
        self.watch.limit = self.timeout
        with contextlib.suppress(Lost, BeyondLimit):
            self.asked("define", texts)
            self.cells.append(("define", texts, self.timeout))
        self.watch.begin()

    def prepare_there(self, verb: str, what: Any, limit: float) -> None:
        """Send a cell whose answer nobody waits for now, and which may take so many seconds."""
        with contextlib.suppress(Lost):  # the next request says so
            self.send(verb, what)
            self.waiting.append(limit)

    def run(self, cell: str) -> None:
        """Run a cell of the student's."""
        self.watch.limit = self.timeout
        try:
            kind, *answer = self.asked("cell", cell)
        except BaseException as problem:  # noqa: BLE001 (an interrupt, too, ends the other process)
            said = ended(problem)
            self.stopped = self.stopped or f"your own cell above raised {type(said).__name__}: {said}"
            raise said from None
        self.cells.append(("cell", cell, self.timeout))  # what stands above an error in it has run
        if kind == "done":
            self.tell(answer[2])
            return
        self.stopped = self.stopped or f"your own cell above raised {answer[0]}: {answer[1]}"
        raise raised(*answer[:2])

    def call(self, name: str, given: tuple[Any, ...], named: dict[str, Any]) -> Any:
        """Call a function of the student's, and bring back what it returns and what it has changed.

        One that has gone beyond its time in an earlier cell has a third of it now.

        Raises:
            NotChecked: There is no such function.
        """
        noted: list[Any] = []
        self.watch.limit = self.timeout / 3 if name in self.slow else self.timeout
        sent = self.written(list(given), noted), self.written([list(pair) for pair in named.items()], noted)
        try:
            kind, *answer = self.asked("call", name, *sent)
            if kind == "done":
                value, changes = self.read(answer[0]), [(int(at), self.read(part)) for at, part in answer[1]]
        except Exception as problem:  # noqa: BLE001 (whatever comes from there)
            self.stop()
            if isinstance(problem, BeyondLimit):
                self.slow.add(name)
            raise ended(problem) from None
        if kind == "failed":
            if answer[0] == "KeyError" and answer[1] == repr(name):
                why = self.stopped or "no cell of yours defines it"
                raise NotChecked(f"there is no {name}: {why}. So there is nothing to check.")
            raise raised(*answer[:2])
        for at, part in changes:
            change(noted[at], part)
        self.tell(answer[2])
        return value

    def tell(self, text: str) -> None:
        """Print what was printed there.

        Raises:
            Exception: It is too much by now.
        """
        self.printed += len(text)
        if self.printed > MOST_PRINTED:
            raise raised("TooMuchOutput", f"your code printed more than {MOST_PRINTED:,} characters in this cell")
        print(text, end="")

    def function(self, name: str) -> Callable[..., Any]:
        """Return what stands for a function of the student's."""

        def stand_in(*given: Any, **named: Any) -> Any:
            return self.call(name, given, named)

        stand_in.__name__ = stand_in.__qualname__ = name
        return stand_in

    def special(self, value: Any, writes: Callable[[Any], Any]) -> dict[str, Any]:
        """Lend a thing of the checks, or write it down for a copy."""
        kind = type(value)
        if kind.__name__ in COPIED and dataclasses.is_dataclass(value):
            write = writes if kind.__module__ == "__main__" else self.written
            fields = {field.name: write(getattr(value, field.name)) for field in dataclasses.fields(value)}
            return {"copy": [kind.__module__, kind.__name__, fields]}
        if kind.__name__ not in LENT:
            return super().special(value, writes)
        number = self.numbers.setdefault(id(value), len(self.objects))
        if number == len(self.objects):
            self.objects.append(value)
        names = [name for name in LENT[kind.__name__].split() if hasattr(value, name)]
        methods = [name for name in names if callable(getattr(value, name))]
        return {"lent": [number, [name for name in names if name not in methods], methods]}

    def made(self, kind: str, of: Any, reads: Callable[[Any], Any]) -> Any:
        """Return a thing that was lent, or a damping policy of its formula."""
        if kind == "lent" and type(of) is int:
            return self.objects[of]
        if kind == "damping":
            tree, numbers = of
            return damping_of(formula_of(tree["formula"]), {str(key): float(part) for key, part in numbers.items()})
        return super().made(kind, of, reads)

    def serve(self, request: list[Any]) -> tuple[Any, ...]:
        """Give the student's code what is lent: a value, or what a method returns."""
        verb, number, name, given, named = request
        thing = self.objects[number]
        if name and name not in LENT[type(thing).__name__].split():
            raise AttributeError(f"{name} is not lent")
        found = getattr(thing, name) if name else thing
        if verb == "do":
            found = found(*map(self.read, given), **{key: self.read(part) for key, part in named.items()})
        return self.written(found), [], ""


def damping_of(formula: Any, numbers: dict[str, float]) -> Any:
    """Return the damping policy of a formula.

    Raises:
        TypeError: It holds a symbol that is neither the solver's nor a parameter.
    """
    from lessons_lib.pose_ik import Damping

    held = {symbol.name for symbol in formula.free_symbols}
    asked = [name for name in "EVWJ" if any(one == name or one[:1] == name and one[1:].isdigit() for one in held)]

    def rule(**given: Any) -> Any:
        known = {part for name in asked for part in getattr(given[name], "free_symbols", ())}
        known |= {part for name in numbers for part in getattr(given[name], "free_symbols", ())}
        if strange := formula.free_symbols - known:
            raise TypeError(f"the formula holds {strange}")
        return formula

    named = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY) for name in [*asked, *numbers]]
    rule.__signature__ = inspect.Signature(named)  # type: ignore[attr-defined]
    return Damping(rule, **numbers)


def change(mine: Any, after: Any) -> None:
    """Do to an array or a list of the checks what was done to its copy."""
    if isinstance(mine, list) and isinstance(after, list):
        mine[:] = after
    elif isinstance(mine, np.ndarray) and getattr(after, "shape", None) == mine.shape and mine.flags.writeable:
        mine[...] = after


def raised(name: str, text: str) -> Exception:
    """Return an error of the student's process, as one of this name: a stub's is Python's own."""
    if name == "NotImplementedError":
        return NotImplementedError(text)
    return type(name if name.isidentifier() else "Error", (Exception,), {})(text)  # type: ignore[no-any-return]


def limit_own_time(seconds: float) -> None:
    """Stop a check of ours after so much processor time of this process: a student's formula can be endless work."""

    def stop(*_: object) -> None:
        raise NotChecked(f"checking your answer takes more than {seconds:g} s of processor time")

    if hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGPROF, stop)
        signal.setitimer(signal.ITIMER_PROF, seconds)


def ended(problem: BaseException) -> BaseException:
    """Return what to say of a student's process that has ended, or answers with what is no answer."""
    if isinstance(problem, BeyondLimit):
        return raised("BeyondLimit", str(problem))
    if isinstance(problem, Lost):
        return raised("Ended", "your code ended the process that it runs in: it exited, crashed or ran out of memory")
    if isinstance(problem, Exception):
        return raised("Refused", f"your function returned {problem}")
    return problem
