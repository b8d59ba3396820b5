"""Every live figure in a real JupyterLab: what is moved there arrives in Python's traits, what Python sets in the page.

One cell shows one figure after the other, as a reader's would: none draws beside another, and none is out of view.
"""

import json
from collections.abc import Iterator
from typing import Any

import nbformat
import pytest
from playwright.sync_api import Error, Locator, Page, expect
from test_browser_book import IN_SPACE
from test_browser_lab import PATIENCE, jupyterlab, opened
from test_browser_lab_live import ASK, arrives

from lessons_lib import live

FIGURES = sorted(name for name in live.__all__ if name.endswith("Figure") and name != "LiveFigure")
CELL = """from lessons_lib import live

live.LiveFigure.still = lambda figure: b""  # what stands beside the live figure, and draws all that it is about
figure = live.{}()
figure"""
RUN = """async code => {
    const { commands, shell } = window.jupyterapp;
    shell.currentWidget.content.activeCell.model.sharedModel.setSource(code);
    await commands.execute('notebook:run-cell');
}"""
SHOWN = """() => Object.fromEntries([...document.querySelectorAll('.live-figure [data-name]')].map(row => {
    const held = row.querySelector('select, input[type=number], input[type=checkbox]');
    return [row.dataset.name, { number: held.valueAsNumber, checkbox: held.checked }[held.type] ?? held.value];
}))"""
SHOWS = f"""held => {{
    const shown = ({SHOWN})();
    return Object.keys(held).every(name => held[name] === shown[name]);
}}"""


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory, chromium_path: str) -> Iterator[Page]:
    """A notebook with one cell, run."""
    kernel = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
    cells = [nbformat.v4.new_code_cell(CELL.format(FIGURES[0]))]
    notebook = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})
    folder = tmp_path_factory.mktemp("figures")
    with jupyterlab(notebook, folder) as address, opened(address, chromium_path, *IN_SPACE) as page:
        yield page


@pytest.fixture
def page(lab: Page) -> Iterator[Page]:
    """The same, in which no script may fail."""
    faults: list[Error] = []

    def note(error: Error) -> None:
        faults.append(error)

    lab.on("pageerror", note)
    yield lab
    lab.remove_listener("pageerror", note)
    assert faults == []


def in_python(page: Page, what: str) -> Any:
    """What an attribute of the figure holds."""
    return json.loads(page.evaluate(ASK, f"import json; print(json.dumps(figure.{what}))"))


def elsewhere(control: dict[str, Any], held: Any) -> Any:
    """Return what a control may hold besides what it does: no place of a slider, where it is a number."""
    if control["kind"] == "switch":
        return not held
    if control["kind"] == "choice":
        return next(option for option in control["options"] if option != held)
    low, high = control["low"], control["high"]
    return next(value for part in (0.37, 0.61) if (value := float(f"{low + part * (high - low):.4g}")) != held)


def move(row: Locator, control: dict[str, Any], held: Any) -> None:
    """Move a control by hand."""
    if control["kind"] == "switch":
        row.locator("input").press("Space")
    elif control["kind"] == "choice":
        row.locator("select").select_option(elsewhere(control, held))
    else:
        row.locator("input[type=range]").press("ArrowRight" if held < control["high"] else "ArrowLeft")


@pytest.mark.parametrize("name", FIGURES)
def test_what_is_moved_arrives_in_python_and_what_python_sets_in_the_page(page: Page, name: str) -> None:
    page.evaluate(RUN, CELL.format(name))
    figure = page.locator(f".live-view-{getattr(live, name).view}")
    expect(figure).to_be_visible()
    expect(page.locator(".live-figure")).to_have_count(1)
    controls = in_python(page, "specification['controls']")
    shown = page.evaluate(SHOWN)
    assert in_python(page, "values") == shown == {control["name"]: control["start"] for control in controls}

    first = figure.locator(".live-row:visible").first.get_attribute("data-name")
    numbers = [control for control in controls if control["name"] == first]  # its choices may hide it: it comes first
    for control in numbers + [control for control in controls if control["kind"] != "number"]:
        before = shown[control["name"]]
        move(figure.locator(f"[data-name={control['name']}]"), control, before)
        expect(figure.locator(".live-stage:not([data-stale])")).to_be_attached()  # it is drawn, so its boxes are right
        shown = page.evaluate(SHOWN)
        assert shown[control["name"]] != before
        arrives(page, f"figure.values == {shown!r} or figure.values", "True")

    asked = {one["name"]: elsewhere(one, shown[one["name"]]) for one in controls if not one.get("sets")}
    assert page.evaluate(ASK, f"for name, value in {asked!r}.items(): setattr(figure, name, value)") == ""
    held = in_python(page, "values")
    page.wait_for_function(SHOWS, arg=held, timeout=PATIENCE)
    assert in_python(page, "values") == held == held | asked
