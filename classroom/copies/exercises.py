"""Turn an exercise into what a student gets: no solution, no hidden check, no output.

It is what `nbgrader generate_assignment` makes of it, locks and checksums too, for readers, who have no nbgrader.
"""

import hashlib
from typing import Any

from classroom.copies.names import source_of
from classroom.copies.notebook import Cell, Notebook

STUB = "# YOUR CODE HERE\nraise NotImplementedError('your code is missing here')"
"""What stands in the place of a solution."""


def released(exercise: Notebook) -> Notebook:
    """Return the exercise without solutions and hidden checks.

    Raises:
        ValueError: A solution or a hidden check stands in a cell that is not marked as one, or does not end.
    """
    return {**exercise, "cells": [_released(cell) for cell in exercise["cells"]]}


def without(text: str, part: str, stub: str = "") -> str:
    """Return a cell's text with a stub for each part that stands between BEGIN and END.

    Raises:
        ValueError: A part does not end, or another one begins in it.
    """
    kept, inside = [], False
    for line in text.split("\n"):
        if (begins := f"BEGIN {part}" in line) or f"END {part}" in line:
            if begins == inside:
                break
            inside = begins
            indent = line[: len(line) - len(line.lstrip())]
            kept += [indent + row for row in stub.split("\n") if begins and stub]
        elif not inside:
            kept.append(line)
    else:
        if not inside:
            return "\n".join(kept)
    raise ValueError(f"a {part.lower()} that does not begin and end in turn:\n{text}")


def _released(cell: Cell) -> Cell:
    about: dict[str, Any] = cell["metadata"].get("nbgrader", {})
    solution, grade = about.get("solution", False), about.get("grade", False)
    locked = not solution and (grade or about.get("locked", False))
    before = source_of(cell)
    text = without(before, "SOLUTION", STUB)
    if text == before and solution:
        text = STUB
    shown = without(text, "HIDDEN TESTS")
    if (text != before and not solution) or (shown != text and not grade):
        raise ValueError(f"a solution or a hidden check in a cell that is not marked as one:\n{before}")
    metadata = {**cell["metadata"]}
    if solution or locked:
        locks = {"deletable": False} | ({"editable": False} if locked else {})
        digest = checksum(cell["cell_type"], shown, grade, solution, locked, about)
        metadata |= {**locks, "nbgrader": {**about, "checksum": digest, "cell_type": cell["cell_type"]}}
    emptied: dict[str, Any] = {"outputs": [], "execution_count": None} if cell["cell_type"] == "code" else {}
    return {**cell, **emptied, "metadata": metadata, "source": shown.splitlines(keepends=True)}


def checksum(kind: str, text: str, grade: bool, solution: bool, locked: bool, about: dict[str, Any]) -> str:
    """Return by what nbgrader sees that a cell is as it was handed out."""
    told = [text, kind, str(grade), str(solution), str(locked), about["grade_id"]]
    points = [str(float(about["points"]))] if grade else []
    return hashlib.md5("".join([*told, *points]).encode(), usedforsecurity=False).hexdigest()
