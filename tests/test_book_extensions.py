"""The book's own extensions on books of a page or two: what they link, and what they refuse."""

import gc
import io
import json
import sys
import weakref
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
from bs4 import BeautifulSoup, Tag
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util.docutils import docutils_namespace, patch_docutils

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "book" / "_ext")]
import fuzz_table  # noqa: E402
import glossary_words  # noqa: E402
import provenance_table  # noqa: E402

from lessons_lib.provenance.by_hand import File  # noqa: E402
from lessons_lib.provenance.rows import Around, ByHand, Derived, Formula, Table  # noqa: E402
from lessons_lib.symbolic.claims import Claim  # noqa: E402

CONFIGURATION = {
    "extensions": [
        "myst_nb",
        "sphinx_external_toc",
        "lesson_list",
        "claims",
        "claims_index",
        "glossary_links",
        "provenance_table",
        "fuzz_table",
        "stored_outputs",
        "measured",
        "predict",
        "api_reference",
    ],
    "external_toc_path": "_toc.yml",
    "nb_execution_mode": "off",
    "nb_render_markdown_format": "myst",
    "myst_enable_extensions": ["attrs_inline", "colon_fence", "dollarmath"],
    "nitpicky": True,
    "html_theme": "basic",
}
GLOSSARY = """# Glossary

:::{glossary}
body twist
  A {term}`twist` in the body frame.

home
  Where the arm rests.

Jacobian
  A matrix.

Newton-Raphson method
  Steps.

screw axis
  An axis.

singularity
  A place, $J = 0$.

twist
  A velocity.
:::
"""
CLAIMS_PAGE = "# Claims\n\n```{claims-index}\n```\n"

Book = Callable[..., tuple[dict[str, BeautifulSoup], str]]


def lesson(prose: str, *claims: Claim) -> nbformat.NotebookNode:
    """A lesson that says something and has proven something."""
    cells = [nbformat.v4.new_markdown_cell(prose, id="prose")]
    for count, claim in enumerate(claims):
        data = {"text/markdown": claim._repr_markdown_(), "text/plain": repr(claim)}
        output = nbformat.v4.new_output("execute_result", data, execution_count=count)
        code = f"claim({claim.label!r})  # claim {claim.label}"
        cells.append(nbformat.v4.new_code_cell(code, id=f"c{count}", outputs=[output], execution_count=count))
    return nbformat.v4.new_notebook(
        cells=cells, metadata={"language_info": {"name": "python", "pygments_lexer": "python"}}
    )


def _no_proxies() -> list[object]:
    return [thing for thing in gc.get_objects() if type(thing) not in weakref.ProxyTypes]


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Book:
    """Builds pages, `notebooks/08_newton` and the like, and returns them with all warnings."""
    # sphinx_external_toc asks every object in memory for its type, and stumbles over the dead proxies of other tests
    monkeypatch.setattr("sphinx_external_toc.collectors.gc", SimpleNamespace(get_objects=_no_proxies))

    def build(
        pages: dict[str, str | nbformat.NotebookNode], **configuration: object
    ) -> tuple[dict[str, BeautifulSoup], str]:
        source = tmp_path / "source"
        names = ["index", *sorted(pages)]
        for name, page in {"index": "# A course\n\n```{lesson-list}\n```\n", **pages}.items():
            path = source / f"{name}.{'md' if isinstance(page, str) else 'ipynb'}"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(page if isinstance(page, str) else nbformat.writes(page), encoding="utf8")
        chapters = "".join(f"      - file: {name}\n" for name in names[1:])
        toc = f"format: jb-book\nroot: index\nparts:\n  - caption: Part\n    chapters:\n{chapters}"
        (source / "_toc.yml").write_text(toc, encoding="utf8")
        warnings, out = io.StringIO(), tmp_path / "out"
        with patch_docutils(), docutils_namespace():
            configured = CONFIGURATION | configuration
            app = Sphinx(source, None, out, tmp_path / "doctrees", "html", configured, status=None, warning=warnings)
            app.build()
        html = {name: (out / f"{name}.html").read_text(encoding="utf8") for name in names}
        return {name: BeautifulSoup(text, "html.parser") for name, text in html.items()}, warnings.getvalue()

    return build


