"""Real nbgrader: the commands of the page for teachers, on hand-ins of diligent, careless and hostile students.

What the checks say of an answer is shown without nbgrader in test_answers.py.
"""

import csv
import re
import shutil
import sys
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from html import unescape
from pathlib import Path

import nbformat
import pytest
from nbgrader_course import NAME, ROOT, commands, read, run
from traitlets.config import Config

from classroom.copies.addresses import Book
from classroom.copies.course import notebook_copy

# nbgrader and the packages below it warn of their own future; nothing of ours runs in this process here.
pytestmark = pytest.mark.filterwarnings("ignore")

EXERCISES = [path.parent.name for path in sorted(ROOT.glob("exercises/*/*.ipynb"))]
SECOND_NAME = "05_robot_models"
THIRD_NAME = "16_limits"  # the others go all the way before a release
"""The two that take the whole way in each run; the others do in the long one."""
MARKERS = ("BEGIN SOLUTION", "END SOLUTION", "BEGIN HIDDEN TESTS", "END HIDDEN TESTS")
SOLUTION = """
    w = skew_part(R)
    theta = np.arctan2(np.linalg.norm(w), (np.trace(R) - 1) / 2)
    if theta < 1.0:
        return w if theta == 0 else theta / np.sin(theta) * w
    a = np.linalg.eigh((R + R.T) / 2)[1][:, -1]
    return theta * a if a @ w >= 0 else -theta * a
"""
RIGHT = f"def rotation_log(R):{SOLUTION}"
SECOND = "def between(R_0, R_1, s):\n    return R_0 @ expm(s * hat(rotation_log(R_0.T @ R_1)))"
ZERO = "    return np.zeros(3)\n"
WHO = "import os\nimport sys\n\nprint('numbers of', repr(os.environ.get('LESSONS_STUDENT')))"
SHELL = "from IPython import get_ipython\nfrom IPython.core.interactiveshell import ExecutionResult, InteractiveShell\n"
ANSWERS = {
    "right": RIGHT,
    "warns": f"%matplotlib inline\n{WHO}\n\n\ndef rotation_log(R):\n    print('close to π', file=sys.stderr){SOLUTION}",
    "syntax": RIGHT.replace("R):", "R)"),
    "transforms": f"""{SHELL}
shell = get_ipython() or InteractiveShell.instance()
shell.ast_transformers.append(type("T", (), {{"visit": lambda self, tree: type(tree)([], [])}})())
shell.events.register("post_run_cell", lambda result: setattr(result, "error_in_exec", None))
ExecutionResult.success = property(lambda self: True)
InteractiveShell.run_code = lambda *_, **__: False


def rotation_log(R):
{ZERO}""",
    "shadows": f"def rotation_log(R):\n{ZERO}",
    "prints": f"def rotation_log(R):\n    for k in range(25_000):\n        print(k)\n{ZERO}",
    "leaves": f"import os\n\n\ndef rotation_log(R):\n    os._exit(0)\n{ZERO}",
    "copies": f"exec(open({str(ROOT / 'exercises' / NAME / NAME)!r} + '.ipynb').read())\n\n\n{RIGHT}",
    "slow-endless": f"{WHO}\nimport time\n\n\ndef rotation_log(R):\n    while True:\n        time.sleep(1)\n{ZERO}",
    "slow-stubborn": """
import time


def rotation_log(R):
    while True:
        try:
            while True:
                time.sleep(1)
        except BaseException:
            pass
""",
}
"""Student to what stands in the place of the solution; those whose names begin with "slow" do not end, but sleep."""
SOLUTION_WITH_CODE = RIGHT.replace("return theta * a if", "return -theta * a if")
ROSTER = """id,first_name,last_name,email,lms_user_id
ada,Ada,Lovelace,ada@example.org,71
bob,Bob,Babbage,bob@example.org,72
eve,Eve,Noether,eve@example.org,73
"""
GOOD = ("right", "warns")
"""Those who have done the second one as well."""
SAID = {
    "syntax": "there is no rotation_log: your own cell above stops with SyntaxError",
    "transforms": "your arrow is zero",
    "shadows": "your arrow is zero",
    "prints": "your code prints more than 100,000 characters",
    "leaves": "your code ends the process that it runs in",
    "copies": "your own cell above stops with FileNotFoundError",
    "slow-endless": "is there an endless loop in your code?",
    "slow-stubborn": "is there an endless loop in your code?",
}
"""What the feedback of a hostile hand-in says; none of them gets a point."""


