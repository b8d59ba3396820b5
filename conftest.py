"""Settings of both pytest sessions, the notebooks' and the tests': what CI may skip, threads, sockets of kernels."""

import gc
import os
import signal
from importlib.util import find_spec
from pathlib import Path

import pytest

ALLOWED_SKIPS: frozenset[str] = frozenset()
"""Node ids of tests that CI may skip. CI installs all that the tests need, so there is none."""

gc.set_threshold(200_000)  # the collected tests stay in memory: searching them for garbage takes a quarter of the time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # pytest-xdist already uses all cores

LEAN = str(Path(__file__).parent / "tests" / "lean")  # for the processes that tests start; see pythonpath in pyproject
os.environ["PYTHONPATH"] = os.pathsep.join([LEAN, *filter(None, [os.environ.get("PYTHONPATH")])])

if find_spec("jupyter_client"):  # `make lowest` does not install it
    from classroom.kernel_sockets import use_unix_sockets

    use_unix_sockets()  # workers that start kernels at the same time take each other's TCP ports

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a shell hands this down to what it starts in the background
    signal.signal(signal.SIGINT, signal.default_int_handler)


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
    """List the skipped tests that failed the run."""
    for nodeid in skips_not_allowed(config):
        terminalreporter.write_line(f"CI must run every test, and skipped {nodeid}", red=True)
