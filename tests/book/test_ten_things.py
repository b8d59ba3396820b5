"""The ten things to do of the page *From here on*, run in every library that is installed: each answer is ours."""

import re
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lessons_lib import differential_ik, robots

PAGE = (Path(__file__).resolve().parents[2] / "book" / "from_here_on.md").read_text(encoding="utf8")
TEN = PAGE.partition("\n## Ten things to do\n")[2].partition("\n## ")[0]
HEAD, *SECTIONS = re.split(r"^### ", TEN, flags=re.MULTILINE)
PIECE = re.compile(r"^\*\*([^*\n]+)\*\*$(.*?)^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TASKS = {section.partition("\n")[0]: {name: code for name, _, code in PIECE.findall(section)} for section in SECTIONS}
PACKAGES = {"Here": "lessons_lib", "Pink": "pink", "Modern Robotics": "modern_robotics"}
ELSEWHERE = {"Robotics toolbox": "roboticstoolbox", "ikpy": "ikpy"}
"""Those that the tests do not install."""

LIBRARIES = {**PACKAGES, **{name: package for name, package in ELSEWHERE.items() if find_spec(package) is not None}}
SAME = 1e-5
"""What a looser tolerance of a library leaves, and ten of Pink's steps."""


def answers(library: str) -> dict[str, Any]:
    """Run the pieces of a library one after the other, and return what each leaves."""
    (problem,) = re.findall(r"^```python\n(.*?)^```$", HEAD, flags=re.MULTILINE | re.DOTALL)
    names: dict[str, Any] = {}
    exec(compile(problem, "the problem", "exec"), names)
    found = {}
    for title, pieces in TASKS.items():
        if library in pieces:
            exec(compile(pieces[library], f"{title}, {library}", "exec"), names)
            found[title] = names.pop("answer")
    return found


@pytest.fixture(scope="module")
def ours() -> dict[str, Any]:
    return answers("Here")


@pytest.mark.parametrize("library", [name for name in LIBRARIES if name != "Here"])
@pytest.mark.filterwarnings("default")  # of the libraries
def test_the_answers_are_ours(library: str, ours: dict[str, Any]) -> None:
    for title, answer in answers(library).items():
        assert np.asarray(answer) == pytest.approx(np.asarray(ours[title]), abs=SAME), title


def test_what_the_tables_name_is_there() -> None:
    """Each name that stands behind Pink's or Drake's is one of ours."""
    tables = PAGE[PAGE.index("| in Pink | here |") :]
    named = set(re.findall(r"`(\w+)", "\n".join(line.split("|")[2] for line in tables.splitlines() if "|" in line)))
    known = {"robots", "collisions", "tree", "configuration"}
    assert len(named - known) >= 7
    assert {name for name in named - known if not hasattr(differential_ik, name)} == set()
    for call in set(re.findall(r"`robots\.(\w+)", tables)):
        assert hasattr(robots, call)
    for call in set(re.findall(r"`tree\.(\w+)", tables)):
        assert hasattr(robots.Tree, call)
