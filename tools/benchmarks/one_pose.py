"""One pose: pose_ik.solve as it comes, called from Python, against the robotics toolbox's C++ ik_LM."""

from __future__ import annotations

from lessons_lib import robots
from lessons_lib.robots import Chain
from tools.benchmarks import machine, sides
from tools.benchmarks.poses import SEED, TOLERANCE, judge, problems
from tools.benchmarks.report import Cell, Report, main, say
from tools.benchmarks.timing import STATISTICS, Timed, histogram, in_turn, ratio

POSES = 10_000
PASSES = 5
PEER = "robotics toolbox"
SOLVERS = {
    "ours": sides.ours,
    "toolbox, Chan 0.1": sides.toolbox_chan,
    "toolbox, Chan 1.0": sides.toolbox_chan_default,
}
COLUMNS = {
    "arm": "arm",
    "solver": "solver",
    "failed": "failed",
    "false_claims": "false claims",
    "median": "median µs",
    "mean": "mean µs",
    "p99": "p99 µs",
    "median_ratio": "median ×",
    "mean_ratio": "mean ×",
    "p99_ratio": "p99 ×",
}
NOTES = (
    "failed: not at the target by an independent forward kinematics, within 3e-6 rad and 3e-6 m, or outside the limits",
    "false claims: reported as converged, and failed",
    "Chan 0.1 is the toolbox's best setting on these arms, 1.0 the one it takes by itself",
    "×: how many times ours is faster in the same statistic",
    (
        f"each statistic: over the poses, then the median over {PASSES} passes; the sides take turns, and a block of "
        "poses in which the system took the processor away is timed again"
    ),
)


def measure(poses: int) -> Report:
    """Return the report of both arms."""
    missing = machine.absent(PEER)
    rows: list[dict[str, Cell]] = []
    series = {}
    for chain in (robots.ur10(), robots.panda()):
        say(f"one pose: {chain.name}, {poses:,} poses, {PASSES} passes")
        compared, timed = race(chain, poses, missing)
        rows += compared
        series[chain.name] = {name: histogram(side.microseconds) for name, side in timed.items()}
    settings: dict[str, Cell] = {"poses": poses, "tolerance [rad, m]": TOLERANCE, "seed": SEED}
    claim = "pose_ik.solve(chain, target, q0) with its defaults against the robotics toolbox's C++ ik_LM"
    return Report("one_pose", claim, COLUMNS, rows, settings, missing, NOTES, {"histograms": series})


def race(chain: Chain, poses: int, missing: dict[str, str]) -> tuple[list[dict[str, Cell]], dict[str, Timed]]:
    """Return a row for each solver, ours first, and the times behind them."""
    targets, starts = problems(chain, poses)
    entered = {name: make(chain) for name, make in SOLVERS.items() if name == "ours" or not missing}
    timed = in_turn(entered, list(zip(targets, starts, strict=True)), passes=PASSES)
    statistics = {name: side.statistics() for name, side in timed.items()}
    rows: list[dict[str, Cell]] = []
    for name in SOLVERS:
        if name not in timed:
            rows.append({"arm": chain.name, "solver": f"{name} (missing)"})
            continue
        shares = judge(chain, targets, timed[name].answers).shares()
        ratios = ratio(statistics[name], statistics["ours"])
        compared = {f"{key}_ratio": ratios[key] for key in STATISTICS if name != "ours"}
        rows.append({"arm": chain.name, "solver": name, **shares, **statistics[name], **compared})
    return rows, timed


if __name__ == "__main__":
    main(measure, POSES, "random poses of each arm")