@dataclass(frozen=True)
class Course:
    """A course in a folder, after the commands of the page.

    Attributes:
        root: Of the course.
        name: The exercise.
        marks: Student to points.
        max_score: Points of a perfect hand-in.
    """

    root: Path
    name: str
    marks: dict[str, float]
    max_score: float

    def feedback(self, student: str) -> str:
        return unescape((self.root / "feedback" / student / self.name / f"{self.name}.html").read_text(encoding="utf8"))


def solutions(name: str) -> list[str]:
    """What stands in an exercise's places for an answer."""
    cells = read(ROOT / "exercises" / name / f"{name}.ipynb").cells
    return [cell.source for cell in cells if cell.metadata.get("nbgrader", {}).get("solution")]


def mistaken(name: str) -> list[str]:
    """The same with the typical mistake in place of the first."""
    mistake = (ROOT / "exercises" / name / "typical_mistake.py").read_text(encoding="utf8")
    return [mistake, *solutions(name)[1:]]


def hostile(student: str) -> list[str]:
    """Answers to the exercise that the page for teachers shows."""
    return [ANSWERS[student], SECOND] if student in GOOD else [ANSWERS[student]]


def answered(released: Path, answers: list[str]) -> nbformat.NotebookNode:
    """The released copy with answers in it, the first ones first; what is left over stays blank."""
    notebook = read(released)
    places = [cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("solution")]
    for cell, answer in zip(places, answers, strict=False):
        cell.source = answer
    return notebook


def cheating(released: Path) -> nbformat.NotebookNode:
    """The released copy with checks that are rewritten, moved and tagged."""
    notebook = read(released)
    for cell in notebook.cells:
        if cell.metadata.get("nbgrader", {}).get("grade"):
            cell.source, cell.metadata["tags"] = "pass", ["skip-execution"]
    notebook.cells = [c for c in notebook.cells if c.metadata.get("nbgrader", {}).get("grade_id") != "instruments"]
    notebook.cells.insert(0, nbformat.v4.new_code_cell("check_round_trip = arrow_of = lambda *_: 0"))
    return notebook


def doubled(released: Path) -> nbformat.NotebookNode:
    """The right answer below a copy of the stub, as it comes of copying a cell with all that nbgrader notes of it."""
    notebook = answered(released, hostile("right"))
    at = next(k for k, cell in enumerate(notebook.cells) if cell.source == RIGHT)
    stub = read(released).cells[at]
    notebook.cells.insert(at, stub)
    notebook.cells.insert(0, nbformat.v4.new_code_cell("'mine'", metadata={"nbgrader": "scribbled"}))
    return notebook


