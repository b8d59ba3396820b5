"""Real nbgrader: the commands of the page for teachers, on submissions of diligent, careless and hostile students.

test_answers.py tests the messages of the checks without nbgrader.
"""

import csv
import shutil
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass
from html import unescape
from pathlib import Path

import nbformat
import pytest
from nbgrader.converters import GenerateAssignment
from nbgrader.preprocessors import InstantiateTests, SaveCells
from nbgrader_course import NAME, ROOT, commands, fill_in_answers, read, run, solutions
from traitlets.config.loader import PyFileConfigLoader

from classroom.copies.addresses import Book
from classroom.copies.course import notebook_copy
from classroom.copies.exercises import STUB, replace_parts

# nbgrader and the packages below it warn of their own future; nothing of ours runs in this process here.
pytestmark = pytest.mark.filterwarnings("ignore")

EXERCISES = [path.parent.name for path in sorted(ROOT.glob("exercises/*/*.ipynb"))]
SECOND_NAME = "05_robot_models"  # the others go all the way before a release
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
THIRD = "def distance_from_identity(theta):\n    return 8 * sp.sin(theta / 2) ** 2"
ZERO = "    return np.zeros(3)\n"
WHO = "import os\nimport sys\n\nprint('numbers of', repr(os.environ.get('LESSONS_STUDENT')))"
SHELL = "from IPython import get_ipython\nfrom IPython.core.interactiveshell import ExecutionResult, InteractiveShell\n"
ANSWERS = {
    "right": RIGHT,
    "warns": f"%matplotlib inline\n{WHO}\n\n\ndef rotation_log(R):\n    print('close to π', file=sys.stderr){SOLUTION}",
    "transforms": f"""{SHELL}
shell = get_ipython()
if shell is not None:
    shell.ast_transformers.append(type("T", (), {{"visit": lambda self, tree: type(tree)([], [])}})())
    shell.events.register("post_run_cell", lambda result: setattr(result, "error_in_exec", None))
ExecutionResult.success = property(lambda self: True)
InteractiveShell.run_code = lambda *_, **__: False


def rotation_log(R):
{ZERO}""",
    "shadows": f"def rotation_log(R):\n{ZERO}",
    "leaves": f"import os\n\n\ndef rotation_log(R):\n    os._exit(0)\n{ZERO}",
    "slow-endless": f"{WHO}\nimport time\n\n\ndef rotation_log(R):\n    while True:\n        time.sleep(1)\n{ZERO}",
}
"""Student to what stands in the place of the solution. More is tried in classroom/attacks.py, without nbgrader."""
GOOD = ("right", "warns")
"""Those who have done all of it."""
SAID = {
    "transforms": "your function returned [0., 0., 0.]",
    "shadows": "your function returned [0., 0., 0.]",
    "leaves": "your code ended the process that it runs in",
    "slow-endless": "is there an endless loop in it?",
}
"""Feedback for each hostile submission; none of them gets a point."""


@dataclass(frozen=True)
class Course:
    """The folder of a course after the commands of the page, its exercise, and each student's points."""

    root: Path
    name: str
    marks: dict[str, float]
    max_score: float

    def feedback(self, student):
        return unescape((self.root / "feedback" / student / self.name / f"{self.name}.html").read_text(encoding="utf8"))


def mistaken(name):
    """The same with the typical mistake instead of the first solution."""
    mistake = (ROOT / "exercises" / name / "typical_mistake.py").read_text(encoding="utf8")
    return [mistake, *solutions(name)[1:]]


def hostile(student):
    """Answers to the exercise shown on the page for teachers."""
    return [ANSWERS[student], SECOND, THIRD] if student in GOOD else [ANSWERS[student]]


def cheating(released):
    """The released copy with rewritten, moved and tagged checks."""
    notebook = read(released)
    for cell in notebook.cells:
        if cell.metadata.get("nbgrader", {}).get("grade"):
            cell.source, cell.metadata["tags"] = "pass", ["skip-execution"]
    notebook.cells = [c for c in notebook.cells if c.metadata.get("nbgrader", {}).get("grade_id") != "instruments"]
    notebook.cells.insert(0, nbformat.v4.new_code_cell("check_round_trip = arrow_of = lambda *_: 0"))
    return notebook


def answer_twice(released):
    """The right answer below a copy of the stub, including nbgrader's metadata."""
    notebook = fill_in_answers(released, hostile("right"))
    at = next(k for k, cell in enumerate(notebook.cells) if cell.source == RIGHT)
    stub = read(released).cells[at]
    notebook.cells.insert(at, stub)
    notebook.cells.insert(0, nbformat.v4.new_code_cell("'mine'", metadata={"nbgrader": "scribbled"}))
    return notebook


