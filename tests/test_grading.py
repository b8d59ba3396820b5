"""Real nbgrader: the commands of the page for teachers, on hand-ins of diligent, careless and hostile students.

What the checks say of an answer is shown without nbgrader in test_exercise_answers.py.
"""

import csv
import re
import shlex
import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from html import unescape
from pathlib import Path

import nbformat
import pytest
from jupyter_core.application import NoStart
from nbgrader.apps.nbgraderapp import NbGraderApp

from classroom.copies.addresses import Book
from classroom.copies.course import notebook_copy

# nbgrader and the packages below it warn of their own future; nothing of ours runs in this process here.
pytestmark = pytest.mark.filterwarnings("ignore")

ROOT = Path(__file__).resolve().parent.parent
EXERCISES = sorted(path.parent for path in ROOT.glob("exercises/*/*.ipynb"))
NAME = "02_rotation_logarithm"  # what the page for teachers shows
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
ANSWERS = {
    "right": RIGHT,
    "warns": f"{WHO}\n\n\ndef rotation_log(R):\n    print('close to π', file=sys.stderr){SOLUTION}",
    "syntax": RIGHT.replace("R):", "R)"),
    "patches": f"np.abs = abs\n\n\ndef rotation_log(R):\n    np.abs = lambda *_: np.zeros(1)\n{ZERO}",
    "loosens": f"def rotation_log(R):\n    global TOLERANCE\n    TOLERANCE = 1e9\n{ZERO}",
    "rewrites": f"def rotation_log(R):\n    feedback.judge.__code__ = (lambda *_, **__: None).__code__\n{ZERO}",
    "prints": f"def rotation_log(R):\n    for k in range(25_000):\n        print(k)\n{ZERO}",
    "hoards": f"def rotation_log(R):\n    much = np.ones(10**11)\n{ZERO}",
    "leaves": f"import os\n\n\ndef rotation_log(R):\n    os._exit(0)\n{ZERO}",
    "copies": f"text = open({str(ROOT / 'exercises' / NAME / NAME)!r} + '.ipynb').read()\n\n\n{RIGHT}",
    "calls": f"import subprocess\n\n\ndef rotation_log(R):\n    subprocess.run(['true'])\n{ZERO}",
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
GOOD = ("right", "warns")
"""Those who have done the second one as well."""
SAID = {
    "syntax": "your own cell above stops with SyntaxError",
    "patches": "something was replaced that it measures with: ['numpy.abs",
    "loosens": "something was replaced that it measures with: ['TOLERANCE",
    "rewrites": "something was replaced that it measures with: ['judge",
    "prints": "your code prints more than 100,000 characters",
    "hoards": "Unable to allocate",
    "leaves": "your code ends the process that it runs in",
    "copies": "a hand-in that is graded may not open",
    "calls": "a hand-in that is graded may not do this: subprocess.Popen",
    "slow-endless": "is there an endless loop in your code?",
    "slow-stubborn": "your code cannot be interrupted",
}
"""What the feedback of a hostile hand-in says; none of them gets a point."""


@dataclass(frozen=True)
class Course:
    """A course in a temporary folder, after the commands of the page.

    Attributes:
        root: Of the course.
        marks: Student to points.
        max_score: Points of a perfect hand-in.
    """

    root: Path
    marks: dict[str, float]
    max_score: float

    def feedback(self, student: str) -> str:
        return unescape((self.root / "feedback" / student / NAME / f"{NAME}.html").read_text(encoding="utf8"))


def read(path: Path) -> nbformat.NotebookNode:
    return nbformat.read(path, as_version=4)


def commands() -> list[str]:
    """The commands of the page for teachers, in order."""
    page = (ROOT / "book" / "teach.md").read_text(encoding="utf8")
    return re.findall(r"^nbgrader .*$", page, re.MULTILINE)


def run(command: str) -> None:
    """Run one nbgrader command in the repository's root, in this process, for a new one takes seconds to begin."""
    app = NbGraderApp()
    with pytest.MonkeyPatch.context() as patch, suppress(NoStart):
        patch.chdir(ROOT)
        app.initialize(shlex.split(command)[1:])
        app.start()
    assert app.subapp is not None, f"{command} is no command of nbgrader's"
    app.subapp.clear_instance()


def handed_in(released: Path, student: str) -> nbformat.NotebookNode:
    """The released copy with a student's answer in it; "cheats" has rewritten, moved and tagged the checks."""
    notebook, first = read(released), True
    for cell in notebook.cells:
        about = cell.metadata.get("nbgrader", {})
        if about.get("solution"):
            cell.source = ANSWERS.get(student, cell.source) if first else SECOND if student in GOOD else cell.source
            first = False
        if student == "cheats" and about.get("grade"):
            cell.source, cell.metadata["tags"] = "pass", ["skip-execution"]
    if student == "cheats":
        notebook.cells = [c for c in notebook.cells if c.metadata.get("nbgrader", {}).get("grade_id") != "instruments"]
        notebook.cells.insert(0, nbformat.v4.new_code_cell("check_round_trip = arrow_of = lambda *_: 0"))
    return notebook


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Course]:
    """The course after every command of the page has run, as it is typed there."""
    root = tmp_path_factory.mktemp("course")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LESSONS_COURSE", str(root))
        for command in commands():
            if command.startswith("nbgrader autograde"):  # what does not end is given up after three seconds, not 30
                hurried = "--Guarded.timeout=3 --Guarded.later_timeout=1 --Guarded.own_numbers=True"
                run(f"{command} --student=slow-endless {hurried} --Guarded.iopub_timeout=300")  # it does end, some time
                run(f"{command} --student=slow-stubborn {hurried}")
            run(command)
            if command.startswith("nbgrader release_assignment"):
                (offered,) = root.glob(f"exchange/*/outbound/{NAME}")
                for student in ("blank", "cheats", *ANSWERS):
                    folder = offered.parents[1] / "inbound" / f"{student}+{NAME}+2030-01-01 12:00:00 UTC+1"
                    shutil.copytree(offered, folder)
                    nbformat.write(handed_in(offered / f"{NAME}.ipynb", student), folder / f"{NAME}.ipynb")
                    (folder / "timestamp.txt").write_text("2030-01-01 12:00:00 UTC", encoding="ascii")
                    (folder / "submission_secret.txt").write_text(f"of {student}", encoding="ascii")
        with (root / "marks.csv").open(encoding="utf8") as file:
            rows = list(csv.DictReader(file))
        marks = {row["student_id"]: float(row["score"]) for row in rows}
        yield Course(root, marks, float(rows[0]["max_score"]))


