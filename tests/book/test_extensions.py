"""The book's extensions on two small books: one with all features, one with all faults."""

import gc
import io
import json
import weakref
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import nbformat
import provenance
import pytest
import syllabus
from bs4 import BeautifulSoup, Tag
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util.docutils import docutils_namespace, patch_docutils

from lessons_lib.claims.statement import Claim
from lessons_lib.codegen.provenance import Provenance

CONFIGURATION = {
    "extensions": "myst_nb sphinx_external_toc lessons claims claims_index glossary_links provenance computed_numbers "
    "predict api_reference".split(),
    "external_toc_path": "_toc.yml",
    "nb_execution_mode": "off",
    "nb_render_markdown_format": "myst",
    "myst_enable_extensions": ["attrs_inline", "colon_fence", "dollarmath"],
    "napoleon_use_ivar": True,
    "nitpicky": True,
    "python_maximum_signature_line_length": 20,
    "html_theme": "basic",
}


def lesson(prose, *claims):
    """A lesson with a statement and a proven claim."""
    cells = [nbformat.v4.new_markdown_cell(prose, id="prose")]
    for count, claim in enumerate(claims):
        data = {"text/markdown": claim._repr_markdown_(), "text/plain": repr(claim)}
        output = nbformat.v4.new_output("execute_result", data, execution_count=count)
        code = f"claim({claim.label!r})  # claim {claim.label}"
        tags = {"tags": ["hide-input"]} if claim.proof else {}
        cell = nbformat.v4.new_code_cell(code, id=f"c{count}", outputs=[output], execution_count=count, metadata=tags)
        cells.append(cell)
    metadata = {"language_info": {"name": "python", "pygments_lexer": "python"}}
    return nbformat.v4.new_notebook(cells=cells, metadata=metadata)


def write(folder, name, page):
    path = folder / f"{name}.{'md' if isinstance(page, str) else 'ipynb'}"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(page if isinstance(page, str) else nbformat.writes(page), encoding="utf8")


def _no_proxies():
    return [thing for thing in gc.get_objects() if type(thing) not in weakref.ProxyTypes]


