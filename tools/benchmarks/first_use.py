"""First use: the code that each call derives and compiles in one process, and the time of the next start."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

import numpy as np

from lessons_lib import differential_ik, pose_ik, robots, studies, trajectories
from lessons_lib.robots.kernel_check import product
from tools.benchmarks.report import Cell, Report, main, say

PASSES = 3
ROOT = Path(__file__).resolve().parents[2]
TELL = "from tools.benchmarks import first_use; first_use.{}()"
Q = np.array([0.3, -0.5, 0.2, -1.6, 0.4, 1.5, 0.6])
"""The configuration, rad."""
BACKWARDS = np.array([[0, 0, -1, 0.8], [0, 1, 0, 0], [1, 0, 0, 0.333], [0, 0, 0, 1.0]])
"""A pose that is near enough, and that the Panda has in no configuration: far out, its flange turned to the base, m."""

COLUMNS = {
    "call": "the first",
    "made": "derives and compiles",
    "cold": "empty cache [s]",
    "loaded": "next start [s]",
    "again": "once more [ms]",
}
NOTES = (
    "one process makes all calls but the last, in this order; what a call above has compiled, those below it share",
    "the first call loads SymPy and LLVM, too; next start: another process, which finds all in the cache",
    "each time: the least of the passes; once more: the same call again, in the process of the next start",
)

Uses = dict[str, tuple[str, Callable[[], object]]]


def uses() -> Uses:
    """Return the measured calls by their name in the table, each with the code that it derives and compiles."""
    arm, tree = robots.panda(), robots.load_urdf(robots.urdf_file("two_arms"))
    target = product(arm.screws, arm.home, Q).T
    weighed = pose_ik.pose((1, 1, 1, 9, 9, 9))
    newton = studies.Study([arm], methods={"newton": studies.method("newton")}, poses=2)

    def step() -> object:
        at = differential_ik.Configuration(tree)
        rest = differential_ik.PostureTask(cost=1.0)
        rest.set_target(at.q)
        return differential_ik.solve_ik(at, [rest], 0.01)

    def hard() -> object:
        result = pose_ik.solve(arm, BACKWARDS)
        assert not result.converged and result.restarts > 32, result
        return result

    return {
        "`arm.forward_kinematics(q)`": ("the pose", lambda: arm.forward_kinematics(Q)),
        "`arm.body_jacobian(q)`": ("pose and Jacobians", lambda: arm.body_jacobian(Q)),
        "`pose_ik.solve(arm, T)`": ("a search over four starts", lambda: pose_ik.solve(arm, target)),
        "`solve(…, goal=…)` with weights": (
            "the same for this kind of goal",
            lambda: pose_ik.solve(arm, target, goal=weighed),
        ),
        "`solve(…, method=Halley())`": (
            "the same for this method",
            lambda: pose_ik.solve(arm, target, method=pose_ik.Halley()),
        ),
        "`solve_batch(arm, targets)`": (
            "a search over four poses",
            lambda: pose_ik.solve_batch(arm, [target] * 9),
        ),
        "`trajectories.trace(arm, waypoints)`": (
            "a search over one pose",
            lambda: trajectories.trace(arm, [target, target], Q),
        ),
        "`solve(arm, T)` where no start arrives": ("one start after the other, for all arms", hard),
        "`solve(…, trace=True)`": (
            "that loop, with every iterate kept",
            lambda: pose_ik.solve(arm, target, trace=True),
        ),
        "`differential_ik.solve_ik(…)`": ("trees, tasks and limits, for all robots", step),
        "`studies.run(study)` with Newton's method": (
            "no more: its steps are damped ones with D = 0",
            lambda: studies.run(newton, progress=False),
        ),
    }


WHOLE = "`arm.compile()`, or `lessons warm`"


def whole() -> None:
    """Compile the code of the Panda."""
    robots.panda().compile()


def table() -> dict[str, str]:
    """Return the code that each call derives and compiles, by the call."""
    whole_of = "all of this for a chain, and a method of each kind"
    return {call: table_of_calls for call, (table_of_calls, _) in uses().items()} | {WHOLE: whole_of}


def measure(passes: int) -> Report:
    """Return the report of the Panda, and of a tree for `solve_ik`."""
    cold: dict[str, list[float]] = {}
    loaded: dict[str, list[float]] = {}
    again: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        time_in_process(place, place / "not timed", "print_times")  # leaves Python's bytecode on disk
        for i in range(passes):
            say(f"first_use: pass {i + 1} of {passes}")
            cache, whole = place / f"calls {i}", place / f"whole {i}"
            gather(cold, time_in_process(place, cache, "print_times")[0])
            gather(cold, time_in_process(place, whole, "print_compile_time")[0])
            for which, name in ((cache, "print_times"), (whole, "print_compile_time")):
                first, second = time_in_process(place, which, name)
                gather(loaded, first)
                gather(again, second)
    rows: list[dict[str, Cell]] = [
        {
            "call": call,
            "made": table_of_calls,
            "cold": min(cold[call]),
            "loaded": min(loaded[call]),
            "again": 1e3 * min(again[call]) if call in again else None,
        }
        for call, table_of_calls in table().items()
    ]
    claim = "the first use of what is compiled: with an empty cache, and at the next start"
    series = {"cold": cold, "loaded": loaded, "again": again}
    return Report("first_use", claim, COLUMNS, rows, {"arm": "Panda", "passes": passes}, notes=NOTES, series=series)


def gather(into: dict[str, list[float]], seconds: dict[str, float]) -> None:
    """Add the seconds of one process to those of others."""
    for name, value in seconds.items():
        into.setdefault(name, []).append(value)


def time_in_process(folder: Path, cache: Path, what: str) -> list[dict[str, float]]:
    """Return the seconds of each first and second call in a new process."""
    command = [sys.executable, "-c", TELL.format(what)]
    done = subprocess.run(command, env=environment(folder, cache), cwd=folder, check=True, capture_output=True)
    rows: list[dict[str, float]] = json.loads(done.stdout)
    return rows


def print_times() -> None:
    """Make each call twice in this process, and print the seconds."""
    first, second = {}, {}
    for name, (_, call) in uses().items():
        first[name], second[name] = clock(call), clock(call)
    print(json.dumps([first, second]))


def print_compile_time() -> None:
    """Compile everything, and print the seconds."""
    print(json.dumps([{WHOLE: clock(whole)}, {}]))


def clock(call: Callable[[], object]) -> float:
    """Return the seconds of a call."""
    begin = perf_counter()
    call()
    return perf_counter() - begin


def environment(folder: Path, cache: Path) -> dict[str, str]:
    """Return the environment of a process with all its files in a folder, and its compiled code in a cache."""
    places = {
        "PYTHONPATH": os.pathsep.join([str(ROOT), str(folder)]),
        "PYTHONPYCACHEPREFIX": str(folder / "bytecode"),
        "LESSONS_CACHE_DIR": str(cache),
        "MPLCONFIGDIR": str(folder / "matplotlib"),
    }
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return kept | places


if __name__ == "__main__":
    main(measure, PASSES, "passes over all calls")
