"""A few symbols are changed in a copy of the library: each time the build refuses it, and no solve stays as it was.

And what is known of the many that `make mutants` judges is taken up by the next run.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from mutants import judging, known, report
from mutants.mutant import Mutant
from mutants.named import NAMED
from mutants.reach import Reach

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def judged() -> dict[str, Any]:
    """What came of each mutant; they share a process, because each alone would import SymPy anew."""
    command = [sys.executable, "-m", "mutants.named"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=3600)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("name", [named.name for named in NAMED])
def test_a_claim_or_a_check_refuses_it(name: str, judged: dict[str, Any]) -> None:
    assert judged[name]["refused"]


@pytest.mark.parametrize("name", [named.name for named in NAMED if named.lesson])
def test_the_claims_of_its_lesson_refuse_a_wrong_derivation(name: str, judged: dict[str, Any]) -> None:
    assert "ClaimError" in judged[name]["refused"]


@pytest.mark.parametrize("name", [named.name for named in NAMED])
def test_the_solve_changes_or_is_refused(name: str, judged: dict[str, Any]) -> None:
    assert judged[name]["solve"] in ("changed", "refused")


FILE = "lessons_lib/symbolic/so3.py"
CAUGHT = {
    "caught": "claim",
    "by": "2.9",
    "why": "ClaimError",
    "solves": "changed",
    "stage": "plain",
    "how": "",
    "met": "",
}
SURVIVED = dict.fromkeys(CAUGHT, "") | {"solves": "unchanged", "met": "0123456789ab"}


def mutant(becomes: str, was: str = "return a") -> Mutant:
    return Mutant(FILE, "hat", "Add_Sub", 24, 24, 24, was, becomes, "")


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Store results as if an earlier run had left them."""
    monkeypatch.setattr(known, "RESULTS", tmp_path / "results.json")
    monkeypatch.setattr(known, "WORK", tmp_path)

    def store_them(text: str, answers: dict[Mutant, dict[str, str]]) -> None:
        rows = [one.about() | answer for one, answer in answers.items()]
        results = {"files": [{"file": FILE, "text": text}, {"file": "all"}], "mutants": rows}
        known.RESULTS.write_text(json.dumps(results), encoding="utf-8")

    return store_them


def test_what_was_stored_of_a_file_holds_until_the_file_changes(store: Any) -> None:
    caught, survived, new = mutant("return -a"), mutant("return b"), mutant("return c")
    store(known.text_of(FILE), {caught: CAUGHT, survived: SURVIVED})
    found = known.answers_about([caught, survived, new])
    assert {one: answer["caught"] for one, answer in found.items()} == {caught: "claim", survived: ""}
    store("another text", {caught: CAUGHT, survived: SURVIVED})
    assert known.answers_about([caught, survived, new]) == {}
    assert known.noticed_before([caught, survived, new]) == {caught: ("claim", "2.9")}


def test_what_a_run_that_was_ended_wrote_down_counts_more_than_what_was_stored(store: Any) -> None:
    one = mutant("return -a")
    store(known.text_of(FILE), {one: SURVIVED})
    known.keep(one, judging.UNKNOWN | {"caught": "test", "by": "tests/a.py::test_b", "left": 0})
    with (known.WORK / "judged.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"file": "lessons_lib/sym')  # the run was ended here
    assert known.answers_about([one])[one]["by"] == "tests/a.py::test_b"
    assert known.noticed_before([one]) == {one: ("test", "tests/a.py::test_b")}


def test_a_survivor_is_shown_who_is_new_and_an_explained_one_no_more_than_that(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = {"lines": {FILE: [24]}}
    before = Reach({"claim 2.9": {"state": "s", "seconds": 1.0, "value": lines}})
    one = mutant("return b")
    survived = judging.UNKNOWN | {"met": judging.judges_of(one, before), "left": 3, "passed": ["x"]}
    looks = (False, True)
    assert [judging.is_left(one, survived, before, thorough) for thorough in looks] == [False, True]
    assert not judging.is_left(one, survived | {"left": 0}, before, thorough=True)
    after = Reach({"claim 2.9": {"state": "another", "seconds": 1.0, "value": lines}})
    assert judging.is_left(one, survived | {"left": 0}, after, thorough=False)
    caught = judging.UNKNOWN | {"caught": "claim", "solves": ""}
    assert [judging.is_left(one, caught, before, thorough) for thorough in looks] == [False, True]
    assert not judging.is_left(one, caught | {"solves": "changed"}, before, thorough=True)
    monkeypatch.setattr(judging, "is_explained", lambda about: True)
    assert [judging.is_left(one, survived, before, thorough) for thorough in looks] == [False, False]
    assert judging.is_left(one, survived, after, thorough=False)


def test_an_explanation_of_what_is_caught_or_gone_is_stale(monkeypatch: pytest.MonkeyPatch) -> None:
    survived, caught, gone, open_one = (mutant(f"return {name}") for name in "abcd")
    reasons = [{**one.about(), "why": "the same"} for one in (survived, caught, gone)]
    monkeypatch.setattr(report, "explanations", lambda: reasons)
    report._explained.cache_clear()
    answers = {survived: SURVIVED | {"left": 5}, caught: CAUGHT | {"left": 0}, open_one: SURVIVED | {"left": 0}}
    ended, stale = report.sort_out(one.about() | answer for one, answer in answers.items())
    report._explained.cache_clear()
    assert [about["end"] for about in ended] == ["explained", "claim", "open"]
    assert [one["becomes"] for one in stale] == ["return b", "return c"]
