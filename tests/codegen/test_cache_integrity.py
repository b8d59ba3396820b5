"""Cache integrity: only unchanged files that no other user can write are executed."""

import logging
import os
import stat
import sys
from pathlib import Path

import pytest

from lessons_lib.codegen import cache


def change_owner(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Change the owner of a path, or without root rights the apparent user."""
    if os.getuid() == 0:
        os.chown(path, 65534, -1)
    else:
        other = os.getuid() + 1
        monkeypatch.setattr(cache.os, "getuid", lambda: other)


@pytest.mark.parametrize("mode", [0o777, 0o775, 0o1777, 0o702])
def test_a_folder_that_others_can_write_is_insecure(tmp_path: Path, mode: int, monkeypatch: pytest.MonkeyPatch) -> None:
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
    assert bool(cache.insecure_reason(folder / "inside")) == (mode != 0o1777), (
        "the parent folder belongs to another group"
    )


def test_a_folder_or_file_of_another_user_is_insecure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_planted_code_in_a_writable_folder_is_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
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
