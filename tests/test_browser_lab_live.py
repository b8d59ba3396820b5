"""A real JupyterLab: copies of lessons read right, live figures go to Python's traits and back, a save keeps them."""

import io
import json
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser, Locator, Page, expect
from test_browser_book import IN_SPACE
from test_browser_lab import PATIENCE, SECONDS, browser_with, jupyterlab, page_of, run_all

from classroom.copies import course, folder
from classroom.copies.addresses import Folder, copy_path
from classroom.copies.names import names
from lessons_lib.live import ElbowFigure, ScrewFigure
from lessons_lib.live.saved import REFERENCE, WIDGET_VIEW

CELLS = (
    "from lessons_lib.live import ElbowFigure\nelbow = ElbowFigure()\nelbow",
    "from lessons_lib.live import ScrewFigure\nscrew = ScrewFigure()\nscrew",
    (
        "import ipywidgets\nslider = ipywidgets.FloatSlider(min=0.1, max=1.2, step=0.01)\n"
        "held = ipywidgets.jslink((elbow, 'length_2'), (slider, 'value'))\nslider"
    ),
)
FIGURES = sum("Figure()" in cell for cell in CELLS)
expect.set_options(timeout=PATIENCE)

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

OPEN = """async path => {
    const { commands } = window.jupyterapp;
    const kernelPreference = { shouldStart: false, canStart: true };
    const panel = await commands.execute('docmanager:open', { path, factory: 'Notebook', kernelPreference });
    await panel.context.ready;
    panel.addClass('opened-here');
}"""
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


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the server serves."""
    return tmp_path_factory.mktemp("lab")


@pytest.fixture(scope="module")
def address(root: Path) -> Iterator[str]:
    cells = [nbformat.v4.new_code_cell(source) for source in CELLS]
    kernel = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
    notebook = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})
    lessons = {str(copy_path(page)): course.notebook_copy(page, Folder()) for page in READ}
    folder.write(lessons | {"glossary.md": course.glossary_copy(names(), Folder())}, root)
    settings = root / "jupyterlab_settings_dir" / "@jupyterlab" / "notebook-extension" / "tracker.jupyterlab-settings"
    settings.parent.mkdir(parents=True)
    settings.write_text(json.dumps({"windowingMode": "none"}), encoding="utf-8")  # every cell is in the page at once
    with jupyterlab(notebook, root) as address:
        yield address


@pytest.fixture(scope="module")
def browser(chromium_path: str) -> Iterator[Browser]:
    with browser_with(chromium_path, *IN_SPACE) as browser:
        yield browser


@pytest.fixture(scope="module")
def lab(address: str, browser: Browser) -> Page:
    """The notebook of live figures in JupyterLab."""
    return page_of(browser, address)


@pytest.fixture
def page(lab: Page) -> Page:
    """The same, every cell run anew: the figures are new ones, and hold what they begin with."""
    run_all(lab)
    expect(lab.locator(".live-figure")).to_have_count(FIGURES, timeout=PATIENCE)
    return lab


def in_python(page: Page, name: str) -> dict[str, float]:
    """What the traits of a figure hold."""
    values: dict[str, float] = json.loads(page.evaluate(ASK, f"import json; print(json.dumps({name}.values))"))
    return values


def arrives(page: Page, expression: str, wanted: str) -> None:
    """Ask the kernel until it prints what is wanted; `wait_for_function` would take any promise for a yes."""
    assert page.evaluate(UNTIL, [f"print({expression})", wanted, PATIENCE]) == wanted


def in_page(page: Page, view: str) -> list[float]:
    """What the boxes of a figure show."""
    boxes = page.locator(f".live-view-{view} input[type=number]").all()
    return [float(box.input_value()) for box in boxes]


def box(page: Page, view: str, place: int) -> Locator:
    return page.locator(f".live-view-{view} input[type=number]").nth(place)


def test_showing_the_figures_leaves_every_value_what_it_was(page: Page) -> None:
    assert in_python(page, "screw") == ScrewFigure().values
    assert in_python(page, "elbow") | {"length_2": 0.7} == ElbowFigure().values  # the slider linked to it has its own
    assert not page.locator(".jp-OutputArea-output[data-mime-type*=error]").count()


def test_a_slider_that_is_moved_arrives_in_python_and_back(page: Page) -> None:
    page.locator(".live-view-elbow input[type=range]").first.focus()
    page.keyboard.press("ArrowRight")
    expect(box(page, "elbow", 0)).to_have_value("1.11")
    arrives(page, "elbow.x", "1.11")
    assert page.evaluate(ASK, "elbow.x, elbow.y = 0.123456, -0.25") == ""
    expect(box(page, "elbow", 0)).to_have_value("0.123456")
    expect(box(page, "elbow", 1)).to_have_value("-0.25")
    assert in_python(page, "elbow")["x"] == 0.123456
    assert "it lies in [-2.3, 2.3]" in page.evaluate(ASK, "elbow.x = 9")


def test_a_handle_that_is_dragged_arrives_in_python(page: Page) -> None:
    handle = page.get_by_role("slider", name="target", exact=True)
    handle.scroll_into_view_if_needed()
    place = handle.bounding_box()
    assert place is not None
    page.mouse.move(place["x"] + 22, place["y"] + 22)
    page.mouse.down()
    page.mouse.move(place["x"] - 60, place["y"] + 40, steps=4)
    page.mouse.up()
    x, y, _ = in_page(page, "elbow")
    assert (x, y) != (1.1, 0.7)
    arrives(page, f"(elbow.x, elbow.y) == ({x}, {y})", "True")


def test_a_slider_of_ipywidgets_is_linked_without_the_kernel(page: Page) -> None:
    slider, length = page.locator(".widget-slider"), box(page, "elbow", 2)
    readout = slider.locator(".widget-readout")
    expect(readout).to_have_text(re.compile(f"^{length.input_value()}0?$"))  # the link is there
    for _ in range(3):
        before = readout.inner_text()
        slider.locator(".noUi-handle").press("ArrowRight")
        expect(readout).not_to_have_text(before)
    shown = readout.inner_text()
    length.scroll_into_view_if_needed()  # a figure out of view is not drawn
    expect(length).to_have_value(shown)
    arrives(page, f"elbow.length_2 == {shown}", "True")


def picture_of(canvas: Locator, wanted: Callable[[bytes], object], otherwise: str) -> bytes:
    """Return a picture of a canvas once it is as wanted: a busy machine draws late.

    Each picture brings the canvas into view: JupyterLab may scroll after it has run the last cell, and a figure out of
    view is not drawn.
    """
    hung = time.monotonic() + PATIENCE / SECONDS
    while not wanted(picture := canvas.screenshot()):
        assert time.monotonic() < hung, otherwise
        canvas.page.wait_for_timeout(100)
    return picture


def is_coloured(picture: bytes) -> bool:
    with Image.open(io.BytesIO(picture)) as image:
        pixels = np.asarray(image.convert("RGB")).astype(int)
    return bool((pixels.max(axis=2) - pixels.min(axis=2)).max() > 60)


def test_a_figure_in_space_is_drawn_and_moves(page: Page) -> None:
    canvas = page.locator(".live-view-screw canvas")
    canvas.scroll_into_view_if_needed()
    before = picture_of(canvas, is_coloured, "all in grey: the style has not reached it")
    assert page.evaluate(ASK, "screw.angle = 90.0") == ""
    angle = box(page, "screw", 3)
    picture_of(canvas, lambda after: after != before and angle.input_value() == "90", "nothing moves")


@pytest.fixture
def reading(address: str, browser: Browser) -> Iterator[Page]:
    """JupyterLab as a learner meets it: nothing of other tests is open, nothing run."""
    page = page_of(browser, address.replace("lab/tree/lesson.ipynb?", "lab/workspaces/reading?reset&"))
    page.set_viewport_size({"width": 1200, "height": 1000})
    page.wait_for_function("() => window.jupyterapp?.restored.then(() => true)", timeout=PATIENCE)
    yield page
    page.close()


def read(page: Page, path: str, cells: int) -> dict[str, Any]:
    """What a notebook shows, once all cells of prose are rendered and no more formulas are set."""
    page.evaluate("() => window.jupyterapp.commands.execute('application:close-all')")
    page.evaluate(OPEN, path)
    page.wait_for_function(f"() => ({PROSE})().cells === {cells} && ({PROSE})().formulas > 0", timeout=PATIENCE)
    settled = (
        f"() => {{ const n = ({PROSE})().formulas, was = window.formulas; window.formulas = n; return n === was; }}"
    )
    page.wait_for_function(settled, polling=500, timeout=PATIENCE)
    found: dict[str, Any] = page.evaluate(PROSE)
    return found


def test_copies_show_no_markup_of_the_book_and_their_links_lead_to_what_they_name(reading: Page, root: Path) -> None:
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


def test_a_saved_figure_keeps_its_still_and_shows_it_without_a_kernel(page: Page, reading: Page, root: Path) -> None:
    page.evaluate("() => window.jupyterapp.commands.execute('docmanager:save')")
    outputs = [o.get("data", {}) for c in nbformat.read(root / "lesson.ipynb", as_version=4).cells for o in c.outputs]
    figures = [data for data in outputs if REFERENCE in data]
    assert len(figures) == FIGURES and all("image/png" in data and WIDGET_VIEW not in data for data in figures)
    assert page.locator(".live-figure").count() == FIGURES, "the page that saves keeps its live figures"
    reading.evaluate(OPEN, "lesson.ipynb")
    expect(reading.locator(".opened-here .jp-RenderedImage img")).to_have_count(FIGURES)
    expect(reading.locator(".opened-here")).not_to_contain_text("model not found")
