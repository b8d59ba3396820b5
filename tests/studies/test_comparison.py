"""The comparison is fair, counts correctly, and accepts user-defined methods."""

import csv
import json
from dataclasses import asdict
from io import StringIO

import numpy as np
import pytest

from lessons_lib import studies
from lessons_lib.errors import ParameterError
from lessons_lib.pose_ik import Restarts
from lessons_lib.pose_ik.one_pose import solve_in_python
from lessons_lib.studies import comparison
from lessons_lib.studies.comparison import ONE_START, largest_step
from lessons_lib.studies.tables import csv_table

POSES = 12


@pytest.fixture(scope="module")
def rows() -> list[studies.Row]:
    return studies.compare("example-6.1", poses=POSES)


def test_every_method_of_the_roster_has_a_row_in_order(rows: list[studies.Row]) -> None:
    assert [row.method for row in rows] == list(studies.roster())


def test_newton_needs_the_three_steps_of_the_book_and_damping_more(rows: list[studies.Row]) -> None:
    steps = {row.method: row.known_steps for row in rows}
    assert steps["newton"] == 3
    assert steps["constant 0.125"] == 5


def test_a_row_is_what_the_readable_solver_finds() -> None:
    """The poses of a study with the same seed, one by one, through the loop without compiled code."""
    (row,) = studies.compare("example-6.1", poses=POSES, methods={"it": studies.method("chan", 0.1)}, seed=3)
    chain = studies.problem("example-6.1").chain
    targets, starts = studies.Study([chain], poses=POSES, seed=3).problems()
    look = {"method": studies.method("chan", 0.1), "starts": Restarts(0), "stop": ONE_START, "trace": True}
    results = [solve_in_python(chain, T, q, **look) for T, q in zip(targets, starts, strict=True)]
    steps = [result.iterations for result in results if result.converged]
    assert (row.poses, row.solved, row.failed) == (POSES, len(steps), POSES - len(steps))
    assert row.mean_steps == pytest.approx(np.mean(steps))
    assert row.median_steps == np.median(steps)
    # 1e-9 rad: the two loops round differently, and a step of one radian is made of a dozen products
    assert row.largest_step == pytest.approx(max(map(largest_step, results)), abs=1e-9)


def test_a_user_defined_method_is_compared() -> None:
    class Transpose:
        """Follows the gradient, slowly."""

        def step(self, jacobian: np.ndarray, error: np.ndarray) -> np.ndarray:
            return 0.2 * jacobian.T @ error

    (row,) = studies.compare("example-6.1", poses=3, methods={"transpose": Transpose()})
    assert row.method == "transpose"
    assert row.known_steps is None or row.known_steps > 10


def test_on_the_ur10_damping_bounds_the_step_and_does_not_raise_the_number_of_poses_solved() -> None:
    chosen = {name: method for name, method in studies.roster().items() if name in ("newton", "constant 0.125")}
    newton, constant = studies.compare("ur10", poses=500, methods=chosen)
    assert newton.known_step == pytest.approx(14.25, abs=0.01)
    assert constant.known_step < 4.5
    assert constant.largest_step < 20.0 < 1000.0 < newton.largest_step
    # about 410 and 450 of 500, with a standard deviation of 8: Newton's wandering is not the same on every processor
    assert constant.solved < newton.solved


def test_an_unknown_problem_is_refused_with_the_valid_ones() -> None:
    with pytest.raises(ParameterError, match=r"problem must be example-6.1 or ur10, got 'ur5'"):
        studies.compare("ur5")
    with pytest.raises(ParameterError, match="poses must be a whole number from 1 to .*, got 0"):
        studies.compare("ur10", poses=0)


def test_the_text_is_aligned_and_explains_its_columns(rows: list[studies.Row]) -> None:
    _, _, heading, *lines = comparison.as_text(studies.problem("example-6.1"), rows).splitlines()
    body = lines[: len(rows)]
    assert {len(line) for line in body} == {len(heading)}
    assert [line.split("  ")[0].strip() for line in body] == [row.method for row in rows]
    assert any("known: steps from Modern Robotics' start (0°, 30°)" in line for line in lines)


def test_csv_and_json_hold_every_number(rows: list[studies.Row]) -> None:
    records = list(csv.DictReader(StringIO(csv_table(studies.Row, rows))))
    assert [record["method"] for record in records] == [row.method for row in rows]
    assert [float(record["largest_step"]) for record in records] == [row.largest_step for row in rows]
    parsed = json.loads(comparison.as_json(studies.problem("example-6.1"), rows))
    assert parsed["problem"] == "example-6.1"
    assert parsed["rows"] == [asdict(row) for row in rows]


def test_a_method_that_solves_nothing_has_dashes_and_nulls() -> None:
    class Idle:
        """Stays where it is."""

        def step(self, jacobian: np.ndarray, error: np.ndarray) -> np.ndarray:
            return np.zeros(jacobian.shape[1])

    (row,) = studies.compare("example-6.1", poses=2, methods={"idle": Idle()})
    assert (row.solved, row.mean_steps, row.largest_step) == (0, None, 0.0)
    assert " - " in comparison.as_text(studies.problem("example-6.1"), [row])
    assert json.loads(comparison.as_json(studies.problem("example-6.1"), [row]))["rows"][0]["mean_steps"] is None
    assert "| idle |" in comparison.as_markdown([row])
    assert comparison.as_markdown([row], ["method", "solved"]).splitlines()[0] == "| method | solved |"
