"""One mutant, whoever makes it and whoever judges it."""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Mutant:
    """One change of one symbol.

    Attributes:
        file: Which file is changed, from the repository's root.
        function: In which function or class; empty where it is in none.
        operator: What is done to it.
        line: Where, from 1.
        first: First line of the innermost statement around it.
        last: Last line of that statement; of one with a block, of what stands before the block.
        was: The line as it stands, or its changed part where it is broken into several, without indentation.
        becomes: What takes its place.
        text: The whole text of the changed file.
    """

    file: str
    function: str
    operator: str
    line: int
    first: int
    last: int
    was: str
    becomes: str
    text: str

    @property
    def key(self) -> str:
        """The name of the mutant, the same as long as the lines are; two like ones in a function are told apart."""
        return key_of(self.file, self.function, self.was, self.becomes)

    def about(self) -> dict[str, Any]:
        """Return what a table says of it."""
        left_out = ("text", "first", "last")
        return {"key": self.key} | {k: v for k, v in asdict(self).items() if k not in left_out}


def key_of(file: str, function: str, was: str, becomes: str) -> str:
    """Return a mutant's name."""
    return hashlib.sha256(f"{file}\0{function}\0{was}\0{becomes}".encode()).hexdigest()[:12]