@contextmanager
def build_pages(folder, pages, **configuration):
    """Build pages such as `notebooks/08_newton`; return the application and all warnings."""
    source, log = folder / "source", io.StringIO()
    for name, page in pages.items():
        write(source, name, page)
    write(source, "index", "# A course\n\n```{lesson-list}\n```\n")
    chapters = "".join(f"      - file: {name}\n" for name in sorted(pages))
    toc = f"format: jb-book\nroot: index\nparts:\n  - caption: Part\n    chapters:\n{chapters}"
    (source / "_toc.yml").write_text(toc, encoding="utf8")
    with pytest.MonkeyPatch.context() as patch, patch_docutils(), docutils_namespace():
        # sphinx_external_toc asks every object in memory for its type, and stumbles over the dead proxies of others
        patch.setattr("sphinx_external_toc.collectors.gc", SimpleNamespace(get_objects=_no_proxies))
        out, trees, configured = folder / "out", folder / "doctrees", CONFIGURATION | configuration
        app = Sphinx(source, None, out, trees, "html", configured, status=None, warning=log)
        app.build()
        yield app, log.getvalue()


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
TWISTS = """# What is a twist?

*Twists.*

Two body
twists and a twist; `twist` $twist$, home, a twist again.

| twist | Jacobian |
|---|---|
| screw axis | x |

The left Jacobian and singularities; untwisted. *Newton-Raphson* and the Jacobian, [twist](https://example.org).
"""
LINKED = "# Q\n\nA {term}`twist`. A twist. {term}`home`.\n\nA singularity; two {term}`singularities <singularity>`."
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
SEVERAL_ASKED = """:::{admonition} Which hold?
:class: dropdown predict
:name: predict-08-several

- [x] $\\mathrm{Ad}_{T_{sb}}\\,\\lambda^2$ — So.
- [ ] 1 µm — Again a hundredth.
- [x] 10 nm — And so.
:::
"""
PLACE_ASKED = """:::{admonition} Put the target where one posture is left.
:class: dropdown predict
:name: predict-08-place

- figure: `length = 0.6; error = pose, body frame`; move `x = −1`
- [ ] in a range of `x` `x > −0.5; x < 2; y = 1 ± 0.25` — Two.
- [x] at $x = 2$ `x > 2` — One.
- [ ] anywhere else — None.
:::
"""
NEWTON_SAYS = f"""# How does $q$ move?

*Ask the error.*

{STEP_ASKED}
{LENGTH_ASKED}
{SEVERAL_ASKED}
{PLACE_ASKED}"""
LINES = "$x$\n\n$\\quad = z$ *claim 8.2*\n\n$\\quad = y$"
STEP = Claim("8.1", "A step is a *step*.", "x = y", proof=LINES, checked="the same.")
WIDE_STEP = Claim("8.2", "A matrix.", r"x = \begin{bmatrix} 1 \\ 2 \end{bmatrix}")
BOUNDED = Claim("8.3", "A step.", "x = y", r"for the 2R, for all $t \in \mathbb R$", checked="zero.")
MORE = [Claim(f"8.{i}", "More.", "x = y") for i in range(4, 11)]
PRICE = Claim("11.4", "No error is multiplied by more than 1/(2λ).", "x < y")
MENTIONS = "# Which?\n\n*Slogan.*\n\nBy claim 8.1, and claims 11.4, 8.1 and 8.2. Not `claim 8.1`.\n\n## Claim 8.1"
KERNELS = {
    "step_kernel": Provenance("A step.", ("steps.newton", "steps.tried"), "0123456789ab"),
    "log_kernel": Provenance("A logarithm.", ("steps.tried",)),
}
CLAIMS = {"steps.newton": [(8, 1), *((8, i) for i in range(3, 11))]}
PACKAGE_PAGE = "# Package\n\n```{api} codegen\nPrinted: printers kernel\nTold: provenance\n```\n"
COUNTS = ("cells", "compared", "ignored", "clock", "last-bit")
RACE = {
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
TOLD = (
    "# Told\n\n| who | µs |\n|---|--:|\n| we | {measured}`race solver=ours threads=2 median` |\n\n"
    'They: {measured}`race solver="theirs, in C++" median`. {measured}`race`\n\n'
    "```{measured-table} race threads=1\nsolver: who\nmedian: median, µs\n```\n"
)


def lesson_with_outputs():
    """A lesson with one compared output and three others."""
    outputs = [nbformat.v4.new_output("stream", text="1")]
    cells = [nbformat.v4.new_code_cell("x = 1", id="silent"), nbformat.v4.new_code_cell("x", id="a", outputs=outputs)]
    for reason in ("clock", "clock", "last-bit"):
        metadata = {"tags": [reason, "nbval-ignore-output"]}
        cells.append(nbformat.v4.new_code_cell("x", id=f"c{len(cells)}", outputs=outputs, metadata=metadata))
    how = lesson("# How much?")
    how.cells += cells
    return how


def measured_folder(place):
    """A folder with the results of one benchmark."""
    place.mkdir(parents=True)
    (place / "race.json").write_text(json.dumps(RACE), encoding="utf8")
    return place


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """The pages of a book without faults."""
    folder = tmp_path_factory.mktemp("good")
    sources = {
        "claims": "# Claims\n\n```{claims-index}\n```\n",
        "from_where": "# From where?\n\n```{provenance}\n```\n",
        "glossary": GLOSSARY,
        "notebooks/03_twists": lesson(TWISTS),
        "notebooks/04_linked": lesson(LINKED),
        "notebooks/08_newton": lesson(NEWTON_SAYS, WIDE_STEP, STEP, BOUNDED, *MORE),
        "notebooks/11_which": lesson(MENTIONS, PRICE),
        "notebooks/12_counted": lesson_with_outputs(),
        "room": PACKAGE_PAGE,
        "stored": f"# Stored\n\n{' '.join(f'{{stored}}`{name}`' for name in COUNTS)}.",
        "told": TOLD,
    }
    folders = {"measured_folder": str(measured_folder(folder / "measured"))}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(provenance, "loaded_kernels", lambda: KERNELS)
        patch.setattr(provenance, "claims_by_formula", lambda: CLAIMS)
        with build_pages(folder, sources, **folders) as (app, warnings):
            assert warnings == ""
            texts = {name: (Path(app.outdir) / f"{name}.html").read_text("utf8") for name in ("index", *sources)}
    return {name: BeautifulSoup(text, "html.parser") for name, text in texts.items()}


@pytest.fixture(scope="module")
def faulty(tmp_path_factory, pages):
    """The application and the log of a book with one fault of each kind, which can read more pages.

    It starts after the other book is done, because docutils registers the roles of one application at a time.
    """
    folder = tmp_path_factory.mktemp("faulty")
    sources = {
        "exercises/08": lesson("# How?", BOUNDED),
        "notebooks/08_newton": lesson("# How?\n\nSee claim 8.77.", STEP, STEP, PRICE, *MORE),
        "more": "# More\n",
        "room": "# Package\n\n```{api} codegen\nPrinted: printers kernel\n```\n",
        "typo": "# Package\n\n```{api} codegen\nPrinted: kernl\n```\n",
    }
    with build_pages(folder, sources, measured_folder=str(measured_folder(folder / "measured"))) as found:
        yield found


@pytest.fixture(scope="module")
def reading(faulty):
    """Reads one more page."""
    app, _ = faulty

    def read(text):
        write(Path(app.srcdir), "more", text)
        app.builder.read_doc("more")

    return read


def links(page, name):
    """The words and the addresses of the links of one kind."""
    found = [(span.get_text(), span.parent) for span in page.select(f"a > .{name}")]
    return [(words, str(parent["href"])) for words, parent in found if isinstance(parent, Tag)]


@pytest.mark.parametrize(
    "complaint",
    [
        "undefined label: 'claim-8-77'",
        "claim 8.1 is proven twice, first in notebooks/08_newton",
        "claim 11.4 has the number of another lesson; those of this lesson begin with 8.",
        "claim 8.3 has the number of another lesson; only lessons prove claims",
        "no line lists codegen.provenance_of: add its name, or its module, to one",
        "codegen has neither a module nor a name 'kernl'",
    ],
)
def test_a_fault_is_a_warning_which_fails_the_build(faulty, complaint):
    assert complaint in faulty[1]


def test_a_claim_is_boxed_and_every_mention_of_it_is_a_link(pages):
    newton, which = pages["notebooks/08_newton"], pages["notebooks/11_which"]
    box = newton.find(id="claim-8-1")
    assert isinstance(box, Tag)
    assert box["class"] == ["claim", "docutils", "container"]
    assert box.get_text(" ", strip=True).startswith("Claim 8.1. A step is a step .")
    assert box.get_text(" ", strip=True).endswith("✓ proven")
    cell = newton.find(id="proof-8-2")
    assert isinstance(cell, Tag)
    assert "claim('8.2')" in cell.get_text()
    step, matrix, price = "08_newton.html#claim-8-1", "08_newton.html#claim-8-2", "#claim-11-4"
    assert links(which, "std-ref") == [("claim\xa08.1", step), ("11.4", price), ("8.1", step), ("8.2", matrix)]


def test_the_fold_of_a_claim_shows_the_lines_of_its_proof_above_the_code(pages):
    newton = pages["notebooks/08_newton"]
    lines = newton.find(id="proof-8-1")  # a browser opens the fold around it
    assert isinstance(lines, Tag)
    fold = lines.find_parent("details")
    assert isinstance(fold, Tag)
    shown = [line.get_text() for line in lines.find_all("p")]
    assert shown == [r"\(x\)", "\\(\\quad = z\\) claim\xa08.2", r"\(\quad = y\)", "Checked with SymPy: the same."]
    assert links(BeautifulSoup(str(lines), "html.parser"), "std-ref") == [("claim\xa08.2", "#claim-8-2")]
    assert fold.get_text().index("Checked with SymPy") < fold.get_text().index("claim('8.1')")
    assert [place.find_parent("details") is None for place in newton.select(".proof-lines")] == [False, True]
    assert not newton.select(".claim .proof-lines")
    assert "<summary>Proof</summary>" not in str(newton)


def test_the_list_of_lessons_shows_questions_and_slogans(pages):
    entries = pages["index"].select(".lesson-list li")
    durations = {}
    for number in (3, 4, 8, 11, 12):
        hours, minutes = divmod(sum(syllabus.syllabus()[number].minutes), 60)
        durations[number] = f"{hours} h {minutes:02} min"
    assert [entry.get_text(" ", strip=True) for entry in entries] == [
        f"3 What is a twist? core {durations[3]} Twists.",
        f"4 Q core {durations[4]}",
        f"8 How does \\(q\\) move? core {durations[8]} Ask the error.",
        f"11 Which? core {durations[11]} Slogan.",
        f"12 How much? {durations[12]}, needs 10 and 11",
    ]
    assert pages["index"].select_one(".lesson-part strong").get_text() == "Part"


def test_the_first_use_of_a_word_is_linked_once(pages):
    page = pages["notebooks/03_twists"]
    found = [(words.replace("\n", " "), address) for words, address in links(page, "std-term")]
    assert [words for words, _ in found] == ["body twists", "twist", "singularities", "Newton-Raphson", "Jacobian"]
    assert found[1][1] == "../glossary.html#term-twist"
    linked = page.select_one("a[href$='#term-twist']")
    assert linked is not None
    assert linked["title"] == "A velocity."
    jacobian = page.select_one("a[href$='#term-Jacobian']")
    assert jacobian is not None
    assert str(jacobian.previous_sibling).endswith("and the ")


def test_the_glossary_links_the_first_lesson_of_each_word(pages):
    told = {
        dt.get_text().rstrip("¶#"): dt.find_next_sibling("dd").find(class_="first-lesson")
        for dt in pages["glossary"].find_all("dt")
    }
    in_3 = ("body twist", "Jacobian", "Newton-Raphson method", "singularity", "twist")
    expected = dict.fromkeys(in_3, "First in lesson 3") | {"home": "First in lesson 4"}
    assert {word: place.get_text() for word, place in told.items() if place} == expected


def test_outputs_that_are_not_compared_are_counted_by_their_reason(pages):
    claims = 11  # each is an output that is compared
    assert f"{claims + 4} {claims + 1} 3 2 1." in pages["stored"].get_text()


def test_a_measured_number_comes_out_of_its_file(pages):
    first, second = pages["told"].select("table")
    assert [cell.get_text() for cell in first.select("td")] == ["we", "3.88"]
    assert [cell.get_text() for cell in second.select("th, td")] == ["who", "median, µs", "theirs, in C++", "12,200"]
    assert "They: 12,200. Measured on 22 November 2026: A processor, 2 cores" in pages["told"].get_text()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("run solver=ours median", "{measured}`run .*cannot read .*run.json"),
        ("race solver=nobody median", "{measured}`race .*no row has {'solver': 'nobody'}"),
        ("race solver=ours mean", "{measured}`race .*no column 'mean'"),
        ("race median", "{measured}`race median`.*one row, got 2"),
        ("race ours median", "{measured}`race ours"),
    ],
)
def test_a_number_that_was_not_measured_is_refused(reading, words, message):
    with pytest.raises(ExtensionError, match=message):
        reading(f"# Told\n\n{{measured}}`{words}`.")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("run\nsolver: who", "cannot read .*run.json"),
        ("race solver=nobody\nsolver: who", "no row has {'solver': 'nobody'}"),
        ("race\nmean: µs", "no column 'mean'"),
        ("race\nsolver", "{measured-table} race"),
    ],
)
def test_a_table_that_was_not_measured_is_refused(reading, words, message):
    with pytest.raises(ExtensionError, match=message):
        reading(f"# Told\n\n```{{measured-table}} {words}\n```")


