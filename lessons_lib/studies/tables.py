"""Tables of results: rows with named fields, printed as text and as Markdown."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lessons_lib.errors import ParameterError
from lessons_lib.other_libraries import suggest_arguments

__all__ = [
    "Table",
]

Cell = str | int | float | None
Columns = Sequence[str] | Mapping[str, str]


@suggest_arguments
@dataclass(frozen=True, kw_only=True)
class Table:
    """Rows with named fields.

    >>> from lessons_lib import studies
    >>> table = studies.Table(columns={"n": "number", "t": "time [s]"}, rows=[{"n": 12000, "t": 0.25}])
    >>> print(table.as_text())
    number  time [s]
    12,000     0.250

    Attributes:
        columns: Heading of each field that is shown by default, in order.
        rows: The rows, each a mapping from fields to cells; a row may have more fields than `columns`.
    """

    columns: Mapping[str, str] = field(repr=False)
    rows: Sequence[Mapping[str, Cell]] = field(repr=False)

    def select(self, **where: Cell) -> list[Mapping[str, Cell]]:
        """Return the rows whose fields have the given values, in order.

        Raises:
            ParameterError: Unknown field, or no such row.
        """
        self._check_fields(where)
        selected = [row for row in self.rows if all(row[name] == value for name, value in where.items())]
        if not selected:
            there = [{name: row[name] for name in where} for row in self.rows]
            raise ParameterError(f"no row has {where}; valid are {there}")
        return selected

    def value(self, field: str, **where: Cell) -> float:
        """Return the number in one cell.

        Raises:
            ParameterError: An unknown field, not exactly one such row, or a cell without a number.
        """
        self._check_fields([field])
        rows = self.select(**where)
        if len(rows) > 1:
            raise ParameterError(f"{where} must select one row, got {len(rows)}")
        if not isinstance(value := rows[0][field], (int, float)):
            raise ParameterError(f"{field!r} of {where} must be a number, got {value!r}")
        return value

    def as_text(self, columns: Columns | None = None, **where: Cell) -> str:
        """Return aligned columns with a heading; see `as_markdown`."""
        cells, numeric = self._cells(columns, where)
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        forms = [f"{'>' if number else '<'}{width}" for number, width in zip(numeric, widths, strict=True)]
        return "\n".join("  ".join(map(format, line, forms)).rstrip() for line in cells)

    def as_markdown(self, columns: Columns | None = None, **where: Cell) -> str:
        """Return a Markdown table: integers with commas, three digits of other numbers, a dash for None.

        Args:
            columns: Fields to show, in order, or a mapping from fields to other headings; all columns by default.
            **where: As in `select`; all rows by default.

        Raises:
            ParameterError: As `select`.
        """
        cells, numeric = self._cells(columns, where)
        heading, *body = [f"| {' | '.join(line)} |" for line in cells]
        return "\n".join([heading, f"|{'|'.join('--:' if number else '---' for number in numeric)}|", *body])

    def _cells(self, columns: Columns | None, where: Mapping[str, Cell]) -> tuple[list[list[str]], list[bool]]:
        """Return the cells with the heading, and whether each column is numeric."""
        names = self.columns if columns is None else columns
        headings = names if isinstance(names, Mapping) else {name: self.columns.get(name, name) for name in names}
        self._check_fields(headings)
        rows = self.select(**where)
        numeric = [all(not isinstance(row[name], str) for row in rows) for name in headings]
        return [list(headings.values()), *([cell_text(row[name]) for name in headings] for row in rows)], numeric

    def _check_fields(self, names: Columns | Mapping[str, Cell]) -> None:
        for name in names:
            if name not in self.rows[0]:
                raise ParameterError(f"no column {name!r}; valid are {', '.join(self.rows[0])}")


def cell_text(value: Cell) -> str:
    """Return a cell: integers with commas, three digits of other numbers, a dash for None."""
    if value is None:
        return "–"
    if isinstance(value, str):
        return value
    if isinstance(value, int) or abs(value) >= 100.0:
        return f"{value:,.0f}"
    return f"{value:#.3g}".rstrip(".")


def over(function: Callable[[Any], Any], values: Any) -> float | None:
    """Return a mean or median as a float; None over nothing."""
    return float(function(values)) if len(values) else None
