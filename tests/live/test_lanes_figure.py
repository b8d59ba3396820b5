"""The schedule of the lanes: every pose is done once, no lane does two at a time, the page counts as Python does."""

import numpy as np
import pytest
from node import in_front

from lessons_lib import course, pose_ik, robots
from lessons_lib.live import LanesFigure
from lessons_lib.live.lane_schedule import fill_lanes

CASES = 200

PROGRAM = """
import { loadKernels } from "front/kernels";
const kernels = loadKernels(told.source);
return told.cases.map(({ steps, width, refill }) => {
  const [begins, lanes] = [steps.map(() => 0), steps.map(() => 0)];
  const end = kernels.fill_lanes(steps, 0, steps.length, width, refill, Array(width).fill(0), begins, lanes);
  return { begins, lanes, end };
});
"""


@pytest.fixture(scope="module")
def figure() -> LanesFigure:
    return LanesFigure()


def test_the_steps_are_those_of_the_batch_of_the_lesson(figure: LanesFigure) -> None:
    arm, rng = robots.ur10(), np.random.default_rng(19)
    q_d, q_0 = (np.array([arm.random_configuration(rng) for _ in range(2000)]) for _ in range(2))
    targets = np.array([arm.forward_kinematics(q) for q in q_d[:200]])
    found = pose_ik.solve_batch(arm, targets, q_0[:200])
    first = found.iterations[found.converged & (found.restarts == 0)][:64]
    assert np.sum(figure.steps == first) >= 62  # a last bit may decide whether another step is needed


@pytest.mark.parametrize("refill", [True, False])
@pytest.mark.parametrize(("lanes", "cores"), [(8, 1), (3, 1), (1, 1), (8, 4), (2, 7)])
def test_no_lane_does_two_poses_at_a_time_and_a_refilled_one_never_waits(
    figure: LanesFigure, lanes: int, cores: int, refill: bool
) -> None:
    figure.lanes, figure.refill = float(lanes), refill
    found, steps = figure.schedule(cores), figure.steps
    ends = found.begins + steps
    assert found.ticks == ends.max()
    for lane in range(lanes * cores):
        own = np.flatnonzero(found.lanes == lane)
        assert (np.diff(own) > 0).all()
        gaps = found.begins[own[1:]] - ends[own[:-1]]
        assert (gaps == 0.0).all() if refill else (gaps >= 0.0).all()
    assert set(found.lanes) <= set(range(lanes * cores))
    if not refill and cores == 1:
        groups = [slice(k, k + lanes) for k in range(0, len(steps), lanes)]
        assert found.ticks == sum(steps[group].max() for group in groups)
    assert figure.busy(cores) <= 1.0
    figure.lanes, figure.refill = 8.0, True


def test_the_answer_says_what_is_counted(figure: LanesFigure) -> None:
    one, four, law = figure.time(1), figure.time(4), float(course.speed_up(figure.serial, 4))  # as the figure opens
    figure.serial = 0.0
    nothing_serial = figure.time(1) / figure.time(4)
    figure.lanes = 2.0
    fewer = figure.time(1) / figure.time(4)
    told = f"{len(figure.steps)} poses take {one:.1f} ticks on one core and {four:.1f} on four: {one / four:.2f} times"
    assert figure.answer.startswith(told)
    assert f"the law says {law:.2f}." in figure.answer
    assert f"with s = 0 it is {nothing_serial:.2f}," in figure.answer
    assert figure.answer.endswith(f"and it is {fewer:.2f}.")
    figure.lanes, figure.serial = 8.0, 0.05


def test_the_page_counts_as_python_does(figure: LanesFigure) -> None:
    rng, cases = np.random.default_rng(71), []
    for _ in range(CASES):
        steps = rng.integers(1, 30, int(rng.integers(1, 80))).tolist()
        cases.append({"steps": steps, "width": int(rng.integers(1, 9)), "refill": bool(rng.integers(2))})
    found = in_front(PROGRAM, {"source": figure.specification["source"], "cases": cases})
    for case, one in zip(cases, found, strict=True):
        steps, width = np.array(case["steps"], dtype=float), case["width"]
        begins, lanes = np.zeros(len(steps)), np.zeros(len(steps), dtype=np.intp)
        end = fill_lanes(steps, 0, len(steps), width, case["refill"], np.zeros(width), begins, lanes)
        assert (one["begins"], one["lanes"], one["end"]) == (begins.tolist(), lanes.tolist(), end)


def test_what_was_measured_is_kept(figure: LanesFigure) -> None:
    one = LanesFigure({1: 1.0, 2: 1.7}, cores=2.0)
    assert one.arguments["measured"] == [[1, 1.0], [2, 1.7]]
    assert LanesFigure(**one.arguments).measured == one.measured == {1: 1.0, 2: 1.7}
    assert figure.measured == {}
