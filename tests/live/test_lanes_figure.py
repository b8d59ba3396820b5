"""The schedule of the lanes: every pose is done once, no lane does two at a time, page and Python agree."""

import numpy as np
import pytest
from node import in_front

from lessons_lib import course, pose_ik, robots
from lessons_lib.course.live import LanesFigure
from lessons_lib.course.scaling.lane_schedule import fill_lanes

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
    return LanesFigure(lanes=8)


def test_a_batch_with_as_many_starts_draws_the_same_map(figure: LanesFigure) -> None:
    arm, target = robots.ur10(), np.diag([1.0, -1.0, -1.0, 1.0])
    targets = np.tile(target, (len(figure.reached), 1, 1))
    targets[:, [0, 2], 3] = figure.specification["data"]["places"]
    reached = pose_ik.solve_batch(arm, targets, starts=pose_ik.Restarts(20)).converged
    figure.most = 8.0
    np.testing.assert_array_equal(figure.reached, reached)
    shoulder, reach = 0.1273, 0.612 + 0.5723 + 0.1157  # m: links, and the last joints' offset
    far = np.linalg.norm(targets[:, :3, 3] - [0, 0, shoulder], axis=1) > reach + 0.1639 + 0.0922
    assert far.any() and not figure.reached[far].any()
    figure.most = 4.0


def test_a_pose_has_starts_until_one_reaches_it(figure: LanesFigure) -> None:
    steps, found = [], []
    for most in range(1, 9):
        figure.most = float(most)
        steps.append(figure.steps)
        found.append(figure.reached)
    figure.most = 4.0
    grown = np.diff(steps, axis=0)
    assert (np.diff(found, axis=0) >= 0).all()  # what is reached stays so
    assert (grown[np.array(found[:-1]) == 1] == 0).all() and (grown >= 0).all()  # and takes no more


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


def test_the_answer_agrees_with_the_counts(figure: LanesFigure) -> None:
    one, four, law = figure.time(1), figure.time(4), float(course.speed_up(figure.serial, 4))  # as the figure opens
    counts = {}
    for most in (1, 2, 3, 8):
        figure.most = float(most)
        counts[most] = int(figure.reached.sum())
    vain = figure.steps[figure.reached == 0].sum() / figure.steps.sum()
    figure.most = 4.0
    assert counts[2] < counts[3] == counts[8]
    assert f"One start reaches {counts[1]} of {len(figure.steps)} poses, three reach {counts[3]}" in figure.answer
    assert f"take {100 * vain:.0f} % of all steps" in figure.answer
    assert f"four cores are {one / four:.2f} times as fast as one, where Amdahl's law says {law:.2f}." in figure.answer


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


def test_measurements_are_kept(figure: LanesFigure) -> None:
    one = LanesFigure({1: 1.0, 2: 1.7}, cores=2.0)
    assert one.arguments["measured"] == [[1, 1.0], [2, 1.7]]
    assert LanesFigure(**one.arguments).measured == one.measured == {1: 1.0, 2: 1.7}
    assert figure.measured == {}
