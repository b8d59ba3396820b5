"""Collect submissions from the exchange: the student's own plain files, dated by this machine's clock.

Every student can write into the folder `inbound`, under any name and with any date. So neither the date in a folder's
name nor `timestamp.txt` counts: the date of a submission is the last change of its files recorded by the system
(`st_ctime`), which only an administrator can set. Each file is opened once, then checked and copied through the same
descriptor, so that it cannot be exchanged in between.
"""

import contextlib
import os
import secrets
import shutil
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from fnmatch import fnmatch
from itertools import islice
from pathlib import Path
from typing import Any

import nbformat
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.exchange.default import ExchangeCollect

from classroom.grading.submission import unreadable_notebook

try:
    import pwd
except ImportError:  # Windows, where nbgrader has no exchange
    pwd = None  # type: ignore[assignment]

MOST_FILES = 1000
DEEPEST = 20
"""Largest number of files of a submission, and largest depth of its folders."""
SECRET = "submission_secret.txt"
OPENED = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
KINDS = {
    stat.S_IFLNK: "a symbolic link",
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


class NotCollected(Exception):
    """A submission is refused; the text gives the reason."""


@dataclass(frozen=True)
class Submission:
    """A submission's folder in the exchange.

    Attributes:
        path: Path of the folder.
        student: Student, from the folder's name.
        changed: Time of the last change in the folder, by this machine's clock.
    """

    path: Path
    student: str
    changed: datetime


@dataclass
class PlainCopy:
    """Copy a folder of plain files that all belong to one user.

    Attributes:
        owner: User number of the owner.
        ignored: Patterns of names that are skipped.
        room: Bytes that may still be copied.
        files: Number of files that may still be copied.
        latest: Time of the last change so far, ns.
    """

    owner: int
    ignored: list[str]
    room: int
    files: int = MOST_FILES
    latest: int = 0

    def folder(self, opened: int, source: str, target: Path, depth: int = 0) -> None:
        """Copy the folder of an open descriptor, and close it."""
        try:
            self.check(os.fstat(opened), source, stat.S_ISDIR)
            if depth > DEEPEST:
                raise NotCollected(f"its folders are nested more than {DEEPEST} deep")
            target.mkdir(parents=True)
            for name in sorted(os.listdir(opened)):
                if not any(fnmatch(name, pattern) for pattern in self.ignored):
                    self.entry(opened, name, f"{source}/{name}", target / name, depth)
        finally:
            os.close(opened)

    def entry(self, parent: int, name: str, source: str, target: Path, depth: int) -> None:
        """Copy one entry of a folder."""
        if not name.isprintable():
            raise NotCollected(f"the file name {name!r} contains characters that cannot be printed")
        self.files -= 1
        if self.files < 0:
            raise NotCollected(f"it has more than {MOST_FILES} files")
        is_folder = stat.S_ISDIR(mode := os.stat(name, dir_fd=parent, follow_symlinks=False).st_mode)
        if not is_folder and not stat.S_ISREG(mode):
            raise NotCollected(f"{source} is {KINDS.get(stat.S_IFMT(mode), 'not a plain file')}")
        opened = os.open(name, OPENED, dir_fd=parent)
        if is_folder:
            self.folder(opened, source, target, depth + 1)
            return
        with os.fdopen(opened, "rb") as file:
            info = os.fstat(opened)
            self.check(info, source, stat.S_ISREG)
            if info.st_nlink != 1:
                raise NotCollected(f"{source} is a hard link: it has {info.st_nlink} names")
            data = file.read(self.room + 1)
        self.room -= len(data)
        if self.room < 0:
            raise NotCollected("it is larger than max_dir_size of nbgrader's CourseDirectory")
        target.write_bytes(data)

    def check(self, info: os.stat_result, source: str, is_kind: Any) -> None:
        """Check kind and owner of an open file, and record the time of its last change."""
        if not is_kind(info.st_mode):
            raise NotCollected(f"{source} is not a plain file or folder")
        if info.st_uid != self.owner:
            raise NotCollected(f"{source} belongs to {account(info.st_uid)}, its folder to {account(self.owner)}")
        self.latest = max(self.latest, info.st_ctime_ns)


class Collect(ExchangeCollect):  # type: ignore[misc] # nbgrader has no types
    """Collect each student's newest submission that consists of the student's own plain files.

    With `check_owner`, the default, a submission must belong to the account with the student's name, or to the account
    that collects or released the exercise.
    """

    def init_src(self) -> None:
        """Find the submissions of each student, in order of preference."""
        self.inbound_path = Path(self.root) / self.coursedir.course_id / "inbound"
        if not self.coursedir.course_id or not self.inbound_path.is_dir():
            self.fail(f"no course at {self.inbound_path}: release an exercise first")
        if not os.access(self.inbound_path, os.R_OK | os.X_OK):
            self.fail(f"you cannot read {self.inbound_path}")
        with Gradebook(self.coursedir.db_url, self.coursedir.course_id) as book:
            try:
                assignment = book.find_assignment(self.coursedir.assignment_id)
            except MissingEntry:
                self.fail(f"no exercise {self.coursedir.assignment_id}: make it by nbgrader generate_assignment")
            due = assignment.duedate and assignment.duedate.replace(tzinfo=UTC)
            self.notebooks = [f"{one.name}.ipynb" for one in assignment.notebooks]
        by_student: dict[str, list[Submission]] = {}
        for one in self.submissions():
            by_student.setdefault(one.student, []).append(one)
        in_time = due if self.before_duedate else None
        self.src_records = [
            sorted(some, key=lambda one: (in_time is None or one.changed <= in_time, one.changed), reverse=True)
            for _, some in sorted(by_student.items())
        ]

    def submissions(self) -> Iterator[Submission]:
        """Yield all submitted folders of the exercise."""
        for path in self.inbound_path.iterdir():
            parts = path.name.rsplit("+", 3)
            if len(parts) < 3 or parts[1] != self.coursedir.assignment_id:
                continue
            student = parts[0]
            if student.startswith(".") or not student or not student.isprintable():
                self.log.error("%r is not collected: %r is not a valid student name", path.name, student)
            elif self.coursedir.student_id in ("", "*", student):
                try:
                    yield Submission(path, student, last_change(path))
                except OSError as problem:  # removed meanwhile
                    self.log.error("%s is NOT collected: %s", path, problem)

    def copy_files(self) -> None:
        """Collect new submissions."""
        if not self.src_records:
            self.log.warning("There is no submission of %s to collect", self.coursedir.assignment_id)
        unchecked = [student for some in self.src_records if (student := self.collect(some))]
        if unchecked:
            self.log.warning(
                "The submissions from %s belong to the collecting account, so it is impossible to tell who made them",
                ", ".join(unchecked),
            )

    def collect(self, candidates: list[Submission]) -> str:
        """Collect the first acceptable submission; return the student if no account confirms the owner.

        A submission older than the collected one is skipped.
        """
        student = candidates[0].student
        place = self.coursedir.format_path(self.coursedir.submitted_directory, student, self.coursedir.assignment_id)
        target, arriving = Path(place), Path(f"{place}.arriving")
        there = self.coursedir.get_existing_timestamp(place) if target.is_dir() else None
        there = there and there.replace(tzinfo=UTC)
        if target.is_dir() and not (self.update or self.before_duedate):
            self.log.info("%s is collected already; --update takes a newer one", student)
            return ""
        for one in candidates:
            if there and (one.changed == there or one.changed < there and not self.before_duedate):
                self.log.info("There is no newer submission from %s", student)
                return ""
            shutil.rmtree(arriving, ignore_errors=True)
            try:
                own = self.copy(one, arriving)
            except (NotCollected, OSError) as problem:
                self.log.error("%s is NOT collected: %s", one.path, problem)
                continue
            shutil.rmtree(target, ignore_errors=True)
            arriving.rename(target)
            self.log.info("Collected: %s of %s, submitted %s", self.coursedir.assignment_id, student, one.changed)
            return "" if own else student
        shutil.rmtree(arriving, ignore_errors=True)
        return ""

    def copy(self, one: Submission, target: Path) -> bool:
        """Copy a submission with its date; return whether an account confirms its owner."""
        info = os.lstat(one.path)
        if not stat.S_ISDIR(info.st_mode):
            raise NotCollected(f"it is {KINDS.get(stat.S_IFMT(info.st_mode), 'no folder')}")
        opened = os.open(one.path, OPENED)
        owner = os.fstat(opened).st_uid
        ours = {os.geteuid(), self.inbound_path.stat().st_uid}
        own = account(owner) == one.student
        if self.check_owner and not own and owner not in ours:
            os.close(opened)
            raise NotCollected(f"it belongs to {account(owner)}, not to {one.student}")
        ignored = [*self.coursedir.ignore, "timestamp.txt"]
        copied = PlainCopy(owner, ignored, 1000 * self.coursedir.max_dir_size)
        copied.folder(opened, one.path.name, target)
        changed = max(one.changed, moment(copied.latest))
        (target / "timestamp.txt").write_text(f"{changed:%Y-%m-%d %H:%M:%S.%f} UTC", encoding="ascii")
        complete(target, self.notebooks)
        return own


def complete(target: Path, notebooks: list[str]) -> None:
    """Add the files that nbgrader needs: a secret for the feedback, and a placeholder for each missing notebook."""
    secret = target / SECRET
    if secret.is_dir():
        shutil.rmtree(secret)
    if not secret.is_file() or not secret.read_bytes().isalnum():
        secret.unlink(missing_ok=True)
        secret.write_text(secrets.token_hex(64), encoding="ascii")
    for name in notebooks:
        if not (target / name).is_file():
            shutil.rmtree(target / name, ignore_errors=True)  # a folder of that name
            others = ", ".join(sorted(path.name for path in target.glob("*.ipynb"))) or "no notebook at all"
            nbformat.write(unreadable_notebook(f"it has no file {name}, but {others}"), target / name)


def last_change(path: Path) -> datetime:
    """Return the time of the last change of a folder or of anything in it, without following links.

    Entries that `copy` refuses are skipped: unreadable ones, too many files, too deep folders.
    """
    latest, left, to_read = os.lstat(path).st_ctime_ns, MOST_FILES, [(path, 0)]
    while to_read and left:
        folder, depth = to_read.pop()
        with contextlib.suppress(OSError), os.scandir(folder) as entries:
            for entry in islice(entries, left):
                left -= 1
                latest = max(latest, entry.stat(follow_symlinks=False).st_ctime_ns)
                if depth < DEEPEST and entry.is_dir(follow_symlinks=False):
                    to_read.append((Path(entry.path), depth + 1))
    return moment(latest)


def moment(nanoseconds: int) -> datetime:
    """Return a system time, rounded to the microsecond."""
    return datetime.fromtimestamp(0, UTC) + timedelta(microseconds=nanoseconds // 1000)


def account(number: int) -> str:
    """Return the name of a user, or its number if it has none."""
    try:
        return str(pwd.getpwuid(number).pw_name)
    except KeyError:
        return f"user {number}"
