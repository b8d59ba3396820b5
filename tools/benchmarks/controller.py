"""The printed solver on a Cortex-M7, run by QEMU: the same bits as on the desk, code, stack, instructions a call.

By hand, before a release; on Debian: apt-get install gcc-arm-none-eabi libnewlib-arm-none-eabi qemu-system-arm.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from lessons_lib import robots
from lessons_lib.arrays import Array
from lessons_lib.pose_ik import Stop
from tools.benchmarks import servo
from tools.benchmarks.poses import SEED
from tools.benchmarks.report import Cell, Report, main

HERE = Path(__file__).parent
POSES, EVALUATIONS = 200, 20
ON_ARM = "-mcpu=cortex-m7 -mthumb -mfpu=fpv5-d16 -mfloat-abi=hard".split()
PLAIN = "-std=gnu99 -Wall -Wextra -Werror -ffp-contract=off".split()
QEMU = "qemu-system-arm -M mps2-an500 -nographic -monitor none -serial none -icount shift=0".split()
SEMIHOSTING = "-semihosting-config enable=on,target=native -kernel".split()
A_TICK = 40
"""Instructions in a tick of the counter: one takes 1 ns under -icount, and the board's clock has 25 MHz."""

NEEDED = ("arm-none-eabi-gcc", "arm-none-eabi-size", "qemu-system-arm")
COLUMNS = {
    "poses": "poses",
    "option": "option",
    "solved": "solved",
    "same": "same bits as on a desktop",
    "calls": "calls per pose, at most",
    "median": "instructions per pose, median",
    "most": "instructions per call, at most",
    "stack": "stack [byte]",
    "code": "code [byte]",
}
NOTES = (
    "on a path: each from the answer of the cycle before; anywhere: random poses from random starts, with restarts",
    f"a call makes at most {EVALUATIONS} evaluations; QEMU counts instructions, not cycles, {A_TICK} in a tick",
    "stack: the deepest that was painted over in any call; code: the solver and its constants; it has no other data",
)


def measure(size: int) -> Report:
    """Return the report; `size` is the number of poses of each kind."""
    lacking = [name for name in NEEDED if not shutil.which(name)]
    if lacking:
        sys.exit(f"{', '.join(lacking)} not found; {(__doc__ or '').splitlines()[2]}")
    rows = [row(kind, option, size) for kind in ("on a path", "anywhere") for option in ("-O2", "-Os")]
    settings: dict[str, Cell] = {"arm": "UR10", "evaluations a call": EVALUATIONS, "room [byte]": room_bytes()}
    claim = "the printed solver on a Cortex-M7 under QEMU, compared with a desktop"
    return Report("controller", claim, COLUMNS, rows, settings, {}, NOTES)


def solver() -> str:
    """Return the printed solver."""
    return robots.ur10().source("c", solver=True, stop=Stop(servo.TIGHT, servo.TIGHT), evaluations=EVALUATIONS)


def room_bytes() -> int:
    """Return how much memory the solver is given."""
    return 8 * int(solver().split("#define POSE_ROOM ")[1].split()[0])


def problems(kind: str, count: int) -> tuple[Array, Array]:
    """Return targets and starts."""
    arm = robots.ur10()
    if kind == "on a path":
        due = servo.poses(arm)
        answers = servo.in_c(arm, due, servo.TIGHT)
        at = np.linspace(1, len(due) - 1, count).astype(int)
        return due[at], answers[at - 1]
    rng = np.random.default_rng(SEED)
    drawn = np.array([[arm.random_configuration(rng) for _ in range(2)] for _ in range(count)])
    return arm.forward_kinematics(drawn[:, 0]), drawn[:, 1]


def row(kind: str, option: str, count: int) -> dict[str, Cell]:
    """Return the results for one kind of poses and one compiler option."""
    text = "\n".join([solver(), tables(*problems(kind, count)), (HERE / "controller.c").read_text("utf8")])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "all.c").write_text(text, "utf8")
        (folder / "solver.c").write_text(solver(), "utf8")
        run(folder, "cc", *PLAIN, option, "-o", "desk", "all.c", "-lm")
        desk = run(folder, "./desk")
        own = ["-nostartfiles", "-T", str(HERE / "controller.ld"), "-o", "board", "all.c", "-lm", "-lc", "-lgcc"]
        run(folder, NEEDED[0], *PLAIN, option, *ON_ARM, *own)
        board = run(folder, *QEMU, *SEMIHOSTING, "board")
        run(folder, NEEDED[0], *PLAIN, option, *ON_ARM, "-c", "-o", "solver.o", "solver.c")
        code = int(run(folder, NEEDED[1], "solver.o").splitlines()[1].split()[0])
    ours, theirs = ([line.split() for line in output.splitlines()] for output in (board, desk))
    cost = np.array([[int(word, 16) for word in line[:4]] for line in ours])
    return {
        "poses": kind,
        "option": option,
        "solved": sum(line[4] == "0" * 16 for line in ours),
        "same": sum(one[4:] == other[4:] for one, other in zip(ours, theirs, strict=True)),
        "calls": int(cost[:, 0].max()),
        "median": int(A_TICK * np.median(cost[:, 2])),
        "most": int(A_TICK * cost[:, 1].max()),
        "stack": int(cost[:, 3].max()),
        "code": code,
    }


def tables(targets: Array, starts: Array) -> str:
    """Return the poses and starts as C."""

    def initializer(table: Array) -> str:
        rows = (", ".join(float(number).hex() for number in np.ravel(entry)) for entry in table)
        return "{" + ",\n".join(f"{{{entry}}}" for entry in rows) + "}"

    return (
        f"#define POSES {len(targets)}\n#define DOF {starts.shape[1]}\n"
        f"static const double TARGETS[POSES][16] = {initializer(targets)};\n"
        f"static const double STARTS[POSES][DOF] = {initializer(starts)};\n"
    )


def run(folder: Path, *command: str) -> str:
    """Run a command in a folder and return its output; semihosting writes to stderr."""
    words: Sequence[str] = [str(folder / "desk") if word == "./desk" else word for word in command]
    ran = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False, timeout=300)
    if ran.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{ran.stderr}")
    return ran.stdout or ran.stderr


if __name__ == "__main__":
    main(measure, POSES, "poses of each kind")