def question(pages, name):
    found = pages["notebooks/08_newton"].find(id=f"predict-08-{name}")
    assert isinstance(found, Tag)
    return found


def test_a_question_is_a_form_with_its_answers_behind_it(pages):
    page, step, length = pages["notebooks/08_newton"], question(pages, "step"), question(pages, "length")
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
    assert not page.select(".admonition:not(.hide)")
    scripts = [str(script.get("src")) for script in page.select("script")]
    assert any("predict.js" in script for script in scripts)


def test_a_question_about_a_place_is_answered_in_the_figure(pages):
    place = question(pages, "place")
    form = place.select("form")[0]
    assert json.loads(str(form["data-held"])) == {"length": 0.6, "error": "pose, body frame"}
    assert json.loads(str(form["data-moved"])) == {"x": -1}
    answers = place.select("details .predict-answer")
    ends = [json.loads(str(answer["data-where"])) if "data-where" in answer.attrs else None for answer in answers]
    assert ends == [{"x": [-0.5, 2], "y": [0.75, 1.25]}, {"x": [2, None]}, None]
    words = [answer.get_text().strip() for answer in answers]
    assert words[0] == "Wrong: in a range of x — Two." and words[2] == "Wrong: anywhere else — None."
    assert [str(button["type"]) for button in form.select("button[hidden]")] == ["button", "submit", "button"]
    assert not place.select("form .predict-figure") and len(place.select(".predict-figure")) == 1


