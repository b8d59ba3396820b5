"""Ctrl-C at any moment, once or twice, while real processes solve, solve batches and trace."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from scipy.linalg import expm
from scipy.spatial.transform import Rotation

from lessons_lib import robots
from lessons_lib.arrays import Array
from tools.fuzz.tally import Tally, generator

QUESTION = (
    "Does interrupted work end soon, leave no thread behind, and bring back all that it had done, and that right?"
)
JUDGE = "the clock, this process's own list of signals sent, and forward kinematics by SciPy's matrix exponential"
UNIT = "interrupted calls"
CASES = 40

TRIALS = 8
"""Calls that each process makes."""

PATIENCE = float(os.environ.get("FUZZ_PATIENCE", "1"))
"""How many times as long as on a machine of its own a process may take; in the tests a clock judges nothing."""

HUNG = 10.0 * PATIENCE
"""Seconds after the last signal, or the first word, that count as never; what is asked for is 0.3 s."""

STARTING = 400.0 * PATIENCE
"""Seconds for a process to compile all that it needs, where nothing is in the cache."""

ARGUMENTS = 0.3 * PATIENCE
"""Seconds in which the arguments are looked at, and nothing is there to be kept."""


def fuzz(cases: range, seed: int, tally: Tally) -> None:
    """Run the cases, each a process that is interrupted in each of its calls."""
    for case in cases:
        with tempfile.TemporaryDirectory() as folder:
            words = [sys.executable, "-m", "tools.fuzz.interrupted_process", str(seed), str(case), str(TRIALS), folder]
            with subprocess.Popen(
                words, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
            ) as process:
                try:
                    _interrupt(process, case, seed, tally)
                finally:
                    process.kill()


def _interrupt(process: subprocess.Popen[bytes], case: int, seed: int, tally: Tally) -> None:
    """Interrupt each call of a process, and judge what comes of it."""
    rng = generator(seed, 10_000 + case)
    for trial in range(TRIALS):
        if process.stdin is not None and process.poll() is None:
            process.stdin.write(b"go on\n")
        begun = _line(process, HUNG if trial else STARTING)
        if not begun.startswith("begin"):
            process.kill()
            errors = process.stderr.read().decode()[-800:] if process.stderr else ""
            tally.fail(case, f"trial {trial} did not begin: {begun!r} {errors}")
            return
        waits = [rng.uniform(0.0, 0.8) ** 2, *[w for w in [rng.choice([0.0, 1e-4, 2e-3, 0.05])] if rng.random() < 0.5]]
        sent = []
        for wait in waits:
            time.sleep(wait)
            sent.append(time.monotonic())
            os.kill(process.pid, signal.SIGINT)
        ended = _line(process, HUNG)
        tally.tried += 1
        if not ended.startswith("ended"):
            tally.fail(case, f"trial {trial} did not end within {HUNG} s of {len(waits)} interruption(s)")
            return
        found = np.load(Path(ended.split(maxsplit=1)[1]))
        tally.measure("delay [s]", max(0.0, float(found["ended"]) - sent[0]))
        for fault in _faults(found, case, sent[0] - float(begun.split()[1]), float(found["ended"]) < sent[0]):
            tally.fail(case, f"trial {trial}, {found['kind']}: {fault}")


def _line(process: subprocess.Popen[bytes], seconds: float) -> str:
    """Return the next line of a process, or nothing where none comes in time."""
    assert process.stdout is not None
    ready, _, _ = select.select([process.stdout], [], [], seconds)
    return process.stdout.readline().decode().strip() if ready else ""


def _faults(found: dict[str, Array], case: int, waited: float, whole: bool) -> list[str]:
    """Return what is wrong with one answer, of work that ended before it was interrupted where it is `whole`."""
    faults = []
    if found["behind"]:
        faults.append(f"{found['behind']} threads were left running")
    if not found["after"]:
        faults.append("the next solve does not converge")
    if not found["kept"]:
        lost = whole or (found["kind"] != "one" and waited > ARGUMENTS)
        return faults + ["what was done is lost"] * int(lost)
    if found["kind"] == "one":
        return faults
    done = ~np.isin(found["status"], ["INTERRUPTED", "NOT_TRIED"])
    if not done.all() or found["message"]:
        counted = re.match(r"interrupted: (\d+) of (\d+) ", str(found["message"]))
        if not counted or [int(n) for n in counted.groups()] != [done.sum(), len(done)]:
            faults.append(f"{done.sum()} of {len(done)} are done, and the warning says {found['message']!s}")
    arm = [robots.planar_2r, robots.ur10][case % 2]()
    for row in np.flatnonzero(done)[:40]:
        faults += _wrong(arm.screws, arm.home, found, row)
    if not np.isnan(found["position_error"][~done]).all():
        faults.append("a row that is not done tells an error")
    return faults


def _wrong(screws: Array, home: Array, found: dict[str, Array], row: int) -> list[str]:
    """Return what is wrong with a row that is done: its pose, by somebody else's kinematics, is not as it says."""
    T = home
    for (x, y, z, *v), angle in list(zip(screws.T, found["q"][row], strict=True))[::-1]:
        twist = np.array([[0, -z, y, v[0]], [z, 0, -x, v[1]], [-y, x, 0, v[2]], [0, 0, 0, 0]])
        T = expm(angle * twist) @ T
    target = found["poses"][row]
    angle = Rotation.from_matrix(T[:3, :3].T @ target[:3, :3]).magnitude()
    away = float(np.linalg.norm(T[:3, 3] - target[:3, 3]))
    told = float(found["orientation_error"][row]), float(found["position_error"][row])
    if found["status"][row] == "CONVERGED" and (angle > 1.001e-6 or away > 1.001e-6):
        return [f"row {row} converged, and is off by {angle:.3g} rad and {away:.3g} m"]
    if abs(angle - told[0]) > 1e-8 or away > told[1] + 1e-8:
        return [f"row {row} tells errors of {told}, which are {angle:.3g} rad and {away:.3g} m"]
    return []
