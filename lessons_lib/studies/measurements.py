"""Results of the benchmarks, read from their JSON files, as rows, a table and its caption."""

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

REMEDY = "run `make bench` to write it again"

MEASURED = Path(str(files("lessons_lib.studies") / "measured"))
"""Folder of the results: `make bench` writes NAME.json there for each benchmark."""


@dataclass(frozen=True)
class Measurement:
    """The results of one benchmark.

    Attributes:
        name: Name of the benchmark.
        claim: The measured quantity, in a sentence.
        date: Date as 2026-11-21.
        machine: Processor, cores, and system.
        versions: Versions of Python, of the library's dependencies and of each peer, by distribution.
        settings: Settings of the benchmark: number of poses, tolerances, and so on.
        columns: Heading of each field of a row, in order.
        rows: The table.
        missing: Peers that were not measured, each with the reason.
        notes: Sentences below the table.
        series: Data beyond the table, such as histograms and curves.
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
            ParameterError: Unknown field, or no such row.
        """
        self._check_fields(where)
        found = [row for row in self.rows if all(row[name] == value for name, value in where.items())]
        if not found:
            there = [{name: row[name] for name in where} for row in self.rows]
            raise ParameterError(f"{self.name} has no row with {where}; valid are {there}")
        return found

    def value(self, field: str, **where: Cell) -> float:
        """Return the number in one cell.

        Raises:
            ParameterError: An unknown field, not exactly one such row, or a cell without a number.
        """
        return float(self._number(field, where))

    def text(self, field: str, **where: Cell) -> str:
        """Return the number in one cell as text, rounded to three digits as in the table.

        Raises:
            ParameterError: As `value`.
        """
        return _format(self._number(field, where))

    def as_markdown(self, columns: Sequence[str] | None = None, **where: Cell) -> str:
        """Return a Markdown table, a dash for None.

        Args:
            columns: Fields to show, in order; all by default.
            **where: As in `select`; all rows by default.

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
        """Return date, machine, Python version and missing peers of the measurement."""
        day = date.fromisoformat(self.date)
        host = f"{self.machine['processor']}, {self.machine['cores']} cores, {self.machine['system']}"
        absent = f" Missing: {', '.join(self.missing)}." if self.missing else ""
        return f"Measured on {day.day} {day:%B %Y}: {host}, Python {self.versions['python']}.{absent}"

    def _number(self, field: str, where: Mapping[str, Cell]) -> int | float:
        self._check_fields([field])
        found = self.select(**where)
        if len(found) > 1:
            raise ParameterError(f"{where} must select one row of {self.name}, got {len(found)}")
        value = found[0][field]
        if not isinstance(value, (int, float)):
            raise ParameterError(f"{field!r} of {where} in {self.name} must be a number, got {value!r}")
        return value

    def _check_fields(self, names: Sequence[str] | Mapping[str, Cell]) -> None:
        for name in names:
            if name not in self.columns:
                raise ParameterError(f"{self.name} has no column {name!r}; valid are {', '.join(self.columns)}")


def read_measurement(name: str, folder: str | Path = MEASURED) -> Measurement:
    """Return the results of a benchmark.

    >>> from lessons_lib import studies
    >>> studies.read_measurement("one_pose").name
    'one_pose'

    Args:
        name: Name of the benchmark, as "one_pose".
        folder: Folder of its JSON file; the package's own by default.

    Raises:
        ParameterError: The file does not exist, or is not that of a benchmark.
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
        raise ParameterError(f"{place} must be a benchmark's result, but lacks {', '.join(absent)}; {REMEDY}")
    return Measurement(**{name: found[name] for name in names})


def _format(value: Cell) -> str:
    """Return a cell: integers with commas, three digits of other numbers, a dash for None."""
    if value is None:
        return "–"
    if isinstance(value, str):
        return value
    if isinstance(value, int) or abs(value) >= 100.0:
        return f"{value:,.0f}"
    return f"{value:#.3g}".rstrip(".")
