"""Denavit-Hartenberg tables as somebody types them: from a text file to a chain.

A line a joint, `a alpha d [theta] [lower upper] [revolute|prismatic|fixed]`, in m and rad; numbers are like 0.5, -pi/2,
3π/4 or 90°, and # begins a comment. In a page `course/bring_your_robot/dh.ts` reads the same; a test compares the two.
"""

from __future__ import annotations

import math
import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from os import PathLike
from typing import Literal

from lessons_lib.errors import ParameterError, decimal_comma
from lessons_lib.paths import input_file
from lessons_lib.robots.chain import Chain
from lessons_lib.robots.denavit_hartenberg import JOINT_TYPES, from_dh

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.IGNORECASE | re.ASCII)
TURN = re.compile(r"([+-]?)(\d*\.?\d*)\*?(?:pi|π)(?:/(\d+\.?\d*))?", re.IGNORECASE | re.ASCII)
COUNTS = range(3, 7)
"""How many numbers a row may have."""

LARGEST = 1e9
"""Of a number in a table, m or rad."""


def load_dh(path: str | PathLike[str], convention: Literal["standard", "modified"] = "standard") -> Chain:
    """Return the chain of a Denavit-Hartenberg table in a text file; its name is the file's.

    Args:
        path: The file, UTF-8 or UTF-16: a line a joint, a α d, then perhaps θ, two limits, and "prismatic" or "fixed";
            m and rad. Numbers have a decimal point; blanks, semicolons or commas separate them.
        convention: "standard" or "modified" (Craig), as in `from_dh`.

    Raises:
        ParameterError: The file cannot be read, or a line is no row of a table; the message names the line.
        ConventionError: Unknown convention, or no row that moves.
        LimitsError: As in `from_dh`.
    """
    file = input_file(path)
    try:
        rows, limits, types = read_rows(_decoded(file.read_bytes()))
    except OSError as error:
        raise ParameterError(f"{str(file)!r} cannot be read: {error.strerror or error}") from error
    except ParameterError as error:
        raise ParameterError(f"{str(file)!r}: {error}") from error
    return from_dh(rows, convention, limits=limits or None, name=file.stem, joint_types=types, length_unit="m")


def _decoded(content: bytes) -> str:
    """Return a text in UTF-8, or in UTF-16 with a byte order mark.

    Raises:
        ParameterError: It is neither.
    """
    encoding = "utf-16" if content.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else "utf-8-sig"
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        raise ParameterError("it is not text in UTF-8; save the table as UTF-8") from error
    if "\0" in text:
        raise ParameterError("it holds NUL characters, as UTF-16 without a byte order mark does; save it as UTF-8")
    return text


def read_rows(text: str) -> tuple[list[list[float]], list[list[float]], list[str]]:
    """Return the rows (a, α, d, θ) of a table, m and rad, the limits of the joints that move, and all joint types.

    Raises:
        ParameterError: A line is no row, or there is none.
    """
    rows, limits, types = [], [], []
    for number, line in enumerate(text.splitlines(), 1):
        line = line.partition("#")[0]
        words = re.sub("[,;|]", " ", line).split()
        if not words:
            continue
        if typed := decimal_comma(line, COUNTS):
            raise ParameterError(
                f"line {number} holds {typed!r}, a number with a decimal comma; write {typed.replace(',', '.')!r}, and "
                "a blank after a comma between numbers"
            )
        types.append(words.pop() if words[-1] in JOINT_TYPES else "revolute")
        values = [_number(word, number) for word in words]
        if len(values) not in COUNTS:
            raise ParameterError(
                f"line {number} has {len(values)} numbers; a row is a α d, or a α d θ, "
                "and after these two more are the limits"
            )
        row, bounds = (values[:-2], values[-2:]) if len(values) > 4 else (values, [-math.inf, math.inf])
        rows.append([*row, 0.0][:4])
        if types[-1] != "fixed":
            limits.append(bounds)
    if not rows:
        raise ParameterError("there is no row; a line a joint: a α d, in m and rad")
    return rows, limits, types


def _number(typed: str, line: int) -> float:
    """Return a number as it is typed: 0.5, π/2, -3pi/4, or 90°."""
    word = typed.replace("−", "-")
    plain = word.removesuffix("°")
    if NUMBER.fullmatch(plain):
        value = float(plain) * (math.pi / 180.0 if word != plain else 1.0)
    elif (turn := TURN.fullmatch(word)) and turn[2] != "." and float(turn[3] or 1):
        value = float(f"{turn[1]}{turn[2] or 1}") * math.pi / float(turn[3] or 1)
    else:
        value = math.nan
    if not abs(value) <= LARGEST:
        raise ParameterError(f"line {line} holds {typed!r}; numbers are like 0.5, -pi/2 or 90°")
    return value
