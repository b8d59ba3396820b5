"""Cache of generated modules: damaged files, concurrent processes, and folders that are not writable."""

import gc
import importlib.util
import linecache
import os
import py_compile
import stat
import sys
from pathlib import Path

import pytest

from lessons_lib.codegen import cache, machine
from lessons_lib.errors import CodegenError

TEXT = "ANSWER = 42\n"
NATIVE = "from lessons_lib.codegen.native import native\n\n\n@native\n"


@pytest.fixture(autouse=True)
def _folders(tmp_path, monkeypatch):
    """Isolate cache and temporary folder, and unload the generated modules afterwards."""
    monkeypatch.setenv("LESSONS_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(cache.tempfile, "tempdir", str(tmp_path))
    cache._temporary_directory.cache_clear()
    before = set(sys.modules)
    yield
    cache._temporary_directory.cache_clear()
    forget(before)


def forget(kept):
    for name in set(sys.modules) - kept:
        if name.startswith("lessons_lib_generated_"):
            del sys.modules[name]


def load_anew(make_source=lambda: TEXT, recipe="recipe"):
    """Unload the module, then load it as a new process would."""
    forget({name for name in sys.modules if "_toy_" not in name})
    return cache.load("toy", recipe, make_source)


def never():
    raise AssertionError("the source was requested although the cache contains it")


def test_a_second_start_reads_the_file_of_the_first(tmp_path):
    module = load_anew()
    assert module.ANSWER == 42
    assert Path(str(module.__file__)).parent == tmp_path / "cache"
    assert stat.S_IMODE((tmp_path / "cache").stat().st_mode) == 0o700
    assert load_anew(never).ANSWER == 42
    assert cache.load("toy", "recipe", never) is sys.modules[module.__name__]


@pytest.mark.check
def test_a_module_and_its_text_are_freed_with_the_last_owner():
    class Owner:
        pass

    owners = [Owner(), Owner()]
    found = [cache.load("toy", "what two own", lambda: TEXT, owner=owner) for owner in owners]
    name, file = found[0].__name__, str(found[0].__file__)
    assert found[0] is found[1] and linecache.getlines(file)[0] == TEXT
    Path(file).unlink()
    for left in (1, 0):
        owners.pop()
        gc.collect()
        assert (name in sys.modules, file in linecache.cache) == (left == 1, left == 1)


def test_recipe_dependencies_and_tools_are_part_of_the_name(monkeypatch):
    first, other = load_anew(), load_anew(lambda: "ANSWER = 43\n", recipe="another")
    dependent = cache.load("toy", "recipe", lambda: TEXT, depends_on=(first,))
    monkeypatch.setattr(cache, "_tools", lambda: "other tools")
    assert (first.ANSWER, other.ANSWER) == (42, 43)
    assert len({module.__name__ for module in (first, other, dependent, load_anew())}) == 4


DAMAGE = {
    "empty": lambda whole: b"",
    "without a checksum": lambda whole: b"ANSWER = 13\n",
    "no text": lambda whole: b"\xff\xfe\x00",
    "half": lambda whole: whole[: len(whole) // 2],
    "one bit": lambda whole: whole[:99] + bytes([whole[99] ^ 1]) + whole[100:],
}


@pytest.mark.parametrize("suffix", [".py", ".o"])
@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_file_is_rewritten(damage, suffix, tmp_path):
    text, folder = NATIVE + "def double(x):\n    return 2 * x\n", tmp_path / "cache"
    assert load_anew(lambda: text).double(21.0) == 42.0
    before = {path: path.read_bytes() for path in folder.iterdir()}
    (path,) = folder.glob(f"*{suffix}")
    path.write_bytes(DAMAGE[damage](before[path]))
    assert load_anew(lambda: text).double(21.0) == 42.0
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.parametrize("was_on", [True, False])
def test_a_full_disk_leaves_no_file_and_restores_the_garbage_collector(was_on, tmp_path, monkeypatch):
    made = []

    def full_disk(*_):
        raise OSError("no space left on device")

    monkeypatch.setattr(cache.os, "replace", full_disk)
    (gc.enable if was_on else gc.disable)()
    try:
        assert load_anew(lambda: made.append(1) or TEXT).ANSWER == 42
        assert gc.isenabled() is was_on
    finally:
        gc.enable()
    assert made == [1], "the source is requested once, although two folders are full"
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def forbid(monkeypatch, *folders):
    """Simulate read-only folders: a test that runs as root can write anywhere."""
    make = cache.tempfile.TemporaryFile

    def make_elsewhere(dir):
        if dir in folders:
            raise PermissionError(f"{dir} is read-only")
        return make(dir=dir)

    monkeypatch.setattr(cache.tempfile, "TemporaryFile", make_elsewhere)


def test_bytecode_of_a_module_is_ignored():
    """Bytecode has no checksum, so a changed constant would go unnoticed."""
    path = Path(str(load_anew().__file__))
    other = path.with_name("other.py")
    other.write_text(path.read_text().replace("42", "43"))
    bytecode = Path(importlib.util.cache_from_source(path))
    py_compile.compile(str(other), cfile=str(bytecode), invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
    assert load_anew(never).ANSWER == 42


def test_a_temporary_folder_replaces_one_that_cannot_be_created(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("LESSONS_CACHE_DIR", str(tmp_path / "file" / "cache"))
    folder = Path(str(load_anew().__file__)).parent
    assert folder.parent == tmp_path
    assert folder.name.startswith("lessons-lib-")
    assert load_anew(never).ANSWER == 42


def test_a_read_only_cache_is_linked_into_a_temporary_folder_without_compiling(tmp_path, monkeypatch):
    """As in a container image; the cache may also be moved or emptied."""
    first, moved, text = tmp_path / "cache", tmp_path / "moved", NATIVE + "def double(x):\n    return 2 * x\n"
    assert load_anew(lambda: text).double(21.0) == 42.0
    forbid(monkeypatch, first, moved)
    before = {path.name: path.stat().st_mtime_ns for path in first.iterdir()}
    with monkeypatch.context() as patch:
        patch.setattr(machine, "object_code", lambda text: never())
        for folder in (first, moved):
            monkeypatch.setenv("LESSONS_CACHE_DIR", str(folder if folder == first else first.rename(moved)))
            module = load_anew(never)
            own = Path(str(module.__file__)).parent
            assert module.double(21.0) == 42.0 and own != folder
            assert {path.resolve().parent for path in own.iterdir()} == {folder}
    assert {path.name: path.stat().st_mtime_ns for path in moved.iterdir()} == before
    assert {Path(name).suffix for name in before} == {".py", ".o"}
    for file in moved.iterdir():
        file.unlink()  # now the links are dangling
    assert load_anew(lambda: text).double(21.0) == 42.0


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="other users exist on POSIX systems only")
def test_a_temporary_folder_that_others_can_write_is_not_used(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("LESSONS_CACHE_DIR", str(tmp_path / "file"))
    planted = tmp_path / f"lessons-lib-{os.getuid()}"
    planted.mkdir()
    planted.chmod(0o777)
    folder = Path(str(load_anew().__file__)).parent
    assert folder != planted
    assert folder.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("name", ["", "a/b", "../up", "a.b", "é", "a b", "x" * 61])
def test_an_unsafe_name_is_refused(name):
    with pytest.raises(CodegenError, match="module name must be 1 to 60 letters, digits or underscores, got"):
        cache.load(name, "recipe", never)


@pytest.mark.parametrize("again", ["LANES = 8", "FIRST, LANES = 1, 2", "def LANES(w): ..."])
def test_a_name_that_is_defined_or_imported_twice_is_refused(again):
    """Otherwise a later constant would change the functions of an earlier text."""
    with pytest.raises(CodegenError, match="must bind each name once, got 'LANES' twice"):
        cache.load("clash", f"clash {again}", lambda: f"LANES = 1\n\n\ndef f(w): ...\n\n\n{again}\n")
    first = cache.load("first", "a number and a function", lambda: "LANES = 1\n\n\ndef f(w): ...\n")
    second = cache.load("second", "imports both", lambda: f"from {first.__name__} import *\nLENGTH = 2\n", (first,))
    assert (second.LANES, second.f) == (1, first.f)
    with pytest.raises(CodegenError, match="must bind each name once, got 'LANES' twice"):
        cache.load("third", again, lambda: f"from {second.__name__} import *\n\n\n{again}\n", (second,))
