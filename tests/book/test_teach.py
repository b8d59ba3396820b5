"""The page for teachers: its plans hold to the syllabus, and what it tells to type is there."""

import re
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "book" / "_ext"))
from syllabus import WHOLE_COURSE, syllabus  # noqa: E402

MOST_LINKS = 40
"""Of the sidebar, exercises and the parts of a chapter left out, which are folded."""

PAGE = (ROOT / "book" / "teach.md").read_text(encoding="utf8")


def rows(title: str) -> list[list[str]]:
    """The cells of the table below a heading, without its own."""
    section = PAGE.partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    found = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row] for row in found[2:]]


def needs() -> dict[int, set[int]]:
    """Each lesson, and those that it needs at once."""
    return {number: set(said.needs) for number, said in syllabus().items()}


def test_the_contents_list_lesson_0_then_the_spine_and_everything_once() -> None:
    toc = yaml.safe_load((ROOT / "book" / "_toc.yml").read_text(encoding="utf8"))
    parts = [[page["file"] for page in part["chapters"]] for part in toc["parts"]]
    first, spine, further = ([int(page.removeprefix("notebooks/")[:2]) for page in part] for part in parts[:3])
    assert first == [WHOLE_COURSE]
    in_order = sorted({*syllabus()} - {*first}, key=lambda number: (syllabus()[number].place or 99, number))
    assert [*spine, *further] == in_order
    assert spine == [number for number in in_order if syllabus()[number].place]
    assert sum(map(len, parts)) + 1 <= MOST_LINKS


@pytest.mark.parametrize("title", ["Twelve weeks", "Five days"])
def test_a_plan_teaches_what_a_lesson_needs_before_it(title: str) -> None:
    taught: set[int] = set()
    for _, *cells in rows(title):
        for cell in cells:
            for word, number in re.findall(r"(exercise )?(\d+)", cell):
                if word:
                    assert int(number) in taught, f"{title}: exercise {number} before its lesson"
                else:
                    assert needs()[int(number)] <= taught, f"{title}: {number} before what it needs"
                    taught.add(int(number))
    assert len(taught) >= 14
