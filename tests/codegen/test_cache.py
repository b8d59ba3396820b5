"""The cache of generated modules: whole files only, many processes at once, and folders that cannot be written."""

import gc
import importlib.util
import linecache
import os
import py_compile
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

from lessons_lib.codegen import cache, machine
from lessons_lib.errors import CodegenError

TEXT = "ANSWER = 42\n"
NATIVE = "from lessons_lib.codegen.native import native\n\n\n@native\n"


@pytest.fixture(autouse=True)
def _folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A cache and a temporary folder of this test's own, and no generated module left behind."""
    monkeypatch.setenv("LESSONS_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(cache.tempfile, "tempdir", str(tmp_path))
    cache._temporary_directory.cache_clear()
    before = set(sys.modules)
    yield
    cache._temporary_directory.cache_clear()
    forget(before)


def forget(kept: set[str]) -> None:
    for name in set(sys.modules) - kept:
        if name.startswith("lessons_lib_generated_"):
            del sys.modules[name]


def load_anew(make_source: Callable[[], str] = lambda: TEXT, recipe: str = "recipe") -> ModuleType:
    """Load as a fresh process would: nothing of it is in memory."""
    forget({name for name in sys.modules if "_toy_" not in name})
    return cache.load("toy", recipe, make_source)


def never() -> str:
    raise AssertionError("the source was made again although the cache has it")


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("*.py")) + sorted(path.name for path in folder.glob("*.tmp"))


def test_the_second_start_reads_what_the_first_one_wrote(tmp_path: Path) -> None:
    module = load_anew()
    assert module.ANSWER == 42
    assert Path(str(module.__file__)).parent == tmp_path / "cache"
    assert load_anew(never).ANSWER == 42
    assert cache.load("toy", "recipe", never) is sys.modules[module.__name__]


@pytest.mark.parametrize("was", [True, False])
def test_the_collector_rests_while_a_module_is_made_and_compiled_then_it_is_as_it_was(
    was: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: dict[str, bool] = {}
    make = machine.object_code

    def derive() -> str:
        found["deriving"] = gc.isenabled()
        return NATIVE + "def f(x):\n    return x + 1.0\n"

    def compiled(text: str) -> bytes:
        found["compiling"] = gc.isenabled()
        return make(text)

    monkeypatch.setattr(machine, "object_code", compiled)
    (gc.enable if was else gc.disable)()
    try:
        module = load_anew(derive)
        assert module.f(1.0) == 2.0
        assert found == {"deriving": False, "compiling": False}
        assert gc.isenabled() is was
    finally:
        gc.enable()


@pytest.mark.check
def test_a_module_goes_with_its_last_owner_and_its_text_with_it() -> None:
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


def test_another_recipe_is_another_module() -> None:
    first, second = load_anew(recipe="1"), load_anew(lambda: "ANSWER = 43\n", recipe="2")
    assert (first.ANSWER, second.ANSWER) == (42, 43)
    assert first.__name__ != second.__name__


def test_modules_that_it_depends_on_change_its_name() -> None:
    base = load_anew()
    assert cache.load("toy", "recipe", lambda: TEXT, depends_on=(base,)).__name__ != base.__name__


def test_with_another_version_of_a_tool_it_is_another_module(monkeypatch: pytest.MonkeyPatch) -> None:
    old = load_anew().__name__
    monkeypatch.setattr(cache, "_tools", lambda: "other tools")
    assert load_anew().__name__ != old


@pytest.mark.parametrize("spoil", [b"", b"ANSWER =", TEXT.encode(), b"ANSWER = 13\n", b"\xff\xfe\x00", None])
def test_a_file_that_is_not_whole_is_written_again(spoil: bytes | None) -> None:
    path = Path(str(load_anew().__file__))
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2] if spoil is None else spoil)
    assert load_anew().ANSWER == 42
    assert path.read_bytes() == whole
    assert files(path.parent) == [path.name]


def test_a_file_with_one_changed_digit_is_written_again() -> None:
    path = Path(str(load_anew().__file__))
    path.write_bytes(path.read_bytes().replace(b"42", b"43"))
    assert load_anew().ANSWER == 42


