"""The folds below "Move it" and the answers agree with the figures."""

from pathlib import Path

import nbformat
import numpy as np
import pytest

from lessons_lib import course, pose_ik, robots
from lessons_lib.course import joints_on_line
from lessons_lib.course.live import (
    BallFigure,
    DampingFigure,
    LanesFigure,
    LimitFigure,
    ModelFigure,
    PathFigure,
    ServoFigure,
    TimingFigure,
    WeightFigure,
)
from lessons_lib.course.live.arm_data import SPATIAL
from lessons_lib.course.weights.live import TOOLS
from lessons_lib.robots import kernel_check, planar_2r
from lessons_lib.trajectories import retime

ROOT = Path(__file__).resolve().parents[2]


def fold(lesson):
    """The text of a lesson below its figure."""
    (path,) = ROOT.glob(f"notebooks/{lesson}_*.ipynb")
    (said,) = (cell.source for cell in nbformat.read(path, as_version=4).cells if cell.id == f"seen-{lesson}")
    return str(said)


def test_the_tips_of_the_panda_meet():
    joints = [0, -3, 83, -107, 104, 34, 121]
    pair = ModelFigure().pairs["Panda, rows read as standard"]
    arm, misread = (kernel_check.product(chain.screws, chain.home, np.radians(joints)).T for chain in pair)
    assert np.linalg.norm(arm[:3, 3] - misread[:3, 3]) < 0.001
    assert np.trace(arm[:3, :3].T @ misread[:3, :3]) < 1  # turned by more than a right angle
    assert ", ".join(f"{angle}°".replace("-", "−") for angle in joints[:-1]) in fold("05")
    also_turned_alike = np.radians([0, 8, -91, 74, 169, 132, 93])  # beyond the limits of joint 4
    arm, misread = (kernel_check.product(chain.screws, chain.home, also_turned_alike).T for chain in pair)
    assert np.linalg.norm(arm[:3, 3] - misread[:3, 3]) < 0.01
    assert np.trace(arm[:3, :3].T @ misread[:3, :3]) > 1 + 2 * np.cos(np.radians(1))
    assert "usually with different orientations" in ModelFigure.answer


def test_a_larger_damping_costs_steps_as_described():
    solves = {lam: DampingFigure(arm=SPATIAL).solve(lam) for lam in (0.08, 0.1, 0.2, 0.5, 1.0)}
    largest = {lam: np.abs(np.diff(solve.trace.q, axis=0)).max() for lam, solve in solves.items()}
    assert [lam for lam, step in largest.items() if step <= 2 * np.pi] == [0.1, 0.2, 0.5, 1.0]
    steps = [solves[lam].iterations for lam in (0.2, 0.5, 1.0)]
    described = "{} steps with λ = 0.2, {} with λ = 0.5, and {} with λ = 1.".format(*steps)
    assert "λ = 0.1 is enough" in DampingFigure.answer and described in DampingFigure.answer


def test_which_weights_cost_millimetres_and_which_degrees():
    def remaining_errors(**weights):
        error = WeightFigure(arm=SPATIAL, **weights).error_twist
        return np.degrees(np.abs(error[:3])), 1e3 * np.abs(error[3:])

    angles, distances = remaining_errors()
    assert angles.max() < 0.5 and round(np.linalg.norm(distances)) == 64
    for name in ("omega_x", "omega_y"):
        tilted, nearer = remaining_errors(**{name: 0.0})
        assert abs(tilted.max() - 20) < 4
        assert 0 < np.linalg.norm(distances) - np.linalg.norm(nearer) < 10
    assert np.allclose(remaining_errors(omega_z=0.0)[1], distances, atol=0.1)
    shifted = remaining_errors(v_x=100.0)[1]
    assert [round(d) for d in distances[[0, 2]]] == [60, 19] and round(shifted[0]) == 6 and shifted[2] > 150
    kept = {tool: round(np.linalg.norm(remaining_errors(tool=tool)[1])) for tool in TOOLS}
    assert list(kept.values()) == [64, 64, 61, 56, 54]
    assert all(f"{kept[tool]}" in WeightFigure.answer for tool in TOOLS)


def test_weights_make_no_difference_to_a_pose_within_reach():
    within_reach = WeightFigure(x=0, y=0, v_x=0.001), WeightFigure(arm=SPATIAL, ur_x=0.02, ur_y=0.91, ur_z=-0.66)
    assert all(np.abs(figure.error_twist).max() < 1e-3 for figure in within_reach)


def test_the_paths_leave_the_line_as_described():
    off = {name: 1e3 * path.off.max() for name, path in PathFigure().paths.items()}
    assert [round(off[name]) for name in ("screw", "joints", "decoupled", "from home")] == [261, 137, 0, 0]
    ends = {name: (len(path.q) - 1) / 40 for name, path in PathFigure(dx=-1.6).paths.items()}
    assert (ends["screw"], ends["decoupled"]) == (1 / 2, 7 / 8)
    assert "261 mm" in fold("14") and "137 mm" in fold("14")


def test_a_clipped_motion_goes_for_the_wall_and_another_is_not_held():
    away, free = LimitFigure(ux=0.5, uy=-0.5), LimitFigure(ux=0.3, uy=-0.2)
    G, h = away.program.rows
    broken = [name for name, over in zip(away.program.names, G @ away.program.clipped - h, strict=True) if over > 1e-9]
    assert broken == ["wall"]
    assert round((away.program.jacobian @ away.program.clipped)[1], 2) == 0.15
    assert free.best is not None and free.program.active(free.best[1]) == []
    assert "(0.5, −0.5)" in fold("16") and "(0.3, −0.2)" in fold("16")


