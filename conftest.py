"""What the notebooks' session of pytest and the tests' share: CI skips no test, and slow tests start first.

What waits for servers and browsers begins first: the library's many short tests fill the time beside it.
"""

import gc
import os
import signal
from importlib.util import find_spec
from pathlib import Path

import pytest

WAITING = ("notebooks", "exercises", "tests/exercises", "tests/book", "tests/live", "tests/classroom", "tests/tools")
"""Folders whose tests wait for servers, browsers and other processes."""

gc.set_threshold(200_000)  # what pytest collects stays: looking it through for refuse takes a quarter of that time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the cores are taken: a second thread of NumPy's is waited for

LEAN = str(Path(__file__).parent / "tests" / "lean")  # what processes read before others' modules of these names
os.environ["PYTHONPATH"] = os.pathsep.join([LEAN, *filter(None, [os.environ.get("PYTHONPATH")])])

if find_spec("jupyter_client"):  # `make lowest` does not install it
    from classroom.kernel_sockets import use_unix_sockets

    use_unix_sockets()  # workers that start kernels at the same time take each other's TCP ports

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a shell hands this down to what it starts in the background
    signal.signal(signal.SIGINT, signal.default_int_handler)


def waits(item: pytest.Item) -> bool:
    """Return whether a test is one of those that wait for other processes."""
    return item.nodeid.startswith(tuple(f"{folder}/" for folder in WAITING))


def by_exercise(items: list[pytest.Item]) -> list[pytest.Item]:
    """Return tests with those of one exercise in a row, so that its own cells run in one worker."""
    files = list(dict.fromkeys(item.path for item in items))

    def place(item: pytest.Item) -> tuple[int, str]:
        parameters = getattr(item, "callspec", None)
        is_graded = parameters and item.nodeid.startswith("tests/exercises/")
        return files.index(item.path), str(parameters.params.get("path", "")) if is_graded else ""

    return sorted(items, key=place)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give each worker a share of what waits for servers and browsers, and behind it one of the library's tests."""
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    library, others = [item for item in items if not waits(item)], by_exercise(list(filter(waits, items)))
    shares = [
        (part, k * len(part) // workers, (k + 1) * len(part) // workers)
        for k in range(workers)
        for part in (others, library)
    ]  # xdist deals them out in this order
    items[:] = [item for part, first, end in shares for item in part[first:end]]


def skips_not_allowed(config: pytest.Config) -> list[str]:
    """Return the node ids of skipped tests in CI, which installs all that the tests need; empty elsewhere."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("CI") != "true" or reporter is None:
        return []
    return sorted({report.nodeid for report in reporter.stats.get("skipped", [])})


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail the run in CI when a test was skipped."""
    if session.exitstatus == pytest.ExitCode.OK and skips_not_allowed(session.config):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Name the skipped tests that failed the run."""
    for nodeid in skips_not_allowed(config):
        terminalreporter.write_line(f"CI must run every test, and skipped {nodeid}", red=True)
