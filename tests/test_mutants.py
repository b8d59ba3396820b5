"""A few symbols are changed in a copy of the library: each time the build refuses it, and no solve stays as it was."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from mutants.named import NAMED

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def judged() -> dict[str, Any]:
    """What came of each mutant; they share a process, because each alone would import SymPy anew."""
    command = [sys.executable, "-m", "mutants.named"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=3600)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("name", [named.name for named in NAMED])
def test_a_claim_or_a_check_refuses_it(name: str, judged: dict[str, Any]) -> None:
    assert judged[name]["refused"]


@pytest.mark.parametrize("name", [named.name for named in NAMED if named.lesson])
def test_the_claims_of_its_lesson_refuse_a_wrong_derivation(name: str, judged: dict[str, Any]) -> None:
    assert "ClaimError" in judged[name]["refused"]


@pytest.mark.parametrize("name", [named.name for named in NAMED])
def test_the_solve_changes_or_is_refused(name: str, judged: dict[str, Any]) -> None:
    assert judged[name]["solve"] in ("changed", "refused")
