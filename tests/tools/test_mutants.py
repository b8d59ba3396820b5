"""Slips of the past are made again in a copy of the library: each time a claim of a lesson, or a test, refuses it."""

import ast
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tools.mutants import judge


@dataclass(frozen=True)
class Slip:
    """A change of one symbol in a file below lessons_lib/, and the claim or the test that refuses it."""

    name: str
    file: str
    was: str
    becomes: str
    judge: str


SLIPS = (
    Slip(
        "a wrong sign in the space Jacobian",
        "symbolic/open_chain.py",
        "so3.hat(p) * rotated + R * v",
        "so3.hat(p) * rotated - R * v",
        "6.4",
    ),
    Slip(
        "a wrong sign in V",
        "symbolic/so3.py",
        "stumpff(2, x) * Omega + stumpff(3, x) * Omega**2",
        "stumpff(2, x) * Omega - stumpff(3, x) * Omega**2",
        "3.2",
    ),
    Slip(
        "2D for D in the damped step",
        "symbolic/damped_step.py",
        "product + (D if i == j else 0)",
        "product + (2 * D if i == j else 0)",
        "10.11",
    ),
    Slip("a slide the other way", "symbolic/tip_to_base.py", "self.t + q * along", "self.t - q * along", "7.8"),
    Slip(
        "a pitch the other way",
        "symbolic/tip_to_base.py",
        "self.t + pitch * q * axis",
        "self.t - pitch * q * axis",
        "tests/symbolic/test_tip_to_base.py::test_both_derivations_are_the_same_functions[helical]",
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
    ),
    Slip(
        "a cosine with the sign of another quadrant",
        "codegen/scalar_target.py",
        "(quadrant + 1) & 2",
        "(quadrant + 3) & 2",
        "tests/codegen/test_sine_cosine_pairs.py::test_the_pair_is_right_to_three_units_in_the_last_place",
    ),
)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the repository."""
    folder = tmp_path_factory.mktemp("copy")
    judge.copy_into(folder)
    return folder


QUICK = {
    "a wrong sign in V",
    "a transposed rotation in the adjoint",
    "a pitch the other way",
}
"""A claim refuses two of them, and a test one; `make check` makes these, a release all."""


def asked(copy: Path, judge: str) -> subprocess.CompletedProcess[str]:
    kind = "--tests" if judge.startswith("tests/") else "--claims"
    command = [sys.executable, "-m", "tools.mutants.judge", kind, judge]
    environment = os.environ | {"PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True, timeout=3600)


@pytest.mark.check
@pytest.mark.parametrize(
    "slip",
    [pytest.param(slip, marks=() if slip.name in QUICK else pytest.mark.release) for slip in SLIPS],
    ids=lambda slip: slip.name,
)
def test_a_slip_is_refused(slip: Slip, copy: Path) -> None:
    path = copy / "lessons_lib" / slip.file
    text = path.read_text(encoding="utf8")
    assert text.count(slip.was) == 1
    path.write_text(text.replace(slip.was, slip.becomes), encoding="utf8")
    try:
        done = asked(copy, slip.judge)
    finally:
        path.write_text(text, encoding="utf8")
    assert done.returncode == 1, done.stderr
    kind = "test" if slip.judge.startswith("tests/") else f"claim {slip.judge}: ClaimError"
    assert done.stdout.strip().splitlines()[-1].startswith(kind)


@pytest.mark.check
def test_the_library_as_it_is_is_not_refused(copy: Path) -> None:
    """A judge that refuses whatever it sees would tell nothing."""
    assert asked(copy, "3.2").returncode == 0


CELLS = [
    "import numpy as np\nfrom lessons_lib.claims import claim\na, b = 1, 2",
    "def f(x):\n    b = a\n    return x + b",
    "c = [0]\nc = [1]\nc.append(a)\nc[0] += 1\nprint(c)",
    "d = [b for b in c]\nfor e in d:\n    np.sin(e)",
    "claim('1.1', 'All.', f(1), '=', d)",
    "b = 3\nclaim('1.2', 'None.', 1, '=', 1)",
]


def notebook(folder: Path, cells: list[str]) -> Path:
    path = folder / "01_made.ipynb"
    made = [{"cell_type": "markdown", "source": ["claim"]}]
    made += [{"cell_type": "code", "source": cell.splitlines(keepends=True)} for cell in cells]
    path.write_text(json.dumps({"cells": made}), encoding="utf8")
    return path


def test_a_program_is_the_claim_and_what_it_hangs_on(tmp_path: Path) -> None:
    programs = judge.programs(notebook(tmp_path, CELLS))
    said = {number: [ast.unparse(statement) for statement in body] for number, body in programs.items()}
    assert said["1.2"] == ["from lessons_lib.claims import claim", "claim('1.2', 'None.', 1, '=', 1)"]
    assert said["1.1"] == [
        "from lessons_lib.claims import claim",
        "a, b = (1, 2)",
        "def f(x):\n    b = a\n    return x + b",
        "c = [1]",
        "c.append(a)",
        "c[0] += 1",
        "d = [b for b in c]",
        "claim('1.1', 'All.', f(1), '=', d)",
    ]
