"""Live figures in a real JupyterLab: what is moved in the page arrives in Python's traits, and back."""

import io
import json
from collections.abc import Iterator

import nbformat
import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, expect
from test_browser_lab import PATIENCE, jupyterlab, opened

from lessons_lib.live import ElbowFigure, ScrewFigure

IN_SPACE = ("--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist")
CELLS = (
    "from lessons_lib.live import ElbowFigure\nelbow = ElbowFigure()\nelbow",
    "from lessons_lib.live import ScrewFigure\nscrew = ScrewFigure()\nscrew",
    (
        "import ipywidgets\nslider = ipywidgets.FloatSlider(min=0.1, max=1.2, step=0.01)\n"
        "held = ipywidgets.jslink((elbow, 'length_2'), (slider, 'value'))\nslider"
    ),
    "from lessons_lib.live import HandsFigure\nhands = HandsFigure()\nhands",
)
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


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    cells = [nbformat.v4.new_code_cell(source) for source in CELLS]
    kernel = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
    notebook = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})
    with jupyterlab(notebook, tmp_path_factory.mktemp("lab")) as address:
        yield address


@pytest.fixture
def page(address: str, chromium_path: str) -> Iterator[Page]:
    with opened(address, chromium_path, *IN_SPACE) as page:
        figures = sum("Figure()" in cell for cell in CELLS)
        expect(page.locator(".live-figure")).to_have_count(figures, timeout=PATIENCE)
        yield page


def in_python(page: Page, name: str) -> dict[str, float]:
    """What the traits of a figure hold."""
    values: dict[str, float] = json.loads(page.evaluate(ASK, f"import json; print(json.dumps({name}.values))"))
    return values


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
    page.wait_for_function(f"async () => (await ({ASK})('print(elbow.x)')).trim() === '1.11'", timeout=PATIENCE)
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
    said = f"async () => (await ({ASK})('print(elbow.x, elbow.y)')).trim()"
    page.wait_for_function(f"async () => (await ({said})()) === '{x} {y}'", timeout=PATIENCE)


def test_a_slider_of_ipywidgets_is_linked_without_the_kernel(page: Page) -> None:
    handle = page.locator(".widget-slider .noUi-handle")
    handle.focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    shown = page.locator(".widget-slider .widget-readout").inner_text()
    expect(box(page, "elbow", 2)).to_have_value(shown)
    page.wait_for_function(f"async () => Number(await ({ASK})('print(elbow.length_2)')) === {shown}", timeout=PATIENCE)


def test_a_figure_in_space_is_drawn_and_moves(page: Page) -> None:
    canvas = page.locator(".live-view-screw canvas")
    canvas.scroll_into_view_if_needed()
    before = canvas.screenshot()
    with Image.open(io.BytesIO(before)) as picture:
        pixels = np.asarray(picture.convert("RGB")).astype(int)
    assert (pixels.max(axis=2) - pixels.min(axis=2)).max() > 60, "all in grey: the style has not reached it"
    page.evaluate(ASK, "screw.angle = 90.0")
    expect(box(page, "screw", 3)).to_have_value("90")
    assert canvas.screenshot() != before


def test_a_cost_and_a_choice_go_to_python_and_back(page: Page) -> None:
    row = page.locator(".live-view-hands .live-row[data-name=left]")
    row.locator("input[type=range]").focus()
    page.keyboard.press("ArrowRight")
    expect(row.locator("input[type=number]")).to_have_value("10")
    page.wait_for_function(f"async () => (await ({ASK})('print(hands.left)')).trim() === '10.0'", timeout=PATIENCE)
    page.evaluate(ASK, "hands.left = 0.5")
    expect(row.locator("label")).to_contain_text("κ² = 0.25")
    menu = page.locator(".live-view-hands select")
    menu.select_option("constraints")
    page.wait_for_function(
        f"async () => (await ({ASK})('print(hands.hands)')).trim() === 'constraints'", timeout=PATIENCE
    )
    page.evaluate(ASK, "hands.hands = 'tasks with costs'")
    expect(menu).to_have_value("tasks with costs")
