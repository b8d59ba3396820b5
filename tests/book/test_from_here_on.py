"""The code on the pages beyond the lessons runs: every library solves one problem alike; and a block in a loop."""

import re
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from lessons_lib import pose_ik

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "book" / "from_here_on.md").read_text(encoding="utf8")
METHODS = (ROOT / "book" / "which_method.md").read_text(encoding="utf8")
CODE = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)

ONE = PAGE.partition("\n## One problem, one answer\n")[2].partition("\n## ")[0]
PROBLEM, *REST = re.split(r"^### ", ONE, flags=re.MULTILINE)
SECTIONS = {section.partition("\n")[0]: section for section in REST}
HEAD, *TEN = re.split(r"^### ", PAGE.partition("\n## Ten things to do\n")[2].partition("\n## ")[0], flags=re.MULTILINE)
PIECE = re.compile(r"^\*\*([^*\n]+)\*\*$(.*?)^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TASKS = {section.partition("\n")[0]: {name: text for name, _, text in PIECE.findall(section)} for section in TEN}
ELSEWHERE = {"Robotics toolbox": "roboticstoolbox", "Drake": "pydrake", "ikpy": "ikpy"}
"""Libraries that the tests do not install."""

LACKING = [name for name, package in ELSEWHERE.items() if find_spec(package) is None]
REACHED = 1e-5
"""What a looser tolerance of a library leaves: Drake's solver stops at 1e-6 a constraint, Pink takes ten steps."""


def code(section):
    """The only piece of code of a section."""
    (piece,) = CODE.findall(section)
    return str(piece)


def problem(section):
    """The names that every piece of code uses."""
    names = {}
    exec(compile(code(section), "the problem", "exec"), names)
    return names


@pytest.mark.parametrize("name", [name for name in SECTIONS if name not in LACKING])
@pytest.mark.filterwarnings("default")  # of the libraries
def test_the_library_agrees_with_our_solution(name):
    names = problem(PROBLEM)
    ours = pose_ik.solve(names["arm"], names["target"], names["start"]).q
    exec(compile(code(SECTIONS[name]), name, "exec"), names)
    assert names["q"] == pytest.approx(ours, abs=REACHED)
    assert names["arm"].forward_kinematics(names["q"]) == pytest.approx(names["target"], abs=REACHED)
    assert np.abs(ours - names["start"]).min() > 0.1  # whoever returns the start has solved nothing


def answers(library):
    """Run the pieces of a library in order, and return their results."""
    names, found = problem(HEAD), {}
    for title, pieces in TASKS.items():
        if library in pieces:
            exec(compile(pieces[library], f"{title}, {library}", "exec"), names)
            found[title] = np.asarray(names.pop("answer"))
    return found


@pytest.mark.filterwarnings("default")  # of the libraries
def test_every_library_agrees_with_our_ten_solutions():
    ours = answers("Here")
    assert list(ours) == list(TASKS)
    for library in {name for pieces in TASKS.values() for name in pieces} - {"Here", *LACKING}:
        for title, answer in answers(library).items():
            assert answer == pytest.approx(ours[title], abs=REACHED), f"{title}, {library}"


def test_one_step_of_pink_and_ours_builds_the_same_program_and_moves_alike():
    names = {}
    left = []
    for program in CODE.findall(PAGE.partition("\n## One step of each\n")[2].partition("\n## ")[0]):
        exec(compile(program, "one step", "exec"), names)
        left.append(dict(names))
    _, pinks, ours = left  # after the robot and the target
    for name in ("P", "q", "G", "h"):
        assert np.abs(getattr(ours["problem"], name) - getattr(pinks["problem"], name)).max() < 1e-12
    assert np.abs(ours["v"] - pinks["v"]).max() < 1e-9


def test_the_transpose_arrives_after_dozens_of_times_as_many_steps_as_newton():
    names = problem(PROBLEM)
    exec(compile(code(METHODS), "which_method.md", "exec"), names)
    patient = {"starts": pose_ik.Restarts(0), "stop": pose_ik.Stop(max_iterations=1000)}
    asked, methods = (names["arm"], names["target"], names["start"]), (names["Transpose"](), pose_ik.NewtonRaphson())
    found = [pose_ik.solve(*asked, method=method, **patient) for method in methods]
    assert all(result.converged for result in found)
    assert "dozens of times as many steps as Newton" in METHODS
    assert found[0].iterations > 24 * found[1].iterations


@pytest.mark.check
def test_the_block_in_a_loop_reaches_each_waypoint_and_its_error_falls_as_the_joints_lag():
    lagging, ticking = CODE.findall(PAGE.partition("\n## A block in a loop\n")[2].partition("\n## ")[0])
    names = {}
    exec(compile(lagging, "the block in a loop", "exec"), names)
    run, ends = names["run"], np.arange(1, 10) - 0.011  # s, just before each pose gives way to the next
    before, later = (run.error_at(np.arange(1, 9) + after)[:, 1] for after in (0.3, 0.4))
    assert (run.error_at(ends) < 2e-6).all()  # the tolerance, 1e-6, and what the lag leaves
    assert later / before == pytest.approx(np.exp(-0.1 / 0.05), abs=0.01)
    exec(compile(ticking, "the loop that ticks", "exec"), names)
    ticks = names["ticks"]
    assert (ticks.error_at(ends) < 2e-6).all() and ticks.reached.all() and len(ticks.t) == 901
    np.testing.assert_array_equal(ticks.q[2:], ticks.command[1:-1])
