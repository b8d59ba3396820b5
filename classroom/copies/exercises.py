"""Turn an exercise into its student version: no solutions, no hidden checks, no outputs.

The result equals that of `nbgrader generate_assignment`, including locks and checksums, for readers without nbgrader.
"""

import hashlib
from typing import Any

from classroom.copies.names import source_of
from classroom.copies.notebook import Cell, Notebook

STUB = "# YOUR CODE HERE\nraise NotImplementedError('your code is missing here')"
"""Code that replaces a solution."""


def strip_solutions(exercise: Notebook) -> Notebook:
    """Return the exercise without solutions and hidden checks.

    Raises:
        ValueError: A solution or a hidden check stands in a cell that is not marked as one, or does not end.
    """
    return {**exercise, "cells": [_strip_cell(cell) for cell in exercise["cells"]]}


def replace_parts(text: str, part: str, stub: str = "") -> str:
    """Replace each part between BEGIN and END in a cell's text with a stub.

    Raises:
        ValueError: A part has no END, or another part begins inside it.
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


def _strip_cell(cell: Cell) -> Cell:
    about: dict[str, Any] = cell["metadata"].get("nbgrader", {})
    solution, grade = about.get("solution", False), about.get("grade", False)
    locked = not solution and (grade or about.get("locked", False))
    before = source_of(cell)
    text = replace_parts(before, "SOLUTION", STUB)
    if text == before and solution:
        text = STUB
    visible = replace_parts(text, "HIDDEN TESTS")
    if (text != before and not solution) or (visible != text and not grade):
        raise ValueError(f"a solution or a hidden check in a cell that is not marked as one:\n{before}")
    metadata = {**cell["metadata"]}
    if solution or locked:
        locks = {"deletable": False} | ({"editable": False} if locked else {})
        digest = checksum(cell["cell_type"], visible, grade, solution, locked, about)
        metadata |= {**locks, "nbgrader": {**about, "checksum": digest, "cell_type": cell["cell_type"]}}
    emptied: dict[str, Any] = {"outputs": [], "execution_count": None} if cell["cell_type"] == "code" else {}
    return {**cell, **emptied, "metadata": metadata, "source": visible.splitlines(keepends=True)}


def checksum(kind: str, text: str, grade: bool, solution: bool, locked: bool, about: dict[str, Any]) -> str:
    """Return nbgrader's checksum, by which it recognizes an unchanged cell."""
    fields = [text, kind, str(grade), str(solution), str(locked), about["grade_id"]]
    points = [str(float(about["points"]))] if grade else []
    return hashlib.md5("".join([*fields, *points]).encode(), usedforsecurity=False).hexdigest()