def graded(root: Path, name: str, answers: dict[str, list[str]]) -> Course:
    """The course after every command of the page has run, as it is typed there; "cheats" has answers of its own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LESSONS_COURSE", str(root))
        for command in commands(name):
            if command.startswith("nbgrader autograde"):  # what does not end is given up after three seconds, not 30
                hurried = "--Isolated.timeout=3 --Isolated.later_timeout=1 --Isolated.own_numbers=True"
                for student in answers.keys() & {"slow-endless", "slow-stubborn"}:
                    run(f"{command} --student={student} {hurried}")
            with suppress(SystemExit):  # it ends so where one of the hand-ins is no notebook
                run(command)
            if command.startswith("nbgrader release_assignment"):
                (offered,) = root.glob(f"exchange/*/outbound/{name}")
                for student, given in answers.items():
                    folder = offered.parents[1] / "inbound" / f"{student}+{name}+2030-01-01 12:00:00 UTC+1"
                    shutil.copytree(offered, folder)
                    released = offered / f"{name}.ipynb"
                    others = {"cheats": cheating, "twice": doubled}
                    handed_in = others[student](released) if student in others else answered(released, given)
                    nbformat.write(handed_in, folder / f"{name}.ipynb")
                    if student == "scribbles":
                        (folder / f"{name}.ipynb").write_text("no notebook", encoding="ascii")
                    if student == "shadows":
                        (folder / "numpy.py").write_text("abs = lambda *_: 0", encoding="ascii")
                        (folder / "sitecustomize.py").write_text("raise SystemExit", encoding="ascii")
                    (folder / "timestamp.txt").write_text("2030-01-01 12:00:00 UTC", encoding="ascii")
                    (folder / "submission_secret.txt").write_text(f"of {student}", encoding="ascii")
    with (root / "marks.csv").open(encoding="utf8") as file:
        rows = list(csv.DictReader(file))
    marks = {row["student_id"]: float(row["score"]) for row in rows}
    course = Course(root, name, marks, float(rows[0]["max_score"]))
    assert marks.keys() == answers.keys()
    for student, points in marks.items():
        if student == "scribbles":
            continue  # who hands in no notebook gets none back
        assert "HIDDEN TESTS" not in course.feedback(student) and "rng = " not in course.feedback(student)
        assert f"(Score: {points} / {course.max_score})" in course.feedback(student)
        assert list(root.glob("exchange/*/feedback/*")), "the feedback is not returned"
    return course


def hear_what_is_said_to_hostile_ones(course: Course) -> None:
    for student in course.marks.keys() & SAID:
        assert course.marks[student] == 0, student
        assert SAID[student] in course.feedback(student), student


def test_the_page_for_teachers_takes_an_exercise_all_the_way() -> None:
    verbs = [command.split()[1] for command in commands(everybodys=True)]
    assert verbs == [
        "db",
        "generate_assignment",
        "db",
        "release_assignment",
        "fetch_assignment",
        "submit",
        "collect",
        "autograde",
        "generate_feedback",
        "release_feedback",
        "fetch_feedback",
        *["export"] * 4,
    ]


def test_the_page_for_teachers_knows_the_limits() -> None:
    from classroom.grading.checks import Isolated
    from classroom.grading.worker import MOST_PRINTED

    page = (ROOT / "book" / "teach.md").read_text(encoding="utf8")
    ours = Isolated()
    assert f"has {ours.timeout} seconds, and {ours.later_timeout} after" in page
    assert f"{ours.memory // 1024} GB more" in page
    assert f"print {MOST_PRINTED:,} characters" in page


def test_an_exercise_goes_all_the_way_and_a_hostile_hand_in_with_it(tmp_path: Path) -> None:
    students = {"right": solutions(NAME), "mistaken": mistaken(NAME), "transforms": hostile("transforms")}
    course = graded(tmp_path, NAME, students | {"twice": []})
    assert course.marks["twice"] == course.max_score, course.feedback("twice")
    source = read(ROOT / "exercises" / NAME / f"{NAME}.ipynb")
    assert course.max_score == sum(cell.metadata.get("nbgrader", {}).get("points", 0) for cell in source.cells)
    assert course.marks["right"] == course.max_score, course.feedback("right")
    assert 0 < course.marks["mistaken"] < course.max_score
    hear_what_is_said_to_hostile_ones(course)


def of_the_week(root: Path, *verbs: str, **changes: str) -> None:
    """Run the commands of the page that begin so, for three students and in the course's folder."""
    (root / "roster.csv").write_text(ROSTER, encoding="ascii")
    for verb in verbs:
        for line in commands(everybodys=True):
            if not line.startswith(f"nbgrader {verb}"):
                continue
            line = line.replace("roster.csv", str(root / "roster.csv"))
            for before, after in changes.items():
                line = re.sub(rf'{before}=("[^"]*"|\S+)', f"{before}={after}", line)
            run(line)


