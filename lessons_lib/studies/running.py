"""Run a study on this machine or on a Dask cluster, and keep its results as Parquet files."""

from __future__ import annotations

import json
import os
import uuid
import warnings
from collections.abc import Generator, Iterable
from contextlib import closing, suppress
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from lessons_lib.errors import ParameterError, StudyError
from lessons_lib.extras import need
from lessons_lib.paths import folder_path
from lessons_lib.pose_ik import Status
from lessons_lib.pose_ik.progress import progress_bar
from lessons_lib.studies.machine import versions
from lessons_lib.studies.results import StudyResults
from lessons_lib.studies.study import CaseResult, Chunk, ChunkResult, Study

__all__ = [
    "run",
]

ABOUT = b"study"
"""Key of the metadata of a file: hash, chunk, seeds, seconds, machine and versions, as JSON."""

CONNECTING = 10.0
"""Seconds to wait for a scheduler."""


def run(
    study: Study,
    folder: str | Path | None = None,
    *,
    scheduler: str | None = None,
    threads: int | None = None,
    progress: bool | None = None,
) -> StudyResults:
    """Solve all poses of a study and return the results.

    With a folder each chunk becomes a Parquet file in `folder/<hash of the study>`. A file is either complete or
    absent. If a run is interrupted, the same call solves the missing chunks only; a damaged file is named in a warning
    and its chunk is solved again. Results do not depend on where a chunk is solved, on processors of one kind.

    Ctrl-C returns the results so far, with a warning: `StudyResults.complete` is False, and missing poses have the
    status INTERRUPTED.

    >>> from lessons_lib import pose_ik, robots, studies
    >>> strategies = {"home": studies.Strategy("home", starts=pose_ik.Restarts(0))}
    >>> methods = {"chan": studies.method("chan")}
    >>> study = studies.Study([robots.planar_2r()], methods=methods, strategies=strategies, poses=20, seed=1)
    >>> studies.run(study).rows()[0].poses
    20

    Args:
        study: The study.
        folder: Folder for the results; None keeps them in memory.
        scheduler: Address of a Dask scheduler, such as "tcp://10.0.0.1:8786", whose workers have this library; None
            solves in this process.
        threads: Largest number of threads in this process; None for one per available core. Dask workers have their
            own number.
        progress: Whether to show a progress bar on stderr; None shows one on a terminal, after two seconds.

    Raises:
        StudyError: The folder cannot be written, the scheduler does not answer, or a chunk killed several workers.
        ParameterError: Both threads and scheduler are given, or the repr of a method of your own does not identify it.
        MissingExtra: pyarrow or Dask is not installed.
    """
    if not isinstance(study, Study):
        raise ParameterError(f"study must be a Study, such as Study([robots.ur10()]), got {study!r}")
    if folder is not None:
        folder_path(folder, error=StudyError)
        need("studies", "a study with a folder", "pyarrow")
    if scheduler is not None:
        need("studies", "a study with a scheduler", "distributed")
    if threads is not None and scheduler is not None:
        raise ParameterError(f"threads must be left out with a scheduler, whose workers set it, got {threads!r}")
    place = None if folder is None else make_folder(study, Path(folder))
    results: dict[int, ChunkResult] = {}
    missing = [number for number in range(study.chunks) if place is None or not is_stored(study, place, number)]
    total = study.poses * len(study.cases)
    ended = total - sum(map(study.size_of, missing))
    token = uuid.uuid4().hex
    chunks = (study.cut(number, token) for number in missing)
    solved = solve_here(chunks, threads) if scheduler is None else on_cluster(chunks, scheduler)
    with progress_bar(lambda: ended, total, "study", progress) as tick, closing(solved) as arriving:
        try:
            for chunk, result in arriving:
                if place is None:
                    results[chunk.number] = result
                else:
                    write(study, place, chunk, result)
                ended += chunk.count
                tick()
        except KeyboardInterrupt:
            rest = f"stored in {place}; the same call continues" if place else "in the results"
            warnings.warn(f"interrupted: {ended:,} of {total:,} poses are {rest}", stacklevel=2)
    return StudyResults(study, place, partial(read, study, place) if place else results.get)


def solve_here(chunks: Iterable[Chunk], threads: int | None) -> Generator[tuple[Chunk, ChunkResult]]:
    """Solve the chunks in this process."""
    for chunk in chunks:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "interrupted: ")  # `run` warns for the whole study
            result = chunk.solve(threads)
        yield chunk, result


def on_cluster(chunks: Iterable[Chunk], scheduler: str) -> Generator[tuple[Chunk, ChunkResult]]:
    """Solve the chunks on the workers of a Dask scheduler; wait if there is no worker.

    Raises:
        StudyError: The scheduler does not answer or disappears, or a chunk has killed several workers.
    """
    from distributed import Client, as_completed
    from distributed.scheduler import KilledWorker

    try:
        client = Client(scheduler, timeout=CONNECTING, set_as_default=False)
    except (OSError, ValueError) as error:
        raise StudyError(f"no Dask scheduler answers at {scheduler!r}; start one with `dask scheduler`") from error
    raised_by_chunk = False
    try:
        futures = [(client.submit(solve_with_one_thread, chunk, pure=False), chunk) for chunk in chunks]
        chunk_of = {future.key: chunk for future, chunk in futures}
        arriving = as_completed([future for future, _ in futures], loop=client.loop)
        del futures  # so that the cluster frees a result after its arrival
        for future in arriving:
            raised_by_chunk = future.status == "error"
            result = future.result()
            yield chunk_of.pop(future.key), result
    except KilledWorker as error:
        raise StudyError(f"a chunk killed several workers, perhaps for lack of memory: {error}") from error
    except Exception as error:  # Dask raises errors of many kinds, and those of a chunk
        if raised_by_chunk or (client.status == "running" and not isinstance(error, OSError)):
            raise  # an OSError of the client is a lost connection that its status may not show yet
        raise StudyError(f"the scheduler at {scheduler} is gone; start one, and the same call continues") from error
    finally:
        with suppress(Exception):  # noqa: BLE001
            client.close(timeout=1)


