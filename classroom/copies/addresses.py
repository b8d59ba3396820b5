"""Resolve the links of a copy: into the published book, or to the other copies in its folder."""

import os.path
from dataclasses import dataclass
from pathlib import PurePosixPath

from classroom.copies.names import BIBLIOGRAPHY, GLOSSARY

PAGES = {GLOSSARY: "glossary.md", BIBLIOGRAPHY: "bibliography.md"}
"""Other pages that are copied, and their files."""


def copy_path(page: str) -> PurePosixPath | None:
    """Return the path of a page's copy below the folder of copies, or None if the page is not copied."""
    if page.startswith(("notebooks/", "exercises/")):
        return PurePosixPath(f"{page.removeprefix('notebooks/')}.ipynb")
    return PurePosixPath(PAGES[page]) if page in PAGES else None


@dataclass(frozen=True)
class Book:
    """Resolve links into the published book, and to anchors within the copy itself.

    Attributes:
        url: Address of the published book; without it, other pages are named but not linked.
    """

    url: str = ""

    def of(self, page: str, anchor: str, origin: str) -> str | None:
        """Return the address of a link on the page `origin`, or None if the target does not exist."""
        place = "" if page == origin and anchor else self.page(page, origin)
        return f"{place}#{anchor}" if anchor and place is not None else place

    def page(self, page: str, origin: str) -> str | None:
        """Return the address of another page."""
        return f"{self.url.rstrip('/')}/{page}.html" if self.url else None


class Folder(Book):
    """Resolve links to the copies in one folder, and to the book for pages that are not copied."""

    def page(self, page: str, origin: str) -> str | None:
        """Return the relative path of the page's copy."""
        target, own = copy_path(page), copy_path(origin)
        if target is None or own is None:
            return super().page(page, origin)
        return os.path.relpath(target, own.parent).replace(os.sep, "/")
