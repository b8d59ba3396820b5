"""Side by side: every solver at hand on the same random reachable targets, from the same random starts."""

from __future__ import annotations

from typing import Any

from lessons_lib import robots
from lessons_lib.robots import Chain
from tools.benchmarks import machine, sides
from tools.benchmarks.poses import SEED, TOLERANCE, judge, problems
from tools.benchmarks.report import Cell, Report, main, say
from tools.benchmarks.timing import histogram, in_turn

POSES = 1000
PASSES = 3
BLOCK = 20
ROUNDED = 1e-7
"""TRAC-IK's binding reads limits as numbers of seven digits, rad."""

SOLVERS = {
    "ours": (sides.ours, ()),
    "toolbox ik_LM, Chan": (sides.toolbox_chan, ("robotics toolbox",)),
    "toolbox ik_LM, Wampler": (sides.toolbox_wampler, ("robotics toolbox",)),
    "toolbox ik_NR": (sides.toolbox_newton, ("robotics toolbox",)),
    "TRAC-IK, Speed": (sides.trac_ik, ("TRAC-IK",)),
    "SciPy least_squares": (sides.scipy_least_squares, ("SciPy", "Pinocchio")),
    "Pinocchio's example": (sides.pinocchio_loop, ("Pinocchio",)),
    "Pink, DAQP": (sides.pink_loop, ("Pink", "DAQP")),
    "Modern Robotics": (sides.modern_robotics, ("modern_robotics",)),
}
"""How each solver is made, and the peers that it needs."""

COLUMNS = {
    "arm": "arm",
    "solver": "solver",
    "reached": "reached %",
    "solved": "solved %",
    "false_claims": "false claims",
    "median": "median µs",
    "mean": "mean µs",
    "p99": "p99 µs",
    "ratio": "median ×",
}
NOTES = (
    "reached: at the target by an independent forward kinematics, within 3e-6 rad and 3e-6 m",
    "solved: reached, and within the joint limits, once whole turns are taken off",
    "false claims: the solver says that it has converged, and has not reached the target",
    "×: how many times as long as ours",
    "ours, the toolbox and TRAC-IK start anew at random; the others make the one start that their documentation shows",
    "SciPy's LM, Pinocchio's example, and Modern Robotics know no joint limits",
    "toolbox: Chan 0.1 and Wampler 1e-6 are its quickest on these arms; fixed transforms folded as its compile() does",
    "Pinocchio's example: whole steps instead of tenths, at most 1000",
    "Pink: a frame task of gain 1, lm_damping 1e-3, config_limit_gain 0.1, at most 200 steps",
)


def measure(poses: int) -> Report:
    """Return the report of both arms."""
    rows: list[dict[str, Cell]] = []
    histograms: dict[str, Any] = {}
    for chain in (robots.ur10(), robots.panda()):
        say(f"solvers: {chain.name}, {poses:,} poses, {PASSES} passes")
        found, histograms[chain.name] = race(chain, poses)
        rows += found
    settings: dict[str, Cell] = {"poses": poses, "tolerance [rad, m]": TOLERANCE, "seed": SEED}
    claim = "every solver at hand on the same random reachable targets, from the same random starts"
    return Report("solvers", claim, COLUMNS, rows, settings, absent(), NOTES, {"histograms": histograms})


def absent() -> dict[str, str]:
    """Return the peers that cannot take part, each with the reason."""
    return machine.absent(*dict.fromkeys(peer for _, peers in SOLVERS.values() for peer in peers))


def race(chain: Chain, poses: int) -> tuple[list[dict[str, Cell]], dict[str, Any]]:
    """Return a row for each solver, those that are missing among them, and histograms of their times."""
    targets, starts = problems(chain, poses)
    away = absent()
    entered = {name: make(chain) for name, (make, peers) in SOLVERS.items() if not away.keys() & set(peers)}
    timed = in_turn(entered, list(zip(targets, starts, strict=True)), passes=PASSES, block=BLOCK)
    statistics = {name: side.statistics() for name, side in timed.items()}
    rows: list[dict[str, Cell]] = []
    for name in SOLVERS:
        row: dict[str, Cell] = {"arm": chain.name, "solver": name}
        if name in timed:
            verdict = judge(chain, targets, timed[name].answers, wraps=True, slack=ROUNDED)
            row |= {"ratio": statistics[name]["median"] / statistics["ours"]["median"]}
            row |= {**verdict.shares(), **statistics[name], "false_claims": verdict.false_claims("reached")}
        else:
            row["solver"] = f"{name} (missing)"
        rows.append(row)
    return rows, {name: histogram(side.microseconds) for name, side in timed.items()}


if __name__ == "__main__":
    main(measure, POSES, "random poses of each arm")
