"""Build the book as `make book` does, with warnings as errors; its pages, each parsed once."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bs4 import BeautifulSoup

ROOT = Path(__file__).resolve().parents[1]


def build_book(output: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Build the book in a folder, with additional environment variables."""
    command = [sys.executable, "book/build_book.py", "--path-output", str(output)]
    variables = os.environ | environment
    return subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, timeout=1800)


def complaints(lines: list[str]) -> list[str]:
    """Return the warnings and errors in the log of a build, or its last lines."""
    return [line for line in lines if "WARNING" in line or "ERROR" in line] or lines[-20:]


@cache
def soup_of(path: Path) -> BeautifulSoup:
    """Parse a page; callers share the result and must not change it."""
    from bs4 import BeautifulSoup  # not installed where the library alone is tested

    return BeautifulSoup(path.read_text(encoding="utf8"), "html.parser")


def page(book: Path, name: str) -> BeautifulSoup:
    """Return a page of the built book by its name, with or without a suffix."""
    return soup_of((book / name).with_suffix(".html"))
