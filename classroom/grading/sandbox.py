"""Start a process for a student's code that sees neither the course nor the network, as far as the system allows.

With Bubblewrap (`bwrap`) the process has its own file system, with Python and the library read-only, and runs as
another user. Without Bubblewrap, root starts it under an unused user number. In all cases `confine.py` blocks all other
files on a Linux with Landlock. `sandbox_gaps` lists what remains accessible.
"""

import contextlib
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from classroom.grading import confine
from classroom.grading.cleanup import STARTED, STRANGERS, SUBMISSION, adopt_orphans, end, folder, remove_files_of

ROOT = Path(__file__).resolve().parents[2]
PASSED_ON = ("LESSONS_STUDENT", "SUBMISSION_MEMORY")
"""Environment variables that are passed on to a submission."""
PLACE = "SUBMISSION_PLACE"
"""Environment variable: parent folder of the submissions' folders, removed after grading."""
TRIED = "SUBMISSION_BUBBLEWRAP"
"""Environment variable: result of the test of Bubblewrap."""
AS_ROOT = (
    "Root runs Bubblewrap, so the kernel does not limit the threads of a submission. The grading counts them ten times "
    f"a second and ends a submission that has more than {confine.MOST_THREADS}. If an account other than root grades, "
    "the kernel limits them."
)
"""Gap that remains if root runs Bubblewrap."""
WORKER = [sys.executable, "-P", "-s", "-B", "-m", "classroom.grading.worker"]
"""Command that starts the process for a student's functions."""
SYSTEM = ("/usr", "/bin", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/alternatives")
"""System files that programs need."""


def library_folder() -> Path:
    """Return the folder of the imported library."""
    spec = find_spec("lessons_lib")
    assert spec is not None and spec.origin is not None
    return Path(spec.origin).resolve().parent


def readable_folders() -> list[Path]:
    """Return the folders that a student's code reads: Python, installed packages, the library, the worker."""
    pythons = {Path(sys.prefix), Path(sys.base_prefix)}
    return [*pythons, library_folder(), ROOT / "classroom" / "__init__.py", ROOT / "classroom" / "grading"]


def environment(place: str) -> dict[str, str]:
    """Return the environment of a student's process; `place` is its writable folder."""
    variables = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    path = os.pathsep.join([str(ROOT), str(library_folder().parent)])
    one = {f"{of}_NUM_THREADS": "1" for of in ("OMP", "OPENBLAS", "MKL")}
    here = {"HOME": place, "TMPDIR": place, "MPLCONFIGDIR": place, "MPLBACKEND": "agg", "PYTHONPATH": path}
    if os.name == "nt":
        here |= {name: os.environ[name] for name in ("SYSTEMROOT", "PATH") if name in os.environ}
    reads = [*SYSTEM, *map(str, readable_folders()), str(cache_folder()), "/dev/null", "/dev/urandom", "/proc/self"]
    here["SUBMISSION_READS"] = os.pathsep.join(reads)
    return variables | one | here | {"LANG": "C.UTF-8", "LESSONS_CACHE_DIR": str(cache_folder())}


def cache_folder() -> Path:
    """Return the folder of compiled code, which a student's code may read but not write."""
    from lessons_lib.codegen.cache import directory

    return directory().absolute()


@cache
def bubblewrap_command() -> tuple[str, ...]:
    """Return the command prefix that starts a program in Bubblewrap, or () if Bubblewrap does not work."""
    program = shutil.which("bwrap")
    if program is None or os.environ.get(TRIED) == "in vain":
        return ()
    command = [program, "--unshare-all", "--unshare-user", "--uid", "65534", "--gid", "65534", "--die-with-parent"]
    command += ["--new-session", "--cap-drop", "ALL", "--hostname", "submission"]
    for path in SYSTEM:
        command += ["--ro-bind-try", path, path]
    command += ["--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev", "--size", str(2**26), "--tmpfs", "/tmp"]
    for path in map(str, (*readable_folders(), cache_folder())):
        command += ["--ro-bind-try", path, path]
    command += ["--remount-ro", "/", "--chdir", "/tmp"]
    if os.environ.get(TRIED):
        return tuple(command)
    probe = [*command, sys.executable, "-c", "import encodings"]
    tried = subprocess.run(probe, capture_output=True, env=environment("/tmp"), stdin=subprocess.DEVNULL)
    return tuple(command) if tried.returncode == 0 else ()


def share_bubblewrap_result() -> None:
    """Tell the kernels that this process starts whether Bubblewrap works, so that they need not test it."""
    os.environ[TRIED] = "and works" if bubblewrap_command() else "in vain"


def can_switch_user() -> bool:
    """Return whether this user can start a process as another user who can run this Python and reach its folder."""
    if not hasattr(os, "getuid") or os.getuid() != 0:
        return False
    place = Path(os.environ.get(PLACE) or tempfile.gettempdir()).absolute() / SUBMISSION
    folders = {
        part for path in (Path(sys.executable), Path(sys.executable).resolve(), ROOT, place) for part in path.parents
    }
    return all(folder.stat().st_mode & 0o001 for folder in folders)


def sandbox_gaps() -> str:
    """Return what a submission could read, do or leave behind on this system although it should not, in words."""
    if bubblewrap_command():
        return AS_ROOT if confine.this_user() == 0 else ""
    gaps = []
    if not confine.landlock():
        runs = "as another user, who can read what all may read" if can_switch_user() else "as you"
        rest = "" if can_switch_user() else " and the marks, and write them"
        gaps.append(f"read files: it runs {runs}, and could read the solutions{rest}")
    if not confine.seccomp():
        gaps.append("reach the network, start other processes and leave them running, and leave shared memory behind")
    if not (confine.seccomp() and os.getuid() == 0 and can_use_strangers()):
        gaps.append("start as many threads as your account may")
    gaps.append(
        "find out whether any file exists and how large it is, and fill the temporary folder while it is graded"
    )
    return (
        f"Without Bubblewrap, a submission can do the following on this system: {'; '.join(gaps)}. Install it (on "
        "Debian and Ubuntu: apt-get install bubblewrap); on other systems than Linux, grade in a container or on a "
        "separate machine."
    )


@cache
def can_use_strangers() -> bool:
    """Return whether root can start a process under an unused user number; a container may have few numbers."""
    with tempfile.NamedTemporaryFile() as file:
        try:
            os.chown(file.name, STRANGERS, STRANGERS)
        except OSError:
            return False
    return True


@contextlib.contextmanager
def worker() -> Iterator["subprocess.Popen[bytes]"]:
    """Start a process for a student's functions; on exit, remove it, its child processes and its files."""
    start: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    start["start_new_session"] = True  # so that `end` also finds what bwrap forks while it is killed
    with contextlib.ExitStack() as stack:
        place, user = "", 0
        if sandbox := bubblewrap_command():
            process = subprocess.Popen([*sandbox, *WORKER], env=environment("/tmp"), **start)
        else:
            adopt_orphans()
            place = stack.enter_context(folder(SUBMISSION, os.environ.get(PLACE)))
            variables = environment(place)
            if confine.this_user() == 0 and os.name != "nt":
                stranger = STRANGERS + secrets.randbelow(100_000_000)
                with contextlib.suppress(OSError):  # a container that knows few numbers of users
                    os.chown(place, stranger, stranger)
                    variables["SUBMISSION_USER"], user = str(stranger), stranger
                if not can_switch_user():
                    variables["SUBMISSION_MAY_READ"] = "yes"
            process = subprocess.Popen(WORKER, env=variables, cwd=place, **start)
        STARTED.add(process.pid)
        try:
            yield process
        finally:
            end(process, place, user)
            remove_files_of(user)
