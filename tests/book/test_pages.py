"""The book builds with warnings as errors, contacts no other host, and shows the contents of its sources."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import exercise_pages
import nbformat
import pytest
from bs4 import Tag
from building import build_book, complaints, page
from provenance import claims_by_formula
from syllabus import syllabus

ROOT = Path(__file__).resolve().parents[2]

LESSONS = sorted(ROOT.glob("notebooks/*.ipynb"))
NOTEBOOKS = [*LESSONS, *sorted(ROOT.glob("exercises/*/*.ipynb"))]
LOADED = {("script", "src"), ("link", "href"), ("img", "src"), ("iframe", "src"), ("source", "src")}


def page_of(built_book, notebook):
    return page(built_book, str(notebook.relative_to(ROOT)))


def normal(text):
    return re.sub(r"\s+", " ", text).strip()


def test_every_page_of_the_contents_is_built(built_book):
    toc = (ROOT / "book" / "_toc.yml").read_text(encoding="utf8")
    names = re.findall(r"(?:file|root): (\S+)", toc)
    assert len(names) > 5
    assert [name for name in names if not (built_book / f"{name}.html").is_file()] == []


def test_an_old_address_leads_to_a_page_of_the_book(built_book):
    redirects = [path.relative_to(ROOT / "book" / "_root") for path in (ROOT / "book" / "_root").rglob("*.html")]
    assert Path("notebooks/20_branches.html") in redirects
    for path in redirects:
        text = (built_book / path).read_text(encoding="utf8")
        targets = re.findall(r'(?:url=|a href=")([^"#]+)', text)
        assert len(targets) == 2 and len(set(targets)) == 1
        assert (built_book / path.parent / targets[0]).is_file(), f"{path} leads to {targets[0]}"


class Loads(HTMLParser):
    """Collects the external addresses that a page loads; a full parse tree takes ten times as long."""

    def __init__(self, text):
        super().__init__()
        self.seen = 0
        self.elsewhere = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        loaded = [address or "" for name, address in attrs if (tag, name) in LOADED]
        self.seen += len(loaded)
        self.elsewhere += [address for address in loaded if re.match(r"\s*(https?:)?//", address)]


def test_no_page_loads_anything_from_elsewhere(built_book):
    text = "<img src=//a.b/c><link href='https://d'><script src=e></script>"
    assert Loads(text).elsewhere == ["//a.b/c", "https://d"]
    found = {
        str(path.relative_to(built_book)): Loads(path.read_text(encoding="utf8"))
        for path in built_book.rglob("*.html")
        if path.name != "_all_pages.html"  # for a moment, while a test beside this one makes a PDF
    }
    assert {name: page.elsewhere for name, page in found.items() if page.elsewhere} == {}
    assert found["book/index.html"].seen > 5


def test_the_site_works_below_any_path(built_book):
    """No page, style or script has an address that begins at the root of the server."""
    absolute = re.compile(r"""(?:href|src|action|data-src)=["']?/(?!/)|url\(["']?/(?!/)""")
    found = [bool(absolute.search(text)) for text in ('<a href="/b">', "url(/a)", '<a href="a/b">')]
    assert found == [True, True, False]
    files = [path for path in built_book.rglob("*") if path.suffix in (".html", ".css")]
    assert len(files) > 50
    assert [path.name for path in files if absolute.search(path.read_text(encoding="utf8"))] == []


@pytest.mark.check
def test_a_page_that_is_a_notebook_downloads_its_copy_and_no_other_page_has_a_button_for_it(built_book):
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


@pytest.mark.parametrize("notebook", LESSONS, ids=lambda path: path.stem)
def test_a_lesson_keeps_the_number_of_its_file(built_book, notebook):
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
def test_an_exercise_shows_its_stub_and_folds_its_solution(built_book, notebook):
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


def test_the_sidebar_marks_the_core_track(built_book):
    marked = page(built_book, "book/index").select(".bd-sidebar-primary .core-lesson")
    numbers = [int(normal(mark.parent.get_text()).partition(".")[0]) for mark in marked if mark.parent]
    assert numbers == [number for number, said in syllabus().items() if said.place]
    assert {mark.get_text() for mark in marked} == {"core"}


def proven_in(notebook):
    """Numbers of the claims in a lesson's code; 3.0 and the like are claims that are shown to fail."""
    cells = [cell for cell in nbformat.read(notebook, as_version=4).cells if cell.cell_type == "code"]
    meant = [cell.source for cell in cells if "raises-exception" not in cell.metadata.get("tags", [])]
    return [number for source in meant for number in re.findall(r"\bclaim\(\s*\"(\d+\.[1-9]\d*)\"", source)]


@pytest.mark.parametrize("notebook", LESSONS, ids=lambda path: path.stem)
def test_the_index_holds_every_claim_of_a_lesson(built_book, notebook):
    number = int(notebook.stem[:2])
    links = page(built_book, "book/claims").select(f"#claims-of-lesson-{number} .claims-list > p > strong a")
    listed = [link.get_text().split()[1] for link in links]
    assert sorted(listed) == sorted(proven_in(notebook))
    assert listed == [f"{number}.{count}" for count in range(1, len(listed) + 1)]
    lesson = page_of(built_book, notebook)
    for link in links:
        place = lesson.find(id=str(link["href"]).partition("#")[2])
        assert isinstance(place, Tag)
        assert place.get_text(strip=True)


MOVES = re.compile(r"^\w+Figure\(.*\)$", re.MULTILINE)


@pytest.mark.parametrize("notebook", LESSONS, ids=lambda path: path.stem)
def test_each_live_figure_has_a_still_picture_and_a_caption(built_book, notebook):
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


def test_a_book_for_a_graded_class_leaves_the_solutions_out(monkeypatch):
    source = "def f(q):\n    ### BEGIN SOLUTION\n    return q\n    ### END SOLUTION"
    cell = {"cell_type": "code", "id": "f", "source": source, "metadata": {}, "outputs": []}
    text = json.dumps({"cells": [cell]})
    assert "return q" in exercise_pages.student_page(text)
    assert "return q" not in exercise_pages.student_page(text, solutions=False)
    for said, wanted in (("with", True), ("without", False)):
        monkeypatch.setenv("LESSONS_SOLUTIONS", said)
        assert exercise_pages.solutions_wanted() is wanted
    monkeypatch.setenv("LESSONS_SOLUTIONS", "no")
    with pytest.raises(ValueError, match='LESSONS_SOLUTIONS must be "with" or "without", got \'no\''):
        exercise_pages.solutions_wanted()


def test_the_formulas_of_the_kernels_are_claimed_in_a_lesson(built_book):
    table = page(built_book, "book/provenance").select("table.provenance-table tbody code")
    assert {"damped_step", "error_twist"} <= {name.get_text() for name in table}
    claims = claims_by_formula()
    for formula, claim in (("so3.log", (2, 13)), ("se3.log", (3, 12)), ("damped_step.eliminate", (7, 7))):
        assert claim in claims[formula]


@pytest.mark.release
def test_the_book_builds_with_an_empty_cache(tmp_path):
    """`make check` runs the lessons with one."""
    done = build_book(tmp_path / "book", LESSONS_CACHE_DIR=str(tmp_path / "cache"))
    assert done.returncode == 0, complaints(done.stderr.splitlines())
    assert [*(tmp_path / "cache").rglob("*.o")], "nothing was compiled"
