"""Select rows of a table, and print them."""

import pytest

from lessons_lib.errors import ParameterError
from lessons_lib.studies import Table

TABLE = Table(
    columns={"arm": "arm", "solver": "solver", "median": "median µs", "failed": "failed"},
    rows=[
        {"arm": "UR10", "solver": "ours", "median": 2.5, "failed": 0},
        {"arm": "UR10", "solver": "theirs", "median": 11510.0, "failed": 1},
        {"arm": "Panda", "solver": "theirs (missing)", "median": None, "failed": None},
    ],
)


def test_rows_are_selected_by_their_fields():
    assert [row["solver"] for row in TABLE.select(arm="UR10")] == ["ours", "theirs"]
    assert TABLE.value("median", arm="UR10", solver="ours") == 2.5
    assert TABLE.value("failed", solver="theirs") == 1


@pytest.mark.parametrize(
    ("where", "field", "message"),
    [
        ({"arm": "UR5"}, "median", r"no row has \{'arm': 'UR5'\}; valid are \[\{'arm': 'UR10'\}"),
        ({"robot": "UR10"}, "median", "no column 'robot'; valid are arm, solver, median, failed"),
        ({"arm": "UR10"}, "speed", "no column 'speed'; valid are arm"),
        ({"arm": "UR10"}, "median", "must select one row, got 2"),
        ({"arm": "Panda"}, "median", "must be a number, got None"),
        ({"arm": "Panda"}, "arm", "must be a number, got 'Panda'"),
    ],
)
def test_missing_rows_and_columns_are_refused(where, field, message):
    with pytest.raises(ParameterError, match=message):
        TABLE.value(field, **where)


def test_a_table_in_markdown_has_chosen_columns_and_headings():
    assert TABLE.as_markdown(["solver", "median", "failed"]).splitlines() == [
        "| solver | median µs | failed |",
        "|---|--:|--:|",
        "| ours | 2.50 | 0 |",
        "| theirs | 11,510 | 1 |",
        "| theirs (missing) | – | – |",
    ]
    assert TABLE.as_markdown({"failed": "not solved"}, arm="Panda").splitlines()[0] == "| not solved |"
    with pytest.raises(ParameterError, match="no column 'p99'"):
        TABLE.as_markdown(["p99"])


def test_the_columns_of_a_text_are_aligned():
    assert TABLE.as_text(["solver", "median"]).splitlines() == [
        "solver            median µs",
        "ours                   2.50",
        "theirs               11,510",
        "theirs (missing)          –",
    ]
