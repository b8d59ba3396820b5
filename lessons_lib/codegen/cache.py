"""Cache of generated modules and machine code: one folder per user, with integrity checks before execution."""
# A file name contains a hash of recipe, source files and tool versions; a file ends with a checksum. If the folder is
# not writable, or others may write to it, a temporary folder replaces it, or, if that fails, memory.

import ast
import contextlib
import hashlib
import linecache
import os
import re
import stat
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

import platformdirs

from lessons_lib.codegen.compile_log import notify, warn
from lessons_lib.codegen.locks import gc_paused, loading
from lessons_lib.codegen.machine import processor
from lessons_lib.codegen.module_lifetime import release_unowned, retain, retain_again
from lessons_lib.codegen.syntax import parse
from lessons_lib.errors import CodegenError

PREFIX = "lessons_lib_generated_"
HOUR, DAY = 3600.0, 86400.0
MAX_UNUSED = 30 * DAY
MAX_BYTES = 512 * 2**20
"""Largest size of a folder, bytes; an arm with all its methods takes 8 MB."""

_CHECKSUM = b"\n# checksum of this name and the content above: "
_last_eviction: dict[Path, float] = {}


def directory() -> Path:
    """Return the cache folder: $LESSONS_CACHE_DIR, or the user's own cache folder for lessons-lib."""
    return Path(os.environ.get("LESSONS_CACHE_DIR") or platformdirs.user_cache_dir("lessons-lib", appauthor=False))


def load(
    name: str,
    key: str,
    make_source: Callable[[], str],
    depends_on: tuple[ModuleType, ...] = (),
    derives: str = "",
    owner: object = None,
) -> ModuleType:
    """Return a generated module, cached or built now, and keep it until its last owner is freed (or forever)."""
    # `key` states all inputs of the text except the versions of the tools and the names of the modules it imports
    # (`depends_on`)
    if not re.fullmatch(r"[A-Za-z0-9_]{1,60}", name):
        raise CodegenError(f"module name must be 1 to 60 letters, digits or underscores, got {name!r}")

    with loading:
        ingredients = [key, _tools(), *(m.__name__ for m in depends_on)]
        digest = hashlib.sha256("\0".join(ingredients).encode()).hexdigest()[:20]
        module_name = f"{PREFIX}{name}_{digest}"

        def make() -> str:
            if derives:
                notify(f"deriving {derives}")
            with gc_paused():
                return _check_unique_names(make_source())

        retain(module_name, owner)
        for needed in depends_on:
            retain_again(needed, owner)
        release_unowned()
        if module_name not in sys.modules:
            load_module(module_name, *_text_for(module_name, make), derives or f"the {name} kernels")
        return sys.modules[module_name]


def load_module(module_name: str, text: str, path: Path | None, what: str) -> None:
    """Execute a module's text; `native` reads its `_DESCRIPTION` and `_FOLDER`."""
    module = ModuleType(module_name)
    origin = f"<{module_name}>" if path is None else str(path)
    if path is not None:
        module.__file__ = origin
    vars(module).update(_DESCRIPTION=what, _FOLDER=path.parent if path else None)
    sys.modules[module_name] = module
    try:
        run(text, origin, vars(module))
    except BaseException:
        del sys.modules[module_name]
        raise


def run(text: str, origin: str, space: dict[str, Any] | None = None) -> dict[str, Any]:
    """Execute a text in a namespace and return that; `linecache` keeps the text for translate.py."""
    space = {} if space is None else space
    linecache.cache[origin] = (len(text), None, text.splitlines(keepends=True), origin)
    exec(compile(text, origin, "exec", dont_inherit=True), space)
    return space


def load_or_build(folder: Path | None, name: str, about: str, make: Callable[[], bytes]) -> bytes:
    """Return machine code for this processor from a file (by `name` and hash of `about`), or build and write it."""
    if folder is None:
        return make()
    about = hashlib.sha256(f"{about} {' '.join(processor())}".encode()).hexdigest()[:12]
    path = folder / f"{name}-{about}.o"
    content = read_verified(path)
    if content is None:
        content = make()
        with contextlib.suppress(OSError):  # the disk is full
            write_with_checksum(path, content)
    return content


