"""No lesson exceeds its bounds, and the sizes are counted correctly."""

from pathlib import Path

import lesson_sizes
import nbformat
import syllabus

BEYOND: dict[str, dict[str, int]] = {"00_in_one_sitting": {"late_imports": 1}}
"""Lessons that exceed a bound, and what they hold; a lesson that keeps to it is struck off, and none is added.

Lesson 00 imports the library in its last section.
"""

IMPORTS = "import math\nfrom lessons_lib.claims.notation import (\n    cos,\n    sin,\n)"
CLAIM = 'claim("1.{}", "…", a, "=", b)'


def question(asks: str, *choices: str) -> tuple[str, str]:
    """A cell with a question."""
    listed = "\n".join(f"- {choice}" for choice in choices)
    return "markdown", f":::{{admonition}} {asks}\n:class: dropdown predict\n:name: predict-01-trial\n\n{listed}\n:::"


HOW = question("How?", "[x] so — yes", "[ ] not — no")


def trial(folder: Path, *cells: tuple[str, str]) -> lesson_sizes.Size:
    """The size of a lesson whose cells are given by kind ("deeper" for a folded heading) and source."""
    made = []
    for kind, source in cells:
        new = nbformat.v4.new_code_cell if kind == "code" else nbformat.v4.new_markdown_cell
        made.append(new(source, metadata={"tags": ["deeper"]} if kind == "deeper" else {}))
    path = folder / "01_trial.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=made), path)
    return lesson_sizes.size(path)


def test_no_lesson_goes_beyond_a_bound_but_those_on_the_list() -> None:
    bounds = lesson_sizes.bounds
    found = {path.stem: lesson_sizes.size(path).beyond(bounds(path)) for path in lesson_sizes.lessons()}
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


def test_the_core_track_takes_at_most_24_hours_and_keeps_to_its_own_bounds() -> None:
    core = {number for number, entry in syllabus.syllabus().items() if entry.place}
    closer = {int(path.stem[:2]) for path in lesson_sizes.lessons() if "minutes" in lesson_sizes.bounds(path)}
    assert closer == core
    assert syllabus.total_hours(iter(core)) <= 24


def test_minutes_grow_with_what_a_student_does(tmp_path: Path) -> None:
    text = ("markdown", "word " * 600)
    assert trial(tmp_path, text).minutes == 5
    assert trial(tmp_path, text, *[("code", CLAIM.format(k)) for k in range(1, 6)]).minutes == 25
    assert trial(tmp_path, text, *[HOW] * 5, ("code", "from lessons_lib.course.live import servo")).minutes == 20
    assert trial(tmp_path, text).exercise == 0


def test_words_are_those_shown_before_a_reader_answers(tmp_path: Path) -> None:
    way = question("Which way?", "[x] up — why", "[ ] far down — no")
    typed = question("How far?", "[x] = 1 ± 0.1 m — a", "[ ] = 2 ± 0.1 m — b")
    assert trial(tmp_path, ("markdown", "two words"), way, typed).words == 2 + 5 + 2
    drawn = nbformat.v4.new_code_cell("draw()", metadata={"mystnb": {"figure": {"caption": "Three more words."}}})
    assert lesson_sizes.words(lesson_sizes.caption(drawn)) == 3


def test_a_fold_ends_where_the_book_ends_it(tmp_path: Path) -> None:
    inside = ("deeper", "## More\n\nwithin"), ("code", CLAIM.format(1)), ("markdown", "### Part\n\nwithin")
    after = ("markdown", "## Next\n\nout"), ("code", CLAIM.format(2))
    assert trial(tmp_path, *inside, *after).folded == 2
    assert trial(tmp_path, *inside, *after).claims == 1
    assert trial(tmp_path, *inside, ("markdown", ":::{admonition} Remember\n:::"), after[1]).cells == 1
    asked = HOW, ("markdown", "it is said")
    assert trial(tmp_path, *inside, *asked, *after).folded == 5


def test_plumbing_counts_lines_that_neither_compute_nor_prove(tmp_path: Path) -> None:
    drawn = "with plots.style():\n    plots.draw(x)\n    plt.show()"
    code = ("code", IMPORTS), ("code", f'x = 1\n{drawn}\nglue("x", "1")'), ("code", "y = 2\nz = 3\nprint(x)")
    found = trial(tmp_path, *code)
    assert found.plumbing == 60  # 2 + 3 + 1 of 10 lines: an import counts as one, however many names it lists
    assert found.longest == 5
