"""Claims are checked in the page: the lines that a cell needs, the reported result, and a browser test."""

import builtins
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import in_page
import pytest
import sympy as sp
from browser import DESKTOP, PATIENCE, Witness
from check_here import student_claims
from claim_programs import names, program, runs_in_page, statements

ROOT = Path(__file__).resolve().parents[2]

LESSONS = sorted((ROOT / "notebooks").glob("*.ipynb"))
SECOND = ROOT / "notebooks" / "02_rotation_logarithm.ipynb"
HEAD = "**Claim "
TERMS = "from lessons_lib.claims import claim\nfrom lessons_lib.claims.terms import variable\nx = variable('x')"
SQUARE = 'claim("1.1", "Two squares.", (x + 1)**2, "=", x**2 + {} * x + 1)'


def claims_of(path):
    """Return the claims of a lesson: stored claim, lines that its cell needs, and the cell."""
    cells = [cell for cell in json.loads(path.read_text(encoding="utf8"))["cells"] if cell["cell_type"] == "code"]
    sources = ["".join(cell["source"]) for cell in cells]
    stored = ["".join(text for out in cell["outputs"] for text in markdown(out)) for cell in cells]
    return [(said, program(sources, i), sources[i]) for i, said in enumerate(stored) if said.startswith(HEAD)]


def markdown(output):
    return output.get("data", {}).get("text/markdown", [])


@pytest.fixture(scope="module")
def offered():
    """All claims with a button."""
    found = [claim for path in LESSONS for claim in claims_of(path)]
    kept = [claim for claim in found if runs_in_page(f"{claim[1]}\n{claim[2]}")]
    assert len(found) > 100
    assert len(found) - len(kept) < len(found) / 10  # those that state something of numeric code
    return kept


def test_the_program_of_a_cell_contains_everything_that_it_reads(offered):
    for said, above, cell in offered:
        lines = statements(f"{above}\n{cell}")
        known = set(dir(builtins)).union(*(names(line)[1] for line in lines))
        assert set().union(*(names(line)[0] for line in lines)) <= known, said.splitlines()[0]


EVERY_NINTH, ALL = pytest.param(9, marks=pytest.mark.check), pytest.param(1, marks=pytest.mark.release)


@pytest.mark.parametrize("stride", [EVERY_NINTH, ALL])
def test_a_claim_with_a_button_states_the_same_where_only_sympy_is(offered, stride):
    offered = offered[::stride]
    stubs = [("", told["program"], told["cell"]) for told in stubs_to_try()]
    told = "".join(json.dumps({"program": above, "cell": cell}) + "\n" for _, above, cell in offered + stubs)
    command = [sys.executable, str(Path(__file__).with_name("only_sympy.py"))]
    paths = os.pathsep.join([str(ROOT / "book" / "_ext"), os.environ["PYTHONPATH"]])
    environment = os.environ | {"PYTHONPATH": paths}
    done = subprocess.run(command, input=told, capture_output=True, text=True, check=True, cwd=ROOT, env=environment)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    pairs = [(said, answer) for (said, _, _), answer in zip(offered, answers, strict=False)]
    wrong = [(said, one) for said, one in pairs if one["tone"] != "proven" or f"$$\n{one['formula']}\n$$" not in said]
    other = [(said.splitlines()[0], one["verdict"]) for said, one in wrong]
    assert other == []
    assert {answer["verdict"] for answer in answers[len(offered) :]} == {"Nothing is stated yet."}
    assert len(answers) == len(offered) + len(stubs)


def stubs_to_try():
    """Return the data of the exercise pages for their stubs."""
    found = [raw.astext() for path in sorted(ROOT.glob("exercises/*/*.ipynb")) for _, raw in student_claims(path)]
    return [json.loads(text[text.index("{") : text.rindex("}") + 1]) for text in found]


def test_a_students_claim_is_checked_in_the_page():
    stubs = stubs_to_try()
    assert len(stubs) >= 5
    (told,) = [told for told in stubs if "def least_damping" in told["cell"]]
    assert "1 / (2 * g)" not in told["cell"], "the page tells the solution"

    def answer(formula):
        return in_page.check(told["program"], told["cell"].replace("raise NotImplementedError", f"return {formula}"))

    assert answer("1 / g")["scope"].startswith("At $g = ")
    assert answer("0.5 / g")["verdict"].startswith("Proven: It is positive. No gain is larger than g.")
    assert "you stated 1/g" in answer("1 / g")["why"]
    assert "your function raised NameError" in answer("1 / h")["why"]
    assert in_page.check(told["program"], told["cell"])["verdict"] == "Nothing is stated yet."


