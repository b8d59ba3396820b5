"""The solver explorer of lesson 11 in a real JupyterLab: it shows what the library computes, and a key moves it."""

import json
import os
import secrets
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import nbformat
import numpy as np
import pytest
from playwright.sync_api import Page, expect, sync_playwright

from lessons_lib import pose_ik, robots
from lessons_lib.studies import MENU
from lessons_lib.studies.matlab_library import ur10_waypoints

LESSON = Path(__file__).resolve().parent.parent / "notebooks" / "11_levenberg_marquardt.ipynb"
SECONDS = 1000.0  # Playwright counts in milliseconds
PATIENCE = 600 * SECONDS  # a hang ends here; a loaded machine and a first compilation take a part of it
WATCH = """() => {
    const image = document.querySelector('.widget-image');
    window.pictures = 0;
    image.addEventListener('load', () => { window.pictures += 1; });
}"""
STATUS = "() => window.jupyterapp?.shell?.currentWidget?.context?.sessionContext?.session?.kernel?.status"


SAY = """
import json
held = [explorer.message, *(control.value for control in explorer.controls)]
print("HELD", json.dumps([get_ipython().execution_count, *held]))
"""
"""The last cell: what the kernel holds, and a number that tells one run from the next."""


def explorer_notebook() -> nbformat.NotebookNode:
    """The two cells of the lesson that the explorer needs, the first and its own, and one that tells its values."""
    code = [cell.source for cell in nbformat.read(LESSON, as_version=4).cells if cell.cell_type == "code"]
    (own,) = [source for source in code if "SolverExplorer(" in source]
    own = own.replace("SolverExplorer(ur10", "explorer = SolverExplorer(ur10") + "\nexplorer"
    cells = [nbformat.v4.new_code_cell(source) for source in (code[0], own, SAY)]
    kernel = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
    return nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


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
def opened(address: str, chromium_path: str, *flags: str) -> Iterator[Page]:
    """A notebook in a browser, with every cell run and the kernel idle."""
    with sync_playwright() as playwright:
        flags = ("--no-sandbox", *flags)
        browser = playwright.chromium.launch(executable_path=chromium_path, args=list(flags), timeout=PATIENCE)
        page = browser.new_page(viewport={"width": 1200, "height": 1400})
        page.set_default_timeout(PATIENCE)
        page.goto(address)
        page.wait_for_function(f"() => ({STATUS})() === 'idle'", timeout=PATIENCE)
        page.evaluate("() => window.jupyterapp.commands.execute('notebook:run-all-cells')")
        page.wait_for_selector(".widget-image, .live-figure", timeout=PATIENCE)
        page.wait_for_function(f"() => ({STATUS})() === 'idle'", timeout=PATIENCE)
        yield page
        browser.close()


@pytest.fixture
def page(lab_address: str, chromium_path: str) -> Iterator[Page]:
    """The explorer's notebook, run."""
    with opened(lab_address, chromium_path) as page:
        yield page


def choose(page: Page, method: str) -> None:
    """Choose a method of the menu, and wait until its picture is there."""
    page.evaluate(WATCH)
    page.locator(".widget-dropdown select").select_option(label=method)
    page.wait_for_function("() => window.pictures >= 1", timeout=PATIENCE)


def held(page: Page) -> list[object]:
    """Run the last cell alone, and return the message and the values of all controls as the kernel has them."""
    said = page.get_by_text("HELD [").last
    before = said.inner_text(timeout=PATIENCE)
    page.evaluate("() => window.jupyterapp.commands.execute('notebook:run-cell')")
    expect(said).not_to_have_text(before, timeout=PATIENCE)
    _, *values = json.loads(said.inner_text().removeprefix("HELD "))
    return values


def readouts(page: Page, labels: list[str]) -> list[str]:
    """What stands beside the sliders with these labels."""
    rows = [page.locator(".widget-slider").filter(has=page.get_by_text(label, exact=True)) for label in labels]
    return [row.locator(".widget-readout").inner_text() for row in rows]


def test_showing_the_explorer_leaves_every_value_what_it_was(page: Page) -> None:
    message, *values = held(page)
    assert values == ["constant", 0.125, 11, *[1.0] * 6, *[0.0] * 6]
    assert readouts(page, ["damping λ", "iteration", "v_x", "q1", "q6"]) == ["0.125", "11", "1.0", "0.00", "0.00"]


@pytest.mark.parametrize(("label", "name"), [("Newton-Raphson, body", "newton"), ("Gauss-Newton", "gauss-newton")])
def test_from_home_it_takes_the_steps_that_the_library_takes(page: Page, label: str, name: str) -> None:
    method = MENU[name].build(0.125, [1.0] * 6)
    stop = pose_ik.Stop(max_iterations=30, restarts=0)
    result = pose_ik.solve(robots.ur10(), ur10_waypoints()[0], np.zeros(6), method=method, stop=stop, trace=True)
    assert result.trace is not None
    longest = np.abs(np.diff(result.trace.q, axis=0)).max()
    choose(page, label)
    message, *_ = held(page)
    assert message == f"converged in {result.iterations} steps; longest step of a joint {longest:.2f} rad"


def test_each_key_on_the_damping_slider_changes_the_picture(page: Page) -> None:
    assert not page.locator(".jp-OutputArea-output[data-mime-type*=error]").count()
    slider = page.locator(".widget-slider", has_text="damping")
    image = page.locator(".widget-image")
    before, value = image.get_attribute("src"), slider.locator(".widget-readout").inner_text()
    page.evaluate(WATCH)
    slider.locator(".noUi-handle").focus()
    for presses in range(1, 8):
        page.keyboard.press("ArrowRight")
        page.wait_for_function(f"() => window.pictures >= {presses}", timeout=PATIENCE)
    assert image.get_attribute("src") != before
    assert slider.locator(".widget-readout").inner_text() != value


def test_every_control_is_there_and_the_scrubber_moves_the_arm(page: Page) -> None:
    labels = page.locator(".widget-label").all_inner_texts()
    for label in ("method", "damping λ", "iteration", "ω_x", "ω_y", "ω_z", "v_x", "v_y", "v_z", "q1", "q6"):
        assert label in labels, f"no control named {label!r} among {labels}"
    page.evaluate(WATCH)
    page.locator(".widget-slider", has_text="iteration").locator(".noUi-handle").focus()
    page.keyboard.press("ArrowLeft")
    page.wait_for_function("() => window.pictures >= 1", timeout=PATIENCE)
    page.get_by_role("button", name="random start").click()
    page.wait_for_function("() => window.pictures >= 2", timeout=PATIENCE)
