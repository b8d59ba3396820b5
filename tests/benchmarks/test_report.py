"""A report says the same to people and to machines."""

import json
from pathlib import Path

import pytest

from benchmarks import machine
from benchmarks.report import Report
from lessons_lib.studies import read_measurement

REPORT = Report(
    name="made_up",
    claim="a claim",
    columns={"arm": "arm", "time": "time µs", "failed": "failed"},
    rows=[{"arm": "UR10", "time": 1234.567, "failed": 0, "extra": 1}, {"arm": "TRAC-IK (missing)"}],
    settings={"poses": 10_000, "tolerance": 1e-6},
    missing={"TRAC-IK": "pytracik is not installed"},
    notes=("a note",),
    series={"curve": [1, 2]},
)


def test_the_table_is_aligned_and_names_what_is_missing() -> None:
    lines = REPORT.as_text().splitlines()
    assert lines[0] == "a claim"
    assert lines[1].endswith("; poses: 10,000, tolerance: 1.00e-06")
    assert lines[3:7] == [
        "arm                time µs  failed",
        "-----------------  -------  ------",
        "UR10                 1,235       0",
        "TRAC-IK (missing)        -       -",
    ]
    assert lines[-2:] == ["missing: TRAC-IK: pytracik is not installed", "a note"]


def test_the_file_is_read_back_as_it_was_measured(tmp_path: Path) -> None:
    measured = read_measurement(REPORT.write(tmp_path / "new folder"))
    assert measured.rows == [
        {"arm": "UR10", "time": 1235.0, "failed": 0},
        {"arm": "TRAC-IK (missing)", "time": None, "failed": None},
    ]
    assert measured.missing == REPORT.missing
    assert measured.series == {"curve": [1, 2]}
    assert measured.machine == machine.describe()


def test_a_row_of_the_table_is_a_line_of_the_file(tmp_path: Path) -> None:
    """So that a diff shows which rows have changed. Words keep their spaces."""
    spaced = Report(
        "spaced", "a  claim", {"arm": "arm"}, [{"arm": "two  spaces"}, {"arm": "[1]"}], series={"c": [1, 2]}
    )
    lines = spaced.write(tmp_path).read_text(encoding="utf8").splitlines()
    assert any(line.strip() == '"c": [ 1, 2 ]' for line in lines)
    assert [row["arm"] for row in read_measurement(tmp_path / "spaced.json").rows] == ["two  spaces", "[1]"]
    assert read_measurement(tmp_path / "spaced.json").claim == "a  claim"


def test_what_is_not_a_number_never_reaches_the_file(tmp_path: Path) -> None:
    broken = Report("broken", "a claim", {"time": "time"}, [{"time": float("nan")}])
    with pytest.raises(ValueError, match="not JSON compliant"):
        broken.write(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_versions_name_what_is_installed_alone() -> None:
    found = machine.versions()
    assert found["python"].count(".") == 2
    assert {"numpy", "numba", "sympy", "scipy"} <= found.keys()
    json.dumps(found)


def test_a_peer_that_breaks_on_import_is_missing_with_its_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "broken_peer.py").write_text("import a_library_that_is_gone\n", encoding="utf8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(machine.PEERS, "Broken", ("broken_peer", "broken-peer"))
    monkeypatch.setitem(machine.PEERS, "Absent", ("absent_peer", "absent-peer"))
    assert machine.missing("Broken") == "broken-peer does not import: No module named 'a_library_that_is_gone'"
    assert machine.missing("Absent") == "absent-peer is not installed"
    assert machine.missing("SciPy") == ""
    assert machine.absent("SciPy", "Absent") == {"Absent": "absent-peer is not installed"}
