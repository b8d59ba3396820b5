"""The printed solver in a loop of 1 kHz that moves masses: an arm on a line, pushed on its way, and what goes wrong.

No time is measured: each number is the physics', and comes out alike wherever it is run.
"""

from __future__ import annotations

import ctypes
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from lessons_lib import robots, trajectories
from lessons_lib.arrays import Array
from lessons_lib.course.robot.torque_loop import RATE, Servo, TorqueRun, commands_of, follow_commands
from lessons_lib.extras import missing_modules
from lessons_lib.pose_ik import Stop
from lessons_lib.robots import Chain
from tools.benchmarks.report import Cell, Report, main

BEGIN = (0.2, -1.9, 1.8, -1.4, -1.5, 0.3)
"""Initial configuration, rad."""

WAY = (0.0, 0.5, 0.2)
"""Of the hand, m, in MOVING seconds along a line, without turning; then it rests."""

MOVING, LASTS = 2.0, 2.5
"""s."""

TIGHT, LOOSE = 1e-10, 1e-4
"""Tolerances of the solver, rad and m."""

PUSHED = Servo(push=100.0)
STIFF = Servo(push=100.0, bandwidth=100.0)

EVERY = 10
"""Of the cycles, of which the curves have one."""

COLUMNS = {
    "run": "run",
    "before": "error of the hand before the push [mm]",
    "pushed": "error during the push [mm]",
    "end": "error at the end [mm]",
    "speed": "fastest joint [rad/s]",
    "asked": "required acceleration [rad/s²]",
    "torque": "largest torque [% of its limit]",
}
NOTES = (
    "error of the hand: its largest distance from its target at the time; the push acts on the forearm for 0.2 s",
    "the masses in the controller's model are a tenth too small",
    "the measurements are one cycle old, in the late run eight cycles; stiff: errors fade four times as fast",
    "held: a new command every 20 ms",
)


@dataclass(frozen=True)
class Run:
    """Input of one run: commands, the due poses of the hand, and the servo loop."""

    name: str
    commands: Array
    due: Array
    servo: Servo


def measure(size: int) -> Report:
    """Return the report of all runs; `size` is how many of them there are at most."""
    if missing_modules("simulation"):
        sys.exit("MuJoCo is not installed: pip install 'lessons-lib[simulation]'")
    rows, series = list[dict[str, Cell]](), dict[str, Any]()
    for run_of in runs()[:size]:
        run, row = follow(run_of)
        rows.append(row)
        if run_of.name in ("C, every cycle", "C, tolerance 1e-4"):
            series[run_of.name] = curves(run_of, run)
    settings: dict[str, Cell] = {"arm": "UR10", "cycles a second [Hz]": RATE, "push [N]": PUSHED.push}
    claim = "the printed solver in a loop of 1 kHz, in MuJoCo"
    return Report("servo", claim, COLUMNS, rows, settings, {}, NOTES, series)