def links(page: BeautifulSoup, name: str) -> list[tuple[str, str]]:
    """The words and the addresses of the links of one kind."""
    found = [(span.get_text(), span.parent) for span in page.select(f"a > .{name}")]
    return [(words, str(parent["href"])) for words, parent in found if isinstance(parent, Tag)]


STEP = Claim("8.1", "A step is a *step*.", "x = y")
WIDE_STEP = Claim("8.2", "A matrix.", r"x = \begin{bmatrix} 1 \\ 2 \end{bmatrix}")
PRICE = Claim("11.4", "No error is multiplied by more than 1/(2λ).", "x < y")


def test_a_claim_is_boxed_and_every_mention_of_it_is_a_link(book: Book) -> None:
    prose = "# Which?\n\n*Slogan.*\n\nBy claim 8.1, and claims 11.4, 8.1 and 8.2. Not `claim 8.1`.\n\n## Claim 8.1"
    pages, warnings = book(
        {"notebooks/08_newton": lesson("# How?", STEP, WIDE_STEP), "notebooks/11_which": lesson(prose, PRICE)}
    )
    assert warnings == ""
    newton, which = pages["notebooks/08_newton"], pages["notebooks/11_which"]
    box = newton.find(id="claim-8-1")
    assert isinstance(box, Tag)
    assert box["class"] == ["claim", "docutils", "container"]
    assert box.get_text(" ", strip=True).startswith("Claim 8.1. A step is a step .")
    cell = newton.find(id="proof-8-1")
    assert isinstance(cell, Tag)
    assert "claim('8.1')" in cell.get_text()
    step, matrix, price = "08_newton.html#claim-8-1", "08_newton.html#claim-8-2", "#claim-11-4"
    assert links(which, "claim-link") == [("claim\xa08.1", step), ("11.4", price), ("8.1", step), ("8.2", matrix)]
    assert which.find("a", title="A matrix.") is not None


def test_the_index_lists_every_claim_with_its_proof(book: Book) -> None:
    pages, warnings = book(
        {
            "claims": CLAIMS_PAGE,
            "notebooks/08_newton": lesson("# How does $q$ move?", WIDE_STEP, STEP),
            "notebooks/11_which": lesson("# Which?"),
        }
    )
    assert warnings == ""
    page = pages["claims"]
    assert [heading.get_text().rstrip("¶#") for heading in page.find_all("h2")][1:] == ["11. Which?"]
    rows = [[cell.get_text(" ", strip=True) for cell in row.find_all("td")] for row in page.select("tbody tr")]
    assert rows == [["8.1", "A step is a step . \\[x = y\\]", "this cell"], ["8.2", "A matrix.", "this cell"]]
    targets = [str(link["href"]) for link in page.select("tbody a")]
    assert targets[:2] == ["notebooks/08_newton.html#claim-8-1", "notebooks/08_newton.html#proof-8-1"]
    assert "This lesson proves nothing in symbols." in page.get_text()
    assert page.find("script", src=lambda src: bool(src) and "mathjax" in src) is not None


def test_a_claim_says_on_its_page_and_in_the_index_for_what_it_was_shown(book: Book) -> None:
    bounded = Claim("8.1", "A step.", "x = y", r"for the 2R, for all $t \in \mathbb R$")
    pages, warnings = book({"claims": CLAIMS_PAGE, "notebooks/08_newton": lesson("# How?", bounded, WIDE_STEP)})
    assert warnings == ""
    for page in (pages["notebooks/08_newton"], pages["claims"]):
        scopes = [scope.get_text() for scope in page.select(".claim-scope")]
        assert scopes == [r"for the 2R, for all \(t \in \mathbb R\)"]


