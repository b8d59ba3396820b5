"""A block diagram has its boxes, its wires and their names where they were asked for."""

import pytest
from matplotlib.figure import Figure

from lessons_lib import plots
from lessons_lib.errors import ParameterError
from lessons_lib.plots.loop_diagram import HEIGHT, WIDTH

BOXES = {"source": (0.0, 0.0), "sink": (3.0, 1.0)}
WIRE = [(0.65, 0.0), (3.0, 0.0), (3.0, 0.69)]


def test_boxes_stand_around_their_middles_with_their_names() -> None:
    ax = Figure().add_subplot()
    boxes, _ = plots.draw_diagram(ax, BOXES, [])
    for box, middle in zip(boxes, BOXES.values(), strict=True):
        around = box.get_bbox()
        assert ((around.x0 + around.x1) / 2, (around.y0 + around.y1) / 2) == pytest.approx(middle)
        assert (around.width, around.height) == pytest.approx((WIDTH, HEIGHT))
    assert [text.get_text() for text in ax.texts] == list(BOXES)


def test_wires_follow_their_corners_and_end_in_an_arrow() -> None:
    ax = Figure().add_subplot()
    _, (line,) = plots.draw_diagram(ax, BOXES, [(WIRE, "q")])
    assert [tuple(point) for point in line.get_xydata()] == WIRE
    arrow = next(text for text in ax.texts if getattr(text, "arrow_patch", None) is not None)
    assert tuple(arrow.xy) == WIRE[-1] and tuple(arrow.xyann) == WIRE[-2]
    (name,) = [text for text in ax.texts if text.get_text() == "q"]
    assert tuple(name.xy) == (pytest.approx((0.65 + 3.0) / 2), 0.0)  # above the stretch that lies flat


def test_a_wire_without_a_name_gets_none() -> None:
    ax = Figure().add_subplot()
    plots.draw_diagram(ax, BOXES, [(WIRE, "")])
    assert [text.get_text() for text in ax.texts if text.get_text()] == list(BOXES)


@pytest.mark.parametrize("corners", [[(0.0, 0.0)], [(0, 0, 0), (1, 1, 1)], [1.0, 2.0]])
def test_a_wire_that_leads_nowhere_is_refused(corners) -> None:
    with pytest.raises(ParameterError, match="wire 'q' needs two corners"):
        plots.draw_diagram(Figure().add_subplot(), BOXES, [(corners, "q")])
