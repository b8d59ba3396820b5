"""A share of each fuzz test, as CI runs it; and what would make a fuzz test unable to fail."""

import json
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import pytest

from tools.fuzz import __main__ as command
from tools.fuzz.__main__ import SHARE, names
from tools.fuzz.tally import Tally

ROOT = Path(__file__).resolve().parents[2]

SEED = 12
DEAR = {"cache_damage", "forks", "interruptions", "long_chains", "many_chains", "pickles"}
"""Those that start many processes or derive long chains run before a release: other tests do some of it each time."""


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.release if name in DEAR else pytest.mark.check) for name in names()],
)
def test_a_share_of_the_fuzz_test_finds_nothing(name: str, tmp_path: Path) -> None:
    share = getattr(import_module(f"tools.fuzz.{name}"), "SHARE", SHARE)
    words = ["-m", "tools.fuzz", name, "--part", str(share), "--seed", str(SEED), "--output", str(tmp_path)]
    environment = os.environ | {"FUZZ_PATIENCE": "60"}
    done = subprocess.run(
        [sys.executable, *words], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=3600
    )
    result = tmp_path / f"{name}.json"
    assert result.exists(), done.stderr
    found = json.loads(result.read_text(encoding="utf8"))
    assert found["tried"] > 0
    assert not found["failures"], done.stdout
    assert done.returncode == 0, done.stderr


def broken(cases: range, seed: int, tally: Tally) -> None:
    """Every third case breaks."""
    for case in cases:
        tally.tried += 1
        tally.measure("rest [m]", 1e-3 * case)
        if case % 3 == 2:
            tally.fail(case, f"{case} with {seed}")


def stopped(cases: range, seed: int, tally: Tally) -> None:
    raise RuntimeError("half-way")


@pytest.fixture
def tests(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two fuzz tests, of which one breaks and the other does not come to its end."""
    about = {"QUESTION": "Is it?", "JUDGE": "somebody", "UNIT": "things", "CASES": 10}
    made = {
        "tools.fuzz.broken": SimpleNamespace(**about, fuzz=broken),
        "tools.fuzz.stopped": SimpleNamespace(**about, fuzz=stopped),
    }
    monkeypatch.setattr(command, "names", lambda: ["broken", "stopped"])
    monkeypatch.setattr(command, "import_module", made.__getitem__)


@pytest.mark.usefixtures("tests")
def test_what_was_found_is_written_with_date_and_machine(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["broken", "--part", "0.6", "--seed", "12", "--output", str(tmp_path / "new")]) == 1
    found = json.loads((tmp_path / "new" / "broken.json").read_text(encoding="utf8"))
    assert {key: found[key] for key in ("name", "question", "judge", "unit", "part", "seed", "cases", "tried")} == {
        "name": "broken", "question": "Is it?", "judge": "somebody", "unit": "things",
        "part": 0.6, "seed": 12, "cases": 6, "tried": 6,
    }  # fmt: skip
    assert found["failures"] == [{"case": 2, "what": "2 with 12"}, {"case": 5, "what": "5 with 12"}]
    assert found["worst"] == {"rest [m]": pytest.approx(5e-3)}
    assert len(found["date"]) == len("2026-11-22")
    assert found["machine"].keys() == {"processor", "cores", "system"}
    assert {"python", "numpy"} <= found["versions"].keys()
    assert "python -m tools.fuzz broken --seed 12 --case 5: 5 with 12" in capsys.readouterr().out


@pytest.mark.usefixtures("tests")
def test_one_case_alone_is_printed_and_not_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["broken", "--seed", "12", "--case", "5", "--output", str(tmp_path)]) == 1
    assert "1 things, 1 failed" in capsys.readouterr().out
    assert command.main(["broken", "--seed", "12", "--case", "4", "--output", str(tmp_path)]) == 0
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("tests")
def test_no_older_result_stands_for_a_fuzz_test_that_stops(tmp_path: Path) -> None:
    (tmp_path / "stopped.json").write_text("{}", encoding="utf8")
    with pytest.raises(RuntimeError, match="half-way"):
        command.main(["stopped", "--output", str(tmp_path)])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("tests")
@pytest.mark.parametrize(("codes", "ended"), [((0, 0), 0), ((0, 1), 1), ((-11, 0), 1), ((0, 2), 1)])
def test_a_process_that_a_signal_ends_is_a_failure(
    codes: tuple[int, int], ended: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    left = list(codes)
    monkeypatch.setattr(subprocess, "run", lambda words, check: SimpleNamespace(returncode=left.pop(0)))
    assert command.main(["--seed", "1"]) == ended
    assert ("broken: its process ended with -11" in capsys.readouterr().out) == (codes[0] == -11)


@pytest.mark.check
@pytest.mark.parametrize("name", names())
def test_a_fuzz_test_states_its_question_judge_and_unit(name: str) -> None:
    module = import_module(f"tools.fuzz.{name}")
    assert module.QUESTION.endswith("?")
    assert module.JUDGE and module.UNIT
    assert isinstance(module.CASES, int)
