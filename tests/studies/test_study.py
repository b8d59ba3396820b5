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
from lessons_lib.errors import ParameterError, StudyError
from lessons_lib.pose_ik import Chan, LevenbergMarquardt, Nearest, Restarts, Status, Stop
from lessons_lib.studies import Strategy, Study, running, study

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


def same(some, others):
    """Whether all numbers agree to the last bit."""
    names = ("q", "status", "iterations", "restarts", "orientation_error", "position_error", "distance")
    return all(
        a == b and all(np.array_equal(getattr(x, name), getattr(y, name)) for name in names)
        for (a, x), (b, y) in zip(some, others, strict=True)
    )


@pytest.fixture(scope="module")
def answers():
    return studies.run(STUDY)


def test_the_grid_changes_its_last_axis_first():
    words = [(case.place, case.method, case.strategy) for case in STUDY.cases]
    assert words == [(0, "chan", "random"), (1, "chan", "middle"), (2, "constant", "random"), (3, "constant", "middle")]
    assert [STUDY.chunk_of(number)[1] for number in range(4)] == [range(40), range(40, 80), range(80, 90), range(40)]


@pytest.mark.parametrize("size", [1, 7, 90, 1000])
def test_the_chunk_size_does_not_change_results(answers, size):
    assert same(studies.run(replace(STUDY, chunk=size)), answers)


def test_a_case_is_a_batch_with_the_seeds_of_its_place(answers):
    """The seeds are children of the study's, by NumPy's own `spawn`."""
    problems, draws = SeedSequence(4).spawn(2)
    uniform = Generator(PCG64(problems.spawn(1)[0])).random((90, 2, 2))
    lower, upper = ARM.sampling_limits.T
    behind, starts = np.moveaxis(lower + (upper - lower) * uniform, 1, 0)
    targets = ARM.forward_kinematics(behind)
    np.testing.assert_array_equal(STUDY.problems()[0], targets)
    np.testing.assert_array_equal(STUDY.problems()[1], starts)
    middle = np.broadcast_to(ARM.sampling_limits.mean(axis=1), starts.shape)
    for (case, found), seed in zip(answers, draws.spawn(4), strict=True):
        begun = middle if case.strategy == "middle" else starts
        asked = {"method": STUDY.methods[case.method], "starts": FEW, "stop": STEPS}
        batch = pose_ik.solve_batch(ARM, targets, begun, **asked, rng=Generator(PCG64(seed)))
        assert found.q.tobytes() == batch.q.tobytes() and (found.restarts == batch.restarts).all()
        np.testing.assert_array_equal(found.distance, np.linalg.norm(batch.q - begun, axis=1))
    assert any(found.restarts.any() for _, found in answers)


def test_robots_have_poses_of_their_own():
    other = replace(ARM, name="another")
    both = replace(STUDY, robots=[ARM, other])
    assert both.cases[4].robot == "another"
    np.testing.assert_array_equal(both.problems()[0], STUDY.problems()[0])
    assert not np.isclose(both.problems(1)[0], both.problems(0)[0])[:, :2].all(axis=(1, 2)).any()


def test_a_first_start_at_home_is_zero():
    arm = ARM.with_limits([[-3.0, 3.0], [0.5, 3.0]])  # zero is clipped to the limits
    home = {"home": Strategy("home", Stop(max_iterations=1), Restarts(0))}
    study = replace(STUDY, robots=[arm], strategies=home)
    found, targets = studies.run(study).case(method="chan"), study.problems()[0]
    options = {"method": LevenbergMarquardt(), "starts": Restarts(0), "stop": Stop(max_iterations=1)}
    batch = pose_ik.solve_batch(arm, targets, [0.0, 0.5], **options)
    np.testing.assert_array_equal(found.q, batch.q)