def read_verified(path: Path) -> bytes | None:
    """Read a file without its checksum; None if it is missing, damaged, or owned by another user."""
    try:
        with path.open("rb") as file:
            if hasattr(os, "getuid") and os.fstat(file.fileno()).st_uid not in (0, os.getuid()):
                return None
            content, mark, checksum = file.read().rpartition(_CHECKSUM)
    except OSError:
        return None
    return content if mark and checksum == _checksum(path, content) else None


def write_with_checksum(path: Path, content: bytes) -> None:
    """Write a file and its checksum; on failure raise OSError and keep the old file."""
    write_atomically(path, content + _CHECKSUM + _checksum(path, content))


def write_atomically(path: Path, content: bytes) -> None:
    """Write to a temporary file and rename it, so that other processes read the old file or the new one."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _checksum(path: Path, content: bytes) -> bytes:
    return hashlib.sha256(path.name.encode() + b"\0" + content).hexdigest().encode() + b"\n"


def insecure_reason(path: Path) -> str:
    """Return who other than root and this user may write to a path or above it; empty if nobody, and on Windows."""
    if not hasattr(os, "getuid"):
        return ""
    place = path.resolve()
    return _other_writer(place, 0o022) or next(filter(None, (_other_writer(up, 0o002) for up in place.parents)), "")


def _other_writer(path: Path, forbidden: int) -> str:
    status = path.stat()
    if status.st_uid not in (0, os.getuid()):
        return f"{path} belongs to user {status.st_uid}"
    if status.st_mode & forbidden and not (stat.S_ISDIR(status.st_mode) and status.st_mode & stat.S_ISVTX):
        return f"other users may write to {path}"
    by_group = forbidden == 0o002 and status.st_mode & 0o020 and not status.st_mode & stat.S_ISVTX
    return f"its group may write to {path}" if by_group and status.st_gid not in (0, os.getgid()) else ""


def _text_for(module_name: str, make: Callable[[], str]) -> tuple[str, Path | None]:
    """Return a module's text and its file, written now if necessary; None if no file can be written."""
    text = ""
    for folder in _writable_folders():
        _link_read_only_files(module_name, folder)
        path = folder / f"{module_name}.py"
        with contextlib.suppress(OSError):  # another process has removed it
            content = None if insecure_reason(path) else read_verified(path)
            if content is not None:
                record_use(path)
                return content.decode(), path
        text = text or make()
        with contextlib.suppress(OSError):  # the disk is full
            write_with_checksum(path, text.encode())
            evict(folder)
            return text, path
    return text or make(), None


def _writable_folders() -> Iterator[Path]:
    """Yield those of the cache and a temporary folder that only this user can write."""
    for folder in (directory, _temporary_directory):
        with contextlib.suppress(OSError):
            path = folder()
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
            reason = insecure_reason(path)
            if reason:
                _warn_of_insecure(path, reason)
                continue
            with tempfile.TemporaryFile(dir=path):
                pass
            yield path


def _link_read_only_files(module_name: str, folder: Path) -> None:
    """Link a module's files from a read-only cache into the temporary folder that replaces it."""
    if folder == directory():
        return
    with contextlib.suppress(OSError):
        shared = directory().absolute()
        if insecure_reason(shared):
            return
        for path in shared.glob(f"{module_name}.*"):
            link = folder / path.relative_to(shared)
            if not link.exists():
                link.unlink(missing_ok=True)
                link.symlink_to(path)


@lru_cache(maxsize=8)
def _warn_of_insecure(path: Path, reason: str) -> None:
    warn(
        f"{path} is not used as a cache, because {reason}, and this program would run its files. "
        "Set LESSONS_CACHE_DIR to a folder that only you can write (chmod 700)"
    )


