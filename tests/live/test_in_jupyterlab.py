"""A real JupyterLab: figures and Python's traits agree, a save keeps the pictures, copies of lessons are legible."""

import io
import json
import os
import re
import secrets
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import nbformat
import numpy as np
import pytest
from browser import COARSE, PATIENCE, free_port
from figure_page import PLAIN
from PIL import Image
from playwright.sync_api import expect

from classroom.copies import course, folder
from classroom.copies.addresses import Folder, copy_path
from classroom.copies.names import names
from lessons_lib.course import live
from lessons_lib.course.live.saved import REFERENCE, WIDGET_VIEW

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 1000.0  # Playwright counts in milliseconds
expect.set_options(timeout=PATIENCE)
FIGURES = sorted(name for name in live.__all__ if name.endswith("Figure") and name != "LiveFigure")
SHOWN_AT_ONCE = {"elbow": "ElbowFigure", "screw": "ScrewFigure", "damping": "DampingFigure"}
"""A figure in the plane, one in space with a switch, and one with a choice, by their names in the notebook."""

SERVER = """
from classroom.kernel_sockets import use_unix_sockets
from jupyterlab.labapp import main

use_unix_sockets()
main()
"""
CELL = "from lessons_lib.course import live\n{0} = live.{1}()\n{0}"
LINKED = (
    "import ipywidgets\nlinked = ipywidgets.FloatSlider(min=0.1, max=1.2, step=0.01)\n"
    "linked.add_class('linked-here')\nlinked"
)
RUN = """async code => {
    const { commands, shell } = window.jupyterapp;
    shell.currentWidget.content.activeCell.model.sharedModel.setSource(code);
    await commands.execute('notebook:run-cell');
}"""
SHOWN = """view => Object.fromEntries([...document.querySelectorAll(`.live-view-${view} [data-name]`)].map(row => {
    const held = row.querySelector('select, input[type=number], input[type=checkbox]');
    return [row.dataset.name, { number: held.valueAsNumber, checkbox: held.checked }[held.type] ?? held.value];
}))"""
SHOWS = f"""([view, held]) => {{
    const shown = ({SHOWN})(view);
    return Object.keys(held).every(name => held[name] === shown[name]);
}}"""
STATUS = "() => window.jupyterapp?.shell?.currentWidget?.context?.sessionContext?.session?.kernel?.status"
ASK = """async code => {
    const { kernel } = window.jupyterapp.shell.currentWidget.context.sessionContext.session;
    let told = '';
    const future = kernel.requestExecute({ code });
    future.onIOPub = ({ header, content }) => {
        if (header.msg_type === 'stream') told += content.text;
        if (header.msg_type === 'error') told += `${content.ename}: ${content.evalue}`;
    };
    await future.done;
    return told;
}"""
UNTIL = f"""async ([code, wanted, patience]) => {{
    for (const end = performance.now() + patience; ;) {{
        const told = (await ({ASK})(code)).trim();
        if (told === wanted || performance.now() > end) return told;
        await new Promise(requestAnimationFrame);
    }}
}}"""
READ = ("notebooks/08_newton", "notebooks/18_floating_base", "exercises/16_limits/16_limits")
"""Between them they hold each role and directive that there is."""

OPEN = """path => {
    const kernelPreference = { shouldStart: false, canStart: true };
    window.jupyterapp.commands.execute('docmanager:open', { path, factory: 'Notebook', kernelPreference });
}"""
OPENED = """path => {
    const panel = window.jupyterapp.shell.currentWidget;
    if (panel?.context?.path !== path || !panel.context.isReady) return false;
    panel.addClass('opened-here');
    return true;
}"""
NOTHING_IS_OPEN = "() => [...window.jupyterapp.shell.widgets('main')].every(widget => !widget.context)"
IN_VIEW = """found => {
    const place = document.querySelector(found)?.getBoundingClientRect();
    return place && place.top > 0 && place.top < window.innerHeight;
}"""
OF_THE_BOOK = re.compile(r"\{[\w:]+\}<code>[^<]*|:::|\((?:eq|fig)-[^)]*\)|<[\w-]+ class=.[^'\"]*myst[^>]*")
PROSE = """() => {
    const cells = [...document.querySelectorAll('.opened-here .jp-MarkdownCell .jp-RenderedMarkdown')];
    const raw = cells.map(cell => cell.cloneNode(true));
    for (const cell of raw) for (const gone of cell.querySelectorAll('code, mjx-container')) gone.replaceWith('');
    return {
        cells: cells.length,
        formulas: document.querySelectorAll('.opened-here .jp-MarkdownCell mjx-container').length,
        text: raw.map(cell => cell.textContent).join(' '),
        html: cells.map(cell => cell.innerHTML).join(' '),
        links: cells.flatMap(cell => [...cell.querySelectorAll('a:not([data-jupyter-id])')]).map(link => link.href),
        errors: document.querySelectorAll('.opened-here :is(mjx-merror, [data-mjx-error])').length,
        hidden: document.querySelectorAll('.opened-here .jp-CodeCell .jp-InputPlaceholder').length,
    };
}"""


