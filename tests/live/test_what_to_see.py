"""The folds below "Move it" agree with the figures."""

from pathlib import Path

import nbformat
import numpy as np
import pytest

from lessons_lib.course import joints_on_line
from lessons_lib.course.live import (
    BallFigure,
    DampingFigure,
    LimitFigure,
    LogarithmFigure,
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


def fold(lesson: str) -> str:
    """The text of a lesson below its figure."""
    (path,) = ROOT.glob(f"notebooks/{lesson}_*.ipynb")
    (said,) = (cell.source for cell in nbformat.read(path, as_version=4).cells if cell.id == f"seen-{lesson}")
    return str(said)


@pytest.mark.parametrize(("azimuth", "elevation"), [(40, 30), (0, 0), (130, -60)])
def test_opposite_points_of_the_wall_meet_at_half_a_turn(azimuth: float, elevation: float) -> None:
    one, other = (LogarithmFigure(turn=180.0, azimuth=azimuth, elevation=elevation), LogarithmFigure(turn=180.0))
    other.azimuth, other.elevation = (azimuth + 360) % 360 - 180, -elevation
    np.testing.assert_allclose(one.rotation, other.rotation, rtol=0, atol=5e-15)
    one.turn = 360.0
    np.testing.assert_allclose(one.rotation, np.eye(3), rtol=0, atol=5e-15)
    assert "From 180° on" in one.answer and "At 360°" in one.answer


def test_the_tips_of_the_panda_meet() -> None:
    joints = [0, -3, 83, -107, 104, 34, 121]
    pair = ModelFigure().pairs["Panda, rows read as standard"]
    arm, misread = (kernel_check.product(chain.screws, chain.home, np.radians(joints)).T for chain in pair)
    assert np.linalg.norm(arm[:3, 3] - misread[:3, 3]) < 0.001
    assert np.trace(arm[:3, :3].T @ misread[:3, :3]) < 1  # turned by more than a right angle
    assert ", ".join(f"{angle}°".replace("-", "−") for angle in joints[:-1]) in fold("05")


def test_a_larger_damping_costs_steps_as_described() -> None:
    solves = {lam: DampingFigure(arm=SPATIAL).solve(lam) for lam in (0.08, 0.1, 0.2, 0.5, 1.0)}
    largest = {lam: np.abs(np.diff(solve.trace.q, axis=0)).max() for lam, solve in solves.items()}
    assert [lam for lam, step in largest.items() if step <= 2 * np.pi] == [0.1, 0.2, 0.5, 1.0]
    steps = [solves[lam].iterations for lam in (0.2, 0.5, 1.0)]
    assert np.all(np.abs(np.array(steps[:2]) - [20, 50]) < 5) and steps[2] > 150
    described = "about 20 steps with λ = 0.2, about 50 with λ = 0.5, and more than 150 with λ = 1."
    assert "λ = 0.1 is enough" in DampingFigure.answer and described in DampingFigure.answer


def test_which_weights_cost_millimetres_and_which_degrees() -> None:
    def left(**weights: float) -> tuple[np.ndarray, np.ndarray]:
        error = WeightFigure(arm=SPATIAL, **weights).error_twist
        return np.degrees(np.abs(error[:3])), 1e3 * np.abs(error[3:])

    angles, distances = left()
    assert angles.max() < 0.5 and round(np.linalg.norm(distances)) == 64
    for name in ("omega_x", "omega_y"):
        tilted, nearer = left(**{name: 0.0})
        assert abs(tilted.max() - 20) < 4
        assert 0 < np.linalg.norm(distances) - np.linalg.norm(nearer) < 10
    assert np.allclose(left(omega_z=0.0)[1], distances, atol=0.1)
    shifted = left(v_x=100.0)[1]
    assert [round(d) for d in distances[[0, 2]]] == [60, 19] and round(shifted[0]) == 6 and shifted[2] > 150
    kept = {tool: round(np.linalg.norm(left(tool=tool)[1])) for tool in TOOLS}
    assert list(kept.values()) == [64, 64, 61, 56, 54]
    assert all(f"{kept[tool]}" in WeightFigure.answer for tool in TOOLS)


def test_the_paths_leave_the_line_as_described() -> None:
    off = {name: 1e3 * path.off.max() for name, path in PathFigure().paths.items()}
    assert [round(off[name]) for name in ("screw", "joints", "decoupled", "alone")] == [261, 137, 0, 0]
    ends = {name: (len(path.q) - 1) / 40 for name, path in PathFigure(dx=-1.6).paths.items()}
    assert (ends["screw"], ends["decoupled"]) == (1 / 2, 7 / 8)
    assert "261 mm" in fold("14") and "137 mm" in fold("14")


def test_a_clipped_motion_goes_for_the_wall_and_another_is_not_held() -> None:
    away, free = LimitFigure(ux=0.5, uy=-0.5), LimitFigure(ux=0.3, uy=-0.2)
    G, h = away.program.rows
    broken = [name for name, over in zip(away.program.names, G @ away.program.clipped - h, strict=True) if over > 1e-9]
    assert broken == ["wall"]
    assert round((away.program.jacobian @ away.program.clipped)[1], 2) == 0.15
    assert free.best is not None and free.program.active(free.best[1]) == []
    assert "(0.5, −0.5)" in fold("16") and "(0.3, −0.2)" in fold("16")


def test_the_wall_of_the_figure_is_that_of_the_lesson() -> None:
    shown = LimitFigure()
    tip = np.sin(np.radians(130)) + np.sin(np.radians(160))
    assert round(1e3 * (shown.wall - tip)) == 50
    (path,) = ROOT.glob("notebooks/16_*.ipynb")
    said = [
        output.get("text", "") for cell in nbformat.read(path, as_version=4).cells for output in cell.get("outputs", [])
    ]
    assert shown.best is not None
    price = dict(zip(shown.program.names, shown.best[1], strict=True))
    for name in ("speed of joint 2 up", "wall"):
        assert any(f"{name:21} multiplier {price[name]:.4f}" in text for text in said)


def test_joint_1_exceeds_its_limit_at_first_and_a_slower_curve_keeps_all_limits() -> None:
    shown = TimingFigure()
    used = shown.largest / [2, 6]
    assert np.unravel_index(used.argmax(), used.shape) == (0, 0) and used.max() > 1
    slower = TimingFigure(v1=1.87, v2=0.79, v3=0.30, v4=0.90, v5=1.87)
    assert (slower.largest <= [2, 6]).all()
    assert f"0.30, 0.90 and 1.87 m/s all limits are kept, and the motion takes {slower.duration:.2f} s" in slower.answer
    fastest = retime(joints_on_line(np.linspace(-1.2, 1.2, 97), 0.2)[0], planar_2r(), velocity=2, acceleration=6)
    assert f"takes {fastest.duration:.1f} s." in TimingFigure.answer


def test_the_arm_stops_at_first_and_a_tight_solver_mends_it() -> None:
    shown = ServoFigure()
    assert 100 < np.abs(shown.run[1]).max() < 1000 and 1e3 * shown.off.max() < 1
    tight, finer = ServoFigure(tolerance="1 nm"), ServoFigure(tolerance="10 µm")
    assert round(np.abs(tight.run[1]).max()) == 6 and np.abs(finer.run[1]).max() > 20
    border = 2 * np.sin(np.pi / 14)
    for said in (
        f"{border:.3f} on",
        f"{border * 1000:.0f} per second",
        f"{border * 50:.0f} at 50 Hz",
        "at most 6 rad/s²",
    ):
        assert said in ServoFigure.answer


def test_the_discs_vanish_at_the_distance_that_is_told() -> None:
    def is_proven(t2: float, off: float) -> bool:
        return BallFigure(t1=30, t2=t2, q1=30, q2=t2 + off).balls()[0].h <= 0.5

    assert is_proven(90, 6) and not is_proven(90, 8) and "beyond about 7°" in BallFigure.answer
    assert is_proven(10, 0.9) and not is_proven(10, 1.6) and "beyond about 1°" in BallFigure.answer
    wide, near = (BallFigure(t1=30, t2=t2, q1=30, q2=t2).balls()[0].alone for t2 in (90, 10))
    assert round(wide / near) == 7 and "a seventh of its size" in BallFigure.answer