@pytest.fixture(scope="module", params=EXERCISES, ids=lambda folder: folder.name)
def released(course: Course, request: pytest.FixtureRequest) -> tuple[nbformat.NotebookNode, Path]:
    """The source of an exercise, and the folder of its released copy."""
    name = request.param.name
    if name != NAME:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("LESSONS_COURSE", str(course.root))
            run(f"nbgrader generate_assignment {name}")
    return read(request.param / f"{name}.ipynb"), course.root / "release" / name


def test_the_page_for_teachers_takes_an_exercise_all_the_way() -> None:
    verbs = [command.split()[1] for command in commands()]
    assert verbs == [
        "generate_assignment",
        "release_assignment",
        "collect",
        "autograde",
        "generate_feedback",
        "release_feedback",
        "export",
    ]


def test_the_page_for_teachers_knows_the_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "exercises")
    from grading import Guarded

    page = (ROOT / "book" / "teach.md").read_text(encoding="utf8")
    ours = Guarded()
    assert f"has {ours.timeout} seconds, and {ours.later_timeout} after" in page
    assert f"{ours.memory // 1024} GB more" in page
    assert f"print {ours.most_printed:,} characters" in page


def test_a_right_answer_gets_full_marks_whatever_it_writes_to_stderr(course: Course) -> None:
    source = read(ROOT / "exercises" / NAME / f"{NAME}.ipynb")
    assert course.max_score == sum(cell.metadata.get("nbgrader", {}).get("points", 0) for cell in source.cells)
    assert course.marks["right"] == course.marks["warns"] == course.max_score, course.feedback("warns")


def test_a_hand_in_is_graded_with_its_own_numbers_where_the_class_wants_it_so(course: Course) -> None:
    assert "numbers of 'slow-endless'" in course.feedback("slow-endless")
    assert "numbers of ''" in course.feedback("warns")


def test_a_blank_scores_nothing(course: Course) -> None:
    assert course.marks["blank"] == 0


def test_checks_that_a_student_rewrote_moved_and_tagged_are_put_back(course: Course) -> None:
    assert course.marks["cheats"] == 0


@pytest.mark.parametrize("student", SAID)
def test_a_hostile_hand_in_gets_no_points_and_a_sentence(course: Course, student: str) -> None:
    assert course.marks[student] == 0
    assert SAID[student] in course.feedback(student)


def test_every_student_gets_feedback_with_the_score(course: Course) -> None:
    assert course.marks.keys() == {"blank", "cheats", *ANSWERS}
    for student, points in course.marks.items():
        assert f"(Score: {points} / {course.max_score})" in course.feedback(student)
        assert list(course.root.glob("exchange/*/feedback/*")), "the feedback is not returned"


def test_the_released_copy_tells_neither_solution_nor_hidden_checks(
    released: tuple[nbformat.NotebookNode, Path],
) -> None:
    source, folder = released
    text = "\n".join(cell.source for cell in read(folder / f"{folder.name}.ipynb").cells)
    assert not [marker for marker in MARKERS if marker in text]
    assert "YOUR CODE HERE" in text
    sources = "\n".join(cell.source for cell in source.cells)
    assert sources.count("### BEGIN HIDDEN TESTS") >= 1
    for line in between(sources, "HIDDEN TESTS") | between(sources, "SOLUTION"):
        assert line not in text.splitlines(), f"the students' copy shows {line!r}"
    assert {path.name for path in folder.iterdir()} == {f"{folder.name}.ipynb"}


def test_the_copy_that_students_download_is_the_released_one_in_plain_markdown(
    released: tuple[nbformat.NotebookNode, Path],
) -> None:
    name = released[1].name
    copy = nbformat.reads(notebook_copy(f"exercises/{name}/{name}", Book()), as_version=4)
    theirs = read(released[1] / f"{name}.ipynb")
    mine, theirs = ([c for c in n.cells if c.cell_type == "code"] for n in (copy, theirs))
    assert [cell.source for cell in mine] == [cell.source for cell in theirs]
    assert [cell.metadata.get("nbgrader") for cell in mine] == [cell.metadata.get("nbgrader") for cell in theirs]
    assert not [cell.outputs for cell in mine if cell.outputs]


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
