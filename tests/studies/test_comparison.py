"""The comparison is fair, counts correctly, and accepts user-defined methods."""

import numpy as np
import pytest

from lessons_lib import pose_ik, studies
from lessons_lib.course import matlab_library
from lessons_lib.errors import ParameterError
from lessons_lib.pose_ik import Restarts
from lessons_lib.pose_ik.one_pose import solve_in_python
from lessons_lib.studies.comparison import ONE_START

POSES = 12


def test_newton_needs_the_three_steps_of_the_book_and_damping_more():
    chosen = {name: method for name, method in studies.roster().items() if name in ("newton", "constant 0.125")}
    table = studies.compare("example-6.1", poses=POSES, methods=chosen)
    assert [(row["method"], row["known_steps"]) for row in table.rows] == [("newton", 3), ("constant 0.125", 5)]


def test_the_ur10_starts_towards_the_first_waypoint():
    np.testing.assert_array_equal(studies.problem("ur10").target, matlab_library.ur10_waypoints()[0])


def test_a_row_is_what_the_readable_solver_finds():
    """The poses of a study with the same seed, one by one, through the loop without compiled code."""
    (row,) = studies.compare("example-6.1", poses=POSES, methods={"it": studies.method("chan", 0.1)}, seed=3).rows
    chain = studies.problem("example-6.1").chain
    targets, starts = studies.Study([chain], poses=POSES, seed=3).problems()
    look = {"method": studies.method("chan", 0.1), "starts": Restarts(0), "stop": ONE_START, "trace": True}
    results = [solve_in_python(chain, T, q, **look) for T, q in zip(targets, starts, strict=True)]
    steps = [result.iterations for result in results if result.converged]
    largest = [np.abs(np.diff(result.trace.q, axis=0)).max() for result in results]
    assert (row["poses"], row["solved"]) == (POSES, len(steps))
    assert row["mean_steps"] == pytest.approx(np.mean(steps))
    assert row["median_steps"] == np.median(steps)
    # 1e-9 rad: the two loops round differently, and a step of one radian is made of a dozen products
    assert row["largest_step"] == pytest.approx(max(largest), abs=1e-9)
    assert row["median_step"] == pytest.approx(np.median(largest), abs=1e-9)


def test_on_the_ur10_damping_bounds_the_step_and_does_not_raise_the_number_of_poses_solved():
    chosen = {name: method for name, method in studies.roster().items() if name in ("newton", "constant 0.125")}
    newton, constant = studies.compare("ur10", poses=500, methods=chosen).rows
    assert newton["known_step"] == pytest.approx(14.25, abs=0.01)
    assert constant["known_step"] < 4.5
    assert constant["largest_step"] < 20.0 < 1000.0 < newton["largest_step"]
    # about 410 and 450 of 500, with a standard deviation of 8: Newton's wandering is not the same on every processor
    assert constant["solved"] < newton["solved"]


def test_the_known_step_is_the_first_one():
    task, chan = studies.problem("ur10"), studies.method("chan")
    here = pose_ik.evaluate(task.chain, task.target, task.start)
    first = np.abs(chan.step(here.jacobian, here.error)).max()
    table = studies.compare("ur10", poses=1, methods={"chan": chan})
    assert table.value("known_step") == pytest.approx(first, rel=1e-9)  # the second step is longer


def test_an_unknown_problem_is_refused_with_the_valid_ones():
    with pytest.raises(ParameterError, match=r"problem must be example-6.1 or ur10, got 'ur5'"):
        studies.compare("ur5")
    with pytest.raises(ParameterError, match="poses must be a whole number from 1 to .*, got 0"):
        studies.compare("ur10", poses=0)
    with pytest.raises(ParameterError, match=r"methods must be a mapping from names to methods, got \['chan'\]"):
        studies.compare("ur10", methods=["chan"])


def test_a_user_defined_method_that_solves_nothing_has_dashes():
    class Idle:
        """Stays where it is."""

        def step(self, jacobian, error):
            return np.zeros(jacobian.shape[1])

    table = studies.compare("example-6.1", poses=2, methods={"idle": Idle()})
    (row,) = table.rows
    assert (row["solved"], row["mean_steps"], row["largest_step"]) == (0, None, 0.0)
    assert table.as_text().splitlines()[1].split()[:4] == ["idle", "–", "0.00", "0"]
