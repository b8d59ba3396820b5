"""Copies are updated while they are unchanged, and a reader's work is never overwritten."""

from pathlib import Path

import pytest

from classroom.copies import __main__ as command
from classroom.copies import folder


def test_a_copy_that_nobody_changed_is_made_anew(tmp_path: Path) -> None:
    assert folder.write({"a.ipynb": "one", "b/c.ipynb": "two"}, tmp_path).new == ["a.ipynb", "b/c.ipynb"]
    assert folder.write({"a.ipynb": "one", "b/c.ipynb": "two"}, tmp_path) == folder.Written()
    assert folder.write({"a.ipynb": "newer", "b/c.ipynb": "two"}, tmp_path).new == ["a.ipynb"]
    assert (tmp_path / "a.ipynb").read_text("utf-8") == "newer"


def test_a_changed_file_stays_and_is_reported_when_the_course_is_newer(tmp_path: Path) -> None:
    folder.write({"a.ipynb": "one"}, tmp_path)
    (tmp_path / "a.ipynb").write_text("mine", encoding="utf-8")
    assert folder.write({"a.ipynb": "one"}, tmp_path) == folder.Written()
    for _ in range(2):
        assert folder.write({"a.ipynb": "newer"}, tmp_path) == folder.Written(kept=["a.ipynb"])
        assert (tmp_path / "a.ipynb").read_text("utf-8") == "mine"
    (tmp_path / "a.ipynb").unlink()
    assert folder.write({"a.ipynb": "newer"}, tmp_path).new == ["a.ipynb"]


@pytest.mark.parametrize("spoilt", ["", "[1]", "{"])
def test_without_the_list_a_file_counts_as_the_readers(tmp_path: Path, spoilt: str) -> None:
    folder.write({"a.ipynb": "one", "b.ipynb": "two"}, tmp_path)
    (tmp_path / folder.LIST).write_text(spoilt, encoding="utf-8")
    assert folder.write({"a.ipynb": "newer", "b.ipynb": "two"}, tmp_path) == folder.Written(kept=["a.ipynb"])
    assert folder.write({"b.ipynb": "newer"}, tmp_path).new == ["b.ipynb"], "it was as the course has it"


@pytest.mark.parametrize(("kind", "said"), [("student", "It could read all.\n"), ("lab", "")])
def test_releasing_exercises_reports_the_gaps_of_the_sandbox(
    kind: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(command.KINDS, kind, (tmp_path, lambda book: {}))
    monkeypatch.setattr(command, "sandbox_gaps", lambda: "It could read all.")
    assert command.main([kind]) == 0
    assert capsys.readouterr().out == said
