"""Denavit-Hartenberg tables in text files."""
# Each line describes a joint: `a alpha d [theta] [lower upper] [revolute|prismatic|fixed]`, in m and rad; numbers are
# 0.5, -pi/2, 3π/4 or 90°, and # begins a comment. `course/bring_your_robot/dh.ts` reads the same; a test compares both.

from __future__ import annotations

import math
import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from os import PathLike
from typing import Literal

from lessons_lib.errors import ParameterError, decimal_comma
from lessons_lib.other_libraries import suggest_arguments
from lessons_lib.paths import input_file
from lessons_lib.robots.chain import Chain
from lessons_lib.robots.denavit_hartenberg import JOINT_TYPES, from_dh

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.IGNORECASE | re.ASCII)
TURN = re.compile(r"([+-]?)(\d*\.?\d*)\*?(?:pi|π)(?:/(\d+\.?\d*))?", re.IGNORECASE | re.ASCII)
COUNTS = range(3, 7)
"""Valid numbers of values in a row."""

LARGEST = 1e9
"""Largest number in a table, m or rad."""


@suggest_arguments
def load_dh(path: str | PathLike[str], convention: Literal["standard", "modified"] = "standard") -> Chain:
    r"""Return the chain of a Denavit-Hartenberg table in a text file; its name is that of the file.

    >>> import tempfile
    >>> from lessons_lib import robots
    >>> with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
    ...     file.write("0 pi/2 0.3\n0.4 0 0 -90° 90°\n") and file.flush()
    ...     arm = robots.load_dh(file.name)
    >>> arm.dof
    2

    Args:
        path: The file, UTF-8 or UTF-16, one line for each joint: a α d, optionally θ, two limits, and "prismatic" or
            "fixed"; m and rad. Numbers have a decimal point, and are separated by blanks, semicolons or commas.
        convention: "standard" or "modified" (Craig), as in `from_dh`.

    Raises:
        ParameterError: The file cannot be read, or a line is not a row of a table; the message names the line.
        ConventionError: Unknown convention, or all rows are fixed.
        LimitsError: As in `from_dh`.
    """
    file = input_file(path)
    try:
        rows, limits, types = read_rows(_decode(file.read_bytes()))
    except OSError as error:
        raise ParameterError(f"{str(file)!r} cannot be read: {error.strerror or error}") from error
    except ParameterError as error:
        raise ParameterError(f"{str(file)!r}: {error}") from error
    return from_dh(rows, convention, limits=limits or None, name=file.stem, joint_types=types, length_unit="m")


def _decode(content: bytes) -> str:
    """Decode UTF-8, or UTF-16 with a byte order mark; raise ParameterError for anything else."""
    encoding = "utf-16" if content.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else "utf-8-sig"
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        raise ParameterError("the file must be text in UTF-8; save it as UTF-8") from error
    if "\0" in text:
        raise ParameterError("the file contains NUL characters, as UTF-16 without a byte order mark; save it as UTF-8")
    return text


def read_rows(text: str) -> tuple[list[list[float]], list[list[float]], list[str]]:
    """Return the rows (a, α, d, θ), m and rad, the limits of the joints that move, and all joint types."""
    rows, limits, types = [], [], []
    for number, line in enumerate(text.splitlines(), 1):
        line = line.partition("#")[0]
        words = re.sub("[,;|]", " ", line).split()
        if not words:
            continue
        if typed := decimal_comma(line, COUNTS):
            raise ParameterError(
                f"line {number} has a decimal comma in {typed!r}; write {typed.replace(',', '.')!r}, and a blank after "
                "a comma between numbers"
            )
        types.append(words.pop() if words[-1] in JOINT_TYPES else "revolute")
        values = [_number(word, number) for word in words]
        if len(values) not in COUNTS:
            raise ParameterError(
                f"line {number} must have 3 to 6 numbers: a α d, or a α d θ, then optionally two limits; "
                f"got {len(values)}"
            )
        row, bounds = (values[:-2], values[-2:]) if len(values) > 4 else (values, [-math.inf, math.inf])
        rows.append([*row, 0.0][:4])
        if types[-1] != "fixed":
            limits.append(bounds)
    if not rows:
        raise ParameterError("the table has no row; write one line for each joint: a α d, in m and rad")
    return rows, limits, types


def _number(typed: str, line: int) -> float:
    """Return the value of 0.5, π/2, -3pi/4 or 90°."""
    word = typed.replace("−", "-")
    plain = word.removesuffix("°")
    if NUMBER.fullmatch(plain):
        value = float(plain) * (math.pi / 180.0 if word != plain else 1.0)
    elif (turn := TURN.fullmatch(word)) and turn[2] != "." and float(turn[3] or 1):
        value = float(f"{turn[1]}{turn[2] or 1}") * math.pi / float(turn[3] or 1)
    else:
        value = math.nan
    if not abs(value) <= LARGEST:
        raise ParameterError(
            f"numbers must be such as 0.5, -pi/2 or 90°, got {typed!r} in line {line}; begin a comment with #"
        )
    return value
