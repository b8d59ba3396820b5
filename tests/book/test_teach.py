"""The page for teachers: its plans agree with the syllabus."""

import re
from pathlib import Path

import pytest
import yaml
from syllabus import syllabus

ROOT = Path(__file__).resolve().parents[2]

MOST_LINKS = 40
"""Of the sidebar, exercises and the parts of a chapter left out, which are folded."""

PAGE = (ROOT / "book" / "teach.md").read_text(encoding="utf8")


def rows(title: str) -> list[list[str]]:
    """The cells of the table below a heading, without its header."""
    section = PAGE.partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    found = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row] for row in found[2:]]


def needs() -> dict[int, set[int]]:
    """Each lesson with the lessons that it needs directly."""
    return {number: set(said.needs) for number, said in syllabus().items()}


def test_the_core_track_needs_no_optional_lesson() -> None:
    core = {number for number, said in syllabus().items() if said.place}
    assert 0 < len(core) < len(syllabus()) / 2
    assert {number: needs()[number] - core for number in core if needs()[number] - core} == {}


def test_the_contents_list_all_lessons_in_order() -> None:
    toc = yaml.safe_load((ROOT / "book" / "_toc.yml").read_text(encoding="utf8"))
    pages = [page["file"] for part in toc["parts"] for page in part["chapters"]]
    assert [int(page[len("notebooks/") :][:2]) for page in pages if page.startswith("notebooks/")] == sorted(syllabus())
    assert len(pages) + 1 <= MOST_LINKS


@pytest.mark.parametrize("title", ["Twelve weeks", "Five days"])
def test_a_plan_teaches_the_prerequisites_of_a_lesson_first(title: str) -> None:
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