@pytest.mark.parametrize(
    ("asked", "right", "wrong", "message"),
    [
        (PLACE_ASKED, "; move `x = −1`", "", "is not ``figure:"),
        (PLACE_ASKED, "x = −1", "x −1", "is not `name = value; name = value`"),
        (PLACE_ASKED, "`x > 2`", "`x ≥ 2`", "'x ≥ 2' is not `fact = value ± tolerance`"),
        (PLACE_ASKED, " `x > 2`", "", "every choice of a place but the last says where"),
        (STEP_ASKED, "- [x] 10 nm", "- [ ] 10 nm", "of 2 choices 0 are right"),
        (STEP_ASKED, " — Again a hundredth.", "", "is not `\\[ \\] a choice — its reason`"),
        (STEP_ASKED, ":name: predict-08-step\n", "", "must have a name and one list of choices"),
        (LENGTH_ASKED, "= 1 ± 0.02 m/s", "= 1 ± 0.02 m", "one right answer, and one unit"),
        (LENGTH_ASKED, "- [ ] = 1", "- [ ] about = 1", "or none"),
        (LENGTH_ASKED, "= 1 ± 0.02 m/s", "= −0.48 ± 0.02 m/s", "one number would fit two"),
    ],
)
def test_a_question_that_is_not_complete_is_refused(reading, asked, right, wrong, message):
    assert right in asked
    with pytest.raises(ExtensionError, match=message):
        reading(f"# How?\n\n{asked.replace(right, wrong)}")


def test_the_provenance_table_links_each_kernel_to_the_claims_about_its_formulas(pages):
    step, log = pages["from_where"].select("table.provenance-table tbody tr")
    text = " ".join(step.get_text(" ").split())
    assert text.startswith("step_kernel A step. expression 0123456789ab steps.newton : claims 8.1 , 8.3 ,")
    assert text.endswith("8.7 and 3 more steps.tried")
    assert [str(link["href"]) for link in step.select("a")][0] == "notebooks/08_newton.html#claim-8-1"
    assert " ".join(log.get_text(" ").split()) == "log_kernel A logarithm. steps.tried"
