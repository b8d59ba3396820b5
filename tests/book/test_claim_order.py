"""Claims count up through a lesson, and none is used before it is stated."""

import json
import re
from pathlib import Path

import pytest

LESSONS = sorted((Path(__file__).resolve().parents[2] / "notebooks").glob("*.ipynb"))
STATED = re.compile(r'\bclaim\(\s*"(\d+)\.(\d+)"')
USED = re.compile(r"\b[Bb]y claims? (\d+)\.(\d+)")
Number = tuple[int, ...]


def numbers(pattern: re.Pattern[str], text: str) -> list[Number]:
    """Return the claims that a text states, or uses."""
    return [tuple(map(int, found)) for found in pattern.findall(text)]


def faults(lesson: int, cells: list[tuple[str, str]]) -> list[str]:
    """Return what is wrong with the claims of a lesson, of which each cell is its kind and its source."""
    wrong, known = [], 0
    for kind, source in cells:
        if kind == "code":
            for number in numbers(STATED, source):
                if number[1] and number != (lesson, known + 1):
                    wrong.append(f"{number} after {(lesson, known)}")
                known = number[1] or known
        else:
            wrong += [f"{number} before it is stated" for number in numbers(USED, source) if number > (lesson, known)]
    return wrong


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: str(path.stem))
def test_claims_stand_in_order(path: Path) -> None:
    cells = json.loads(path.read_text(encoding="utf8"))["cells"]
    assert faults(int(path.stem[:2]), [(cell["cell_type"], "".join(cell["source"])) for cell in cells]) == []


def test_a_fault_is_found() -> None:
    first, second, third = (("code", f'claim(\n    "4.{n}", "…")') for n in (1, 2, 3))
    assert faults(4, [("code", 'claim("4.0", "…")'), first, second]) == []
    assert faults(4, [first, third]) == ["(4, 3) after (4, 1)"]
    assert faults(4, [second, first]) == ["(4, 2) after (4, 0)", "(4, 1) after (4, 2)"]
    assert faults(4, [first, ("markdown", "It is zero by claim 4.2, by claim 3.9.")]) == ["(4, 2) before it is stated"]
