"""Restrict this process before it runs a student's code: files, processes, the network, memory.

On Linux the kernel then refuses all files except the named ones (Landlock), and the system calls that reach other
processes or the network or leave something behind (seccomp). Other systems only get the resource limits they support.
"""

import contextlib
import ctypes
import os
import platform
import struct
import sys
from collections.abc import Iterable
from pathlib import Path

try:
    import resource
except ImportError:  # not on Windows
    resource = None  # type: ignore[assignment]

REFUSED = {
    "x86_64": "57 58 59 322 101 310 311 41 62 200 234 129 424 272 308 165 425 321 248 249 250 323 298 304 302 141 203 "
    "144 251 256 279 76 90 91 268 452 92 93 94 260 132 235 261 280 188 189 190 29 30 31 64 65 66 67 68 69 70 71 220 "
    "240",
    "aarch64": "221 281 117 270 271 198 129 130 131 138 424 97 268 40 425 280 217 218 219 282 241 265 261 140 122 119 "
    "30 238 239 45 52 53 452 54 55 88 5 6 7 186 187 188 189 190 191 192 193 194 195 196 197 180",
}
"""System calls by machine: fork, exec, ptrace, the memory of others, sockets, signals, namespaces, mounts, io_uring,
bpf, keys, faults and counters of others, files by number, limits and priority of others; length, rights, owner, times
and labels of files, which Landlock leaves open; shared memory, semaphores and queues, which outlive a process."""
CLONE = {"x86_64": 56, "aarch64": 220}
CLONE3 = 435
SET_RIGHTS = {"x86_64": 126, "aarch64": 91}
PRCTL = {"x86_64": 157, "aarch64": 167}
END_WITH_PARENT, KEEP_RIGHTS, READ_ALL = 1, 8, 1 << 2  # PR_SET_PDEATHSIG, PR_SET_KEEPCAPS, CAP_DAC_READ_SEARCH
MOST_THREADS = 64
ARCHITECTURE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
THREAD = 0x00010000  # CLONE_THREAD
ALLOW, KILL, NOT_ALLOWED, NOT_THERE = 0x7FFF0000, 0x80000000, 0x00050001, 0x00050026  # EPERM, ENOSYS
LOAD, EQUAL, AT_LEAST, BITS, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06


CREATE, ADD, RESTRICT = 444, 445, 446  # Landlock's calls, on every machine
READS, ALL = 0b1101, 0x1FFF  # execute, read a file, read a folder; all that its first version knows
LATER = {2: 1 << 13, 3: 1 << 14}
"""What later versions of Landlock know besides: to move into another folder, and to shorten a file."""


def landlock() -> int:
    """Return the version of Landlock; 0 if it is missing or the system call numbers are unknown."""
    if sys.platform != "linux" or platform.machine() not in REFUSED:
        return 0
    return max(0, int(ctypes.CDLL(None).syscall(CREATE, None, 0, 1)))


def refuse_files(reads: Iterable[str], writes: str) -> bool:
    """Allow reading only below some paths and writing only in one folder; return whether that was possible."""
    if not (version := landlock()):
        return False
    system = ctypes.CDLL(None).syscall
    handled = ALL | sum(bit for since, bit in LATER.items() if version >= since)
    rules = system(CREATE, struct.pack("=Q", handled), 8, 0)
    for path, allowed in [*((path, READS) for path in reads), (writes, handled)]:
        with contextlib.suppress(OSError):
            place = os.open(path, os.O_PATH | os.O_CLOEXEC)
            of_files = allowed if Path(path).is_dir() else allowed & 0b101
            system(ADD, rules, 1, struct.pack("=Qi", of_files, place), 0)
            os.close(place)
    ctypes.CDLL(None).prctl(38, 1, 0, 0, 0)  # no_new_privs, required by the next call
    done = system(RESTRICT, rules, 0) == 0
    os.close(rules)
    return bool(done)