def test_the_table_has_a_row_for_each_case_and_shows_what_differs(answers):
    table, found = answers.table(), answers.case(method="constant", strategy="random")
    assert [row["place"] for row in table.rows] == [0, 1, 2, 3] and {row["poses"] for row in table.rows} == {90}
    row, solved = table.rows[2], found.converged
    assert (row["solved"], row["most_starts"]) == (solved.sum(), 1 + found.restarts.max())
    assert row["mean_steps"] == pytest.approx(found.iterations[solved].mean())
    assert (row["median_steps"], row["mean_starts"]) == (np.median(found.iterations[solved]), 1 + found.restarts.mean())
    assert row["distance"] == pytest.approx(found.distance[solved].mean()) and row["microseconds"] > 0
    heading, *lines = table.as_text().splitlines()
    assert heading.split() == "method strategy solved [%] mean steps median starts most |q − q₀|".split()
    assert lines[2].split()[:3] == ["constant", "random", f"{100 * row['solved'] / 90:.1f}"]


def test_a_file_says_its_units_and_where_its_numbers_come_from(tmp_path, answers):
    kept = studies.run(STUDY, tmp_path)
    assert same(kept, answers) and kept.folder == tmp_path / STUDY.hash
    about = json.loads(pq.read_schema(kept.folder / "chunk-000004.parquet").metadata[b"study"])
    units = {"orientation_error": "rad", "position_error": "m", "distance": "rad", "q": "rad, rad", "seconds": "s"}
    assert about["units"] == units
    assert (about["hash"], about["chunk"], about["seed"]) == (STUDY.hash, 4, 4)
    assert about["process"]["process"] == os.getpid() and about["process"]["numpy"] == np.__version__
    table = pq.read_table(kept.folder)  # the folder is a table for any reader
    pairs = sorted(zip(table["case"].to_pylist(), table["pose"].to_pylist(), strict=True))
    assert pairs == [(case, pose) for case in range(4) for pose in range(90)]


def record_solved_chunks(monkeypatch):
    """Return a list that receives the numbers of the chunks solved from now on."""
    numbers, solve = [], Study.solve_chunk

    def recording(study, number, threads):
        numbers.append(number)
        return solve(study, number, threads)

    monkeypatch.setattr(Study, "solve_chunk", recording)
    return numbers


def test_stored_chunks_are_not_solved_again(tmp_path, answers, monkeypatch):
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


def test_ctrl_c_keeps_finished_chunks(tmp_path, answers, monkeypatch):
    write = running.write

    def interrupt(study, place, number, found, process):
        write(study, place, number, found, process)
        if number == 3:
            os.kill(os.getpid(), signal.SIGINT)

    with monkeypatch.context() as patch:
        patch.setattr(running, "write", interrupt)
        with pytest.warns(UserWarning, match=r"interrupted: \d+ of 360 poses are stored in .*; the same call"):
            some = studies.run(STUDY, tmp_path)
    assert not some.complete and answers.complete
    first, second, *others = (found for _, found in some)
    assert first.q.tobytes() == answers.case(method="chan", strategy="random").q.tobytes()
    assert (second.status[:40] != Status.INTERRUPTED).all() and (second.status[40:] == Status.INTERRUPTED).all()
    table = some.table()
    assert np.isnan(others[0].q).all() and [row["poses"] for row in table.rows] == [90, 40, 0, 0]
    assert table.as_text().splitlines()[-1].split() == ["constant", "middle", *"––––––"]
    again = record_solved_chunks(monkeypatch)
    assert same(studies.run(STUDY, tmp_path), answers)
    assert again == list(range(4, 12))


def test_ctrl_c_within_a_batch_leaves_the_whole_chunk_out(monkeypatch):
    """A batch that hears Ctrl-C comes back with rows that are INTERRUPTED; so does one whose time is over."""
    solve = pose_ik.solve_batch

    def solve_in_no_time(*arguments, **asked):
        return solve(*arguments, **asked, max_time=1e-9)

    monkeypatch.setattr(study, "solve_batch", solve_in_no_time)
    with pytest.warns(UserWarning, match="interrupted: 0 of 360 poses are in the results"):
        assert not studies.run(STUDY).complete