@pytest.mark.parametrize(
    ("pages", "complaint"),
    [
        ({"notebooks/08_newton": lesson("# How?\n\nSee claim 8.7.", STEP)}, "no lesson proves claim 8.7"),
        (
            {"notebooks/08_newton": lesson("# How?", STEP, STEP)},
            "claim 8.1 is proven twice, first in notebooks/08_newton",
        ),
        (
            {"notebooks/08_newton": lesson("# How?", PRICE)},
            "claim 11.4 has the number of another lesson; those of this lesson begin with 8.",
        ),
        (
            {"exercises/08": lesson("# How?", STEP)},
            "claim 8.1 has the number of another lesson; only lessons prove claims",
        ),
    ],
    ids=["unknown", "twice", "number of another lesson", "outside a lesson"],
)
def test_a_wrong_number_is_a_warning(book: Book, pages: dict[str, nbformat.NotebookNode], complaint: str) -> None:
    assert complaint in book(pages)[1]


def test_the_list_of_lessons_shows_questions_and_slogans(book: Book) -> None:
    pages, _ = book({"notebooks/08_newton": lesson("# How does $q$ move?\n\n*Ask the error.*\n\nText."), "a": "# A"})
    entries = pages["index"].select(".lesson-list li")
    assert [entry.get_text(" ", strip=True) for entry in entries] == ["8 How does \\(q\\) move? Ask the error."]
    assert pages["index"].select_one(".lesson-part strong").get_text() == "Part"  # type: ignore[union-attr]


def test_the_first_use_of_a_word_is_linked_once(book: Book) -> None:
    prose = (
        "# What is a twist?\n\n*Twists.*\n\nTwo body\ntwists and a twist; `twist` $twist$, home, a twist again.\n\n"
        "| twist | Jacobian |\n|---|---|\n| screw axis | x |\n\n"
        "The left Jacobian and singularities; untwisted. *Newton-Raphson* and the Jacobian, [twist](#x)."
    )
    pages, _ = book({"glossary": GLOSSARY, "notebooks/03_twists": lesson(prose)})
    found = links(pages["notebooks/03_twists"], "std-term")
    assert [words.replace("\n", " ") for words, _ in found] == [
        "body twists",
        "twist",
        "singularities",
        "Newton-Raphson",
        "Jacobian",
    ]
    assert found[1][1] == "../glossary.html#term-twist"
    linked = pages["notebooks/03_twists"].select_one("a[href$='#term-twist']")
    assert linked is not None
    assert linked["title"] == "A velocity."
    jacobian = pages["notebooks/03_twists"].select_one("a[href$='#term-Jacobian']")
    assert jacobian is not None
    assert str(jacobian.previous_sibling).endswith("and the ")


def test_a_link_of_its_author_stays_when_it_is_the_first(book: Book) -> None:
    prose = "# Q\n\nA {term}`twist`. A twist. {term}`home`.\n\nA singularity; two {term}`singularities <singularity>`."
    pages, warnings = book({"glossary": GLOSSARY, "notebooks/03_twists": lesson(prose)})
    assert warnings == ""
    words = [words for words, _ in links(pages["notebooks/03_twists"], "std-term")]
    assert words == ["twist", "home", "singularity"]
    assert "two singularities." in pages["notebooks/03_twists"].get_text()


def test_the_glossary_says_where_a_word_comes_first(book: Book) -> None:
    lessons = {"notebooks/03_a": lesson("# A\n\nA twist."), "notebooks/11_b": lesson("# B\n\nTwists, {term}`home`.")}
    pages, _ = book({"glossary": GLOSSARY, **lessons})
    told = {
        dt.get_text().rstrip("¶#"): dt.find_next_sibling("dd").find(class_="first-lesson")  # type: ignore[union-attr]
        for dt in pages["glossary"].find_all("dt")
    }
    assert {word: place.get_text() for word, place in told.items() if place} == {
        "twist": "First in lesson 3",
        "home": "First in lesson 11",
    }


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("twists, Twist's twist-like", ["twist", "twist"]),
        ("a body twist", ["body twist"]),
        ("screw axes", ["screw axis"]),
        ("right Jacobian", []),
        ("Newton-Raphson methods", ["Newton-Raphson method"]),
        ("jacobian", []),
    ],
)
def test_words_are_found_whole_and_in_the_plural(text: str, terms: list[str]) -> None:
    words = glossary_words.Words(["twist", "body twist", "screw axis", "Jacobian", "Newton-Raphson method", "home"])
    assert [term for term, *_ in words.find(text)] == terms


