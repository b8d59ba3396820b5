"""What lies in the cache is run only where nobody else could have put it there, and as it was written."""

import logging
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from lessons_lib.codegen import cache

SOLVE = """
from lessons_lib.codegen import cache
text = "from lessons_lib.codegen.native import native\\n@native\\ndef f(x): return 2 * x\\n"
text += "@native\\ndef g(x): return -x\\n"
module = cache.load("toy", "1", lambda: text)
print(module.f(0.3), module.g(0.3))
"""
"""Two compiled functions: whose machine code is the other's gives another answer."""


def given_away(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a path another user's: by giving it away, or, who may not, by being another user."""
    if os.getuid() == 0:
        os.chown(path, 65534, -1)
    else:
        other = os.getuid() + 1
        monkeypatch.setattr(cache.os, "getuid", lambda: other)


def solved(folder: Path, before: str = "", **places: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "LESSONS_CACHE_DIR": str(folder), **places}
    command = [sys.executable, "-c", before + SOLVE]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=1800)


@pytest.fixture(scope="module")
def warm(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A cache that holds the two functions, and what a process with it prints."""
    folder = tmp_path_factory.mktemp("warm") / "cache"
    done = solved(folder)
    assert done.returncode == 0, done.stderr
    return folder, done.stdout


@pytest.mark.check
def test_the_folder_that_is_made_is_the_users_alone(warm: tuple[Path, str]) -> None:
    assert stat.S_IMODE(warm[0].stat().st_mode) == 0o700
    assert cache.insecure_reason(warm[0]) == ""


@pytest.mark.parametrize("mode", [0o777, 0o775, 0o1777, 0o702])
def test_a_folder_that_others_may_write_is_not_used(tmp_path: Path, mode: int) -> None:
    folder = tmp_path / "open"
    folder.mkdir()
    folder.chmod(mode)
    refused = cache.insecure_reason(folder)
    assert refused == ("" if mode & stat.S_ISVTX else f"others may write {folder}")
    (folder / "inside").mkdir(mode=0o700)
    below = cache.insecure_reason(folder / "inside")
    assert bool(below) == (mode in (0o777, 0o702)), "a folder's own name can be taken by whoever may write above it"


def test_a_folder_or_file_of_another_users_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "theirs"
    folder.mkdir(mode=0o700)
    file = folder / "file"
    cache.write_with_checksum(file, b"x")
    assert cache.read_verified(file) is not None
    given_away(file, monkeypatch)
    assert cache.read_verified(file) is None
    assert "belongs to the user" in cache.insecure_reason(file)
    given_away(folder, monkeypatch)
    assert "belongs to the user" in cache.insecure_reason(folder)


def test_code_that_another_user_planted_is_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A module of the right name and checksum, in a configured folder that all may write, must not be imported."""
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
    assert cache.read_verified(planted), "but for the folder, it would be run"
    (folder / f"{name}.f-0123456789ab.o").write_bytes(b"theirs")
    folder.chmod(0o777)
    cache._warn_of_insecure.cache_clear()
    with caplog.at_level(logging.WARNING, "lessons_lib"):
        assert cache.load("planted", recipe, lambda: ours).VALUE == "ours"
    assert f"{folder} is not used as a cache" in caplog.text and "LESSONS_CACHE_DIR" in caplog.text
    assert [path for path in (tmp_path / "own").rglob("*") if path.is_symlink()] == []
    sys.modules.pop(name, None)


READ_ONLY = """
import os, tempfile
make, shared = tempfile.TemporaryFile, os.environ["LESSONS_CACHE_DIR"]
def make_elsewhere(*given, dir=None, **how):
    if str(dir).startswith(shared):
        raise PermissionError(f"{dir} is read-only")
    return make(*given, dir=dir, **how)
tempfile.TemporaryFile = make_elsewhere
"""
"""Makes the cache read-only by hand, for a process of the superuser too, who may write anywhere."""


@pytest.mark.check
def test_a_cache_that_was_moved_and_can_only_be_read_is_used_as_it_is(warm: tuple[Path, str], tmp_path: Path) -> None:
    """As in an image that somebody else has made: its files have other times, and the program may not write there."""
    folder, answer = warm
    moved, own = tmp_path / "moved", tmp_path / "own"
    shutil.copytree(folder, moved, copy_function=shutil.copyfile)
    own.mkdir()
    before = {path: path.stat().st_mtime_ns for path in moved.rglob("*")}
    for _ in range(2):
        done = solved(moved, READ_ONLY, TMPDIR=str(own))
        assert (done.returncode, done.stdout, done.stderr) == (0, answer, ""), "nothing is compiled, or stderr says so"
    assert {path: path.stat().st_mtime_ns for path in moved.rglob("*")} == before
    used = [path for path in own.rglob("*") if path.suffix in (".py", ".o")]
    assert {path.suffix for path in used} == {".py", ".o"} and all(path.is_symlink() for path in used)


@pytest.mark.check
def test_a_bit_that_flipped_costs_a_compilation_and_nothing_else(warm: tuple[Path, str]) -> None:
    """Of machine code; of a text: test_cache.py."""
    folder, answer = warm
    draw = np.random.default_rng(12)
    for path in sorted(folder.rglob("*.o")):
        content = bytearray(path.read_bytes())
        content[draw.integers(len(content))] ^= 1 << int(draw.integers(8))
        path.write_bytes(content)
        assert cache.read_verified(path) is None
    done = solved(folder)
    assert (done.returncode, done.stdout) == (0, answer), done.stderr
    assert all(cache.read_verified(path) is not None for path in folder.rglob("*.o")), "written anew"


@pytest.mark.check
def test_machine_code_of_another_function_is_not_run(warm: tuple[Path, str]) -> None:
    folder, answer = warm
    files = sorted(folder.rglob("*.o"))
    contents = [path.read_bytes() for path in files]
    for path, content in zip(files, contents[1:] + contents[:1], strict=True):
        path.write_bytes(content)
    assert len(files) > 1 and cache.read_verified(files[0]) is None
    done = solved(folder)
    assert (done.returncode, done.stdout) == (0, answer), done.stderr


def test_the_text_of_another_module_is_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LESSONS_CACHE_DIR", str(tmp_path))
    recipes = {name: (f"exchanged, {name}", f"VALUE = '{name}'\n") for name in ("first", "second")}

    def value_of(name: str) -> str:
        recipe, text = recipes[name]
        module = cache.load(name, recipe, lambda: text)
        del sys.modules[module.__name__]
        return str(module.VALUE)

    assert [value_of(name) for name in recipes] == list(recipes)
    first, second = sorted(tmp_path.glob("*.py"))
    texts = first.read_text(), second.read_text()
    first.write_text(texts[1])
    second.write_text(texts[0])
    assert [value_of(name) for name in recipes] == list(recipes)
    assert (first.read_text(), second.read_text()) == texts, "written anew"


@pytest.mark.check
def test_no_bytecode_is_kept_beside_what_is_generated(warm: tuple[Path, str]) -> None:
    """It has no checksum, and a constant in it could have changed."""
    assert not list(warm[0].rglob("*.pyc"))
