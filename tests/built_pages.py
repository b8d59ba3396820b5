"""Pages of the built book, each parsed once."""

from functools import cache
from pathlib import Path

from bs4 import BeautifulSoup


@cache
def soup_of(path: Path) -> BeautifulSoup:
    """Parse a page; callers share the result and must not change it."""
    return BeautifulSoup(path.read_text(encoding="utf8"), "html.parser")


def page(book: Path, name: str) -> BeautifulSoup:
    """Return a page of the built book by its name, with or without a suffix."""
    return soup_of((book / name).with_suffix(".html"))