def test_words_that_are_not_looked_for_have_a_reason_and_are_in_the_glossary() -> None:
    glossary = (ROOT / "book" / "glossary.md").read_text(encoding="utf8").splitlines()
    for word, reason in glossary_words.PLAIN_ENGLISH.items():
        assert word in glossary
        assert len(reason.split()) > 3


def test_outputs_that_are_not_compared_are_counted_by_their_reason(book: Book) -> None:
    outputs = [nbformat.v4.new_output("stream", text="1")]
    cells = [nbformat.v4.new_code_cell("x = 1", id="silent"), nbformat.v4.new_code_cell("x", id="a", outputs=outputs)]
    for reason in ("clock", "clock", "last-bit"):
        metadata = {"tags": [reason, "nbval-ignore-output"]}
        cells.append(nbformat.v4.new_code_cell("x", id=f"c{len(cells)}", outputs=outputs, metadata=metadata))
    how = lesson("# How?")
    how.cells += cells
    told = " ".join(f"{{stored}}`{name}`" for name in ("cells", "compared", "ignored", "clock", "last-bit"))
    pages, warnings = book({"told": f"# Told\n\n{told}.", "notebooks/08_newton": how})
    assert warnings == ""
    assert "4 1 3 2 1." in pages["told"].get_text()


def test_a_number_that_nobody_counts_is_refused(book: Book) -> None:
    with pytest.raises(ValueError, match="{stored}`pictures` counts nothing; there are cells, compared,"):
        book({"told": "# Told\n\n{stored}`pictures`."})


RACE: dict[str, object] = {
    "name": "race",
    "claim": "who is first",
    "date": "2026-11-22",
    "machine": {"processor": "A processor", "cores": 2, "system": "Linux x86_64"},
    "versions": {"python": "3.11.7"},
    "settings": {},
    "columns": {"solver": "solver", "threads": "threads", "median": "median µs"},
    "rows": [
        {"solver": "ours", "threads": 2, "median": 3.8801},
        {"solver": "theirs, in C++", "threads": 1, "median": 12200.0},
    ],
    "missing": {},
    "notes": [],
    "series": {},
}


def test_a_measured_number_comes_out_of_its_file(book: Book, tmp_path: Path) -> None:
    (tmp_path / "race.json").write_text(json.dumps(RACE), encoding="utf8")
    told = (
        "# Told\n\n| who | µs |\n|---|--:|\n| we | {measured}`race solver=ours threads=2 median` |\n\n"
        'They: {measured}`race solver="theirs, in C++" median`. {measured}`race`'
    )
    pages, warnings = book({"told": told}, measured_folder=str(tmp_path))
    assert warnings == ""
    assert [cell.get_text() for cell in pages["told"].select("td")] == ["we", "3.88"]
    assert "They: 12,200. Measured on 22 November 2026: A processor, 2 cores" in pages["told"].get_text()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("run solver=ours median", "{measured}`run .*cannot read .*run.json"),
        ("race solver=nobody median", "{measured}`race .*no row with {'solver': 'nobody'}"),
        ("race solver=ours mean", "{measured}`race .*no column 'mean'"),
        ("race median", "{measured}`race median`.*2 rows"),
        ("race ours median", "{measured}`race ours"),
    ],
)
def test_a_number_that_was_not_measured_is_refused(book: Book, tmp_path: Path, words: str, message: str) -> None:
    (tmp_path / "race.json").write_text(json.dumps(RACE), encoding="utf8")
    with pytest.raises(ExtensionError, match=message):
        book({"told": f"# Told\n\n{{measured}}`{words}`."}, measured_folder=str(tmp_path))


