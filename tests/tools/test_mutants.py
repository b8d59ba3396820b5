"""Slips of the past are made again in a copy of the library: each time a lesson refuses it."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SPACE = "the space Jacobian of space_kernel differs from the product of exponentials"
SLIPS = {
    "a transposed rotation in the adjoint": ("se3", "hat(p) * R, R]]", "hat(p) * R, R.T]]", "04", ": claim 4.4"),
    "a wrong sign in the space Jacobian": ("open_chain", "* rotated + R * v", "* rotated - R * v", "06", SPACE),
    "a wrong sign in the inverse of V": ("so3", "(3) - Omega / 2", "(3) + Omega / 2", "08", "J_l⁻¹ is not the inverse"),
}
"""A file of lessons_lib/symbolic, its text and the wrong one, the lesson that refuses it, and what it says."""


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A copy of the repository."""
    unwanted = (".*", "__pycache__", "_build", "build", "built", "dist", "node_modules", "lab")
    place = tmp_path_factory.mktemp("copy") / ROOT.name
    return Path(shutil.copytree(ROOT, place, ignore=shutil.ignore_patterns(*unwanted)))


@pytest.mark.check
@pytest.mark.parametrize("slip", [pytest.param(s, marks=pytest.mark.release if "sign" in s else ()) for s in SLIPS])
def test_an_error_is_refused(slip, copy):
    """The lesson runs as in the test command of tools/cosmic-ray.toml."""
    file, right, wrong, lesson, refusal = SLIPS[slip]
    path, (notebook,) = copy / "lessons_lib" / "symbolic" / f"{file}.py", copy.glob(f"notebooks/{lesson}_*.ipynb")
    text = path.read_text(encoding="utf8")
    assert text.count(right) == 1
    path.write_text(text.replace(right, wrong), encoding="utf8")
    options = ["-q", "-p", "no:cacheprovider", "--nbval-lax", "--nbval-current-env"]
    command = [sys.executable, "-m", "pytest", *options, str(notebook)]
    environment = os.environ | {"PYTHONPATH": str(copy), "LESSONS_CACHE_DIR": str(copy.parent / "cache")}
    try:
        done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True, timeout=3600)
    finally:
        path.write_text(text, encoding="utf8")
    assert done.returncode == pytest.ExitCode.TESTS_FAILED, done.stderr
    assert re.search(rf"{re.escape(refusal)}(?!\d)", done.stdout), done.stdout
