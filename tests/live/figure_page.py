"""A live figure alone on a page with the book's scripts, and the operations of the tests on it."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, Self

import numpy as np
import pytest
from browser import COARSE, DESKTOP, PATIENCE, PHONE, Witness
from playwright.sync_api import Browser, CDPSession, Locator, Page, ViewportSize, expect

from lessons_lib.course import live
from lessons_lib.course.live.control import Choice, Switch
from tools.opening_pictures import page_of

expect.set_options(timeout=PATIENCE)

STYLE = """body { margin: 0 24px; padding: 4rem 0 150vh; }
@media (min-width: 1000px) { body { margin: 0 313px 0 261px; } }"""
"""The margins of the book's text, and room to scroll the figure below a header and out of sight."""

PLAIN = """const open = HTMLCanvasElement.prototype.getContext;
HTMLCanvasElement.prototype.getContext = function (kind, wishes) {
    return open.call(this, kind, {...wishes, antialias: false});
};"""
"""No edge in space is smoothed: a processor would draw each dot four times."""

FRAMES = "async () => { for (let k = 0; k < 4; k++) await new Promise(requestAnimationFrame); }"
"""What came into sight hears of it a frame later, and on a busy machine later still."""

SETTLED = """async frames => {
    const stage = document.querySelector('[data-tested] .live-stage');
    const isDrawn = () => {
        const {top, bottom} = stage.getBoundingClientRect();
        return stage.dataset.stale === undefined || bottom < 0 || top > window.innerHeight;
    };
    for (let k = 0; k < frames || !isDrawn(); k++) await new Promise(requestAnimationFrame);
}"""
"""Wait some frames, and until the picture, where it is in sight, shows what the controls hold."""

BEGIN = """host => {
    document.documentElement.dataset.theme = 'light';
    [...host.querySelectorAll('.live-buttons button')].find(button => button.textContent === 'Reset').click();
}"""

CELLS = "rows => rows.map(row => [...row.querySelectorAll('th, td')].map(cell => [cell.tagName, cell.innerText]))"

UNSEEN = """header => {
    const figure = document.querySelector('[data-tested] .live-figure');
    const [stage, panel, dock, says] = ['stage', 'panel', 'dock', 'says'].map(n => figure.querySelector(`.live-${n}`));
    const box = part => part.getBoundingClientRect();
    const shown = (root, kinds) => [...root.querySelectorAll(kinds)].filter(part => box(part).height > 0);
    const drawing = shown(stage, '.live-picture, .live-chart, .live-code, .live-bars, .live-plan');
    const controls = shown(panel, 'input, select, button');
    const told = part => `${part.className || part.outerHTML} ${box(part).top} to ${box(part).bottom}`;
    const isSeen = (part, whole) => {
        const {left, right, top, bottom} = box(part), x = (left + right) / 2;
        const hit = y => whole.contains(document.elementFromPoint(x, y));
        return top >= header - 1 && bottom <= innerHeight + 1 && hit(top + 3) && hit(bottom - 3);
    };
    window.scrollTo(0, 0);
    const over = Math.min(...drawing.map(part => box(part).bottom)) - box(shown(dock, '*')[0]).top;
    const beside = box(says).left > box(stage).left + 1 ? [says] : [];
    window.scrollTo(0, Math.min(...[...drawing, ...beside].map(part => box(part).top)) + scrollY - header);
    const unseen = [...drawing.map(part => [part, stage]), [says, figure]].filter(pair => !isSeen(...pair));
    for (const control of controls) {
        panel.scrollTop += box(control).top - box(panel).top - 8;
        if (!isSeen(control, control.parentElement)) unseen.push([control]);
    }
    panel.scrollTop = 0;
    const [reading, side] = ['.live-side > .live-reading', '.live-side'].map(name => box(figure.querySelector(name)));
    const rows = shown(panel, '.live-row, .live-choice, .live-switch').length;
    const sliders = shown(figure, 'input[type=range]').map(part => box(part).width);
    return {unseen: unseen.map(([part]) => told(part)), over, beyond: reading.right - side.right, rows, sliders};
}"""
"""Return the parts of the drawing, the verdict and the controls that are not seen at once.

The drawing, or the verdict beside it, begins just below the header, and the panel scrolls to each control. Further
results: the pixels by which the dock covers the uppermost picture at the top of the page, and by which the table is
wider than its place; the number of controls; and the widths of the sliders.
"""