STEP_ASKED = """:::{admonition} One step leaves 0.1 mm of 10 mm, as $e_{k+1} = C e_k^2$. What does the next one leave?
:class: dropdown predict
:name: predict-08-step

- [ ] 1 µm — Again a hundredth.
- [x] 10 nm — It is $C \\cdot 0.1^2$, says claim 8.1, and no twist.
:::
"""
LENGTH_ASKED = """:::{admonition} How long is it?
:class: dropdown predict
:name: predict-08-length

- [x] = −0.5 ± 0.01 m/s — The half.
- [ ] = 1 ± 0.02 m/s — The whole.
:::
"""


def asked(book: Book, *questions: str) -> BeautifulSoup:
    """The page of a lesson that asks."""
    pages = {"glossary": GLOSSARY, "notebooks/08_newton": lesson("\n".join(["# How?", "", *questions]), STEP)}
    html, complaints = book(pages)
    assert complaints == ""
    return html["notebooks/08_newton"]


def test_a_question_is_a_form_with_its_answers_behind_it(book: Book) -> None:
    page = asked(book, STEP_ASKED, LENGTH_ASKED)
    step, length = page.select(".predict")
    assert [step["id"], length["id"]] == ["predict-08-step", "predict-08-length"]
    choices = [label.get_text().strip() for label in step.select("label")]
    assert choices == ["1 µm", "10 nm"]
    assert {field["type"] for field in step.select("input")} == {"radio"}
    answers = step.select("details .predict-answer")
    assert ["predict-right" in answer["class"] for answer in answers] == [False, True]
    assert answers[0].get_text().strip() == "Wrong: 1 µm — Again a hundredth."
    assert step.select(".predict-asks span.math") and answers[1].select(".predict-reason span.math")
    assert step.select("a") == []  # a word in a label is no link
    assert "aria-label" not in step.select("input")[0].attrs
    assert [str(given["data-value"]) for given in length.select(".predict-answer")] == ["-0.5", "1.0"]
    assert "m/s" in length.select("label")[0].get_text()
    assert length.select(".predict-answer")[0].get_text().strip() == "Right: −0.5 m/s — The half."
    assert not page.select(".admonition")
    scripts = [str(script.get("src")) for script in page.select("script")]
    assert any("predict.js" in script for script in scripts)


def test_where_more_than_one_choice_is_right_several_are_chosen(book: Book) -> None:
    several = STEP_ASKED.replace("- [ ] 1 µm", r"- [x] $\mathrm{Ad}_{T_{sb}}\,\lambda^2$ — So." + "\n- [ ] 1 µm")
    (question,) = asked(book, several).select(".predict")
    assert [str(field["type"]) for field in question.select("input")] == ["checkbox"] * 3
    assert question.select("input")[0]["aria-label"] == "Ad_T_sb lambda ^2"  # a formula is drawn, and has no text


PLACE_ASKED = """:::{admonition} Put the target where one posture is left.
:class: dropdown predict
:name: predict-08-place

- figure: `length = 0.6; error = pose, body frame`; move `x = −1`
- [ ] in a range of `x` `x > −0.5; x < 2; y = 1 ± 0.25` — Two.
- [x] at $x = 2$ `x > 2` — One.
- [ ] anywhere else — None.
:::
"""


def test_a_place_is_asked_for_in_the_figure_and_told_in_words(book: Book) -> None:
    (question,) = asked(book, PLACE_ASKED).select(".predict")
    form = question.select("form")[0]
    assert json.loads(str(form["data-held"])) == {"length": 0.6, "error": "pose, body frame"}
    assert json.loads(str(form["data-moved"])) == {"x": -1}
    answers = question.select("details .predict-answer")
    ends = [json.loads(str(answer["data-where"])) if "data-where" in answer.attrs else None for answer in answers]
    assert ends == [{"x": [-0.5, 2], "y": [0.75, 1.25]}, {"x": [2, None]}, None]
    words = [answer.get_text().strip() for answer in answers]
    assert words[0] == "Wrong: in a range of x — Two." and words[2] == "Wrong: anywhere else — None."
    assert [str(button["type"]) for button in form.select("button[hidden]")] == ["button", "submit", "button"]
    assert not question.select("form .predict-figure") and len(question.select(".predict-figure")) == 1


