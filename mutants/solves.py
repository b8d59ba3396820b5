"""A fixed set of solves, by what the library offers to everybody: when a derivation changes, their numbers must.

Two stages. "plain" runs all that is generated, loops over lanes too, as plain Python: the same text, without a compiler
that takes twenty seconds for it. "compiled" is the default solver in machine code: the way there has to be right, too.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from lessons_lib.arrays import Array


STAGES = ("plain", "compiled")
SAME = 1e-12
"""Largest difference, in rad, m and their rates, between numbers that are the same."""

_URDF = """<robot name="arm"><link name="base"/><link name="upper"/><link name="tip"/>
<joint name="turn" type="revolute"><parent link="base"/><child link="upper"/><origin xyz="0 0.1 0.2" rpy="0.1 0 0.3"/>
<axis xyz="0 0 1"/><limit lower="-3" upper="3" velocity="2" effort="1"/></joint>
<joint name="slide" type="prismatic"><parent link="upper"/><child link="tip"/><origin xyz="0.4 0 0" rpy="0 0.5 0"/>
<axis xyz="1 0 0"/><limit lower="-1" upper="1" velocity="1" effort="1"/></joint></robot>"""


def numbers(stage: str) -> Iterator[Array]:
    """Run a stage, and yield its numbers: of each solve the way that it took, and of each step its rates.

    Args:
        stage: One of `STAGES`. For "plain", Numba must have been told to compile nothing.

    Raises:
        LessonsError: A check refuses what was derived.
    """
    from lessons_lib import robots

    if stage == "compiled":
        yield from _ends(robots.planar_2r())
        return
    hinges, skew = robots.planar_2r(), arm()
    yield from _ways(skew, compiled=False)
    yield from _rates()
    yield from _ends(skew)
    yield from _ways(hinges, compiled=False)
    yield from _ends(hinges)
    yield from _ways(skew, compiled=True)


def arm() -> Any:
    """Return an arm with a hinge, a slide and a helical joint, on skew axes."""
    from lessons_lib import robots

    helix = np.array([0.0, 0.6, 0.8])
    screws = np.zeros((6, 3))
    screws[:, 0] = [0, 0, 1, 0, 0, 0]
    screws[3:, 1] = [0.6, 0, 0.8]
    screws[:, 2] = [*helix, *(np.cross([0.3, 0.1, 0.4], helix) + 0.1 * helix)]
    home = np.eye(4)
    home[:3, 3] = [0.5, 0.2, 0.4]
    return robots.from_screws(screws, home, name="hinge, slide, helix")


def _problem(chain: Any) -> tuple[Array, Array]:
    """Return a target and a start from which a few steps lead to it."""
    goal = np.linspace(0.7, 0.3, chain.dof)
    return chain.forward_kinematics(goal), goal + np.linspace(-0.4, 0.3, chain.dof)


def _methods() -> list[Any]:
    from lessons_lib import pose_ik

    lm, constant = pose_ik.LevenbergMarquardt, pose_ik.Constant(0.125)
    return [
        pose_ik.NewtonRaphson("body"),
        pose_ik.NewtonRaphson("space"),
        lm(constant, derivative="exact"),
        lm(constant, frame="space"),
        lm(constant, weights=(0, 0, 0, 1, 1, 0), frame="target"),
        lm(constant, weights=(1, 1, 0, 1, 1, 1), frame="space"),
        lm(constant, weights=(0, 0, 0, 1, 1, 0)),
    ]


def _ways(chain: Any, compiled: bool) -> Iterator[Array]:
    """Yield the iterates of each method, and where it ends."""
    from lessons_lib import pose_ik

    (target, start), stop = _problem(chain), pose_ik.Stop(max_iterations=5, restarts=0)
    for method in _methods():
        result = pose_ik.solve(chain, target, start, method=method, stop=stop, trace=True, compiled=compiled)
        assert result.trace is not None
        yield from (result.trace.q, result.q)


def _rates() -> Iterator[Array]:
    """Yield the velocities of solve_ik for tasks of every kind that is derived, along a short way."""
    from lessons_lib import differential_ik as dik
    from lessons_lib import robots

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "arm.urdf"
        path.write_text(_URDF, encoding="utf-8")
        tree = robots.load_urdf(path)
    at, ahead = dik.Configuration(tree, [0.3, 0.2]), dik.Configuration(tree, [0.9, -0.1])
    hand = dik.FrameTask("tip", position_cost=1.0, orientation_cost=0.5)
    hand.set_target(ahead.get_transform_frame_to_world("tip"))
    posture = dik.PostureTask(cost=0.1)
    posture.set_target([0.0, 0.1])
    for _ in range(3):
        rates = dik.solve_ik(at, [hand, posture], dt=0.1)
        yield rates
        at.integrate_inplace(rates, 0.1)


def _ends(chain: Any) -> Iterator[Array]:
    """Yield where the default solver ends, from starts for which its lanes need no other loop."""
    from lessons_lib import pose_ik

    target, start = _problem(chain)
    for begin in (start, 0.9 * start):
        result = pose_ik.solve(chain, target, begin)
        yield result.q
        yield np.array([result.iterations, result.orientation_error, result.position_error])
    batch = pose_ik.solve_batch(chain, [target] * 2, [start, 0.8 * start])
    yield np.asarray(batch.q)
    yield np.asarray(batch.iterations, dtype=float)


def same(found: Array, known: Array) -> bool:
    """Return whether two arrays of numbers are the same."""
    return found.shape == known.shape and np.allclose(found, known, rtol=0, atol=SAME, equal_nan=True)