def grade_course(root, name, answers):
    """The course after all commands of the page have run literally; "cheats" has its own answers."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LESSONS_COURSE", str(root))
        for command in commands(name):
            if command.startswith("nbgrader autograde"):  # what does not end is given up after two seconds, not 30
                hurried = "--Isolated.timeout=2 --Isolated.own_numbers=True"
                for student in answers.keys() & {"slow-endless"}:
                    run(f"{command} --student={student} {hurried}")
            with suppress(SystemExit):  # raised if one of the submissions is not a notebook
                run(command)
            if command.startswith("nbgrader release_assignment"):
                (offered,) = root.glob(f"exchange/*/outbound/{name}")
                for student, given in answers.items():
                    folder = offered.parents[1] / "inbound" / f"{student}+{name}+2030-01-01 12:00:00 UTC+1"
                    shutil.copytree(offered, folder)
                    released = offered / f"{name}.ipynb"
                    is_what_students_download(name, read(released))
                    others = {"cheats": cheating, "twice": answer_twice}
                    submitted = others[student](released) if student in others else fill_in_answers(released, given)
                    nbformat.write(submitted, folder / f"{name}.ipynb")
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
        assert "HIDDEN TESTS" not in course.feedback(student) and "rng = " not in course.feedback(student)
        assert f"(Score: {points} / {course.max_score})" in course.feedback(student)
        assert list(root.glob("exchange/*/feedback/*")), "the feedback is not returned"
    return course


def hear_what_is_said_to_hostile_ones(course):
    for student in course.marks.keys() & SAID:
        assert course.marks[student] == 0, student
        assert SAID[student] in course.feedback(student), student


def test_an_exercise_is_graded_with_a_hostile_submission(tmp_path):
    students = {"right": solutions(NAME), "mistaken": mistaken(NAME), "transforms": hostile("transforms")}
    course = grade_course(tmp_path, NAME, students | {"twice": []})
    assert course.marks["twice"] == course.max_score, course.feedback("twice")
    source = read(ROOT / "exercises" / NAME / f"{NAME}.ipynb")
    assert course.max_score == sum(cell.metadata.get("nbgrader", {}).get("points", 0) for cell in source.cells)
    assert course.marks["right"] == course.max_score, course.feedback("right")
    assert 0 < course.marks["mistaken"] < course.max_score
    hear_what_is_said_to_hostile_ones(course)


@pytest.mark.parametrize(
    "name", [pytest.param(x, marks=() if x == SECOND_NAME else pytest.mark.release) for x in EXERCISES if x != NAME]
)
def test_another_exercise_goes_all_the_way(tmp_path, name):
    course = grade_course(tmp_path, name, {"right": solutions(name), "mistaken": mistaken(name)})
    assert course.marks["right"] == course.max_score, course.feedback("right")
    assert 0 < course.marks["mistaken"] < course.max_score


@pytest.mark.release
def test_every_hostile_submission_gets_no_points_and_a_message(tmp_path):
    students = {student: hostile(student) for student in ANSWERS.keys() - {"right", "transforms"}}
    course = grade_course(tmp_path, NAME, students | {"blank": [], "cheats": [], "scribbles": []})
    assert course.marks["scribbles"] == 0 and "this submission cannot be read" in course.feedback("scribbles")
    assert course.marks["warns"] == course.max_score, course.feedback("warns")
    assert course.marks["blank"] == 0
    assert course.marks["cheats"] == 0, "checks that a student rewrote, moved and tagged are not put back"
    assert "numbers of 'slow-endless'" in course.feedback("slow-endless"), "a submission with the student's own numbers"
    assert "numbers of ''" in course.feedback("warns")
    assert course.marks.keys() == students.keys() | {"blank", "cheats", "scribbles"}
    hear_what_is_said_to_hostile_ones(course)


@pytest.mark.parametrize("name", EXERCISES)
def test_the_released_copies_reveal_nothing_and_equal_the_downloads(name):
    """By the steps of `nbgrader generate_assignment`, but for those that need its database or write tests."""
    told = PyFileConfigLoader("nbgrader_config.py", path=str(ROOT / "exercises")).load_config()
    source = read(ROOT / "exercises" / name / f"{name}.ipynb")
    released = deepcopy(source)
    for step in GenerateAssignment.preprocessors.default():
        if step not in (SaveCells, InstantiateTests):
            released, _ = step(config=told).preprocess(released, {})
    tells_neither_solution_nor_hidden_checks(source, released)
    is_what_students_download(name, released)


@pytest.mark.parametrize("text", ["### BEGIN SOLUTION\n1", "### END SOLUTION", "### BEGIN SOLUTION\n" * 2])
def test_a_solution_that_does_not_end_is_not_given_away(text):
    with pytest.raises(ValueError, match="does not begin and end in turn"):
        replace_parts(text, "SOLUTION", STUB)


def tells_neither_solution_nor_hidden_checks(source, released):
    text = "\n".join(cell.source for cell in released.cells)
    assert not [marker for marker in MARKERS if marker in text]
    assert "YOUR CODE HERE" in text
    sources = "\n".join(cell.source for cell in source.cells)
    assert sources.count("### BEGIN HIDDEN TESTS") >= 1
    for line in between(sources, "HIDDEN TESTS") | between(sources, "SOLUTION"):
        assert line not in text.splitlines(), f"the students' copy shows {line!r}"


def is_what_students_download(name, released):
    copy = nbformat.reads(notebook_copy(f"exercises/{name}/{name}", Book()), as_version=4)
    mine, theirs = ([c for c in n.cells if c.cell_type == "code"] for n in (copy, released))
    assert [cell.source for cell in mine] == [cell.source for cell in theirs], name
    assert [cell.metadata.get("nbgrader") for cell in mine] == [cell.metadata.get("nbgrader") for cell in theirs], name
    assert not [cell.outputs for cell in mine if cell.outputs], name
    locks = [[[cell.metadata.get(key) for key in ("deletable", "editable")] for cell in n] for n in (mine, theirs)]
    assert locks[0] == locks[1], name


def between(text, name):
    """Return the lines inside the blocks `name` that occur nowhere else."""
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
