"""Methods: time with weights, another frame, derivative or damping, each against the default."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp

from lessons_lib import pose_ik, robots
from lessons_lib.arrays import Array
from lessons_lib.robots import Chain
from tools.benchmarks.poses import SEED, TOLERANCE, forward_kinematics, judge, problems
from tools.benchmarks.report import Cell, Report, main, say
from tools.benchmarks.sides import Side
from tools.benchmarks.timing import STATISTICS, in_turn, ratio

POSES = 3_000
PASSES = 5
NEAR = 0.2
"""How far each joint is from the solution where a solve starts near to it, rad."""

Options = dict[str, Any]

FEW = 100
"""Number of poses for slow methods."""


class PlainPython:
    """The default method in plain Python, without a stated formula: D = E / 10."""

    def step(self, jacobian: Array, error: Array) -> Array:
        """Return the damped step."""
        normal = jacobian.T @ jacobian + float(error @ error) / 20.0 * np.eye(jacobian.shape[1])
        return np.asarray(np.linalg.solve(normal, jacobian.T @ error), dtype=np.float64)


def written_out(V: Any, W: Any, c: Any) -> Any:
    """Return the default's damping D = c E with E written out, so that nothing in it is recognised."""
    return c * sum(W[i] * V[i] ** 2 for i in range(6)) / 2


def fading(J: Any, D0: Any, w0: Any) -> Any:
    """Return the damping of Nakamura & Hanafusa (1986), near singularities alone."""
    w = sp.sqrt((J * J.T).det())
    return sp.Piecewise((D0 * (1 - w / w0) ** 2, w < w0), (0, True))


def levenberg_marquardt(policy: Any, **choices: Any) -> Options:
    """Return Levenberg-Marquardt with a damping policy."""
    return {"method": pose_ik.LevenbergMarquardt(policy, **choices)}


CHAN, OWN = pose_ik.Chan(), "a reader's own formula"
METHODS: dict[str, tuple[Options, float | None]] = {
    "default": ({}, None),
    "all weights 1": ({"goal": pose_ik.pose(np.ones(6))}, 1.5),
    "weights 1, 1, 1, 9, 9, 9": ({"goal": pose_ik.pose((1, 1, 1, 9, 9, 9))}, 1.5),
    "space frame": (levenberg_marquardt(CHAN, frame="space"), 1.5),
    "exact derivative": (levenberg_marquardt(CHAN, derivative="exact"), 1.5),
    "constant damping": (levenberg_marquardt(pose_ik.Constant(0.1)), None),
    f"{OWN}, c E": (levenberg_marquardt(pose_ik.Damping(lambda E, c: c * E, c=0.1)), 1.2),
    f"{OWN}, c Σ Wᵢ Vᵢ² / 2": (levenberg_marquardt(pose_ik.Damping(written_out, c=0.1)), 1.2),
    "Nakamura's formula": (levenberg_marquardt(pose_ik.Damping(fading, D0=0.01, w0=0.03)), None),
    "trust region": (levenberg_marquardt(pose_ik.TrustRegion()), 2.5),
    "Newton-Raphson": ({"method": pose_ik.NewtonRaphson()}, None),
    "Gauss-Newton": ({"method": pose_ik.GaussNewton()}, None),
    "Halley": ({"method": pose_ik.Halley()}, None),
    "Halley, Chan": ({"method": pose_ik.Halley(CHAN)}, None),
    "a reader's own Python": ({"method": PlainPython()}, None),
}
"""Options of each method, with the largest acceptable ratio of its median to the default's."""

NEAR_GOALS = {"Newton-Raphson": 2.0, "Gauss-Newton": 2.0, "Halley, Chan": None}
"""The same for methods with about as many steps as the default."""

COLUMNS = {
    "arm": "arm",
    "method": "method",
    "poses": "poses",
    "failed": "failed",
    "false_claims": "false claims",
    "median": "median µs",
    "mean": "mean µs",
    "p99": "p99 µs",
    "median_ratio": "median ×",
    "mean_ratio": "mean ×",
    "goal": "goal ×",
}
NOTES = (
    "×: how many times the default's time the method takes, on the same poses",
    f"near: each joint starts at most {NEAR:g} rad from a solution",
    f"what is written in plain Python solves the first {FEW} poses, against the default on these",
)


def measure(poses: int) -> Report:
    """Return the report of both arms."""
    rows: list[dict[str, Cell]] = []
    for chain in (robots.ur10(), robots.panda()):
        say(f"methods: {chain.name}, {poses:,} poses, {PASSES} passes")
        *quick, slow = METHODS
        rows += _race(chain, quick, *problems(chain, poses))
        rows += _race(chain, ["default", *NEAR_GOALS], *_near(chain, poses), words=", near")
        rows += _race(chain, ["default", slow], *problems(chain, min(poses, FEW)))[1:]
    settings: dict[str, Cell] = {"poses": poses, "tolerance [rad, m]": TOLERANCE, "seed": SEED}
    claim = "pose_ik.solve with each method against pose_ik.solve with its defaults"
    return Report("methods", claim, COLUMNS, rows, settings, notes=NOTES)


def _near(chain: Chain, count: int) -> tuple[Array, Array]:
    """Return reachable targets, and starts near to a solution of each, within the limits."""
    rng = np.random.default_rng(SEED)
    place, (lower, upper) = forward_kinematics(chain), chain.limits.T
    solutions = np.array([chain.random_configuration(rng) for _ in range(count)])
    starts = np.clip(solutions + rng.uniform(-NEAR, NEAR, solutions.shape), lower, upper)
    return np.array([place(q) for q in solutions]), starts


def _race(chain: Chain, names: list[str], targets: Array, starts: Array, words: str = "") -> list[dict[str, Cell]]:
    """Return a row for each method; the default is among them."""
    sides = {name: _side(chain, METHODS[name][0]) for name in names}
    timed = in_turn(sides, list(zip(targets, starts, strict=True)), passes=PASSES)
    statistics = {name: side.statistics() for name, side in timed.items()}
    rows: list[dict[str, Cell]] = []
    for name in names:
        shares = judge(chain, targets, timed[name].answers).shares()
        ratios = ratio(statistics[name], statistics["default"])
        compared = {f"{key}_ratio": ratios[key] for key in STATISTICS if name != "default"}
        goal = {"goal": NEAR_GOALS.get(name) if words else METHODS[name][1]}
        about: dict[str, Cell] = {"arm": chain.name, "method": f"{name}{words}", "poses": len(targets)}
        rows.append({**about, **shares, **statistics[name], **compared, **goal})
    return rows


def _side(chain: Chain, options: Options) -> Side:
    def side(target: Array, start: Array) -> tuple[Array, bool]:
        result = pose_ik.solve(chain, target, start, **options)
        return result.q, result.converged

    return side


if __name__ == "__main__":
    main(measure, POSES, "random poses of each arm")
