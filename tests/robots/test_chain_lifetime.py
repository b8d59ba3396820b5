"""Chains that are derived, solved and deleted in a row leave little memory behind."""

import os
import subprocess
import sys

import pytest

MANY = """
import gc, resource, sys
from pathlib import Path
import numpy as np
from lessons_lib import pose_ik, robots
sizes, rng = [], np.random.default_rng(1)
for _ in range(60):
    first, second = rng.uniform(0.3, 2.0, 2)
    home = [[1, 0, 0, first + second], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
    arm = robots.from_screws([[0, 0], [0, 0], [1, 1], [0, 0], [0, -first], [0, 0]], home)
    assert pose_ik.solve(arm, arm.forward_kinematics([0.3, 0.8]), [0.1, 0.4]).converged
    del arm
    gc.collect()
    pages = Path("/proc/self/statm")
    held = int(pages.read_text().split()[1]) * resource.getpagesize() if pages.exists() else 0
    sizes.append(held or resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1e3)
print((sizes[-1] - sizes[2]) / 57e6, sum(name.startswith("lessons_lib_generated_chain_") for name in sys.modules))
"""
"""What each chain leaves in MB; the first three load what stays for good."""


@pytest.mark.release
def test_a_chain_that_is_deleted_frees_its_machine_code(tmp_path: object) -> None:
    """Before its machine code was freed, a chain left 16 MB."""
    environment = os.environ | {"LESSONS_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-c", MANY]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=3600)
    assert done.returncode == 0, done.stderr
    left, modules = map(float, done.stdout.split())
    assert left < 5.0 and modules <= 3
