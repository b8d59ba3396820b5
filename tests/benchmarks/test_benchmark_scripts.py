"""Every script runs on a handful of poses with whatever peers there are, and leaves the promised JSON."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmarks import figures, first_use, machine, methods, near, one_pose, quik, solvers, start
from benchmarks.__main__ import CLAIMS, scripts
from benchmarks.report import RESULTS
from lessons_lib.studies import read_measurement

ROOT = Path(__file__).resolve().parents[2]


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *words], cwd=ROOT, capture_output=True, text=True, timeout=900)


MINUTES = ("start", "first_use", "methods")
"""Scripts whose smallest run derives and compiles; a part of each is tried below."""


@pytest.mark.parametrize("name", [name for name in scripts() if name not in MINUTES])
def test_a_script_prints_its_table_and_leaves_what_it_promises(name: str, tmp_path: Path) -> None:
    done = run("-m", f"benchmarks.{name}", "--size", "1", "--output", str(tmp_path))
    assert done.returncode == 0, done.stderr
    measured = read_measurement(tmp_path / f"{name}.json")
    assert measured.name == name
    assert measured.rows and all(set(row) == set(measured.columns) for row in measured.rows)
    for heading in measured.columns.values():
        assert heading in done.stdout
    assert measured.machine.keys() == {"processor", "cores", "system"}
    assert {"python", "numpy", "numba"} <= measured.versions.keys()
    for peer, reason in measured.missing.items():
        assert f"missing: {peer}: {reason}" in done.stdout


def test_the_start_is_measured_part_by_part(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Of all its parts two that load little, and one of them as if its cache were empty: deriving takes a minute."""
    numpy = start.PARTS["import numpy"]
    parts = {"import numpy": numpy, "again": replace(numpy, against="import numpy", goal=1.5, cold=True)}
    monkeypatch.setattr(start, "PARTS", parts)
    measured = read_measurement(start.measure(1).write(tmp_path))
    assert [row["part"] for row in measured.rows] == ["import numpy", "again"]
    assert measured.value("least", part="again") > 0.0
    assert measured.value("ratio", part="again") > 0.0
    assert measured.value("goal", part="again") == 1.5