HELD = """rows => Object.fromEntries(rows.map(row => {
    const [choice, number, box] = ['select', 'input[type=number]', 'input'].map(kind => row.querySelector(kind));
    return [row.dataset.name, (choice ?? number)?.value ?? box?.checked];
}))"""
"""What each control holds, by its name: a number or a choice as it is written, a switch as a truth."""

HEADERS = 48, 56
"""Height of the book's sticky header [px], in a wide window and on a phone."""

SHOWN = 0.0051
"""Half a unit of the last decimal that a figure shows, and a rounding."""


class Figure:
    """A live figure on a page, and the errors of the page."""

    def __init__(self, browser: Browser, folder: Path, name: str, **context: Any) -> None:
        """Open the figure alone on a page written into a folder; `name` is its class."""
        figure = in_python(name)
        self.name = figure.view
        looks = {"viewport": DESKTOP, "reduced_motion": "reduce", "device_scale_factor": COARSE}
        self.context = browser.new_context(**{**looks, **context})
        self.context.set_default_timeout(PATIENCE)
        self.context.add_init_script(PLAIN)
        self.page: Page = self.context.new_page()
        self.witness = Witness("file:/")
        self.witness.watch(self.page)
        path = folder / f"{self.name}.html"
        path.write_text(page_of(getattr(live, name)(), STYLE), "utf-8")
        self.page.goto(path.as_uri())
        self.host: Locator = self.page.locator(".live-host.live-is-on")
        self.host.wait_for()
        self.host.evaluate("host => host.dataset.tested = ''")
        self.controls: list[dict[str, Any]] = figure.specification["controls"]
        self.see()
        self.opening = self.told

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        faults = list(self.witness.faults)  # what is on its way while the page is closed is no fault
        self.context.close()
        assert kind is not None or faults == []

    def see(self) -> None:
        self.host.evaluate("host => host.querySelector('.live-stage').scrollIntoView({block: 'center'})")
        self.settle(frames=4)

    def leave(self) -> None:
        """Scroll away, which stops long computations such as lesson 12's map."""
        self.page.evaluate("window.scrollTo(0, document.body.scrollHeight)")

    def seen_at_once(self, viewport: ViewportSize) -> dict[str, Any]:
        """Return the result of UNSEEN in a window of some size; the size stays."""
        self.page.set_viewport_size(viewport)
        self.see()
        for _ in range(20):  # a page that is still being laid out
            found: dict[str, Any] = self.page.evaluate(UNSEEN, HEADERS[viewport == PHONE])
            if not found["unseen"]:
                break
            self.settle(frames=10)
        return found

    def begin(self) -> None:
        """Restore the page's initial state."""
        self.page.mouse.move(0, 0)  # a pointer over the picture may choose something in it
        self.host.evaluate(BEGIN)
        self.see()

    def set(self, values: dict[str, float | bool | str]) -> None:
        """Set controls by name, as a link does."""
        self.host.evaluate("(host, values) => host.live.state.set(values)", values)
        self.settle()

    def type_value(self, words: str, value: float) -> None:
        box = self.host.locator(".live-row", has_text=words).locator("input[type=number]")
        if not box.is_visible():
            self.host.get_by_role("button", name="More", exact=True).click()
        box.fill(str(value))
        box.press("Enter")
        self.settle()

    def handle(self, name: str) -> Locator:
        return self.host.get_by_role("slider", name=name, exact=True)

    def drag(self, name: str, right: float, down: float) -> None:
        """Drag a handle by some pixels."""
        self.handle(name).scroll_into_view_if_needed()
        box = self.handle(name).bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.mouse.move(x + right / 2, y + down / 2, steps=3)
        self.page.mouse.move(x + right, y + down, steps=3)
        self.page.mouse.up()
        self.settle()

    def settle(self, frames: int = 2) -> None:
        """Wait until the visible picture shows the values of the controls."""
        self.page.evaluate(SETTLED, frames)

    def box_values(self) -> list[float]:
        """The numbers in the boxes, in order."""
        values = self.host.locator("input[type=number]").evaluate_all("boxes => boxes.map(box => box.value)")
        return [float(value) for value in values]

    @property
    def state(self) -> dict[str, Any]:
        """The values of all controls."""
        values: dict[str, Any] = self.host.evaluate("host => host.live.state.all()")
        return values

    @property
    def told(self) -> tuple[Any, ...]:
        """Everything a reader can read: controls, verdict, table and step."""
        steps = self.host.locator(".live-step").all_inner_texts()
        return self.state, self.says, self.cells(), steps

    @property
    def says(self) -> str:
        return self.host.locator(".live-says").inner_text()

    def table(self) -> dict[str, list[float]]:
        """The displayed numbers by row name."""
        plain = [[cell.replace("−", "-").rstrip("°") for _, cell in row] for row in self.cells()]
        return {
            row[0].replace("\n", ""): [float(c) for c in row[1:] if is_number(c)] for row in plain if is_number(row[1])
        }

    def cells(self) -> list[list[tuple[str, str]]]:
        """The tags and texts of the table's cells, row by row."""
        found: list[list[tuple[str, str]]] = self.host.locator(".live-reading tr").evaluate_all(CELLS)
        return found

    def rows(self) -> list[list[float]]:
        """The numbers of the table, row by row."""
        texts = [[cell for kind, cell in row if kind == "TD"] for row in self.cells()]
        return [[float(cell.replace("−", "-")) for cell in row] for row in texts if row and is_number(row[0])]

    @contextmanager
    def on_a_phone(self) -> Iterator[CDPSession]:
        """Give the page the size of a phone, and touch input."""
        device = self.context.new_cdp_session(self.page)
        device.send("Emulation.setDeviceMetricsOverride", {**PHONE, "deviceScaleFactor": COARSE, "mobile": True})
        device.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
        self.see()
        yield device
        device.send("Emulation.setTouchEmulationEnabled", {"enabled": False})
        device.send("Emulation.setDeviceMetricsOverride", {**DESKTOP, "deviceScaleFactor": COARSE, "mobile": False})
        self.see()


