"""A study on worker processes gives the bits of one process, even if workers die, join or leave."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import replace

import numpy as np
import pyarrow.parquet as pq
import pytest
from distributed import Client, Future, LocalCluster

from lessons_lib import robots, studies
from lessons_lib.errors import StudyError
from lessons_lib.pose_ik import Restarts, Stop
from lessons_lib.studies import Strategy, Study, running

pytestmark = pytest.mark.check

METHODS = {name: studies.method(name) for name in ("chan", "constant")}
STRATEGIES = {"up to 3 restarts": Strategy(starts=Restarts(3), stop=Stop(max_iterations=8))}
STUDY = Study([robots.planar_2r()], METHODS, STRATEGIES, poses=600, seed=5, chunk=50)
CHUNKS = 24
PATIENCE = 600.0  # s until a hang ends; a busy machine takes a part of it


@pytest.fixture(scope="module")
def serial():
    return studies.run(STUDY)


@pytest.fixture(scope="module")
def cluster(serial):
    """Two processes; what they need has been compiled by `serial`."""
    local = LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0")
    yield local
    with suppress(KeyError):  # what came in the place of a killed worker may have no name in LocalCluster yet
        local.close()


def at(monkeypatch, chunk_count, happens):
    """Let something happen before the n-th chunk is written; return the numbers of those that are written."""
    written, write = [], running.write

    def written_after(study, place, number, found, process):
        if len(written) == chunk_count:
            happens()
        write(study, place, number, found, process)
        written.append(number)

    monkeypatch.setattr(running, "write", written_after)
    return written


def check_same(answers, serial):
    """Every pose has one answer in the files, and it is that of this process, bit for bit."""
    assert answers.folder is not None
    table = pq.read_table(answers.folder)
    pairs = list(zip(table["case"].to_pylist(), table["pose"].to_pylist(), strict=True))
    assert sorted(pairs) == [(case, pose) for case in range(2) for pose in range(600)]
    for (case, here), (same, there) in zip(answers, serial, strict=True):
        assert case == same
        for name in ("q", "orientation_error", "position_error", "distance"):
            assert getattr(here, name).tobytes() == getattr(there, name).tobytes(), name
        for name in ("status", "converged", "iterations", "restarts"):
            np.testing.assert_array_equal(getattr(here, name), getattr(there, name), name)


def processes(folder):
    """The processes that have answered."""
    abouts = [json.loads(pq.read_schema(file).metadata[b"study"]) for file in folder.glob("*.parquet")]
    return {about["process"]["process"] for about in abouts}


def wait_until(happened, otherwise):
    hung = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < hung, otherwise
        time.sleep(0.05)


def test_a_cluster_gives_the_results_of_one_process(cluster, serial, tmp_path):
    with Client(cluster, set_as_default=False) as client:
        client.wait_for_workers(2)
    answers = studies.run(STUDY, tmp_path, scheduler=cluster.scheduler_address)
    check_same(answers, serial)
    assert processes(answers.folder) == {worker.pid for worker in cluster.workers.values()}
    in_memory = studies.run(STUDY, scheduler=cluster.scheduler_address)
    assert in_memory.folder is None and in_memory.complete
    assert in_memory.case(method="chan").q.tobytes() == serial.case(method="chan").q.tobytes()


def test_a_worker_that_is_killed_loses_nothing(cluster, serial, tmp_path, monkeypatch):
    victim = next(iter(cluster.workers.values())).pid
    written = at(monkeypatch, 2, lambda: os.kill(victim, signal.SIGKILL))
    check_same(studies.run(STUDY, tmp_path, scheduler=cluster.scheduler_address), serial)
    assert sorted(written) == list(range(CHUNKS))


def test_a_lost_scheduler_keeps_finished_chunks(serial, tmp_path, monkeypatch):
    monkeypatch.setattr("lessons_lib.studies.running.CONNECTING", 60.0)  # a busy machine takes long to begin
    file = tmp_path / "scheduler.json"
    words = ("--scheduler-file", str(file))
    programs = [
        [sys.executable, "-m", "distributed.cli.dask_scheduler", "--port", "0", "--no-dashboard", *words],
        [sys.executable, "-m", "distributed.cli.dask_worker", "--no-nanny", "--nthreads=1", "--no-dashboard", *words],
    ]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": tmp_path}
    scheduler, worker = (subprocess.Popen(program, **quiet) for program in programs)
    try:
        address = ""
        while not address:
            assert scheduler.poll() is None, "the scheduler has ended"
            time.sleep(0.05)
            with suppress(FileNotFoundError, json.JSONDecodeError):  # it is not there, or half written
                address = json.loads(file.read_text())["address"]
        written = at(monkeypatch, 3, scheduler.kill)
        with pytest.raises(StudyError, match="is gone; start one, and the same call continues"):
            studies.run(STUDY, tmp_path, scheduler=address)
    finally:
        for process in (worker, scheduler):
            process.kill()
            process.wait()
    done = len(written)
    assert 3 < done < CHUNKS
    check_same(studies.run(STUDY, tmp_path), serial)
    assert sorted(written) == list(range(CHUNKS)) and len(set(written[:done])) == done


def test_a_connection_that_breaks_before_the_client_knows_is_a_scheduler_that_is_gone(cluster, monkeypatch):
    def reset(_):
        raise ConnectionResetError(104, "Connection reset by peer")

    monkeypatch.setattr(Future, "result", reset)
    with pytest.raises(StudyError, match="is gone; start one, and the same call continues"):
        studies.run(STUDY, scheduler=cluster.scheduler_address)


def test_an_error_of_a_chunk_is_raised_unchanged(cluster, monkeypatch):
    """Even one that is an OSError, as a lost connection is: the scheduler is not blamed for a worker's full disk."""

    def full(study, number, threads, version):
        raise OSError(28, f"No space left for chunk {number}")

    monkeypatch.setattr(Study, "solve_chunk", full)
    with pytest.raises(OSError, match="No space left for chunk"):
        studies.run(STUDY, scheduler=cluster.scheduler_address)


def test_a_missing_scheduler_is_refused(monkeypatch):
    monkeypatch.setattr("lessons_lib.studies.running.CONNECTING", 0.2)
    with socket.socket() as taken:  # a port on which nobody listens
        taken.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(StudyError, match=f"no Dask scheduler answers at '{address}'"):
            studies.run(STUDY, scheduler=address)


def test_a_chunk_that_kills_its_worker_is_named(cluster, monkeypatch):
    def die(study, number, threads, version):
        os.kill(os.getpid(), signal.SIGKILL)

    monkeypatch.setattr(Study, "solve_chunk", die)
    monkeypatch.setattr(cluster.scheduler, "allowed_failures", 0)
    with pytest.raises(StudyError, match="a chunk killed several workers, perhaps for lack of memory"):
        studies.run(replace(STUDY, poses=50), scheduler=cluster.scheduler_address)
