"""Functions that are compiled apart: once for all callers, found again, and gone with the last of them."""

import gc
import re
import sys
import weakref
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from lessons_lib.codegen import cache, machine, separate_compilation

SHARED = """\
from __future__ import annotations

from lessons_lib.codegen.native import native

_APART = True


@native(inline=True)
def twice(x: float) -> float:
    return x + x


@native
def doubled(a: Array, by: tuple[float, float]) -> float:
    for i in range(a.shape[0]):
        a[i] = twice(a[i]) + by[0]
    return a[0] * by[1]


@native
def halved(a: Array) -> None:
    doubled(a, (0.0, 1.0))
    for i in range(a.shape[0]):
        a[i] = a[i] / 4.0
"""
CALLER = """\
from __future__ import annotations

from lessons_lib.codegen.native import native
from {module} import *


@native
def {name}(a: Array, x: float) -> float:
    halved(a)
    return doubled(a, (x, {factor}))
"""


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("LESSONS_CACHE_DIR", str(tmp_path))
    before = set(sys.modules)
    yield
    forget(before)


def forget(kept: set[str]) -> None:
    separate_compilation._loaded.clear()
    for name in set(sys.modules) - kept:
        if name.startswith("lessons_lib_generated_"):
            del sys.modules[name]


def callers(key: str = "", owner: object = None) -> list[ModuleType]:
    """Two modules that call another one's functions, with factors of their own."""
    shared = cache.load("shared", key, lambda: SHARED, owner=owner)
    return [
        cache.load(
            name,
            key,
            lambda name=name, factor=factor: CALLER.format(module=shared.__name__, name=name, factor=factor),
            depends_on=(shared,),
            owner=owner,
        )
        for name, factor in (("first", 3.0), ("second", 5.0))
    ]


def check(modules: list[ModuleType]) -> None:
    for module, name, factor in zip(modules, ("first", "second"), (3.0, 5.0), strict=True):
        a = np.array([2.0, -7.0])
        assert getattr(module, name)(a, 0.5) == 2.5 * factor
        assert a.tolist() == [2.5, -6.5]


def test_two_callers_share_one_object_file_and_the_next_process_compiles_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, texts, make = set(sys.modules), [], machine.object_code
    monkeypatch.setattr(machine, "object_code", lambda text: texts.append(text) or make(text))
    loaded, load = [], separate_compilation.Loaded
    monkeypatch.setattr(
        separate_compilation, "Loaded", lambda code, symbols: loaded.append(symbols) or load(code, symbols)
    )
    check(callers())
    assert len(loaded) == 1, "in memory once, too"
    assert not any(re.search(r"define (?!internal)\S+ @\S+\.twice\.", text) for text in texts), (
        "what is inline is copied"
    )
    assert [bool(re.search(r"define .*@\S+\.halved\.", text)) for text in texts] == [False, True, False]
    assert len(list(tmp_path.glob("*.apart-*.o"))) == 1 and len(list(tmp_path.glob("*.o"))) == 3
    forget(before)
    check(callers())
    assert len(texts) == 3


def test_where_its_file_is_gone_or_spoilt_it_is_made_again(tmp_path: Path) -> None:
    before = set(sys.modules)
    check(callers())
    (library,) = tmp_path.glob("*.apart-*.o")
    whole = library.read_bytes()
    for spoilt in (None, whole[:-1], b""):
        forget(before)
        library.unlink() if spoilt is None else library.write_bytes(spoilt)
        check(callers())
        assert library.read_bytes() == whole


def test_what_it_writes_into_is_known_to_be_written() -> None:
    a = np.array([2.0, -7.0])
    a.flags.writeable = False
    with pytest.raises(ValueError, match="argument 0 of first must be writable"):
        callers()[0].first(a, 0.5)
    assert a.tolist() == [2.0, -7.0]
    strided = np.array([2.0, 0.0, -7.0, 0.0])[::2]
    callers()[0].first(strided, 0.5)
    assert strided.tolist() == [2.5, -6.5]


def test_what_is_called_in_its_turn_comes_along() -> None:
    shared = cache.load("shared", "", lambda: SHARED)
    text = CALLER.replace("    return doubled(a, (x, {factor}))\n", "    return x\n")
    third = cache.load("third", "", lambda: text.format(module=shared.__name__, name="third"), depends_on=(shared,))
    a = np.array([2.0, -7.0])
    assert third.third(a, 0.5) == 0.5
    assert a.tolist() == [1.0, -3.5]


def test_it_is_called_from_python_as_well() -> None:
    callers()
    shared = next(module for name, module in sys.modules.items() if name.startswith("lessons_lib_generated_shared"))
    a = np.array([2.0, -7.0])
    shared.halved(a)
    assert a.tolist() == [1.0, -3.5]


def test_it_goes_with_the_last_of_its_callers() -> None:
    class Owner:
        pass

    owner = Owner()
    made = callers("what somebody owns", owner)
    check(made)
    ours = [module for module, _ in separate_compilation._loaded if module in vars(made[0])["halved"].__module__]
    library = weakref.ref(next(one for (module, _), one in separate_compilation._loaded.items() if [module] == ours))
    del made, owner
    gc.collect()
    assert library() is None