def is_number(text: str) -> bool:
    try:
        return np.isfinite(float(text))
    except ValueError:
        return False


@lru_cache
def in_python(name: str) -> Any:
    """A figure in Python whose values are then set."""
    return getattr(live, name)()


def told_to(figure: Figure, python: Any) -> Any:
    """Set a figure in Python to the values of the page's controls, by label."""
    by_control = figure.host.locator("[data-name]").evaluate_all(HELD)
    for control in python.controls:
        value = by_control[control.name]
        setattr(python, control.name, value if isinstance(control, Choice | Switch) else float(value))
    return python


def chosen(figure: Figure, words: str, label: str) -> None:
    figure.host.locator(".live-choice", has_text=words).locator("select").select_option(label=label)
    figure.settle()


def check_facts(figure: Figure, python: live.LiveFigure) -> None:
    """Check that the page's facts are Python's, at the rounded numbers in the page's boxes."""
    shown = figure.host.evaluate("host => host.live.facts()")
    for name, value in python.values.items():
        if name in shown:
            assert shown[name] == pytest.approx(value, abs=1e-4)
            setattr(python, name, shown[name])
    expected = python.facts
    assert shown.keys() == expected.keys()
    assert max(abs(shown[name] - value) for name, value in expected.items()) < 1e-6
