"""Where a student's code runs: in a process that sees neither the course nor the network, as far as the system can.

With Bubblewrap (`bwrap`) it has a file system of its own that holds Python and the library, to be read alone, and is
another user there, whoever grades. Without it root hands it to a user number that nobody has. In both, and where there
is neither, `confine.py` shuts all other files on a Linux that has Landlock. What is left open, `open_to_it` says.
"""

import contextlib
import os
import secrets
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from classroom.grading import confine

ROOT = Path(__file__).resolve().parents[2]
TOLD = ("LESSONS_STUDENT", "HAND_IN_MEMORY")
"""Of the environment, what a hand-in is told."""
TRIED = "HAND_IN_BUBBLEWRAP"
"""Set where somebody has tried whether Bubblewrap works."""
STRANGERS = 2_000_000_000
"""User numbers from here on have no account."""
SYSTEM = ("/usr", "/bin", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/alternatives")
"""What programs need of a system."""


def library() -> Path:
    """Return the folder of the library, whichever one is imported here."""
    found = find_spec("lessons_lib")
    assert found is not None and found.origin is not None
    return Path(found.origin).resolve().parent


def needed() -> list[Path]:
    """Return the folders that a student's code needs to read: Python, what is installed, the library, the worker."""
    pythons = {Path(sys.prefix), Path(sys.base_prefix)}
    return [*pythons, library(), ROOT / "classroom" / "__init__.py", ROOT / "classroom" / "grading"]


def environment(place: str) -> dict[str, str]:
    """Return what a student's code finds in its environment, with a folder for what it writes."""
    told = {name: os.environ[name] for name in TOLD if name in os.environ}
    path = os.pathsep.join([str(ROOT), str(library().parent)])
    one = {f"{of}_NUM_THREADS": "1" for of in ("OMP", "OPENBLAS", "MKL")}
    here = {"HOME": place, "TMPDIR": place, "MPLCONFIGDIR": place, "MPLBACKEND": "agg", "PYTHONPATH": path}
    if os.name == "nt":
        here |= {name: os.environ[name] for name in ("SYSTEMROOT", "PATH") if name in os.environ}
    reads = [*SYSTEM, *map(str, needed()), str(compiled()), "/dev/null", "/dev/urandom", "/proc/self"]
    here["HAND_IN_READS"] = os.pathsep.join(reads)
    return told | one | here | {"LANG": "C.UTF-8", "LESSONS_CACHE_DIR": str(compiled())}


def compiled() -> Path:
    """Return where the compiled code lies, which a student's code may read and never write."""
    from lessons_lib.codegen.cache import directory

    return directory().absolute()


@cache
def bubblewrap() -> tuple[str, ...]:
    """Return the beginning of a command that runs the rest of it apart, or nothing where that cannot be had."""
    program = shutil.which("bwrap")
    if program is None or os.environ.get(TRIED) == "in vain":
        return ()
    command = [program, "--unshare-all", "--unshare-user", "--uid", "65534", "--gid", "65534", "--die-with-parent"]
    command += ["--new-session", "--cap-drop", "ALL", "--hostname", "hand-in"]
    for path in SYSTEM:
        command += ["--ro-bind-try", path, path]
    command += ["--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev", "--size", str(2**26), "--tmpfs", "/tmp"]
    for folder in (*needed(), compiled()):
        command += ["--ro-bind-try", str(folder), str(folder)]
    command += ["--remount-ro", "/", "--chdir", "/tmp"]
    if os.environ.get(TRIED):
        return tuple(command)
    probe = [*command, sys.executable, "-c", "import encodings"]
    tried = subprocess.run(probe, capture_output=True, env=environment("/tmp"), stdin=subprocess.DEVNULL)
    return tuple(command) if tried.returncode == 0 else ()


def tell_kernels() -> None:
    """Let the kernels that this process starts know whether Bubblewrap works, so that they need not try."""
    os.environ[TRIED] = "and works" if bubblewrap() else "in vain"


def another_user() -> bool:
    """Return whether this user can hand a process to another one, who can run this Python."""
    if not hasattr(os, "getuid") or os.getuid() != 0:
        return False
    folders = {part for path in (Path(sys.executable), Path(sys.executable).resolve(), ROOT) for part in path.parents}
    return all(folder.stat().st_mode & 0o001 for folder in folders)


def open_to_it() -> str:
    """Return a sentence on what a hand-in could read or do here that it should not; an empty one where all is shut."""
    if bubblewrap() or confine.landlock():
        return ""
    runs = "as another user, who can read what all may read" if another_user() else "as you"
    return (
        f"This system cannot shut its files to a hand-in: it runs {runs}, and could read the solutions"
        f"{'' if another_user() else ' and the marks, and write them'}. On Linux install Bubblewrap (the command "
        "bwrap); elsewhere grade in a container or on a machine of its own."
    )


@contextlib.contextmanager
def worker() -> Iterator["subprocess.Popen[bytes]"]:
    """Start a process for a student's functions; in the end it is killed, and what it wrote is gone."""
    command = [sys.executable, "-P", "-s", "-B", "-m", "classroom.grading.worker"]
    start: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with contextlib.ExitStack() as stack:
        if apart := bubblewrap():
            process = subprocess.Popen([*apart, *command], env=environment("/tmp"), **start)
        else:
            place = stack.enter_context(_folder())
            if another_user():
                stranger = STRANGERS + secrets.randbelow(100_000_000)
                os.chown(place, stranger, stranger)
                start |= {"user": stranger, "group": stranger, "extra_groups": []}
            process = subprocess.Popen(command, env=environment(place), cwd=place, start_new_session=True, **start)
        try:
            yield process
        finally:
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout):
                with contextlib.suppress(OSError):
                    stream.close()  # type: ignore[union-attr]


@contextlib.contextmanager
def _folder() -> Iterator[str]:
    import tempfile

    place = tempfile.mkdtemp(prefix="hand-in-")
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)
