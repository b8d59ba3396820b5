"""Fixtures of all tests: the built book, a browser, and axes to draw in."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from building import build_book, complaints
from chromium import BROWSERS, browser_path
from filelock import FileLock
from hypothesis import HealthCheck, settings

settings.register_profile("no clock", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("no clock")  # no test judges a clock: the machine may be busy


@pytest.fixture(scope="session")
def built_book(tmp_path_factory, worker_id):
    """Folder of the built pages; the first worker of pytest-xdist builds them."""
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
def briefly(pytestconfig):
    """Whether this is `make test`, which skips tests marked `check` and long parts of others."""
    return "not check" in pytestconfig.option.markexpr


@pytest.fixture(scope="session")
def chromium_path():
    """Executable of the browser; without one the test is skipped, which fails in CI."""
    path = browser_path()
    if path is None:
        pytest.skip(f"no browser: set CHROMIUM or install one of {', '.join(BROWSERS)}")
    return path


@pytest.fixture
def ax():
    """Axes of a figure that is not shown."""
    from matplotlib.figure import Figure

    return Figure().add_subplot()


@pytest.fixture
def space():
    """Three-dimensional axes of a figure that is not shown."""
    from matplotlib.figure import Figure

    return Figure().add_subplot(projection="3d")


@contextmanager
def launch_browser(path: str, space: bool) -> Iterator[Any]:
    """Start a browser and close it; the imports are local because `make lowest` does not install it."""
    from browser import IN_SPACE, PATIENCE, QUIET
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        flags = [*QUIET, *(IN_SPACE if space else ())]
        opened = playwright.chromium.launch(executable_path=path, args=flags, timeout=PATIENCE)
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def browser(chromium_path):
    """A browser shared by the tests of a file."""
    with launch_browser(chromium_path, space=False) as opened:
        yield opened


@pytest.fixture(scope="module")
def browser_in_space(chromium_path):
    """A browser that draws 3D scenes, which takes more time."""
    with launch_browser(chromium_path, space=True) as opened:
        yield opened
