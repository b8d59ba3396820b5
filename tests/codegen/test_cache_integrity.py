"""Cache: only unchanged files that no other user can write are executed; unused files are evicted, except in use."""

import logging
import os
import stat
import subprocess
import sys
import time

import pytest

from lessons_lib.codegen import cache
from lessons_lib.codegen.cache import DAY, HOUR, MAX_UNUSED, PREFIX


def change_owner(path, monkeypatch):
    """Change the owner of a path, or without root rights the apparent user."""
    if os.getuid() == 0:
        os.chown(path, 65534, -1)
    else:
        other = os.getuid() + 1
        monkeypatch.setattr(cache.os, "getuid", lambda: other)


@pytest.mark.parametrize("mode", [0o777, 0o775, 0o1777, 0o702])
def test_a_folder_that_others_can_write_is_insecure(tmp_path, mode, monkeypatch):
    folder = tmp_path / "open"
    folder.mkdir()
    folder.chmod(mode)
    refused = cache.insecure_reason(folder)
    assert refused == ("" if mode & stat.S_ISVTX else f"other users may write to {folder}")
    (folder / "inside").mkdir(mode=0o700)
    below = cache.insecure_reason(folder / "inside")
    assert bool(below) == (mode in (0o777, 0o702)), "whoever can write to a parent folder can replace the folder"
    if os.getuid() == 0:
        os.chown(folder, -1, 65534)
    else:
        monkeypatch.setattr(cache.os, "getgid", lambda: folder.stat().st_gid + 1)
    assert bool(cache.insecure_reason(folder / "inside")) == (mode != 0o1777), "the parent is of another group"


def test_a_folder_or_file_of_another_user_is_insecure(tmp_path, monkeypatch):
    folder = tmp_path / "theirs"
    folder.mkdir(mode=0o700)
    file = folder / "file"
    cache.write_with_checksum(file, b"x")
    assert cache.read_verified(file) is not None
    change_owner(file, monkeypatch)
    assert cache.read_verified(file) is None
    assert "belongs to user" in cache.insecure_reason(file)
    change_owner(folder, monkeypatch)
    assert "belongs to user" in cache.insecure_reason(folder)


def test_planted_code_in_a_writable_folder_is_not_run(tmp_path, monkeypatch, caplog):
    """A module with a valid name and checksum in a world-writable folder must not be executed."""
    folder = tmp_path / "configured"
    folder.mkdir()
    recipe, ours = "a recipe that nobody else has", "VALUE = 'ours'\n"
    monkeypatch.setenv("LESSONS_CACHE_DIR", str(folder))
    monkeypatch.setattr(cache, "_temporary_directory", lambda: tmp_path / "own")
    name = cache.load("planted", recipe, lambda: ours, owner=(first := type("Owner", (), {})())).__name__
    del first
    sys.modules.pop(name, None)
    planted = folder / f"{name}.py"
    cache.write_with_checksum(planted, b"VALUE = 'theirs'\n")
    assert cache.read_verified(planted), "in a secure folder it would be run"
    (folder / f"{name}.f-0123456789ab.o").write_bytes(b"theirs")
    folder.chmod(0o777)
    cache._warn_of_insecure.cache_clear()
    with caplog.at_level(logging.WARNING, "lessons_lib"):
        assert cache.load("planted", recipe, lambda: ours).VALUE == "ours"
    assert f"{folder} is not used as a cache" in caplog.text and "LESSONS_CACHE_DIR" in caplog.text
    assert [path for path in (tmp_path / "own").rglob("*") if path.is_symlink()] == []
    sys.modules.pop(name, None)


NOW = time.time()


def write_module(folder, name, unused, size=10):
    """Write a module and its machine code, created long ago and last used `unused` seconds ago; return its files."""
    code = [folder / f"{PREFIX}{name}.{function}-0123456789ab.o" for function in ("f", "g")]
    files = [folder / f"{PREFIX}{name}.py", *code]
    for path in files:
        path.write_bytes(b"x" * (size // 3))
        os.utime(path, (NOW - (unused if path.suffix == ".py" else 400 * DAY), NOW - 400 * DAY))
    return files


def find_expired(folder):
    return set(cache.expired_files(folder, NOW))


def test_a_module_unused_for_a_month_expires_with_its_machine_code(tmp_path):
    old = write_module(tmp_path, "old_1", MAX_UNUSED + HOUR)
    write_module(tmp_path, "used_2", MAX_UNUSED - HOUR)
    assert find_expired(tmp_path) == set(old)
    assert list(cache.expired_files(tmp_path, NOW))[-1] == old[0], "the last is the module: no machine code without one"


def test_machine_code_without_a_module_expires_by_its_own_age(tmp_path):
    module, other, code = write_module(tmp_path, "alone", 0.0)
    module.unlink()
    assert find_expired(tmp_path) == {other, code}
    os.utime(code, (NOW, NOW))
    assert find_expired(tmp_path) == set()


def test_above_the_size_limit_the_least_recently_used_modules_expire(tmp_path, monkeypatch):
    monkeypatch.setattr(cache, "MAX_BYTES", 700)
    write_module(tmp_path, "busy", HOUR / 2, size=6000)
    assert find_expired(tmp_path) == set(), "used within the hour"
    write_module(tmp_path, "busy", HOUR / 2)
    for day in (1, 2, 3, 4):
        write_module(tmp_path, f"arm_{day}", day * DAY, size=300)
    assert {path.name.split(".")[0] for path in find_expired(tmp_path)} == {f"{PREFIX}arm_4", f"{PREFIX}arm_3"}


def test_torn_writes_expire_after_an_hour_and_other_files_stay(tmp_path):
    names = ("tmpabc.tmp", f"{PREFIX}x.py.tmp.123", "notes.txt", "mine.py", "other.o")
    for name in names:
        (tmp_path / name).touch()
    assert find_expired(tmp_path) == set()
    for name in names:
        os.utime(tmp_path / name, (NOW - 400 * DAY, NOW - 400 * DAY))
    assert find_expired(tmp_path) == {tmp_path / names[0], tmp_path / names[1]}


def test_writing_a_module_evicts_old_ones_and_reading_one_does_not(tmp_path, monkeypatch):
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
def test_processes_that_evict_each_others_files_compute_the_same_result(tmp_path):
    environment = {**os.environ, "LESSONS_CACHE_DIR": str(tmp_path / "cache")}
    command = [sys.executable, "-W", "error", "-c", BUSY]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    started = [subprocess.Popen(command, env=environment, **pipes) for _ in range(3)]
    ended = [process.communicate(timeout=900) for process in started]
    assert [(p.returncode, out) for p, (out, _) in zip(started, ended, strict=True)] == [(0, "12\n")] * 3, ended
