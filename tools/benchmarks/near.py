"""Near the solution: pose_ik.solve, called from Python, against QuIK's C++, called from C++."""

from __future__ import annotations

import numpy as np

from lessons_lib import robots
from lessons_lib.arrays import Array
from lessons_lib.robots import Chain
from lessons_lib.robots.library import UR10_DH
from tools.benchmarks import machine, quik, sides
from tools.benchmarks.poses import SEED, TOLERANCE, forward_kinematics, judge
from tools.benchmarks.report import Cell, Report, main, say
from tools.benchmarks.timing import Side, in_turn, ratio

POSES = 5000
PASSES = 15
DISTANCES = (0.05, 0.2, 0.8)
TOOLBOX = "toolbox, Chan 0.1"
COLUMNS = {
    "distance": "start off by",
    "solver": "solver",
    "reached": "reached %",
    "median": "median µs",
    "mean": "mean µs",
    "p99": "p99 µs",
    "median_ratio": "median ×",
    "mean_ratio": "mean ×",
}
NOTES = (
    "off by: each joint by so much, up or down at random",
    "ours and the toolbox are called from Python and clocked there; QuIK is called and clocked in C++",
    f"QuIK: as its README sets it, but for the tolerance; compiled with {' '.join(quik.OPTIONS)}",
    "QuIK makes one start and knows no joint limits; ours and the toolbox start anew where the first start fails",
    "reached: at the target by an independent forward kinematics, within 3e-6 rad and 3e-6 m",
    "×: how many times ours is faster in the same statistic",
)


def measure(poses: int) -> Report:
    """Return the report of the UR10."""
    chain, away = robots.ur10(), machine.absent("robotics toolbox")
    if reason := quik.missing():
        away["QuIK"] = reason
    rows: list[dict[str, Cell]] = []
    for distance in DISTANCES:
        say(f"near: {distance} rad, {poses:,} poses, {PASSES} passes")
        rows += race(chain, distance, poses, away)
    settings: dict[str, Cell] = {"poses": poses, "tolerance [rad, m]": TOLERANCE, "seed": SEED}
    settings |= {} if "QuIK" in away else {"QuIK": quik.commit()}
    claim = "one pose of the UR10 from a start near a solution, against QuIK's C++"
    return Report("near", claim, COLUMNS, rows, settings, away, NOTES)


def race(chain: Chain, distance: float, poses: int, away: dict[str, str]) -> list[dict[str, Cell]]:
    """Return a row for each solver, ours first, those that are missing among them."""
    targets, starts = problems(chain, distance, poses)
    entered: dict[str, Side] = {"ours": sides.ours(chain)}
    if "QuIK" not in away:
        entered |= {method: quik.side(chain, UR10_DH, method) for method in quik.METHODS}
    if "robotics toolbox" not in away:
        entered[TOOLBOX] = sides.toolbox_chan(chain)
    timed = in_turn(entered, list(zip(targets, starts, strict=True)), passes=PASSES)
    statistics = {name: side.statistics() for name, side in timed.items()}
    rows: list[dict[str, Cell]] = []
    for name in ("ours", *quik.METHODS, TOOLBOX):
        row: dict[str, Cell] = {"distance": f"{distance} rad", "solver": name if name in timed else f"{name} (missing)"}
        if name in timed:
            row |= statistics[name]
            row["reached"] = judge(chain, targets, timed[name].answers, wraps=True).shares()["reached"]
        if name in timed and name != "ours":
            ratios = ratio(statistics[name], statistics["ours"])
            row |= {f"{key}_ratio": ratios[key] for key in ("median", "mean")}
        rows.append(row)
    return rows


def problems(chain: Chain, distance: float, count: int) -> tuple[Array, Array]:
    """Return reachable targets, shape (k, 4, 4), and starts `distance` rad off in each joint, within the limits."""
    rng = np.random.default_rng(SEED)
    place, (lower, upper) = forward_kinematics(chain), chain.limits.T
    q = np.array([chain.random_configuration(rng) for _ in range(count)])
    starts = np.clip(q + distance * rng.choice([-1.0, 1.0], q.shape), lower, upper)
    return np.array([place(row) for row in q]), starts


if __name__ == "__main__":
    main(measure, POSES, "random poses at each distance")