def drop_rights(user: int, may_read: bool) -> None:
    """Switch to another user, if a number is given, and give up root's capabilities; see capabilities(7).

    Args:
        user: Number of the other user, 0 for none.
        may_read: Whether to keep the capability to read any file, needed if Python is in a folder of root's. Landlock
            still refuses all files that are not named.
    """
    knows = sys.platform == "linux" and platform.machine() in SET_RIGHTS
    if not hasattr(os, "setresuid"):
        return
    system = ctypes.CDLL(None)
    kept = READ_ALL if knows and may_read else 0
    if user:
        if kept:
            system.prctl(KEEP_RIGHTS, 1, 0, 0, 0)
        with contextlib.suppress(OSError):  # a container may have few user numbers
            os.setgroups([])
            os.setresgid(user, user, user)
            os.setresuid(user, user, user)
    if knows:
        kept = kept if this_user() else 0
        rights = struct.pack("=6I", kept, kept, 0, 0, 0, 0)
        system.syscall(SET_RIGHTS[platform.machine()], struct.pack("=Ii", 0x20080522, 0), rights)


def end_with_parent() -> None:
    """Make the kernel kill this process when its parent process ends."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(END_WITH_PARENT, 9, 0, 0, 0)


def this_user() -> int:
    """Return the number of this user; 0 on Windows."""
    return os.getuid() if hasattr(os, "getuid") else 0


def threads_of(user: int) -> int:
    """Return the number of threads of a user, as far as /proc shows them."""
    threads = 0
    for path in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # ended, or not readable
            if path.stat().st_uid == user:
                threads += sum(1 for _ in (path / "task").iterdir())
    return threads


def filter_of(machine: str) -> bytes:
    """Return the seccomp filter program for a machine; see seccomp(2)."""
    rows = [(LOAD, 0, 0, 4), (EQUAL, 1, 0, ARCHITECTURE[machine]), (RETURN, 0, 0, KILL), (LOAD, 0, 0, 0)]
    rows += [(AT_LEAST, 0, 1, 0x40000000), (RETURN, 0, 0, NOT_ALLOWED)]  # x32 calls have other numbers
    rows += [(EQUAL, 0, 1, CLONE3), (RETURN, 0, 0, NOT_THERE)]  # then libc uses clone
    for call in map(int, REFUSED[machine].split()):
        rows += [(EQUAL, 0, 1, call), (RETURN, 0, 0, NOT_ALLOWED)]
    rows += [
        (EQUAL, 0, 3, PRCTL[machine]),
        (LOAD, 0, 0, 16),
        (EQUAL, 0, 1, END_WITH_PARENT),
        (RETURN, 0, 0, NOT_ALLOWED),
    ]
    rows += [(LOAD, 0, 0, 0)]
    rows += [(EQUAL, 0, 3, CLONE[machine]), (LOAD, 0, 0, 16), (BITS, 1, 0, THREAD), (RETURN, 0, 0, NOT_ALLOWED)]
    return b"".join(struct.pack("=HBBI", *row) for row in [*rows, (RETURN, 0, 0, ALLOW)])


def seccomp() -> bool:
    """Return whether the system supports seccomp filters and the machine's system call numbers are known."""
    known = sys.platform == "linux" and platform.machine() in REFUSED
    return known and int(ctypes.CDLL(None).prctl(21, 0, 0, 0, 0)) == 0  # PR_GET_SECCOMP


def refuse_system_calls() -> bool:
    """Install the filter for this process and all its threads; return whether that was possible."""
    machine = platform.machine()
    if sys.platform != "linux" or machine not in REFUSED:
        return False

    class Program(ctypes.Structure):
        _fields_ = [("count", ctypes.c_ushort), ("rows", ctypes.c_char_p)]

    text = filter_of(machine)
    program = Program(len(text) // 8, text)
    call = ctypes.CDLL(None).prctl
    no_new_rights, with_filter = (38, 1, 0, 0, 0), (22, 2, ctypes.byref(program), 0, 0)
    return bool(call(*no_new_rights) == 0 and call(*with_filter) == 0)


def limit_memory(megabytes: int) -> None:
    """Limit the memory of this process to `megabytes` beyond its current use."""
    try:
        in_use = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):  # not Linux: count from zero
        in_use = 0
    bound("RLIMIT_AS", in_use + megabytes * 2**20)


def limit_files_and_time() -> None:
    """Limit files to 1 MB (a figure), open files, core dumps, and processor time to an hour."""
    for name, most in {"RLIMIT_FSIZE": 2**20, "RLIMIT_CORE": 0, "RLIMIT_NOFILE": 256, "RLIMIT_CPU": 3600}.items():
        bound(name, most)


def bound(name: str, most: int) -> None:
    """Set one resource limit if the system supports it."""
    if resource is not None:
        with contextlib.suppress(OSError, ValueError, AttributeError):
            resource.setrlimit(getattr(resource, name), (most, most))
