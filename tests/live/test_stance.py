"""The page's stance, under Node, agrees with `stand_at`; and the answer of the figure of lesson 18 is right."""

from pathlib import Path
from typing import Any

import nbformat
import numpy as np
import pytest
from node import FRONT, in_front

from lessons_lib.course.floating_base import standing
from lessons_lib.course.floating_base.live import NONE
from lessons_lib.course.live import HandsFigure, StanceFigure
from lessons_lib.course.live.figure import from_reference
from lessons_lib.course.live.saved import REFERENCE

SAME = 1e-9
PROGRAM = """
import { loadKernels } from "front/kernels";
import { stand } from "course/floating_base/stance";
const kernels = loadKernels(told.specification.source);
return told.cases.map(([place, lifted]) => {
  const { T } = kernels.pose_kernel(place);
  return [T, stand(kernels, told.specification.data, T, lifted)];
});
"""


def in_the_page(cases: list[Any]) -> list[Any]:
    """Return the pose of the trunk and the configuration, for each (place, lifted leg or −1)."""
    return in_front(PROGRAM, {"specification": StanceFigure().specification, "cases": cases})


def test_the_page_has_the_stance_of_stand_at_within_and_out_of_reach() -> None:
    rng, figure, cases, expected = np.random.default_rng(61), StanceFigure(), [], []
    for k in range(60):
        part = 0.4 if k < 30 else 1.0  # of the way from the start to an end: all is within reach, or not
        for control in figure.controls[:6]:
            end = float(rng.uniform(control.low, control.high))  # type: ignore[union-attr]
            setattr(figure, control.name, control.start + part * (end - control.start))  # type: ignore[operator]
        lifted = k % 6 - 1 if k % 6 < 5 else -1
        figure.lifted = NONE if lifted < 0 else standing.LEGS[lifted].replace("_", " ")
        stance, place = figure.stance, [figure.forward, figure.left, figure.height]
        cases.append([[*place, *np.radians([figure.roll, figure.pitch, figure.yaw])], lifted])
        expected.append((figure.pose, stance.q, max(stance.short_of)))
    for (pose, q), (wanted, own, _) in zip(in_the_page(cases), expected, strict=True):
        np.testing.assert_allclose(pose, wanted, atol=1e-15)
        np.testing.assert_allclose(q, own, atol=SAME, rtol=0)
    assert sum(short > 1e-3 for *_, short in expected) > 10 > sum(short > 1e-3 for *_, short in expected[:30])


def test_the_lesson_opens_where_its_question_holds() -> None:
    """With a lifted hind foot the robot falls at the figure's initial state; with a front foot it does not."""
    (path,) = (Path(__file__).resolve().parents[2] / "notebooks").glob("18_*.ipynb")
    outputs = [output for cell in nbformat.read(path, as_version=4).cells for output in cell.get("outputs", [])]
    (reference,) = [output["data"][REFERENCE] for output in outputs if REFERENCE in output.get("data", {})]
    for leg in standing.LEGS:
        opened = from_reference({**reference, "arguments": {**reference["arguments"], "lifted": leg.replace("_", " ")}})
        assert isinstance(opened, StanceFigure)
        assert (opened.stance.margin < 0.0) is leg.startswith("rear")
    straight, turned = StanceFigure(height=0.12), StanceFigure(height=0.12, left=0.05, yaw=20)
    assert max(straight.stance.short_of) < 1e-3 < max(turned.stance.short_of)
    assert turned.stance.q[2] > straight.stance.q[2] + 0.01


def test_a_lifted_hind_foot_is_a_fall_until_the_trunk_goes_over_the_other_three() -> None:
    assert StanceFigure(lifted="rear left").stance.margin < 0.0
    assert StanceFigure(lifted="rear left", forward=0.05, left=-0.03).stance.margin > 0.0
    assert StanceFigure(lifted="rear right", forward=0.05, left=0.03).stance.margin > 0.0
    assert StanceFigure(lifted="rear right", forward=0.05, left=-0.03).stance.margin < 0.0


@pytest.mark.parametrize(("height", "arrives"), [(0.11, True), (0.1, False)])
def test_the_knees_end_the_way_down(height: float, arrives: bool) -> None:
    figure = StanceFigure(height=height)
    assert (max(figure.stance.short_of) < 1e-3) is arrives
    assert np.sort(figure.room)[:4] == pytest.approx(figure.room[2::3])  # the four knees are the nearest to an end
    assert figure.room.min() < 5.0


def test_every_part_of_a_body_has_a_colour_of_the_style_sheet_and_a_pose_from_the_kernel() -> None:
    style = (FRONT / "style.css").read_text("utf8")
    for figure in (HandsFigure(), StanceFigure()):
        for part in figure.specification["data"]["tree"]["parts"]:
            assert style.count(f"--live-{part['colour']}:") == 2, "one for light and one for dark"
            assert f"const T_{part['frame']} = " in figure.specification["source"]
