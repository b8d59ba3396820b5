"""Submissions of all kinds to a small exercise of two tasks, in this process: code that passes at home passes here."""

import io
import json
from copy import deepcopy

import nbconvert
import nbformat
import pytest

from classroom.copies.exercises import strip_solutions
from classroom.grading.submission import (
    NOTED,
    ArrangeCells,
    FeedbackPage,
    about,
    cell_role,
    is_solution,
    python_source,
    read,
)
from classroom.grading.worker import Worker

pytestmark = pytest.mark.filterwarnings("ignore")  # nbgrader and the packages below it warn of their own future

SETUP = "import math\n\n\ndef half(x):\n    return x / 2"
FIRST = "    return half(x) ** 2"
SECOND = "    return SCALE * half(x)"
EXERCISE = {
    "setup": ("ours", SETUP),
    "first": ("solution", f"def first(x):\n    ### BEGIN SOLUTION\n{FIRST}\n    ### END SOLUTION"),
    "instruments": ("ours", "def check(mine, right):\n    assert mine == right, f'{mine} is not {right}'"),
    "check_first": ("check", "check(first(6), 9)\n### BEGIN HIDDEN TESTS\ncheck(first(8), 16)\n### END HIDDEN TESTS"),
    "scale": ("ours", "SCALE = 4"),
    "second": ("solution", f"def second(x):\n    ### BEGIN SOLUTION\n{SECOND}\n    ### END SOLUTION"),
    "check_second": ("check", "check(second(3), 6)"),
}
ANSWERS = {"first": f"def first(x):\n{FIRST}", "second": f"def second(x):\n{SECOND}"}
NAME = "tiny"
TOLD = {"nbgrader": {"student": "ada", "assignment": NAME, "notebook": NAME}}


def cell(name):
    """A cell of the exercise, as its author writes it."""
    kind, text = EXERCISE[name]
    noted = {"grade": kind == "check", "grade_id": name, "locked": kind != "solution", "solution": kind == "solution"}
    noted |= {"schema_version": 3, "task": False} | ({"points": 1} if kind == "check" else {})
    return nbformat.v4.new_code_cell(text, metadata={"nbgrader": noted})


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    found = tmp_path_factory.mktemp("exercises")
    (found / NAME).mkdir()
    cells = [nbformat.v4.new_markdown_cell("# Two tasks"), *map(cell, EXERCISE)]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), found / NAME / f"{NAME}.ipynb")
    return found


