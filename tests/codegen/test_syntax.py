"""Concurrent parsing, as by the threads of a batch."""

import gc
import sys
import threading
from pathlib import Path

import pytest

import lessons_lib
from lessons_lib.codegen.syntax import parse

TEXT = (Path(lessons_lib.__file__).parent / "codegen/cache.py").read_text("utf-8")


@pytest.fixture
def threads_that_take_turns():
    """Frequent garbage collections that run Python code, so that threads switch while parsing."""

    def run_python_code(phase, info):
        sum(value for value in range(50))

    interval, threshold = sys.getswitchinterval(), gc.get_threshold()
    sys.setswitchinterval(1e-6)
    gc.set_threshold(700)
    gc.callbacks.append(run_python_code)
    yield
    gc.callbacks.remove(run_python_code)
    gc.set_threshold(*threshold)
    sys.setswitchinterval(interval)


def test_two_threads_parse_concurrently(threads_that_take_turns):
    failures = []

    def read(deeper):
        if deeper:
            read(deeper - 1)
            return
        for _ in range(100):
            try:
                assert len(parse(TEXT).body) > 10
            except SystemError as error:
                failures.append(error)

    threads = [threading.Thread(target=read, args=(deeper,)) for deeper in (1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
