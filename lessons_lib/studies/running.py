"""Answer a study: on this machine by the compiled batch on all cores, or by the workers of a Dask scheduler."""

from __future__ import annotations

import uuid
import warnings
from collections.abc import Generator, Iterable
from contextlib import closing, nullcontext
from pathlib import Path

from lessons_lib.errors import ParameterError, StudyError
from lessons_lib.extras import need
from lessons_lib.paths import folder_path
from lessons_lib.pose_ik.progress import shown
from lessons_lib.studies import cluster, parquet
from lessons_lib.studies.answers import Answers
from lessons_lib.studies.chunks import Chunk, Part
from lessons_lib.studies.declaration import Study
from lessons_lib.studies.folder import Folder

__all__ = [
    "run",
]


def run(
    study: Study,
    folder: str | Path | None = None,
    *,
    scheduler: str | None = None,
    threads: int | None = None,
    progress: bool | None = None,
) -> Answers:
    """Return the answers to a study, and keep them in a folder if one is named.

    With a folder every chunk is a Parquet file below it, in a folder named by the study's hash. A file is written whole
    or not at all; a chunk that is there is not answered again, unless its file is damaged, which a warning says. So
    whatever ends a run, Ctrl-C, a full disk or a scheduler that goes, the same call goes on with what is left. Where a
    chunk is answered changes no answer, on processors of one kind.

    Ctrl-C gives back what is done, with a warning: `Answers.complete` is false then, and poses without an answer are
    INTERRUPTED.

    Args:
        study: What is asked.
        folder: Where to keep the answers; None for the memory alone.
        scheduler: Address of a Dask scheduler, as "tcp://10.0.0.1:8786", whose workers have this library; None for this
            machine alone.
        threads: How many threads share the work here, at most; None for one a core that this process may use. The
            workers of a scheduler have their own number.
        progress: Whether to show a progress bar on stderr; None for a bar on a terminal, after two seconds.

    Raises:
        StudyError: The folder cannot be written, another run is at work in it, or the scheduler does not answer.
        ParameterError: Threads are given for a scheduler, or a method of the reader's own does not say what it is.
        MissingExtra: pyarrow, or Dask, is not installed.
    """
    if folder is not None:
        folder_path(folder, error=StudyError)
        need("studies", "a study with a folder", "pyarrow")
    if scheduler is not None:
        need("studies", "a study with a scheduler", "distributed", "pyarrow")
    if threads is not None and scheduler is not None:
        raise ParameterError(f"threads is {threads!r}; the workers of a scheduler have their own number")
    kept = None if folder is None else Folder(study, Path(folder))
    parts: dict[int, Part] = {}
    with nullcontext() if kept is None else kept.alone():
        missing = [number for number in range(study.chunks) if kept is None or not kept.has(number)]
        ended = sum(map(study.size_of, range(study.chunks))) - sum(map(study.size_of, missing))
        token = uuid.uuid4().hex
        chunks = (study.cut(number, token, kept is not None) for number in missing)
        answered = _here(chunks, threads) if scheduler is None else cluster.answered(chunks, scheduler)
        with (
            shown(lambda: ended, study.poses * len(study.cases), "study", progress) as tick,
            closing(answered) as arriving,
        ):
            try:
                for chunk, part in arriving:
                    if kept is None:
                        parts[chunk.number] = parquet.decoded(part) if isinstance(part, bytes) else part
                    else:
                        kept.keep(chunk.number, part if isinstance(part, bytes) else parquet.encoded(chunk, part))
                    ended += chunk.count
                    tick()
            except KeyboardInterrupt:
                where = f"kept in {kept.path}; the same call goes on" if kept else "in what came back"
                warnings.warn(
                    f"interrupted: {ended:,} of {study.poses * len(study.cases):,} poses are {where}", stacklevel=2
                )
    return Answers(study, kept.path if kept else None, kept.part if kept else parts.get)


def _here(chunks: Iterable[Chunk], threads: int | None) -> Generator[tuple[Chunk, Part]]:
    """Yield each chunk with its answers."""
    for chunk in chunks:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "interrupted: ")  # it is said below, of the whole study
            part = chunk.answer(threads)
        yield chunk, part
