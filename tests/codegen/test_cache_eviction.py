"""Cache eviction: files unused for a month, and the least recently used above a size; never files in use."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lessons_lib.codegen import cache
from lessons_lib.codegen.cache import DAY, HOUR, MAX_UNUSED, PREFIX

NOW = time.time()


def write_module(folder: Path, name: str, unused: float, size: int = 10) -> list[Path]:
    """Write a module and its machine code, created long ago and last used `unused` seconds ago; return its files."""
    code = [folder / f"{PREFIX}{name}.{function}-0123456789ab.o" for function in ("f", "g")]
    files = [folder / f"{PREFIX}{name}.py", *code]
    for path in files:
        path.write_bytes(b"x" * (size // 3))
        os.utime(path, (NOW - (unused if path.suffix == ".py" else 400 * DAY), NOW - 400 * DAY))
    return files


def find_expired(folder: Path) -> set[Path]:
    return set(cache.expired_files(folder, NOW))


def test_a_module_unused_for_a_month_expires_with_its_machine_code(tmp_path: Path) -> None:
    old = write_module(tmp_path, "old_1", MAX_UNUSED + HOUR)
    write_module(tmp_path, "used_2", MAX_UNUSED - HOUR)
    assert find_expired(tmp_path) == set(old)
    assert list(cache.expired_files(tmp_path, NOW))[-1] == old[0], (
        "the module is last, so that its machine code is never orphaned"
    )


def test_machine_code_without_a_module_expires_by_its_own_age(tmp_path: Path) -> None:
    module, other, code = write_module(tmp_path, "alone", 0.0)
    module.unlink()
    assert find_expired(tmp_path) == {other, code}
    os.utime(code, (NOW, NOW))
    assert find_expired(tmp_path) == set()


def test_above_the_size_limit_the_least_recently_used_modules_expire(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "MAX_BYTES", 700)
    write_module(tmp_path, "busy", HOUR / 2, size=6000)
    assert find_expired(tmp_path) == set(), "used within the hour"
    write_module(tmp_path, "busy", HOUR / 2)
    for day in (1, 2, 3, 4):
        write_module(tmp_path, f"arm_{day}", day * DAY, size=300)
    assert {path.name.split(".")[0] for path in find_expired(tmp_path)} == {f"{PREFIX}arm_4", f"{PREFIX}arm_3"}


def test_torn_writes_expire_after_an_hour_and_other_files_stay(tmp_path: Path) -> None:
    names = ("tmpabc.tmp", f"{PREFIX}x.py.tmp.123", "notes.txt", "mine.py", "other.o")
    for name in names:
        (tmp_path / name).touch()
    assert find_expired(tmp_path) == set()
    for name in names:
        os.utime(tmp_path / name, (NOW - 400 * DAY, NOW - 400 * DAY))
    assert find_expired(tmp_path) == {tmp_path / names[0], tmp_path / names[1]}


def test_writing_a_module_evicts_old_ones_and_reading_one_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LESSONS_CACHE_DIR", str(tmp_path))
    name = cache.load("expiry_toy", "1", lambda: "X = 1\n").__name__
    monkeypatch.setattr(cache, "_last_eviction", {})
    old = write_module(tmp_path, "forgotten", 2 * MAX_UNUSED)[0]
    del sys.modules[name]
    assert cache.load("expiry_toy", "1", lambda: "X = 2\n").X == 1
    assert old.exists()
    cache.load("expiry_toy", "2", lambda: "X = 2\n")
    assert not old.exists()


BUSY = """
import sys, time
from lessons_lib.codegen import cache
cache.HOUR = cache.MAX_UNUSED = -1.0  # every file expires immediately
text = "from lessons_lib.codegen.native import native\\n@native\\ndef f(x):\\n    return x + {}\\n"
right = 0
for turn in range(4):
    for k in range(3):
        module = cache.load("busy", str(k), lambda k=k: text.format(k))
        right += module.f(1.0) == 1.0 + k
        del sys.modules[module.__name__]
    cache.evict(cache.directory())
print(right)
"""


@pytest.mark.check
def test_processes_that_evict_each_others_files_compute_the_same_result(tmp_path: Path) -> None:
    environment = {**os.environ, "LESSONS_CACHE_DIR": str(tmp_path / "cache")}
    command = [sys.executable, "-W", "error", "-c", BUSY]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    started = [subprocess.Popen(command, env=environment, **pipes) for _ in range(3)]  # type: ignore[call-overload]
    ended = [process.communicate(timeout=900) for process in started]
    assert [(p.returncode, out) for p, (out, _) in zip(started, ended, strict=True)] == [(0, "12\n")] * 3, ended
