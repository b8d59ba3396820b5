"""Pages of the built book, each parsed once for all tests."""

from functools import cache
from pathlib import Path

from bs4 import BeautifulSoup


@cache
def soup_of(path: Path) -> BeautifulSoup:
    """Return a page, to be read only: it is shared."""
    return BeautifulSoup(path.read_text(encoding="utf8"), "html.parser")


def page(book: Path, name: str) -> BeautifulSoup:
    """Return a page of the built book by its name, with an ending or without."""
    return soup_of((book / name).with_suffix(".html"))
