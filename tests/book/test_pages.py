"""The book builds with warnings as errors, asks nobody for anything, and shows what its sources hold."""

import json
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import exercise_pages
import nbformat
import pytest
import serve
import stored_outputs
import yaml
from bs4 import BeautifulSoup, Tag
from built_pages import page
from playwright.sync_api import Browser
from syllabus import syllabus

ROOT = Path(__file__).resolve().parents[2]

LESSONS = sorted(ROOT.glob("notebooks/*.ipynb"))
NOTEBOOKS = [*LESSONS, *sorted(ROOT.glob("exercises/*/*.ipynb"))]
LOADED = {("script", "src"), ("link", "href"), ("img", "src"), ("iframe", "src"), ("source", "src")}
LARGEST_BOOK = 55e6  # bytes, of which 14e6 prove claims in the page: MathJax as a whole would be 37 MB alone


def page_of(built_book: Path, notebook: Path) -> BeautifulSoup:
    return page(built_book, str(notebook.relative_to(ROOT)))


def normal(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def test_every_page_of_the_contents_is_built(built_book: Path) -> None:
    toc = (ROOT / "book" / "_toc.yml").read_text(encoding="utf8")
    names = re.findall(r"(?:file|root): (\S+)", toc)
    assert len(names) > 5
    assert [name for name in names if not (built_book / f"{name}.html").is_file()] == []


class Loads(HTMLParser):
    """Reads which addresses of elsewhere a page loads; a tree of all that stands in it takes ten times as long."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.seen = 0
        self.elsewhere: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        loaded = [address or "" for name, address in attrs if (tag, name) in LOADED]
        self.seen += len(loaded)
        self.elsewhere += [address for address in loaded if re.match(r"\s*(https?:)?//", address)]


def test_no_page_loads_anything_from_elsewhere(built_book: Path) -> None:
    assert Loads("<p><img src=//a.b/c><link href='https://d'><script src=e></script>").elsewhere == [
        "//a.b/c",
        "https://d",
    ]
    found = {
        str(path.relative_to(built_book)): Loads(path.read_text(encoding="utf8"))
        for path in built_book.rglob("*.html")
        if path.name != "_all_pages.html"  # for a moment, while a test beside this one makes a PDF
    }
    assert {name: page.elsewhere for name, page in found.items() if page.elsewhere} == {}
    assert found["book/index.html"].seen > 5


def test_only_the_part_of_mathjax_that_is_used_is_copied(built_book: Path) -> None:
    mathjax = built_book / "_static" / "mathjax"
    assert {path.suffix for path in mathjax.rglob("*") if path.is_file()} == {".js", ".woff"}
    assert [path.name for path in mathjax.rglob("*.js")] == ["tex-chtml-full.js"]
    assert sum(path.stat().st_size for path in built_book.rglob("*") if path.is_file()) < LARGEST_BOOK


@pytest.mark.check
def test_a_page_that_is_a_notebook_downloads_its_copy_and_no_other_page_has_a_button_for_it(built_book: Path) -> None:
    contents = re.findall(r"(?:file|root): (\S+)", (ROOT / "book" / "_toc.yml").read_text(encoding="utf8"))
    for name in contents:
        soup = page(built_book, f"{name}.html")
        found = [link["href"] for link in soup.find_all("a", href=re.compile(r"\.ipynb$|_sources/"))]
        if f"{name}.ipynb" not in [str(path.relative_to(ROOT)) for path in NOTEBOOKS]:
            assert found == [], name
            continue
        (address,) = set(found)
        assert len(found) == 1 + name.startswith("exercises/"), f"{name}: the button, and a link on an exercise's page"
        assert all(link.has_attr("download") for link in soup.find_all("a", href=address)), name
        copy = nbformat.read(built_book / Path(name).parent / str(address), as_version=4)
        title = nbformat.read(ROOT / f"{name}.ipynb", as_version=4).cells[0].source.splitlines()[0]
        assert copy.cells[0].source.splitlines()[0] == title
        assert "BEGIN SOLUTION" not in nbformat.writes(copy)


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_captions_and_alternative_texts_arrive(built_book: Path, notebook: Path) -> None:
    soup = page_of(built_book, notebook)
    figures = {figure["id"]: figure for figure in soup.find_all("figure") if figure.get("id")}
    for cell in nbformat.read(notebook, as_version=4).cells:
        words = cell.metadata.get("mystnb", {})
        if "figure" in words and "image" in words:
            figure = figures[words["figure"]["name"]]
            assert figure.img["alt"] == words["image"]["alt"]
            assert figure.figcaption.find(class_="caption-text").get_text(strip=True)


@pytest.mark.parametrize("notebook", LESSONS, ids=lambda path: path.stem)
def test_a_lesson_keeps_the_number_of_its_file(built_book: Path, notebook: Path) -> None:
    number = int(notebook.stem[:2])
    soup = page_of(built_book, notebook)
    heading = soup.select_one("article h1")
    assert heading is not None
    assert normal(heading.get_text()).startswith(f"{number}. ")
    for label in soup.find_all(class_="eqno"):
        assert label.get_text().startswith(f"({number}.")
    for label in soup.select("figcaption .caption-number"):
        assert label.get_text().startswith(f"Fig. {number}.")


@pytest.mark.parametrize("notebook", sorted(ROOT.glob("exercises/*/*.ipynb")), ids=lambda path: path.stem)
def test_an_exercise_shows_its_stub_and_folds_its_solution(built_book: Path, notebook: Path) -> None:
    soup = page_of(built_book, notebook)
    article = soup.find("article")
    assert isinstance(article, Tag)
    text = article.get_text()
    assert exercise_pages.STUB in text
    assert "BEGIN SOLUTION" not in text
    assert "HIDDEN TESTS" not in text
    assert not article.find(string=re.compile(r": passed\n")), "a stub passes no check"
    solutions = article.select(".tag_solution")
    assert solutions
    assert all(solution.find("details") for solution in solutions)


def test_each_row_of_the_notation_has_a_symbol_its_name_a_unit_and_its_lesson(built_book: Path) -> None:
    for symbol, meaning, unit, lesson in [
        row.find_all("td") for row in page(built_book, "book/notation").select(".conventions tbody tr")
    ]:
        assert symbol.select_one(".math") and symbol.find("code") and meaning.get_text(), symbol
        assert unit.get_text().strip(), symbol
        link = lesson.find("a")
        assert link is not None and f"notebooks/{link.get_text()}_" in link["href"], symbol


def test_every_source_is_in_the_bibliography_with_its_doi(built_book: Path) -> None:
    keys = re.findall(r"^@\w+\{(\S+),", (ROOT / "book" / "references.bib").read_text(encoding="utf8"), re.MULTILINE)
    entries = page(built_book, "book/bibliography").select(".citation")
    assert len(entries) == len(set(keys))
    for entry in entries:
        text = normal(entry.get_text())
        doi = entry.find("a", href=re.compile(r"^https://doi\.org/10\.\d{4,}/\S+$"))
        assert doi is not None or re.search(r"No DOI: \w+ \w+", text), text


def test_every_source_is_cited_on_some_page() -> None:
    keys = re.findall(r"^@\w+\{(\S+),", (ROOT / "book" / "references.bib").read_text(encoding="utf8"), re.MULTILINE)
    pages = [*NOTEBOOKS, *sorted((ROOT / "book").glob("*.md"))]
    found = [re.findall(r"\{cite:[tp]\}`([^`]+)`", path.read_text(encoding="utf8")) for path in pages]
    cited = {key.strip() for lists in found for keys_of_one in lists for key in keys_of_one.split(",")}
    assert keys == sorted(keys)
    assert set(keys) == cited


def test_the_page_of_trials_tells_how_many_outputs_are_compared(built_book: Path) -> None:
    found = stored_outputs.count(ROOT)
    told = normal(page(built_book, "book/how_was_it_tried").get_text())
    assert f"Of {found['cells']:,} cells with an output, {found['compared']:,} must print the same text again" in told
    reasons = f"{found['clock']} show how fast a machine is, and {found['last-bit']} hang on the last bit"
    assert f"The other {found['ignored']} may differ: {reasons}" in told
    assert found["clock"] + found["last-bit"] == found["ignored"] == found["cells"] - found["compared"]


def test_the_front_page_lists_every_lesson_with_its_slogan(built_book: Path) -> None:
    entries = page(built_book, "book/index").select(".lesson-list li")
    shown = [(entry.select_one(".lesson-number"), entry.a, entry.select_one(".lesson-slogan")) for entry in entries]
    assert all(all(parts) for parts in shown)
    toc = (ROOT / "book" / "_toc.yml").read_text(encoding="utf8")
    addresses = [f"../{name}.html" for name in re.findall(r"file: (notebooks/\S+)", toc)]
    assert len(addresses) == len(LESSONS)
    assert [entry.a["href"] for entry in entries if entry.a] == addresses


def test_the_sidebar_marks_the_core_track(built_book: Path) -> None:
    marked = page(built_book, "book/index").select(".bd-sidebar-primary .core-lesson")
    numbers = [int(normal(mark.parent.get_text()).partition(".")[0]) for mark in marked if mark.parent]
    assert numbers == [number for number, said in syllabus().items() if said.place]
    assert {mark.get_text() for mark in marked} == {"core"}


FIRST_SCREEN = """() => [...document.querySelectorAll('article .start, article code, article .live-host')]
    .map(part => [part.textContent.trim().split('\\n')[0], part.getBoundingClientRect().top])
    .filter(([, top]) => top < window.innerHeight).map(([words]) => words)"""


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)], ids=["desk", "phone"])
def test_the_first_screen_says_where_to_begin_and_shows_the_arm(
    browser: Browser, built_book: Path, size: tuple[int, int]
) -> None:
    opened = browser.new_page(viewport={"width": size[0], "height": size[1]})
    opened.goto((built_book / "book" / "index.html").as_uri())
    seen = opened.evaluate(FIRST_SCREEN)
    opened.close()
    assert seen[:3] == ["Start in one sitting", "Bring your robot", "make front && pip install ."]
    assert len(seen) == 4, "the arm that moves begins below the first screen"


def test_a_lesson_says_in_its_head_where_it_stands(built_book: Path) -> None:
    heads = {path.stem: page_of(built_book, path).select_one(".lesson-head") for path in LESSONS}
    told = {name: normal(head.get_text()) for name, head in heads.items() if head}
    assert told["00_in_one_sitting"] == "The whole course in one sitting · 1 h, its exercise 1 h"
    assert told["08_newton"] == "Core track, 7 of 10 · needs lesson 6 · 3 h, its exercise 2 h"
    assert told["19_branches"] == "Optional · needs lessons 9, 12 · 3 h, its exercise 2 h"
    links = heads["19_branches"].select("a")  # type: ignore[union-attr]
    assert [link["href"] for link in links] == ["09_singularities.html", "12_starts.html"]
    assert len(told) == len(LESSONS)


def test_a_page_that_moved_leads_on(built_book: Path) -> None:
    moved = (built_book / "book" / "coming_from.html").read_text(encoding="utf8")
    (name, anchor) = re.findall(r"url=(\w+)\.html#([\w-]+)", moved)[0]
    assert page(built_book, f"book/{name}").find(id=anchor) is not None


def proven_in(notebook: Path) -> list[str]:
    """Numbers of the claims that the code of a lesson makes; 3.0 and the like are claims that are shown to fail."""
    cells = [cell for cell in nbformat.read(notebook, as_version=4).cells if cell.cell_type == "code"]
    meant = [cell.source for cell in cells if "raises-exception" not in cell.metadata.get("tags", [])]
    return [number for source in meant for number in re.findall(r"\bclaim\(\s*\"(\d+\.[1-9]\d*)\"", source)]


@pytest.mark.parametrize("notebook", LESSONS, ids=lambda path: path.stem)
def test_the_index_holds_every_claim_of_a_lesson(built_book: Path, notebook: Path) -> None:
    number = int(notebook.stem[:2])
    rows = page(built_book, "book/claims").select(f"#claims-of-lesson-{number} tbody tr")
    listed = [str(row.td.get_text(strip=True)) for row in rows if row.td]
    assert sorted(listed) == sorted(proven_in(notebook))
    assert listed == [f"{number}.{count}" for count in range(1, len(listed) + 1)]
    lesson = page_of(built_book, notebook)
    for row in rows:
        for link in row.select("td:not(:nth-child(2)) a"):
            place = lesson.find(id=str(link["href"]).partition("#")[2])
            assert isinstance(place, Tag)
            assert place.get_text(strip=True)


MOVES = re.compile(r"^\w+Figure\(.*\)$", re.MULTILINE)


@pytest.mark.parametrize("notebook", LESSONS, ids=lambda path: path.stem)
def test_what_moves_has_a_still_picture_and_a_caption(built_book: Path, notebook: Path) -> None:
    soup = page_of(built_book, notebook)
    cells = [cell for cell in nbformat.read(notebook, as_version=4).cells if cell.cell_type == "code"]
    moving = [cell for cell in cells if MOVES.search(cell.source)]
    assert moving or notebook == LESSONS[0], "a lesson has a thing to move: a cell with a line `NAMEFigure()`"
    for cell in moving:
        figure = soup.find("figure", id=cell.metadata["mystnb"]["figure"]["name"])
        assert isinstance(figure, Tag)
        assert figure.img is not None
        assert figure.figcaption is not None
        assert len(figure.select(".live-host > .live-still img")) == 1
    assert not soup.select("script[type*='widget'], input[type='range']")


def test_a_page_loads_what_its_figures_need_and_no_more(built_book: Path) -> None:
    scripts = {
        name: [
            script for script in ("live.js", "live3d.js") if page(built_book, name).select(f"script[src*='/{script}']")
        ]
        for name in ("notebooks/01_inverse_kinematics", "notebooks/03_twists", "book/notation")
    }
    assert list(scripts.values()) == [["live.js"], ["live.js", "live3d.js"], []]


def test_the_glossary_is_in_order_and_every_word_is_used(built_book: Path) -> None:
    soup = page(built_book, "book/glossary")
    words = [term.get_text().rstrip("#¶ ") for term in soup.select("dl.glossary dt")]
    assert words == sorted(words, key=str.lower)
    unused = [
        word
        for word, said in zip(words, soup.select("dl.glossary dd"), strict=True)
        if not said.select_one(".first-lesson a")
    ]
    assert unused == []


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_page_links_a_word_of_the_glossary_once(built_book: Path, notebook: Path) -> None:
    article = page_of(built_book, notebook).find("article")
    assert isinstance(article, Tag)
    targets = [str(link["href"]) for link in article.select("a[href*='glossary.html#term-']")]
    assert targets or notebook not in LESSONS, "a lesson uses a word of book/glossary.md"
    assert len(targets) == len(set(targets))


def test_search_finds_the_words_of_a_lesson(built_book: Path) -> None:
    index = (built_book / "searchindex.js").read_text(encoding="utf8")
    found = json.loads(index[index.index("{") : index.rindex("}") + 1])
    assert "twist" in found["terms"]
    assert "book/notation" in found["docnames"]


def test_a_solution_becomes_a_stub_and_a_fold() -> None:
    source = "def f(q):\n    ### BEGIN SOLUTION\n    return q\n    ### END SOLUTION"
    stub, solution = exercise_pages.page_cells(
        {"cell_type": "code", "id": "f", "source": source, "metadata": {"tags": ["t"]}, "outputs": [1]}
    )
    assert stub["source"] == "def f(q):\n    # YOUR CODE HERE"
    assert stub["outputs"] == []
    assert solution["source"] == "def f(q):\n    return q"
    assert solution["metadata"]["tags"] == ["t", "hide-input", "solution"]
    assert (stub["id"], solution["id"]) == ("f", "f-solution")


def test_a_book_for_a_graded_class_leaves_the_solutions_out(monkeypatch: pytest.MonkeyPatch) -> None:
    source = "def f(q):\n    ### BEGIN SOLUTION\n    return q\n    ### END SOLUTION"
    cell = {"cell_type": "code", "id": "f", "source": source, "metadata": {}, "outputs": []}
    text = json.dumps({"cells": [cell]})
    assert "return q" in exercise_pages.student_page(text)
    assert "return q" not in exercise_pages.student_page(text, solutions=False)
    for said, wanted in (("with", True), ("without", False)):
        monkeypatch.setenv("LESSONS_SOLUTIONS", said)
        assert exercise_pages.solutions_wanted() is wanted
    monkeypatch.setenv("LESSONS_SOLUTIONS", "no")
    with pytest.raises(ValueError, match='the solutions are \'no\'; wanted is "with" or "without"'):
        exercise_pages.solutions_wanted()


def test_a_cell_of_hidden_checks_alone_disappears() -> None:
    source = "assert f(1)\n### BEGIN HIDDEN TESTS\nassert f(2)\n### END HIDDEN TESTS\n"
    cell = {"cell_type": "code", "source": source, "metadata": {}, "outputs": []}
    (kept,) = exercise_pages.page_cells(cell)
    assert kept["source"] == "assert f(1)"
    assert exercise_pages.page_cells({**cell, "source": source.removeprefix("assert f(1)\n")}) == []


def test_serving_a_folder_without_a_book_says_what_to_run(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"holds no index\.html: run `make book-html` first"):
        serve.book_server(tmp_path)


def test_the_server_prints_its_address(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<p>hello</p>", encoding="utf8")
    command = [sys.executable, str(ROOT / "book" / "serve.py"), str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        line = server.stdout.readline()
        server.terminate()
    assert re.fullmatch(r"The course is at http://127\.0\.0\.1:\d+/ \(Ctrl-C stops it\)\n", line)


def test_the_book_never_runs_a_notebook() -> None:
    config = yaml.safe_load((ROOT / "book" / "_config.yml").read_text(encoding="utf8"))
    assert config["execute"]["execute_notebooks"] == "off"
    assert "sphinx_thebe" not in config["sphinx"]["config"]["extensions"]
