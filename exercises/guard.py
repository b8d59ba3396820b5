"""What stands in the kernel of a hand-in while it is graded: closed folders, limited memory, a record to compare with.

A student's code runs in the process of the checks, so it could replace what they measure with. This file is loaded
there before the first cell. It keeps what the libraries and the checks consist of; after each cell it compares, puts
back what was changed, and names it. An audit hook, which Python code cannot take away again, refuses files and
processes. Python is no sandbox: whoever calls into C with `ctypes`, or finds this module and rewrites it, gets past.
For that there are users and containers of the operating system.
"""

import ast
import os
import resource
import symtable
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

LIBRARIES = ("builtins", "math", "numpy", "scipy", "sympy", "lessons_lib")
FILES = {"open": 1, "os.listdir": 1, "os.scandir": 1, "os.remove": 1, "os.rename": 2, "os.link": 2, "os.symlink": 2}
FILES |= {"os.truncate": 1, "os.chmod": 1, "os.mkdir": 1, "os.rmdir": 1, "sqlite3.connect": 1}
"""Audit events whose first arguments are paths, and how many."""
REFUSED = {"os.exec", "os.fork", "os.forkpty", "os.kill", "os.killpg", "os.posix_spawn", "os.spawn", "os.system"}
REFUSED |= {"pty.spawn", "subprocess.Popen", "socket.bind", "socket.connect", "socket.getaddrinfo"}
REFUSED |= {"gc.get_objects", "gc.get_referents", "gc.get_referrers", "sys.setprofile", "sys.settrace"}

kept_modules: dict[str, dict[str, object]] = {}
kept_classes: dict[type, dict[str, object]] = {}
kept_code: dict[FunctionType, tuple[object, ...]] = {}
kept_names: dict[str, tuple[object, object]] = {}


def begin(imports: str, closed: Iterable[str], opened: Iterable[str], megabytes: int) -> None:
    """Import what the checks import, keep it, limit the memory, and close the folders.

    Args:
        imports: The import statements of the checks.
        closed: Folders of which nothing may be read: the course, with its solutions and its hand-ins.
        opened: Folders in them that are needed all the same: the library, Python itself.
        megabytes: Memory beyond what is in use, MB.
    """
    exec(imports, {})
    keep_libraries()
    folders = [os.path.realpath(os.environ.get("LESSONS_CACHE_DIR", "~/.cache")), tempfile.gettempdir(), "/dev"]
    folders += [str(Path.home() / name) for name in (".cache", ".config", ".ipython")]
    limit(megabytes)
    sys.addaudithook(audit_hook([*closed], [*opened], folders))


def limit(megabytes: int) -> None:
    """Bound the memory and the size of a file; a system that cannot bound them is left as it is."""
    try:
        in_use = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * os.sysconf("SC_PAGE_SIZE")
        resource.setrlimit(resource.RLIMIT_AS, (in_use + megabytes * 2**20,) * 2)
        resource.setrlimit(resource.RLIMIT_FSIZE, (2**27,) * 2)
    except (OSError, ValueError):
        pass


def audit_hook(closed: list[str], opened: list[str], written: list[str]) -> Callable[[str, tuple[Any, ...]], None]:
    """Return the audit hook: what is closed cannot be read, and only what is `written` can be written."""

    def inside(path: str, folders: list[str]) -> bool:
        return any(path == folder or path.startswith(folder + os.sep) for folder in folders)

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event in REFUSED:
            raise PermissionError(f"a hand-in that is graded may not do this: {event}")
        for named in arguments[: FILES.get(event, 0)]:
            if not isinstance(named, (str, bytes, os.PathLike)) or named == ":memory:":
                continue
            path = os.path.realpath(os.fsdecode(named))
            shut = inside(path, closed) and not inside(path, opened)
            writes = event != "open" and event.partition(".")[2] not in {"listdir", "scandir"}
            if event == "open" and isinstance(arguments[2], int):
                writes = bool(arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT))
            if shut or (writes and not inside(path, written)):
                raise PermissionError(f"a hand-in that is graded may not open {path}")

    return hook


def keep_libraries() -> None:
    """Record the functions, classes and constants of the libraries that are loaded, and the methods of our classes."""
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] in LIBRARIES and isinstance(module, ModuleType):
            solid = {key: value for key, value in vars(module).items() if callable(value) or isinstance(value, float)}
            kept_modules[name] = solid
            for value in solid.values():
                if isinstance(value, FunctionType):
                    kept_code[value] = (value.__code__, value.__defaults__)
                elif isinstance(value, type) and value.__module__.startswith("lessons_lib"):
                    kept_classes[value] = dict(vars(value))


def tidy(source: str, ours: bool) -> list[str]:
    """Put back what a cell has changed of the libraries, and of what earlier cells of the checks define; return it.

    Args:
        source: Of the cell that has just run.
        ours: Whether it is a cell of the checks, whose own names are then kept, too.
    """
    import __main__

    space = vars(__main__)
    changed = [*libraries_changed()]
    bound = names_bound(source) if ours else set()
    for name, (value, content) in kept_names.items():
        if name in bound:
            continue
        if space.get(name) is not value or content_of(value) != content:
            changed.append(name)
            space[name] = value
    changed += rewritten(source, space) if ours else []
    kept_names.update({name: (space[name], content_of(space[name])) for name in bound if name in space})
    return changed


def libraries_changed() -> Iterable[str]:
    """Yield the names in the libraries that are no longer what they were, after putting them back."""
    for name, kept in kept_modules.items():
        module = sys.modules.get(name)
        for key, value in kept.items():
            if module is not None and vars(module).get(key) is not value:
                vars(module)[key] = value
                yield f"{name}.{key}"
    for owner, kept in kept_classes.items():
        for key, value in kept.items():
            if vars(owner).get(key) is not value:
                setattr(owner, key, value)
                yield f"{owner.__name__}.{key}"
    for function, (code, defaults) in kept_code.items():
        if function.__code__ is not code or function.__defaults__ is not defaults:
            function.__code__, function.__defaults__ = code, defaults  # type: ignore[assignment]
            yield function.__qualname__


def names_bound(source: str) -> set[str]:
    """Return the names that a cell binds in the notebook's own space."""
    table = symtable.symtable(source, "cell", "exec")
    return {symbol.get_name() for symbol in table.get_symbols() if symbol.is_assigned() or symbol.is_imported()}


def rewritten(source: str, space: dict[str, object]) -> list[str]:
    """Return the functions of a cell whose code is not what its text says, and the constants that are not."""
    written = {part.co_name: part for part in compile(source, "cell", "exec").co_consts if isinstance(part, CodeType)}
    faults = []
    for name, code in written.items():
        function = space.get(name)
        if name.isidentifier() and not (isinstance(function, type) or getattr(function, "__code__", None) == code):
            faults.append(name)
    for line in ast.parse(source).body:
        if isinstance(line, ast.Assign) and isinstance(line.value, ast.Constant):
            names = [target.id for target in line.targets if isinstance(target, ast.Name)]
            faults += [name for name in names if space.get(name) != line.value.value]
    return faults


def content_of(value: object) -> object:
    """Return what can be compared with the same value later: of an array its bytes, of a function its code."""
    if isinstance(value, FunctionType):
        return value.__code__, value.__defaults__
    if isinstance(value, (list, tuple)):
        return tuple(map(id, value))
    if isinstance(value, dict):
        return tuple((key, id(item)) for key, item in value.items())
    as_bytes = getattr(value, "tobytes", None)
    return as_bytes() if callable(as_bytes) else None