def test_a_full_disk_leaves_no_part_of_a_file(tmp_path, answers):
    unlimited = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, unlimited[1]))
        with pytest.raises(StudyError, match="cannot write .*chunk-000000.parquet: .*all files are complete"):
            studies.run(STUDY, tmp_path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, unlimited)
    assert not list((tmp_path / STUDY.hash).iterdir())
    assert same(studies.run(STUDY, tmp_path), answers)


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(StudyError, match="folder must be the path of a folder"):
        studies.run(STUDY, file)


def test_the_hash_depends_on_the_study_only():
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
        replace(STUDY, methods=dict(reversed(STUDY.methods.items()))),
    ]
    assert len({study.hash for study in [STUDY, *others]}) == 11
    code = "from tests.studies.test_study import STUDY; print(STUDY.hash)"
    place = Path(__file__).resolve().parents[2]
    done = subprocess.run([sys.executable, "-c", code], cwd=place, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == STUDY.hash


def test_a_method_without_an_identifying_repr_is_refused(tmp_path):
    class Idle:
        def step(self, jacobian, error):
            return np.zeros(2)

    mine = replace(STUDY, methods={"mine": Idle()})
    with pytest.raises(ParameterError, match="the repr of a method must identify it.*give its class a __repr__"):
        studies.run(mine, tmp_path)


def test_a_worker_of_another_version_refuses():
    with pytest.raises(StudyError, match="needs lessons-lib 0.0.7, this process has"):
        STUDY.solve_chunk(0, 1, version="0.0.7")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"robots": []}, r"robots must be a list of chains with at least one entry, got \[\]"),
        ({"robots": ARM}, "robots must be a list of chains with at least one entry, got "),
        ({"robots": ["ur10"]}, "an entry of robots must be a chain, got a str; make one with"),
        ({"robots": [ARM, ARM]}, "robots must have different names, got planar 2R, planar 2R"),
        ({"methods": {}}, "methods must be a mapping from labels to methods with at least one entry, got {}"),
        ({"methods": ["chan"]}, r"methods must be a mapping from labels .* got \['chan'\]"),
        ({"strategies": {"a": "random"}}, r"strategy 'a' must be a Strategy, such as Strategy\(.*, got 'random'"),
        ({"poses": 0}, "poses"),
        ({"chunk": 0.5}, "chunk"),
        ({"seed": -1}, "seed"),
        (
            {"methods": {"newton": pose_ik.NewtonRaphson("space")}, "goals": {"p": pose_ik.position_only()}},
            "uses the frame 'space', which does not suit a goal with a weight of zero",
        ),
    ],
)
def test_invalid_studies_are_refused(changes, message):
    with pytest.raises(ParameterError, match=message):
        replace(STUDY, **changes)


def test_invalid_starts_cases_and_runs_are_refused(answers):
    for first in ("zero", np.zeros(2)):
        with pytest.raises(ParameterError, match="first must be random, middle, home, got "):
            Strategy(first)
    with pytest.raises(ParameterError, match="exactly one case must have .*, got 2; the study .*'method'.*'constant'"):
        answers.case(method="chan")
    with pytest.raises(ParameterError, match=r"study must be a Study, such as .*, got \[\]"):
        studies.run([])
    with pytest.raises(ParameterError, match="progress must be True or False, got 'no'"):
        studies.run(STUDY, progress="no")
    with pytest.raises(ParameterError, match="threads must be left out with a scheduler"):
        studies.run(STUDY, scheduler="tcp://127.0.0.1:1", threads=2)


def test_a_damaged_file_is_named_and_its_chunk_solved_again(tmp_path, answers):
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
            assert result is not None and np.array_equal(result.q, answers.chunk_result(3).q)
    assert named > 100
    file.write_bytes(whole[: index // 2] + b"damaged" + whole[index // 2 + 7 :])
    with pytest.warns(UserWarning, match=r"chunk-000003\.parquet is damaged: .*; its chunk is solved again"):
        again = studies.run(STUDY, tmp_path)
    assert same(again, answers)
