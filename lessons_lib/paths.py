"""Paths that a caller gives: checks with errors that say what is wrong, and what is allowed."""

from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike, fspath
from pathlib import Path

from lessons_lib.errors import ArgumentError, LessonsError, ParameterError


def input_file(path: object, error: type[ArgumentError] = ParameterError, name: str = "path") -> Path:
    """Return the path of a file that is there.

    Raises:
        ArgumentError: As `error`: it is empty, no path, a folder, or there is no such file.
    """
    file = _path(path, error, name, "a file")
    if kind_of(file) == "a file":
        return file
    raise error(f"{short_repr(str(file), 300)} is {kind_of(file)}; {name} must be the path of a file on this machine")


def output_file(path: object, name: str = "file") -> Path:
    """Return the path of a file that can be made: its folder is there, and it is no folder itself.

    Raises:
        ParameterError: It is empty, no path, a folder, or inside no folder.
    """
    file = _path(path, ParameterError, name, "a file")
    if kind_of(file) == "a folder":
        raise ParameterError(f"{short_repr(str(file), 300)} is a folder; {name} must be the path of a file")
    if "\0" in str(file):
        raise ParameterError(
            f"{name} holds a null character, {short_repr(str(file), 300)}; it must be the path of a file"
        )
    if kind_of(file.parent) != "a folder":
        where = short_repr(str(file.parent), 300)
        raise ParameterError(f"there is no folder {where}; make it first, or let {name} be in a folder that is there")
    return file


def folder_path(path: object, name: str = "folder", error: type[LessonsError] = ParameterError) -> Path:
    """Return the path of a folder, whether or not it is there.

    Raises:
        LessonsError: As `error`: it is empty, no path, or a file.
    """
    folder = _path(path, error, name, "a folder")
    if kind_of(folder) == "a file":
        raise error(f"{short_repr(str(folder), 300)} is a file; {name} must be the path of a folder")
    return folder


@contextmanager
def report_write_errors(file: Path, name: str = "file") -> Iterator[Path]:
    """Name the file if the system does not let it be written.

    Raises:
        ParameterError: It cannot be written.
    """
    try:
        yield file
    except OSError as cause:
        where = short_repr(str(file), 300)
        raise ParameterError(f"cannot write {where}: {cause.strerror}; let {name} be one that you may write") from cause


def kind_of(path: Path) -> str:
    """Return "a file", "a folder" or "no file"; what cannot be a path, such as one that is too long, is none."""
    try:
        return "a file" if path.is_file() else "a folder" if path.is_dir() else "no file"
    except (OSError, ValueError):
        return "no file"


def short_repr(value: object, most: int = 60) -> str:
    """Return a value as it is written in Python, cut after `most` characters."""
    text = repr(value)
    return text if len(text) <= most else f"{text[:most]}…"


def _path(path: object, error: type[LessonsError], name: str, what: str) -> Path:
    if not isinstance(path, (str, PathLike)) or not isinstance(fspath(path), str):
        raise error(f"{name} must be the path of {what}, a string or a pathlib.Path; got {short_repr(path)}")
    if not fspath(path):
        raise error(f"{name} is empty; it must be the path of {what}")
    return Path(path)
