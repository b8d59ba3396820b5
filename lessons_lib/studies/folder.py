"""A folder in which a study's chunks are kept, each in a file that is whole or not there."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from lessons_lib.errors import StudyError
from lessons_lib.studies import parquet
from lessons_lib.studies.chunks import Part
from lessons_lib.studies.declaration import Study

try:
    from fcntl import LOCK_EX, LOCK_NB, flock
except ImportError:  # Windows
    flock = None  # type: ignore[assignment]

DECLARATION = "_study.json"
"""What the study is, for people; readers of Parquet pass over a name that begins so."""


class Folder:
    """The files of one study.

    Attributes:
        study: The study.
        path: Where they are: the study's hash, below the folder that was named.
    """

    def __init__(self, study: Study, above: Path) -> None:
        """Make the folder, and say in it what the study is.

        Raises:
            StudyError: It cannot be made or written.
        """
        self.study, self.path = study, above / study.hash
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            write_whole(self.path / DECLARATION, json.dumps(study.declaration, indent=1, ensure_ascii=False).encode())
        except OSError as error:
            raise StudyError(
                f"cannot write to {self.path}: {error.strerror}; name a folder that can be written"
            ) from error

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keep other runs of the same study out, where the system has locks on files.

        Raises:
            StudyError: One is at work here.
        """
        with (self.path / ".lock").open("wb") as lock:
            if flock is not None:
                try:
                    flock(lock, LOCK_EX | LOCK_NB)
                except BlockingIOError as error:
                    raise StudyError(f"another run of this study is at work in {self.path}; wait for it") from error
            yield

    def file(self, number: int) -> Path:
        """Return where a chunk is kept."""
        return self.path / f"chunk-{number:06}.parquet"

    def has(self, number: int) -> bool:
        """Return whether a chunk is there, and whole; a warning names a file that is damaged."""
        try:
            return self.part(number) is not None
        except StudyError as damage:
            warnings.warn(f"{damage}; the chunk is computed anew", stacklevel=3)
            return False

    def part(self, number: int) -> Part | None:
        """Return an answered chunk; None where it is not there.

        Raises:
            StudyError: Its file is damaged.
        """
        file = self.file(number)
        return parquet.decoded(file) if parquet.is_answer(file, self.study.hash, number) else None

    def keep(self, number: int, data: bytes) -> None:
        """Write the bytes of a chunk.

        Raises:
            StudyError: It could not be written, and so is not there at all.
        """
        try:
            write_whole(self.file(number), data)
        except OSError as error:
            raise StudyError(
                f"cannot write {self.file(number)}: {error.strerror}; the chunks that are there are whole, "
                "and the same call goes on with the others"
            ) from error


def write_whole(path: Path, data: bytes) -> None:
    """Write a file that is there whole or not at all, also after a loss of power.

    Raises:
        OSError: The disk is full, for one; there is no new file then, and what was there before is as it was.
    """
    part = path.with_name(f".{path.name}.part")
    try:
        with part.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except BaseException:
        with suppress(OSError):
            part.unlink()
        raise
    with suppress(OSError):  # a folder cannot be opened on every system
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