def hand_in(root: Path, student: str, answers: list[str]) -> None:
    """Fetch as a student does, work, and hand in."""
    place = root / "homes" / student
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    here = f"--student={student} --Exchange.assignment_dir={place}"
    run(f"nbgrader fetch_assignment {NAME} {here}")
    nbformat.write(answered(place / NAME / f"{NAME}.ipynb", answers), place / NAME / f"{NAME}.ipynb")
    run(f"nbgrader submit {NAME} {here}")


def table(path: Path) -> list[list[str]]:
    with path.open(encoding="utf8") as file:
        return list(csv.reader(file))


@pytest.mark.check
def test_three_students_take_a_week_as_the_page_has_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LESSONS_COURSE", str(tmp_path))
    of_the_week(tmp_path, "db student", "generate_assignment", "db assignment", "release_assignment")
    right, sign = solutions(NAME), [SOLUTION_WITH_CODE, *solutions(NAME)[1:]]
    hand_in(tmp_path, "ada", right)
    hand_in(tmp_path, "bob", sign)
    of_the_week(tmp_path, "collect", "autograde", "generate_feedback", "export")
    marks = {row["student_id"]: float(row["score"]) for row in csv.DictReader((tmp_path / "marks.csv").open())}
    assert marks == {"ada": 8.0, "bob": marks["bob"], "eve": 0.0} and 0 < marks["bob"] < 5
    first = (tmp_path / "feedback" / "bob" / NAME / f"{NAME}.html").read_text("utf8")

    yesterday = datetime.now(UTC) - timedelta(days=1, hours=6)
    of_the_week(tmp_path, "db assignment", duedate=f'"{yesterday:%Y-%m-%d %H:%M:%S} UTC"')
    hand_in(tmp_path, "bob", right)  # two days have begun, and each costs a tenth
    of_the_week(tmp_path, "collect", "autograde", "generate_feedback", "release_feedback", "export")
    assert table(tmp_path / "canvas.csv") == [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", NAME],
        ["    Points Possible", "", "", "", "", "8.0"],
        ["Babbage, Bob", "72", "", "bob", "", "6.4"],
        ["Lovelace, Ada", "71", "", "ada", "", "8.0"],
        ["Noether, Eve", "73", "", "eve", "", ""],
    ]
    assert table(tmp_path / "moodle.csv")[1] == ["bob", "bob@example.org", "6.4"]
    assert (tmp_path / "feedback" / "bob" / NAME / f"{NAME}.html").read_text("utf8") != first
    run(f"nbgrader fetch_feedback {NAME} --student=bob --Exchange.assignment_dir={tmp_path / 'homes' / 'bob'}")
    assert list((tmp_path / "homes" / "bob").rglob("*.html"))


def test_what_a_class_got_wrong_is_counted_by_check_and_cause(tmp_path: Path) -> None:
    from classroom.grading.causes import UNNAMED, causes

    def check(name: str, said: str) -> nbformat.NotebookNode:
        about = {"nbgrader": {"grade": True, "grade_id": name}}
        output = nbformat.v4.new_output("error", ename="AssertionError", evalue=said, traceback=[])
        return nbformat.v4.new_code_cell("", metadata=about, outputs=[output] if said else [])

    said = {
        "a": "off. Look here: its sign [sign]",
        "b": "",
        "c": "q = [1, 2]",
        "d": "one\ntwo [of-two]",
        "e": "x [q] y",
    }
    path = tmp_path / "graded.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=[check(*one) for one in said.items()]), path)
    assert list(causes(path)) == [("a", "sign"), ("c", UNNAMED), ("d", "of-two"), ("e", UNNAMED)]


@pytest.mark.parametrize(("days", "left"), [(0.1, 9.0), (1.0, 9.0), (1.1, 8.0), (30.0, 0.0)])
def test_each_day_that_has_begun_costs_its_share(days: float, left: float) -> None:
    from classroom.grading.marks import Late

    assert 10.0 - Late(a_day=0.1).late_submission_penalty("ada", 10.0, days * 86_400) == pytest.approx(left)
    assert Late().late_submission_penalty("ada", 10.0, days * 86_400) == 0.0


