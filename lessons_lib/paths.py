"""Checks of paths that a caller passes."""

from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike, fspath
from pathlib import Path

from lessons_lib.errors import ArgumentError, LessonsError, ParameterError


def input_file(path: object, error: type[ArgumentError] = ParameterError, name: str = "path") -> Path:
    """Return the path of an existing file; raise `error` for anything else."""
    file = _path(path, error, name, "a file")
    if kind_of(file) == "a file":
        return file
    kind = "a folder" if kind_of(file) == "a folder" else "which does not exist"
    raise error(f"{name} must be the path of a file on this machine, got {short_repr(str(file), 300)}, {kind}")


def output_file(path: object) -> Path:
    """Return the path of a file to write, in an existing folder; raise ParameterError for anything else."""
    file = _path(path, ParameterError, "file", "a file")
    if kind_of(file) == "a folder":
        raise ParameterError(f"file must be the path of a file, got {short_repr(str(file), 300)}, a folder")
    if "\0" in str(file):
        raise ParameterError(
            f"file must be the path of a file without null characters, got {short_repr(str(file), 300)}"
        )
    if kind_of(file.parent) != "a folder":
        where = short_repr(str(file.parent), 300)
        raise ParameterError(f"file must be in an existing folder, got {where}; create that folder first")
    return file


def folder_path(path: object, name: str = "folder", error: type[LessonsError] = ParameterError) -> Path:
    """Return the path of a folder, existing or not; raise `error` for anything else."""
    folder = _path(path, error, name, "a folder")
    if kind_of(folder) == "a file":
        raise error(f"{name} must be the path of a folder, got {short_repr(str(folder), 300)}, a file")
    return folder


@contextmanager
def report_write_errors(file: Path) -> Iterator[Path]:
    """Convert an OSError in this context to a ParameterError that names the file."""
    try:
        yield file
    except OSError as cause:
        where = short_repr(str(file), 300)
        raise ParameterError(f"cannot write {where}: {cause.strerror}; file must be writable") from cause


def kind_of(path: Path) -> str:
    """Return "a file", "a folder" or "no file"; an invalid path, such as one that is too long, is "no file"."""
    try:
        return "a file" if path.is_file() else "a folder" if path.is_dir() else "no file"
    except (OSError, ValueError):
        return "no file"


def short_repr(value: object, most: int = 60) -> str:
    """Return the `repr` of a value, cut after `most` characters."""
    text = repr(value)
    return text if len(text) <= most else f"{text[:most]}…"


def _path(path: object, error: type[LessonsError], name: str, what: str) -> Path:
    if not isinstance(path, (str, PathLike)) or not isinstance(fspath(path), str):
        raise error(f"{name} must be the path of {what}, a string or a pathlib.Path; got {short_repr(path)}")
    if not fspath(path):
        raise error(f"{name} must be the path of {what}, got an empty string")
    return Path(path)
