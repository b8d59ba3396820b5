"""What goes between the checks and a student's code: text in JSON, arrays as `.npy` without pickle, formulas as trees.

Both ends ask and answer, also while they wait for an answer themselves. Neither trusts what comes: it is read by
kind, one by one, and nothing of it is evaluated or unpickled.
"""

import base64
import io
import json
import struct
from collections.abc import Callable
from typing import IO, Any

import numpy as np

from classroom.grading import formula

LARGEST = 2**26
"""Bytes of a message."""
PLAIN = (type(None), bool, int, float, str)
KINDS = "biufc"
"""Kinds of numbers that an array may hold: no objects."""


class Refused(TypeError):
    """Something that does not cross."""


class Lost(EOFError):
    """The other end is gone, or speaks another language."""


def array_text(array: np.ndarray[Any, Any]) -> str:
    """Return an array as text.

    Raises:
        Refused: It holds objects, or text, or too much.
    """
    if array.nbytes > LARGEST // 2:
        raise Refused(f"an array of {array.nbytes / 2**20:.0f} MB")
    if array.dtype.kind not in KINDS:
        raise Refused(f"an array of {array.dtype}; expected an array of numbers")
    file = io.BytesIO()
    np.save(file, np.asarray(array), allow_pickle=False)
    return base64.b64encode(file.getvalue()).decode("ascii")


def text_array(text: str) -> np.ndarray[Any, Any]:
    """Return the array of a text.

    Raises:
        Refused: It is none of numbers.
    """
    found = np.load(io.BytesIO(base64.b64decode(text, validate=True)), allow_pickle=False)
    if type(found) is not np.ndarray or found.dtype.kind not in KINDS:
        raise Refused("no array of numbers")
    return found


def without_halves(data: bytes) -> Any:
    """Return what a text in JSON says, without halves of characters, which could not be written anywhere."""
    found = json.loads(data)
    if b"\\ud" not in data and b"\\uD" not in data:
        return found
    return json.loads(json.dumps(found, ensure_ascii=False).encode("utf-8", "replace"))


class End:
    """One end of the line; each of the two adds what it alone knows by `special`, `made` and `serve`."""

    def __init__(self, incoming: IO[bytes], outgoing: IO[bytes]) -> None:
        """Take the two streams."""
        self.incoming, self.outgoing = incoming, outgoing

    def special(self, value: Any, writes: Callable[[Any], Any]) -> dict[str, Any]:
        """Return how a value is written that is neither numbers, text, a list, an array nor a formula."""
        raise Refused(f"an object of type {type(value).__name__!r}; expected numbers, arrays, text or a list of these")

    def made(self, kind: str, of: Any, reads: Callable[[Any], Any]) -> Any:
        """Return what `special` of the other end has written."""
        raise Refused(f"something of the kind {kind!r}")

    def serve(self, request: list[Any]) -> Any:
        """Return the answer to a request of the other end, as it is sent."""
        raise Refused(f"a request {request[0]!r}")

    def written(self, value: Any, noted: list[Any] | None = None) -> Any:
        """Return a value as JSON holds it, and note its arrays and lists in order.

        Raises:
            Refused: It does not cross.
        """

        def writes(part: Any) -> Any:
            return self.written(part, noted)

        if type(value) in PLAIN:
            return value
        if isinstance(value, np.bool_):
            return bool(value)
        if isinstance(value, np.generic):
            return {"scalar": array_text(np.asarray(value))}
        if isinstance(value, (np.ndarray, list)) and noted is not None:
            noted.append(value)
        if isinstance(value, np.ndarray):
            return {"array": array_text(value)}
        if isinstance(value, (list, tuple)):
            return {"tuple" if isinstance(value, tuple) else "list": [writes(part) for part in value]}
        if formula.is_formula(value):
            return {"formula": formula.tree_of(value)}
        return self.special(value, writes)

    def read(self, node: Any, noted: list[Any] | None = None) -> Any:
        """Return the value of what has come, and note its arrays and lists in the order of `written`.

        Raises:
            Refused: It is nothing that crosses.
        """

        def reads(part: Any) -> Any:
            return self.read(part, noted)

        if type(node) in PLAIN:
            return node
        if not isinstance(node, dict) or len(node) != 1:
            raise Refused("a value that cannot be read")
        ((kind, of),) = node.items()
        if kind == "scalar":
            return text_array(of)[()]
        if kind == "array":
            array = text_array(of)
            if noted is not None:
                noted.append(array)
            return array
        if kind == "list":
            found: list[Any] = []
            if noted is not None:
                noted.append(found)
            found += map(reads, of)
            return found
        if kind == "tuple":
            return tuple(map(reads, of))
        return formula.formula_of(of) if kind == "formula" else self.made(kind, of, reads)

    def send(self, *message: Any) -> None:
        """Send a message.

        Raises:
            Lost: The other end is gone.
            Refused: The message is too long.
        """
        data = json.dumps(message).encode("ascii")
        if len(data) > LARGEST:
            raise Refused(f"more than {LARGEST // 2**20} MB at once")
        try:
            self.outgoing.write(struct.pack(">I", len(data)) + data)
            self.outgoing.flush()
        except OSError as problem:
            raise Lost(str(problem)) from None

    def receive(self) -> list[Any]:
        """Wait for a message.

        Raises:
            Lost: The other end is gone, or what comes is no message.
        """
        head = self.incoming.read(4)
        if len(head) < 4:
            raise Lost("the other end is gone")
        (size,) = struct.unpack(">I", head)
        if size > LARGEST:
            raise Lost("a message is too long")
        try:
            message = without_halves(self.incoming.read(size))
        except (ValueError, RecursionError):
            raise Lost("what comes is no message") from None
        if not isinstance(message, list) or not message or not isinstance(message[0], str):
            raise Lost("what comes is no message")
        return message

    def ask(self, *request: Any) -> list[Any]:
        """Send a request, serve what is asked meanwhile, and return the answer: ["done", …] or ["failed", …]."""
        self.send(*request)
        while (message := self.receive())[0] not in ("done", "failed"):
            try:
                answer = self.serve(message)
            except (Lost, KeyboardInterrupt):
                raise
            except BaseException as problem:  # noqa: BLE001 (it crosses as its name and its text)
                self.send("failed", type(problem).__name__, str(problem)[:4000], "", [])
            else:
                self.send("done", *answer)
        return message
