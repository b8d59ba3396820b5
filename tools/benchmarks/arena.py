"""The arena: solvers of one answer, and of every answer, on seven kinds of targets. Ours goes last."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np

from lessons_lib import robots
from lessons_lib.arrays import Array
from lessons_lib.robots import Chain
from tools.benchmarks import complete_solvers, machine, sides
from tools.benchmarks.complete_solvers import CompleteSolver
from tools.benchmarks.models import placements
from tools.benchmarks.poses import ACCEPTED, SEED, TOLERANCE, errors, forward_kinematics, judge
from tools.benchmarks.report import Cell, Report, main, say
from tools.benchmarks.sides import Side
from tools.benchmarks.targets import KINDS, SINGULAR, axes, draw_targets
from tools.benchmarks.timing import in_turn

POSES = 300
Peers = Mapping[str, str]

RESAMPLED = 1000
"""How often the poses are drawn anew for an interval that holds the median, or the 99th percentile, in 95 of 100."""

PUMA_DH = (
    (0.0, np.pi / 2, 0.6718),
    (0.4318, 0.0, 0.0),
    (0.0203, -np.pi / 2, 0.15005),
    (0.0, np.pi / 2, 0.4318),
    (0.0, -np.pi / 2, 0.0),
    (0.0, 0.0, 0.0),
)
"""Rows (a, α, d), m and rad. Source: Corke, Robotics Toolbox, puma560."""

ONE: Mapping[str, tuple[str, Callable[[Chain], Side]]] = {
    "Modern Robotics": ("modern_robotics", sides.modern_robotics),
    "Pinocchio's loop": ("Pinocchio", sides.pinocchio_loop),
    "Pink's loop": ("Pink", sides.pink_loop),
    "mink's loop": ("mink", sides.mink_loop),
    "SciPy": ("SciPy", sides.scipy_least_squares),
    "ikpy": ("ikpy", sides.ikpy_chain),
    "toolbox, Newton": ("robotics toolbox", sides.toolbox_newton),
    "toolbox, Chan": ("robotics toolbox", sides.toolbox_chan),
    "TRAC-IK": ("TRAC-IK", sides.trac_ik),
    "ours": ("", sides.ours),
}
"""Solvers of one answer: the peer that each needs, and what makes it."""

LIMITLESS = {"Modern Robotics", "Pinocchio's loop", "SciPy"}
"""Solvers without limits: whole revolutions are removed before they are judged."""

ROUNDING = 1e-6
"""How far outside a limit a joint may be, rad: some solvers keep a limit to their own tolerance."""

COLUMNS = {
    "arm": "arm",
    "kind": "targets",
    "asked": "asked for",
    "solver": "solver",
    "solved": "solved %",
    "false_claims": "false claims",
    "missed": "missed",
    "median": "median µs",
    "median_low": "from",
    "median_high": "to",
    "p99": "p99 µs",
    "p99_low": "from",
    "p99_high": "to",
}
NOTES = (
    f"solved: at the target by an independent forward kinematics, within {ACCEPTED:g} rad and m, and within the limits",
    "solved, of every answer: at least one is there, limits left out",
    (
        "false claims: poses for which a solver says that it converged, or gives an answer, that is not there; of a "
        "solver that knows no limits, only whether the tip is there"
    ),
    "missed: poses with fewer answers than all solvers together found, asked of poses where no answer is singular",
    f"from, to: of {RESAMPLED} samples of the poses, 95 of 100 have their median, or 99th percentile, in it",
    "outside: nothing is there to be solved; whoever says so is right",
    "not run: RoboPlan, QuIK (see the table of near starts), cuRobo and other solvers of a GPU, IKFast, ikdh",
)


def measure(poses: int) -> Report:
    """Return the report of all arms, kinds and solvers."""
    peers = {peer for peer, _ in ONE.values()} | {"EAIK", "IK-Geo", "ssik", "jaik"}
    missing = machine.absent(*sorted(peers - {""}))
    rows: list[dict[str, Cell]] = []
    puma = robots.from_dh(PUMA_DH, name="PUMA 560")
    for chain in (robots.ur10(), robots.panda()):
        solvers = {name: make(chain) for name, (peer, make) in ONE.items() if peer not in missing}
        for kind in KINDS:
            say(f"arena: {chain.name}, {kind}, one answer")
            rows += one_answer(chain, kind, solvers, poses)
    for chain, table in ((robots.ur10(), robots.UR10_DH), (puma, PUMA_DH)):
        every = solvers_of_every(chain, table, missing)
        for kind in ("random", "singular", "edge of reach", "outside"):
            say(f"arena: {chain.name}, {kind}, every answer")
            rows += all_answers(chain, kind, every, poses)
    settings: dict[str, Cell] = {"poses": poses, "tolerance [rad, m]": TOLERANCE, "seed": SEED}
    return Report("arena", "solvers on seven kinds of targets, one process", COLUMNS, rows, settings, missing, NOTES)


def one_answer(chain: Chain, kind: str, solvers: Mapping[str, Side], poses: int) -> list[dict[str, Cell]]:
    """Return a row for each solver of one answer."""
    targets, starts = draw_targets(chain, kind, poses, SEED)
    timed = in_turn(solvers, list(zip(targets, starts, strict=True)), passes=1, block=20)
    rows = []
    for name, side in timed.items():
        verdict = judge(chain, targets, side.answers, wraps=name in LIMITLESS, slack=ROUNDING)
        solved = None if kind == "outside" else verdict.shares()["solved"]
        row: dict[str, Cell] = {"arm": chain.name, "kind": kind, "asked": "one", "solver": name, "solved": solved}
        claimed = verdict.false_claims("reached" if name in LIMITLESS else "solved")
        rows.append(row | {"false_claims": claimed} | quantiles(side.microseconds[0]))
    return rows


def solvers_of_every(
    chain: Chain, table: Sequence[Sequence[float]], missing: Mapping[str, str]
) -> dict[str, CompleteSolver]:
    """Return the solvers of every answer that know an arm."""
    rows = np.array(table)[:, [2, 0, 1]]
    makers: dict[str, tuple[str, Callable[[Chain], CompleteSolver]]] = {
        "toolbox, closed form": ("robotics toolbox", partial(complete_solvers.toolbox, table=rows)),
        "ssik, in C++": ("ssik", partial(complete_solvers.ssik, native=True)),
        "ssik, in Python": ("ssik", partial(complete_solvers.ssik, native=False)),
        "IK-Geo": ("IK-Geo", complete_solvers.ik_geo),
        "EAIK": ("EAIK", complete_solvers.eaik),
        "jaik": ("jaik", complete_solvers.jaik),
        "ours": ("", complete_solvers.ours),
    }
    knows = {name: pair for name, pair in makers.items() if name != "jaik" or chain.name == "UR10"}
    return {name: make(chain) for name, (peer, make) in knows.items() if peer not in missing}


def all_answers(chain: Chain, kind: str, solvers: Mapping[str, CompleteSolver], poses: int) -> list[dict[str, Cell]]:
    """Return a row for each solver of every answer."""
    targets, _ = draw_targets(chain, kind, poses, SEED)
    timed = in_turn(solvers, [(target,) for target in targets], passes=1, block=20)
    place = forward_kinematics(chain)
    true: dict[str, list[Array]] = {name: [] for name in timed}
    false = dict.fromkeys(timed, 0)
    for name, side in timed.items():
        for target, answers in zip(targets, side.answers, strict=True):
            there = np.array([max(errors(place(q), target)) <= ACCEPTED for q in answers], dtype=bool)
            false[name] += not there.all()
            true[name].append(complete_solvers.distinct(answers[there]))
    together = [complete_solvers.distinct(np.vstack(sets)) for sets in zip(*true.values(), strict=True)]
    regular = [len(union) > 0 and not any(is_singular(chain, q) for q in union) for union in together]
    rows = []
    for name, side in timed.items():
        counts = [len(answers) for answers in true[name]]
        missed = sum(few < len(most) for few, most, is_one in zip(counts, together, regular, strict=True) if is_one)
        solved = None if kind == "outside" else int(1000 * np.count_nonzero(counts) // poses) / 10.0
        row: dict[str, Cell] = {"arm": chain.name, "kind": kind, "asked": "every", "solver": name, "solved": solved}
        rows.append(row | {"false_claims": false[name], "missed": missed} | quantiles(side.microseconds[0]))
    return rows


def is_singular(chain: Chain, q: Array) -> bool:
    """Return whether an answer is one of a curve of them, or two in one."""
    steps, _ = placements(chain)
    return bool(np.linalg.svd(axes(steps, q), compute_uv=False)[-1] < 1e2 * SINGULAR)


def quantiles(microseconds: Array) -> dict[str, Cell]:
    """Return median and 99th percentile of times, each with the interval that holds it in 95 of 100 samples."""
    rng = np.random.default_rng(SEED)
    samples = rng.choice(microseconds, (RESAMPLED, len(microseconds)))
    row: dict[str, Cell] = {}
    for name, share in (("median", 50.0), ("p99", 99.0)):
        low, high = np.percentile(np.percentile(samples, share, axis=1), (2.5, 97.5))
        row |= {
            name: float(np.percentile(microseconds, share)),
            f"{name}_low": float(low),
            f"{name}_high": float(high),
        }
    return row


if __name__ == "__main__":
    main(measure, POSES, "targets of each kind")
