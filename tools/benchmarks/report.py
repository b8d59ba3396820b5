"""Table of a benchmark, printed for people and written as JSON for the lessons."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from lessons_lib.course.measurements import MEASURED
from lessons_lib.studies.tables import Cell as Cell
from lessons_lib.studies.tables import Table, cell_text
from tools.benchmarks import machine

INNERMOST = re.compile(r"\[[^][{}\"]*\]|\{[^][{}]*\}")
"""Lists of numbers, and objects that hold no others: each takes one line of the file, as a row of a table does."""


@dataclass(frozen=True)
class Report:
    """Results of a script.

    Attributes:
        name: Name of the script, and of the JSON file.
        claim: The measured quantity, in a sentence.
        columns: Heading of each field of a row, in the order of the table.
        rows: The table.
        settings: Settings: number of poses, tolerances, and so on.
        missing: Peers that were not measured, each with the reason.
        notes: Sentences below the table.
        series: Data beyond the table, such as histograms and curves.
    """

    name: str
    claim: str
    columns: Mapping[str, str]
    rows: Sequence[Mapping[str, Cell]]
    settings: Mapping[str, Cell] = field(default_factory=dict)
    missing: Mapping[str, str] = field(default_factory=dict)
    notes: Sequence[str] = ()
    series: Mapping[str, Any] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """Return all of it with date, machine and versions, floats rounded to four digits."""
        return {
            "name": self.name,
            "claim": self.claim,
            "date": datetime.now(UTC).date().isoformat(),
            "machine": machine.describe(),
            "versions": machine.versions(),
            "settings": dict(self.settings),
            "columns": dict(self.columns),
            "rows": [{name: _round(row.get(name)) for name in self.columns} for row in self.rows],
            "missing": dict(self.missing),
            "notes": list(self.notes),
            "series": dict(self.series),
        }

    def as_text(self) -> str:
        """Return the table with claim, machine, peers that are missing, and notes."""
        host = machine.describe()
        table = Table(columns=self.columns, rows=[{name: row.get(name) for name in self.columns} for row in self.rows])
        settings = ", ".join(f"{name}: {cell_text(value)}" for name, value in self.settings.items())
        lines = [self.claim, f"{host['processor']}, {host['cores']} cores, {host['system']}; {settings}", ""]
        lines += [table.as_text(), ""]
        lines += [f"missing: {peer}: {reason}" for peer, reason in self.missing.items()]
        return "\n".join([*lines, *self.notes])

    def write(self, folder: Path) -> Path:
        """Write the JSON file and return its path."""
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{self.name}.json"
        text = json.dumps(self.as_dict(), indent=1, allow_nan=False, ensure_ascii=False)
        path.write_text(INNERMOST.sub(lambda match: re.sub(r"\n *", " ", match[0]), text) + "\n", "utf8")
        return path


def main(measure: Callable[[int], Report], size: int, meaning: str, argv: Sequence[str] | None = None) -> None:
    """Measure, print and write by the command line; `size` is the default size, `meaning` its description."""
    parser = argparse.ArgumentParser(description=sys.modules[measure.__module__].__doc__)
    parser.add_argument("--size", type=int, default=size, help=f"{meaning} (default: {size})")
    parser.add_argument("--output", type=Path, default=MEASURED, help="folder of the JSON file (default: %(default)s)")
    arguments = parser.parse_args(argv)
    if arguments.size < 1:
        parser.error(f"--size is {arguments.size}; it is at least 1")
    report = measure(arguments.size)
    print(report.as_text())
    print(f"\nwritten: {report.write(arguments.output)}")


def say(*words: object) -> None:
    """Print progress on stderr."""
    print(*words, file=sys.stderr, flush=True)


def _round(value: Cell) -> Cell:
    return float(f"{value:.4g}") if isinstance(value, float) else value
