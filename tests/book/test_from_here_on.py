"""The code on the pages beyond the lessons, run: one problem in every library, one answer; and a block in a loop."""

import re
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lessons_lib import pose_ik

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "book" / "from_here_on.md").read_text(encoding="utf8")
METHODS = (ROOT / "book" / "which_method.md").read_text(encoding="utf8")
CODE = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NOT_RUN = "This piece is not run with the other tests"

ONE = PAGE.partition("\n## One problem, one answer\n")[2].partition("\n## ")[0]
PROBLEM, *REST = re.split(r"^### ", ONE, flags=re.MULTILINE)
SECTIONS = {section.partition("\n")[0]: section for section in REST}
ELSEWHERE = {"Robotics toolbox": "roboticstoolbox", "Drake": "pydrake"}
"""Sections whose package the tests do not install."""

RUN = [name for name in SECTIONS if name not in ELSEWHERE or find_spec(ELSEWHERE[name]) is not None]
REACHED = 1e-5
"""What a looser tolerance of a library leaves: Drake's solver stops at 1e-6 a constraint."""


def code(section: str) -> str:
    """The one piece of code of a section."""
    (piece,) = CODE.findall(section)
    return str(piece)


def problem() -> dict[str, Any]:
    """The names that every piece goes on from."""
    names: dict[str, Any] = {}
    exec(compile(code(PROBLEM), "the problem", "exec"), names)
    return names


@pytest.mark.parametrize("name", RUN)
@pytest.mark.filterwarnings("default")  # of the libraries
def test_the_answer_is_ours(name: str) -> None:
    names = problem()
    ours = pose_ik.solve(names["arm"], names["target"], names["start"]).q
    exec(compile(code(SECTIONS[name]), name, "exec"), names)
    assert names["q"] == pytest.approx(ours, abs=REACHED)
    assert names["arm"].forward_kinematics(names["q"]) == pytest.approx(names["target"], abs=REACHED)
    assert np.abs(ours - names["start"]).min() > 0.1  # whoever returns the start has solved nothing


@pytest.mark.parametrize("name", SECTIONS)
def test_what_is_not_run_says_so_and_is_python(name: str) -> None:
    compile(code(SECTIONS[name]), name, "exec")
    assert (NOT_RUN in SECTIONS[name]) == (name in ELSEWHERE)
    locked = (ROOT / "requirements-contributor.lock").read_text(encoding="utf8")
    assert not re.search(r"^(drake|roboticstoolbox-python)==", locked, re.MULTILINE)


def test_the_transpose_arrives_after_dozens_of_times_as_many_steps_as_newton() -> None:
    names = problem()
    exec(compile(code(METHODS), "which_method.md", "exec"), names)
    patient = {"starts": pose_ik.Restarts(0), "stop": pose_ik.Stop(max_iterations=1000)}
    found = [
        pose_ik.solve(names["arm"], names["target"], names["start"], method=method, **patient)
        for method in (names["Transpose"](), pose_ik.NewtonRaphson())
    ]
    assert all(result.converged for result in found)
    assert "dozens of times as many steps as Newton" in METHODS
    assert found[0].iterations > 24 * found[1].iterations


@pytest.mark.check
def test_the_block_in_a_loop_reaches_each_waypoint_and_its_error_falls_as_the_joints_lag() -> None:
    lagging, ticking = CODE.findall(PAGE.partition("\n## A block in a loop\n")[2].partition("\n## ")[0])
    names: dict[str, Any] = {}
    exec(compile(lagging, "the block in a loop", "exec"), names)
    run, ends = names["run"], np.arange(1, 10) - 0.011  # s, just before each pose gives way to the next
    before, later = (run.error_at(np.arange(1, 9) + after)[:, 1] for after in (0.3, 0.4))
    assert (run.error_at(ends) < 2e-6).all()  # the tolerance, 1e-6, and what the lag leaves
    assert later / before == pytest.approx(np.exp(-0.1 / 0.05), abs=0.01)
    exec(compile(ticking, "the loop that ticks", "exec"), names)
    ticks = names["ticks"]
    assert (ticks.error_at(ends) < 2e-6).all() and ticks.reached.all() and len(ticks.t) == 901
    np.testing.assert_array_equal(ticks.q[2:], ticks.command[1:-1])
