"""Where the links of a copy lead: into the published book, or to the other copies beside it."""

import os.path
from dataclasses import dataclass
from pathlib import PurePosixPath

from classroom.copies.names import BIBLIOGRAPHY, GLOSSARY

PAGES = {GLOSSARY: "glossary.md", BIBLIOGRAPHY: "bibliography.md"}
"""The pages beside the notebooks that are copied, too, and their files."""


def copy_path(page: str) -> PurePosixPath | None:
    """Return the file of a page's copy below the folder of copies, None for a page that has none."""
    if page.startswith(("notebooks/", "exercises/")):
        return PurePosixPath(f"{page.removeprefix('notebooks/')}.ipynb")
    return PurePosixPath(PAGES[page]) if page in PAGES else None


@dataclass(frozen=True)
class Book:
    """Links lead into the book, and within the copy itself to its own anchors.

    Attributes:
        url: Where the book is published; without it, other pages are named and not linked.
    """

    url: str = ""

    def of(self, page: str, anchor: str, origin: str) -> str | None:
        """Return what a link on the page `origin` has to name, None where there is no such place."""
        place = "" if page == origin and anchor else self.page(page, origin)
        return f"{place}#{anchor}" if anchor and place is not None else place

    def page(self, page: str, origin: str) -> str | None:
        """Return the address of another page."""
        return f"{self.url.rstrip('/')}/{page}.html" if self.url else None


class Folder(Book):
    """Links lead to the copies in one folder, and to the book for the pages that are not copied."""

    def page(self, page: str, origin: str) -> str | None:
        """Return the relative path of the page's copy."""
        target, own = copy_path(page), copy_path(origin)
        if target is None or own is None:
            return super().page(page, origin)
        return os.path.relpath(target, own.parent).replace(os.sep, "/")