def notebook(**answers):
    """A student's notebook: the released copy with right answers, except for the given ones; None leaves the stub."""
    raw = {"cells": [dict(cell(name)) for name in EXERCISE], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    cells = [nbformat.from_dict(one | {"source": "".join(one["source"])}) for one in strip_solutions(raw)["cells"]]
    for one in cells:
        name = about(one)["grade_id"]
        one.source = (ANSWERS | answers).get(name) or one.source
    return cells


def own(text):
    return nbformat.v4.new_code_cell(text)


def change(one, **parts):
    return nbformat.from_dict(one | parts)


def among(*extra, **answers):
    """The notebook with the student's own cells, each above the cell of this name, or at the end."""
    cells = notebook(**answers)
    for name, text in extra:
        at = next((k for k, one in enumerate(cells) if about(one).get("grade_id") == name), len(cells))
        cells.insert(at, own(text))
    return cells


def bare(cells, *but):
    """The same cells without nbgrader's metadata, as after pasting them into another notebook."""
    return [one if about(one).get("grade_id") in but else own(one.source) for one in cells]


HELPED = {"first": "def first(x):\n    return helper(x)", "second": "def second(x):\n    return ROOM.SCALE * half(x)"}
HELPER = "def helper(x):\n    return half(x) ** 2"
ROOM = "class ROOM:\n    SCALE = 4"
HONEST = {
    "as it is": notebook(),
    "a helper above the first": among(("first", HELPER), **HELPED | {"second": ANSWERS["second"]}),
    "a helper at the end": among(("", HELPER), first=HELPED["first"]),
    "a helper of the second at the end": among(("", ROOM), second=HELPED["second"]),
    "an import at the end": among(("", "import math as m"), second="def second(x):\n    return 2 * m.fabs(x)"),
    "an import in the set-up": [
        own(one.source) if k else change(one, source=f"import cmath\n{one.source}")
        for k, one in enumerate(notebook(second="def second(x):\n    return 2 * cmath.sqrt(x**2).real"))
    ],
    "a constant at the end": among(
        ("", "POWER = math.prod([1, 2])"), first="def first(x):\n    return half(x) ** POWER"
    ),
    "constants by Python's functions at the end": among(
        ("", "from functools import partial\nraised = partial(pow, exp=2)\nONES = [float(k > 0) for k in range(3)]"),
        first="def first(x):\n    return raised(half(x)) * ONES[2]",
    ),
    "a lambda that calls a helper at the end": among(
        ("", f"square = lambda x: helper(x)\n{HELPER}"), first="def first(x):\n    return square(x)"
    ),
    "an import that is tried at the end": among(
        ("", "try:\n    import not_there as m\nexcept ImportError:\n    import math as m"),
        second="def second(x):\n    return 2 * m.fabs(x)",
    ),
    "an answer inside a condition at the end, the stub left": among(
        ("", "if True:\n    def second(x):\n        return SCALE * half(x)"), second=""
    ),
    "constants and helpers of each other at the end": among(
        ("", "class Of(Base):\n    power = POWER"),
        ("", "class Base:\n    pass\n\n\nPOWER = 2"),
        first="def first(x):\n    return half(x) ** Of.power",
    ),
    "a helper and an answer in one cell": notebook(first=f"{HELPER}\n\n\n{HELPED['first']}"),
    "both answers in one cell, the other one left": notebook(first="\n\n\n".join(ANSWERS.values()), second=""),
    "a helper in the cell of the other answer": notebook(
        first=HELPED["first"], second=f"{HELPER}\n\n\n{ANSWERS['second']}"
    ),
    "all pasted into a new notebook": bare(notebook()),
    "the answers pasted as one cell": [own("\n\n\n".join(ANSWERS.values()))],
    "pasted with a helper": bare(among(("second", ROOM), ("first", HELPER), **HELPED)),
    "the second without what is noted": bare(notebook(), "first"),
    "an answer below a stub that is left": among(("instruments", ANSWERS["first"]), first=""),
    "a lambda for an answer": among(("instruments", "first = lambda x: half(x) ** 2"), first=""),
    "an answer that is there twice, the first one wrong": [
        notebook(first="def first(x):\n    return 0")[1],
        *notebook(),
    ],
    "in reversed order": notebook()[::-1],
    "cells of an older version": [own("def old():\n    pass"), *notebook(), deepcopy(cell("check_first"))],
    "an answer whose name is of an older version": [
        change(one, metadata={"nbgrader": about(one) | {"grade_id": f"{about(one)['grade_id']}_2"}})
        for one in notebook()
    ],
    "commands of the notebook": notebook(
        first=f"%matplotlib inline\nget_ipython().run_line_magic('time', '')\n{ANSWERS['first']}\nfirst?"
    ),
    "what commands of the notebook return, with a name": notebook(
        first=f"files = !ls\nt = %timeit -o 1\n{ANSWERS['first']}"
    ),
    "a cell of another language": among(("first", "%%bash\nls | grep x")),
    "an experiment that shadows a builtin": among(
        ("", "sum = 0\nround = 1"), first="def first(x):\n    return round(sum([half(x) ** 2]))"
    ),
    "an experiment that redefines the set-up": among(("", "def half(x):\n    return x")),
    "a star": among(("second", "from cmath import *"), second="def second(x):\n    return 2 * sqrt(x**2).real"),
}
"""Submissions that get full points, by what is unusual about them."""


def grade(cells, folder, metadata=None):
    """Return the points and errors of a submission, run as in `Isolated`, but in this process."""
    submitted = nbformat.from_dict({"cells": deepcopy(cells), "metadata": metadata or {}})
    arranged, _ = ArrangeCells(source_directory=str(folder)).preprocess(submitted, TOLD)
    worker, checks, said, points = Worker(io.BytesIO(), io.BytesIO()), {}, [], 0
    definitions = arranged.metadata[NOTED]["definitions"]

    def function(name):
        return lambda *given: worker.space[name](*given)

    for one in arranged.cells:
        if one.cell_type != "code" or "skip-execution" in one.metadata.get("tags", []):
            continue
        if is_solution(one):
            checks |= {name: function(name) for name in ("first", "second")}
        try:
            if cell_role(one) == "own":
                worker.serve(["define", definitions])
                worker.serve(["cell", one.source])
            else:
                exec(one.source, checks)
                points += cell_role(one) == "check"
                if cell_role(one) == "ours":
                    worker.serve(["cell", one.source])
        except Exception as problem:  # noqa: BLE001
            said.append(f"{type(problem).__name__}: {problem}")
    return points, said


@pytest.mark.parametrize("shape", HONEST)
def test_a_notebook_that_passes_at_home_passes(shape, folder):
    points, said = grade(HONEST[shape], folder)
    assert points == 2, said


def with_metadata(**noted):
    """The right notebook with other metadata of its answers."""
    cells = notebook()
    for one in cells:
        if is_solution(one):
            one.metadata["nbgrader"] = about(one) | noted
    return cells


STUBS = notebook(first="", second="")
HOSTILE = {
    "stubs": (STUBS, 0),
    "checks rewritten": ([one if is_solution(one) else change(one, source="pass") for one in STUBS], 0),
    "checks tagged": ([change(one, metadata=one.metadata | {"tags": ["skip-execution"]}) for one in STUBS], 0),
    "answers marked as checks": (with_metadata(grade=True, solution=False, locked=True, points=99), 2),
    "a name that is a list": (with_metadata(grade_id=["first"]), 2),
    "a version of the future": (with_metadata(schema_version=99), 2),
    "a name of the checks": (among(("first", "def check(*_):\n    pass"), first="", second=""), 0),
    "an answer of one, and a loop in words": (notebook(second="def second(x)\n    return 1"), 1),
    "text that is no Python": (among(("first", "\0"), ("second", "(" * 500)), 2),
}


@pytest.mark.parametrize("trick", HOSTILE)
def test_a_hostile_notebook_gets_what_its_answers_are_worth(trick, folder):
    cells, worth = HOSTILE[trick]
    assert grade(cells, folder, {NOTED: "x", "kernelspec": 7, "language_info": []})[0] == worth


def test_only_the_code_of_a_submission_is_used(folder):
    cells = notebook()
    for one in cells:
        one.metadata |= {"tags": ["x"], "mystnb": 7}
        one.outputs = [nbformat.v4.new_output("stream", text="full points")]
    cells.append(nbformat.v4.new_raw_cell("<script>"))
    submitted = nbformat.v4.new_notebook(cells=cells, metadata={"evil": 1})
    arranged, _ = ArrangeCells(source_directory=str(folder)).preprocess(submitted, TOLD)
    assert "evil" not in arranged.metadata
    assert not [one for one in arranged.cells if "tags" in one.metadata or one.cell_type == "raw" or one.get("outputs")]
    nbformat.validate(arranged)


def notebook_bytes(texts):
    return json.dumps(nbformat.v4.new_notebook(cells=list(map(own, texts)))).encode("ascii")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is not a notebook that can be graded: JSONDecodeError"),
        (b"\xff\xfe", "is not a notebook that can be graded: UnicodeDecodeError"),
        (b"{}", "is not a notebook"),
        (b'{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [7]}', "is not a notebook"),
        (b'{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [{"cell_type": "code"}]}', "is no"),
        (b'{"nbformat": 99, "nbformat_minor": 5, "metadata": {}, "cells": []}', "is not a notebook"),
        (notebook_bytes(["1"] * 1001), "has 1001 cells; at most 1000"),
        (notebook_bytes(["1\n" * 600_000]), "1,200,000 characters of code"),
        (b"[" * 100_000, "is not a notebook that can be graded: RecursionError"),
    ],
)
def test_an_invalid_file_becomes_a_placeholder_with_the_reason(content, said, tmp_path, folder):
    path = tmp_path / "x.ipynb"
    path.write_bytes(content)
    found = read(path)
    assert said in found.metadata[NOTED]["unreadable"]
    arranged, _ = ArrangeCells(source_directory=str(folder)).preprocess(found, TOLD)
    assert arranged.metadata[NOTED]["unreadable"] == found.metadata[NOTED]["unreadable"]
    assert grade(found.cells, folder)[0] == 0


