"""What both sessions of pytest share, the notebooks' and the other tests': CI skips nothing; where the time went.

What waits for servers and browsers begins first: the library's many short tests fill the time beside it.
"""

import gc
import os
import signal
import sys
from collections import Counter
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

ALLOWED_SKIPS: frozenset[str] = frozenset()
"""Node ids of tests that CI may skip. CI installs all that the tests need, so there is none."""

PARTS = {
    "notebooks": "lessons",
    "exercises": "exercises",
    "tests/exercises": "grading",
    "tests/book": "book",
    "tests/live": "figures",
    "tests/classroom": "classroom",
    "tests/tools": "tools",
}
"""Folder to the name of its part; all other tests are the library's."""

LESSON_MAY_TAKE = 12.0
"""Processor seconds of a lesson, run by nbval with all its code compiled before."""

gc.set_threshold(200_000)  # what pytest collects stays: looking it through for refuse takes a quarter of that time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the cores are taken: a second thread of NumPy's is waited for

LEAN = str(Path(__file__).parent / "tests" / "lean")  # what is read before others' modules of these names
sys.path.insert(0, LEAN)
os.environ["PYTHONPATH"] = os.pathsep.join([LEAN, *filter(None, [os.environ.get("PYTHONPATH")])])

if find_spec("jupyter_client"):  # `make lowest` does not install it
    from classroom.kernel_sockets import use_unix_sockets

    use_unix_sockets()  # workers that start kernels at the same time take each other's TCP ports

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a shell hands this down to what it starts in the background
    signal.signal(signal.SIGINT, signal.default_int_handler)

STARTED = pytest.StashKey[float]()
COLLECTING = pytest.StashKey[list[float]]()


def processor_time() -> float:
    """Return the processor seconds of this process and of its children that have ended.

    Of a browser that is a fourth: nobody waits for the processes in which its pages lie and are drawn.
    """
    return sum(os.times()[:4])


def part_of(nodeid: str) -> str:
    """Return the part of the gate to which a test belongs."""
    return next((part for folder, part in PARTS.items() if nodeid.startswith(f"{folder}/")), "library")


def pytest_configure(config: pytest.Config) -> None:
    """Begin to count."""
    config.stash[COLLECTING] = []
    if config.pluginmanager.has_plugin("xdist"):
        config.pluginmanager.register(Workers(config))


class Workers:
    """Hears of each worker of pytest-xdist what it took to start and to collect the tests."""

    def __init__(self, config: pytest.Config) -> None:
        """Begin with no worker."""
        self.config = config

    def pytest_testnodedown(self, node: Any) -> None:
        """Note it when a worker ends."""
        self.config.stash[COLLECTING].append(getattr(node, "workeroutput", {}).get("collecting", 0.0))


def by_exercise(items: list[pytest.Item]) -> list[pytest.Item]:
    """Return tests with those of one exercise in a row, so that its own cells run in one worker."""
    files = list(dict.fromkeys(item.path for item in items))

    def place(item: pytest.Item) -> tuple[int, str]:
        parameters = getattr(item, "callspec", None)
        exercise = parameters.params.get("path", "") if parameters and part_of(item.nodeid) == "grading" else ""
        return files.index(item.path), str(exercise)

    return sorted(items, key=place)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give each worker a share of what waits for servers and browsers, and behind it one of the library's tests."""
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    library = [item for item in items if part_of(item.nodeid) == "library"]
    others = by_exercise([item for item in items if part_of(item.nodeid) != "library"])
    shares = [
        (part, k * len(part) // workers, (k + 1) * len(part) // workers)
        for k in range(workers)
        for part in (others, library)
    ]  # xdist deals them out in this order
    items[:] = [item for part, first, end in shares for item in part[first:end]]


def pytest_collection_finish(session: pytest.Session) -> None:
    """Note what it took to come so far."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["collecting"] = processor_time()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Look at the processor's clock when a test begins."""
    item.stash[STARTED] = processor_time()
    yield


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """Say in the last report of a test what it took, all fixtures with it."""
    outcome: Any = yield
    if call.when == "teardown":
        outcome.get_result().processor = processor_time() - item.stash[STARTED]


def skips_not_allowed(config: pytest.Config) -> list[str]:
    """Return the node ids of skipped tests that CI should have run; empty outside CI."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("CI") != "true" or reporter is None:
        return []
    return sorted({report.nodeid for report in reporter.stats.get("skipped", [])} - ALLOWED_SKIPS)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail the run in CI when a test was skipped."""
    if session.exitstatus == pytest.ExitCode.OK and skips_not_allowed(session.config):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say which skipped tests failed the run, and where the time went."""
    for nodeid in skips_not_allowed(config):
        terminalreporter.write_line(f"CI must run every test, and skipped {nodeid}", red=True)
    reports = [report for group in terminalreporter.stats.values() for report in group if hasattr(report, "processor")]
    parts: Counter[str] = Counter()
    files: Counter[str] = Counter()
    for report in reports:
        parts[part_of(report.nodeid)] += report.processor
        files[report.nodeid.partition("::")[0]] += report.processor
    terminalreporter.section("where the time went, in processor seconds")
    parts["start and collection"] = sum(config.stash[COLLECTING])
    terminalreporter.write_line(", ".join(f"{part} {seconds:.0f}" for part, seconds in parts.most_common()))
    for file, seconds in files.most_common(9):
        dear = part_of(file) == "lessons" and seconds > LESSON_MAY_TAKE
        note = f" (a lesson may take {LESSON_MAY_TAKE:.0f})" if dear else ""
        terminalreporter.write_line(f"{seconds:7.1f}  {file}{note}")
