"""The base of the explorers: controls repaint one image, and a page without a kernel keeps a still picture."""

import base64
from io import BytesIO

import ipywidgets as widgets
import nbformat
import numpy as np
import pytest
from nbclient import NotebookClient
from PIL import Image

from lessons_lib.widgets import Explorer

PNG = b"\x89PNG\r\n\x1a\n"


class Wheel(Explorer):
    """A spoke that turns."""

    def __init__(self) -> None:
        self.angle = widgets.FloatSlider(description="angle [rad]", min=0.0, max=6.3)
        self.length = widgets.FloatSlider(description="length", min=0.0, max=1.0, value=1.0)
        self.paintings = 0
        super().__init__([widgets.HBox([widgets.HTML("a wheel"), self.angle]), self.length], size=(3.0, 3.0))
        ax = self.figure.add_subplot(xlim=(-1, 1), ylim=(-1, 1))
        (self.spoke,) = ax.plot([], [])
        self.redraw()

    def paint(self) -> None:
        self.paintings += 1
        tip = self.length.value * np.array([np.cos(self.angle.value), np.sin(self.angle.value)])
        self.spoke.set_data([0.0, tip[0]], [0.0, tip[1]])


def size_of(png: bytes) -> tuple[int, int]:
    return Image.open(BytesIO(png)).size


def test_a_slider_repaints_the_image() -> None:
    wheel = Wheel()
    before = wheel.image.value
    wheel.angle.value = 1.0
    assert wheel.image.value != before
    assert bytes(wheel.image.value).startswith(PNG)
    assert wheel.spoke.get_xdata()[1] == pytest.approx(np.cos(1.0))


def test_the_same_values_give_the_same_bytes() -> None:
    wheel = Wheel()
    wheel.angle.value = 1.0
    once = wheel.image.value
    wheel.still()  # lays the figure out with its caption, and must leave no trace
    wheel.angle.value = 2.0
    wheel.angle.value = 1.0
    assert wheel.image.value == once


def test_several_changes_repaint_once() -> None:
    wheel = Wheel()
    wheel.paintings = 0
    wheel.change(angle=1.0, length=0.5)
    assert wheel.paintings == 1
    assert wheel.spoke.get_xdata()[1] == pytest.approx(0.5 * np.cos(1.0))


def test_the_controls_are_found_inside_boxes_and_labels_are_not_controls() -> None:
    wheel = Wheel()
    assert wheel.controls == [wheel.angle, wheel.length]


def test_the_still_picture_is_sharper_and_carries_the_caption() -> None:
    wheel = Wheel()
    assert size_of(wheel.image.value) == (300, 300)
    one_line = size_of(wheel.still())
    assert one_line[0] == 432 and 432 + 30 < one_line[1] < 432 + 70  # half an inch of caption at the most
    with_caption = wheel.still()
    wheel.caption = ""  # type: ignore[misc]
    assert wheel.still() != with_caption
    wheel.caption = "a caption of many words " * 6  # type: ignore[misc]
    assert size_of(wheel.still())[1] > one_line[1]  # it is broken into lines


def test_the_bundle_has_a_live_view_a_still_picture_and_a_stable_text() -> None:
    wheel = Wheel()
    bundle = wheel._repr_mimebundle_()
    assert bundle["application/vnd.jupyter.widget-view+json"]["model_id"] == wheel.model_id
    assert base64.b64decode(bundle["image/png"]) == wheel.still()
    assert bundle["text/plain"] == "Wheel()"


def test_an_explorer_without_paint_says_so() -> None:
    with pytest.raises(NotImplementedError, match=r"Explorer has no paint\(\)"):
        Explorer([]).redraw()


def test_a_notebook_that_loses_its_widget_view_keeps_the_picture() -> None:
    code = (
        "import ipywidgets as widgets\n"
        "from lessons_lib.widgets import Explorer\n"
        "class Line(Explorer):\n"
        "    def paint(self):\n"
        "        pass\n"
        "line = Line([widgets.IntSlider()], size=(2, 2))\n"
        "line.redraw()\n"
        "line"
    )
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)])
    NotebookClient(notebook, kernel_name="python3", store_widget_state=False).execute()
    (output,) = notebook.cells[0].outputs
    assert "application/vnd.jupyter.widget-view+json" in output.data
    assert base64.b64decode(output.data["image/png"]).startswith(PNG)
    assert output.data["text/plain"] == "Line()"


def test_a_backdrop_gives_the_same_picture_as_drawing_everything() -> None:
    whole, quick = Wheel(), Wheel()
    quick.moving = [quick.spoke]
    for angle in (1.0, 2.0):
        whole.angle.value = quick.angle.value = angle
        one, two = (np.asarray(Image.open(BytesIO(wheel.image.value))).astype(int) for wheel in (whole, quick))
        differing = (np.abs(one - two).max(axis=2) > 0).mean()
        assert differing < 0.01  # the spoke covers the axes' frame where it meets it; elsewhere nothing differs
