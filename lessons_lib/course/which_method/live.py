"""Which method when?: measured times and success rates of solvers on seven kinds of targets."""

from __future__ import annotations

from typing import Any

from lessons_lib.course import read_measurement
from lessons_lib.course.live.control import Choice, LogSlider
from lessons_lib.course.live.figure import LiveFigure

__all__ = ["ArenaFigure"]

KINDS = ("random", "near", "singular", "at limits", "edge of reach", "half a turn", "outside")
"""The kinds of targets, as the benchmark draws them."""

ASKED = {"one": "one solution", "every": "all solutions"}
"""The menu options, keyed by benchmark field."""

NEARLY_ALL = 99.0
"""The percentage of poses that a solver must solve to be drawn in blue."""


PLACES = tuple(float(f"{digit}e{decade}") for decade in range(-1, 6) for digit in (1, 2, 5))
"""The slider values for the time limit, in µs."""


class ArenaFigure(LiveFigure):
    """One row per solver: its median and 99th-percentile time, and its success rate.

    Attributes:
        task: Problem and arm: "UR10, one solution" and so on.
        targets: Kind of targets, one of KINDS.
        deadline: Time limit of a call, in µs.
    """

    view = "arena"
    title = "Comparison of solvers"
    about = (
        "There is a row for each solver. On a logarithmic scale, a line runs from its median to its 99th-percentile "
        "time. It is blue if nearly all poses are solved, and orange if the solver claimed a solution that is "
        "wrong. The vertical line, which you can drag, marks the time limit; solvers that take longer are pale."
    )
    question = (
        "Suppose that a 1 kHz loop leaves 500 µs for a solve. Which solvers meet this limit for 99 of 100 random poses "
        "of the UR10? Which of them still meet it if the target is out of reach?"
    )
    answer = (
        "Three do: the toolbox with Newton steps, the toolbox with Chan’s damping, and ours. For targets out of "
        "reach, only ours does: all of these targets lie outside a ball that contains the reachable points, and our "
        "solver checks this ball first. The others use up their restarts or their time, or all the steps of their "
        "loop. Closed forms need neither restarts nor loops, but several of them lose solutions at singular poses."
    )

    def __init__(self, **values: float | str) -> None:
        """Create the figure; see `LiveFigure` for the arguments."""
        rows = [dict(row) for row in read_measurement("arena").rows]
        for row in rows:
            row["task"] = f"{row.pop('arm')}, {ASKED[row.pop('asked')]}"
            library, comma, method = str(row["solver"]).partition(", ")
            row["solver"] = f"{library} ({method})" if comma else library  # commas separate the names in lists
        tasks = tuple(dict.fromkeys(str(row["task"]) for row in rows))
        controls: list[Choice | LogSlider] = [
            Choice("task", "problem", tasks, tasks[0]),
            Choice("targets", "targets", KINDS, KINDS[0]),
            LogSlider("deadline", "time limit", "", "µs", PLACES, 10_000.0),
        ]
        super().__init__(controls, "", values, {"rows": rows, "enough": NEARLY_ALL})

    def select_rows(self) -> list[dict[str, Any]]:
        """Return the rows selected by the controls, ours last."""
        rows: list[dict[str, Any]] = self.specification["data"]["rows"]
        return [row for row in rows if row["task"] == self.task and row["kind"] == self.targets]
