"""Copies of the course need nothing else: no markup of the book, no file of the repository; a reader's work stays."""

import ast
import json
import re
from functools import cache
from posixpath import dirname, join, normpath

import nbformat
import pytest
from nbclient import NotebookClient

from classroom.copies import __main__ as command
from classroom.copies import course, folder
from classroom.copies.addresses import Book, Folder, copy_path
from classroom.copies.names import ROOT, labels, names, pages

# nbgrader and the packages below it warn of their own future
pytestmark = pytest.mark.filterwarnings("ignore")

PAGES = pages()
URL = "https://example.org"
CODE = re.compile(r"^(`{3,}).*?^\1$|`+[^`]+`+", re.MULTILINE | re.DOTALL)
FORMULA = re.compile(r"\$\$.+?\$\$|\$[^$]+\$", re.DOTALL)
ROLE = re.compile(r"\{[\w:]+\}`[^`]*`")
OF_THE_BOOK = re.compile(r"^>? *:{3,}.*|^`{3,}\{.*|\$\$ *\([\w-]+\)|^\([\w-]+\)=.*|^:\w+:.*|^%.*|\[\]\(", re.MULTILINE)
LINK = re.compile(r"\[[^\[\]]*\]\(([^()\s]+)\)")
HIDDEN = {"hide-input", "remove-input"}


@cache
def in_the_folder():
    return course.folder_copies(Book())


def prose(text):
    """The Markdown of a copy, of a notebook or of a page."""
    if not text.startswith("{"):
        return text
    return "\n\n".join("".join(cell["source"]) for cell in json.loads(text)["cells"] if cell["cell_type"] == "markdown")


def left_over(text):
    """Return the markup that only the book understands, outside of code and formulas."""
    roles = ROLE.findall(re.sub(r"``.+?``", "", text))
    return roles + OF_THE_BOOK.findall(CODE.sub("", text))


def links(text):
    yield from LINK.findall(FORMULA.sub("", CODE.sub("", text)))


def test_there_is_a_copy_of_every_notebook():
    assert len(PAGES) == 2 * len(list(ROOT.glob("notebooks/*.ipynb"))) > 30
    assert set(in_the_folder()) == {*map(str, map(copy_path, PAGES)), "glossary.md", "bibliography.md"}


def test_an_own_exercise_needs_no_number(tmp_path, monkeypatch):
    (tmp_path / "my_tip.ipynb").write_text('{"cells": []}', encoding="ascii")
    monkeypatch.setattr("classroom.copies.names.ROOT", tmp_path)
    monkeypatch.setattr("classroom.copies.names.pages", lambda: ["my_tip"])
    assert labels() == {}


def test_no_copy_contains_markup_of_the_book():
    for name, text in in_the_folder().items():
        assert left_over(prose(text)) == [], name
        assert prose(text).count("$$") % 2 == 0, name


def test_every_link_of_a_copy_has_its_target_beside_it():
    texts = {name: prose(text) for name, text in in_the_folder().items()}
    seen = 0
    for name, text in texts.items():
        for link in links(text):
            if link.startswith("https:"):
                continue
            path, _, anchor = link.partition("#")
            target = normpath(join(dirname(name), path)) if path else name
            assert target in texts, f"{name}: {link}"
            assert not anchor or f'<a id="{anchor}"></a>' in texts[target], f"{name}: {link}"
            seen += 1
    assert seen > 300


def test_every_link_of_a_copy_that_is_handed_out_has_its_target_in_the_book(built_book):
    @cache
    def anchors(page):
        return set(re.findall(r'\bid="([^"]+)"', (built_book / page).read_text("utf-8")))

    seen = 0
    for page in PAGES:
        text = prose(course.notebook_copy(page, Book(URL)))
        for link in links(text):
            path, _, anchor = link.partition("#")
            if path.startswith(URL):
                assert not anchor or anchor in anchors(path.removeprefix(f"{URL}/")), f"{page}: {link}"
                assert (built_book / path.removeprefix(f"{URL}/")).is_file(), f"{page}: {link}"
                seen += 1
            elif not path:
                assert f'<a id="{anchor}"></a>' in text, f"{page}: {link}"
    assert seen > 250


def numbers_in(text):
    """The numbers that a page of the book prints beside equations, figures and theorems, by their anchors."""
    equations = re.findall(r'id="(equation-eq-[\w-]+)">\s*<span class="eqno">(\(\d+\.\d+\))', text)
    others = re.findall(r'id="((?:fig|thm)-[\w-]+)".*?<span class="caption-number">([^<]+?) *</span>', text, re.DOTALL)
    return dict(equations) | dict(others)


def test_equations_figures_and_theorems_have_the_numbers_of_the_book(built_book):
    found = {}
    for page in PAGES:
        found |= numbers_in((built_book / f"{page}.html").read_text("utf-8"))
    assert found == {place.anchor: place.shown for place in names().labels.values()}


