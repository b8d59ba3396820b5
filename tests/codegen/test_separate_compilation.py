"""Separate compilation: once for all callers, stored in the cache, and freed with the last caller."""

import re
import sys

import numpy as np
import pytest
from test_cache import forget

from lessons_lib.codegen import cache, machine, separate_compilation

SHARED = """\
from __future__ import annotations

from lessons_lib.codegen.native import native

_SEPARATE = True


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
def _folder(tmp_path, monkeypatch):
    monkeypatch.setenv("LESSONS_CACHE_DIR", str(tmp_path))
    before = set(sys.modules)
    yield
    forget_all(before)


def forget_all(kept):
    separate_compilation._loaded.clear()
    forget(kept)


def callers(key="", owner=None):
    """Load two modules that call the functions of a third one."""
    shared = cache.load("shared", key, lambda: SHARED, owner=owner)

    def load(name, factor):
        text = CALLER.format(module=shared.__name__, name=name, factor=factor)
        return cache.load(name, key, lambda: text, depends_on=(shared,), owner=owner)

    return [load("first", 3.0), load("second", 5.0)]


def check(modules):
    for module, name, factor in zip(modules, ("first", "second"), (3.0, 5.0), strict=True):
        a = np.array([2.0, -7.0])
        assert getattr(module, name)(a, 0.5) == 2.5 * factor
        assert a.tolist() == [2.5, -6.5]


def test_two_callers_share_one_object_file_and_a_second_process_compiles_nothing(tmp_path, monkeypatch):
    before, texts, make = set(sys.modules), [], machine.object_code
    monkeypatch.setattr(machine, "object_code", lambda text: texts.append(text) or make(text))
    loaded, load = [], separate_compilation.LoadedCode
    monkeypatch.setattr(separate_compilation, "LoadedCode", lambda *given: loaded.append(given) or load(*given))
    check(callers())
    assert len(loaded) == 1, "also loaded once"
    assert not any(re.search(r"define (?!internal)\S+ @\S+\.twice\.", text) for text in texts), "inlined"
    assert [bool(re.search(r"define .*@\S+\.halved\.", text)) for text in texts] == [False, True, False]
    assert len(list(tmp_path.glob("*.separate-*.o"))) == 1 and len(list(tmp_path.glob("*.o"))) == 3
    forget_all(before)
    check(callers())
    assert len(texts) == 3