def test_methods_are_raced_against_the_default(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Of all the methods the default, one that is compiled with it, and the one in plain Python, which is the last."""
    *_, slow = methods.METHODS
    few = ("default", "space frame", slow)
    monkeypatch.setattr(methods, "METHODS", {name: methods.METHODS[name] for name in few})
    measured = read_measurement(methods.measure(2).write(tmp_path))
    raced = ["default", "space frame", "default, near", slow]
    assert [(row["arm"], row["method"]) for row in measured.rows] == [(a, m) for a in ("UR10", "Panda") for m in raced]
    assert measured.value("median_ratio", arm="UR10", method="space frame") > 0.0
    assert measured.value("goal", arm="Panda", method="space frame") == 1.5
    assert {(row["failed"], row["false_claims"]) for row in measured.rows} == {(0, 0)}


FEW = """
from benchmarks import first_use
first_use.uses, first_use.whole = lambda: dict(one=("little", lambda: None)), lambda: None
first_use.{}()
"""


def test_first_uses_are_measured_call_by_call(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Of all the calls one that makes nothing, in real processes."""
    monkeypatch.setattr(first_use, "TELL", FEW)
    monkeypatch.setattr(first_use, "uses", lambda: {"one": ("little", lambda: None)})
    measured = read_measurement(first_use.measure(1).write(tmp_path))
    assert [row["call"] for row in measured.rows] == ["one", first_use.WHOLE]
    assert {name: list(map(len, found.values())) for name, found in measured.series.items()} == {
        "cold": [1, 1], "loaded": [1, 1], "again": [1]
    }  # fmt: skip
    assert measured.value("cold", call="one") == pytest.approx(measured.series["cold"]["one"][0], rel=1e-3)
    assert measured.value("again", call="one") == pytest.approx(1e3 * measured.series["again"]["one"][0], rel=1e-3)


def test_every_script_has_its_place_in_the_run() -> None:
    folder = ROOT / "benchmarks"
    claims = {path.stem for path in folder.glob("*.py") if "main(measure" in path.read_text(encoding="utf8")}
    assert claims - {"report"} == set(scripts())
    assert set(scripts()) <= set(CLAIMS)


def test_a_size_of_zero_and_an_unknown_script_are_refused() -> None:
    refused = run("-m", "benchmarks.one_pose", "--size", "0")
    assert refused.returncode == 2
    assert "--size is 0; it is at least 1" in refused.stderr
    unknown = run("-m", "benchmarks", "two_poses")
    assert unknown.returncode == 1
    assert "unknown: two_poses; there are one_pose, " in unknown.stderr


@pytest.mark.parametrize("name", sorted(figures.DRAWN))
def test_a_stored_result_is_drawn(name: str, tmp_path: Path) -> None:
    picture = figures.draw(name, figures=tmp_path / "figures")
    assert picture.read_bytes().startswith(b"\x89PNG")


@pytest.fixture
def no_peers(monkeypatch: pytest.MonkeyPatch) -> None:
    """No peer is there but the judge's."""
    for peer, (_, distribution) in machine.PEERS.items():
        if peer != "Pinocchio":
            monkeypatch.setitem(machine.PEERS, peer, ("no_such_module", distribution))


@pytest.mark.usefixtures("no_peers")
def test_a_peer_that_is_missing_is_named_in_its_row_and_below_the_table() -> None:
    report = one_pose.measure(2)
    assert report.missing == {"robotics toolbox": "roboticstoolbox-python is not installed"}
    rows = {(row["arm"], row["solver"]): row for row in report.rows}
    assert set(rows) == {
        (arm, solver)
        for arm in ("UR10", "Panda")
        for solver in ("ours", "toolbox, Chan 0.1 (missing)", "toolbox, Chan 1.0 (missing)")
    }
    assert rows["Panda", "ours"]["failed"] == 0
    assert "missing: robotics toolbox: roboticstoolbox-python is not installed" in report.as_text()
    json.dumps(report.as_dict(), allow_nan=False)


@pytest.mark.usefixtures("no_peers")
def test_without_its_source_quik_keeps_its_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quik, "SOURCE", quik.SOURCE.with_name("no_source"))
    monkeypatch.setattr(near, "DISTANCES", (0.2,))
    report = near.measure(2)
    assert report.missing["QuIK"] == "no source in build/no_source: make bench fetches it"
    assert [row["solver"] for row in report.rows] == [
        "ours",
        *(f"{name} (missing)" for name in (*quik.METHODS, near.TOOLBOX)),
    ]
    assert report.rows[0]["reached"] == 100.0


@pytest.mark.usefixtures("no_peers")
def test_the_side_by_side_table_keeps_a_row_for_each_solver_that_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solvers, "PASSES", 1)
    rows = solvers.measure(2).rows
    shown = [row["solver"] for row in rows if row["arm"] == "UR10"]
    there = ("ours", "Pinocchio's example")
    assert shown == [name if name in there else f"{name} (missing)" for name in solvers.SOLVERS]
    assert all(("median" in row) is (row["solver"] in there) for row in rows)


def stored(name: str) -> Any:
    return read_measurement(RESULTS / f"{name}.json")


@pytest.mark.parametrize("path", sorted(RESULTS.glob("*.json")), ids=lambda path: path.stem)
def test_stored_results_are_whole_and_of_a_script_that_is_there(path: Path) -> None:
    measured = read_measurement(path)
    assert measured.name == path.stem
    assert measured.name in scripts()
    assert measured.missing == {}, "results that lessons show are measured with every peer"


@pytest.mark.parametrize("arm", ["UR10", "Panda"])
def test_in_the_stored_results_ours_solved_every_pose_and_claimed_nothing_false(arm: str) -> None:
    measured = stored("one_pose")
    assert measured.settings["poses"] == 10_000
    assert measured.value("failed", arm=arm, solver="ours") == 0
    assert measured.value("false_claims", arm=arm, solver="ours") == 0
