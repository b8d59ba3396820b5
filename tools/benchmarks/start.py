"""Start: from nothing to a loaded library, and to the first solved pose, each part in a fresh process."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import numpy as np

from tools.benchmarks.report import Cell, Report, main, say

PASSES = 9
COLD_PASSES = 3
ROOT = Path(__file__).resolve().parents[2]
TRIVIAL = "from lessons_lib import lie; lie.exp_so3([0.1, 0.2, 0.3])"
TARGET = "[[0, 0, 1, 0.4], [1, 0, 0, 0.3], [0, 1, 0, 0.5], [0, 0, 0, 1]]"
SOLVE = "from lessons_lib import robots, pose_ik; chain = robots.{}(); assert pose_ik.solve(chain, {}{}).converged"
WEIGHED = ", goal=pose_ik.pose((1, 1, 1, 9, 9, 9))"


@dataclass(frozen=True)
class Part:
    """A program that is started again and again.

    Attributes:
        code: What it does.
        against: The part that its time is divided by.
        goal: The largest ratio that we want.
        cold: Whether it finds an empty cache each time.
    """

    code: str
    against: str = ""
    goal: float | None = None
    cold: bool = False


PARTS = {
    "python, nothing else": Part("pass"),
    "import numpy": Part("import numpy"),
    "import lessons_lib": Part("import lessons_lib", "import numpy", 1.5),
    "import sympy": Part("import sympy", "import numpy"),
    "import llvmlite": Part("import llvmlite.binding", "import numpy"),
    "import matplotlib.pyplot": Part("import matplotlib.pyplot", "import numpy"),
    "a rotation": Part(TRIVIAL, "import numpy"),
    "first pose of the UR10": Part(SOLVE.format("ur10", TARGET, ""), "a rotation", 1.5),
    "first pose of the Panda": Part(SOLVE.format("panda", TARGET, ""), "a rotation", 1.5),
    "first pose of the UR10, weights": Part(SOLVE.format("ur10", TARGET, WEIGHED), "a rotation", 1.5),
    "first pose of the UR10, weights, empty cache": Part(
        SOLVE.format("ur10", TARGET, WEIGHED), "first pose of the UR10, weights", 5.0, cold=True
    ),
    "first pose of the UR10, empty cache": Part(
        SOLVE.format("ur10", TARGET, ""), "first pose of the UR10", 5.0, cold=True
    ),
    "first pose of the Panda, empty cache": Part(
        SOLVE.format("panda", TARGET, ""), "first pose of the Panda", 5.0, cold=True
    ),
}
COLUMNS = {
    "part": "part",
    "least": "least ms",
    "median": "median ms",
    "against": "against",
    "ratio": "× of least",
    "median_ratio": "× of median",
    "goal": "goal ×",
}
NOTES = (
    "each part: a fresh process, from its start to its end; the parts take turns",
    "Python's bytecode is on disk, as after any first start, and so is the machine code but for an empty cache",
    f"an empty cache: {COLD_PASSES} passes at most; SymPy derives, LLVM compiles",
)


def measure(passes: int) -> Report:
    """Return the report of all parts."""
    with tempfile.TemporaryDirectory() as folder:
        seconds = _in_turn(Path(folder), passes)
    least = {name: min(values) for name, values in seconds.items()}
    median = {name: float(np.median(values)) for name, values in seconds.items()}
    claim = "the time to load, and to the first solved pose"
    rows = [_row(name, part, least, median) for name, part in PARTS.items()]
    settings: dict[str, Cell] = {"passes": passes, "passes with an empty cache": min(passes, COLD_PASSES)}
    return Report("start", claim, COLUMNS, rows, settings, notes=NOTES, series={"seconds": seconds})


def _row(name: str, part: Part, least: Mapping[str, float], median: Mapping[str, float]) -> dict[str, Cell]:
    row: dict[str, Cell] = {"part": name, "least": 1e3 * least[name], "median": 1e3 * median[name]}
    if part.against:
        row |= {"against": part.against, "goal": part.goal}
        row |= {"ratio": least[name] / least[part.against], "median_ratio": median[name] / median[part.against]}
    return row


def _in_turn(folder: Path, passes: int) -> dict[str, list[float]]:
    """Return the seconds of each pass of each part; a pass before the first one fills the caches, untimed."""
    seconds: dict[str, list[float]] = {name: [] for name in PARTS}
    for i in range(-1, passes):
        say(f"start: pass {i + 1} of {passes}" if i >= 0 else "start: filling the caches")
        for name, part in PARTS.items():
            if not part.cold:
                spent = _run(part.code, folder, folder / "cache")
            elif 0 <= i < COLD_PASSES:
                with tempfile.TemporaryDirectory(dir=folder) as empty:
                    spent = _run(part.code, folder, Path(empty))
            else:
                continue
            if i >= 0:
                seconds[name].append(spent)
    return seconds


def _run(code: str, folder: Path, cache: Path) -> float:
    """Return how many seconds a fresh process takes."""
    begin = perf_counter()
    subprocess.run([sys.executable, "-c", code], env=environment(folder, cache), cwd=folder, check=True)
    return perf_counter() - begin


def environment(folder: Path, cache: Path) -> dict[str, str]:
    """Return the variables of a process whose every file lies in a folder, and what is compiled in a cache."""
    places = {
        "PYTHONPATH": os.pathsep.join([str(ROOT), str(folder)]),
        "PYTHONPYCACHEPREFIX": str(folder / "bytecode"),
        "LESSONS_CACHE_DIR": str(cache),
        "MPLCONFIGDIR": str(folder / "matplotlib"),
    }
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return kept | places


if __name__ == "__main__":
    main(measure, PASSES, "passes over all parts")
