"""Write copies of the notebooks: lessons and exercises for JupyterLab, or the exercises for a class.

python -m classroom.copies lab        what `make lab` opens, in lab/
python -m classroom.copies student    what `make student` writes, in build/student/
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

from classroom.copies import course, folder
from classroom.copies.addresses import Book
from classroom.copies.names import ROOT
from classroom.grading.sandbox import sandbox_gaps

KINDS = {"lab": (ROOT / "lab", course.folder_copies), "student": (ROOT / "build" / "student", course.student_copies)}


def report(done: folder.Written, place: Path) -> None:
    """Print which copies were written and which files were kept because the reader changed them."""
    if done.new:
        print(f"{len(done.new)} files written in {place}")
    for name in done.kept:
        print(f"{place / name}: yours, so it stays; the course has a newer one: rename yours, and run this again")


def main(arguments: Sequence[str] | None = None) -> int:
    """Write one kind of copies and return the exit status."""
    parser = argparse.ArgumentParser("python -m classroom.copies", description="Write copies of the notebooks.")
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("--book", metavar="URL", help="where the book is published, if not as its configuration says")
    parser.add_argument("--to", type=Path, metavar="FOLDER", help="where to write")
    options = parser.parse_args(arguments)
    usual, writer = KINDS[options.kind]
    place = options.to or usual
    book = course.read_book_url() if options.book is None else Book(options.book)
    report(folder.write(writer(book), place), place)
    if options.kind == "student" and (sentence := sandbox_gaps()):
        print(sentence)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
