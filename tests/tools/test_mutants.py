"""Slips of the past are made again in a copy of the library: each time a claim of a lesson, or a test, refuses it."""

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest


@dataclass(frozen=True)
class Slip:
    """A change of one symbol in a file below lessons_lib/, and the claim or the test that refuses it.

    `says` is what the library itself says before the claim is reached.
    """

    name: str
    file: str
    was: str
    becomes: str
    judge: str
    says: str = ""


ROOT = Path(__file__).resolve().parents[2]
SLIPS = (
    Slip(
        "a wrong sign in the space Jacobian",
        "symbolic/open_chain.py",
        "so3.hat(p) * rotated + R * v",
        "so3.hat(p) * rotated - R * v",
        "6.3",
        "the space Jacobian of space_kernel differs from the product of exponentials",
    ),
    Slip(
        "a transposed rotation in the adjoint",
        "symbolic/se3.py",
        "[so3.hat(p) * R, R]]",
        "[so3.hat(p) * R, R.T]]",
        "4.4",
    ),
    Slip(
        "a wrong sign in the inverse of V",
        "symbolic/so3.py",
        "sp.eye(3) - Omega / 2",
        "sp.eye(3) + Omega / 2",
        "8.3",
        "J_l⁻¹ is not the inverse of J_l",
    ),
)


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A copy of the repository."""
    unwanted = (".*", "__pycache__", "_build", "build", "built", "dist", "node_modules", "lab")
    place = tmp_path_factory.mktemp("copy") / ROOT.name
    return Path(shutil.copytree(ROOT, place, ignore=shutil.ignore_patterns(*unwanted)))


QUICK = {"a transposed rotation in the adjoint", "a pitch the other way"}
"""A claim refuses the first, a test the second; `make check` makes these, `make release` all."""


def run_judge(copy, judge):
    """Run a test, or the lesson with a claim, as the test command of tools/cosmic-ray.toml runs all of them."""
    number = judge.partition(".")[0]
    chosen = judge if judge.startswith("tests/") else str(next(copy.glob(f"notebooks/{number:0>2}_*.ipynb")))
    options = ["-q", "-p", "no:cacheprovider", "--nbval-lax", "--nbval-current-env"]
    command = [sys.executable, "-m", "pytest", *options, chosen]
    environment = os.environ | {"PYTHONPATH": str(copy), "LESSONS_CACHE_DIR": str(copy.parent / "cache")}
    return subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True, timeout=3600)


@pytest.mark.check
@pytest.mark.parametrize(
    "slip",
    [pytest.param(slip, marks=() if slip.name in QUICK else pytest.mark.release) for slip in SLIPS],
    ids=lambda slip: slip.name,
)
def test_an_error_is_refused(slip, copy):
    path = copy / "lessons_lib" / slip.file
    text = path.read_text(encoding="utf8")
    assert text.count(slip.was) == 1
    path.write_text(text.replace(slip.was, slip.becomes), encoding="utf8")
    try:
        done = run_judge(copy, slip.judge)
    finally:
        path.write_text(text, encoding="utf8")
    assert done.returncode == pytest.ExitCode.TESTS_FAILED, done.stderr
    refused = slip.says or (f"FAILED {slip.judge}" if slip.judge.startswith("tests/") else f": claim {slip.judge}")
    assert re.search(rf"{re.escape(refused)}(?!\d)", done.stdout), done.stdout