@pytest.mark.parametrize(
    ("right", "wrong", "message"),
    [
        ("; move `x = −1`", "", "is not ``figure:"),
        ("x = −1", "x −1", "is not `name = value; name = value`"),
        ("`x > 2`", "`x ≥ 2`", "'x ≥ 2' is not `fact = value ± tolerance`"),
        ("`x > 2`", "`x > two`", "'two' is no number"),
        (" `x > 2`", "", "every choice of a place but the last says where"),
        ("anywhere else", "anywhere else `x < 0`", "every choice of a place but the last says where"),
    ],
)
def test_a_place_that_is_not_complete_is_refused(book: Book, right: str, wrong: str, message: str) -> None:
    assert right in PLACE_ASKED
    with pytest.raises(ExtensionError, match=message):
        asked(book, PLACE_ASKED.replace(right, wrong))


@pytest.mark.parametrize(
    ("right", "wrong", "message"),
    [
        ("- [x] 10 nm", "- [ ] 10 nm", "of 2 choices 0 are right"),
        ("- [ ] 1 µm", "- [x] 1 µm", "of 2 choices 2 are right"),
        (" — Again a hundredth.", "", "is not `\\[ \\] a choice — its reason`"),
        ("- [ ] 1 µm", "- 1 µm", "is not `\\[ \\] a choice — its reason`"),
        (":name: predict-08-step\n", "", "is not a name and one list of choices"),
        ("- [ ] 1 µm", "A hint.\n\n- [ ] 1 µm", "is not a name and one list of choices"),
    ],
)
def test_a_question_that_is_not_complete_is_refused(book: Book, right: str, wrong: str, message: str) -> None:
    assert right in STEP_ASKED
    with pytest.raises(ExtensionError, match=message):
        asked(book, STEP_ASKED.replace(right, wrong))


@pytest.mark.parametrize(
    ("right", "wrong", "message"),
    [
        ("= 1 ± 0.02 m/s", "= 1 ± 0.02 m", "one right answer, and one unit"),
        ("- [ ] = 1", "- [ ] about = 1", "or none"),
        ("= 1 ± 0.02 m/s", "= −0.48 ± 0.02 m/s", "one number would fit two"),
    ],
)
def test_numbers_that_cannot_be_told_apart_are_refused(book: Book, right: str, wrong: str, message: str) -> None:
    assert right in LENGTH_ASKED
    with pytest.raises(ExtensionError, match=message):
        asked(book, LENGTH_ASKED.replace(right, wrong))


FUZZ_TEST = """
from a_library_that_is_not_here import judge

QUESTION = "Is every `pose` reached | where it can be, $x < y$?"
JUDGE = "a library " "of others"
UNIT = "poses"
CASES = 20

def fuzz(cases, seed, tally):
    judge(cases)
"""
RESULT = {
    "part": 1.0,
    "seed": 12,
    "date": "2026-11-22",
    "machine": {"processor": "A processor", "cores": 2, "system": "Linux x86_64"},
    "tried": 12345,
    "failures": [],
    "worst": {"position error [m]": 3.21e-12, "restarts": 31.0},
}
FUZZ_PAGE = "# Tried?\n\n```{fuzz-table}\n```\n"


def tried(book: Book, folder: Path, results: dict[str, dict[str, object] | None]) -> tuple[list[list[str]], str]:
    """The table's cells, row by row without the heading, and all that stands on the page."""
    (folder / "results").mkdir(parents=True)
    (folder / "tally.py").write_text('"""No fuzz test."""\nQUESTION = "?"\n', encoding="utf8")
    for name, result in results.items():
        (folder / f"{name}.py").write_text(FUZZ_TEST, encoding="utf8")
        if result is not None:
            (folder / "results" / f"{name}.json").write_text(json.dumps(result), encoding="utf8")
    pages, warnings = book({"tried": FUZZ_PAGE}, fuzz_folder=str(folder))
    assert warnings == ""
    rows = [[cell.get_text(" ", strip=True) for cell in row.find_all("td")] for row in pages["tried"].find_all("tr")]
    body = pages["tried"].find(class_="body")
    assert isinstance(body, Tag)
    return rows[1:], body.get_text(" ", strip=True)


