"""Read a benchmark's results, select rows, format them, and refuse other files."""

import json
from pathlib import Path
from typing import Any

import pytest

from lessons_lib.errors import ParameterError
from lessons_lib.studies import Measurement, read_measurement

WHOLE: dict[str, Any] = {
    "name": "one_pose",
    "claim": "ours against theirs",
    "date": "2026-11-05",
    "machine": {"processor": "A Processor", "cores": 2, "system": "Linux x86_64"},
    "versions": {"python": "3.11.7", "numpy": "2.4.6"},
    "settings": {"poses": 10},
    "columns": {"arm": "arm", "solver": "solver", "median": "median µs", "failed": "failed"},
    "rows": [
        {"arm": "UR10", "solver": "ours", "median": 2.5, "failed": 0},
        {"arm": "UR10", "solver": "theirs", "median": 11510.0, "failed": 1},
        {"arm": "Panda", "solver": "theirs (missing)", "median": None, "failed": None},
    ],
    "missing": {},
    "notes": ["a note"],
    "series": {},
}


@pytest.fixture
def measured(tmp_path: Path) -> Measurement:
    path = tmp_path / "one_pose.json"
    path.write_text(json.dumps(WHOLE), encoding="utf8")
    return read_measurement("one_pose", tmp_path)


def test_rows_are_selected_by_their_fields(measured: Measurement) -> None:
    assert [row["solver"] for row in measured.select(arm="UR10")] == ["ours", "theirs"]
    assert measured.value("median", arm="UR10", solver="ours") == 2.5
    assert measured.value("failed", solver="theirs") == 1.0
    assert measured.text("median", arm="UR10", solver="theirs") == "11,510"
    assert measured.text("median", solver="ours") == "2.50"


@pytest.mark.parametrize(
    ("where", "field", "message"),
    [
        ({"arm": "UR5"}, "median", r"no row with \{'arm': 'UR5'\}; there are \[\{'arm': 'UR10'\}"),
        ({"robot": "UR10"}, "median", "no column 'robot'; there are arm, solver, median, failed"),
        ({"arm": "UR10"}, "speed", "no column 'speed'; there are arm"),
        ({"arm": "UR10"}, "median", "must select one row of .*, got 2"),
        ({"arm": "Panda"}, "median", "is None, not a number"),
        ({"arm": "Panda"}, "arm", "is 'Panda', not a number"),
    ],
)
def test_missing_rows_and_columns_are_refused(
    measured: Measurement, where: dict[str, Any], field: str, message: str
) -> None:
    with pytest.raises(ParameterError, match=message):
        measured.value(field, **where)
    with pytest.raises(ParameterError, match=message):
        measured.text(field, **where)


def test_the_table_in_markdown(measured: Measurement) -> None:
    assert measured.as_markdown(["solver", "median", "failed"]).splitlines() == [
        "| solver | median µs | failed |",
        "|---|--:|--:|",
        "| ours | 2.50 | 0 |",
        "| theirs | 11,510 | 1 |",
        "| theirs (missing) | – | – |",
    ]
    assert measured.as_markdown(arm="Panda").count("\n") == 2
    with pytest.raises(ParameterError, match="no column 'p99'"):
        measured.as_markdown(["p99"])


def test_the_caption_names_day_machine_python_and_who_was_missing(measured: Measurement, tmp_path: Path) -> None:
    told = "Measured on 5 November 2026: A Processor, 2 cores, Linux x86_64, Python 3.11.7."
    assert measured.caption() == told
    path = tmp_path / "other.json"
    path.write_text(json.dumps(WHOLE | {"missing": {"TRAC-IK": "pytracik is not installed"}}), encoding="utf8")
    assert read_measurement("other", tmp_path).caption() == f"{told} Missing: TRAC-IK."


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "is not JSON: .*; run `make bench` to write"),
        ("[]", "must be a benchmark's result, but lacks name, claim"),
        (json.dumps({key: WHOLE[key] for key in WHOLE if key != "rows"}), "it lacks rows; `make bench`"),
    ],
)
def test_a_file_that_no_benchmark_wrote_is_refused(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "broken.json"
    path.write_text(text, encoding="utf8")
    with pytest.raises(ParameterError, match=message):
        read_measurement("broken", tmp_path)


def test_no_file_at_all_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="cannot read .*nothing.json: No such file or directory; `make bench`"):
        read_measurement("nothing", tmp_path)