def solve_with_one_thread(chunk: Chunk) -> ChunkResult:
    """Solve a chunk in a worker, which has one thread for each of its tasks."""
    return chunk.solve(threads=1)


def make_folder(study: Study, above: Path) -> Path:
    """Create the folder of a study.

    Raises:
        StudyError: It cannot be created or written.
    """
    place = above / study.hash
    try:
        place.mkdir(parents=True, exist_ok=True)
        (place / ".writable").touch()
    except OSError as error:
        raise StudyError(f"cannot write to {place}: {error.strerror}; name a folder that can be written") from error
    return place


def file_of(place: Path, number: int) -> Path:
    """Return the file of a chunk."""
    return place / f"chunk-{number:06}.parquet"


def is_stored(study: Study, place: Path, number: int) -> bool:
    """Return whether a chunk is stored and undamaged; name a damaged file in a warning."""
    try:
        return read(study, place, number) is not None
    except StudyError as damage:
        warnings.warn(f"{damage}; its chunk is solved again", stacklevel=3)
        return False


def write(study: Study, place: Path, chunk: Chunk, result: ChunkResult) -> None:
    """Write the file of a chunk, complete or not at all.

    Raises:
        StudyError: It cannot be written, for example because the disk is full.
    """
    from pyarrow import parquet

    file = file_of(place, chunk.number)
    unfinished = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        parquet.write_table(table_of(study, chunk, result), unfinished, compression="zstd", write_page_checksum=True)
        unfinished.replace(file)
    except OSError as error:
        raise StudyError(f"cannot write {file}: {error}; all files are complete, the same call continues") from error
    finally:
        unfinished.unlink(missing_ok=True)


def table_of(study: Study, chunk: Chunk, result: ChunkResult) -> Any:
    """Return the results of a chunk as a table, with a unit for each column and a description in the metadata."""
    import pyarrow as pa

    found, case, units = result.found, chunk.case, chunk.chain.joint_units
    count = len(found)
    columns = {
        name: (pa.DictionaryArray.from_arrays(np.zeros(count, np.int32), pa.array([getattr(case, name)])), "")
        for name in ("robot", "method", "strategy", "goal")
    }
    columns |= {
        "case": (pa.array([case.place] * count, pa.int32()), "1"),
        "damping": (pa.array([case.damping] * count, pa.float64()), "as the method's parameter"),
        "pose": (pa.array(np.arange(chunk.first, chunk.first + count)), "1"),
        "status": (pa.array([status.name for status in found.status]).dictionary_encode(), ""),
        "converged": (pa.array(found.converged), ""),
        "iterations": (pa.array(found.iterations), "1"),
        "restarts": (pa.array(found.restarts), "1"),
        "orientation_error": (pa.array(found.orientation_error), "rad"),
        "position_error": (pa.array(found.position_error), "m"),
        "distance": (pa.array(found.distance), " ".join(dict.fromkeys(units))),
        "q": (pa.FixedSizeListArray.from_arrays(found.q.ravel(), chunk.chain.dof), ", ".join(units)),
    }
    about = {
        "hash": study.hash,
        "chunk": chunk.number,
        "seeds": {
            name: {"entropy": seed.entropy, "spawn_key": seed.spawn_key}
            for name, seed in (("problems", chunk.problems), ("draws", chunk.draws))
        },
        "seconds": result.seconds,
        "machine": result.process,
        "versions": dict(versions("pyarrow", "distributed")),
    }
    described = [
        pa.field(name, values.type, metadata={"unit": unit} if unit else None)
        for name, (values, unit) in columns.items()
    ]
    schema = pa.schema(described, metadata={ABOUT: json.dumps(about, ensure_ascii=False)})
    return pa.table([values for values, _ in columns.values()], schema=schema)


def read(study: Study, place: Path, number: int) -> ChunkResult | None:
    """Return the results of a chunk; None if this study has no file of the chunk.

    Raises:
        StudyError: The file is damaged.
    """
    import pyarrow as pa
    from pyarrow import parquet

    file = file_of(place, number)
    if not file.exists():
        return None
    try:
        about = json.loads(parquet.read_schema(file).metadata[ABOUT])
        if (about["hash"], about["chunk"]) != (study.hash, number):
            return None
        table = parquet.read_table(file, page_checksum_verification=True)
        columns = {name: table[name].to_numpy() for name in table.column_names if name not in ("q", "status")}
        columns["q"] = table["q"].combine_chunks().flatten().to_numpy().reshape(len(table), -1)
        columns["status"] = np.array([Status[name] for name in table["status"].to_pylist()], dtype=np.object_)
    except (OSError, pa.ArrowException, LookupError, TypeError, ValueError) as cause:
        raise StudyError(f"{file} is damaged: {' '.join(str(cause).split())}") from cause
    arrays = {one.name: columns[one.name] for one in fields(CaseResult)}
    for array in arrays.values():
        array.setflags(write=False)
    return ChunkResult(CaseResult(**arrays), about["seconds"], about["machine"])
