"""Results of the benchmarks, which lessons and pages show, read from their JSON files."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import date
from pathlib import Path
from typing import Any

from lessons_lib.errors import ParameterError
from lessons_lib.paths import folder_path
from lessons_lib.studies.tables import Cell, Table

__all__ = [
    "MEASURED",
    "Measurement",
    "read_measurement",
]

REMEDY = "run `make bench` to write it again"

MEASURED = Path(__file__).parent / "measured"
"""The folder of the results: `make bench` writes NAME.json there for each benchmark."""


@dataclass(frozen=True, kw_only=True)
class Measurement(Table):
    """The results of one benchmark.

    Attributes:
        name: Name of the benchmark.
        claim: The measured quantity, in a sentence.
        date: Date as 2026-11-21.
        machine: Processor, cores, and system.
        versions: Versions of Python, of the library's dependencies and of each peer, by distribution.
        settings: Settings of the benchmark: number of poses, tolerances, and so on.
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
    missing: Mapping[str, str]
    notes: Sequence[str] = field(repr=False)
    series: Mapping[str, Any] = field(repr=False)

    def caption(self) -> str:
        """Return date, machine, Python version and missing peers of the measurement."""
        day = date.fromisoformat(self.date)
        host = f"{self.machine['processor']}, {self.machine['cores']} cores, {self.machine['system']}"
        absent = f" Missing: {', '.join(self.missing)}." if self.missing else ""
        return f"Measured on {day.day} {day:%B %Y}: {host}, Python {self.versions['python']}.{absent}"


def read_measurement(name: str, folder: str | Path = MEASURED) -> Measurement:
    """Return the results of a benchmark.

    >>> from lessons_lib import course
    >>> course.read_measurement("one_pose").name
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
