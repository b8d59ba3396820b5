import pytest
from figure_page import Figure, in_python, told_to

from lessons_lib.course.which_method.live import NEARLY_ALL

DRAG = ("deadline", (60, 0))


def check(figure: Figure) -> None:
    """Check the solvers within the deadline, and those without failures, by the rows of the measurement."""
    python = told_to(figure, in_python("ArenaFigure"))
    rows = python.select_rows()
    _, *shown = [[text for _, text in cells] for cells in figure.cells()]
    assert [cells[0] for cells in shown] == [row["solver"] for row in rows]
    for cells, row in zip(shown, rows, strict=True):
        assert [float(cells[4]), float(cells[5])] == pytest.approx([row["median"], row["p99"]], rel=6e-3)
        assert int(cells[2]) == row["false_claims"]
    kept = [row for row in rows if row["p99"] <= python.deadline]
    assert figure.says.startswith(f"{len(kept)} of {len(rows)} solvers finish within {python.deadline:g} µs")
    solved = [row for row in kept if row["solved"] is None or row["solved"] >= NEARLY_ALL]
    right = [row["solver"] for row in solved if not row["false_claims"] and not row["missed"]]
    share = "at least 99 % solved and " if any(row["solved"] is not None for row in rows) else ""
    assert f"99 times out of 100; {share}nothing false or missed: {', '.join(right) or 'none'}." in figure.says
