"""Source files that shape a generated text: all imports of a derivation, also indirect, except TYPE_CHECKING ones."""
# a regular expression finds the imports: with `ast`, a warm start would take fifty times as long

import hashlib
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

PACKAGE = "lessons_lib"
ROOT = Path(__file__).resolve().parent.parent.parent
"""The folder that contains the package."""

_FOR_TYPES = re.compile(r"^([ \t]*)if TYPE_CHECKING:.*\n(?:\1[ \t]+.*\n|[ \t]*\n)*", re.MULTILINE)
_IMPORT = re.compile(
    rf"^[ \t]*(?:from[ \t]+({PACKAGE}[\w.]*)[ \t]+import[ \t]+(\([^)]*\)|[^\n]*)|import[ \t]+([^\n]*))", re.MULTILINE
)
_BUILT = {"__pycache__", "built"}
_NAME = re.compile(r"[A-Za-z_][\w.]*")


def digest(modules: Iterable[str], root: Path = ROOT) -> str:
    """Return a hash of the named modules and of all their direct and indirect imports within the library."""
    return _digest(tuple(modules), root)


@lru_cache(maxsize=256)
def _digest(modules: tuple[str, ...], root: Path) -> str:
    hashed = hashlib.sha256()
    for name in sorted(closure(modules, root)):
        hashed.update(f"{name}\0{_read(file_of(name, root))[0]}\0".encode())
    return hashed.hexdigest()


def digest_of_files(modules: Iterable[str]) -> str:
    """Return a hash of the named modules without their imports."""
    return "\0".join(_read(file_of(name))[0] for name in modules)


@lru_cache(maxsize=1)
def digest_of_all(root: Path = ROOT) -> str:
    """Return a hash of all files of the library except built ones."""
    hashed = hashlib.sha256()
    for path in sorted((root / PACKAGE).rglob("*")):
        place = path.relative_to(root)
        if path.is_file() and not _BUILT.intersection(place.parts) and not is_lesson_data(place):
            hashed.update(f"{place.as_posix()}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
    return hashed.hexdigest()


def is_lesson_data(place: Path) -> bool:
    """Return whether a file is not part of the wheel: a view, check or data file in a lesson's folder."""
    return place.parts[1] == "course" and (place.suffix in {".ts", ".yml"} or place.match("course/*/check*.py"))


def closure(modules: Iterable[str], root: Path = ROOT) -> set[str]:
    """Return the named modules and all their direct and indirect imports within the library."""
    names: set[str] = set()
    waiting = [name for name in modules if name.split(".")[0] == PACKAGE]
    while waiting:
        name = waiting.pop()
        if name not in names:
            names.add(name)
            waiting += imports(name, root)
    return names


def imports(module: str, root: Path = ROOT) -> set[str]:
    """Return the modules of the library that a module imports."""
    names = {_resolve(*pair, root) for pair in _read(file_of(module, root))[1]}
    return {name for name in names if name}


def file_of(module: str, root: Path = ROOT) -> Path:
    """Return the file of a module, or the `__init__.py` of a package."""
    path = root.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


@lru_cache(maxsize=1024)
def _read(path: Path) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Return the hash of a file and its imports as pairs (module, name or "")."""
    content = path.read_bytes()
    return hashlib.sha256(content).hexdigest(), tuple(_statements(content.decode("utf-8")))


def _statements(text: str) -> Iterator[tuple[str, str]]:
    for source, names, modules in _IMPORT.findall(_FOR_TYPES.sub("", text)):
        for name in _imported_names(names or modules):
            if source:
                yield source, name
            elif name.split(".")[0] == PACKAGE:
                yield name, ""


def _imported_names(text: str) -> list[str]:
    """Return the names in `a, b as c  # why`, without those after `as`."""
    lines = (line.partition("#")[0] for line in text.splitlines())
    parts = " ".join(lines).replace("(", " ").replace(")", " ").split(",")
    return [match.group() for match in map(_NAME.search, parts) if match]


def _resolve(source: str, name: str, root: Path) -> str:
    """Return the module that a name is imported from, or the name itself if it is a module."""
    below = f"{source}.{name}" if name else source
    return below if file_of(below, root).exists() else source