def runs() -> list[Run]:
    """Return the inputs of all runs."""
    arm = robots.ur10()
    due = poses(arm)
    tight, loose = in_c(arm, due, TIGHT), in_c(arm, due, LOOSE)
    constant = tight[np.arange(len(tight)) // 20 * 20]
    path = trajectories.trace(arm, due[: round(MOVING * RATE) + 1 : 100], BEGIN)
    message = trajectories.retime(path, arm, acceleration=1.5).to_message()
    planned = commands_of(message)
    reached = np.array([arm.forward_kinematics(q) for q in planned])
    return [
        Run("C, every cycle", tight, due, PUSHED),
        Run("block, every cycle", in_block(arm, due), due, PUSHED),
        Run("message, as fast as it may", planned, reached, PUSHED),
        Run("C, tolerance 1e-4", loose, due, PUSHED),
        Run("C, held for 20 ms", constant, due, PUSHED),
        Run("stiff", tight, due, STIFF),
        Run("stiff, eight cycles late", tight, due, Servo(push=100.0, bandwidth=100.0, delay=8)),
        Run("encoders of 12 bits", tight, due, Servo(push=100.0, encoder=2.0 * np.pi / 2**12)),
    ]


def poses(arm: Chain) -> Array:
    """Return the due pose of the hand in each cycle, shape (m, 4, 4)."""
    first = arm.forward_kinematics(BEGIN)
    last = first.copy()
    last[:3, 3] += WAY
    return trajectories.through([first, last], MOVING).at(np.arange(round(LASTS * RATE)) / RATE)


def in_c(arm: Chain, targets: Array, tolerance: float) -> Array:
    """Return the answers of the printed solver, compiled here, each from the one before, shape (m, n)."""
    text = arm.source("c", solver=True, stop=Stop(tolerance, tolerance), evaluations=20)
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "solver.c").write_text(text, "utf8")
        command = "cc -std=c99 -O2 -ffp-contract=off -shared -fPIC -o solver.so solver.c -lm".split()
        subprocess.run(command, cwd=folder, check=True)
        solver = ctypes.CDLL(str(Path(folder) / "solver.so"))
    sizes = [int(text.split(f"#define {name} ")[1].split()[0]) for name in ("POSE_ROOM", "POSE_REPORT")]
    room, report = (np.zeros(size) for size in sizes)
    at, answers, q = ctypes.c_void_p, list[Array](), np.array(BEGIN)
    solver.pose_room(at(room.ctypes.data))
    for target in targets:
        T = np.ascontiguousarray(target)
        pointers = (at(T.ctypes.data), at(q.ctypes.data), ctypes.c_int64(0), at(room.ctypes.data))
        if not solver.solve_target(*pointers, at(report.ctypes.data)):
            sys.exit(f"the printed solver did not reach\n{target}")
        q = report[5 : 5 + arm.dof].copy()
        answers.append(q)
    return np.array(answers)


def in_block(arm: Chain, targets: Array) -> Array:
    """Return the answers of the block, each from the one before, shape (m, n)."""
    from lessons_lib.blocks import DampedLeastSquaresIK

    block, answers, q = DampedLeastSquaresIK(arm, damping=1e-3, tolerance=TIGHT), list[Array](), np.array(BEGIN)
    for target in targets:
        q, status = block.output(0.0, [target, np.ones(6), q], np.empty(0))
        if not status["reached"]:
            sys.exit(f"the block did not reach\n{target}")
        answers.append(q)
    return np.array(answers)


def follow(run_of: Run) -> tuple[TorqueRun, dict[str, Cell]]:
    """Return the result of a run, and its row."""
    run = follow_commands(run_of.commands, run_of.servo)
    off, (begin, _) = 1e3 * hand_off(run_of, run), run_of.servo.pushed
    pushed = round(begin * RATE)
    return run, {
        "run": run_of.name,
        "before": float(off[:pushed].max()),
        "pushed": float(off[pushed : pushed + 400].max()),
        "end": float(off[-1]),
        "speed": float(np.abs(run.velocity).max()),
        "asked": float(np.abs(run.asked).max()),
        "torque": float(100.0 * (np.abs(run.torque) / run.most).max()),
    }


def hand_off(run_of: Run, run: TorqueRun) -> Array:
    """Return the distance of the hand from its due position, shape (m,), m."""
    positions = robots.ur10().forward_kinematics(run.q)[:, :3, 3]
    off: Array = np.linalg.norm(positions - run_of.due[:, :3, 3], axis=1)
    return off


def curves(run_of: Run, run: TorqueRun) -> dict[str, list[float]]:
    """Return the curves of the lesson: 0.1 s of joint 1, and every EVERY-th cycle of the others."""
    begins, every = slice(0, RATE // 10), slice(None, None, EVERY)
    columns = {
        "begin q1 [rad]": run_of.commands[begins, 0] - BEGIN[0],
        "begin asked1 [rad/s²]": run.asked[begins, 0],
        "off [mm]": 1e3 * hand_off(run_of, run)[every],
    }
    columns |= {f"torque{j + 1} [N·m]": run.torque[every, j] for j in range(3)}
    return {name: [float(f"{value:.6g}") for value in values] for name, values in columns.items()}


if __name__ == "__main__":
    main(measure, 99, "runs at most")