def test_only_lines_that_a_cell_needs_come_along():
    cells = [
        "import numpy as np\nfrom a import (\n    b,\n    c,\n)",
        "rows = [1]\nrows[0] += 1\nwaste = np.ones(3)",
        "def of(n):\n    return b(n, rows, late)\n\n\ntext = 'old'\nlate = 1",
        "text = 'new'\nof(text)",
    ]
    of = "def of(n):\n    return b(n, rows, late)"
    assert program(cells, 3) == f"from a import b\nrows = [1]\nrows[0] += 1\n{of}\nlate = 1"
    assert program(cells, 1) == "import numpy as np"
    assert runs_in_page("import math\nfrom lessons_lib.claims import claim\nfrom lessons_lib.symbolic import so3")
    for other in ("import numpy", "from lessons_lib import robots", "from lessons_lib.symbolical import x"):
        assert not runs_in_page(other)


@pytest.mark.parametrize(
    ("cell", "tone", "said"),
    [
        (SQUARE.format(2), "proven", "Claim 1.1 is proven."),
        (SQUARE.format(-2), "refused", "Refused. Claim 1.1 is false."),
        (SQUARE.format("y"), "open", "Line 1: name 'y' is not defined."),
        ("x +", "open", "Line 1 is not Python: invalid syntax."),
        ("x", "open", "The cell ran, but its last line states no claim."),
        ("", "open", "The cell ran, but its last line states no claim."),
        ("\n[][1]", "open", "Line 2: IndexError: list index out of range"),
    ],
)
def test_the_result_of_a_cell_is_described_in_words(cell, tone, said):
    answer = in_page.check(TERMS, cell)
    assert f"{answer['verdict']} {answer.get('why', '')}".startswith(said)
    assert answer["tone"] == tone


def test_a_counterexample_is_shown_in_formulas_with_the_sentence_that_it_refutes():
    answer = in_page.check(TERMS, SQUARE.format(-2))
    assert answer["sentence"] == "Two squares."
    found = re.fullmatch(r"At \$x = (.+)\$: left − right = \$(.+)\$\.", answer["scope"])
    assert found is not None
    x = sp.sympify(re.sub(r"\\frac\{(\d+)\}\{(\d+)\}", r"\1/\2", found[1]))
    assert abs(float(4 * x) - float(found[2])) < 1e-4


@pytest.mark.check
def test_a_claim_is_proven_and_refused_in_the_page(browser, built_book):
    """From a folder without a server, by keyboard, and with the prover loaded only on demand."""
    context = browser.new_context(viewport=DESKTOP)
    context.set_default_timeout(PATIENCE)
    page, witness = context.new_page(), Witness(built_book.as_uri())
    witness.watch(page)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto((built_book / "notebooks" / f"{SECOND.stem}.html").as_uri())
    page.wait_for_load_state("networkidle")
    claim = page.locator("#claim-2-1")
    said, cell = claim.locator(".check-said"), claim.locator("textarea")
    assert not [url for url in asked if "/proof-" in url]

    claim.get_by_role("button", name="Check it here").press("Enter")
    said.locator("strong").wait_for()
    assert said.locator("strong").inner_text() == "Claim 2.1 is proven."
    said.locator("mjx-container").first.wait_for()
    assert said.get_attribute("aria-live") == "polite"
    assert [url for url in asked if "/proof-" in url]

    source = cell.input_value()
    cell.fill(source.replace("cross(omega, p)", "-cross(omega, p)"))
    cell.press("Shift+Enter")
    refused = claim.locator(".check-said[data-tone=refused]")
    refused.locator("mjx-container").first.wait_for()
    assert "left − right =" in said.inner_text()
    assert cell.evaluate("cell => cell === document.activeElement"), "the focus stays in the cell"
    claim.get_by_role("button", name="Prove it").press("Enter")
    page.wait_for_function("document.activeElement.textContent === 'Prove it'")
    refused.wait_for()

    cell.fill(f"{source}\nwhile True: pass")
    cell.press("Shift+Enter")
    claim.get_by_role("button", name="Stop").press("Enter")
    assert said.inner_text() == "Stopped."
    assert page.evaluate("document.activeElement.textContent") == "Prove it"
    claim.get_by_role("button", name="Reset").click()
    assert cell.input_value() == source
    assert witness.faults == []
    context.close()