def test_the_table_shows_every_fuzz_test_with_its_last_run(book: Book, tmp_path: Path) -> None:
    rows, text = tried(book, tmp_path / "fuzz", {"alone": RESULT, "later": None, "part": RESULT | {"part": 0.1}})
    question = "Is every pose reached | where it can be, \\(x < y\\) ? Judge: a library of others"
    assert rows == [
        [
            f"{question} alone",
            "12,345 poses",
            "0",
            "position error\N{NO-BREAK SPACE}[m]: 3.2·10⁻¹² restarts: 31",
            "2026-11-22 seed 12",
        ],
        [f"{question} later", "not run", "–", "–", "–"],
        [
            f"{question} part",
            "12,345 poses",
            "0",
            "position error\N{NO-BREAK SPACE}[m]: 3.2·10⁻¹² restarts: 31",
            "2026-11-22 seed 12 a part of 0.1",
        ],
    ]
    assert "Run on: A processor, 2 cores, Linux x86_64." in text
    assert "What failed" not in text


def test_what_failed_is_told_with_the_command_that_runs_it_alone(book: Book, tmp_path: Path) -> None:
    failures = [{"case": case, "what": f"{case} *is* not 0"} for case in range(1, 9)]
    rows, text = tried(book, tmp_path / "fuzz", {"alone": RESULT | {"failures": failures}})
    assert rows[0][2] == "8"
    assert "What failed: python -m tools.fuzz alone --seed 12 --case 1 : 1 *is* not 0 python -m" in text
    assert "--case 5 : 5 *is* not 0" in text
    assert "--case 6" not in text


def test_a_fuzz_test_that_does_not_say_what_it_asks_is_refused(book: Book, tmp_path: Path) -> None:
    (tmp_path / "silent.py").write_text("QUESTION = '?'\n\ndef fuzz(cases, seed, tally):\n    pass\n", encoding="utf8")
    with pytest.raises(ExtensionError, match=r"silent\.py has no JUDGE and no UNIT"):
        book({"tried": FUZZ_PAGE}, fuzz_folder=str(tmp_path))


def test_without_a_result_or_a_fuzz_test_the_page_says_so(book: Book, tmp_path: Path) -> None:
    rows, text = tried(book, tmp_path / "fuzz", {"later": None})
    assert rows[0][1] == "not run"
    assert "No fuzz test has been run yet." in text
    rows, text = tried(book, tmp_path / "other", {})
    assert rows == []
    assert "No fuzz test has been run yet." in text


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (0.0, "0"),
        (0.00123, "0.0012"),
        (31.4, "31"),
        (4321.0, "4,321"),
        (9.99e-10, "1.0·10⁻⁹"),
        (2.5e7, "2.5·10⁷"),
        (-2.5e-7, "-2.5·10⁻⁷"),
        (float("inf"), "not finite"),
    ],
)
def test_measured_values_are_short(value: float, said: str) -> None:
    assert fuzz_table.number(value) == said


PROVENANCE_PAGE = (
    "# From where?\n\n```{provenance} derived\n```\n\n```{provenance} by-hand\n```\n\n```{provenance} around\n```\n"
)
TEXT = File("lie/logarithm.py", "The choice of branch.", "it chooses", ("tests/lie/test_log.py",))
NEWTON = Formula("steps.newton", ("8.1", *(f"8.{i}" for i in range(3, 11))), ())
TRIED = Formula("steps.tried", (), ("tests/symbolic/test_steps.py",))
FOUND = Table(
    (
        Derived("step_kernel", "A step.", (NEWTON, TRIED), ("0123456789ab",), None, ("solve", "trace")),
        Derived("log_kernel", "A logarithm.", (TRIED,), (), TEXT, ("solve", "solve_batch", "trace", "solve_ik")),
    ),
    (ByHand(TEXT, ("log_kernel", "near_pi"), ("solve",)),),
    (Around(File("pose_ik/one_pose.py", "Solve one pose.", "", ()), ("solve",)),),
    (),
)


