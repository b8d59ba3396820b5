"""A process that works until somebody interrupts it: `interruptions.py` starts it, and judges what it wrote."""

from __future__ import annotations

import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from lessons_lib import pose_ik, robots, trajectories
from lessons_lib.pose_ik import GaussNewton, LevenbergMarquardt, Nearest, Restarts, Status, TrustRegion
from lessons_lib.robots import Chain
from tools.fuzz.tally import generator

FOREVER = Restarts(1_000_000)
METHODS = (None, None, LevenbergMarquardt(TrustRegion()), GaussNewton())
KINDS = ("batch", "batch", "one", "trace")


def poses_of(arm: Chain, rng: np.random.Generator, count: int) -> np.ndarray:
    """Return poses in a row, of which some cannot be reached for a reason that only a search finds."""
    where = arm.random_configuration(rng)
    ways = where + np.linspace(0.0, 0.5, count)[:, None] * rng.uniform(-1, 1, arm.dof)
    poses = np.array([arm.forward_kinematics(q) for q in np.clip(ways, *arm.limits.T)])
    lost = rng.random(count) < rng.choice([0.01, 0.3, 1.0])
    lost[rng.integers(2, 9) :][:1] = True
    if arm.dof == 2:
        turn = arm.forward_kinematics([0.4, 0.0])[:3, :3]
        poses[lost, :3, :3] = poses[lost, :3, :3] @ turn
    poses[lost, :3, 3] *= 0.02 if arm.dof > 2 else 0.9
    return poses


def task(rng: np.random.Generator, arm: Chain) -> tuple[str, np.ndarray, Callable[[], Any]]:
    """Return what kind of work it is, its poses, and the work, which would take hours."""
    kind, method = str(rng.choice(KINDS)), METHODS[rng.integers(len(METHODS))]
    threads, count = int(rng.choice([1, 2])), int(rng.choice([1, 20, 900, 3000]))
    if kind == "one":
        poses = poses_of(arm, rng, 9)
        poses = poses[-1:]
        poses[0, :3, 3] *= 0.02 if arm.dof > 2 else 0.9
        ways: list[dict[str, Any]] = [
            {"starts": FOREVER, "method": method},
            {"starts": FOREVER, "trace": True},
            {"starts": Nearest(1_000_000), "method": method},
        ]
        more = ways[int(rng.integers(3))]
        return kind, poses, lambda: pose_ik.solve(arm, poses[0], **more)
    poses = poses_of(arm, rng, count)
    if kind == "batch":
        return kind, poses, lambda: pose_ik.solve_batch(arm, poses, method=method, starts=FOREVER, threads=threads)
    more = {"method": method, "starts": FOREVER, "on_failure": "skip"}
    return kind, poses, lambda: trajectories.trace(arm, poses, **more)


def interrupted(work: Callable[[], Any]) -> tuple[Any, float]:
    """Return what the work brought, None where it was left by KeyboardInterrupt, and when it ended."""
    found, ended = None, 0.0
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        print("begin", time.monotonic(), flush=True)
        found = work()
        ended = time.monotonic()
    except KeyboardInterrupt:
        ended = ended or time.monotonic()
    while True:
        try:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            return found, ended
        except KeyboardInterrupt:
            continue


def answer(kind: str, found: Any, poses: np.ndarray) -> dict[str, Any]:
    """Return what was found as arrays."""
    if found is None or kind == "one":
        return {"kept": found is not None}
    names = [status.name if isinstance(status, Status) else "NOT_TRIED" for status in found.status]
    told = {"kept": True, "status": np.array(names), "q": found.q, "poses": poses}
    return told | {"position_error": found.position_error, "orientation_error": found.orientation_error}


def main(seed: int, case: int, trials: int, folder: Path) -> None:
    """Run some trials; after each, tell where its arrays lie."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    rng = generator(seed, case)
    arm = [robots.planar_2r, robots.ur10][case % 2]()
    easy = np.array([arm.forward_kinematics(np.full(arm.dof, 0.5))])
    for method in METHODS:
        pose_ik.solve(arm, easy[0], method=method, trace=True)
        pose_ik.solve_batch(arm, easy, method=method)
        trajectories.trace(arm, easy, method=method)
    one = Restarts(1)
    nowhere = poses_of(arm, rng, 100)
    pose_ik.solve_batch(arm, nowhere, starts=one)
    trajectories.trace(arm, nowhere, starts=one, on_failure="skip")
    for trial in range(trials):
        sys.stdin.readline()  # until no signal is on its way any more
        kind, poses, work = task(rng, arm)
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            found, ended = interrupted(work)
        behind = sum(thread.name.startswith("lessons_lib") for thread in threading.enumerate())
        after = pose_ik.solve(arm, easy[0]).converged
        message = str(told[-1].message) if told else ""
        path = folder / f"{trial}.npz"
        np.savez(
            path, kind=kind, ended=ended, behind=behind, after=after, message=message, **answer(kind, found, poses)
        )
        print("ended", path, flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4]))
