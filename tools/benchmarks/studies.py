"""A study in this process and on Dask workers: what a call, a chunk and a pose cost, and where it is paid."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any

import psutil
from distributed import LocalCluster

from lessons_lib import robots, studies
from lessons_lib.studies import Study
from tools.benchmarks.report import Cell, Report, main, say

CHUNKS = 30
POSES = 5_000
"""Poses of the larger chunks."""
PASSES = 3
COLUMNS = {
    "side": "who answers",
    "workers": "workers",
    "call": "a call [ms]",
    "caller": "a chunk, caller [ms]",
    "worker": "a chunk, worker [ms]",
    "pose": "a pose, worker [µs]",
    "taken": "a pose, caller [µs]",
    "kilobytes": "a chunk's file [kB]",
    "rate": "poses/s",
}
NOTES = (
    "times are of the processors, which do not count while others use them; poses/s are of the clock on the wall",
    "a call: whatever is in it, at the caller; a chunk: whatever is in it; a pose: in large chunks",
    "caller: the process that hands out, takes in and writes, with the scheduler in it",
    f"out of the least of {PASSES} runs: of one chunk of one pose, of many such, and of many with {POSES:,}",
    "each worker has one thread; this process has one thread, and is caller and worker at once",
)


def measure(chunks: int) -> Report:
    """Return the report."""
    say("studies: this process")
    rows = [terms("this process", chunks)]
    series: dict[str, Any] = {}
    begun = perf_counter()
    with LocalCluster(n_workers=1, threads_per_worker=1, processes=True, dashboard_address=":0") as cluster:
        once(study(1, 1), cluster)
        series["start"] = {"wall": round(perf_counter() - begun, 3), "worker": round(spent_by(cluster), 3)}
        for workers in (1, 2):
            say(f"studies: workers: {workers}")
            cluster.scale(workers)
            cluster.wait_for_workers(workers)
            rows.append(terms("Dask", chunks, cluster))
    settings: dict[str, Cell] = {"chunks": chunks, "poses of a large chunk": POSES, "arm": "UR10"}
    claim = "studies.run in this process and on Dask workers: what a call, a chunk and a pose cost"
    return Report("studies", claim, COLUMNS, rows, settings, notes=NOTES, series=series)


def study(chunks: int, poses: int) -> Study:
    """Return a study of one case, with so many chunks of so many poses."""
    return Study([robots.ur10()], poses=chunks * poses, chunk=poses, seed=19)


def terms(side: str, chunks: int, cluster: LocalCluster | None = None) -> dict[str, Cell]:
    """Return the time of a call, a chunk and a pose, from three kinds of runs."""
    sizes = ((1, 1), (chunks + 1, 1), (chunks + 1, POSES))
    few, many, large = (least(study(*size), cluster) for size in sizes)
    worker = "caller" if cluster is None else "worker"
    caller = (many["caller"] - few["caller"]) / chunks
    return {
        "side": side,
        "workers": 1 if cluster is None else len(cluster.workers),
        "call": 1e3 * (few["caller"] - caller),
        "caller": 1e3 * caller,
        "worker": None if cluster is None else 1e3 * (many["worker"] - few["worker"]) / chunks,
        "pose": _of_a_pose(large[worker] - many[worker], chunks),
        "taken": None if cluster is None else _of_a_pose(large["caller"] - many["caller"], chunks),
        "kilobytes": large["bytes"] / 1e3,
        "rate": (chunks + 1) * POSES / large["wall"],
    }


def _of_a_pose(seconds: float, chunks: int) -> float:
    """Return the time of each further pose of large chunks, µs, at least zero."""
    return max(0.0, 1e6 * seconds / ((chunks + 1) * (POSES - 1)))


def least(one: Study, cluster: LocalCluster | None) -> dict[str, float]:
    """Return the least of each time over some runs, s, and a file's bytes."""
    once(one, cluster)
    runs = [once(one, cluster) for _ in range(PASSES)]
    return {name: min(run[name] for run in runs) for name in runs[0]}


def once(one: Study, cluster: LocalCluster | None) -> dict[str, float]:
    """Return the time of one run, the processor time of this process and of the workers, s, and a file's bytes."""
    scheduler = None if cluster is None else str(cluster.scheduler_address)
    with TemporaryDirectory() as folder:
        begun, used, theirs = perf_counter(), process_time(), spent_by(cluster)
        kept = studies.run(one, folder, scheduler=scheduler, threads=1 if cluster is None else None, progress=False)
        spent = {"wall": perf_counter() - begun, "caller": process_time() - used, "worker": spent_by(cluster) - theirs}
        files = [file.stat().st_size for file in Path(str(kept.folder)).glob("*.parquet")]
    return {**spent, "bytes": sum(files) / len(files)}


def spent_by(cluster: LocalCluster | None) -> float:
    """Return the processor time that the workers have used until now, s."""
    pids = [worker.pid for worker in cluster.workers.values()] if cluster else []
    times = [psutil.Process(pid).cpu_times() for pid in pids]
    return float(sum(spent.user + spent.system for spent in times))


if __name__ == "__main__":
    main(measure, CHUNKS, "chunks of a run")
