"""Results of a study: the poses of each case, and a table with a row for each case."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path

import numpy as np

from lessons_lib.errors import ParameterError
from lessons_lib.pose_ik import Status
from lessons_lib.studies.study import Case, CaseResult, ChunkResult, Study
from lessons_lib.studies.tables import csv_table, markdown_table, text_table

__all__ = [
    "StudyResults",
    "CaseRow",
]

AXES = ("robot", "method", "strategy", "goal")


@dataclass(frozen=True)
class CaseRow(Case):
    """Statistics of one case; a mean over nothing is None.

    Attributes:
        poses: Number of poses with a result.
        solved: Number of poses that converged.
        mean_steps: Mean number of steps from the start that converged.
        median_steps: Median of the same.
        mean_starts: Mean number of starts, including the first, over all poses.
        most_starts: The largest number of starts for one pose.
        distance: Mean ‖q − q₀‖ of the converged poses from the first start, rad (m for a prismatic joint).
        microseconds: Time for each pose, µs of one process; it depends on the machine.
    """

    poses: int
    solved: int
    mean_steps: float | None
    median_steps: float | None
    mean_starts: float | None
    most_starts: int | None
    distance: float | None
    microseconds: float | None


COLUMNS = {
    **{axis: axis for axis in AXES},
    "solved": "solved",
    "mean_steps": "mean steps",
    "median_steps": "median",
    "mean_starts": "starts",
    "most_starts": "most",
    "distance": "|q − q₀|",
    "microseconds": "µs a pose",
}
"""Heading of each column."""
DIGITS = {"mean_steps": 1, "mean_starts": 2, "distance": 2, "microseconds": 1}
"""Digits after the decimal point."""


@dataclass(frozen=True, eq=False)
class StudyResults:
    """The results of a study, read from their files when they are accessed.

    Attributes:
        study: The study.
        folder: Folder of the files; None if the results are in memory only.
        chunk_result: Returns the result of a chunk by its number, or None if it was not solved.
    """

    study: Study
    folder: Path | None
    chunk_result: Callable[[int], ChunkResult | None] = field(repr=False)

    def __iter__(self) -> Iterator[tuple[Case, CaseResult]]:
        """Return the cases in order, each with its results."""
        return ((case, self._case_result(case)) for case in self.study.cases)

    def case(self, **words: str) -> CaseResult:
        """Return the results of the one case with these names: `case(method="chan 0.1")`.

        Raises:
            ParameterError: No case or several have these names.
        """
        found = [case for case in self.study.cases if all(getattr(case, axis, None) == words[axis] for axis in words)]
        if len(found) != 1:
            axes = {axis: list(dict.fromkeys(getattr(case, axis) for case in self.study.cases)) for axis in AXES}
            raise ParameterError(f"exactly one case must have {words}, got {len(found)}; the study has {axes}")
        return self._case_result(found[0])

    @property
    def complete(self) -> bool:
        """Whether every pose of every case has a result."""
        return all((found.status != Status.INTERRUPTED).all() for _, found in self)

    def rows(self) -> list[CaseRow]:
        """Return a row for each case."""
        return [self._row(case) for case in self.study.cases]

    def as_text(self, columns: Sequence[str] | None = None) -> str:
        """Return a table with a heading: by default all columns except the time, and the names that differ.

        Args:
            columns: Any of robot, method, strategy, goal, solved, mean_steps, median_steps, mean_starts, most_starts,
                distance and microseconds.

        Raises:
            ParameterError: Unknown column.
        """
        return text_table(self._cells(columns))

    def as_markdown(self, columns: Sequence[str] | None = None) -> str:
        """Return the table as Markdown; see `as_text`."""
        cells = self._cells(columns)
        return markdown_table(cells, [False] * len(cells[0]))

    def as_csv(self) -> str:
        """Return the rows as comma-separated values with a header, an empty cell for None."""
        return csv_table(CaseRow, self.rows())

    def as_json(self) -> str:
        """Return the folder and the rows as one JSON object, null for None."""
        rows = [asdict(row) for row in self.rows()]
        place = str(self.folder) if self.folder else None
        return json.dumps({"folder": place, "complete": self.complete, "rows": rows}, indent=2)

    def _cells(self, columns: Sequence[str] | None) -> list[list[str]]:
        rows = self.rows()
        if columns is None:
            alike = {axis for axis in AXES if len({getattr(row, axis) for row in rows}) == 1}
            columns = [name for name in COLUMNS if name not in {*alike, "microseconds"}]
        for name in columns:
            if name not in COLUMNS:
                raise ParameterError(f"columns must be among {', '.join(COLUMNS)}, got {name!r}")
        return [[COLUMNS[name] for name in columns], *([_format(row, name) for name in columns] for row in rows)]

    def _chunk_results(self, case: Case) -> list[ChunkResult | None]:
        per_case = self.study.chunks_of_a_case
        return [self.chunk_result(case.place * per_case + within) for within in range(per_case)]

    def _case_result(self, case: Case) -> CaseResult:
        """Return the results of a case; unsolved poses are INTERRUPTED, and their numbers NaN or zero."""
        robots = {chain.name: chain for chain in self.study.robots}
        dof, results = robots[case.robot].dof, self._chunk_results(case)
        blocks = [
            result.found if result else _empty_result(self.study.size_of(within), dof)
            for within, result in enumerate(results)
        ]
        joined = {f.name: np.concatenate([getattr(block, f.name) for block in blocks]) for f in fields(CaseResult)}
        for array in joined.values():
            array.setflags(write=False)
        return CaseResult(**joined)

    def _row(self, case: Case) -> CaseRow:
        seconds = sum(result.seconds for result in self._chunk_results(case) if result)
        whole = self._case_result(case)
        there = whole.status != Status.INTERRUPTED
        steps, restarts = whole.iterations[whole.converged], whole.restarts[there]
        poses = int(there.sum())
        return CaseRow(
            **asdict(case),
            poses=poses,
            solved=len(steps),
            mean_steps=float(steps.mean()) if len(steps) else None,
            median_steps=float(np.median(steps)) if len(steps) else None,
            mean_starts=1.0 + float(restarts.mean()) if poses else None,
            most_starts=1 + int(restarts.max()) if poses else None,
            distance=float(whole.distance[whole.converged].mean()) if len(steps) else None,
            microseconds=1e6 * seconds / poses if poses else None,
        )


def _empty_result(count: int, dof: int) -> CaseResult:
    unknown, none = np.full(count, np.nan), np.zeros(count, dtype=np.int64)
    status = np.full(count, Status.INTERRUPTED, dtype=np.object_)
    return CaseResult(np.full((count, dof), np.nan), status, none > 0, none, none, unknown, unknown, unknown)


def _format(row: CaseRow, name: str) -> str:
    """Return a cell, a dash for None."""
    value = getattr(row, name)
    if name == "solved":
        return f"{100.0 * row.solved / row.poses:.1f} %" if row.poses else "-"
    return value if isinstance(value, str) else "-" if value is None else f"{value:.{DIGITS.get(name, 0)}f}"
