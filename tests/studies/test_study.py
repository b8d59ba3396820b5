"""A study: what it asks, that it can be cut anywhere, and that nothing is lost or answered twice."""

import json
import os
import re
import resource
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from numpy.random import PCG64, Generator, SeedSequence

from lessons_lib import pose_ik, robots, studies
from lessons_lib.errors import ParameterError, StudyError, TransformError
from lessons_lib.pose_ik import Chan, LevenbergMarquardt, Nearest, Restarts, Status, Stop
from lessons_lib.studies import Strategy, Study, running, study
from lessons_lib.studies.study import Chunk, ChunkResult

ARM = robots.planar_2r()
STEPS, FEW = Stop(max_iterations=6), Restarts(2)
STUDY = Study(
    [ARM],
    {"chan": LevenbergMarquardt(), "constant": studies.method("constant")},
    {"random": Strategy(stop=STEPS, starts=FEW), "middle": Strategy("middle", STEPS, FEW)},
    poses=90,
    seed=4,
    chunk=40,
)


def same(some: studies.StudyResults, others: studies.StudyResults) -> bool:
    """Whether all numbers agree to the last bit."""
    names = ("q", "status", "iterations", "restarts", "orientation_error", "position_error", "distance")
    return all(
        a == b and all(np.array_equal(getattr(x, name), getattr(y, name)) for name in names)
        for (a, x), (b, y) in zip(some, others, strict=True)
    )


@pytest.fixture(scope="module")
def answers() -> studies.StudyResults:
    return studies.run(STUDY)


def test_the_grid_changes_its_last_axis_first() -> None:
    words = [(case.place, case.method, case.damping, case.strategy) for case in STUDY.cases]
    expected = [(0, "chan", 0.1, "random"), (1, "chan", 0.1, "middle")]
    assert words == [*expected, (2, "constant", 0.125, "random"), (3, "constant", 0.125, "middle")]
    assert (STUDY.chunks, [STUDY.size_of(number) for number in range(4)]) == (12, [40, 40, 10, 40])


@pytest.mark.parametrize("size", [1, 7, 90, 1000])
def test_the_chunk_size_does_not_change_results(answers: studies.StudyResults, size: int) -> None:
    assert same(studies.run(replace(STUDY, chunk=size)), answers)


def test_a_case_is_a_batch_with_the_seeds_of_its_place(answers: studies.StudyResults) -> None:
    """The seeds are children of the study's, by NumPy's own `spawn`."""
    problems, draws = SeedSequence(4).spawn(2)
    uniform = Generator(PCG64(problems.spawn(1)[0])).random((90, 2, 2))
    lower, upper = ARM.sampling_limits.T
    behind, starts = np.moveaxis(lower + (upper - lower) * uniform, 1, 0)
    targets = ARM.forward_kinematics(behind)
    np.testing.assert_array_equal(STUDY.problems()[0], targets)
    np.testing.assert_array_equal(STUDY.problems("planar 2R")[1], starts)
    middle = np.broadcast_to(ARM.sampling_limits.mean(axis=1), starts.shape)
    for (case, found), seed in zip(answers, draws.spawn(4), strict=True):
        begun = middle if case.strategy == "middle" else starts
        asked = {"method": STUDY.methods[case.method], "starts": FEW, "stop": STEPS}
        batch = pose_ik.solve_batch(ARM, targets, begun, **asked, rng=Generator(PCG64(seed)))
        assert found.q.tobytes() == batch.q.tobytes() and (found.restarts == batch.restarts).all()
        np.testing.assert_array_equal(found.distance, np.linalg.norm(batch.q - begun, axis=1))
    assert any(found.restarts.any() for _, found in answers)


def test_robots_have_poses_of_their_own() -> None:
    other = replace(ARM, name="another")
    both = replace(STUDY, robots=[ARM, other])
    assert both.cases[4].robot == "another" and both.cut(12).poses()[0].shape == (40, 4, 4)
    np.testing.assert_array_equal(both.problems("planar 2R")[0], STUDY.problems()[0])
    assert not np.isclose(both.problems("another")[0], both.problems("planar 2R")[0])[:, :2].all(axis=(1, 2)).any()


