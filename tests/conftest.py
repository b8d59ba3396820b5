"""What the tests of the whole house share: the built book, a browser, and CI's rule about skipping."""

import gc
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from filelock import FileLock
from hypothesis import HealthCheck, settings

settings.register_profile("no clock", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("no clock")  # a busy machine is slow, and that is no fault of the library

gc.set_threshold(200_000)  # what pytest collects stays: looking it through for refuse takes a quarter of that time

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a shell hands this down to what it starts in the background
    signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "book")]
from chromium import BROWSERS, browser_path  # noqa: E402

ALLOWED_SKIPS: frozenset[str] = frozenset()
"""Node ids of tests that CI may skip. CI installs all that the tests need, so there is none."""

LONG = (
    "tests/live/in_the_book/test_every_figure.py",  # builds the book
    "tests/codegen/test_start_faults.py",  # so these three, which need none, run meanwhile
    "tests/pose_ik/test_lanes.py",
    "tests/test_grading.py",
    "tests/test_browser_book.py",
    "tests/live/in_the_book/test_single_figures.py",
    "notebooks/12_starts.ipynb",
    "tests/test_browser_lab_figures.py",
    "tests/test_browser_lab_live.py",
    "tests/test_hub.py",
    "tests/robots/test_ahead.py",
    "tests/test_exercise_answers.py",
    "tests/soak/test_soak.py",
    "tests/test_book_reading.py",
    "tests/benchmarks/test_benchmark_scripts.py",
    "tests/pose_ik/test_interruption.py",
    "tests/pose_ik/test_masks.py",
    "tests/live/test_figure.py",
    "tests/codegen/test_notice.py",
    "tests/test_mutants.py",
    "tests/studies/test_inert_bodies.py",
)
"""The files that take half a minute or more, in the order in which they begin: one at the end leaves a core idle."""


def file_of(item: pytest.Item) -> str:
    return item.nodeid.partition("::")[0]


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let the long files begin first, with `--no-loadscope-reorder` in every worker of pytest-xdist, too."""
    rank = {name: place for place, name in enumerate(LONG)}
    items.sort(key=lambda item: rank.get(file_of(item), len(rank)))


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
    """Say which skipped tests failed the run."""
    for nodeid in skips_not_allowed(config):
        terminalreporter.write_line(f"CI must run every test, and skipped {nodeid}", red=True)


def build_book(output: Path) -> subprocess.CompletedProcess[str]:
    """Build the repository's book with warnings as errors below the given folder."""
    places = ["--config", "book/_config.yml", "--toc", "book/_toc.yml", "--path-output", str(output)]
    program = str(Path(sys.executable).with_name("jupyter-book"))
    command = [program, "build", ".", *places, "--all", "-W", "-n", "--keep-going"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=1800)


def complaints(lines: list[str]) -> list[str]:
    """Return the lines of a build's log that name a fault, or its end where none does."""
    return [line for line in lines if "WARNING" in line or "ERROR" in line] or lines[-20:]


@pytest.fixture(scope="session")
def built_book(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """The folder of the built pages: built once, whichever worker of pytest-xdist asks first."""
    shared = tmp_path_factory.getbasetemp() if worker_id == "master" else tmp_path_factory.getbasetemp().parent
    output, log = shared / "book", shared / "book.log"
    with FileLock(shared / "book.lock"):
        if not log.exists():
            done = build_book(output)
            log.write_text(f"{done.returncode}\n{done.stdout}\n{done.stderr}", encoding="utf8")
    status, *lines = log.read_text(encoding="utf8").splitlines()
    if status != "0":
        pytest.fail("\n".join(["the book does not build:", *complaints(lines)]), pytrace=False)
    return output / "_build" / "html"


@pytest.fixture(scope="session")
def book_address(built_book: Path) -> Iterator[str]:
    """Address of the built book, served as `make book` serves it."""
    from serve import book_server

    with book_server(built_book) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """The browser's executable; skips where there is none, which CI does not allow."""
    path = browser_path()
    if path is None:
        pytest.skip(f"no browser: set CHROMIUM or install one of {', '.join(BROWSERS)}")
    return path
