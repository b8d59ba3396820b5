"""The solver explorer of lesson 11 in a real JupyterLab: a key on the slider changes the picture."""

import json
import os
import secrets
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import nbformat
import pytest
from playwright.sync_api import Page, sync_playwright

LESSON = Path(__file__).resolve().parent.parent / "notebooks" / "11_levenberg_marquardt.ipynb"
SECONDS = 1000.0  # Playwright counts in milliseconds
START_UP = 120 * SECONDS  # a loaded machine, a first compilation
WATCH = """() => {
    const image = document.querySelector('.widget-image');
    window.times = [];
    document.addEventListener('keydown', () => { window.pressed = performance.now(); }, true);
    image.addEventListener('load', () => window.times.push(performance.now() - window.pressed));
}"""
STATUS = "() => window.jupyterapp?.shell?.currentWidget?.context?.sessionContext?.session?.kernel?.status"


def explorer_notebook() -> nbformat.NotebookNode:
    """The two cells of the lesson that the explorer needs: the first, and its own."""
    code = [cell.source for cell in nbformat.read(LESSON, as_version=4).cells if cell.cell_type == "code"]
    (own,) = [source for source in code if "SolverExplorer(" in source]
    cells = [nbformat.v4.new_code_cell(source) for source in (code[0], own)]
    kernel = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
    return nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until_it_answers(address: str, server: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + START_UP / SECONDS
    while time.monotonic() < deadline:
        assert server.poll() is None, f"JupyterLab ended at once:\n{log.read_text()}"
        try:
            with urllib.request.urlopen(address, timeout=5) as answer:
                json.load(answer)
                return
        except OSError:
            time.sleep(0.2)
    raise AssertionError(f"JupyterLab does not answer:\n{log.read_text()}")


@pytest.fixture(scope="module")
def lab_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of the explorer's notebook in a JupyterLab of its own, which listens on loopback only."""
    folder, token, port = tmp_path_factory.mktemp("lab"), secrets.token_hex(16), free_port()
    nbformat.write(explorer_notebook(), folder / "explorer.ipynb")
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
        yield f"http://127.0.0.1:{port}/lab/tree/explorer.ipynb?token={token}"
    finally:
        server.terminate()
        server.wait(timeout=30)


@pytest.fixture
def page(lab_address: str, chromium_path: str) -> Iterator[Page]:
    """The notebook in a browser, with every cell run and the kernel idle."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1200, "height": 1400})
        page.goto(lab_address)
        page.wait_for_function(f"() => ({STATUS})() === 'idle'", timeout=START_UP)
        page.evaluate("() => window.jupyterapp.commands.execute('notebook:run-all-cells')")
        page.wait_for_selector(".widget-image", timeout=START_UP)
        page.wait_for_function(f"() => ({STATUS})() === 'idle'", timeout=START_UP)
        yield page
        browser.close()


def test_a_key_on_the_damping_slider_changes_the_picture_soon(page: Page) -> None:
    assert not page.locator(".jp-OutputArea-output[data-mime-type*=error]").count()
    slider = page.locator(".widget-slider", has_text="damping")
    image = page.locator(".widget-image")
    before, value = image.get_attribute("src"), slider.locator(".widget-readout").inner_text()
    page.evaluate(WATCH)
    slider.locator(".noUi-handle").focus()
    for presses in range(1, 8):
        page.keyboard.press("ArrowRight")
        page.wait_for_function(f"() => window.times.length >= {presses}", timeout=30 * SECONDS)
    assert image.get_attribute("src") != before
    assert slider.locator(".widget-readout").inner_text() != value
    times = page.evaluate("() => window.times")
    print(f"slider to picture: {median(times):.0f} ms (median of {len(times)})")
    assert median(times) < 1000.0  # about 60 ms on a quiet machine; a second is a picture that hangs behind


def test_every_control_is_there_and_the_scrubber_moves_the_arm(page: Page) -> None:
    labels = page.locator(".widget-label").all_inner_texts()
    for label in ("method", "damping λ", "iteration", "ω_x", "ω_y", "ω_z", "v_x", "v_y", "v_z", "q1", "q6"):
        assert label in labels, f"no control named {label!r} among {labels}"
    page.evaluate(WATCH)
    page.locator(".widget-slider", has_text="iteration").locator(".noUi-handle").focus()
    page.keyboard.press("ArrowLeft")
    page.wait_for_function("() => window.times.length >= 1", timeout=30 * SECONDS)
    page.get_by_role("button", name="random start").click()
    page.wait_for_function("() => window.times.length >= 2", timeout=30 * SECONDS)