def test_targets_and_starts_may_be_given() -> None:
    targets, q_0 = ARM.targets(90, np.random.default_rng(1))
    given = replace(STUDY, methods={"chan": LevenbergMarquardt()}, strategies={"at the answer": Strategy(q_0)})
    found = studies.run(replace(given, targets=targets)).case()
    assert (found.iterations == 0).all() and (found.distance == 0).all()
    for_all = studies.run(replace(given, targets=targets[7])).case()
    assert for_all.iterations[7] == 0 < for_all.iterations[8]
    home = replace(STUDY, strategies={"home": Strategy("home", starts=Nearest(2))})
    np.testing.assert_array_equal(home.cut(0).poses()[1], np.zeros((40, 2)))


def test_the_table_has_a_row_for_each_case_and_shows_what_differs(answers: studies.StudyResults) -> None:
    rows, found = answers.rows(), answers.case(method="constant", strategy="random")
    assert [row.place for row in rows] == [0, 1, 2, 3] and {row.poses for row in rows} == {90}
    row, solved = rows[2], found.converged
    assert (row.solved, row.most_starts) == (solved.sum(), 1 + found.restarts.max())
    assert row.mean_steps == pytest.approx(found.iterations[solved].mean())
    assert (row.median_steps, row.mean_starts) == (np.median(found.iterations[solved]), 1 + found.restarts.mean())
    assert row.distance == pytest.approx(found.distance[solved].mean()) and row.microseconds > 0
    heading, *lines = answers.as_text().splitlines()
    assert heading.split() == "method strategy solved mean steps median starts most |q − q₀|".split()
    assert lines[2].split()[:3] == ["constant", "random", f"{100 * row.solved / 90:.1f}"]
    markdown = answers.as_markdown(["strategy", "solved"]).splitlines()
    assert {line.count("|") for line in markdown} == {3}
    assert markdown[:2] == ["| strategy | solved |", "|---|---|"] and len(markdown) == 6
    assert json.loads(answers.as_json())["rows"][3]["method"] == "constant"
    assert answers.as_csv().splitlines()[0].startswith("place,robot,method,damping,strategy,goal,poses,solved")


def test_a_file_says_its_units_and_where_its_numbers_come_from(tmp_path: Path, answers: studies.StudyResults) -> None:
    kept = studies.run(STUDY, tmp_path)
    assert same(kept, answers) and kept.folder == tmp_path / STUDY.hash
    schema = pq.read_schema(kept.folder / "chunk-000004.parquet")
    units = {field.name: field.metadata[b"unit"].decode() for field in schema if field.metadata}
    assert {name: units[name] for name in ("orientation_error", "position_error", "distance", "q")} == {
        "orientation_error": "rad",
        "position_error": "m",
        "distance": "rad",
        "q": "rad, rad",
    }
    about = json.loads(schema.metadata[b"study"])
    assert (about["hash"], about["chunk"]) == (STUDY.hash, 4)
    assert about["seeds"]["draws"] == {"entropy": 4, "spawn_key": [1, 1]}
    assert about["seeds"]["problems"] == {"entropy": 4, "spawn_key": [0, 0]}
    assert about["machine"]["process"] == os.getpid() and about["versions"]["numpy"] == np.__version__
    table = pq.read_table(kept.folder)  # the folder is a table for any reader
    assert (table.num_rows, table["damping"][0].as_py()) == (360, 0.1)


