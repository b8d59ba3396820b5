"""Read a benchmark's results, and refuse other files."""

import json

import pytest

from lessons_lib.course import read_measurement
from lessons_lib.errors import ParameterError

WHOLE = {
    "name": "one_pose",
    "claim": "ours against theirs",
    "date": "2026-11-05",
    "machine": {"processor": "A Processor", "cores": 2, "system": "Linux x86_64"},
    "versions": {"python": "3.11.7", "numpy": "2.4.6"},
    "settings": {"poses": 10},
    "columns": {"arm": "arm", "solver": "solver", "median": "median µs", "failed": "failed"},
    "rows": [{"arm": "UR10", "solver": "ours", "median": 2.5, "failed": 0}],
    "missing": {},
    "notes": ["a note"],
    "series": {},
}


@pytest.fixture
def measured(tmp_path):
    path = tmp_path / "one_pose.json"
    path.write_text(json.dumps(WHOLE), encoding="utf8")
    return read_measurement("one_pose", tmp_path)


def test_a_benchmark_is_a_table(measured):
    assert measured.value("median", arm="UR10", solver="ours") == 2.5
    assert measured.as_markdown(["solver", "median"], arm="UR10").splitlines()[2] == "| ours | 2.50 |"


def test_the_caption_names_day_machine_python_and_who_was_missing(measured, tmp_path):
    told = "Measured on 5 November 2026: A Processor, 2 cores, Linux x86_64, Python 3.11.7."
    assert measured.caption() == told
    path = tmp_path / "other.json"
    path.write_text(json.dumps(WHOLE | {"missing": {"TRAC-IK": "pytracik is not installed"}}), encoding="utf8")
    assert read_measurement("other", tmp_path).caption() == f"{told} Missing: TRAC-IK."


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "is not JSON: .*; run `make bench` to write"),
        ("[]", "must be a benchmark's result, but lacks columns, rows, name"),
        (json.dumps({key: WHOLE[key] for key in WHOLE if key != "rows"}), "but lacks rows; run `make bench`"),
    ],
)
def test_a_file_that_no_benchmark_wrote_is_refused(text, message, tmp_path):
    path = tmp_path / "broken.json"
    path.write_text(text, encoding="utf8")
    with pytest.raises(ParameterError, match=message):
        read_measurement("broken", tmp_path)


def test_no_file_at_all_is_refused(tmp_path):
    with pytest.raises(ParameterError, match="cannot read .*nothing.json: No such file or directory; run `make bench`"):
        read_measurement("nothing", tmp_path)
