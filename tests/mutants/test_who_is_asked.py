"""Who is asked about a mutant: those that run its line, the quick ones first, and nobody twice."""

from pathlib import Path
from typing import Any

import pytest

from mutants import judging
from mutants.copies import Ended
from mutants.mutant import Mutant
from mutants.reach import Reach

FILE = "lessons_lib/a.py"


def answer(seconds: float, lines: list[int], **more: Any) -> dict[str, Any]:
    return {"state": str((seconds, lines)), "seconds": seconds, "value": {"lines": {FILE: lines}, **more}}


ANSWERS = {
    "claim 1.1": answer(2.0, [3]),
    "claim 1.2": answer(1.0, [3, 4]),
    "claim 1.3": answer(9.0, [4]),
    "solves plain": answer(5.0, [4], numbers=[[1.0]]),
    "tests t.py": answer(
        9.0,
        [1],
        tests={
            "t.py::slow[a b]": {"seconds": 8.0, "lines": {FILE: [4]}},
            "t.py::quick": {"seconds": 0.5, "lines": {FILE: [4]}},
            "t.py::else": {"seconds": 0.1, "lines": {FILE: [9]}},
        },
    ),
}


def test_those_are_asked_that_run_a_line() -> None:
    reach = Reach(ANSWERS)
    assert reach.of("claim", FILE, range(3, 4)) == ["1.2", "1.1"]
    assert reach.of("claim", FILE, range(3, 5)) == ["1.2", "1.1", "1.3"]
    assert reach.of("test", FILE, range(4, 5)) == ["t.py::quick", "t.py::slow[a b]"]
    assert reach.of("solves", FILE, range(4, 5)) == ["plain"]
    assert reach.of("claim", "lessons_lib/b.py", range(3, 4)) == []
    assert reach.numbers == {"plain": [[1.0]]}


def test_what_is_run_when_a_file_is_collected_counts_for_all_its_tests() -> None:
    assert len(Reach(ANSWERS).of("test", FILE, range(1, 2))) == 3


def test_a_first_look_is_short_and_a_thorough_one_asks_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = list[Any]()

    def in_a_child(copy: Path, work: Any, seconds: float) -> Ended:
        asked.append(work.args[0])
        return Ended(False if work.args[0] == "plain" else [], "", 0.0)

    monkeypatch.setattr(judging, "in_a_child", in_a_child)
    (tmp_path / "lessons_lib").mkdir()
    (tmp_path / FILE).write_text("x = 1\n", encoding="utf-8")
    mutant = Mutant(FILE, "", "Number", 4, 4, 4, "x = 1", "x = 2", "x = 2\n")
    reach = Reach(ANSWERS)
    first = judging.judged(tmp_path, mutant, reach, judging.UNKNOWN, thorough=False)
    assert asked == [["1.2"], "plain", ["t.py::quick"]]
    assert (first["caught"], first["solves"], first["left"]) == ("", "unchanged", 2)
    asked.clear()
    second = judging.judged(tmp_path, mutant, reach, first, thorough=True)
    assert asked == [["1.3"], ["t.py::slow[a b]"]]
    assert (second["caught"], second["left"]) == ("", 0)


def test_a_refused_solve_ends_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def in_a_child(copy: Path, work: Any, seconds: float) -> Ended:
        return Ended(None, "KinematicsError: wrong", 0.0) if work.args[0] == "plain" else Ended([], "", 0.0)

    monkeypatch.setattr(judging, "in_a_child", in_a_child)
    (tmp_path / "lessons_lib").mkdir()
    (tmp_path / FILE).write_text("x = 1\n", encoding="utf-8")
    mutant = Mutant(FILE, "", "Number", 4, 4, 4, "x = 1", "x = 2", "x = 2\n")
    found = judging.judged(tmp_path, mutant, Reach(ANSWERS), judging.UNKNOWN, thorough=False)
    assert (found["caught"], found["by"], found["why"]) == ("check", "plain", "KinematicsError: wrong")