def test_joint_1_exceeds_its_limit_at_first_and_a_slower_curve_keeps_all_limits(monkeypatch):
    shown = TimingFigure()
    used = shown.largest / [2, 6]
    assert np.unravel_index(used.argmax(), used.shape) == (0, 0) and used.max() > 1
    speeds = {"v1": 1.87, "v2": 0.84, "v3": 0.25, "v4": 0.96, "v5": 1.87}
    slower, steep = TimingFigure(**speeds), TimingFigure(**{**speeds, "v3": 0.05, "v4": 1.05})
    monkeypatch.setattr("lessons_lib.course.retime.live.FINE", 2400)  # also between the samples of the figure
    assert (slower.largest <= [2, 5.5]).all()  # no acceleration limit decides
    said = "{:.2f}, {:.2f}, {:.2f}, {:.2f} and {:.2f} m/s, the motion satisfies all limits and takes {:.2f} s."
    assert said.format(*speeds.values(), slower.duration) in slower.answer
    s, speed, _, acceleration = steep.motion
    _, first, second = joints_on_line(s, steep.d)
    both = 6 * np.abs(first).sum(axis=1) / np.abs(first[:, 1] * second[:, 0] - first[:, 0] * second[:, 1])
    assert (steep.largest[:, 0] <= 2).all() and (speed**2 <= both).all()  # below the borders
    place, joint = np.unravel_index(np.abs(acceleration).argmax(), acceleration.shape)
    assert (round(s[place], 9), joint) == (0, 0) and abs(acceleration[place, joint]) > 6.5
    fastest = retime(joints_on_line(np.linspace(-1.2, 1.2, 97), 0.2)[0], planar_2r(), velocity=2, acceleration=6)
    assert f"takes {fastest.duration:.1f} s;" in TimingFigure.answer


def test_the_arm_stops_at_first_and_a_tight_solver_mends_it():
    shown = ServoFigure()
    assert 100 < np.abs(shown.run[1]).max() < 1000 and 1e3 * shown.off.max() < 1
    tight, finer = ServoFigure(tolerance="1 nm"), ServoFigure(tolerance="10 µm")
    assert round(np.abs(tight.run[1]).max()) == 6 and np.abs(finer.run[1]).max() > 20
    border = 2 * np.sin(np.pi / 14)
    rates = f"{int(border * 500)} per second at 500 Hz", f"{int(border * 50)} at 50 Hz"
    for said in (f"the product is below {border:.3f}", *rates, "about 6 rad/s²"):
        assert said in ServoFigure.answer
    (gain,) = (control for control in shown.controls if control.name == "gain")
    assert border * 500 < gain.high


def test_the_discs_vanish_at_the_distance_that_is_told():
    def is_proven(t2, off):
        return BallFigure(t1=30, t2=t2, q1=30, q2=t2 + off).balls()[0].h <= 0.5

    assert is_proven(90, 6) and not is_proven(90, 8) and "at a distance of 5.7° to 6.9°" in BallFigure.answer
    assert is_proven(10, 0.9) and not is_proven(10, 1.6) and "they disappear at 0.7° to 1.1°" in BallFigure.answer
    wide, near = (BallFigure(t1=30, t2=t2, q1=30, q2=t2).balls()[0].alone for t2 in (90, 10))
    assert round(wide / near) == 7 and "about one seventh as large" in BallFigure.answer


def test_the_solutions_reach_their_positions_within_the_tolerance():
    figure = ServoFigure(tolerance="10 µm")
    found = robots.planar_2r().forward_kinematics(figure.answers)[:, :2, 3]
    assert np.linalg.norm(found - figure.places, axis=1).max() <= 1e-5


def rest(**values):
    """Return the error of the hand in the last tenth of a second, after the motion, m."""
    figure = ServoFigure(tolerance="1 nm", bits=24, **values)
    return figure.off[-round(0.1 * figure.rate) :]


def test_below_the_bound_a_loop_comes_to_rest_and_above_it_swings():
    for delay in (1, 2, 5):  # at 200 Hz the bounds are gains of 200, 124 and 57
        bound = 2 * np.sin(np.pi / (4 * delay + 2)) * 200
        assert rest(rate=200, delay=delay, gain=round(0.9 * bound)).max() < 1e-3
        assert rest(rate=200, delay=delay, gain=round(1.1 * bound)).max() > 1e-2
    assert rest(delay=3, rate=50, gain=21).max() < rest(delay=3, rate=50, gain=24).max()


@pytest.fixture(scope="module")
def figure():
    return LanesFigure()


def test_a_batch_with_as_many_starts_draws_the_same_map(figure):
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


@pytest.mark.parametrize("refill", [True, False])
@pytest.mark.parametrize(("lanes", "cores"), [(8, 1), (3, 1), (1, 1), (8, 4), (2, 7)])
def test_no_lane_does_two_poses_at_a_time_and_a_refilled_one_never_waits(figure, lanes, cores, refill):
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
    figure.lanes, figure.refill = 4.0, True


def test_the_answer_agrees_with_the_counts(figure):
    one, four, law = figure.time(1), figure.time(4), float(course.speed_up(figure.serial, 4))  # as the figure opens
    counts = {}
    for most in (1, 2, 3, 8):
        figure.most = float(most)
        counts[most] = int(figure.reached.sum())
    vain = figure.steps[figure.reached == 0].sum() / figure.steps.sum()
    figure.most = 4.0
    assert counts[2] < counts[3] == counts[8]
    solved = (
        f"one start the arm reaches {counts[1]} of {len(figure.steps)} poses, and with three it reaches {counts[3]}."
    )
    assert solved in figure.answer
    assert f"take {100 * vain:.0f} % of all steps" in figure.answer
    assert f"{one / four:.2f} times as fast as one, whereas Amdahl's law predicts {law:.2f}." in figure.answer
