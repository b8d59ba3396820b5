"""The two programs of the page "From here on" for one step, Pink's and ours, build and solve the same program."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

PAGE = Path(__file__).resolve().parents[2] / "book" / "from_here_on.md"


@pytest.fixture(scope="module")
def steps() -> list[dict[str, Any]]:
    """Names that each program leaves, first Pink's."""
    section = PAGE.read_text(encoding="utf8").partition("\n## One step of each\n")[2].partition("\n## ")[0]
    programs = re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    names: dict[str, Any] = {}
    left = []
    for program in programs:
        exec(program, names)
        left.append(dict(names))
    return left


def test_both_build_the_same_program_and_move_alike(steps: list[dict[str, Any]]) -> None:
    pinks, ours = steps
    for name in ("P", "q", "G", "h"):
        assert np.abs(getattr(ours["problem"], name) - getattr(pinks["problem"], name)).max() < 1e-12
    assert np.abs(ours["v"] - pinks["v"]).max() < 1e-9


def test_only_the_order_of_a_twist_differs(steps: list[dict[str, Any]]) -> None:
    pinks, ours = steps
    for name in ("compute_error", "compute_jacobian"):
        here, there = (getattr(names["hand"], name)(names["at"]) for names in (ours, pinks))
        assert np.abs(np.roll(here, 3, axis=0) - there).max() < 1e-12