@pytest.mark.parametrize("form", ["with a mark of its encoding", "of format 3", "with half a character"])
def test_a_notebook_that_another_program_has_written_is_read(form, tmp_path, folder):
    whole, path = nbformat.v4.new_notebook(cells=notebook()), tmp_path / "x.ipynb"
    text = json.dumps(whole)
    if form == "of format 3":
        plain = {"cell_type": "code", "language": "python", "outputs": [], "collapsed": False}
        cells = [plain | {"input": one.source} for one in whole.cells]
        text = json.dumps({"nbformat": 3, "nbformat_minor": 0, "metadata": {}, "worksheets": [{"cells": cells}]})
    if form == "with half a character":
        text = text.replace("import math", "import math  # \\ud83d")
    path.write_text(text, encoding="utf-8-sig" if "mark" in form else "utf-8")
    found = read(path)
    assert grade(found.cells, folder)[0] == 2
    json.dumps(found, ensure_ascii=False).encode("utf-8")


@pytest.mark.parametrize(
    ("cell_text", "python"),
    [
        ("x = '''\n% a\n'''", "x = '''\n% a\n'''"),
        ("def f():\n    '''Why?'''\n    %time 1", "def f():\n    '''Why?'''\n    pass"),
        ("# why?\nf?\ng()", "# why?\npass\ng()"),
        ("%%html\n<b>", ""),
        ("a, b.c = !ls\nif x != 3:\n    y = %pwd", "a, b.c = None\nif x != 3:\n    y = None"),
    ],
)
def test_commands_of_the_notebook_do_nothing(cell_text, python):
    assert python_source(cell_text) == python


def test_a_page_of_feedback_begins_with_what_the_checks_found():
    right, wrong, own = cell("check_second"), cell("check_first"), nbformat.v4.new_code_cell("1 / 0")
    for one, said in ((wrong, "For 6: it is 0.\n\nHint: <b>[x](y)</b>"), (own, "division by zero")):
        one.outputs = [nbformat.v4.new_output("error", ename="CheckFailed", evalue=said, traceback=[said])]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("# Title"), own, right, wrong])
    page, _ = FeedbackPage().preprocess(notebook, {})
    first, title = nbconvert.filters.markdown2html(page.cells[0].source), page.cells[1].source
    assert title == "# Title" and first.splitlines() == [
        '<p><a href="#check_first">check_first</a>: 0 of 1 points</p>',
        "<pre><code>For 6: it is 0.",
        "",
        "Hint: &lt;b&gt;[x](y)&lt;/b&gt;</code></pre>",
    ]
    assert "first(8)" not in page.cells[-1].source, "a page shows no hidden check"