def test_a_write_that_fails_leaves_nothing_half_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full_disk(*_: object) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(cache.os, "replace", full_disk)
    assert load_anew().ANSWER == 42
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_the_source_is_made_once_however_many_folders_are_full(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    def full_disk(*_: object) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(cache, "write_atomically", full_disk)
    assert load_anew(lambda: made.append(1) or TEXT).ANSWER == 42
    assert made == [1]


def forbid(monkeypatch: pytest.MonkeyPatch, *folders: Path) -> None:
    """Make folders read-only by hand: a test that runs as the superuser may write anywhere."""
    make = cache.tempfile.TemporaryFile

    def make_elsewhere(dir: Path) -> object:
        if dir in folders:
            raise PermissionError(f"{dir} is read-only")
        return make(dir=dir)

    monkeypatch.setattr(cache.tempfile, "TemporaryFile", make_elsewhere)


def test_when_no_folder_can_be_written_the_module_is_made_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    forbid(monkeypatch, tmp_path / "cache", cache._temporary_directory())
    module = load_anew(lambda: NATIVE + "def double(x):\n    return 2 * x\n")
    assert module.double(21.0) == 42.0
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_source_that_does_not_run_leaves_no_module() -> None:
    with pytest.raises(ZeroDivisionError):
        load_anew(lambda: "1 / 0\n")
    assert not [name for name in sys.modules if "_toy_" in name]


def test_bytecode_beside_a_module_is_not_read() -> None:
    """It has no checksum: whoever could change a constant in it would change an answer."""
    path = Path(str(load_anew().__file__))
    other = path.with_name("other.py")
    other.write_text(path.read_text().replace("42", "43"))
    bytecode = Path(importlib.util.cache_from_source(path))
    py_compile.compile(str(other), cfile=str(bytecode), invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
    assert load_anew(never).ANSWER == 42


def test_a_missing_folder_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LESSONS_CACHE_DIR", str(tmp_path / "not" / "there" / "yet"))
    assert Path(str(load_anew().__file__)).parent == tmp_path / "not" / "there" / "yet"


def test_a_folder_that_cannot_be_made_gives_way_to_a_temporary_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("LESSONS_CACHE_DIR", str(tmp_path / "file" / "cache"))
    folder = Path(str(load_anew().__file__)).parent
    assert folder.parent == tmp_path
    assert folder.name.startswith("lessons-lib-")
    assert load_anew(never).ANSWER == 42


def test_a_filled_cache_that_cannot_be_written_gives_way_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    load_anew()
    first, moved = tmp_path / "cache", tmp_path / "moved"
    forbid(monkeypatch, first, moved)
    path = Path(str(load_anew(never).__file__))
    assert path.parent != first and path.resolve().parent == first
    monkeypatch.setenv("LESSONS_CACHE_DIR", str(first.rename(moved)))
    assert Path(str(load_anew(never).__file__)) == path and path.resolve().parent == moved
    for file in moved.iterdir():
        file.unlink()  # its owner has removed it: the link leads nowhere
    assert load_anew().ANSWER == 42 and load_anew(never).ANSWER == 42


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="other users exist on POSIX systems only")
def test_a_temporary_folder_that_others_can_write_is_not_trusted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("LESSONS_CACHE_DIR", str(tmp_path / "file"))
    planted = tmp_path / f"lessons-lib-{os.getuid()}"
    planted.mkdir()
    planted.chmod(0o777)
    folder = Path(str(load_anew().__file__)).parent
    assert folder != planted
    assert folder.stat().st_mode & 0o077 == 0


def test_the_users_own_folder_is_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LESSONS_CACHE_DIR")
    assert "lessons-lib" in cache.directory().name


@pytest.mark.parametrize("name", ["", "a/b", "../up", "a.b", "é", "a b", "x" * 61])
def test_an_unsafe_name_is_refused(name: str) -> None:
    with pytest.raises(
        CodegenError, match="cannot name a generated module; use up to 60 letters, digits and underscor"
    ):
        cache.load(name, "recipe", never)


@pytest.mark.parametrize("text", ["LANES = 8", "def f(w): ..."])
def test_a_name_that_is_imported_and_given_again_is_refused(text: str) -> None:
    first = cache.load("first", "a number and a function", lambda: "LANES = 1\n\n\ndef f(w): ...\n")
    second = cache.load("second", "taken", lambda: f"from {first.__name__} import *\nLENGTH = 2\n", (first,))
    assert (second.LANES, second.f) == (1, first.f)
    name = "LANES" if "LANES" in text else "f"
    for module in (first, second):  # of what a module has itself, and of what it has taken
        with pytest.raises(CodegenError, match=f"'{name}' is given twice"):
            cache.load("third", text, lambda: f"from {module.__name__} import *\n\n\n{text}\n", (module,))  # noqa: B023


@pytest.mark.parametrize("again", ["LANES = 8", "FIRST, LANES = 1, 2", "def LANES(w): ..."])
def test_a_name_that_is_given_twice_is_refused(again: str) -> None:
    """Where texts are joined, the later constant would silently count in the functions of the first text as well."""
    with pytest.raises(CodegenError, match="'LANES' is given twice"):
        cache.load("clash", f"clash {again}", lambda: f"LANES = 1\n\n\ndef f(w): ...\n\n\n{again}\n")
