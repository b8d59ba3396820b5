"""Run a study on this machine or on a Dask cluster, and keep its results as Parquet files."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, suppress
from copy import copy
from dataclasses import asdict, dataclass, field, fields
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from lessons_lib import __version__
from lessons_lib.arrays import check_flag
from lessons_lib.errors import ParameterError, StudyError
from lessons_lib.extras import need
from lessons_lib.other_libraries import suggest_arguments
from lessons_lib.paths import folder_path
from lessons_lib.pose_ik import Status
from lessons_lib.pose_ik.progress import progress_bar
from lessons_lib.studies.study import Case, CaseResult, Solved, Study
from lessons_lib.studies.tables import Cell, Table, over

__all__ = [
    "StudyResults",
    "run",
]

ABOUT = b"study"
"""Key of the metadata of a file: hash, chunk, seed, units, and the process with its versions, as JSON."""

CONNECTING = 10.0
"""Seconds to wait for a scheduler."""

AXES = ("robot", "method", "strategy", "goal")
PLAIN = [one.name for one in fields(CaseResult) if one.name not in ("q", "status")]
"""Columns with a number or a truth value for each pose."""


@dataclass(frozen=True, eq=False)
class StudyResults:
    """The results of a study, read from their files when they are accessed.

    >>> from lessons_lib import robots, studies
    >>> studies.run(studies.Study([robots.planar_2r()], poses=20)).complete
    True

    Attributes:
        study: The study.
        folder: Folder of the files; None if the results are in memory only.
        complete: Whether every pose of every case has a result.
        chunk_result: Returns the result of a chunk by its number, or None if it was not solved.
    """

    study: Study
    folder: Path | None
    complete: bool
    chunk_result: Callable[[int], CaseResult | None] = field(repr=False)

    def __iter__(self) -> Iterator[tuple[Case, CaseResult]]:
        """Return the cases in order, each with its results."""
        return ((case, self._case_result(case)) for case in self.study.cases)

    def case(self, **words: str) -> CaseResult:
        """Return the results of the one case with these names: `case(method="chan 0.1")`.

        Raises:
            ParameterError: No case or several have these names.
        """
        matches = [case for case in self.study.cases if words.items() <= asdict(case).items()]
        if len(matches) != 1:
            axes = {axis: list(dict.fromkeys(getattr(case, axis) for case in self.study.cases)) for axis in AXES}
            raise ParameterError(f"exactly one case must have {words}, got {len(matches)}; the study has {axes}")
        return self._case_result(matches[0])

    def table(self) -> Table:
        """Return statistics of each case; a mean over nothing is None.

        The rows have the fields of `Case`; `poses`, the number of poses with a result; `solved`, the number of those
        that converged, and `percent`; `mean_steps` and `median_steps` of the starts that converged; `mean_starts` and
        `most_starts` of a pose, its first start included; `distance`, the mean ‖q − q₀‖ of the converged poses from the
        first start, rad (m for a prismatic joint); and `microseconds`, the mean time of a pose in one process. The time
        and names that all cases share are not among the columns that are shown by default.
        """
        rows = [statistics(case, result) for case, result in self]
        columns = {axis: axis for axis in AXES if len({row[axis] for row in rows}) > 1}
        columns |= {"percent": "solved [%]", "mean_steps": "mean steps", "median_steps": "median"}
        columns |= {"mean_starts": "starts", "most_starts": "most", "distance": "|q − q₀|"}
        return Table(columns=columns, rows=rows)

    def _case_result(self, case: Case) -> CaseResult:
        """Return the results of a case; unsolved poses are INTERRUPTED, and their numbers NaN or zero."""
        per_case = self.study.chunks_of_a_case
        numbers = range(case.place * per_case, (case.place + 1) * per_case)
        blocks = [self.chunk_result(number) or empty_result(self.study, number) for number in numbers]
        return CaseResult(*(np.concatenate([getattr(b, f.name) for b in blocks]) for f in fields(CaseResult)))


@suggest_arguments
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

    >>> from lessons_lib import robots, studies
    >>> studies.run(studies.Study([robots.planar_2r()], poses=20)).table().value("solved")
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
    if progress is not None:
        check_flag("progress", progress)
    if scheduler is not None:
        need("studies", "a study with a scheduler", "distributed")
    if threads is not None and scheduler is not None:
        raise ParameterError(f"threads must be left out with a scheduler, whose workers set it, got {threads!r}")
    place = None if folder is None else make_folder(study, folder)
    results: dict[int, CaseResult] = {}
    missing = list(missing_chunks(study, place))
    total = study.poses * len(study.cases)
    ended = total - sum(len(study.chunk_of(number)[1]) for number in missing)
    here = (study.solve_chunk(number, threads) for number in missing)
    solved = here if scheduler is None else on_cluster(study, missing, scheduler)
    try:
        with warnings.catch_warnings(), closing(solved), progress_bar(lambda: ended, total, "study", progress) as tick:
            warnings.filterwarnings("ignore", "interrupted: ")  # of one batch
            for number, result, process in solved:
                if place is None:
                    results[number] = result
                else:
                    write(study, place, number, result, process)
                ended += len(result)
                tick()
    except KeyboardInterrupt:
        rest = f"stored in {place}; the same call continues" if place else "in the results"
        warnings.warn(f"interrupted: {ended:,} of {total:,} poses are {rest}", stacklevel=2)
    return StudyResults(study, place, ended == total, partial(read, study, place) if place else results.get)


def on_cluster(study: Study, numbers: list[int], scheduler: str) -> Generator[Solved]:
    """Solve chunks on the workers of a Dask scheduler, each with one thread; wait if there is no worker."""
    from distributed import Client, as_completed
    from distributed.scheduler import KilledWorker

    try:
        client = Client(scheduler, timeout=CONNECTING, set_as_default=False)
    except (OSError, ValueError) as error:
        raise StudyError(f"no Dask scheduler answers at {scheduler!r}; start one with `dask scheduler`") from error
    raised_by_chunk = False
    try:
        sent = client.submit(copy, study, pure=False)  # a task, which Dask repeats if the worker with its result dies
        futures = [client.submit(Study.solve_chunk, sent, number, 1, __version__, pure=False) for number in numbers]
        arriving = as_completed(futures, loop=client.loop)
        del futures  # so that the cluster frees a result after its arrival
        for future in arriving:
            raised_by_chunk = future.status == "error"
            yield future.result()
    except KilledWorker as error:
        raise StudyError(f"a chunk killed several workers, perhaps for lack of memory: {error}") from error
    except Exception as error:  # Dask raises errors of many kinds, and those of a chunk
        if raised_by_chunk or (client.status == "running" and not isinstance(error, OSError)):
            raise  # an OSError of the client is a lost connection that its status may not show yet
        raise StudyError(f"the scheduler at {scheduler} is gone; start one, and the same call continues") from error
    finally:
        with suppress(Exception):  # noqa: BLE001
            client.close(timeout=1)


def make_folder(study: Study, above: str | Path) -> Path:
    """Create the folder of a study."""
    place = folder_path(above, error=StudyError) / study.hash
    need("studies", "a study with a folder", "pyarrow")
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StudyError(f"cannot write to {place}: {error.strerror}; name a folder that can be written") from error
    return place


def file_of(place: Path, number: int) -> Path:
    """Return the file of a chunk."""
    return place / f"chunk-{number:06}.parquet"


def missing_chunks(study: Study, place: Path | None) -> Iterator[int]:
    """Return the numbers of the chunks that are not stored; name each damaged file in a warning."""
    for number in range(len(study.cases) * study.chunks_of_a_case):
        try:
            if place is None or read(study, place, number) is None:
                yield number
        except StudyError as damage:
            warnings.warn(f"{damage}; its chunk is solved again", stacklevel=4)
            yield number


def write(study: Study, place: Path, number: int, result: CaseResult, process: dict[str, Any]) -> None:
    """Write the file of a chunk, complete or not at all."""
    import pyarrow as pa
    from pyarrow import parquet

    (case, rows), count = study.chunk_of(number), len(result)
    joints = study.parts(case)[0].joint_units
    units = {"orientation_error": "rad", "position_error": "m", "seconds": "s", "q": ", ".join(joints)}
    units["distance"] = " ".join(dict.fromkeys(joints))
    columns = {"case": pa.repeat(case.place, count), "pose": pa.array(np.array(rows))}
    columns |= {axis: pa.repeat(getattr(case, axis), count) for axis in AXES}
    columns |= {name: pa.array(getattr(result, name)) for name in PLAIN}
    columns["status"] = pa.array([status.name for status in result.status])
    columns["q"] = pa.FixedSizeListArray.from_arrays(result.q.ravel(), len(joints))
    about = {"hash": study.hash, "chunk": number, "seed": study.seed, "units": units, "process": process}
    table = pa.table(columns, metadata={ABOUT: json.dumps(about, ensure_ascii=False)})
    file = file_of(place, number)
    unfinished = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        parquet.write_table(table, unfinished, compression="zstd", write_page_checksum=True)
        unfinished.replace(file)
    except OSError as error:
        raise StudyError(f"cannot write {file}: {error}; all files are complete, the same call continues") from error


def read(study: Study, place: Path, number: int) -> CaseResult | None:
    """Return the results of a chunk; None if this study has no file of the chunk; StudyError if it is damaged."""
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
        columns = {name: table[name].to_numpy() for name in PLAIN}
        columns["q"] = table["q"].combine_chunks().flatten().to_numpy().reshape(len(table), -1)
        columns["status"] = np.array([Status[name] for name in table["status"].to_pylist()], dtype=np.object_)
        return CaseResult(**columns)
    except (OSError, pa.ArrowException, LookupError, TypeError, ValueError) as cause:
        raise StudyError(f"{file} is damaged: {' '.join(str(cause).split())}") from cause


def empty_result(study: Study, number: int) -> CaseResult:
    """Return the results of a chunk that was not solved."""
    case, rows = study.chunk_of(number)
    unknown, none = np.full(len(rows), np.nan), np.zeros(len(rows), dtype=np.int64)
    q, status = np.tile(unknown[:, None], study.parts(case)[0].dof), np.full(len(rows), Status.INTERRUPTED)
    return CaseResult(q, status, none > 0, none, none, unknown, unknown, unknown, unknown)


def statistics(case: Case, result: CaseResult) -> dict[str, Cell]:
    """Return the row of a case."""
    there, solved = result.status != Status.INTERRUPTED, result.converged
    poses, restarts, steps = int(there.sum()), result.restarts[there], result.iterations[solved]
    return {
        **asdict(case),
        "poses": poses,
        "solved": len(steps),
        "percent": 100.0 * len(steps) / poses if poses else None,
        "mean_steps": over(np.mean, steps),
        "median_steps": over(np.median, steps),
        "mean_starts": over(np.mean, 1 + restarts),
        "most_starts": 1 + int(restarts.max()) if poses else None,
        "distance": over(np.mean, result.distance[solved]),
        "microseconds": over(np.mean, 1e6 * result.seconds[there]),
    }