def traced(book: Book, monkeypatch: pytest.MonkeyPatch, *faults: str) -> tuple[list[Tag], str]:
    """Build a page with the three tables, and return their rows and the warnings."""
    monkeypatch.setattr(provenance_table, "found", lambda: (FOUND, faults))
    claims = [STEP, *(Claim(number, "More.", "x = y") for number in NEWTON.claims[1:])]
    pages, warnings = book({"notebooks/08_newton": lesson("# How?\n\nSo.", *claims), "from_where": PROVENANCE_PAGE})
    return pages["from_where"].select("table.provenance-table tbody tr"), warnings


def test_what_was_derived_links_its_lesson_and_its_claims(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    (step, log, text, python), warnings = traced(book, monkeypatch)
    assert warnings == ""
    said = " ".join(step.get_text(" ").split())
    assert said.startswith("step_kernel A step. expression 0123456789ab steps.newton lesson 8 , claims 8.1 , 8.3 ,")
    assert "8.7 and 3 more steps.tried tried in test_steps.py solve , trace" in said
    addresses = [str(link["href"]) for link in step.select("a")]
    assert addresses[:2] == ["notebooks/08_newton.html", "notebooks/08_newton.html#claim-8-1"]
    assert " ".join(log.get_text(" ").split()).startswith("log_kernel A logarithm. in text of lie/logarithm.py")
    assert " ".join(log.get_text(" ").split()).endswith("all four")
    assert " ".join(text.get_text(" ").split()).endswith("log_kernel , near_pi It chooses. lie/test_log.py solve")
    assert " ".join(python.get_text(" ").split()) == "pose_ik/one_pose.py Solve one pose. solve"


def test_what_has_no_account_fails_the_build(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    _, warnings = traced(book, monkeypatch, "mystery has no account: give it one")
    assert "WARNING: mystery has no account: give it one" in warnings


def test_there_are_three_tables(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(provenance_table, "found", lambda: (FOUND, ()))
    _, warnings = book({"from_where": "# From where?\n\n```{provenance} nowhere\n```\n"})
    assert "there is no table 'nowhere'" in warnings


def test_a_room_stands_under_its_headings_and_what_has_no_place_is_named(book: Book) -> None:
    room = "# Room\n\n```{api} provenance\nWhat runs: running rows\nFaults: evidence complaints\n```\n"
    pages, warnings = book({"room": room}, napoleon_use_ivar=True, python_maximum_signature_line_length=20)
    assert warnings == ""
    first, second = pages["room"].select("section section")
    assert [name.get_text() for name in first.select("p.api-names a")] == ["running", "table", "Table"]
    assert {str(sign["id"]) for sign in second.select("dt.sig[id]")} >= {
        "lessons_lib.provenance.Evidence",
        "lessons_lib.provenance.faults",
    }
    arguments = first.find(id="lessons_lib.provenance.table").select(".sig-line")
    assert [line.get_text(strip=True) for line in arguments] == ["found:Mapping[str,Running],", "evidence:Evidence,"]
    assert not pages["room"].select("dt dl")  # a list without terms, over which axe complains


def test_a_name_without_a_heading_fails_the_build(book: Book) -> None:
    _, warnings = book({"room": "# Room\n\n```{api} provenance\nWhat runs: running rows\n```\n"})
    assert "no line says where provenance.Evidence stands" in warnings
    _, warnings = book({"room": "# Room\n\n```{api} provenance\nWhat runs: runing\n```\n"})
    assert "provenance has neither a module nor a name 'runing'" in warnings
