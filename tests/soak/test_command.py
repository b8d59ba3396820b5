"""The command line of the attacks: what it writes, what it refuses, and what ends badly."""

import json
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest

from soak import __main__ as command
from soak.tally import Tally


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
def attacks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two attacks, of which one breaks and the other does not come to its end."""
    about = {"QUESTION": "Is it?", "JUDGE": "somebody", "UNIT": "things", "CASES": 10}
    made = {
        "soak.broken": SimpleNamespace(**about, attack=broken),
        "soak.stopped": SimpleNamespace(**about, attack=stopped),
    }
    monkeypatch.setattr(command, "names", lambda: ["broken", "stopped"])
    monkeypatch.setattr(command, "import_module", made.__getitem__)


@pytest.mark.usefixtures("attacks")
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
    assert "python -m soak broken --seed 12 --case 5: 5 with 12" in capsys.readouterr().out


@pytest.mark.usefixtures("attacks")
def test_one_case_alone_is_printed_and_not_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["broken", "--seed", "12", "--case", "5", "--output", str(tmp_path)]) == 1
    assert "1 things, 1 failed" in capsys.readouterr().out
    assert command.main(["broken", "--seed", "12", "--case", "4", "--output", str(tmp_path)]) == 0
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("attacks")
def test_no_older_result_stands_for_an_attack_that_stops(tmp_path: Path) -> None:
    (tmp_path / "stopped.json").write_text("{}", encoding="utf8")
    with pytest.raises(RuntimeError, match="half-way"):
        command.main(["stopped", "--output", str(tmp_path)])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("attacks")
@pytest.mark.parametrize(("codes", "ended"), [((0, 0), 0), ((0, 1), 1), ((-11, 0), 1), ((0, 2), 1)])
def test_a_process_that_a_signal_ends_is_a_failure(
    codes: tuple[int, int], ended: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    left = list(codes)
    monkeypatch.setattr(subprocess, "run", lambda words, check: SimpleNamespace(returncode=left.pop(0)))
    assert command.main(["--seed", "1"]) == ended
    assert ("broken: its process ended with -11" in capsys.readouterr().out) == (codes[0] == -11)


@pytest.mark.usefixtures("attacks")
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["sorely"], "unknown: sorely"),
        (["--part", "0"], "--part 0.0 is not in (0, 1]"),
        (["--part", "1.5"], "--part 1.5 is not in (0, 1]"),
        (["--case", "3"], "--case 3 is a case of one attack; name it"),
    ],
)
def test_what_cannot_be_asked_is_refused(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as refused:
        command.main(words)
    assert refused.value.code == 2
    assert said in capsys.readouterr().err