def test_a_configuration_that_would_not_be_read_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["nbgrader", "autograde", "--config=mine.py"])
    path = ROOT / "exercises" / "nbgrader_config.py"
    with pytest.raises(SystemExit, match="LESSONS_SETTINGS"):
        exec(compile(path.read_text("utf8"), path, "exec"), {"get_config": Config, "__file__": str(path)})


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks={SECOND_NAME: (), THIRD_NAME: pytest.mark.check}.get(name, pytest.mark.release))
        for name in EXERCISES
        if name != NAME
    ],
)
def test_another_exercise_goes_all_the_way(tmp_path: Path, name: str) -> None:
    course = graded(tmp_path, name, {"right": solutions(name), "mistaken": mistaken(name)})
    assert course.marks["right"] == course.max_score, course.feedback("right")
    assert 0 < course.marks["mistaken"] < course.max_score


@pytest.mark.check
def test_every_hostile_hand_in_gets_no_points_and_a_sentence(tmp_path: Path) -> None:
    students = {student: hostile(student) for student in ANSWERS}
    course = graded(tmp_path, NAME, students | {"blank": [], "cheats": [], "scribbles": []})
    assert course.marks["scribbles"] == 0
    assert course.marks["right"] == course.marks["warns"] == course.max_score, course.feedback("warns")
    assert course.marks["blank"] == 0
    assert course.marks["cheats"] == 0, "checks that a student rewrote, moved and tagged are not put back"
    assert "numbers of 'slow-endless'" in course.feedback("slow-endless"), "a hand-in with the student's own numbers"
    assert "numbers of ''" in course.feedback("warns")
    assert course.marks.keys() == {"right", "warns", "blank", "cheats", "scribbles"} | SAID.keys()
    hear_what_is_said_to_hostile_ones(course)


def test_the_released_copies_tell_nothing_and_are_those_that_students_download(tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LESSONS_COURSE", str(tmp_path))
        for name in EXERCISES:
            run(f"nbgrader generate_assignment {name}")
            released = read(tmp_path / "release" / name / f"{name}.ipynb")
            assert {path.name for path in (tmp_path / "release" / name).iterdir()} == {f"{name}.ipynb"}
            tells_neither_solution_nor_hidden_checks(read(ROOT / "exercises" / name / f"{name}.ipynb"), released)
            is_what_students_download(name, released)


def tells_neither_solution_nor_hidden_checks(source: nbformat.NotebookNode, released: nbformat.NotebookNode) -> None:
    text = "\n".join(cell.source for cell in released.cells)
    assert not [marker for marker in MARKERS if marker in text]
    assert "YOUR CODE HERE" in text
    sources = "\n".join(cell.source for cell in source.cells)
    assert sources.count("### BEGIN HIDDEN TESTS") >= 1
    for line in between(sources, "HIDDEN TESTS") | between(sources, "SOLUTION"):
        assert line not in text.splitlines(), f"the students' copy shows {line!r}"


def is_what_students_download(name: str, released: nbformat.NotebookNode) -> None:
    copy = nbformat.reads(notebook_copy(f"exercises/{name}/{name}", Book()), as_version=4)
    mine, theirs = ([c for c in n.cells if c.cell_type == "code"] for n in (copy, released))
    assert [cell.source for cell in mine] == [cell.source for cell in theirs], name
    assert [cell.metadata.get("nbgrader") for cell in mine] == [cell.metadata.get("nbgrader") for cell in theirs], name
    assert not [cell.outputs for cell in mine if cell.outputs], name


def between(text: str, name: str) -> set[str]:
    """Return the lines inside the blocks `name` that stand nowhere outside of them."""
    inside, outside = set(), set()
    current = outside
    for line in text.splitlines():
        if line.strip() == f"### BEGIN {name}":
            current = inside
        elif line.strip() == f"### END {name}":
            current = outside
        elif line.strip():
            current.add(line.strip())
    return inside - outside
