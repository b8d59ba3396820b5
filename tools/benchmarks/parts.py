"""Nanoseconds of one solve by its parts: Python, SIMD kernels, and the search that calls them."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter_ns
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lessons_lib import pose_ik, robots
from lessons_lib.arrays import Array
from lessons_lib.codegen.cache import run
from lessons_lib.codegen.native import native
from lessons_lib.pose_ik import lane_rows, lanes, layout
from lessons_lib.pose_ik.arguments import FIXED_SEED, check_problem
from lessons_lib.robots import Chain
from tools.benchmarks.poses import SEED, TOLERANCE, problems
from tools.benchmarks.report import Cell, Report, main, say
from tools.benchmarks.timing import no_garbage_collection, per_call

POSES = 2000
PASSES = 9
SHORT = 0.001
"""Seconds of calls between two looks at the clock: so short that the system often leaves the processor alone."""
FEWEST = 20
"""Among fewer random poses there may be none that the first start solves."""
CALLS = 20_000
"""Calls of a kernel between two looks at the clock: some milliseconds."""

KERNELS = {
    "pose_and_jacobian": "forward kinematics and Jacobian",
    "error_twist": "error twist: the logarithm",
    "damped_step": "damped step",
    "advance": "add the step",
}
"""Kernels of an evaluation, in order; the last two only before a step."""
STEPS = ("damped_step", "advance")
PYTHON, BINDING = "Python: call and result", "binding: arguments, checks, starts, report"
SEARCH, WHOLE = "search: checking, waiting", "the whole solve"
COLUMNS = {"part": "part", "once": "ns once", "times": "times", "spent": "ns a solve", "share": "share %"}
NOTES = (
    "poses of the UR10 that the first start solves in the median number of steps; the shortest time of all passes",
    f"a kernel works on {layout.WIDTH} SIMD lanes at once; it is timed in a separate loop, where calls can overlap",
    "Python: the time of a solve that starts at a solution, minus that of the same compiled search called directly",
    "binding: the time of that search, which is one evaluation, minus the kernels of an evaluation",
    "search: the remaining time, including the time in which a kernel waits for the one before",
)


def measure(poses: int) -> Report:
    """Return the report of the UR10."""
    chain = robots.ur10()
    say(f"parts: {chain.name}, {poses:,} poses, {PASSES} passes")
    targets, starts = problems(chain, max(poses, FEWEST))
    steps, rows = typical(chain, targets, starts)
    whole = of_whole(chain, targets[rows], starts[rows])
    python, arrived = of_one_evaluation(chain, targets[rows[0]])
    spent = of_kernels(chain, targets[rows[0]])
    binding = max(arrived - sum(spent[name] for name in KERNELS if name not in STEPS), 0.0)
    times = {name: steps + (name not in STEPS) for name in KERNELS}
    rows_of_parts: list[dict[str, Cell]] = [row(PYTHON, python, 1, whole), row(BINDING, binding, 1, whole)]
    rows_of_parts += [row(words, spent[name], times[name], whole) for name, words in KERNELS.items()]
    rest = whole - sum(float(entry["spent"] or 0.0) for entry in rows_of_parts)
    rows_of_parts += [row(SEARCH, rest, 1, whole), row(WHOLE, whole, 1, whole)]
    settings: dict[str, Cell] = {"poses": poses, "steps": steps, "tolerance [rad, m]": TOLERANCE, "seed": SEED}
    return Report("parts", "the parts of one solve of the UR10", COLUMNS, rows_of_parts, settings, {}, NOTES)


def row(part: str, once: float, times: int, whole: float) -> dict[str, Cell]:
    """Return a row of the table."""
    return {"part": part, "once": once, "times": times, "spent": once * times, "share": 100.0 * once * times / whole}


def typical(chain: Chain, targets: Array, starts: Array) -> tuple[int, NDArray[np.intp]]:
    """Return the median number of steps where the first start solves the pose, and the poses that take so many."""
    batch = pose_ik.solve_batch(chain, targets, starts)
    first = batch.converged & (batch.restarts == 0)
    steps = int(np.sort(batch.iterations[first])[first.sum() // 2])
    return steps, np.flatnonzero(first & (batch.iterations == steps))


def of_whole(chain: Chain, targets: Array, starts: Array) -> float:
    """Return the time of a solve, ns."""
    spent = []
    with no_garbage_collection():
        for _ in range(PASSES):
            begin = perf_counter_ns()
            for target, start in zip(targets, starts, strict=True):
                pose_ik.solve(chain, target, start)
            spent.append((perf_counter_ns() - begin) / len(targets))
    return min(spent)


def of_one_evaluation(chain: Chain, target: Array) -> tuple[float, float]:
    """Return the time of the Python around the compiled search, and of a search that starts at the solution, ns."""
    answer = pose_ik.solve(chain, target).q
    reached = chain.forward_kinematics(answer)
    problem = check_problem(chain, None, None, None)
    room, report = lanes.make_scratch(problem), np.empty(5 + 2 * chain.dof)
    search = lanes.entry_for(problem, "solve_pose")

    def alone() -> Any:
        return search(reached, answer, room, FIXED_SEED, report)

    def solve() -> Any:
        return pose_ik.solve(chain, reached, answer)

    pairs = [(per_call(solve, seconds=SHORT), per_call(alone, seconds=SHORT)) for _ in range(5 * PASSES)]
    whole, bare = (1e3 * min(times) for times in zip(*pairs, strict=True))
    return max(whole - bare, 0.0), bare


def of_kernels(chain: Chain, target: Array) -> dict[str, float]:
    """Return the time of a call of each kernel, ns, less that of the loop around it."""
    at, module, q = lane_rows.rows(chain.dof), lanes.module_for(chain), np.random.default_rng(SEED)
    w = np.zeros((at["ROWS"], layout.WIDTH))
    w[: chain.dof] = q.uniform(-1.0, 1.0, chain.dof)[:, None]
    w[at["TARGET"] :][:12], w[at["DIAGONAL"]] = target[:3].reshape(12, 1), 0.1
    loops = {name: _loop(getattr(module, name), layout.WIDTH) for name in KERNELS}
    loops["nothing"] = _loop(native(_nothing), layout.WIDTH)
    least = dict.fromkeys(loops, np.inf)
    for loop in loops.values():
        loop(w.ravel().copy(), 1, 255)
    for _ in range(PASSES):
        for name, loop in loops.items():
            room, begin = w.ravel().copy(), perf_counter_ns()
            loop(room, CALLS, 255)
            least[name] = min(least[name], (perf_counter_ns() - begin) / CALLS)
    return {name: max(least[name] - least["nothing"], 0.0) for name in KERNELS}


def _nothing(w: Array) -> None:
    """Do nothing."""


def _loop(kernel: Any, width: int) -> Callable[[Array, int, int], None]:
    """Return a compiled loop over a kernel; it touches w somewhere each time, so that no call can be left out."""
    known = {"kernel": kernel, "LANES": width}
    loop: Callable[[Array, int, int], None] = run(LOOP, f"<a loop over {kernel.__name__}>", known)["loop"]
    return loop


LOOP = """
from lessons_lib.codegen.native import native

@native
def loop(w, calls, mask):
    rows = w.reshape((-1, LANES))
    for i in range(calls):
        w[i & mask] += 1e-15
        kernel(rows)
"""


if __name__ == "__main__":
    main(measure, POSES, "random poses of the UR10")