def record_solved_chunks(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that receives the numbers of the chunks solved from now on."""
    numbers, solve = [], Chunk.solve

    def recording(chunk: Chunk, threads: int | None = None) -> ChunkResult:
        numbers.append(chunk.number)
        return solve(chunk, threads)

    monkeypatch.setattr(Chunk, "solve", recording)
    return numbers


def test_stored_chunks_are_not_solved_again(
    tmp_path: Path, answers: studies.StudyResults, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = studies.run(STUDY, tmp_path).folder
    again = record_solved_chunks(monkeypatch)
    (folder / "chunk-000002.parquet").unlink()
    whole = (folder / "chunk-000005.parquet").read_bytes()
    (folder / "chunk-000005.parquet").write_bytes(whole[:-20])
    (folder / "chunk-000007.parquet").write_bytes(whole)  # somebody has taken the wrong one
    with pytest.warns(UserWarning, match=r"chunk-000005\.parquet is damaged"):
        assert same(studies.run(STUDY, tmp_path), answers)
    assert again == [2, 5, 7]
    assert same(studies.run(STUDY, tmp_path), answers) and len(again) == 3
    studies.run(replace(STUDY, seed=5, poses=1), tmp_path)
    assert len(again) == 7 and len(list(tmp_path.iterdir())) == 2


def test_ctrl_c_keeps_finished_chunks(
    tmp_path: Path, answers: studies.StudyResults, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = running.write

    def interrupt(study: Study, place: Path, chunk: Chunk, result: ChunkResult) -> None:
        write(study, place, chunk, result)
        if chunk.number == 3:
            os.kill(os.getpid(), signal.SIGINT)

    with monkeypatch.context() as patch:
        patch.setattr(running, "write", interrupt)
        with pytest.warns(UserWarning, match=r"interrupted: \d+ of 360 poses are stored in .*; the same call"):
            some = studies.run(STUDY, tmp_path)
    assert not some.complete and answers.complete
    first, second, *others = (found for _, found in some)
    assert first.q.tobytes() == answers.case(method="chan", strategy="random").q.tobytes()
    assert (second.status[:40] != Status.INTERRUPTED).all() and (second.status[40:] == Status.INTERRUPTED).all()
    assert np.isnan(others[0].q).all() and [row.poses for row in some.rows()] == [90, 40, 0, 0]
    assert some.as_text().splitlines()[-1].split() == ["constant", "middle", *"------"]
    again = record_solved_chunks(monkeypatch)
    assert same(studies.run(STUDY, tmp_path), answers)
    assert again == list(range(4, 12))


def test_ctrl_c_within_a_batch_leaves_the_whole_chunk_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """A batch that hears Ctrl-C comes back with rows that are INTERRUPTED; so does one whose time is over."""
    solve = pose_ik.solve_batch

    def solve_in_no_time(*arguments: object, **asked: object) -> pose_ik.BatchResult:
        return solve(*arguments, **asked, max_time=1e-9)

    monkeypatch.setattr(study, "solve_batch", solve_in_no_time)
    with pytest.warns(UserWarning, match="interrupted: 0 of 360 poses are in the results"):
        assert not studies.run(STUDY).complete


def test_a_full_disk_leaves_no_part_of_a_file(tmp_path: Path, answers: studies.StudyResults) -> None:
    unlimited = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, unlimited[1]))
        with pytest.raises(StudyError, match="cannot write .*chunk-000000.parquet: .*all files are complete"):
            studies.run(STUDY, tmp_path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, unlimited)
    assert [file.name for file in (tmp_path / STUDY.hash).iterdir()] == [".writable"]
    assert same(studies.run(STUDY, tmp_path), answers)


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(StudyError, match="folder must be the path of a folder"):
        studies.run(STUDY, file)


def test_the_hash_depends_on_the_study_only() -> None:
    alike = replace(STUDY, methods={"chan": LevenbergMarquardt(Chan(0.1)), "constant": studies.method("constant")})
    assert alike.hash == STUDY.hash and re.fullmatch("[0-9a-f]{16}", STUDY.hash)
    others = [
        replace(STUDY, seed=5),
        replace(STUDY, poses=91),
        replace(STUDY, chunk=41),
        replace(STUDY, robots=[ARM.with_limits([[-3, 3], [-3, 3.0000001]])]),
        replace(STUDY, methods={"chan": LevenbergMarquardt(Chan(0.1 + 1e-16)), "constant": studies.method("constant")}),
        replace(STUDY, strategies=STUDY.strategies | {"middle": Strategy("home", STEPS, FEW)}),
        replace(STUDY, strategies=STUDY.strategies | {"middle": Strategy("middle", STEPS, Nearest(3))}),
        replace(STUDY, strategies=STUDY.strategies | {"middle": Strategy("middle", STEPS, Restarts(3))}),
        replace(STUDY, goals={"pose": pose_ik.pointing((0, 0, 1))}),
        replace(STUDY, targets=np.tile(np.eye(4), (90, 1, 1))),
    ]
    assert len({study.hash for study in [STUDY, *others]}) == 11
    code = "from tests.studies.test_study import STUDY; print(STUDY.hash)"
    place = Path(__file__).resolve().parents[2]
    done = subprocess.run([sys.executable, "-c", code], cwd=place, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == STUDY.hash


def test_a_method_without_an_identifying_repr_is_refused(tmp_path: Path) -> None:
    class Idle:
        def step(self, jacobian: np.ndarray, error: np.ndarray) -> np.ndarray:
            return np.zeros(2)

    mine = replace(STUDY, methods={"mine": Idle()})
    assert mine.cases[0].damping is None
    with pytest.raises(ParameterError, match="the repr of a method must identify it.*give its class a __repr__"):
        studies.run(mine, tmp_path)


def test_a_worker_of_another_version_refuses() -> None:
    with pytest.raises(StudyError, match="needs lessons-lib 0.0.7, this process has"):
        replace(STUDY.cut(0), version="0.0.7").solve()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"robots": []}, r"robots must have at least one entry, got \[\]"),
        ({"robots": ARM}, r"robots must be a list of chains, as \[robots.ur10\(\)\], got "),
        ({"robots": ["ur10"]}, "an entry of robots must be a chain, got a str; make one with"),
        ({"robots": [ARM, ARM]}, "robots must have different names, got planar 2R, planar 2R"),
        ({"methods": {}}, "methods must have at least one entry, got {}"),
        ({"methods": ["chan"]}, r"methods must be a mapping from labels to methods, such as a dict, got \['chan'\]"),
        ({"strategies": {"a": "random"}}, r"strategy 'a' must be a Strategy, such as Strategy\(.*, got 'random'"),
        ({"poses": 0}, "poses"),
        ({"chunk": 0.5}, "chunk"),
        ({"seed": -1}, "seed"),
        ({"targets": np.tile(np.eye(4), (3, 1, 1))}, "targets must be 90, one for each pose, got 3"),
        ({"strategies": {"a": Strategy(np.zeros((3, 2)))}}, "first of 'a' must be 90, one for each pose, got 3"),
        (
            {"methods": {"newton": pose_ik.NewtonRaphson("space")}, "goals": {"p": pose_ik.position_only()}},
            "uses the frame 'space', which does not suit a goal with a weight of zero",
        ),
    ],
)
def test_invalid_studies_are_refused(changes: dict, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        replace(STUDY, **changes)


def test_invalid_targets_starts_and_cases_are_refused(answers: studies.StudyResults) -> None:
    with pytest.raises(TransformError, match="targets must have shape"):
        replace(STUDY, targets=np.eye(3))
    with pytest.raises(ParameterError, match="first must be random, middle, home or configurations, got 'zero'"):
        Strategy("zero")
    with pytest.raises(
        ParameterError, match="exactly one case must have .*, got 2; the study has .*'method'.*'constant'"
    ):
        answers.case(method="chan")
    with pytest.raises(ParameterError, match=r"study must be a Study, such as .*, got \[\]"):
        studies.run([])  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="threads must be left out with a scheduler"):
        studies.run(STUDY, scheduler="tcp://127.0.0.1:1", threads=2)
    with pytest.raises(ParameterError, match="robot must be one of planar 2R, got 'UR10'"):
        STUDY.problems("UR10")
    with pytest.raises(ParameterError, match="columns must be among robot, method, .* got 'speed'"):
        answers.as_text(["speed"])


def test_a_damaged_file_is_named_and_its_chunk_solved_again(tmp_path: Path, answers: studies.StudyResults) -> None:
    """One byte after the other is inverted, in pages and page headers, but not in the file's own index."""
    place = studies.run(STUDY, tmp_path).folder
    file = running.file_of(place, 3)
    whole = file.read_bytes()
    index = len(whole) - 8 - int.from_bytes(whole[-8:-4], "little")
    named = 0
    for offset in np.random.default_rng(9).integers(4, index, 150).tolist():
        file.write_bytes(whole[:offset] + bytes([whole[offset] ^ 0xFF]) + whole[offset + 1 :])
        try:
            result = running.read(STUDY, place, 3)
        except StudyError as damage:
            assert "chunk-000003.parquet is damaged: " in str(damage)
            named += 1
        else:  # a header says more than is needed
            assert result is not None and np.array_equal(result.found.q, answers.chunk_result(3).found.q)  # type: ignore[union-attr]
    assert named > 100
    file.write_bytes(whole[: index // 2] + b"damaged" + whole[index // 2 + 7 :])
    with pytest.warns(UserWarning, match=r"chunk-000003\.parquet is damaged: .*; its chunk is solved again"):
        again = studies.run(STUDY, tmp_path)
    assert same(again, answers)