def notebook(sources):
    """A notebook of code cells."""
    kernel = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    return nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})


def wait_until_it_answers(address, server, log):
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
def jupyterlab(lesson, folder):
    """Address of a notebook in a new JupyterLab, which runs in the folder and listens only on loopback."""
    token, port = secrets.token_hex(16), free_port()
    nbformat.write(lesson, folder / "lesson.ipynb")
    places = ("JUPYTER_CONFIG_DIR", "JUPYTERLAB_SETTINGS_DIR", "JUPYTERLAB_WORKSPACES_DIR", "JUPYTER_RUNTIME_DIR")
    environment = os.environ | {name: str(folder / name.lower()) for name in places}
    environment["JUPYTER_CONFIG_PATH"] = str(ROOT / "classroom" / "jupyter")  # as `make lab` has it
    paths = str(ROOT), os.environ["PYTHONPATH"]  # kernels have the library that is tested, whichever one is installed
    environment["PYTHONPATH"] = os.pathsep.join(paths)
    command = [sys.executable, "-c", SERVER, "--no-browser", "--allow-root", "--ServerApp.ip=127.0.0.1"]
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


def page_of(browser, address):
    """A browser page at an address."""
    looks = {"device_scale_factor": COARSE, "reduced_motion": "reduce"}
    page = browser.new_page(viewport={"width": 1200, "height": 1400}, **looks)
    page.add_init_script(PLAIN)
    page.set_default_timeout(PATIENCE)
    page.goto(address)
    return page


@contextmanager
def without_faults(page):
    """Check that no script of the page fails meanwhile."""
    faults = []

    def note(error):
        faults.append(error)

    page.on("pageerror", note)
    yield
    page.remove_listener("pageerror", note)
    assert faults == []


def run_all(page):
    """Run every cell of the notebook, from idle to idle."""
    page.wait_for_function(f"() => ({STATUS})() === 'idle'", polling=100, timeout=PATIENCE)
    page.evaluate("() => window.jupyterapp.commands.execute('notebook:run-all-cells')")
    page.wait_for_selector(".live-figure", timeout=PATIENCE)
    page.wait_for_function(f"() => ({STATUS})() === 'idle'", polling=100, timeout=PATIENCE)


def in_python(page, what):
    """The value of an expression in the kernel."""
    return json.loads(page.evaluate(ASK, f"import json; print(json.dumps({what}))"))


def arrives(page, expression, wanted):
    """Query the kernel until it prints the expected text; `wait_for_function` would accept any promise."""
    assert page.evaluate(UNTIL, [f"print({expression})", wanted, PATIENCE]) == wanted


def elsewhere(control, held):
    """Return another value for a control, off the slider's grid if it is a number."""
    if control["kind"] == "switch":
        return not held
    if control["kind"] == "choice":
        return next(option for option in control["options"] if option != held)
    low, high = control["low"], control["high"]
    return next(value for part in (0.37, 0.61) if (value := float(f"{low + part * (high - low):.4g}")) != held)


def move(row, control, held):
    """Move a control by mouse or keyboard."""
    if control["kind"] == "switch":
        row.locator("input").press("Space")
    elif control["kind"] == "choice":
        row.locator("select").select_option(elsewhere(control, held))
    else:
        row.locator("input[type=range]").press("ArrowRight" if held < control["high"] else "ArrowLeft")


def goes_both_ways(page, name, kind):
    """Check that changes in the page reach Python's figure of that name, and changes in Python the page."""
    view = getattr(live, kind).view
    figure = page.locator(f".live-view-{view}")
    expect(figure).to_be_visible()
    figure.scroll_into_view_if_needed()
    controls, values = in_python(page, f"{name}.specification['controls']"), f"{name}.values"
    page.wait_for_function(
        "([view, count]) => document.querySelectorAll(`.live-view-${view} [data-name]`).length >= count",
        arg=[view, len(controls)],
    )
    shown = page.evaluate(SHOWN, view)
    assert in_python(page, values) == shown == {control["name"]: control["start"] for control in controls}

    first = figure.locator(".live-row:visible").first.get_attribute("data-name")
    numbers = [control for control in controls if control["name"] == first]  # its choices may hide it: it comes first
    for control in numbers + [control for control in controls if control["kind"] != "number"]:
        before = shown[control["name"]]
        move(figure.locator(f"[data-name={control['name']}]"), control, before)
        expect(figure.locator(".live-stage:not([data-stale])")).to_be_attached()  # it is drawn, so its boxes are right
        shown = page.evaluate(SHOWN, view)
        assert shown[control["name"]] != before
        arrives(page, f"{values} == {shown!r} or {values}", "True")

    asked = {one["name"]: elsewhere(one, shown[one["name"]]) for one in controls if not one.get("sets")}
    assert page.evaluate(ASK, f"for trait, value in {asked!r}.items(): setattr({name}, trait, value)") == ""
    held = in_python(page, values)
    page.wait_for_function(SHOWS, arg=[view, held], timeout=PATIENCE)
    assert in_python(page, values) == held == held | asked


