"""Processes that fork while their threads derive, compile and solve; the child does the same work and ends."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable

from tools.fuzz.tally import Tally, generator

QUESTION = "Does a child that is forked while threads compile solve, and end?"
JUDGE = "the parent's answer"
UNIT = "forks"
CASES = 20

HANGS = 600.0
"""Seconds after which a process counts as one that never ends; it takes some twenty."""

FORKS = 5

PROGRAM = """
import os, sys, threading, time
import numpy as np
from lessons_lib import pose_ik, robots

lengths, waits = eval(sys.argv[1])

def arm(length):
    home = np.eye(4)
    home[0, 3] = length + 0.7
    return robots.from_screws([[0, 0], [0, 0], [1, 1], [0, 0], [0, -length], [0, 0]], home)

def work(length):
    chain = arm(length)
    found = pose_ik.solve(chain, chain.forward_kinematics([0.3, 0.8]), [0.1, 0.4])
    assert found.converged
    chain.space_jacobian([0.1, 0.2])
    return found.q

threads = [threading.Thread(target=work, args=(length,)) for length in lengths]
for thread in threads:
    thread.start()
children = []
for wait in waits:
    time.sleep(wait)
    child = os.fork()
    if child == 0:
        signal = __import__("signal")
        signal.alarm(300)  # a child that hangs is ended, and counted
        os._exit(0 if np.isfinite(work(lengths[0])).all() else 1)
    children.append(child)
for thread in threads:
    thread.join()
q = work(lengths[0])
print(*(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children))
"""


def fuzz(cases: Iterable[int], seed: int, tally: Tally) -> None:
    """Start a process with an empty cache in each case; it forks at random moments while two threads compile."""
    for case in cases:
        rng = generator(seed, case)
        lengths, waits = rng.uniform(0.5, 2.0, 2).round(6).tolist(), rng.uniform(0.0, 1.5, FORKS).round(4).tolist()
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, "-W", "ignore", "-c", PROGRAM, repr((lengths, waits))]
            environment = {**os.environ, "LESSONS_CACHE_DIR": folder}
            tally.tried += FORKS
            try:
                done = subprocess.run(
                    command, env=environment, capture_output=True, text=True, timeout=HANGS, check=False
                )
            except subprocess.TimeoutExpired:
                tally.fail(case, "the parent hangs")
                continue
            if done.returncode != 0:
                tally.fail(case, f"the parent ends with {done.returncode}: {done.stderr[-200:]}")
            for child, code in enumerate(done.stdout.split()):
                if code != "0":
                    tally.fail(case, f"child {child} ends with {code}: hung, if that is -14")
