"""Paths: trajectories.trace over the nine waypoints and over a thousand, against the robotics toolbox's own loop."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from lessons_lib import robots
from lessons_lib.arrays import Array
from lessons_lib.course.matlab_library import ur10_waypoints
from lessons_lib.robots import Chain
from lessons_lib.trajectories import Path, path_between, trace
from lessons_lib.trajectories.tracing import Start
from tools.benchmarks import machine, sides
from tools.benchmarks.poses import TOLERANCE, judge
from tools.benchmarks.report import Cell, Report, main, say
from tools.benchmarks.timing import in_turn

Answers = list[tuple[Array, bool]]

WAYPOINTS = 1000
PEER = "robotics toolbox"
LOOP = "toolbox's loop"
PASSES = 5

OFTEN, SELDOM = 100, 6
"""How often a path of nine waypoints and a long one are traced in one pass."""

PANDA_ENDS = ((0.0, -0.3, 0.0, -2.2, 0.0, 2.0, 0.8), (0.8, 0.4, 0.5, -1.4, -0.4, 2.6, -0.3))
"""Between these two configurations the Panda's path runs, rad."""

COLUMNS = {
    "arm": "arm",
    "path": "path",
    "side": "side",
    "failed": "failed",
    "false_claims": "false claims",
    "microseconds": "µs a waypoint",
    "ratio": "×",
}
NOTES = (
    "failed: not at the target by an independent forward kinematics, within 3e-6 rad and 3e-6 m, or outside the limits",
    "trace: each waypoint from the configuration before; ahead: from as far beyond it as the arm came",
    f"{LOOP}: ik_LM (C++, Chan 0.1), each call with the last solution as its start",
    (
        "×: how many times faster than that; the sides take turns, a path at a time, and a path in which the system "
        f"took the processor away is timed again; each time is the median over the paths, and then over {PASSES} passes"
    ),
)


def measure(waypoints: int) -> Report:
    """Return the report of all paths."""
    missing = machine.absent(PEER)
    rows: list[dict[str, Cell]] = []
    for name, chain, poses, q0, repeated in paths(waypoints):
        say(f"paths: {chain.name}, {name}, {PASSES} passes")
        rows += race(chain, name, poses, q0, repeated, not missing)
    settings: dict[str, Cell] = {"waypoints": waypoints, "tolerance [rad, m]": TOLERANCE}
    claim = "trajectories.trace against a loop over the robotics toolbox's C++ ik_LM"
    return Report("paths", claim, COLUMNS, rows, settings, missing, NOTES)


def paths(waypoints: int) -> list[tuple[str, Chain, Array, Array, int]]:
    """Return name, arm, poses, start and number of repetitions of each path."""
    ur10, panda, nine = robots.ur10(), robots.panda(), np.array(ur10_waypoints())
    pieces = -(-waypoints // (len(nine) - 1))
    dense = path_between(nine, pieces)[:waypoints]
    parts = np.linspace(0.0, 1.0, waypoints)[:, None]
    curved = (1.0 - parts) * PANDA_ENDS[0] + parts * PANDA_ENDS[1]
    swept = np.array([panda.forward_kinematics(q) for q in curved])
    return [
        ("nine waypoints", ur10, nine, np.zeros(6), OFTEN),
        (f"{waypoints:,} between them", ur10, dense, trace(ur10, nine[:1]).q[0].copy(), SELDOM),
        (f"{waypoints:,} on a sweep", panda, swept, curved[0], SELDOM),
    ]


def race(chain: Chain, name: str, poses: Array, q0: Array, repeated: int, with_peer: bool) -> list[dict[str, Cell]]:
    """Return a row for each side."""
    ours = sides.ours(chain)
    entered: dict[str, Callable[[], Path | Answers]] = {
        "trace": lambda: trace_path(chain, poses, q0, "previous"),
        "trace, ahead": lambda: trace_path(chain, poses, q0, "ahead"),
        "loop over solve": lambda: _loop(ours, poses, q0),
    }
    if with_peer:
        toolbox = sides.toolbox_chan(chain)
        entered[LOOP] = lambda: _loop(toolbox, poses, q0)
    timed = in_turn(entered, [()] * repeated, passes=PASSES, block=1)
    microseconds = {side: times.statistics()["median"] / len(poses) for side, times in timed.items()}
    return [row(chain, name, side, poses, microseconds, timed[side].answers[0]) for side in entered]


def row(
    chain: Chain, name: str, side: str, poses: Array, microseconds: Mapping[str, float], result: Path | Answers
) -> dict[str, Cell]:
    """Return the row of one side."""
    answers = list(zip(result.q, result.reached, strict=True)) if isinstance(result, Path) else result
    shares = judge(chain, poses, answers).shares()
    ratio = microseconds[LOOP] / microseconds[side] if LOOP in microseconds and side != LOOP else None
    spent = microseconds[side]
    return {"arm": chain.name, "path": name, "side": side, **shares, "microseconds": spent, "ratio": ratio}


def trace_path(chain: Chain, poses: Array, q0: Array, start: Start) -> Path:
    """Return the path."""
    return trace(chain, poses, q0, start=start, on_failure="go on")


def _loop(side: sides.Side, poses: Array, q0: Array) -> Answers:
    answers, q = [], q0
    for pose in poses:
        q, reached = side(pose, q)
        answers.append((q, reached))
    return answers


if __name__ == "__main__":
    main(measure, WAYPOINTS, "waypoints of the long paths")
