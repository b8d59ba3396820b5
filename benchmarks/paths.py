"""Paths: trajectories.trace over the nine waypoints and over a thousand, against the robotics toolbox's own loop."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks import machine, sides
from benchmarks.batch import PASSES, take_turns
from benchmarks.poses import TOLERANCE, judge
from benchmarks.report import Cell, Report, main, say
from lessons_lib import robots
from lessons_lib.robots import Chain
from lessons_lib.studies.matlab_library import ur10_waypoints
from lessons_lib.trajectories import path_between, trace

Array = NDArray[np.float64]
Answers = list[tuple[Array, bool]]

WAYPOINTS = 1000
PEER = "robotics toolbox"
LOOP = "toolbox's loop"
REPEATED = 200
"""How often the nine waypoints are traced in one pass, so that a pass takes long enough to be timed."""

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
    "trace: each waypoint from the configuration before; ahead: from as far beyond it as the arm came; between: every "
    "tenth as trace, the others from between those (the nine are too few, and traced one by one)",
    f"{LOOP}: ik_LM (C++, Chan 0.1), each call with the last solution as its start",
    f"×: how many times faster than that; the sides take turns, and each time is the median of {PASSES} passes",
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
    bent = (1.0 - parts) * PANDA_ENDS[0] + parts * PANDA_ENDS[1]
    swept = np.array([panda.forward_kinematics(q) for q in bent])
    return [
        ("nine waypoints", ur10, nine, np.zeros(6), REPEATED),
        (f"{waypoints:,} between them", ur10, dense, trace(ur10, nine[:1]).q[0].copy(), 1),
        (f"{waypoints:,} on a sweep", panda, swept, bent[0], 1),
    ]


def race(chain: Chain, name: str, poses: Array, q0: Array, repeated: int, with_peer: bool) -> list[dict[str, Cell]]:
    """Return a row for each side."""
    entered: dict[str, Callable[[], Any]] = {
        "trace": lambda: [traced(chain, poses, q0, "previous") for _ in range(repeated)],
        "trace, ahead": lambda: [traced(chain, poses, q0, "ahead") for _ in range(repeated)],
        "trace, between": lambda: [traced(chain, poses, q0, "between") for _ in range(repeated)],
        "loop over solve": lambda: [_loop(sides.ours(chain), poses, q0) for _ in range(repeated)],
    }
    if with_peer:
        toolbox = sides.toolbox_chan(chain)
        entered[LOOP] = lambda: [_loop(toolbox, poses, q0) for _ in range(repeated)]
    rates, answers = take_turns(entered, repeated * len(poses))
    return [row(chain, name, side, poses, rates, answers[side][0]) for side in entered]


def row(
    chain: Chain, name: str, side: str, poses: Array, rates: Mapping[str, float], answers: Answers
) -> dict[str, Cell]:
    """Return what one side did."""
    shares = judge(chain, poses, answers).shares()
    ratio = rates[side] / rates[LOOP] if LOOP in rates and side != LOOP else None
    return {"arm": chain.name, "path": name, "side": side, **shares, "microseconds": 1e6 / rates[side], "ratio": ratio}


def traced(chain: Chain, poses: Array, q0: Array, start: str) -> Answers:
    """Return what `trace` answers for each waypoint; reading the answers out is part of what is timed."""
    path = trace(chain, poses, q0, start=start, on_failure="go on")
    return list(zip(path.q, path.reached, strict=True))


def _loop(side: sides.Side, poses: Array, q0: Array) -> Answers:
    answers, q = [], q0
    for pose in poses:
        q, reached = side(pose, q)
        answers.append((q, reached))
    return answers


if __name__ == "__main__":
    main(measure, WAYPOINTS, "waypoints of the long paths")
