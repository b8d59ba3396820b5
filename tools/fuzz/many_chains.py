"""Chains that are made, solved and let go, one after the other: what each leaves in memory."""

from __future__ import annotations

import gc
import os
import resource
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from lessons_lib import pose_ik, robots
from tools.fuzz.tally import Tally, generator

QUESTION = "Does a chain that is let go leave little in memory?"
JUDGE = "the operating system"
UNIT = "chains"
CASES = 200

MOST = 5.0
"""MB that a chain may leave, in the mean over all but the first few; before its machine code was freed it was 16."""

FEW = 3
"""Chains after which all that the first one loads for good is there."""


def fuzz(cases: Iterable[int], seed: int, tally: Tally) -> None:
    """Make a planar arm of random lengths in each case, solve a pose with it, and let it go."""
    before, grown = os.environ.get("LESSONS_CACHE_DIR"), 0
    with tempfile.TemporaryDirectory() as folder:
        os.environ["LESSONS_CACHE_DIR"] = folder
        try:
            sizes = [solve_one(case, seed, tally) for case in cases]
        finally:
            if before is None:
                del os.environ["LESSONS_CACHE_DIR"]
            else:
                os.environ["LESSONS_CACHE_DIR"] = before
    grown = len(sizes) - FEW
    if grown > 0:
        left = (sizes[-1] - sizes[FEW - 1]) / grown
        tally.measure("memory that a chain leaves [MB]", left)
        if left > MOST:
            tally.fail(0, f"each of {grown} chains leaves {left:.1f} MB")
    modules = sum(name.startswith("lessons_lib_generated_chain_") for name in sys.modules)
    if modules > FEW:
        tally.fail(0, f"{modules} modules of chains that are gone are still there")


def solve_one(case: int, seed: int, tally: Tally) -> float:
    """Make, solve and let go of a chain, and return how much memory the process has [MB]."""
    first, second = generator(seed, case).uniform(0.3, 2.0, 2)
    home = [[1, 0, 0, first + second], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
    arm = robots.from_screws([[0, 0], [0, 0], [1, 1], [0, 0], [0, -first], [0, 0]], home)
    found = pose_ik.solve(arm, arm.forward_kinematics([0.3, 0.8]), [0.1, 0.4])
    tally.tried += 1
    if not found.converged:
        tally.fail(case, f"not solved: {found.status.name}")
    del arm, found
    gc.collect()
    return resident()


def resident() -> float:
    """Return the memory of this process [MB]: what it holds now where that is told, else the most it ever held."""
    told = Path("/proc/self/statm")
    if told.exists():
        return int(told.read_text("ascii").split()[1]) * resource.getpagesize() / 1e6
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
