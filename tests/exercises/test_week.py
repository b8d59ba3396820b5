"""An instructor's week as on the page for teachers: three students, a due date, lateness, marks and causes."""

import csv
import re
import sys
from datetime import UTC, datetime, timedelta

import nbformat
import numpy as np
import pytest
from nbgrader_course import NAME, ROOT, commands, fill_in_answers, read, run, solutions
from snippets import snippets
from traitlets.config import Config
from traitlets.config.loader import PyFileConfigLoader

from classroom.grading.causes import NO_ANSWER, UNNAMED, causes
from classroom.grading.marks import Late
from lessons_lib.course import feedback

# nbgrader and the packages below it warn of their own future
pytestmark = pytest.mark.filterwarnings("ignore")

ROSTER = """id,first_name,last_name,email,lms_user_id
ada,Ada,Lovelace,ada@example.org,71
bob,Bob,Babbage,bob@example.org,72
eve,Eve,Noether,eve@example.org,73
"""


def of_the_week(root, *verbs, **changes):
    """Run the commands of the page with this prefix, for three students and in the course's folder."""
    (root / "roster.csv").write_text(ROSTER, encoding="ascii")
    for verb in verbs:
        for line in commands(everybodys=True):
            if not line.startswith(f"nbgrader {verb}"):
                continue
            line = line.replace("roster.csv", str(root / "roster.csv"))
            for before, after in changes.items():
                line = re.sub(rf'{before}=("[^"]*"|\S+)', f"{before}={after}", line)
            run(line)


def submit(root, student, answers):
    """Fetch, work and submit as a student; several students share this account."""
    notebook = root / "students" / student / NAME / f"{NAME}.ipynb"
    if not notebook.exists():
        run(f"nbgrader fetch_assignment {NAME} --student={student}")
    nbformat.write(fill_in_answers(notebook, answers), notebook)
    run(f"nbgrader submit {NAME} --student={student}")


def table(path):
    with path.open(encoding="utf8") as file:
        return list(csv.reader(file))


@pytest.mark.release
def test_three_students_take_a_week_as_the_page_has_it(tmp_path, monkeypatch):
    monkeypatch.setenv("LESSONS_COURSE", str(tmp_path))
    of_the_week(tmp_path, "db student", "generate_assignment", "db assignment", "release_assignment")
    right = solutions(NAME)
    cells = read(ROOT / "exercises" / NAME / f"{NAME}.ipynb").cells
    full = float(sum(one.metadata.get("nbgrader", {}).get("points", 0) for one in cells))
    late = round(0.8 * full, 9)
    wrong = [right[0].replace("return sign * theta", "return -sign * theta"), *right[1:]]
    assert wrong != right
    submit(tmp_path, "ada", right)
    submit(tmp_path, "bob", wrong)
    of_the_week(tmp_path, "collect", "autograde", "generate_feedback", "export")
    marks = {row["student_id"]: float(row["score"]) for row in csv.DictReader((tmp_path / "marks.csv").open())}
    assert marks == {"ada": full, "bob": marks["bob"], "eve": 0.0} and 0 < marks["bob"] < full
    first = (tmp_path / "feedback" / "bob" / NAME / f"{NAME}.html").read_text("utf8")
    assert first.index("your function returned") < first.index("Exercise 02: "), "a page begins with what is wrong"

    yesterday = datetime.now(UTC) - timedelta(days=1, hours=6)
    of_the_week(tmp_path, "db assignment", duedate=f'"{yesterday:%Y-%m-%d %H:%M:%S} UTC"')
    submit(tmp_path, "bob", right)  # two days have begun, and each costs a tenth
    of_the_week(tmp_path, "collect", "autograde", "generate_feedback", "release_feedback", "export")
    assert table(tmp_path / "canvas.csv") == [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", NAME],
        ["    Points Possible", "", "", "", "", str(full)],
        ["Babbage, Bob", "72", "", "bob", "", str(late)],
        ["Lovelace, Ada", "71", "", "ada", "", str(full)],
        ["Noether, Eve", "73", "", "eve", "", ""],
    ]
    assert table(tmp_path / "moodle.csv")[1] == ["bob", "bob@example.org", str(late)]
    assert (tmp_path / "feedback" / "bob" / NAME / f"{NAME}.html").read_text("utf8") != first
    (extension,) = snippets(ROOT / "book" / "teach.md", "python")
    exec(extension.code.replace("build/nbgrader", str(tmp_path)).replace('"ada"', '"bob"'), {})
    run(f"nbgrader autograde {NAME} --student=bob --force --Late.a_day=0.1")
    run("nbgrader export")
    marks = {row["student_id"]: float(row["score"]) for row in csv.DictReader((tmp_path / "marks.csv").open())}
    assert marks["bob"] == full, "an extension of two days"
    run(f"nbgrader fetch_feedback {NAME} --student=bob")
    (page,) = (tmp_path / "students").rglob("*.html")
    assert page.is_relative_to(tmp_path / "students" / "bob"), "bob fetches his own page, and no other"
    assert f"(Score: {late} / {full})" in page.read_text("utf8")


