"""Jacobians of all tasks and barriers compared with finite differences; manipulability compared with Pink."""

import numpy as np
import pink.tasks
import pytest
from pink_robots import robot
from task_pairs import TASKS

from lessons_lib import differential_ik as dik
from lessons_lib import lie, robots

STEP = 1e-6
"""Step of central differences: its square and the rounding error over the step are both about 1e-10."""


def difference(function: object, at: dik.Configuration) -> np.ndarray:
    """Return the derivative of a function of the configuration along each coordinate of the tangent."""
    columns = []
    for i in range(at.model.nv):
        v = np.zeros(at.model.nv)
        v[i] = 1.0
        ends = [function(dik.Configuration(at.model, at.integrate(v, s))) for s in (STEP, -STEP)]  # type: ignore[operator]
        columns.append((ends[0] - ends[1]) / (2 * STEP))
    return np.stack(columns, axis=-1)


# the Jacobian of a damping task maps the step itself, and two rows of a rolling task the velocity of the contact point
DERIVED = [make for make in TASKS if make.__name__ not in ("damping_task", "rolling_task")]


@pytest.mark.parametrize("name", ["UR10", "Kinova", "Panda", "Tiago", "Solo"])
@pytest.mark.parametrize("make", DERIVED, ids=lambda make: make.__name__)
def test_task_jacobians(make: object, name: str) -> None:
    pair, rng = robot(name), np.random.default_rng(9)
    at = dik.Configuration(pair.tree, pair.inside(rng))
    task = make(pair, at, rng)[0]  # type: ignore[operator]
    J = task.compute_jacobian(at)
    assert np.abs(J - difference(task.compute_error, at)).max() < 1e-7 * max(1.0, np.abs(J).max())


@pytest.mark.parametrize("name", ["UR10", "Tiago", "Solo"])
def test_barrier_jacobians(name: str) -> None:
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

    hessian = difference(jacobian, at)  # rows, columns, coordinate
    assert np.abs(task.compute_kinematic_hessian(at) - np.moveaxis(hessian, -1, 0)).max() < 1e-7
    gradient = difference(lambda where: np.array([task.compute_manipulability(where)]), at)
    assert np.abs(task.compute_jacobian(at) - gradient).max() < 1e-7


ARMS = {"UR10": "tool0", "SO-100": "jaw", "xArm": "link7"}


@pytest.fixture(params=ARMS)
def arm(request: pytest.FixtureRequest) -> tuple[object, str]:
    pair = robot(request.param)
    tip = ARMS[request.param] if ARMS[request.param] in pair.tree.frame_names else pair.tree.frame_names[-1]
    return pair, tip


@pytest.mark.parametrize("mask", [None, "position", "orientation"])
def test_manipulability_gradient_and_objective_match_pink(arm: tuple[object, str], mask: str | None) -> None:
    pair, frame = arm
    rng = np.random.default_rng(1)
    for _ in range(5):
        ours_at, theirs_at = pair.both(pair.inside(rng))  # type: ignore[attr-defined]
        choices = {"cost": 0.7, "gain": 0.4, "lm_damping": 0.2, "manipulability_rate": 0.3, "mask": mask}
        ours = dik.ManipulabilityTask(frame, pair.tree, **choices)  # type: ignore[attr-defined, arg-type]
        theirs = pink.tasks.ManipulabilityTask(frame, pair.model, **choices)  # type: ignore[attr-defined, arg-type]
        m = theirs.compute_manipulability(theirs_at)
        # Pink takes the root of a determinant, which loses half of the digits of small values
        assert ours.compute_manipulability(ours_at) == pytest.approx(m, rel=1e-8, abs=1e-9)
        assert np.abs(ours.compute_jacobian(ours_at) - theirs.compute_jacobian(theirs_at)).max() < 1e-9
        assert np.array_equal(ours.compute_error(ours_at), theirs.compute_error(theirs_at))
        for mine, other in zip(ours.compute_qp_objective(ours_at), theirs.compute_qp_objective(theirs_at), strict=True):
            assert np.abs(mine - other).max() < 1e-9


def test_manipulability_of_a_planar_arm_in_space_is_zero() -> None:
    tree = robots.load_urdf(robots.urdf_file("planar_2r"))
    task = dik.ManipulabilityTask(tree.frame_names[-1], tree)
    at = dik.Configuration(tree, [0.3, 0.8])
    assert task.compute_manipulability(at) == 0.0
    assert not task.compute_jacobian(at).any()
