"""A two-hundredth of each attack, as CI runs it: what breaks is named with the command that runs it alone."""

import json
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from soak import feasible_tasks
from soak.__main__ import names
from soak.tally import Tally

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "book" / "_ext")]
import soak_table  # noqa: E402

SEED = 12


@pytest.mark.parametrize("name", names())
def test_a_two_hundredth_of_the_attack_breaks_nothing(name: str, tmp_path: Path) -> None:
    words = ["-m", "soak", name, "--part", "0.005", "--seed", str(SEED), "--output", str(tmp_path)]
    environment = os.environ | {"SOAK_PATIENCE": "60"}
    done = subprocess.run(
        [sys.executable, *words], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=3600
    )
    result = tmp_path / f"{name}.json"
    assert result.exists(), done.stderr
    found = json.loads(result.read_text(encoding="utf8"))
    assert found["tried"] > 0
    assert not found["failures"], done.stdout
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", names())
def test_the_book_reads_what_the_attack_says(name: str) -> None:
    module, read = import_module(f"soak.{name}"), soak_table.described(ROOT / "soak" / f"{name}.py")
    assert read is not None
    assert read.about == {said: getattr(module, said) for said in soak_table.SAID}
    assert read.about["QUESTION"].endswith("?")
    assert isinstance(module.CASES, int)


def test_a_faint_task_keeps_its_digits_beside_a_costly_one_that_cannot_be_met() -> None:
    """A posture of cost 8e-7 beside frames of cost 100 at their limits was 1.5e-4 of the step beside mpmath's."""
    found = Tally()
    feasible_tasks.attack(range(2138, 2139), 20261122, found)
    assert found.tried == 1
    assert not found.failures
