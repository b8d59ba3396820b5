"""The fifteen lines of lesson 10 in a real JupyterLab: they show what the library computes, and a key moves them."""

import json
import os
import secrets
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import nbformat
import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from lessons_lib import pose_ik, robots
from lessons_lib.studies.matlab_library import ur10_waypoints

ROOT = Path(__file__).resolve().parent.parent
LESSON = ROOT / "notebooks" / "10_damping.ipynb"
SECONDS = 1000.0  # Playwright counts in milliseconds
PATIENCE = 300 * SECONDS  # a hang ends here; a loaded machine and a first compilation take a part of it
STATUS = "() => window.jupyterapp?.shell?.currentWidget?.context?.sessionContext?.session?.kernel?.status"


def explorer_notebook() -> nbformat.NotebookNode:
    """The cells of the lesson that its fifteen lines need, and these lines."""
    code = [cell.source for cell in nbformat.read(LESSON, as_version=4).cells if cell.cell_type == "code"]
    signs = ("from lessons_lib import pose_ik, robots", "def largest_step", "import ipywidgets")
    needed = [next(source for source in code if sign in source) for sign in signs]
    needed.insert(1, "import matplotlib.pyplot as plt\n\nfrom lessons_lib import plots")
    cells = [nbformat.v4.new_code_cell(source) for source in needed]
    kernel = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
    return nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})


def free_port() -> int:
    """Return a port for a server that will soon begin.

    It lies below those that systems give to whoever asks for any: one of these might be given away until then.
    """
    while True:
        port = 16_384 + secrets.randbelow(16_384)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def wait_until_it_answers(address: str, server: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + PATIENCE / SECONDS
    while time.monotonic() < deadline:
        assert server.poll() is None, f"JupyterLab ended at once:\n{log.read_text()}"
        try:
            with urllib.request.urlopen(address, timeout=60) as answer:
                json.load(answer)
                return
        except OSError:
            time.sleep(0.2)
    raise AssertionError(f"JupyterLab does not answer:\n{log.read_text()}")


@contextmanager
def jupyterlab(notebook: nbformat.NotebookNode, folder: Path) -> Iterator[str]:
    """Address of a notebook in a JupyterLab of its own, which lives in the folder and listens on loopback only."""
    token, port = secrets.token_hex(16), free_port()
    nbformat.write(notebook, folder / "lesson.ipynb")
    places = ("JUPYTER_CONFIG_DIR", "JUPYTERLAB_SETTINGS_DIR", "JUPYTERLAB_WORKSPACES_DIR", "JUPYTER_RUNTIME_DIR")
    environment = os.environ | {name: str(folder / name.lower()) for name in places}
    environment["JUPYTER_CONFIG_PATH"] = str(ROOT / "classroom" / "jupyter")  # as `make lab` has it
    environment["PYTHONPATH"] = str(ROOT)  # kernels have the library that is tested, whichever one is installed
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ServerApp.ip=127.0.0.1"]
    command += [f"--ServerApp.port={port}", f"--IdentityProvider.token={token}", f"--ServerApp.root_dir={folder}"]
    command += ["--LabApp.expose_app_in_browser=True", "--LabApp.extension_manager=readonly"]
    command += ["--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"]
    log = folder / "server.log"
    with log.open("wb") as stream:
        server = subprocess.Popen(command, env=environment, stdout=stream, stderr=subprocess.STDOUT)
    try:
        wait_until_it_answers(f"http://127.0.0.1:{port}/api/status?token={token}", server, log)
        yield f"http://127.0.0.1:{port}/lab/tree/lesson.ipynb?token={token}"
    finally:
        server.terminate()
        server.wait(timeout=PATIENCE / SECONDS)


@pytest.fixture(scope="module")
def lab_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of the explorer's notebook."""
    with jupyterlab(explorer_notebook(), tmp_path_factory.mktemp("lab")) as address:
        yield address


@contextmanager
def browser_with(chromium_path: str, *flags: str) -> Iterator[Browser]:
    """A browser that is closed again."""
    with sync_playwright() as playwright:
        flags = ("--no-sandbox", *flags)
        browser = playwright.chromium.launch(executable_path=chromium_path, args=list(flags), timeout=PATIENCE)
        yield browser
        browser.close()


def page_of(browser: Browser, address: str) -> Page:
    """A page of the browser that has gone to an address."""
    page = browser.new_page(viewport={"width": 1200, "height": 1400})
    page.set_default_timeout(PATIENCE)
    page.goto(address)
    return page


def run_all(page: Page) -> None:
    """Run every cell of the notebook, from idle to idle."""
    page.wait_for_function(f"() => ({STATUS})() === 'idle'", timeout=PATIENCE)
    page.evaluate("() => window.jupyterapp.commands.execute('notebook:run-all-cells')")
    page.wait_for_selector(".widget-image, .live-figure", timeout=PATIENCE)
    page.wait_for_function(f"() => ({STATUS})() === 'idle'", timeout=PATIENCE)


@contextmanager
def opened(address: str, chromium_path: str, *flags: str) -> Iterator[Page]:
    """A notebook in a browser, with every cell run and the kernel idle."""
    with browser_with(chromium_path, *flags) as browser:
        page = page_of(browser, address)
        run_all(page)
        yield page


@pytest.fixture
def page(lab_address: str, chromium_path: str) -> Iterator[Page]:
    """The explorer's notebook, run."""
    with opened(lab_address, chromium_path) as page:
        yield page


def said_by_the_library(damping: float) -> str:
    method, stop = pose_ik.LevenbergMarquardt(pose_ik.Constant(damping)), pose_ik.Stop(max_iterations=500, restarts=0)
    result = pose_ik.solve(robots.ur10(), ur10_waypoints()[0], np.zeros(6), method=method, stop=stop, trace=True)
    assert result.trace is not None
    return f"{result.iterations} steps, the largest {np.abs(np.diff(result.trace.q, axis=0)).max():.2f} rad"


def test_showing_the_explorer_leaves_its_value_and_a_key_moves_words_and_picture(page: Page) -> None:
    assert not page.locator(".jp-OutputArea-output[data-mime-type*=error]").count()
    slider, image, words = (page.locator(f".widget-{name}") for name in ("slider", "image", "html-content"))
    expect(words).to_have_text(said_by_the_library(0.125), timeout=PATIENCE)
    assert slider.locator(".widget-readout").inner_text() == "0.125"
    before = image.get_attribute("src") or ""
    slider.locator(".noUi-handle").focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(slider.locator(".widget-readout")).to_have_text("0.200", timeout=PATIENCE)
    expect(image).not_to_have_attribute("src", before, timeout=PATIENCE)
    expect(words).to_have_text(said_by_the_library(0.2), timeout=PATIENCE)