def box(page, view, place):
    return page.locator(f".live-view-{view} input[type=number]").nth(place)


def a_slider_of_ipywidgets_is_linked_without_the_kernel(page):
    link = "elbow.length_2 = 0.7; held = ipywidgets.jslink((elbow, 'length_2'), (linked, 'value'))"
    page.locator(".live-view-elbow .live-stage").scroll_into_view_if_needed()  # out of view it is not drawn
    assert page.evaluate(ASK, link) == ""
    slider, length = page.locator(".widget-slider.linked-here"), box(page, "elbow", 2)
    readout = slider.locator(".widget-readout")
    expect(length).to_have_value(re.compile(r"^0\.70*$"))  # what Python wrote has come
    expect(readout).to_have_text(re.compile(f"^{length.input_value()}0?$"))  # the link is there
    for _ in range(3):
        before = readout.inner_text()
        slider.locator(".noUi-handle").press("ArrowRight")
        expect(readout).not_to_have_text(before)
    shown = readout.inner_text()
    length.scroll_into_view_if_needed()  # a figure out of view is not drawn
    expect(length).to_have_value(shown)
    arrives(page, f"elbow.length_2 == {shown}", "True")


def picture_of(canvas, wanted, otherwise):
    """Return a picture of a canvas once it is as expected, since a busy machine draws late.

    Each picture scrolls the canvas into view: JupyterLab may scroll after it has run the last cell, and a figure out of
    view is not drawn.
    """
    hung = time.monotonic() + PATIENCE / SECONDS
    while not wanted(picture := canvas.screenshot()):
        assert time.monotonic() < hung, otherwise
        canvas.page.wait_for_timeout(100)
    return picture


def is_coloured(picture):
    with Image.open(io.BytesIO(picture)) as image:
        pixels = np.asarray(image.convert("RGB")).astype(int)
    return bool((pixels.max(axis=2) - pixels.min(axis=2)).max() > 60)


def a_figure_in_space_is_drawn_and_moves(page):
    canvas = page.locator(".live-view-screw canvas")
    canvas.scroll_into_view_if_needed()
    before = picture_of(canvas, is_coloured, "all in grey: the style has not reached it")
    assert page.evaluate(ASK, "screw.angle = 91.0") == ""
    angle = box(page, "screw", 3)
    picture_of(canvas, lambda after: after != before and angle.input_value() == "91", "nothing moves")


@contextmanager
def reading_in(browser, address):
    """JupyterLab as a learner opens it: nothing else is open, nothing has run."""
    page = page_of(browser, address.replace("lab/tree/lesson.ipynb?", "lab/workspaces/reading?reset&"))
    page.set_viewport_size({"width": 1200, "height": 1000})
    page.wait_for_function("() => window.jupyterapp?.restored.then(() => true)", timeout=PATIENCE)
    yield page
    page.close()


def open_notebook(page, path):
    """Open a notebook without a kernel, and do not wait for JupyterLab's promise, which may never resolve."""
    page.evaluate(OPEN, path)
    page.wait_for_function(OPENED, arg=path, timeout=PATIENCE)


def read(page, path, cells):
    """The contents of a notebook, once all Markdown cells are rendered and no more formulas are typeset."""
    page.evaluate("() => void window.jupyterapp.commands.execute('application:close-all')")
    page.wait_for_function(NOTHING_IS_OPEN, timeout=PATIENCE)
    open_notebook(page, path)
    rendered = f"() => {{ const found = ({PROSE})(); return found.cells === {cells} && found.formulas > 0; }}"
    page.wait_for_function(rendered, polling=500, timeout=PATIENCE)
    settled = (
        f"() => {{ const n = ({PROSE})().formulas, was = window.formulas; window.formulas = n; return n === was; }}"
    )
    page.wait_for_function(settled, polling=500, timeout=PATIENCE)
    return page.evaluate(PROSE)


