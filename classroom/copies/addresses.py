"""Where the links of a copy lead: to the other copies beside it, or into the published book."""

import os.path
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Protocol

from classroom.copies.names import BIBLIOGRAPHY, GLOSSARY

PAGES = {GLOSSARY: "glossary.md", BIBLIOGRAPHY: "bibliography.md"}
"""The pages beside the notebooks that are copied, too, and their files."""


class Address(Protocol):
    """Finds the target of a link."""

    def of(self, page: str, anchor: str, origin: str) -> str | None:
        """Return what a link on the page `origin` has to name, None where there is no such place."""


def copy_path(page: str) -> PurePosixPath | None:
    """Return the file of a page's copy below the folder of copies, None for a page that has none."""
    if page in PAGES:
        return PurePosixPath(PAGES[page])
    room, _, name = page.partition("/")
    below = {"notebooks": "", "exercises": "exercises"}.get(room)
    return None if below is None else PurePosixPath(below, f"{name}.ipynb")


def with_anchor(target: str, anchor: str) -> str:
    """Return the target of a link to an anchor; empty for the page itself."""
    return f"{target}#{anchor}" if anchor else target


@dataclass(frozen=True)
class Book:
    """Links lead into the book, and within the copy itself to its own anchors.

    Attributes:
        url: Where the book is published; without it, other pages are named and not linked.
    """

    url: str = ""

    def of(self, page: str, anchor: str, origin: str) -> str | None:
        """Return the address of the page in the book."""
        if page == origin and anchor:
            return f"#{anchor}"
        return with_anchor(f"{self.url.rstrip('/')}/{page}.html", anchor) if self.url else None


@dataclass(frozen=True)
class Folder:
    """Links lead to the copies in one folder, and to the book for the pages that are not copied.

    Attributes:
        book: Where these stand.
    """

    book: Book = Book()

    def of(self, page: str, anchor: str, origin: str) -> str | None:
        """Return the relative path of the page's copy."""
        target, own = copy_path(page), copy_path(origin)
        if target is None or own is None:
            return self.book.of(page, anchor, origin)
        if target == own and anchor:
            return f"#{anchor}"
        return with_anchor(os.path.relpath(target, own.parent).replace(os.sep, "/"), anchor)