def test_the_mistakes_of_a_class_are_counted_by_check_and_cause(tmp_path):
    def check(name, said, kind="AssertionError"):
        about = {"nbgrader": {"grade": True, "grade_id": name}}
        output = nbformat.v4.new_output("error", ename=kind, evalue=said, traceback=[])
        return nbformat.v4.new_code_cell("", metadata=about, outputs=[output] if said else [])

    right = np.array([1.0, 2.0])
    with pytest.raises(feedback.CheckFailed) as turned:
        feedback.compare("For this q", -right, right, 1e-9, {**feedback.SIGN, **feedback.DEGREES})
    with pytest.raises(feedback.CheckFailed) as off:
        feedback.compare("For this q", right + 0.1, right, 1e-9, feedback.SIGN)
    shown = {"a": str(turned.value), "c": str(off.value)}
    said = {**shown, "b": "", "d": "one\nHint [of-two]: both", "e": "x [q] y, Hint [none]: not"}
    path = tmp_path / "graded.ipynb"
    cells = [check(*one) for one in said.items()]
    cells += [check("f", "your code is missing here", "NotImplementedError"), check("g", "there is no g", "NotChecked")]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    named = [("a", "sign"), ("c", UNNAMED), ("d", "of-two"), ("e", UNNAMED), ("f", NO_ANSWER), ("g", NO_ANSWER)]
    assert list(causes(path)) == named


@pytest.mark.parametrize(("days", "left"), [(0.1, 9.0), (1.0, 9.0), (1.1, 8.0), (30.0, 0.0)])
def test_each_day_that_has_begun_costs_its_share(days, left):
    assert 10.0 - Late(a_day=0.1).late_submission_penalty("ada", 10.0, days * 86_400) == pytest.approx(left)
    assert Late().late_submission_penalty("ada", 10.0, days * 86_400) == 0.0


def test_a_configuration_that_would_not_be_read_is_refused(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["nbgrader", "autograde", "--config=mine.py"])
    path = ROOT / "exercises" / "nbgrader_config.py"
    with pytest.raises(SystemExit, match="LESSONS_SETTINGS"):
        exec(compile(path.read_text("utf8"), path, "exec"), {"get_config": Config, "__file__": str(path)})


@pytest.mark.parametrize("text", [None, "c.Isolated.timeout = = 60"])
def test_settings_that_cannot_be_loaded_end_the_command(text, tmp_path, monkeypatch):
    """Otherwise nbgrader ignores a missing file, and continues without the course's settings if a file is wrong."""
    if text is not None:
        (tmp_path / "mine.py").write_text(text, encoding="ascii")
    monkeypatch.setenv("LESSONS_COURSE", str(tmp_path))
    monkeypatch.setenv("LESSONS_SETTINGS", str(tmp_path / "mine.py"))
    with pytest.raises(SystemExit, match="mine.py cannot be loaded"):
        PyFileConfigLoader("nbgrader_config.py", str(ROOT)).load_config()
