"""Write copies of the notebooks: lessons and exercises for JupyterLab, or the exercises for a class.

python -m classroom.copies lab        what `make lab` opens, in lab/
python -m classroom.copies student    what `make student` hands out, in build/student/
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

from classroom.copies import course, folder
from classroom.copies.addresses import Book
from classroom.copies.names import ROOT
from classroom.grading.apart import open_to_it

KINDS = {"lab": (ROOT / "lab", course.folder_copies), "student": (ROOT / "build" / "student", course.student_copies)}


def report(done: folder.Written, place: Path) -> None:
    """Say what was written, and what stayed because it is the reader's."""
    if done.new:
        print(f"{len(done.new)} files written in {place}")
    for name in done.kept:
        print(f"{place / name}: yours, so it stays; the course has a newer one: rename yours, and run this again")


def main(arguments: Sequence[str] | None = None) -> int:
    """Write one kind of copies; returns the exit status."""
    parser = argparse.ArgumentParser("python -m classroom.copies", description="Write copies of the notebooks.")
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("--book", metavar="URL", help="where the book is published, if not as its configuration says")
    parser.add_argument("--to", type=Path, metavar="FOLDER", help="where to write")
    options = parser.parse_args(arguments)
    usual, made = KINDS[options.kind]
    place = options.to or usual
    book = course.published() if options.book is None else Book(options.book)
    report(folder.write(made(book), place), place)
    if options.kind == "student" and (sentence := open_to_it()):
        print(sentence)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
