"""Barriers: comparison with Pink."""

import numpy as np
import pink.barriers
import pytest
from pink_robots import robot

from lessons_lib import differential_ik as dik

ROBOTS = ("UR10", "Tiago", "Go2", "TALOS")
PROGRAM = 1e-9  # as in test_against_pink.py


@pytest.mark.parametrize("name", ROBOTS)
@pytest.mark.parametrize("safe", [0.0, 3.0])
@pytest.mark.parametrize("kind", ["walls", "one wall", "balls"])
def test_rows_and_objective_match_pink(name: str, safe: float, kind: str) -> None:
    pair, rng, dt = robot(name), np.random.default_rng(1), 5e-3
    ours_at, theirs_at = pair.both(pair.inside(rng))
    (frame, other), gain = pair.frames(rng, 2), float(rng.uniform(1.0, 20.0))
    low, high = rng.uniform(-2.0, -1.0, 3), rng.uniform(1.0, 2.0, 3)
    if kind == "walls":
        gains = rng.uniform(1.0, 20.0, 3)
        arguments = {"frame": frame, "p_min": low, "p_max": high, "gain": gains, "safe_displacement_gain": safe}
        ours, theirs = dik.PositionBarrier(**arguments), pink.barriers.PositionBarrier(**arguments)  # type: ignore[arg-type]
    elif kind == "one wall":
        arguments = {"frame": frame, "indices": [1], "p_max": high[1:2], "safe_displacement_gain": safe}
        ours, theirs = dik.PositionBarrier(**arguments), pink.barriers.PositionBarrier(**arguments)  # type: ignore[arg-type]
    else:
        arguments = {"frames": (frame, other), "d_min": 0.1, "gain": gain, "safe_displacement_gain": safe}
        ours, theirs = dik.BodySphericalBarrier(**arguments), pink.barriers.BodySphericalBarrier(**arguments)  # type: ignore[arg-type]
    G, h = theirs.compute_qp_inequalities(theirs_at, dt)
    our_G, our_h = ours.compute_qp_inequalities(ours_at, dt)
    assert np.abs(our_G - np.atleast_2d(G)[:, pair.order]).max() < PROGRAM * max(1.0, np.abs(G).max())
    assert np.abs(our_h - h).max() < PROGRAM * max(1.0, np.abs(h).max())
    H, c = theirs.compute_qp_objective(theirs_at)
    our_H, our_c = ours.compute_qp_objective(ours_at)
    assert np.abs(our_H - H).max() < PROGRAM * max(1.0, np.abs(H).max())
    assert np.abs(our_c - c).max() == 0.0


@pytest.mark.parametrize("name", ROBOTS)
def test_velocities_match_pink(name: str) -> None:
    pair, rng, dt = robot(name), np.random.default_rng(2), 5e-3
    for _ in range(5):
        ours_at, theirs_at = pair.both(pair.inside(rng))
        frame, other = pair.frames(rng, 2)
        while np.linalg.norm(dik.BodySphericalBarrier((frame, other), 0.0).compute_jacobian(ours_at)) < 1e-3:
            frame, other = pair.frames(rng, 2)  # the distance of two frames on one axis is constant
        position = ours_at.get_transform_frame_to_world(frame)[:3, 3]
        walls = {"p_min": position - 0.01, "p_max": position + 0.02, "gain": 5.0}
        balls = {"d_min": 0.02, "gain": 2.0}
        posture, theirs = dik.PostureTask(1.0), pink.tasks.PostureTask(1.0)
        target = pair.tree.random_configuration(rng)
        posture.set_target(target)
        theirs.set_target(pair.q(target))
        ours_barriers = [dik.PositionBarrier(frame, **walls), dik.BodySphericalBarrier((frame, other), **balls)]  # type: ignore[arg-type]
        barriers = [
            pink.barriers.PositionBarrier(frame, **walls),  # type: ignore[arg-type]
            pink.barriers.BodySphericalBarrier((frame, other), **balls),  # type: ignore[arg-type]
        ]
        v = dik.solve_ik(ours_at, [posture], dt, damping=1e-6, barriers=ours_barriers)
        expected = pink.solve_ik(theirs_at, [theirs], dt, solver="daqp", damping=1e-6, barriers=barriers)[pair.order]
        assert np.linalg.norm(v - expected) <= 1e-6 * np.linalg.norm(expected)


def test_a_barrier_of_two_frames_at_a_constant_distance_has_no_effect() -> None:
    """Pink divides by the square of a Jacobian that is rounding, which stops the whole robot."""
    pair = robot("UR10")
    ours_at, theirs_at = pair.both(np.array([0.3, -1.2, 1.5, -0.6, 1.1, 0.4]))
    ours, theirs = dik.PostureTask(1.0), pink.tasks.PostureTask(1.0)
    for task in (ours, theirs):
        task.set_target(np.zeros(6))
    frames = ("wrist_3_link", "tool0")
    barriers = [dik.BodySphericalBarrier(frames, 0.0)]
    v = dik.solve_ik(ours_at, [ours], 5e-3, barriers=barriers)
    assert np.array_equal(v, dik.solve_ik(ours_at, [ours], 5e-3))
    barriers = [pink.barriers.BodySphericalBarrier(frames, 0.0)]
    stopped = pink.solve_ik(theirs_at, [theirs], 5e-3, solver="daqp", barriers=barriers)
    assert np.linalg.norm(stopped) < 1e-9 < np.linalg.norm(v)
