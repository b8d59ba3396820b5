"""No lesson exceeds its bounds, and the plans of the page for teachers agree with the syllabus."""

import re
from pathlib import Path

import lesson_sizes
import nbformat
import pytest
import yaml
from syllabus import syllabus, total_hours

BEYOND = {"00_in_one_sitting": {"late_imports": 1}}
"""Lessons that exceed a bound, and what they hold; a lesson that keeps to it is struck off, and none is added.

Lesson 00 imports the library in its last section.
"""

CLAIM = 'claim("1.{}", "…", a, "=", b)'


def question(asks, *choices):
    """A cell with a question."""
    listed = "\n".join(f"- {choice}" for choice in choices)
    return "markdown", f":::{{admonition}} {asks}\n:class: dropdown predict\n:name: predict-01-trial\n\n{listed}\n:::"


HOW = question("How?", "[x] so — yes", "[ ] not — no")


def trial(folder, *cells):
    """The size of a lesson whose cells are given by kind ("deeper" for a folded heading) and source."""
    made = []
    for kind, source in cells:
        new = nbformat.v4.new_code_cell if kind == "code" else nbformat.v4.new_markdown_cell
        made.append(new(source, metadata={"tags": ["deeper"]} if kind == "deeper" else {}))
    path = folder / "01_trial.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=made), path)
    return lesson_sizes.size(path)


def test_no_lesson_goes_beyond_a_bound_but_those_on_the_list():
    bounds = lesson_sizes.bounds
    found = {path.stem: lesson_sizes.size(path).beyond(bounds(path)) for path in lesson_sizes.lessons()}
    listed = {name: BEYOND.get(name, {}) for name in found}
    assert BEYOND.keys() <= found.keys()
    most = {path.stem: bounds(path) for path in lesson_sizes.lessons()}
    grown = [
        f"{name}: {column} is {count}, must be at most {most[name][column]}"
        for name, beyond in found.items()
        for column, count in beyond.items()
        if count > listed[name].get(column, 0)
    ]
    remedy = "cut, fold or move something; for plumbing, import less or compute more (python book/lesson_sizes.py)"
    assert grown == [], remedy
    kept = {name: {*listed[name]} - {*beyond} for name, beyond in found.items()}
    assert {name: columns for name, columns in kept.items() if columns} == {}, "keeps to it now: strike it off the list"


def test_the_core_track_takes_at_most_24_hours_and_keeps_to_its_own_bounds():
    core = {number for number, entry in syllabus().items() if entry.place}
    closer = {int(path.stem[:2]) for path in lesson_sizes.lessons() if "minutes" in lesson_sizes.bounds(path)}
    assert closer == core
    assert total_hours(iter(core)) <= 24


def test_minutes_grow_with_what_a_student_does(tmp_path):
    text = ("markdown", "word " * 600)
    assert trial(tmp_path, text).minutes == 5
    assert trial(tmp_path, text, *[("code", CLAIM.format(k)) for k in range(1, 6)]).minutes == 20
    assert trial(tmp_path, text, ("code", "import math\nx = 1\n" + "x += 1\n" * 48)).minutes == 20
    assert trial(tmp_path, text, ("deeper", "## More"), ("code", "x = 1\n" * 100)).minutes == 20
    assert trial(tmp_path, text, *[HOW] * 5, ("code", "from lessons_lib.course.live import servo")).minutes == 20
    assert trial(tmp_path, text).exercise == 0


def test_words_are_those_shown_before_a_reader_answers(tmp_path):
    way = question("Which way?", "[x] up — why", "[ ] far down — no")
    typed = question("How far?", "[x] = 1 ± 0.1 m — a", "[ ] = 2 ± 0.1 m — b")
    assert trial(tmp_path, ("markdown", "two words"), way, typed).words == 2 + 5 + 2
    drawn = nbformat.v4.new_code_cell("draw()", metadata={"mystnb": {"figure": {"caption": "Three more words."}}})
    assert lesson_sizes.words(lesson_sizes.caption(drawn)) == 3


def test_a_fold_ends_where_the_book_ends_it(tmp_path):
    inside = ("deeper", "## More\n\nwithin"), ("code", CLAIM.format(1)), ("markdown", "### Part\n\nwithin")
    after = ("markdown", "## Next\n\nout"), ("code", CLAIM.format(2))
    assert trial(tmp_path, *inside, *after).folded == 2
    assert trial(tmp_path, *inside, *after).claims == 1
    assert trial(tmp_path, *inside, ("markdown", ":::{admonition} Remember\n:::"), after[1]).cells == 1
    asked = HOW, ("markdown", "it is said")
    assert trial(tmp_path, *inside, *asked, *after).folded == 5


ROOT = Path(__file__).resolve().parents[2]

MOST_LINKS = 48
"""Of the sidebar, without exercises and sections, which are folded: leaves room for lessons of contributors."""

PAGE = (ROOT / "book" / "teach.md").read_text(encoding="utf8")


def rows(title):
    """The cells of the table below a heading, without its header."""
    section = PAGE.partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    found = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row] for row in found[2:]]


def needs():
    """Each lesson with the lessons that it needs directly."""
    return {number: set(said.needs) for number, said in syllabus().items()}


def test_the_core_track_needs_no_optional_lesson():
    core = {number for number, said in syllabus().items() if said.place}
    assert 0 < len(core) < len(syllabus()) / 2
    assert {number: needs()[number] - core for number in core if needs()[number] - core} == {}


def test_the_contents_list_all_lessons_in_order():
    toc = yaml.safe_load((ROOT / "book" / "_toc.yml").read_text(encoding="utf8"))
    pages = [page["file"] for part in toc["parts"] for page in part["chapters"]]
    assert [int(page[len("notebooks/") :][:2]) for page in pages if page.startswith("notebooks/")] == sorted(syllabus())
    assert len(pages) + 1 <= MOST_LINKS, "the sidebar is full: make a page of book/_toc.yml a section of another one"


@pytest.mark.parametrize("title", ["Twelve weeks", "Five days"])
def test_a_plan_teaches_the_prerequisites_of_a_lesson_first(title):
    taught = set()
    for _, *cells in rows(title):
        for cell in cells:
            for word, number in re.findall(r"(exercise )?(\d+)", cell):
                if word:
                    assert int(number) in taught, f"{title}: exercise {number} before its lesson"
                else:
                    assert needs()[int(number)] <= taught, f"{title}: {number} before what it needs"
                    taught.add(int(number))
    assert len(taught) >= 14
