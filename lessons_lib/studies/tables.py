"""Tables as aligned text, Markdown and comma-separated values."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import asdict, fields
from io import StringIO
from typing import Any


def text_table(lines: Sequence[Sequence[str]]) -> str:
    """Return aligned columns; columns with numbers are aligned to the right."""
    aligned = []
    for column in zip(*lines, strict=True):
        width, number = max(map(len, column)), any(cell[:1].isdigit() for cell in column)
        aligned.append([f"{cell:>{width}}" if number else f"{cell:{width}}" for cell in column])
    return "\n".join("  ".join(line).rstrip() for line in zip(*aligned, strict=True))


def markdown_table(lines: Sequence[Sequence[str]], numeric: Sequence[bool]) -> str:
    """Return a Markdown table, the first line its heading; numeric columns are aligned to the right."""
    heading, *body = [f"| {' | '.join(line)} |" for line in lines]
    return "\n".join([heading, f"|{'|'.join('--:' if number else '---' for number in numeric)}|", *body])


def csv_table(kind: type, rows: Sequence[Any]) -> str:
    """Return dataclasses of one kind as comma-separated values with a header, an empty cell for None."""
    stream = StringIO()
    writer = csv.DictWriter(stream, [field.name for field in fields(kind)], lineterminator="\n")
    writer.writeheader()
    writer.writerows(asdict(row) for row in rows)
    return stream.getvalue().rstrip("\n")
