"""Rows of a study as text for people, and as CSV or JSON for machines."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict

from lessons_lib.studies.answers import rows_as_csv
from lessons_lib.studies.comparison import MANY_STARTS, ONE_START, RESTARTS, Problem, Row

_COLUMNS = (
    ("method", "", "method", "method"),
    ("known_steps", "known", "steps", "steps from the known start"),
    ("known_step", "start", "first [rad]", "first step from there [rad]"),
    ("solved", "one start", "solved", "solved"),
    ("mean_steps", "", "mean", "mean steps"),
    ("median_steps", "", "median", "median steps"),
    ("median_step", "", "step [rad]", "typical largest step [rad]"),
    ("largest_step", "", "largest [rad]", "largest step of all [rad]"),
    ("solved_with_restarts", "restarts", "solved", "solved with restarts"),
    ("mean_restarts", "", "mean", "mean restarts"),
)
"""For each field of a row: two lines of heading for a narrow table, and one line in full."""


def as_text(problem: Problem, rows: Sequence[Row]) -> str:
    """Return an aligned table with a heading and an explanation of its columns."""
    cells = [[group for _, group, _, _ in _COLUMNS], [title for _, _, title, _ in _COLUMNS]]
    cells += [[_shown(getattr(row, name)) for name, *_ in _COLUMNS] for row in rows]
    widths = [max(len(line[i]) for line in cells) for i in range(len(_COLUMNS))]
    lines = ["  ".join([line[0].ljust(widths[0]), *map(str.rjust, line[1:], widths[1:])]) for line in cells]
    lines.insert(2, "  ".join("-" * width for width in widths))
    return "\n".join([_heading(problem, rows), "", *(line.rstrip() for line in lines), "", *_explanation(problem)])


def as_markdown(rows: Sequence[Row], columns: Sequence[str] | None = None) -> str:
    """Return a Markdown table of the rows.

    Args:
        rows: The rows.
        columns: Names of the fields to show, in order; all when left out.
    """
    shown = columns or [name for name, *_ in _COLUMNS]
    titles = {name: words for name, _, _, words in _COLUMNS}
    lines = ["| " + " | ".join(titles[name] for name in shown) + " |", "|---" + "|--:" * (len(shown) - 1) + "|"]
    lines += ["| " + " | ".join(_shown(getattr(row, name)) for name in shown) + " |" for row in rows]
    return "\n".join(lines)


def as_csv(rows: Sequence[Row]) -> str:
    """Return the rows as comma-separated values with a header, an empty cell where there is no number."""
    return rows_as_csv(Row, rows)


def as_json(problem: Problem, rows: Sequence[Row]) -> str:
    """Return the problem and its rows as one JSON object, null where there is no number."""
    return json.dumps({"problem": problem.name, "rows": [asdict(row) for row in rows]}, indent=2, allow_nan=False)


def _heading(problem: Problem, rows: Sequence[Row]) -> str:
    poses = rows[0].poses if rows else 0
    tolerances = f"{ONE_START.orientation:g} rad and {ONE_START.position:g} m"
    return f"{problem.name}: {problem.chain.name}, {poses} random reachable poses, solved to {tolerances}"


def _explanation(problem: Problem) -> list[str]:
    return [
        f"known start: {problem.known}; first: largest change of a joint in the first step",
        f"one start: a random one for each pose, at most {ONE_START.max_iterations} steps",
        "    mean, median: steps, over the solved poses",
        "    step, largest: largest change of a joint in one step, median and maximum over all poses",
        f"restarts: up to {RESTARTS.count}, of {MANY_STARTS.max_iterations} steps each; mean: their number",
    ]


def _shown(value: object) -> str:
    """Return a cell: whole numbers as they are, a few digits of others, a dash where there is none."""
    if value is None:
        return "-"
    if not isinstance(value, float):
        return str(value)
    if value.is_integer() or abs(value) >= 1e4:
        return f"{float(f'{value:.3g}'):,.0f}"
    return f"{value:.3g}" if abs(value) < 0.1 else f"{value:.2f}"
