"""The Jacobian of every task and barrier is the derivative of its error along the manifold of configurations."""

import numpy as np
import pytest
from pink_robots import robot
from task_pairs import FOR_ALL

from lessons_lib import differential_ik as dik
from lessons_lib import lie

STEP = 1e-6
"""Central differences: the step's square and the rounding of the error by the step are both about 1e-10."""


def difference(function: object, at: dik.Configuration) -> np.ndarray:
    """Return the derivative of a function of the configuration along each coordinate of the tangent."""
    columns = []
    for i in range(at.model.nv):
        v = np.zeros(at.model.nv)
        v[i] = 1.0
        ends = [function(dik.Configuration(at.model, at.integrate(v, s))) for s in (STEP, -STEP)]  # type: ignore[operator]
        columns.append((ends[0] - ends[1]) / (2 * STEP))
    return np.stack(columns, axis=-1)


# a damping task's error is zero: its Jacobian stands for the step itself; two rows of a wheel's stand for its slip
DERIVED = [make for make in FOR_ALL if make.__name__ not in ("damping_task", "rolling_task")]


@pytest.mark.parametrize("name", ["UR10", "Kinova", "Panda", "Tiago", "Solo"])
@pytest.mark.parametrize("make", DERIVED, ids=lambda make: make.__name__)
def test_tasks(make: object, name: str) -> None:
    pair, rng = robot(name), np.random.default_rng(9)
    at = dik.Configuration(pair.tree, pair.inside(rng))
    task = make(pair, at, rng)[0]  # type: ignore[operator]
    J = task.compute_jacobian(at)
    assert np.abs(J - difference(task.compute_error, at)).max() < 1e-7 * max(1.0, np.abs(J).max())


@pytest.mark.parametrize("name", ["UR10", "Tiago", "Solo"])
def test_barriers(name: str) -> None:
    pair, rng = robot(name), np.random.default_rng(10)
    at = dik.Configuration(pair.tree, pair.inside(rng))
    first, second = pair.frames(rng, 2)
    barriers = [
        dik.PositionBarrier(first, p_min=[-1.0, -1.0, -1.0], p_max=2.0),
        dik.PositionBarrier(first, indices=[2, 0], p_max=[1.0, 2.0]),
        dik.BodySphericalBarrier((first, second), d_min=0.05),
    ]
    for barrier in barriers:
        J = barrier.compute_jacobian(at)
        assert J.shape == (barrier.dim, pair.tree.nv)
        assert np.abs(J - difference(barrier.compute_barrier, at)).max() < 1e-7 * max(1.0, np.abs(J).max())


@pytest.mark.parametrize("name", ["UR10", "Panda", "Tiago", "Solo"])
@pytest.mark.parametrize("reference_frame", ["local", "world"])
@pytest.mark.parametrize("mask", [None, "position", "orientation", "planar_xy", [1, 0, 0, 0, 1, 1]])
def test_manipulability(name: str, reference_frame: str, mask: object) -> None:
    pair, rng = robot(name), np.random.default_rng(11)
    at = dik.Configuration(pair.tree, pair.inside(rng))
    frame = pair.frames(rng, 1)[0]
    task = dik.ManipulabilityTask(frame, pair.tree, reference_frame=reference_frame, mask=mask)  # type: ignore[arg-type]

    def jacobian(where: dik.Configuration) -> np.ndarray:
        J = where.get_frame_jacobian(frame)
        if reference_frame == "world":
            J = lie.adjoint(where.get_transform_frame_to_world(frame)) @ J
        return J[task.mask]

    hessian = difference(jacobian, at)  # rows, columns, and along which coordinate
    assert np.abs(task.compute_kinematic_hessian(at) - np.moveaxis(hessian, -1, 0)).max() < 1e-7
    gradient = difference(lambda where: np.array([task.compute_manipulability(where)]), at)
    assert np.abs(task.compute_jacobian(at) - gradient).max() < 1e-7