def _check_unique_names(text: str) -> str:
    """Return a module's text; raise CodegenError if it imports or defines a name twice."""
    used_names: set[str] = set()
    for node in parse(text).body:
        names = [node.name] if isinstance(node, ast.FunctionDef) else []
        if isinstance(node, ast.ImportFrom) and node.names[0].name == "*":
            names = list(_generated_names(sys.modules[str(node.module)]))
        if isinstance(node, ast.Assign):
            names = [part.id for target in node.targets for part in ast.walk(target) if isinstance(part, ast.Name)]
        twice = used_names.intersection(names)
        if twice:
            raise CodegenError(f"a generated module must bind each name once, got {min(twice)!r} twice")
        used_names.update(names)
    return text


def _generated_names(module: ModuleType) -> Iterator[str]:
    """Yield the names of numbers and functions in a generated module, imported ones among them."""
    for name, value in vars(module).items():
        is_generated = str(getattr(value, "__module__", "")).startswith(PREFIX)
        if not name.startswith("_") and (is_generated or isinstance(value, int | float)):
            yield name


@lru_cache(maxsize=1)
def _temporary_directory() -> Path:
    """Return a temporary folder that only this user can write."""
    if not hasattr(os, "getuid"):  # on Windows the temporary folder is the user's own
        return Path(tempfile.gettempdir()) / "lessons-lib"
    folder = Path(tempfile.gettempdir()) / f"lessons-lib-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    status = folder.lstat()
    ours = stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid() and not status.st_mode & 0o022
    return folder if ours else Path(tempfile.mkdtemp(prefix="lessons-lib-"))


@lru_cache(maxsize=1)
def _tools() -> str:
    from importlib.metadata import version  # slow to load, and needed only here

    return "\0".join([*(f"{tool} {version(tool)}" for tool in ("sympy", "llvmlite", "numpy")), sys.version])


def record_use(path: Path) -> None:
    """Update the access time of a module's file, at most once a day."""
    now = time.time()
    with contextlib.suppress(OSError):
        status = path.stat()
        if now - status.st_atime > DAY:
            os.utime(path, ns=(int(now * 1e9), status.st_mtime_ns))


def evict(folder: Path) -> None:
    """Remove the expired files of a folder, at most once an hour; a process that needs them builds them again."""
    now = time.time()
    if now - _last_eviction.get(folder, 0.0) < HOUR:
        return
    _last_eviction[folder] = now
    with contextlib.suppress(OSError):
        for path in expired_files(folder, now):
            path.unlink(missing_ok=True)


def expired_files(folder: Path, now: float) -> Iterator[Path]:
    """Yield the files to evict: modules unused for `MAX_UNUSED`, the oldest beyond `MAX_BYTES`, and torn writes."""
    # a module comes after its machine code; files used within an hour stay
    modules: dict[str, list[tuple[Path, os.stat_result]]] = defaultdict(list)
    for path in (*folder.glob(f"{PREFIX}*"), *folder.glob("tmp*.tmp")):
        with contextlib.suppress(OSError):  # another process has removed it
            status = path.stat()
            if path.suffix in (".py", ".o"):
                modules[path.name.split(".")[0]].append((path, status))
            elif now - status.st_mtime > HOUR:
                yield path
    sizes = {name: sum(status.st_size for _, status in files) for name, files in modules.items()}
    used = {name: max(_last_use(*file) for file in files) for name, files in modules.items()}
    whole = sum(sizes.values())
    for name in sorted(modules, key=lambda name: used[name]):
        age = now - used[name]
        if age > MAX_UNUSED or (whole > MAX_BYTES and age > HOUR):
            whole -= sizes[name]
            yield from sorted((path for path, _ in modules[name]), key=lambda path: path.suffix == ".py")


def _last_use(path: Path, status: os.stat_result) -> float:
    return max(status.st_mtime, status.st_atime) if path.suffix == ".py" else status.st_mtime
