"""The book is built, and lessons run, where nothing is compiled yet."""

from pathlib import Path

import nbformat
import pytest
from building import ROOT, build_book, complaints
from nbclient import NotebookClient

pytestmark = [pytest.mark.check, pytest.mark.filterwarnings("ignore")]  # the kernel's client warns of its own future


def test_the_book_builds(tmp_path: Path) -> None:
    done = build_book(tmp_path / "book", LESSONS_CACHE_DIR=str(tmp_path / "cache"))
    assert done.returncode == 0, complaints(done.stderr.splitlines())
    assert [*(tmp_path / "cache").rglob("*.nbc")], "nothing was compiled"


@pytest.mark.parametrize("lesson", ["11_levenberg_marquardt", "14_paths", "17_tasks"])
def test_a_lesson_runs(lesson: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """These three compile the most different things."""
    monkeypatch.setenv("LESSONS_CACHE_DIR", str(tmp_path))
    notebook = nbformat.read(ROOT / "notebooks" / f"{lesson}.ipynb", as_version=4)
    NotebookClient(notebook, timeout=1800, resources={"metadata": {"path": ROOT / "notebooks"}}).execute()
    assert [*tmp_path.rglob("*.nbc")], "nothing was compiled: choose another lesson"
