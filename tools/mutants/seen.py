"""A plugin of pytest that notes which test runs which line of the library, and how long each took."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from typing import Any

import coverage
import pytest

from tools.mutants.in_place import NOTES

WATCH = coverage.Coverage(data_file=str(NOTES / "seen"), source=["lessons_lib"], config_file=False)
COSTS: dict[str, float] = {}
TRACE: list[Any] = []


def pytest_configure() -> None:
    """Begin to watch."""
    NOTES.mkdir(parents=True, exist_ok=True)
    WATCH.start()
    TRACE.append(sys.gettrace())


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Note what a test runs under its name."""
    began = time.process_time()
    sys.settrace(TRACE[0])  # a test of what a debugger sees has taken it away
    WATCH.switch_context(item.nodeid)
    yield
    WATCH.switch_context("")
    COSTS[item.nodeid] = time.process_time() - began


def pytest_unconfigure() -> None:
    """Keep it."""
    WATCH.stop()
    WATCH.save()
    (NOTES / "costs.json").write_text(json.dumps(COSTS), encoding="utf-8")
