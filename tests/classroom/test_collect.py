"""Collecting from the exchange takes only the student's own plain files, dated by this machine's clock."""

import os
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config

from classroom.grading import collect
from classroom.grading.collect import Collect
from classroom.grading.submission import NOTED

pytestmark = pytest.mark.filterwarnings("ignore")  # nbgrader and the packages below it warn of their own future

NAME = "02_x"
FILE = f"{NAME}.ipynb"
LONG_AGO = "2000-01-01 12:00:00 UTC"


class Course:
    """A course with one exercise, whose exchange is a folder."""

    def __init__(self, root):
        self.root, self.inbound = root, root / "exchange" / "c" / "inbound"
        self.inbound.mkdir(parents=True)
        (root / "exchange").chmod(0o777)

    def submission(self, student, text="mine", date=LONG_AGO):
        """Put a folder into the exchange, as nbgrader does, under a date."""
        folder = self.inbound / f"{student}+{NAME}+{date}+abc"
        folder.mkdir()
        nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text)]), folder / FILE)
        (folder / "timestamp.txt").write_text(date, encoding="ascii")
        (folder / "submission_secret.txt").write_text("5ec2e7", encoding="ascii")
        return folder

    def collect(self, **settings):
        config = Config({"Exchange": {"root": str(self.root / "exchange")}})
        place = CourseDirectory(course_id="c", root=str(self.root), assignment_id=NAME, config=config)
        Collect(coursedir=place, config=config, update=True, **settings).start()

    def collected_text(self, student):
        """The collected text of a student; empty without one."""
        path = self.root / "submitted" / student / NAME / FILE
        return "".join(one.source for one in nbformat.read(path, as_version=4).cells) if path.exists() else ""

    def date(self, student):
        text = (self.root / "submitted" / student / NAME / "timestamp.txt").read_text("ascii")
        return datetime.strptime(text, "%Y-%m-%d %H:%M:%S.%f UTC").replace(tzinfo=UTC)


class Book:
    """A gradebook with one exercise; a real one is a file, whose creation waits for the disk."""

    def __init__(self, *_):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def find_assignment(self, name):
        return SimpleNamespace(name=name, duedate=None, notebooks=[SimpleNamespace(name=name)])


@pytest.fixture
def course(tmp_path, monkeypatch):
    monkeypatch.setattr(collect, "Gradebook", Book)
    return Course(tmp_path)


def link_to_solution(folder):
    secret = folder.parents[3] / "solution.ipynb"
    secret.write_text("the solution", encoding="ascii")
    (folder / FILE).unlink()
    (folder / FILE).symlink_to(secret)


def linked_hard(folder):
    secret = folder.parents[3] / "solution.ipynb"
    secret.write_text("the solution", encoding="ascii")
    (folder / "notes.txt").hardlink_to(secret)


def linked_folder(folder):
    (folder / "data").symlink_to(folder.parents[3])


def linked_whole(folder):
    moved = folder.parents[2] / "moved"
    folder.rename(moved)
    folder.symlink_to(moved)


def replaced_by_a_file(folder):
    shutil.rmtree(folder)
    folder.write_text("x", encoding="ascii")


def deep(folder):
    for _ in range(30):
        folder = folder / "a"
        folder.mkdir()


REFUSED = {
    "a symbolic link for the notebook": link_to_solution,
    "a symbolic link to a folder": linked_folder,
    "a symbolic link for all of it": linked_whole,
    "a hard link": linked_hard,
    "a named pipe": lambda folder: os.mkfifo(folder / "data.txt"),
    "a file in the place of the folder": replaced_by_a_file,
    "many files": lambda folder: [(folder / str(k)).touch() for k in range(1001)],
    "folders inside each other": deep,
    "a large file": lambda folder: os.truncate(folder / FILE, 10**9),
    "a name with a line in it": lambda folder: (folder / "a\nb").touch(),
}


