"""What becomes of each mutant, and of what was explained."""

import json
from pathlib import Path
from typing import Any

import pytest

from mutants import report


def mutant(line: str, **known: Any) -> dict[str, Any]:
    return {"file": "a.py", "function": "f", "line": 1, "was": "x + y", "becomes": line, **known}


@pytest.fixture
def explained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two explanations."""
    path = tmp_path / "explained.json"
    named = [{"file": "a.py", "function": "f", "was": "x + y", "becomes": line, "why": "it is"} for line in "xy"]
    path.write_text(json.dumps(named), encoding="utf8")
    monkeypatch.setattr(report, "EXPLAINED", path)


@pytest.mark.usefixtures("explained")
def test_a_survivor_is_open_unless_it_is_explained() -> None:
    ended, stale = report.sort_out(
        [
            mutant("x", caught="", left=0),
            mutant("y", caught="", left=0, solves="changed"),
            mutant("x - y", caught="", left=0, solves="changed"),
            mutant("x * y", caught="check", solves="refused"),
            mutant("x / y", caught="claim"),
            mutant("x // y"),
            mutant("x % y", caught="", left=3),
        ]
    )
    assert [about["end"] for about in ended] == ["explained", "explained", "open", "check", "claim", "", ""]
    assert stale == []
    expected = {"made": 7, "judged": 5, "claim": 1, "test": 0, "check": 1, "explained": 2, "open": 1, "waiting": 1}
    assert {name: report.table(ended)[-1][name] for name in expected} == expected


@pytest.mark.usefixtures("explained")
def test_what_explains_no_survivor_is_stale() -> None:
    _, stale = report.sort_out([mutant("x", caught="test")])
    assert [one["becomes"] for one in stale] == ["x", "y"]
    _, stale = report.sort_out([mutant("x"), mutant("y", caught="", left=0)])  # one was not judged in this run
    assert stale == []


def test_every_explanation_gives_a_reason() -> None:
    for one in report.explanations():
        assert set(one) == {"file", "function", "was", "becomes", "why"}
        assert len(one["why"]) > 20
