"""No lesson is longer than a reader has patience for, and what is counted is what a reader goes through."""

import json
from pathlib import Path

import lesson_sizes
import nbformat
import pytest
from exercise_pages import student_page

ROOT = Path(__file__).resolve().parents[2]

BEYOND: dict[str, dict[str, int]] = {"00_in_one_sitting": {"cells": 28, "late_imports": 1}}
"""Lessons that exceed a bound, and what they hold; a lesson that keeps to it is struck off, and none is added.

Lesson 00 goes through the whole course, and imports the library in its last section.
"""

FINE = lesson_sizes.Size(**lesson_sizes.BOUNDS, folded=5000)
LONGEST_LINE = 96  # characters, as in notebooks/ruff.toml
LIVE = "from lessons_lib.course.live import ElbowFigure\n\nElbowFigure()"
IMPORTS = "import math\nfrom lessons_lib.claims.notation import (\n    cos,\n    sin,\n)"
CLAIM = 'claim("1.{}", "…", a, "=", b)'


def trial(folder: Path, *cells: tuple[str, str]) -> lesson_sizes.Size:
    """The size of a lesson whose cells are each a kind, "deeper" for a heading that is folded, and a source."""
    made = []
    for kind, source in cells:
        new = nbformat.v4.new_code_cell if kind == "code" else nbformat.v4.new_markdown_cell
        made.append(new(source, metadata={"tags": ["deeper"]} if kind == "deeper" else {}))
    path = folder / "01_trial.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=made), path)
    return lesson_sizes.size(path)


def test_no_lesson_goes_beyond_a_bound_but_those_on_the_list() -> None:
    found = {path.stem: lesson_sizes.size(path).beyond for path in lesson_sizes.lessons()}
    listed = {name: BEYOND.get(name, {}) for name in found}
    assert BEYOND.keys() <= found.keys()
    grown = {
        name: beyond
        for name, beyond in found.items()
        if any(count > listed[name].get(column, 0) for column, count in beyond.items())
    }
    assert grown == {}, "beyond a bound: cut, fold or move something (python book/lesson_sizes.py)"
    kept = {name: {*listed[name]} - {*beyond} for name, beyond in found.items()}
    assert {name: columns for name, columns in kept.items() if columns} == {}, "keeps to it now: strike it off the list"


@pytest.mark.parametrize("column", lesson_sizes.BOUNDS)
def test_one_more_than_the_bound_is_beyond_it(column: str) -> None:
    more = lesson_sizes.Size(**{**vars(FINE), column: vars(FINE)[column] + 1})
    assert FINE.beyond == {}
    assert list(more.beyond) == [column]


def test_words_are_those_of_the_prose() -> None:
    text = "# A title\n\nOne {term}`word` of $x$ — here.\n\n| a | b |\n\n$$\nx = y\n$$ (eq-01-x)\n\n```\ncode\n```\n"
    question = ":::{admonition} How?\n:class: dropdown predict\n:name: predict-01-x\n\n- [x] so — It is.\n:::\n"
    told = ":::{admonition} What to remember\n:class: tip\nTwo words.\n:::\n"
    assert lesson_sizes.words(text) == 5
    assert lesson_sizes.words(question) == 0
    assert lesson_sizes.words(told) == 5


def test_a_fold_ends_where_the_book_ends_it(tmp_path: Path) -> None:
    inside = ("deeper", "## More\n\nwithin"), ("code", CLAIM.format(1)), ("markdown", "### Part\n\nwithin")
    after = ("markdown", "## Next\n\nout"), ("code", CLAIM.format(2))
    assert trial(tmp_path, *inside, *after).folded == 2
    assert trial(tmp_path, *inside, *after).claims == 1
    assert trial(tmp_path, *inside, ("markdown", ":::{admonition} Remember\n:::"), after[1]).cells == 1
    asked = ("markdown", ":::{admonition} How?\n:class: dropdown predict\n- [x] so\n:::"), ("markdown", "it is said")
    assert trial(tmp_path, *inside, *asked, *after).folded == 5


def test_what_is_refused_or_a_limit_is_no_claim(tmp_path: Path) -> None:
    limit = 'claim("1.2", "…", limit(a, b, 0), "=", 1)'
    assert trial(tmp_path, ("code", CLAIM.format(0)), ("code", limit), ("code", CLAIM.format(3))).claims == 1


def test_imports_stand_in_a_cell_of_their_own_on_top(tmp_path: Path) -> None:
    assert trial(tmp_path, ("code", LIVE), ("code", IMPORTS), ("code", "x = 1\ny = 2")).late_imports == 0
    assert trial(tmp_path, ("code", LIVE), ("code", IMPORTS), ("code", "import sys")).late_imports == 1
    assert trial(tmp_path, ("code", LIVE), ("code", f"{IMPORTS}\nx = 1")).late_imports == 1


def test_code_that_runs_text_or_takes_what_is_private_is_barred(tmp_path: Path) -> None:
    cells = (
        ("code", "import lessons_lib._hidden"),
        ("code", "from __future__ import annotations"),
        ("code", 'exec("x")'),
    )
    assert trial(tmp_path, *cells).barred == 2


def test_a_cell_is_shown_or_folded_as_the_page_has_it(tmp_path: Path) -> None:
    shown, proof = "x = 1\ny = 2\nprint(x)", f"x = 1\ny = 2\nz = 3\n{CLAIM.format(1)}"
    found = trial(tmp_path, ("code", shown), ("code", proof))
    assert (found.longest, found.longest_folded) == (3, 4)


def test_plumbing_is_what_neither_computes_nor_proves(tmp_path: Path) -> None:
    drawn = "with plots.style():\n    plots.draw(x)\n    plt.show()"
    code = ("code", IMPORTS), ("code", f'x = 1\n{drawn}\nglue("x", "1")'), ("code", "y = 2\nz = 3\nprint(x)")
    found = trial(tmp_path, *code)
    assert found.plumbing == 60  # 2 + 3 + 1 of 10 lines: an import counts as one, however many names it lists
    assert found.longest == 5


@pytest.mark.parametrize("path", sorted(ROOT.glob("exercises/*/*.ipynb")), ids=lambda path: path.stem[:2])
def test_a_laptop_shows_every_line_of_an_exercise_whole(path: Path) -> None:
    cells = json.loads(student_page(path.read_text(encoding="utf8")))["cells"]
    code = [(cell["metadata"].get("tags", []), cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    shown = ["".join(source) for tags, source in code if "hide-input" not in tags or "solution" in tags]
    assert shown
    assert [line for source in shown for line in source.splitlines() if len(line) > LONGEST_LINE] == []