@pytest.mark.parametrize("what", REFUSED)
def test_other_than_plain_files_are_refused_and_the_previous_submission_counts(course, what):
    course.submission("ada", "before")
    REFUSED[what](course.submission("ada", "after", "2001-01-01 12:00:00 UTC"))
    course.collect()
    assert course.collected_text("ada") == "before"
    assert [path.name for path in (course.root / "submitted" / "ada").iterdir()] == [NAME]


def test_a_submission_of_somebody_else_is_refused(course, monkeypatch):
    course.submission("ada", "of ada")
    other = course.submission("ada", "of somebody else", "2031-01-01 12:00:00 UTC")
    if os.geteuid() == 0:
        for path in (other, *other.iterdir()):
            os.chown(path, 12345, 12345)
    else:
        monkeypatch.setattr(os, "geteuid", lambda: 12345)
        own = course.inbound.stat().st_uid
        monkeypatch.setattr(collect, "account", lambda number: "eve" if number == own else str(number))
        shutil.rmtree(course.inbound / f"ada+{NAME}+{LONG_AGO}+abc")
    course.collect()
    assert course.collected_text("ada") == ("of ada" if os.geteuid() == 0 else "")


def test_the_date_is_that_of_the_machine_whatever_a_student_writes(course):
    before = datetime.now(UTC) - timedelta(seconds=2)
    folder = course.submission("ada")
    os.utime(folder / FILE, (0, 0))
    os.utime(folder, (0, 0))
    course.collect()
    assert before < course.date("ada") < datetime.now(UTC) + timedelta(seconds=2)


def test_the_last_changed_submission_counts_whatever_its_name_says(course):
    course.submission("ada", "first", "2040-01-01 12:00:00 UTC")
    course.collect()
    assert course.collected_text("ada") == "first"
    course.submission("ada", "second", LONG_AGO)
    course.collect()
    assert course.collected_text("ada") == "second"
    date = course.date("ada")
    course.collect()
    assert course.date("ada") == date


@pytest.mark.parametrize("student", ["..", ".", "", ".hidden", "a\nb"])
def test_a_name_that_is_none_of_a_student_is_refused_and_others_are_collected(course, student):
    course.submission(student)
    (course.inbound / "no submission").mkdir()
    (course.inbound / f"ada+{NAME}+no date+x").mkdir()
    course.submission("bob")
    course.collect()
    assert course.collected_text("bob") == "mine"
    assert {path.name for path in (course.root / "submitted").iterdir()} == {"ada", "bob"}


def test_a_submission_without_the_notebook_replaces_the_previous_one_and_says_so(course):
    course.submission("ada")
    course.collect()
    folder = course.submission("ada", "x", "2031-01-01 12:00:00 UTC")
    (folder / FILE).rename(folder / "other.ipynb")
    course.collect()
    noted = nbformat.read(course.root / "submitted" / "ada" / NAME / FILE, as_version=4).metadata[NOTED]
    assert noted["unreadable"] == f"it has no file {FILE}, but other.ipynb"


def test_a_folder_that_vanishes_or_cannot_be_read_keeps_nobody_from_being_collected(course, monkeypatch):
    listed = os.lstat
    gone = course.submission("ada")
    course.submission("bob")

    def lstat(path, **named):
        if gone == Path(path) or gone in Path(path).parents:
            raise PermissionError(path)
        return listed(path, **named)

    monkeypatch.setattr(os, "lstat", lstat)
    course.collect()
    assert course.collected_text("ada") == "" and course.collected_text("bob") == "mine"


@pytest.mark.parametrize("secret", [None, b"", b"\xff", b"../../x"])
def test_a_submission_has_a_secret_for_its_feedback(course, secret):
    path = course.submission("ada") / "submission_secret.txt"
    path.unlink() if secret is None else path.write_bytes(secret)
    course.collect()
    assert (course.root / "submitted" / "ada" / NAME / "submission_secret.txt").read_text("ascii").isalnum()
