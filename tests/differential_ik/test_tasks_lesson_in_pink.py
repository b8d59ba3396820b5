"""Pink runs the Pink program of lesson 17 and reproduces the numbers in the lesson."""

import re
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
import pink
import pytest

from lessons_lib import differential_ik as dik
from lessons_lib import robots
from lessons_lib.course.tasks import pink_step

LESSON = Path(__file__).resolve().parents[2] / "notebooks" / "17_tasks.ipynb"

DECIMALS = 1e-11
"""Twelve decimals are stored; another order of summation changes the sixteenth digit."""


@pytest.fixture(scope="module")
def cells() -> list[Any]:
    return list(nbformat.read(LESSON, as_version=4).cells)


@pytest.fixture(scope="module")
def theirs(cells: list[Any]) -> dict[str, Any]:
    texts = [cell.source for cell in cells if cell.cell_type == "markdown" and "import pink" in cell.source]
    (program,) = re.findall(r"```python\n(.*?)```", "\n".join(texts), re.DOTALL)
    names: dict[str, Any] = {"path": str(robots.urdf_file("planar_2r")), "T_sd": pink_step.target()}
    exec(program, names)  # the text of the lesson itself
    return names


@pytest.fixture(scope="module")
def ours(cells: list[Any]) -> dict[str, Any]:
    (program,) = (cell.source for cell in cells if cell.cell_type == "code" and 'FrameTask("tip"' in cell.source)
    names: dict[str, Any] = {"dik": dik, "robots": robots, "pink_step": pink_step}
    exec(program, names)
    return names


def test_stored_numbers_match_pink(theirs: dict[str, Any]) -> None:
    stored = pink_step.pink_step()
    assert np.abs(theirs["hand"].compute_error(theirs["at"]) - stored.error).max() < DECIMALS
    assert np.abs(theirs["problem"].P - stored.H).max() < DECIMALS
    assert np.abs(theirs["problem"].q - stored.c).max() < DECIMALS
    assert np.abs(theirs["v"] - stored.v).max() < 1e-9  # within the tolerance of the solver
    assert pink.__version__.split(".")[0] == pink_step.VERSION.split(".")[0]


def test_both_programs_agree(ours: dict[str, Any], theirs: dict[str, Any]) -> None:
    for name in ("P", "q", "G", "h"):
        assert np.abs(getattr(ours["problem"], name) - getattr(theirs["problem"], name)).max() < 1e-12
    assert np.abs(ours["v"] - theirs["v"]).max() < 1e-9
    error = ours["hand"].compute_error(ours["at"])
    assert np.abs(np.roll(error, 3) - theirs["hand"].compute_error(theirs["at"])).max() < 1e-12
    jacobian = ours["hand"].compute_jacobian(ours["at"])
    assert np.abs(np.roll(jacobian, 3, axis=0) - theirs["hand"].compute_jacobian(theirs["at"])).max() < 1e-12
