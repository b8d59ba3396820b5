"""Generated modules on disk: written once per user, found again at the next start.

A module's file is named by a hash of its key (its recipe, and the source files that shape it) and of the versions of
the tools. So a change anywhere in the derivation makes a new file, and the old one is never read again. What its
functions are compiled to lies beside it.

Whatever is wrong with the folder costs time and nothing else: a file that is not whole is written again; where the
folder cannot be written, or could be by others (`trust`), a temporary one takes its place, and where that cannot be
written either (a full disk) the module is made in memory, at each start. A folder that can only be read, in an image or
on a share, still serves: the temporary one then holds links to its files.
"""

import ast
import contextlib
import hashlib
import linecache
import os
import re
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

import platformdirs

from lessons_lib.codegen.expiry import PREFIX, note_use, remove_old
from lessons_lib.codegen.forks import loading
from lessons_lib.codegen.native import settle, uncollected
from lessons_lib.codegen.notice import notify, warn
from lessons_lib.codegen.owners import clear_up, own, own_again
from lessons_lib.codegen.syntax import parsed
from lessons_lib.codegen.trust import seal, why_not_ours, write_atomically
from lessons_lib.errors import CodegenError

_SEAL = "# seal of this name and the text above: "


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
    """Return the generated module of this name and key, from the cache if it is there, else made, written and loaded.

    Args:
        name: Short name for the file; ASCII letters, digits and underscores.
        key: All that the text hangs on, the tools' versions aside; see linker.py.
        make_source: Makes the text of the module; called only when the cache has none.
        depends_on: Generated modules that the text imports; their names enter the hash.
        derives: What `make_source` derives, for the message to the one who waits; left out where nobody has to wait.
        owner: Whom the module is made for; when all its owners are gone its memory is freed, without one it never is.

    Raises:
        CodegenError: `name` has other characters.
    """
    if not re.fullmatch(r"[A-Za-z0-9_]{1,60}", name):
        raise CodegenError(f"{name!r} cannot name a generated module; use up to 60 letters, digits and underscores")

    with loading:
        ingredients = [key, _tools(), *(m.__name__ for m in depends_on)]
        digest = hashlib.sha256("\0".join(ingredients).encode()).hexdigest()[:20]
        module_name = f"{PREFIX}{name}_{digest}"

        def make() -> str:
            if derives:
                notify(f"deriving {derives}")
            with uncollected():
                return _sealed(module_name, _without_clashes(make_source()))

        own(module_name, owner)  # from here on nobody lets go of it
        for needed in depends_on:
            own_again(needed, owner)
        clear_up()
        if module_name not in sys.modules:
            text, path = _text_for(module_name, make)
            load_module(module_name, text, path)
            settle(sys.modules[module_name], derives or f"the {name} kernels", path.parent if path else None)
        return sys.modules[module_name]


def load_module(module_name: str, text: str, path: Path | None) -> None:
    """Run a module's text as that of its file, which another process may have removed meanwhile; None: it has none."""
    module = ModuleType(module_name)
    origin = f"<{module_name}>" if path is None else str(path)
    if path is not None:
        module.__file__ = origin
    sys.modules[module_name] = module
    try:
        run(text, origin, vars(module))
    except BaseException:
        del sys.modules[module_name]
        raise


def run(text: str, origin: str, space: dict[str, Any] | None = None) -> dict[str, Any]:
    """Run a module's text in a namespace, and return that; the text is kept for `inspect`: see translate.py."""
    space = {} if space is None else space
    linecache.cache[origin] = (len(text), None, text.splitlines(keepends=True), origin)
    exec(compile(text, origin, "exec", dont_inherit=True), space)
    return space


def _text_for(module_name: str, make: Callable[[], str]) -> tuple[str, Path | None]:
    """Return the module's whole text, and the file that holds it, written now if there is none; None if none can be."""
    text = ""
    for folder in _writable_folders():
        _link_what_can_only_be_read(module_name, folder)
        path = folder / f"{module_name}.py"
        found = _whole_text(path)
        if found:
            note_use(path)
            return found, path
        text = text or make()
        with contextlib.suppress(OSError):  # the disk is full
            write_atomically(path, text.encode())
            remove_old(folder)
            return text, path
    return text or make(), None


