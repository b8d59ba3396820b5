"""Messages between the checks and a student's code: JSON, arrays as `.npy` without pickle, formulas as trees.

Both endpoints send requests and serve them, also while they wait for an answer. Neither trusts its input: it is decoded
by kind, and nothing is evaluated or unpickled.
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
"""Largest message, bytes."""
PLAIN = (type(None), bool, int, float, str)
KINDS = "biufc"
"""Allowed dtype kinds: numbers, no objects."""


class NotSerializable(TypeError):
    """A value cannot be sent."""


class ConnectionLost(EOFError):
    """The other endpoint has ended or sends invalid messages."""


def encode_array(array: np.ndarray[Any, Any]) -> str:
    """Return an array as base64 text.

    Raises:
        NotSerializable: The array contains objects or text, or is too large.
    """
    if array.nbytes > LARGEST // 2:
        raise NotSerializable(f"an array of {array.nbytes / 2**20:.0f} MB")
    if array.dtype.kind not in KINDS:
        raise NotSerializable(f"an array of {array.dtype}; expected an array of numbers")
    file = io.BytesIO()
    np.save(file, np.asarray(array), allow_pickle=False)
    return base64.b64encode(file.getvalue()).decode("ascii")


def decode_array(text: str) -> np.ndarray[Any, Any]:
    """Return the array of a text.

    Raises:
        NotSerializable: It is not an array of numbers.
    """
    array = np.load(io.BytesIO(base64.b64decode(text, validate=True)), allow_pickle=False)
    if type(array) is not np.ndarray or array.dtype.kind not in KINDS:
        raise NotSerializable("not an array of numbers")
    return array


def load_json(data: bytes) -> Any:
    """Parse JSON, replacing lone surrogates, which could not be written anywhere."""
    value = json.loads(data)
    if b"\\ud" not in data and b"\\uD" not in data:
        return value
    return json.loads(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))


class Endpoint:
    """One end of the connection; subclasses override `encode_special`, `decode_special` and `serve`."""

    def __init__(self, incoming: IO[bytes], outgoing: IO[bytes]) -> None:
        """Store the two streams."""
        self.incoming, self.outgoing = incoming, outgoing

    def encode_special(self, value: Any, writes: Callable[[Any], Any]) -> dict[str, Any]:
        """Encode a value that is not a number, text, list, array or formula."""
        raise NotSerializable(
            f"an object of type {type(value).__name__!r}; expected numbers, arrays, text or a list of these"
        )

    def decode_special(self, kind: str, of: Any, reads: Callable[[Any], Any]) -> Any:
        """Decode a value that the other endpoint's `encode_special` wrote."""
        raise NotSerializable(f"something of the kind {kind!r}")

    def serve(self, request: list[Any]) -> Any:
        """Return the answer to a request of the other endpoint, ready to be sent."""
        raise NotSerializable(f"a request {request[0]!r}")

    def encode(self, value: Any, noted: list[Any] | None = None) -> Any:
        """Encode a value for JSON, and append its arrays and lists to `noted` in order.

        Raises:
            NotSerializable: The value cannot be sent.
        """

        def writes(part: Any) -> Any:
            return self.encode(part, noted)

        if type(value) in PLAIN:
            return value
        if isinstance(value, np.bool_):
            return bool(value)
        if isinstance(value, np.generic):
            return {"scalar": encode_array(np.asarray(value))}
        if isinstance(value, (np.ndarray, list)) and noted is not None:
            noted.append(value)
        if isinstance(value, np.ndarray):
            return {"array": encode_array(value)}
        if isinstance(value, (list, tuple)):
            return {"tuple" if isinstance(value, tuple) else "list": [writes(part) for part in value]}
        if formula.is_formula(value):
            return {"formula": formula.tree_of(value)}
        return self.encode_special(value, writes)

    def decode(self, node: Any, noted: list[Any] | None = None) -> Any:
        """Decode a value, and append its arrays and lists to `noted` in the order of `encode`.

        Raises:
            NotSerializable: The value was not made by `encode`.
        """

        def reads(part: Any) -> Any:
            return self.decode(part, noted)

        if type(node) in PLAIN:
            return node
        if not isinstance(node, dict) or len(node) != 1:
            raise NotSerializable("a value that cannot be decoded")
        ((kind, of),) = node.items()
        if kind == "scalar":
            return decode_array(of)[()]
        if kind == "array":
            array = decode_array(of)
            if noted is not None:
                noted.append(array)
            return array
        if kind == "list":
            items: list[Any] = []
            if noted is not None:
                noted.append(items)
            items += map(reads, of)
            return items
        if kind == "tuple":
            return tuple(map(reads, of))
        return formula.formula_of(of) if kind == "formula" else self.decode_special(kind, of, reads)

    def send(self, *message: Any) -> None:
        """Send a message.

        Raises:
            ConnectionLost: The other endpoint has ended.
            NotSerializable: The message is too long.
        """
        data = json.dumps(message).encode("ascii")
        if len(data) > LARGEST:
            raise NotSerializable(f"more than {LARGEST // 2**20} MB at once")
        try:
            self.outgoing.write(struct.pack(">I", len(data)) + data)
            self.outgoing.flush()
        except OSError as problem:
            raise ConnectionLost(str(problem)) from None

    def receive(self) -> list[Any]:
        """Wait for a message.

        Raises:
            ConnectionLost: The other endpoint has ended, or sent an invalid message.
        """
        head = self.incoming.read(4)
        if len(head) < 4:
            raise ConnectionLost("the other process has ended")
        (size,) = struct.unpack(">I", head)
        if size > LARGEST:
            raise ConnectionLost("the message is too long")
        try:
            message = load_json(self.incoming.read(size))
        except (ValueError, RecursionError):
            raise ConnectionLost("invalid message") from None
        if not isinstance(message, list) or not message or not isinstance(message[0], str):
            raise ConnectionLost("invalid message")
        return message

    def ask(self, *request: Any) -> list[Any]:
        """Send a request, serve incoming requests meanwhile, and return ["done", …] or ["failed", …]."""
        self.send(*request)
        while (message := self.receive())[0] not in ("done", "failed"):
            try:
                answer = self.serve(message)
            except (ConnectionLost, KeyboardInterrupt):
                raise
            except BaseException as problem:  # noqa: BLE001 (it crosses as its name and its text)
                self.send("failed", type(problem).__name__, str(problem)[:4000], "", [])
            else:
                self.send("done", *answer)
        return message
