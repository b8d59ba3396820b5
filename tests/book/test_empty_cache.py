"""The book builds with an empty cache; `make check` runs the lessons with one."""

from pathlib import Path

import pytest
from building import build_book, complaints


@pytest.mark.release
def test_the_book_builds(tmp_path: Path) -> None:
    done = build_book(tmp_path / "book", LESSONS_CACHE_DIR=str(tmp_path / "cache"))
    assert done.returncode == 0, complaints(done.stderr.splitlines())
    assert [*(tmp_path / "cache").rglob("*.o")], "nothing was compiled"