def _writable_folders() -> Iterator[Path]:
    """Yield the cache, then a temporary folder, as far as they can be written."""
    for folder in (directory, _temporary_directory):
        with contextlib.suppress(OSError):
            path = folder()
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
            strangers = why_not_ours(path)
            if strangers:
                _say_not_used(path, strangers)
                continue
            with tempfile.TemporaryFile(dir=path):
                pass
            yield path


def _link_what_can_only_be_read(module_name: str, folder: Path) -> None:
    """Link what the cache holds of a module into the folder that takes its place."""
    if folder == directory():
        return
    with contextlib.suppress(OSError):
        shared = directory().absolute()
        if why_not_ours(shared):
            return
        for path in shared.glob(f"{module_name}.*"):
            link = folder / path.relative_to(shared)
            if not link.exists():
                link.unlink(missing_ok=True)
                link.symlink_to(path)


@lru_cache(maxsize=8)
def _say_not_used(path: Path, strangers: str) -> None:
    warn(
        f"{path} is not used as a cache, for whoever may write there could have this program run anything: "
        f"{strangers}. Set LESSONS_CACHE_DIR to a folder that you alone can write (chmod 700)"
    )


def _without_clashes(text: str) -> str:
    """Return a module's text, joined from several, unless one name stands for two things in it.

    What it imports from another generated module counts, too.

    Raises:
        CodegenError: It does, and the later one would silently take the place of the first.
    """
    seen: set[str] = set()
    for node in parsed(text).body:
        names = [node.name] if isinstance(node, ast.FunctionDef) else []
        if isinstance(node, ast.ImportFrom) and node.names[0].name == "*":
            names = list(_own_names(sys.modules[str(node.module)]))
        if isinstance(node, ast.Assign):
            names = [part.id for target in node.targets for part in ast.walk(target) if isinstance(part, ast.Name)]
        twice = seen.intersection(names)
        if twice:
            raise CodegenError(f"{min(twice)!r} is given twice in one generated module; each name stands for one thing")
        seen.update(names)
    return text


def _own_names(module: ModuleType) -> Iterator[str]:
    """Yield the names of a generated module's numbers and functions, and of those that it takes from its like."""
    for name, value in vars(module).items():
        is_generated = str(getattr(value, "__module__", "")).startswith(PREFIX)
        if not name.startswith("_") and (is_generated or isinstance(value, int | float)):
            yield name


def _sealed(module_name: str, text: str) -> str:
    return f"{text}\n{_SEAL}{seal(f'{module_name}.py', text.encode()).hex()}\n"


def _whole_text(path: Path) -> str:
    """Return what a file holds, if it is ours and ends with the seal of its name and its text; else nothing.

    It is read once: what was checked is what is run, and the file may go at any time.
    """
    try:
        if why_not_ours(path):
            return ""
        content = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""
    text, _, found = content.rpartition(f"\n{_SEAL}")
    return content if found.strip() == seal(path.name, text.encode()).hex() else ""


@lru_cache(maxsize=1)
def _temporary_directory() -> Path:
    """Return a folder that this user alone can write: what lies in it will be run."""
    if not hasattr(os, "getuid"):  # on Windows the temporary folder is the user's own
        return Path(tempfile.gettempdir()) / "lessons-lib"
    folder = Path(tempfile.gettempdir()) / f"lessons-lib-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    ours = stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o022
    return folder if ours else Path(tempfile.mkdtemp(prefix="lessons-lib-"))


@lru_cache(maxsize=1)
def _tools() -> str:
    """Return the versions of what derives, prints and compiles."""
    from importlib.metadata import version  # slow to load, and needed only here

    tools = [f"{tool} {version(tool)}" for tool in ("sympy", "llvmlite", "numpy")]
    return "\0".join([*tools, sys.version])
