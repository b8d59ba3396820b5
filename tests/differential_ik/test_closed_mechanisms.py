"""Closed mechanisms by constraints: a four-bar linkage with its closed form."""

import numpy as np
import pytest

from lessons_lib import differential_ik as dik
from lessons_lib import robots

CRANK, COUPLER, ROCKER, GROUND = 0.10, 0.25, 0.20, 0.30  # m; by Grashof's rule the crank revolves


def mechanism(*joints):
    """Return a planar tree of joints about z: name of the link, its parent, and the joint's place there."""
    links = "".join(f'<link name="{name}"/>' for name in ["ground", *(name for name, *_ in joints)])
    text = "".join(
        f'<joint name="{name}_joint" type="continuous"><parent link="{parent}"/><child link="{name}"/>'
        f'<origin xyz="{x} {y} 0"/><axis xyz="0 0 1"/></joint>'
        for name, parent, x, y in joints
    )
    return robots.load_urdf(f'<robot name="planar">{links}{text}</robot>')


def four_bar(*q):
    """Return the open tree (crank, coupler, rocker), and the constraint that closes it."""
    tree = mechanism(("crank", "ground", 0, 0), ("coupler", "crank", CRANK, 0), ("rocker", "ground", GROUND, 0))
    assert tree.q_names == ("crank_joint", "coupler_joint", "rocker_joint")
    closed = dik.PointTask("coupler", "rocker", point=[COUPLER, 0, 0])
    closed.set_target([ROCKER, 0, 0])
    return dik.Configuration(tree, q), closed


def rocker_angles(crank):
    """Return the two angles of the rocker: where the circles of coupler and rocker meet."""
    A = CRANK * np.array([np.cos(crank), np.sin(crank)])
    to = np.array([GROUND, 0.0]) - A
    distance = np.linalg.norm(to)
    along = (distance**2 + COUPLER**2 - ROCKER**2) / (2 * distance)
    unit, across = to / distance, np.sqrt(COUPLER**2 - along**2)
    tips = [A + along * unit + side * across * np.array([-unit[1], unit[0]]) for side in (1, -1)]
    return np.array([np.arctan2(tip[1], tip[0] - GROUND) for tip in tips])


def drive(angle):
    """Return the task that brings the crank to an angle."""
    task = dik.PostureTask([1.0, 0.0, 0.0])
    task.set_target([angle, 0.0, 0.0])
    return task


def assemble(at, *constraints):
    """Iterate until the constraints are met to rounding."""
    for _ in range(30):
        at.integrate_inplace(dik.solve_ik(at, [], 1.0, constraints=constraints, damping=1.0), 1.0)
    assert max(np.abs(dik_error(task, at)).max() for task in constraints) < 1e-14


def dik_error(task, at):
    """Return the error of the rows that count."""
    e = task.compute_error(at)
    return e[np.broadcast_to(task.cost, e.shape) > 0.0]


@pytest.mark.parametrize("q", [(0.3, 0.5, 1.5), (2.0, -1.0, 1.8), (4.0, -3.0, 2.5), (5.5, 2.0, -2.0)])
def test_an_open_four_bar_is_assembled_as_its_closed_form_says(q):
    at, closed = four_bar(*q)
    assemble(at, closed, drive(q[0]))
    off = np.remainder(at.q[2] - rocker_angles(q[0]) + np.pi, 2 * np.pi) - np.pi
    assert np.abs(off).min() < 1e-13


def test_a_four_bar_does_not_drift_in_1000_steps():
    """The error of a step is that of linearization, at most ½ Σ length·(change of angle)²; errors do not accumulate."""
    at, closed = four_bar(0.0, 0.8, 1.8)
    assemble(at, closed, drive(0.0))
    start, gaps = at.q[2], []
    for k in range(1, 1001):
        before = at.q
        at.integrate_inplace(dik.solve_ik(at, [drive(4 * np.pi * k / 1000)], 1.0, constraints=[closed]), 1.0)
        crank, coupler, rocker = at.q - before
        gaps.append(float(np.linalg.norm(closed.compute_error(at))))
        assert gaps[-1] < 0.525 * (CRANK * crank**2 + COUPLER * (crank + coupler) ** 2 + ROCKER * rocker**2)
    assert max(gaps[500:]) < 1.01 * max(gaps[:500]) and max(gaps) < 5e-5
    assert at.q[0] == pytest.approx(4 * np.pi, abs=1e-9) and at.q[2] == pytest.approx(start, abs=1e-3)


def test_a_bar_too_short_for_its_loop_is_named():
    """Ground and rocker in line do not reach the tip of the crank; the error names the constraint."""
    tree = mechanism(("crank", "ground", 0, 0), ("rocker", "ground", GROUND, 0))
    loop = dik.PointTask("crank", "rocker", point=[CRANK, 0, 0])
    loop.set_target([-0.1, 0, 0])  # 0.1 + 0.1 < 0.3
    with pytest.raises(dik.NoSolutionFound, match="no step meets all constraints: .* of PointTask.*, by 0.1") as caught:
        dik.solve_ik(dik.Configuration(tree), [], 1.0, constraints=[loop])
    assert caught.value.contradiction == (loop,)
