"""Every exercise goes through the real nbgrader: released, handed in by three students, graded, sent back."""

import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbgrader.api import Gradebook
from nbgrader.apps import NbGraderAPI
from traitlets.config import PyFileConfigLoader

# nbgrader and the packages below it warn of their own future; nothing of ours runs in this process here.
pytestmark = pytest.mark.filterwarnings("ignore")

EXERCISES = Path(__file__).resolve().parent.parent / "exercises"
NAMES = sorted(folder.name for folder in EXERCISES.glob("*/") if not folder.name.startswith((".", "_")))
STUDENTS = ("blank", "solution", "mistake")
MARKERS = ("BEGIN SOLUTION", "END SOLUTION", "BEGIN HIDDEN TESTS", "END HIDDEN TESTS")


@dataclass(frozen=True)
class Graded:
    """One exercise after grading.

    Attributes:
        name: Of the exercise.
        root: Folder of the course.
        source: The exercise's notebook, with its solution.
        scores: Student to points.
        max_score: Points of a perfect hand-in, as the gradebook has it.
    """

    name: str
    root: Path
    source: nbformat.NotebookNode
    scores: dict[str, float]
    max_score: float

    def notebook(self, step: str, student: str = ".") -> nbformat.NotebookNode:
        return read(self.root / step / student / self.name / f"{self.name}.ipynb")


def read(path: Path) -> nbformat.NotebookNode:
    return nbformat.read(path, as_version=4)


def marked(notebook: nbformat.NotebookNode, flag: str) -> list[nbformat.NotebookNode]:
    """Return the cells whose nbgrader metadata sets `flag`."""
    return [cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get(flag)]


def succeed(answer: dict[str, Any]) -> None:
    """Fail with nbgrader's own words if a step of it did not succeed."""
    assert answer["success"], answer.get("error", "") + answer.get("log", "")


def hand_in(api: NbGraderAPI, name: str, student: str, solution: str | None, checks: str | None = None) -> None:
    """Put a student's copy into the course: as released, or with another solution cell or other check cells."""
    root = Path(api.coursedir.root)
    folder = root / "submitted" / student / name
    shutil.copytree(root / "release" / name, folder)
    path = folder / f"{name}.ipynb"
    notebook = read(path)
    for flag, text in (("solution", solution), ("grade", checks)):
        for cell in marked(notebook, flag) if text is not None else ():
            cell.source = text
    nbformat.write(notebook, path)


def score(api: NbGraderAPI, name: str, student: str) -> tuple[float, float]:
    """Return (score, max_score) out of the gradebook."""
    with Gradebook(api.coursedir.db_url) as gradebook:
        submission = gradebook.find_submission(name, student)
        return submission.score, submission.max_score


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NbGraderAPI]:
    """A course in a temporary folder, configured by exercises/nbgrader_config.py."""
    root = tmp_path_factory.mktemp("course")
    config = PyFileConfigLoader("nbgrader_config.py", path=str(EXERCISES)).load_config()
    config.CourseDirectory.root = str(root)
    config.CourseDirectory.db_url = f"sqlite:///{root / 'gradebook.db'}"
    config.Exchange.root = str(root / "exchange")
    with pytest.MonkeyPatch.context() as patch:  # nbgrader calls alembic by its bare name
        patch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
        yield NbGraderAPI(config=config)


@pytest.fixture(scope="module", params=NAMES)
def graded(course: NbGraderAPI, request: pytest.FixtureRequest) -> Iterator[Graded]:
    """An exercise, released, handed in by every student, graded and sent back."""
    name = request.param
    source = read(EXERCISES / name / f"{name}.ipynb")
    succeed(course.generate_assignment(name))
    (solution_cell,) = marked(source, "solution")
    mistake = (EXERCISES / name / "typical_mistake.py").read_text(encoding="utf8")
    for student, solution in zip(STUDENTS, (None, solution_cell.source, mistake), strict=True):
        hand_in(course, name, student, solution)
    succeed(course.autograde(name, "*"))
    succeed(course.generate_feedback(name))
    scores = {student: score(course, name, student)[0] for student in STUDENTS}
    yield Graded(name, Path(course.coursedir.root), source, scores, score(course, name, "solution")[1])


def test_there_are_exercises() -> None:
    assert NAMES, f"no exercise in {EXERCISES}"


def test_the_points_come_in_parts(graded: Graded) -> None:
    points = [cell.metadata.nbgrader.points for cell in marked(graded.source, "grade")]
    assert len(points) >= 2, "one graded cell is all or nothing"
    assert min(points) > 0
    assert graded.max_score == sum(points)


def test_the_released_copy_tells_neither_solution_nor_hidden_checks(graded: Graded) -> None:
    released = graded.notebook("release")
    text = "\n".join(cell.source for cell in released.cells)
    assert not [marker for marker in MARKERS if marker in text]
    assert "YOUR CODE HERE" in text
    sources = "\n".join(cell.source for cell in graded.source.cells)
    assert sources.count("### BEGIN HIDDEN TESTS") >= 1
    for line in between(sources, "HIDDEN TESTS") | between(sources, "SOLUTION"):
        assert line not in text, f"the students' copy shows {line!r}"
    assert {path.name for path in (graded.root / "release" / graded.name).iterdir()} == {f"{graded.name}.ipynb"}


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


def test_a_blank_scores_nothing(graded: Graded) -> None:
    assert graded.scores["blank"] == 0


def test_the_solution_scores_full_marks(graded: Graded) -> None:
    assert graded.scores["solution"] == graded.max_score, errors(graded, "solution")


def test_a_typical_mistake_scores_a_part_and_is_told_why(graded: Graded) -> None:
    assert 0 < graded.scores["mistake"] < graded.max_score, errors(graded, "mistake")
    for kind, message in errors(graded, "mistake"):
        assert kind == "AssertionError", f"a check fails with {kind}: {message}"
        assert len(message.split()) >= 5, f"a check has to say what is wrong, and where; it says {message!r}"


def errors(graded: Graded, student: str) -> list[tuple[str, str]]:
    """Return (type, message) of every error in a student's graded notebook."""
    cells = [cell for cell in graded.notebook("autograded", student).cells if cell.cell_type == "code"]
    return [(o.ename, o.evalue) for cell in cells for o in cell.outputs if o.output_type == "error"]


def test_every_student_gets_feedback_with_the_score(graded: Graded) -> None:
    for student in STUDENTS:
        page = (graded.root / "feedback" / student / graded.name / f"{graded.name}.html").read_text(encoding="utf8")
        assert f"(Score: {graded.scores[student]} / {graded.max_score})" in page


def test_checks_that_a_student_rewrote_are_put_back(course: NbGraderAPI) -> None:
    name = NAMES[0]
    succeed(course.generate_assignment(name))
    hand_in(course, name, "cheat", None, checks="pass")
    succeed(course.autograde(name, "cheat"))
    assert score(course, name, "cheat")[0] == 0