@pytest.mark.parametrize("page", [page for page in PAGES if page.startswith("notebooks/")])
def test_a_copy_has_the_lessons_code_with_the_same_cells_hidden(page):
    stored = json.loads((ROOT / f"{page}.ipynb").read_text("utf-8"))["cells"]
    copied = json.loads(in_the_folder()[str(copy_path(page))])["cells"]
    before, after = ([cell for cell in cells if cell["cell_type"] == "code"] for cells in (stored, copied))
    assert [cell["source"] for cell in after] == [cell["source"] for cell in before]
    for one, other in zip(before, after, strict=True):
        tags = set(one["metadata"].get("tags", []))
        states = re.search(r"^claim\(", "".join(one["source"]), re.MULTILINE) is not None
        imports_alone = re.search(r"^(?!import |from |    |\)|$)", "".join(one["source"]), re.MULTILINE) is None
        hidden = bool(HIDDEN & tags) or (states and "show-proof" not in tags) or imports_alone
        assert other["metadata"].get("jupyter", {}).get("source_hidden", False) == hidden
    captions = [cell for cell in copied if cell["id"].endswith("-caption")]
    assert len(captions) == sum("figure" in cell["metadata"].get("mystnb", {}) for cell in stored) > 0
    assert len({cell["id"] for cell in copied}) == len(copied)


READS_MEASUREMENTS = [f"notebooks/{name}" for name in ("07_code_generation", "22_retime", "23_robot", "24_scaling")]


def code_of(page):
    cells = json.loads(course.notebook_copy(page, Folder()))["cells"]
    return "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")


def of_the_repository(code, beside):
    """Yield the files and modules of the repository that some code names."""
    here = {path.stem for folder in (ROOT, beside) for path in folder.iterdir()} - {"lessons_lib"}
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and "\n" not in node.value:
            is_path = len(node.value) < 200 and ("/" in node.value or "." in node.value)
            if "../" in node.value or is_path and any((at / node.value).is_file() for at in (ROOT, beside)):
                yield node.value
        elif isinstance(node, ast.Import | ast.ImportFrom):
            modules = [node.module or ""] if isinstance(node, ast.ImportFrom) else [one.name for one in node.names]
            yield from (module for module in modules if module.partition(".")[0] in here)


@pytest.mark.parametrize("code", ["open('../a')", "read('notebooks/01_inverse_kinematics.ipynb')", "import tests.a"])
def test_references_to_the_repository_are_found(code):
    assert list(of_the_repository(code, ROOT))


@pytest.mark.parametrize("page", pages())
def test_a_copy_names_nothing_of_the_repository(page):
    assert list(of_the_repository(code_of(page), (ROOT / page).parent)) == []


@pytest.mark.release
@pytest.mark.parametrize("page", READS_MEASUREMENTS)
def test_a_copy_runs_in_an_empty_folder(page, tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(ROOT))  # the kernel has the library that is tested, whichever one is installed
    notebook = nbformat.reads(course.notebook_copy(page, Folder()), as_version=4)
    NotebookClient(notebook, timeout=900, resources={"metadata": {"path": tmp_path}}).execute()
    assert "cannot read" not in nbformat.writes(notebook)


def test_a_copy_that_nobody_changed_is_made_anew(tmp_path):
    assert folder.write({"a.ipynb": "one", "b/c.ipynb": "two"}, tmp_path).new == ["a.ipynb", "b/c.ipynb"]
    assert folder.write({"a.ipynb": "one", "b/c.ipynb": "two"}, tmp_path) == folder.Written()
    assert folder.write({"a.ipynb": "newer", "b/c.ipynb": "two"}, tmp_path).new == ["a.ipynb"]
    assert (tmp_path / "a.ipynb").read_text("utf-8") == "newer"


def test_a_changed_file_stays_and_is_reported_when_the_course_is_newer(tmp_path):
    folder.write({"a.ipynb": "one"}, tmp_path)
    (tmp_path / "a.ipynb").write_text("mine", encoding="utf-8")
    assert folder.write({"a.ipynb": "one"}, tmp_path) == folder.Written()
    for _ in range(2):
        assert folder.write({"a.ipynb": "newer"}, tmp_path) == folder.Written(kept=["a.ipynb"])
        assert (tmp_path / "a.ipynb").read_text("utf-8") == "mine"
    (tmp_path / "a.ipynb").unlink()
    assert folder.write({"a.ipynb": "newer"}, tmp_path).new == ["a.ipynb"]


@pytest.mark.parametrize("spoilt", ["", "[1]", "{"])
def test_without_the_list_a_file_counts_as_the_readers(tmp_path, spoilt):
    folder.write({"a.ipynb": "one", "b.ipynb": "two"}, tmp_path)
    (tmp_path / folder.LIST).write_text(spoilt, encoding="utf-8")
    assert folder.write({"a.ipynb": "newer", "b.ipynb": "two"}, tmp_path) == folder.Written(kept=["a.ipynb"])
    assert folder.write({"b.ipynb": "newer"}, tmp_path).new == ["b.ipynb"], "it was as the course has it"


@pytest.mark.parametrize(("kind", "said"), [("student", "It could read all.\n"), ("lab", "")])
def test_releasing_exercises_reports_the_gaps_of_the_sandbox(kind, said, tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(command.KINDS, kind, (tmp_path, lambda book: {}))
    monkeypatch.setattr(command, "sandbox_gaps", lambda: "It could read all.")
    assert command.main([kind]) == 0
    assert capsys.readouterr().out == said