def copies_show_no_markup_of_the_book_and_their_links_lead_to_what_they_name(reading, root):
    for name in READ:
        path = str(copy_path(name))
        stored = json.loads((root / path).read_text("utf-8"))["cells"]
        shown = read(reading, path, sum(cell["cell_type"] == "markdown" for cell in stored))
        assert OF_THE_BOOK.findall(shown["html"]) == [], name
        assert "$" not in shown["text"] and shown["errors"] == 0, name
        assert shown["links"] and all(link.startswith("http") for link in shown["links"]), f"{name}: {shown['links']}"
        hidden = sum(cell["metadata"].get("jupyter", {}).get("source_hidden", False) for cell in stored)
        assert shown["hidden"] == hidden, name
    assert reading.locator(".jp-Dialog, .Toastify__toast").all_inner_texts() == [], "something greets the learner"
    name = READ[0]
    for words, anchor in (("Fig. 8.2", "fig-08-convergence"), ("residual", "term-residual")):
        stored = json.loads((root / str(copy_path(name))).read_text("utf-8"))["cells"]
        read(reading, str(copy_path(name)), sum(cell["cell_type"] == "markdown" for cell in stored))
        reading.locator(".opened-here").get_by_role("link", name=words, exact=True).first.click()
        reading.wait_for_function(IN_VIEW, arg=f'[data-jupyter-id="{anchor}"]', timeout=PATIENCE)


def a_saved_figure_keeps_its_still_and_shows_it_without_a_kernel(page, reading, root):
    page.evaluate("() => window.jupyterapp.commands.execute('docmanager:save')")
    outputs = [o.get("data", {}) for c in nbformat.read(root / "lesson.ipynb", as_version=4).cells for o in c.outputs]
    figures = [data for data in outputs if REFERENCE in data]
    assert len(figures) == len(SHOWN_AT_ONCE)
    assert all("image/png" in data and WIDGET_VIEW not in data for data in figures)
    assert page.locator(".live-figure").count() == len(SHOWN_AT_ONCE), "the page that saves keeps its live figures"
    open_notebook(reading, "lesson.ipynb")
    expect(reading.locator(".opened-here .jp-RenderedImage img")).to_have_count(len(SHOWN_AT_ONCE))
    expect(reading.locator(".opened-here")).not_to_contain_text("model not found")


def test_figures_and_copies_in_one_jupyterlab(browser_in_space, tmp_path):
    lessons = {str(copy_path(page)): course.notebook_copy(page, Folder()) for page in READ}
    folder.write(lessons | {"glossary.md": course.glossary_copy(names(), Folder())}, tmp_path)
    settings = tmp_path / "jupyterlab_settings_dir/@jupyterlab/notebook-extension/tracker.jupyterlab-settings"
    settings.parent.mkdir(parents=True)
    settings.write_text(json.dumps({"windowingMode": "none"}), encoding="utf-8")  # every cell is in the page at once
    cells = [CELL.format(name, kind) for name, kind in SHOWN_AT_ONCE.items()]
    with jupyterlab(notebook([*cells, LINKED]), tmp_path) as address:
        page = page_of(browser_in_space, address)
        with without_faults(page):
            run_all(page)
            expect(page.locator(".live-figure")).to_have_count(len(SHOWN_AT_ONCE), timeout=PATIENCE)
            assert not page.locator(".jp-OutputArea-output[data-mime-type*=error]").count()
            for name, kind in SHOWN_AT_ONCE.items():
                goes_both_ways(page, name, kind)
            a_slider_of_ipywidgets_is_linked_without_the_kernel(page)
            a_figure_in_space_is_drawn_and_moves(page)
        with reading_in(browser_in_space, address) as reading:
            a_saved_figure_keeps_its_still_and_shows_it_without_a_kernel(page, reading, tmp_path)
            copies_show_no_markup_of_the_book_and_their_links_lead_to_what_they_name(reading, tmp_path)
        page.close()


@pytest.fixture(scope="module")
def one_cell(browser_in_space, tmp_path_factory):
    """A notebook with one cell, run: it shows one figure after the other, so that only one draws at a time."""
    root = tmp_path_factory.mktemp("figures")
    with jupyterlab(notebook([CELL.format("figure", FIGURES[0])]), root) as address:
        page = page_of(browser_in_space, address)
        run_all(page)
        yield page
        page.close()


@pytest.mark.release
@pytest.mark.parametrize("kind", FIGURES)
def test_every_figure_goes_both_ways(one_cell, kind):
    with without_faults(one_cell):
        one_cell.evaluate(RUN, CELL.format("figure", kind))
        goes_both_ways(one_cell, "figure", kind)
        expect(one_cell.locator(".live-figure")).to_have_count(1)
