"""What the benchmarks measured, out of the JSON file in which they left it: rows, a table, and its caption.

The files are data of this package: a lesson finds them wherever it runs.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import date
from importlib.resources import files
from pathlib import Path
from typing import Any

from lessons_lib.errors import ParameterError
from lessons_lib.paths import folder_path
from lessons_lib.studies.tables import markdown_table

__all__ = [
    "MEASURED",
    "Measurement",
    "read_measurement",
]

Cell = str | int | float | None

REMEDY = "`make bench` writes it anew"

MEASURED = Path(str(files("lessons_lib.studies") / "measured"))
"""The folder of what was measured: `make bench` writes there, NAME.json for each benchmark."""


@dataclass(frozen=True)
class Measurement:
    """One claim's table.

    Attributes:
        name: Of the benchmark.
        claim: What was measured, in a sentence.
        date: When, as 2026-11-21.
        machine: Processor, cores, and system.
        versions: Version of Python, of the library's ground and of each peer, by distribution.
        settings: What was asked: number of poses, tolerances, and so on.
        columns: Heading of each field of a row, in order.
        rows: The table.
        missing: Peers that could not take part, each with the reason.
        notes: Sentences below the table.
        series: More than a table holds, such as histograms and curves.
    """

    name: str
    claim: str
    date: str
    machine: Mapping[str, str | int]
    versions: Mapping[str, str]
    settings: Mapping[str, Cell]
    columns: Mapping[str, str] = field(repr=False)
    rows: Sequence[Mapping[str, Cell]] = field(repr=False)
    missing: Mapping[str, str]
    notes: Sequence[str] = field(repr=False)
    series: Mapping[str, Any] = field(repr=False)

    def select(self, **where: Cell) -> list[Mapping[str, Cell]]:
        """Return the rows whose fields have the given values, in order.

        Raises:
            ParameterError: A field that the table does not have, or no such row.
        """
        self._check_fields(where)
        found = [row for row in self.rows if all(row[name] == value for name, value in where.items())]
        if not found:
            there = [{name: row[name] for name in where} for row in self.rows]
            raise ParameterError(f"{self.name} has no row with {where}; there are {there}")
        return found

    def value(self, field: str, **where: Cell) -> float:
        """Return the number in one cell.

        Raises:
            ParameterError: An unknown field, not exactly one such row, or a cell without a number.
        """
        return float(self._number(field, where))

    def text(self, field: str, **where: Cell) -> str:
        """Return the number in one cell as a table shows it, three digits of it.

        Raises:
            ParameterError: As `value`.
        """
        return _format(self._number(field, where))

    def as_markdown(self, columns: Sequence[str] | None = None, **where: Cell) -> str:
        """Return a Markdown table, a dash where there is no number.

        Args:
            columns: Fields to show, in order; all when left out.
            **where: As in `select`; all rows when left out.

        Raises:
            ParameterError: As `select`.
        """
        text = list(self.columns) if columns is None else list(columns)
        self._check_fields(text)
        rows = self.select(**where)
        numeric = [all(not isinstance(row[name], str) for row in rows) for name in text]
        cells = [[_format(row[name]) for name in text] for row in rows]
        return markdown_table([[self.columns[name] for name in text], *cells], numeric)

    def caption(self) -> str:
        """Return when, on what machine, and with what Python it was measured, and who was missing."""
        day = date.fromisoformat(self.date)
        host = f"{self.machine['processor']}, {self.machine['cores']} cores, {self.machine['system']}"
        absent = f" Missing: {', '.join(self.missing)}." if self.missing else ""
        return f"Measured on {day.day} {day:%B %Y}: {host}, Python {self.versions['python']}.{absent}"

    def _number(self, field: str, where: Mapping[str, Cell]) -> int | float:
        self._check_fields([field])
        found = self.select(**where)
        if len(found) > 1:
            raise ParameterError(f"{self.name} has {len(found)} rows with {where}; name one")
        value = found[0][field]
        if not isinstance(value, (int, float)):
            raise ParameterError(f"{field!r} of {where} in {self.name} is {value!r}, not a number")
        return value

    def _check_fields(self, names: Sequence[str] | Mapping[str, Cell]) -> None:
        for name in names:
            if name not in self.columns:
                raise ParameterError(f"{self.name} has no column {name!r}; there are {', '.join(self.columns)}")


def read_measurement(name: str, folder: str | Path = MEASURED) -> Measurement:
    """Return what a benchmark measured.

    Args:
        name: Of the benchmark, as "one_pose".
        folder: Where it left its JSON file; the package's own if left out.

    Raises:
        ParameterError: There is no such file, or it is not a benchmark's.
    """
    place = folder_path(folder) / f"{name}.json"
    try:
        found = json.loads(place.read_text(encoding="utf8"))
    except OSError as error:
        raise ParameterError(f"cannot read {place}: {error.strerror}; {REMEDY}") from error
    except ValueError as error:
        raise ParameterError(f"{place} is not JSON: {error}; {REMEDY}") from error
    names = [field.name for field in fields(Measurement)]
    absent = [name for name in names if not isinstance(found, dict) or name not in found]
    if absent:
        raise ParameterError(f"{place} is no benchmark's result, it lacks {', '.join(absent)}; {REMEDY}")
    return Measurement(**{name: found[name] for name in names})


def _format(value: Cell) -> str:
    """Return a cell: whole numbers with commas, three digits of others, a dash where there is none."""
    if value is None:
        return "–"
    if isinstance(value, str):
        return value
    if isinstance(value, int) or abs(value) >= 100.0:
        return f"{value:,.0f}"
    return f"{value:#.3g}".rstrip(".")
